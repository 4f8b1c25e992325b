"""What Pydantic makes of a part of a value that is not validated as a whole.

A type goes in, a filter comes out: a secret has to be made, or it is sent in clear.
"""

from __future__ import annotations

import typing as t

from pydantic import ConfigDict
from pydantic import Secret
from pydantic import SecretBytes
from pydantic import SecretStr
from pydantic import TypeAdapter

from .._types.annotations import issubclass_of
from .._types.decimals import output_validator

if t.TYPE_CHECKING:
    from .fields import Filter

#: The types of which Pydantic writes asterisks in place of the value.
SECRETS: t.Final = (Secret, SecretStr, SecretBytes)


def is_secret(plain: t.Any) -> bool:
    """Whether the values of a type must not be sent in clear."""
    return issubclass_of(t.get_origin(plain) or plain, SECRETS)


def make(annotation: t.Any) -> Filter:
    """Returns what Pydantic makes of a value, or raises its ``ValidationError``."""
    # The model around it may allow types of which Pydantic knows nothing.
    config = ConfigDict(arbitrary_types_allowed=True)
    adapter = TypeAdapter[t.Any](annotation, config=config)
    validator = output_validator(adapter.core_schema) or adapter
    return validator.validate_python


def keep_secret(*types: t.Any) -> Filter:
    """The filter of a secret, or of a union of scalars and secrets.

    ``None`` is sent as such, unless it is a secret itself.
    """
    made = make(t.Union[types])  # noqa: UP007
    generic = any(issubclass_of(t.get_origin(tp) or tp, Secret) for tp in types)

    def keep(value: t.Any) -> t.Any:
        if isinstance(value, SECRETS) or (value is None and not generic):
            return value
        return made(value)

    return keep
