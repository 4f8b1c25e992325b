"""The member of a union to which a value belongs that Pydantic has made."""

from __future__ import annotations

import dataclasses
import typing as t
from collections import abc

from pydantic import AfterValidator

from .._types.adapters import type_adapter

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence

    from .._types.adapters import Adapter
    from .fields import Filter

#: The types of list that take a model for one, where both are in a union.
SEQUENCES: t.Final = (abc.Sequence, abc.MutableSequence)

#: The types of list that no list is a subclass of.
ABSTRACT_LISTS: t.Final = (*SEQUENCES, abc.Collection, abc.Iterable, abc.Set)

#: The types of which Pydantic makes an iterator, which can be read once.
ITERATORS: t.Final = (abc.Iterable, abc.Generator)


def choice(adapter: Adapter, filters: Iterable[tuple[t.Any, Filter]]) -> Filter:
    """The filter of a union of models, of which Pydantic chooses one."""
    by_class = _by_class(filters)
    lists = [cls for cls in by_class if cls in ABSTRACT_LISTS]

    def keep_chosen(value: t.Any) -> t.Any:
        value = adapter.validator.validate_python(value, from_attributes=True)
        for cls in type(value).__mro__:
            if cls in by_class:
                return by_class[cls](value)
        # A TypedDict is a dict, which Pydantic has made with its keys alone.
        if isinstance(value, abc.Mapping):
            return value
        keep = next((by_class[cls] for cls in lists if isinstance(value, cls)), None)
        return value if keep is None else keep(value)

    return keep_chosen


def _by_class(filters: Iterable[tuple[t.Any, Filter]]) -> dict[t.Any, Filter]:
    """The filters by the classes of the values, one for all members of a class."""
    found: dict[t.Any, list[tuple[t.Any, Filter]]] = {}
    for tp, keep in filters:
        found.setdefault(t.get_origin(tp) or tp, []).append((tp, keep))
    # Pydantic reads no item of an iterator, and takes the first member.
    return {
        cls: _of_one_class(group)
        if len(group) > 1 and cls not in ITERATORS
        else group[0][1]
        for cls, group in found.items()
    }


def _of_one_class(group: Sequence[tuple[t.Any, Filter]]) -> Filter:
    """The filter of members that differ in their arguments: ``list[A] | list[B]``."""
    # Pydantic chooses among them, and says which it has chosen.
    labelled = tuple(
        t.Annotated[tp, AfterValidator(_constant(keep))] for tp, keep in group
    )
    union: t.Any = t.Union[labelled]  # noqa: UP007
    validate = type_adapter(union).validator.validate_python

    def keep_fitting(value: t.Any) -> t.Any:
        keep = validate(_as_row(value), by_alias=True, by_name=True)
        return t.cast("Filter", keep)(value)

    return keep_fitting


def _constant(keep: Filter) -> Filter:
    return lambda value: keep


def _as_row(value: t.Any) -> t.Any:
    """A value in which generic dataclasses are dicts.

    Pydantic takes an instance of ``Page`` for ``Page[A]``, whatever its fields hold.
    """
    if type(value) in (list, tuple):
        return type(value)(map(_as_row, value))
    if type(value) is dict:
        return {key: _as_row(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and hasattr(value, "__parameters__"):
        names = (item.name for item in dataclasses.fields(value))
        return {name: _as_row(getattr(value, name)) for name in names}
    return value
