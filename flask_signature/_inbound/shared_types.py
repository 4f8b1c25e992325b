"""The types that many arguments have in common, each read by Pydantic once.

An argument goes in, what tells its type from others comes out. The adapter of keyword
arguments is put together from the core schemas of such types.
"""

from __future__ import annotations

import datetime
import typing as t
from dataclasses import dataclass
from dataclasses import field
from decimal import Decimal
from functools import cache
from types import NoneType
from uuid import UUID

import annotated_types
from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from .._types.annotations import UNIONS
from .._types.annotations import annotate

if t.TYPE_CHECKING:
    from collections.abc import Hashable
    from collections.abc import Iterator

    from .._signature.argument import Argument

#: The classes that arguments share. Pydantic writes no definitions for them.
CLASSES: t.Final = frozenset(
    {
        str,
        int,
        float,
        bool,
        bytes,
        NoneType,
        Decimal,
        UUID,
        datetime.date,
        datetime.datetime,
        datetime.time,
        datetime.timedelta,
    }
)

LISTS: t.Final = (list, set, frozenset)

#: The types of value that are the same where their ``repr()`` is the same.
PLAIN: t.Final = frozenset({str, int, float, bool, NoneType})

#: The constraints with one value.
CONSTRAINTS: t.Final = frozenset(
    {
        annotated_types.Ge,
        annotated_types.Gt,
        annotated_types.Le,
        annotated_types.Lt,
        annotated_types.MaxLen,
        annotated_types.MinLen,
        annotated_types.MultipleOf,
    }
)


class NotShared(Exception):
    """A type is read for its argument alone."""


@dataclass(frozen=True, slots=True)
class SharedType:
    """The type of an argument, equal to every other that Pydantic reads alike.

    :param key: all that Pydantic reads of it.
    :param argument: one that has it.
    """

    key: Hashable
    argument: Argument = field(compare=False)

    @property
    def annotation(self) -> t.Any:
        """The type with its constraints and its default as metadata."""
        return annotate(self.argument.annotation, self.argument.fields)

    @property
    def constrained(self) -> t.Any:
        """The type with its constraints alone."""
        metadata = self.argument.field.metadata
        # Typing returns the type that it was asked for before where all metadata are
        # equal, as Ge(1) and Ge(1.0) are. An empty field equals no other.
        return annotate(_bare(self.argument.annotation), (*metadata, Field()))

    @property
    def is_plain(self) -> bool:
        """Whether it has a default and constraints at most, and nothing to describe."""
        given = {*_field_key(self.argument.field)} - _empty_field_key()
        return all(name == "default" or isinstance(name, type) for name, *_ in given)


def shared_type(argument: Argument) -> SharedType | None:
    """The type of an argument, ``None`` where others can't share it."""
    try:
        key = (_type_key(_bare(argument.annotation)), *_field_key(argument.field))
    except NotShared:
        return None
    return SharedType(key, argument)


def _bare(annotation: t.Any) -> t.Any:
    """The type without the metadata around it, which are a part of the field."""
    if t.get_origin(annotation) is t.Annotated:
        return annotation.__origin__
    return annotation


def _type_key(annotation: t.Any) -> Hashable:
    # The metaclass of another class may have a hash of its own, or none.
    if type(annotation) is type and annotation in CLASSES:
        return annotation
    origin, arguments = t.get_origin(annotation), t.get_args(annotation)
    if origin is t.Literal:
        return (origin, *map(_value_key, arguments))
    if origin in LISTS or origin in UNIONS:
        # Unions are equal in whatever order their members are, which counts here.
        return (origin, *map(_type_key, arguments))
    raise NotShared


def _field_key(info: FieldInfo) -> Iterator[tuple[t.Any, ...]]:
    for name in _field_attributes():
        value = getattr(info, name)
        is_given = value is not None or name == "default"
        if is_given and value is not PydanticUndefined:
            yield name, _value_key(value)
    for item in info.metadata:
        yield type(item), *_constraint_key(item)


@cache
def _empty_field_key() -> frozenset[tuple[t.Any, ...]]:
    return frozenset(_field_key(Field()))


@cache
def _field_attributes() -> tuple[str, ...]:
    """The attributes of a field, but for those that have a key of their own."""
    names = (name for name in FieldInfo.__slots__ if not name.startswith("_"))
    return tuple(name for name in names if name not in ("annotation", "metadata"))


def _constraint_key(item: t.Any) -> Iterator[Hashable]:
    if type(item) in CONSTRAINTS:
        values = {name: getattr(item, name) for name in type(item).__slots__}
    elif type(item) is _other_constraint():
        values = vars(item)
    else:
        raise NotShared
    for name, value in values.items():
        yield name, _value_key(value)


@cache
def _other_constraint() -> type:
    """The class of constraints such as ``pattern``, which has no public name."""
    return type(Field(pattern="").metadata[0])


def _value_key(value: t.Any) -> Hashable:
    # 1, 1.0 and True are equal, and their representations differ.
    if type(value) not in PLAIN:
        raise NotShared
    return repr(value)
