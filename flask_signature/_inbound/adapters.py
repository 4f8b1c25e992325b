"""The adapters that make the arguments of a view, and what they can't be made of.

Arguments go in, adapters come out; the inbound plan is compiled with them.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import count
from types import NoneType, UnionType
from uuid import UUID

from annotated_types import BaseMetadata, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf
from pydantic import Field, ValidationError
from pydantic_core import PydanticUndefined, core_schema
from typing_extensions import TypedDict

from .._types.adapters import (
    PYDANTIC_ERRORS,
    SchemaAdapter,
    complete_adapter,
    find_kind,
)
from .._types.annotations import annotate, show_type
from .._types.causes import author_error
from .._types.decimals import input_validator
from .._types.defaults import CopiedDefault, needs_copying
from .._types.problems import argument_problem, first_line
from ..exceptions import SignatureError
from ..params import Location
from .files import check_file_constraints

if t.TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pydantic import AliasChoices, AliasPath

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


def _typed_dict(types: Mapping[str, t.Any]) -> t.Any:
    # TypedDict is called, since the names are known at run time only. Pydantic
    # describes equal schemas of one name once, and 1 equals True.
    name = f"Arguments{next(_numbers)}"
    return TypedDict(name, dict(types))  # type: ignore[operator]


#: The core schemas of the types that arguments share, as keys of a typed dict.
_shared_fields: dict[Hashable, t.Any] = {}

#: Shared types that are kept. An application has fewer.
MAX_SHARED: t.Final = 10_000

#: The classes that arguments share. Pydantic writes no definitions for them.
CLASSES: t.Final = frozenset(
    {str, int, float, bool, bytes, NoneType, Decimal, UUID}
) | {*(date, datetime, time, timedelta)}

#: What is shared if all in it is. Equal unions differ in the order of their members.
GENERICS: t.Final = (list, set, frozenset, t.Literal, t.Union, UnionType)

#: Values that are the same where their ``repr()`` is, which 1 and True are not.
PLAIN_DEFAULTS: t.Final = frozenset(
    {str, int, float, bool, NoneType, type(PydanticUndefined)}
)

#: The constraints with plain values. That of ``pattern`` has no public name.
CONSTRAINT_TYPES: t.Final = frozenset({Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf}) | {
    type(Field(pattern="").metadata[0])
}


def shared_adapter(
    arguments: Sequence[Argument], aliases: Mapping[str, AliasPath | AliasChoices]
) -> SchemaAdapter | None:
    """The adapter that makes keyword arguments of shared types.

    ``None`` where the type of one is read for it alone.

    :param aliases: the path to each argument in the input, by its key.
    :raises Exception: one of :data:`PYDANTIC_ERRORS`, if Pydantic can't read a type.
    """
    keys = {item.key: shared_key(item) for item in arguments}
    if None in keys.values():
        return None
    known = _shared_fields if len(_shared_fields) < MAX_SHARED else {}
    new = {keys[x.key]: x for x in arguments if keys[x.key] not in known}
    for argument in new.values():
        check_constraints(argument)
    if new:
        types = {item.key: annotated_type(item) for item in new.values()}
        read: t.Any = complete_adapter(_typed_dict(types)).core_schema
        known.update((key, read["fields"][item.key]) for key, item in new.items())
    fields: t.Any = {
        name: {**known[keys[name]], "validation_alias": alias.convert_to_aliases()}
        for name, alias in aliases.items()
    }
    ref = f"{__name__}.Arguments{next(_numbers)}:{id(fields)}"
    schema = core_schema.typed_dict_schema(fields, cls_name="Arguments", ref=ref)
    return SchemaAdapter(schema, input_validator(schema))


def shared_key(argument: Argument) -> Hashable | None:
    """All that Pydantic reads of a type, ``None`` where others can't share it."""
    written, field = argument.type.annotation, argument.field.asdict()
    # The metadata around a type are a part of the field.
    bare = written.__origin__ if t.get_origin(written) is t.Annotated else written
    given = [x for x in field["attributes"].items() if x[1] is not None]
    with suppress(LookupError):
        names = ((name, _key_of(value)) for name, value in given)
        return (_key_of(bare), *names, *map(_key_of, field["metadata"]))
    return None


def _key_of(value: t.Any) -> Hashable:
    """What tells a part of a type from others; ``LookupError`` if none share it."""
    kind = type(value)
    if kind in PLAIN_DEFAULTS:
        return repr(value)
    # The metaclass of another class may have a hash of its own, or none.
    if kind is type and value in CLASSES:
        return t.cast("type", value)
    if kind in CONSTRAINT_TYPES:
        names = getattr(value, "__dict__", kind.__slots__)
        return (kind, *((name, _key_of(getattr(value, name))) for name in names))
    if t.get_origin(value) in GENERICS:
        return (t.get_origin(value), *map(_key_of, t.get_args(value)))
    raise LookupError


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
REFUSED_TYPES: t.Final = {
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
    """Refuse the types of :data:`REFUSED_TYPES`, wherever one stands in an argument.

    :param argument: the name of the one that the adapter makes, ``None`` if it makes
        several.
    :raises SignatureError: if there is one.
    """
    found = find_kind(adapter.core_schema, REFUSED_TYPES)
    if found is None:
        return
    kind, path = found
    name = ".".join(path if argument is None else (argument, *path))
    raise SignatureError(f"{name!r} of {view} is {REFUSED_TYPES[kind]}")


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
