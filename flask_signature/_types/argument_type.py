"""The type of an argument, or of a field of its model, read once.

An annotation goes in when a signature is read; what every later stage asks of it comes
out.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from types import NoneType

from pydantic import Json
from typing_extensions import LiteralString

from .annotations import (
    COMMON_SCALARS,
    Shape,
    is_class,
    issubclass_of,
    items_of,
    may_be_blank,
    members,
    shape_of,
    unwrap,
    values_by_string,
    with_known,
)

if t.TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ArgumentType:
    """What an annotation says of its values.

    :param annotation: as it was written, metadata included.
    :param plain: without ``Annotated``, ``NewType`` and aliases around it.
    :param members: the types that a value may have: more than one in a union.
    :param shapes: of these, ``None`` aside.
    :param item: the type of a list's items, ``None`` where no member is a list.
    :param models: the members that are models.
    :param is_class: whether the annotation is a class itself, without metadata.
    :param has_files: whether a value, or an item of a list, may be a file.
    :param is_split: whether one string may become many values.
    :param may_be_blank: whether a blank string can be a value.
    :param values: the values of literals and enumerations that are no strings, by their
        strings: ``{"1": 1, "2": 2}`` for ``Literal[1, 2]``.
    """

    annotation: t.Any
    plain: t.Any
    members: tuple[t.Any, ...]
    shapes: frozenset[Shape]
    item: ArgumentType | None
    models: tuple[t.Any, ...]
    is_class: bool
    has_files: bool
    is_split: bool
    may_be_blank: bool
    values: Mapping[str, t.Any]

    @property
    def scalars(self) -> tuple[t.Any, ...]:
        """The members that are single values, ``None`` among them."""
        return tuple(tp for tp in self.members if shape_of(tp) is Shape.SCALAR)

    @property
    def values_of_dicts(self) -> ArgumentType:
        """The type of the values of the dicts among the members."""
        dicts = [tp for tp in self.members if shape_of(tp) is Shape.MAPPING]
        types = tuple((t.Any, *t.get_args(tp))[-1] for tp in dicts)
        return read_type(t.Union[types])  # noqa: UP007

    @property
    def is_anything(self) -> bool:
        """Whether it takes any value, which is then not converted."""
        return self.annotation is t.Any


def read_type(
    annotation: t.Any, *, is_item: bool = False, in_json: bool = False
) -> ArgumentType:
    """What an annotation says of its values, with ``UploadFile`` for every file.

    :param is_item: whether they are items of a list, whose own items are not asked for:
        an alias may contain itself.
    :param in_json: whether they are read from JSON, in which a validator gets whatever
        was sent. Elsewhere they are what it takes.
    """
    # The metaclass of another class may have a hash of its own, or none.
    known = _COMMON.get(annotation) if type(annotation) is type else None
    return known or _read(with_known(annotation), is_item, in_json)


def _read(annotation: t.Any, is_item: bool, in_json: bool) -> ArgumentType:
    made = members(annotation)
    found = made if in_json else members(annotation, ())
    shapes = [(tp, shape_of(tp)) for tp in found if tp not in (None, NoneType)]
    scalars = [tp for tp, shape in shapes if shape is Shape.SCALAR]
    lists = [tp for tp, shape in shapes if shape is Shape.LIST]
    item = read_type(items_of(lists), is_item=True) if lists and not is_item else None
    has_files = any(shape is Shape.FILE for _, shape in shapes)
    taken = tuple(found)
    models = tuple(tp for tp, shape in shapes if shape is Shape.MODEL)
    return ArgumentType(
        annotation,
        unwrap(annotation, None if in_json else []),
        taken,
        frozenset(shape for _, shape in shapes),
        item,
        models=taken if models == taken else models,
        is_class=is_class(annotation),
        has_files=has_files or (item is not None and item.has_files),
        is_split=any(tp is Json or shape_of(tp) is not Shape.SCALAR for tp in made),
        may_be_blank=any(map(may_be_blank, scalars)),
        values=values_by_string(found),
    )


_COMMON: t.Final = {
    tp: _read(tp, is_item=False, in_json=False) for tp in COMMON_SCALARS
}

#: The classes whose values are sent as they are.
STRING_TYPES: t.Final = (str, bytes, bytearray)


def string_types(annotation: t.Any) -> tuple[type, ...]:
    """The classes of an annotation whose values are strings, ``()`` for any other.

    ``Literal["a", "b"]`` gives ``(str,)``, and so does a ``TypeVar`` that is bound to
    ``str``; ``AnyStr`` gives ``(str, bytes)``.

    Source: PEP 484, PEP 586.
    """
    plain = unwrap(annotation)
    if issubclass_of(plain, STRING_TYPES):
        return (plain,)
    if plain is LiteralString:
        return (str,)
    if t.get_origin(plain) is t.Literal:
        values = t.get_args(plain)
        kinds = [str if isinstance(value, str) else bytes for value in values]
        is_string = all(isinstance(value, STRING_TYPES) for value in values)
        return tuple(dict.fromkeys(kinds)) if is_string else ()
    if not isinstance(plain, t.TypeVar):
        return ()
    choices = plain.__constraints__ or members(plain.__bound__)
    found = [string_types(tp) for tp in choices]
    return tuple(kind for kinds in found for kind in kinds) if all(found) else ()
