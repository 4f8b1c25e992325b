"""The filters of what holds other values: mappings, tuples, lists, iterators.

The filters of the values inside go in.
"""

from __future__ import annotations

import typing as t
from collections import abc
from collections import deque

from pydantic import BaseModel

from .fields import SCALARS
from .fields import misplaced

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from .fields import Filter

#: The types of value that are never read as a list of items.
NOT_ITEMS: t.Final = (*SCALARS, abc.Mapping, BaseModel)


class Items:
    """An iterator, of which Pydantic takes items, that may be iterated again."""

    def __init__(self, items: list[t.Any]) -> None:
        self._items = items
        self._left = iter(items)

    def __iter__(self) -> Iterator[t.Any]:
        return iter(self._items)

    def __next__(self) -> t.Any:
        return next(self._left)


#: What is made again of the items that are kept.
MADE: t.Final = (tuple, set, frozenset, deque, Items)


def keep_values(keep: Filter, keep_key: Filter | None = None) -> Filter:
    """The filter of a mapping, by that of its values.

    :param keep_key: that of its keys, ``None`` where they may be anything.
    """

    def keep_mapping(value: t.Any) -> t.Any:
        if not isinstance(value, abc.Mapping):
            raise misplaced(value)
        if keep_key is None:
            return {key: keep(item) for key, item in value.items()}
        return {keep_key(key): keep(item) for key, item in value.items()}

    return keep_mapping


def keep_row(filters: Sequence[Filter]) -> Filter:
    """The filter of a tuple, by those of its items."""

    def keep_tuple(value: t.Any) -> t.Any:
        if not isinstance(value, (list, tuple)) or len(value) != len(filters):
            raise misplaced(value)
        return tuple(keep(item) for keep, item in zip(filters, value, strict=True))

    return keep_tuple


def keep_items(origin: t.Any, keep: Filter) -> Filter:
    """The filter of a list of any kind, by that of its items.

    :param origin: makes such a list if it is one of :data:`MADE`. A list is the rest.
    """
    make = origin if origin in MADE else list

    def keep_list(value: t.Any) -> t.Any:
        if isinstance(value, NOT_ITEMS) or not isinstance(value, abc.Iterable):
            raise misplaced(value)
        kept = [keep(item) for item in value]
        try:
            return make(kept)
        except TypeError:
            # A dict has become a model, which can't be an item of a set.
            return kept

    return keep_list
