"""The types that many arguments have in common, each read by Pydantic once.

The type of an argument and its field go in, what tells them from others comes out. The
adapter of keyword arguments is put together from the core schemas of such types.
"""

from __future__ import annotations

import dataclasses
import datetime
import typing as t
from decimal import Decimal
from functools import cache
from types import NoneType
from uuid import UUID

import annotated_types
from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from .annotations import UNIONS
from .annotations import annotate

if t.TYPE_CHECKING:
    from collections.abc import Hashable
    from collections.abc import Iterator

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


@dataclasses.dataclass(frozen=True, slots=True)
class SharedType:
    """The type of an argument, equal to every other that Pydantic reads alike.

    :param key: all that Pydantic reads of it.
    :param written: the type as it was written.
    :param fields: what is added to it as metadata.
    :param field: its default, aliases and constraints, merged by Pydantic.
    """

    key: Hashable
    written: t.Any = dataclasses.field(compare=False)
    fields: tuple[FieldInfo, ...] = dataclasses.field(compare=False)
    field: FieldInfo = dataclasses.field(compare=False)

    @property
    def annotation(self) -> t.Any:
        """The type with its constraints and its default as metadata."""
        return annotate(self.written, self.fields)

    @property
    def constrained(self) -> t.Any:
        """The type with its constraints alone."""
        metadata = self.field.metadata
        # Typing returns the type that it was asked for before where all metadata are
        # equal, as Ge(1) and Ge(1.0) are. An empty field equals no other.
        return annotate(_bare(self.written), (*metadata, Field()))

    @property
    def is_plain(self) -> bool:
        """Whether it has a default and constraints at most, and nothing to describe."""
        given = {*_field_key(self.field)} - _empty_field_key()
        return all(name == "default" or isinstance(name, type) for name, *_ in given)


def shared_type(
    annotation: t.Any, fields: tuple[FieldInfo, ...], merged: FieldInfo
) -> SharedType | None:
    """The type of an argument, ``None`` where others can't share it.

    :param fields: what is added to the annotation as metadata.
    :param merged: what Pydantic makes of both.
    """
    try:
        key = (_type_key(_bare(annotation)), *_field_key(merged))
    except NotShared:
        return None
    return SharedType(key, annotation, fields, merged)


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
