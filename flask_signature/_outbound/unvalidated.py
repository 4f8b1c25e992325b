"""The part of an unvalidated value that its response model knows.

A response model goes in, a :class:`ModelFilter` comes out, which a serializer applies
to values that Pydantic has not made.
"""

from __future__ import annotations

import dataclasses
import typing as t
from collections import deque
from dataclasses import dataclass
from dataclasses import field
from types import NoneType

from pydantic import Json
from pydantic_core import MISSING

from .._once import Once
from .._types.adapters import type_adapter
from .._types.annotations import is_anything
from .._types.annotations import is_class
from .._types.annotations import is_union
from .._types.annotations import issubclass_of
from .._types.annotations import unwrap
from .._types.models import model_config
from .._types.shapes import COMMON_SCALARS
from .._types.shapes import Shape
from .._types.shapes import shape_of
from ..params import ALIASES
from .choice import ITERATORS
from .choice import SEQUENCES
from .choice import choice
from .fields import SCALARS
from .fields import FieldsFilter
from .fields import misplaced
from .fields import read_extra
from .fields import read_fields
from .items import Items
from .items import keep_items
from .items import keep_row
from .items import keep_values
from .made import is_secret
from .made import keep_secret
from .made import make

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from .fields import Filter

#: The values that Pydantic writes with all their items, whatever the type is.
STRUCTURED: t.Final = (dict, list, tuple, set, frozenset, deque)


@dataclass(frozen=True, slots=True)
class ModelFilter:
    """Keeps the part of a value that a type knows.

    :param keep: returns that part of what Pydantic has made, or ``read`` has: instances
        of subclasses become instances of the models themselves, item by item.
    :param read: returns that part of any value: dicts and objects become instances of
        the models.
    :param always_apply: whether Pydantic would write more than the type knows even of a
        validated value, such as a model beside a ``Sequence`` of others.
    :param constants: whether a model in the type has ``ser_json_inf_nan="constants"``.
    :param reads_once: whether there may be iterators in what is kept. They are filtered
        once more to be written again.
    """

    keep: Filter
    read: Filter
    always_apply: bool = False
    constants: bool = False
    reads_once: bool = False


def compile_filter(model: t.Any) -> ModelFilter:
    """The filter of a response model, whose ``read`` is compiled for the first value.

    It raises ``TypeError`` for a value of another kind than the type, and
    ``ValidationError`` for one that fits no model of a union.
    """
    filters = _Filters(is_made=True)
    keep = filters.of(model)
    return ModelFilter(
        keep,
        _defer(model, is_made=False),
        always_apply=filters.always_apply,
        constants=filters.constants,
        reads_once=filters.reads_once,
    )


def defer_filter(model: t.Any) -> ModelFilter:
    """The filter of a model without other models, compiled for the first value.

    Most values are validated and need none. Its fields are scalars, and lists and dicts
    of them, of which Pydantic writes no more than the type knows.
    """
    return ModelFilter(_defer(model, is_made=True), _defer(model, is_made=False))


def _defer(model: t.Any, *, is_made: bool) -> Filter:
    keep = Once(lambda: _Filters(is_made).of(model))
    return lambda value: keep()(value)


@dataclass(slots=True)
class _Filters:
    """Compiles the filters of a type and of the types in it, of each model once.

    :param is_made: whether the values were made by Pydantic, or by another filter.
    """

    is_made: bool
    always_apply: bool = False
    constants: bool = False
    reads_once: bool = False
    _models: dict[t.Any, FieldsFilter] = field(default_factory=dict)
    _aliases: dict[t.Any, Filter] = field(default_factory=dict)

    def of(self, annotation: t.Any) -> Filter:
        """The filter of a type."""
        if not isinstance(annotation, ALIASES):
            return self._of(annotation)
        if annotation not in self._aliases:
            # Kept before its value is read, which may contain the alias itself.
            self._aliases[annotation] = lambda value: self._aliases[annotation](value)
            self._aliases[annotation] = self._of(annotation)
        return self._aliases[annotation]

    def _of(self, annotation: t.Any) -> Filter:
        plain = unwrap(annotation)
        if plain is Json:
            # The parsed value is written, which is of the type within.
            return self.of((*t.get_args(annotation), t.Any)[0])
        if isinstance(plain, t.TypeVar):
            self.always_apply |= plain.__bound__ is not None
            return self.of(_type_of(plain))
        if plain in (t.Any, object):
            return _keep_any
        if plain in COMMON_SCALARS:
            return KEEP_SCALAR[plain]
        if is_union(plain):
            return self._union(annotation)
        return self._by_shape(plain)

    def _by_shape(self, plain: t.Any) -> Filter:
        shape = shape_of(plain)
        if shape is Shape.MODEL:
            return self._model(plain)
        if shape is Shape.MAPPING:
            key, item = (*t.get_args(plain), t.Any, t.Any)[:2]
            return keep_values(self.of(item), self._key(key))
        if shape is Shape.LIST or _is_iterator(plain):
            return self._list(plain)
        return _scalar(plain)

    def _key(self, annotation: t.Any) -> Filter | None:
        """The filter of the keys of a mapping, ``None`` where there is none to refuse.

        Pydantic writes the keys of an unvalidated value whatever their type is.
        """
        plain = unwrap(annotation)
        if (
            self.is_made
            or plain is str
            or isinstance(plain, t.TypeVar)
            or is_anything(plain)
        ):
            return None
        return make(plain)

    def _list(self, plain: t.Any) -> Filter:
        arguments = t.get_args(plain) or (t.Any,)
        origin = t.get_origin(plain) or plain
        if origin is tuple and arguments[-1] is not ...:
            return keep_row([self.of(argument) for argument in arguments])
        keep = self.of(arguments[0])
        if _is_iterator(plain):
            self.always_apply = self.reads_once = True
            return keep_items(Items, keep)
        return keep_items(origin, keep)

    def _union(self, annotation: t.Any) -> Filter:
        keep = self._union_of_values(annotation)
        if not any(tp is MISSING for tp in t.get_args(unwrap(annotation))):
            return keep
        return lambda value: value if value is MISSING else keep(value)

    def _union_of_values(self, annotation: t.Any) -> Filter:
        filters = [(tp, self.of(tp)) for tp in _members(annotation)]
        if any(keep is _keep_any for _, keep in filters):
            return _keep_any
        structured = [(tp, keep) for tp, keep in filters if is_structured_type(tp)]
        scalars = [tp for tp, _ in filters if not is_structured_type(tp)]
        if not structured:
            return _scalar(*scalars)
        keep = structured[0][1]
        if len(structured) > 1:
            # A Sequence takes a subclass of a model beside it when it is written.
            origins = {t.get_origin(tp) or tp for tp, _ in structured}
            self.always_apply |= not origins.isdisjoint(SEQUENCES)
            # Pydantic makes the value of the model that it chooses.
            made = self if self.is_made else _Filters(is_made=True)
            found = [(tp, made.of(tp)) for tp, _ in structured]
            keep = choice(type_adapter(annotation), found)
        if all(tp is NoneType for tp in scalars):
            return lambda value: None if value is None else keep(value)
        keep_other = _scalar(*scalars)
        others = (*SCALARS, *filter(is_class, scalars))
        return lambda value: (keep_other if isinstance(value, others) else keep)(value)

    def _model(self, model: t.Any) -> Filter:
        if model in self._models:
            return self._models[model]
        # Kept before its fields are read, since one of them may be of this type.
        config = model_config(t.get_origin(model) or model)
        found = self._models[model] = FieldsFilter(model, is_made=self.is_made)
        if config.get("extra") == "allow":
            found.extra = self.of(read_extra(t.get_origin(model) or model))
        self.constants |= config.get("ser_json_inf_nan") == "constants"
        self.always_apply |= issubclass_of(model, tuple)
        for name, (annotation, paths) in read_fields(model).items():
            found.fields[name] = self.of(annotation), paths
        return found


def is_structured_type(plain: t.Any) -> bool:
    """Whether values of a type have fields or items, which a filter has to check."""
    shapes = (Shape.MODEL, Shape.LIST, Shape.MAPPING)
    return shape_of(plain) in shapes or _is_iterator(plain)


def _is_iterator(plain: t.Any) -> bool:
    """Whether Pydantic takes the items of a type's values one by one."""
    return (t.get_origin(plain) or plain) in ITERATORS


def _type_of(variable: t.Any) -> t.Any:
    """The type that Pydantic takes for a ``TypeVar`` that is not given one."""
    if getattr(variable, "has_default", bool)():
        return variable.__default__
    if variable.__constraints__:
        return t.Union[variable.__constraints__]  # noqa: UP007
    return variable.__bound__ or t.Any


def _members(annotation: t.Any) -> Iterator[t.Any]:
    plain = unwrap(annotation)
    if is_union(plain):
        for member in t.get_args(plain):
            yield from _members(member)
    elif plain is not MISSING:
        yield plain


def _keep_any(value: t.Any) -> t.Any:
    return value


def _scalar(*types: t.Any) -> Filter:
    if any(map(is_secret, types)):
        return keep_secret(*types)
    classes = tuple(tp for tp in types if is_class(tp))

    def keep(value: t.Any) -> t.Any:
        # Pydantic writes such a value with all its items, whatever the type is.
        if is_structured(value) and not isinstance(value, classes):
            raise misplaced(value)
        return value

    return keep


#: Filters that many fields share.
KEEP_SCALAR: t.Final = {tp: _scalar(tp) for tp in COMMON_SCALARS}


def is_structured(value: t.Any) -> bool:
    """Whether a value has fields or items that Pydantic writes."""
    return (
        isinstance(value, STRUCTURED)
        or dataclasses.is_dataclass(value)
        or hasattr(value, "__pydantic_serializer__")
        # An iterator, of which Pydantic writes the items.
        or hasattr(value, "__next__")
    )
