"""The adapters that make the arguments of a view, and what they can't be made of.

Arguments go in, adapters come out; the inbound plan is compiled with them.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from itertools import count

from annotated_types import BaseMetadata
from pydantic import Field
from pydantic import ValidationError
from pydantic_core import PydanticUndefined
from pydantic_core import core_schema
from typing_extensions import TypedDict

from .._types.adapters import PYDANTIC_ERRORS
from .._types.adapters import SchemaAdapter
from .._types.adapters import complete_adapter
from .._types.adapters import find_kind
from .._types.annotations import annotate
from .._types.annotations import show_type
from .._types.causes import author_error
from .._types.decimals import input_validator
from .._types.defaults import CopiedDefault
from .._types.defaults import needs_copying
from .._types.problems import argument_problem
from .._types.problems import first_line
from .._types.shared_types import SharedType
from .._types.shared_types import shared_type
from ..exceptions import SignatureError
from ..params import Location
from .files import check_file_constraints

if t.TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence

    from pydantic import AliasChoices
    from pydantic import AliasPath

    from .._signature.argument import Argument
    from .._types.adapters import Adapter


def annotated_type(argument: Argument, *more: t.Any) -> t.Any:
    """The type of an argument with its constraints and its default as metadata."""
    default = argument.field.default
    if default is not PydanticUndefined and needs_copying(default):
        more = (Field(CopiedDefault(default)), *more)
    return annotate(argument.type.annotation, (*argument.fields, *more))


#: For names that no two schemas share.
_numbers: t.Final = count()

#: The core schemas of shared types, as keys of a typed dict.
_shared_fields: dict[SharedType, t.Any] = {}

#: Shared types that are kept. An application has fewer.
MAX_SHARED: t.Final = 10_000


def shared_adapter(
    types: Mapping[str, SharedType], aliases: Mapping[str, AliasPath | AliasChoices]
) -> SchemaAdapter:
    """The adapter that makes keyword arguments of shared types.

    :param types: the type of each argument, by its name.
    :param aliases: the path to each argument in the input, by its name.
    :raises Exception: one of :data:`PYDANTIC_ERRORS`, if Pydantic can't read a type.
    """
    new = {name: tp for name, tp in types.items() if tp not in _shared_fields}
    found = {name: _shared_fields[tp] for name, tp in types.items() if name not in new}
    if new:
        found.update(_read_fields(new))
        if len(_shared_fields) < MAX_SHARED:
            _shared_fields.update((tp, found[name]) for name, tp in new.items())
    fields: t.Any = {
        name: {**found[name], "validation_alias": alias.convert_to_aliases()}
        for name, alias in aliases.items()
    }
    ref = f"{__name__}.Arguments{next(_numbers)}:{id(fields)}"
    schema = core_schema.typed_dict_schema(fields, cls_name="Arguments", ref=ref)
    return SchemaAdapter(schema, input_validator(schema))


def _read_fields(types: Mapping[str, SharedType]) -> dict[str, t.Any]:
    """The core schemas of some types as keys of a typed dict, by their names."""
    fields = {name: _read_plain(tp) for name, tp in types.items() if tp.is_plain}
    others = {name: tp.annotation for name, tp in types.items() if name not in fields}
    if not others:
        return fields
    # Reading several types takes hardly longer than reading one.
    read: t.Any = complete_adapter(_typed_dict(others)).core_schema
    return {**fields, **read["fields"]}


def _read_plain(tp: SharedType) -> t.Any:
    """What Pydantic makes of a key without a description, in a fifth of the time."""
    schema, default = _constrained_adapter(tp).core_schema, tp.field.default
    if tp.field.is_required():
        return core_schema.typed_dict_field(schema, required=True)
    schema = core_schema.with_default_schema(schema, default=default)
    return core_schema.typed_dict_field(schema, required=False)


@lru_cache(maxsize=512)
def _constrained_adapter(tp: SharedType) -> Adapter:
    return complete_adapter(tp.constrained)


def _typed_dict(types: Mapping[str, t.Any]) -> t.Any:
    # TypedDict is called, since the names are known at run time only. Pydantic
    # describes equal schemas of one name once, and 1 equals True.
    name = f"Arguments{next(_numbers)}"
    return TypedDict(name, dict(types))  # type: ignore[operator]


def keywords_adapter(
    arguments: Sequence[Argument], types: Mapping[str, t.Any]
) -> Adapter:
    """The adapter that makes the keyword arguments of a view.

    :param types: the type of each argument, by its name.
    :raises SignatureError: if Pydantic can't read one of the types.
    """
    try:
        return _bounded(complete_adapter(_typed_dict(types)))
    except PYDANTIC_ERRORS as error:
        for argument in arguments:
            # Pydantic warns of an alias that is not that of a field.
            build_adapter(argument, _typed_dict({argument.key: types[argument.key]}))
        names = ", ".join(repr(argument.name) for argument in arguments)
        raise SignatureError(
            f"Pydantic can't read the types of {names}: {first_line(error)}"
        ) from author_error(error)


def argument_adapter(argument: Argument) -> Adapter:
    """The adapter of one argument, with its constraints and its default.

    :raises SignatureError: if Pydantic can't read its type.
    """
    return build_adapter(argument, annotated_type(argument))


def build_adapter(argument: Argument, tp: t.Any) -> Adapter:
    """The adapter of one argument's type.

    :raises SignatureError: if Pydantic can't read the type.
    """
    try:
        return _bounded(complete_adapter(tp))
    except PYDANTIC_ERRORS as error:
        problem = argument_problem(argument.name, argument.type.annotation, error)
        raise SignatureError(
            f"Pydantic can't read the type of {argument.name!r},"
            f" {show_type(argument.type.annotation)!r}{problem}"
        ) from author_error(error)


def _bounded(adapter: Adapter) -> Adapter:
    schema = adapter.core_schema
    validator = input_validator(schema) or adapter.validator
    return SchemaAdapter(schema, validator, adapter.serializer)


#: The types that no request can be read as, by their kinds of core schema: what the
#: author is told of them.
REFUSED: t.Final = {
    "generator": (
        "an Iterable or a Generator, whose items are validated when the view takes"
        " them, too late to refuse the request. Annotate it as a list."
    ),
    "import": (
        "an ImportString, which would import whatever module a request names. Annotate"
        " it as a Literal or an Enum of the names, and import that in the view."
    ),
}


def check_types(view: str, adapter: Adapter, argument: str | None = None) -> None:
    """Refuse the types of :data:`REFUSED`, wherever one stands in an argument.

    :param argument: the name of the one that the adapter makes, ``None`` if it makes
        several.
    :raises SignatureError: if there is one.
    """
    found = find_kind(adapter.core_schema, REFUSED)
    if found is None:
        return
    kind, path = found
    name = ".".join(path if argument is None else (argument, *path))
    raise SignatureError(f"{name!r} of {view} is {REFUSED[kind]}")


#: A value of each of some types, to try a constraint with.
SAMPLES: t.Final[dict[t.Any, t.Any]] = {
    str: "",
    bytes: b"",
    bool: True,
    int: 1,
    float: 1.0,
    Decimal: Decimal(1),
    list: [],
    set: set(),
    tuple: (),
    frozenset: frozenset(),
    dict: {},
}


def check_constraints(argument: Argument) -> None:
    """Refuse a constraint that does not apply to a type, such as ``ge=1`` on ``str``.

    Pydantic raises ``TypeError`` for it when it validates the first value.

    :raises SignatureError: if there is one.
    """
    metadata = argument.field.metadata
    check_file_constraints(
        f"{argument.name!r} of {argument.owner}",
        argument.type,
        metadata,
        in_files=argument.location is Location.FILE,
    )
    constraints = tuple(item for item in metadata if isinstance(item, BaseMetadata))
    if not constraints:
        return
    shared = shared_type(argument.type.annotation, argument.fields, argument.field)
    if shared in _shared_fields:
        return
    adapter = None
    if shared is not None:
        # The error says which argument Pydantic can't read.
        with suppress(*PYDANTIC_ERRORS):
            adapter = _constrained_adapter(shared)
    if adapter is None:
        adapter = build_adapter(argument, annotate(argument.type.plain, constraints))
    for tp in argument.type.members:
        sample = SAMPLES.get(t.get_origin(tp) or tp)
        if tp is t.Any and argument.location is not Location.BODY:
            # An argument without a type is a string, or a list of strings.
            sample = ""
        if sample is None:
            continue
        try:
            adapter.validator.validate_python(sample)
        except ValidationError:
            continue
        except TypeError as error:
            raise SignatureError(
                f"{argument.name!r} is {show_type(argument.type.annotation)!r}, which"
                f" can't take one of its constraints: {first_line(error)} Remove it, or"
                " change the type."
            ) from author_error(error)
