"""Unions in which one member takes what is meant for a model beside it.

``Item | dict[str, str]`` would send a field that ``Item`` does not have: a dictionary
that holds it is a value of the other member.
"""

from __future__ import annotations

import typing as t

from ._types.annotations import Shape
from ._types.annotations import is_anything
from ._types.annotations import is_class
from ._types.annotations import is_root_model
from ._types.annotations import members
from ._types.annotations import shape_of

if t.TYPE_CHECKING:
    from collections.abc import Sequence


def find_open_union(annotation: t.Any) -> tuple[t.Any, t.Any] | None:
    """A model and what takes its values, beside each other; ``None`` in most types.

    It is looked for in the items of lists and the values of dictionaries too, and not
    in the fields of models: what a model says of its fields is meant.
    """
    if is_class(annotation) and not is_root_model(annotation):
        return None
    return _find([annotation], set())


def _find(
    annotations: Sequence[t.Any], seen: set[tuple[int, ...]]
) -> tuple[t.Any, t.Any] | None:
    """The same among the types that a value in one place may have."""
    found = [tp for annotation in annotations for tp in members(annotation)]
    # An alias may hold itself.
    key = tuple(map(id, found))
    if key in seen or not found:
        return None
    seen.add(key)
    models = [tp for tp in found if shape_of(tp) is Shape.MODEL]
    wide = [tp for tp in found if is_anything(tp) or shape_of(tp) is Shape.MAPPING]
    if models and wide:
        return models[0], wide[0]
    lists = [tp for tp in found if shape_of(tp) is Shape.LIST]
    mappings = [tp for tp in found if shape_of(tp) is Shape.MAPPING]
    if any(map(is_anything, found)):
        # A list of models is one of anything, too.
        lists, mappings = [*lists, *found], [*mappings, *found]
    for inside in (*_positions(lists), [_last(tp) for tp in mappings]):
        if conflict := _find(inside, seen):
            return conflict
    return None


def _positions(lists: Sequence[t.Any]) -> t.Iterator[list[t.Any]]:
    """The types of the items of some lists; those of a fixed tuple one by one."""
    items = []
    for tp in lists:
        arguments = t.get_args(tp)
        if t.get_origin(tp) is tuple and ... not in arguments:
            yield from ([argument] for argument in arguments)
        else:
            items += [item for item in arguments or (t.Any,) if item is not ...]
    yield items


def _last(mapping: t.Any) -> t.Any:
    return (t.Any, *t.get_args(mapping))[-1]
