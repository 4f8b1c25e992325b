"""How many values a type takes of a request, and of what kind.

The types that a value may have go in; :mod:`.annotations` finds them.
"""

from __future__ import annotations

import datetime
import ipaddress
import typing as t
from collections import abc, deque
from decimal import Decimal
from enum import Enum
from functools import reduce
from operator import or_
from types import NoneType
from uuid import UUID

from werkzeug.datastructures import FileStorage

from .annotations import is_base_model, is_model, issubclass_of, members

if t.TYPE_CHECKING:
    from collections.abc import Iterable


class Shape(Enum):
    """How many values of a request an annotation takes, and of what kind."""

    SCALAR = "a single value"
    LIST = "a list"
    MAPPING = "a dict"
    MODEL = "a model"
    FILE = "a file"


LIST_SHAPES = (
    list,
    tuple,
    set,
    frozenset,
    deque,
    abc.Collection,
    abc.Iterable,
    abc.MutableSequence,
    abc.MutableSet,
    abc.Sequence,
    abc.Set,
)

#: Scalars that no blank string can be: a blank field of a form is an absent one.
NEVER_BLANK = (
    bool,
    int,
    float,
    complex,
    Decimal,
    UUID,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
)

#: The most frequent scalars, which are recognised first. A tuple, since an annotation
#: may have no hash.
COMMON_SCALARS = (str, int, float, bool, NoneType, bytes)


def shape_of(annotation: t.Any) -> Shape:
    """The shape of a type that is no union."""
    if annotation in COMMON_SCALARS:
        return Shape.SCALAR
    if is_base_model(annotation):
        return Shape.MODEL
    origin = t.get_origin(annotation) or annotation
    if issubclass_of(origin, FileStorage):
        return Shape.FILE
    if is_model(origin):
        return Shape.MODEL
    if issubclass_of(origin, (str, bytes, bytearray, Enum)):
        return Shape.SCALAR
    if issubclass_of(origin, abc.Mapping):
        return Shape.MAPPING
    if origin in LIST_SHAPES or issubclass_of(
        origin, (list, tuple, set, frozenset, deque)
    ):
        return Shape.LIST
    return Shape.SCALAR


def shapes_of(annotation: t.Any) -> set[Shape]:
    """The shapes of an annotation, ``None`` aside: one, unless it is a union."""
    if annotation in COMMON_SCALARS and annotation is not NoneType:
        return {Shape.SCALAR}
    return {shape_of(tp) for tp in members(annotation) if tp not in (None, NoneType)}


def items_of(lists: Iterable[t.Any]) -> t.Any:
    """The union of the types of the items of some lists: ``int`` for ``list[int]``."""
    found = [item for tp in lists for item in t.get_args(tp) if item is not ...]
    return reduce(or_, found) if found else t.Any


def may_be_blank(tp: t.Any) -> bool:
    """Whether a blank string can be a value of a scalar."""
    if t.get_origin(tp) is t.Literal:
        return "" in t.get_args(tp)
    if issubclass_of(tp, Enum):
        return any(member.value == "" for member in tp)
    return not issubclass_of(tp, NEVER_BLANK)


def values_by_string(types: Iterable[t.Any]) -> dict[str, t.Any]:
    """The values of literals and enumerations that are no strings, by their strings.

    ``Literal[1, 2]`` gives ``{"1": 1, "2": 2}``. Pydantic compares literals as they
    are, but a query, a header, a cookie and a form carry nothing but strings.

    :param types: the members of a union.
    """
    values: list[t.Any] = []
    for tp in types:
        if t.get_origin(tp) is t.Literal:
            values += t.get_args(tp)
        elif issubclass_of(tp, Enum):
            values += [member.value for member in tp]
    strings = {value for value in values if isinstance(value, str)}
    found = {_string(value): value for value in values if value is not None}
    return {name: value for name, value in found.items() if name not in strings}


def _string(value: t.Any) -> str:
    plain = value.value if isinstance(value, Enum) else value
    return str(plain).lower() if isinstance(plain, bool) else str(plain)
