"""What ``security=`` is given, in every spelling.

What the author wrote goes in, a requirement comes out. Options and settings are read
with it.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ..exceptions import SignatureError
from .functions import scheme_error
from .requirement import Requirement, all_of, any_requirement, read_operand

#: Why an object is refused that only describes.
UNCHECKED: t.Final = (
    "security= takes schemes that check requests, and this one has neither verify= nor"
    " authenticate=. Add verify=; or, where a decorator checks them, describe it in"
    " SIGNATURE_SECURITY_SCHEMES and write its name, security={!r}."
)


def as_requirement(value: t.Any) -> Requirement[t.Any]:
    """The requirement that an option says, in any of its spellings.

    A scheme, schemes that are combined, ``None`` for nothing, the name of one of the
    configuration's schemes, a list of alternatives, or OpenAPI's ``[{"token": []}]``.

    :raises SignatureError: if it is none of these, or empty.
    """
    if value is None:
        return any_requirement([None])
    if isinstance(value, (Mapping, list, tuple, str)) and not value:
        raise SignatureError(
            f"security={value!r} is empty. Write what is required, or security=None on"
            " a route or a blueprint that is open."
        )
    if isinstance(value, Mapping):
        return _read_object(value)
    if isinstance(value, (list, tuple)):
        # In OpenAPI's spelling {} is the alternative of nothing.
        return any_requirement(
            as_requirement(None if item == {} else item) for item in value
        )
    return read_operand(value)


def read_security(value: t.Any) -> Requirement[t.Any]:
    """The requirement of the option ``security=``. ``None`` removes that of the scope.

    :raises SignatureError: if it is no security requirement, or has a scheme that
        checks no request.
    """
    if value is None:
        return any_requirement([])
    requirement = as_requirement(value)
    for leaf in requirement.leaves():
        if leaf.scheme is not None and not leaf.scheme.verifies:
            message = UNCHECKED.format(leaf.name)
            raise scheme_error(leaf.scheme, message)
    return requirement


def _read_object(value: Mapping[t.Any, t.Any]) -> Requirement[t.Any]:
    """The requirement of a Security Requirement Object: ``{"token": ["read"]}``.

    Source: OpenAPI 3.1, Security Requirement Object.
    """
    for name, scopes in value.items():
        if isinstance(scopes, str):
            raise SignatureError(
                f"security={value!r}: the scopes of {name!r} are a string. Write a"
                f" list: {{{name!r}: {scopes.split()!r}}}."
            )
    leaves = [
        Requirement[t.Any]("scheme", name=str(name), scope_names=tuple(scopes))
        for name, scopes in value.items()
    ]
    return all_of(leaves) if len(leaves) > 1 else leaves[0]
