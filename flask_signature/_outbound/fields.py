"""The fields of a model in an unvalidated value: a dict, an instance, or any object."""

from __future__ import annotations

import dataclasses
import typing as t
from collections import abc
from enum import Enum
from types import NoneType

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typing_extensions import is_typeddict

from .._sentinel import Sentinel
from .._types.annotations import is_base_model
from .._types.annotations import is_root_model
from .._types.annotations import issubclass_of
from .._types.annotations import members
from .._types.models import alias_paths
from .._types.models import declared_fields
from .._types.models import field_types
from .._types.models import model_config
from .._types.shapes import NEVER_BLANK
from .._types.shapes import Shape
from .._types.shapes import shape_of

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

#: Returns the part of a value that a type knows.
Filter: t.TypeAlias = "Callable[[t.Any], t.Any]"

#: Makes an instance of a model of the fields that were found in a value.
Build: t.TypeAlias = "Callable[[FieldsFilter, dict[str, t.Any], t.Any], t.Any]"

#: Where a field is in a row: ``("user", "names", 0)``.
Path: t.TypeAlias = "tuple[str | int, ...]"

SCALARS: t.Final = (NoneType, str, bytes, bytearray, Enum, *NEVER_BLANK)

#: A value has no such field.
ABSENT: t.Final = Sentinel("ABSENT")


def misplaced(value: t.Any) -> TypeError:
    """The exception of a value of another kind than its type."""
    return TypeError(f"the response model has no place for {type(value).__name__!r}")


def read_fields(model: t.Any) -> dict[str, tuple[t.Any, tuple[Path, ...]]]:
    """The type of each field, and the paths under which Pydantic looks for it in a row.

    ``full_name: str = Field(alias="fullName")`` gives
    ``{"full_name": (str, (("fullName",),))}``.
    """
    fields, config = declared_fields(model), model_config(t.get_origin(model) or model)
    by_alias = config.get("validate_by_alias", True)
    by_name = config.get("validate_by_name") or config.get("populate_by_name")
    found = {}
    for name, tp in field_types(model).items():
        paths = _alias_paths(fields.get(name), tp) if by_alias else []
        if by_name or not paths:
            paths.append((name,))
        found[name] = tp, tuple(paths)
    return found


def _alias_paths(field: FieldInfo | None, annotation: t.Any) -> list[Path]:
    if field is None and t.get_origin(annotation) is t.Annotated:
        field = FieldInfo.from_annotation(annotation)
    return [] if field is None else [tuple(path) for path in alias_paths(field)]


def read_extra(model: t.Any) -> t.Any:
    """The type of what a model with ``extra="allow"`` keeps beside its fields."""
    try:
        hint = t.get_type_hints(model).get("__pydantic_extra__")
    except (NameError, TypeError):
        # It names what Pydantic was given at another place.
        return t.Any
    found = [tp for tp in members(hint) if shape_of(tp) is Shape.MAPPING]
    return (*t.get_args((*found, dict)[0]), t.Any, t.Any)[1]


def _follow(row: t.Any, path: Path) -> t.Any:
    """What a path leads to in a mapping or an object, ``ABSENT`` if to nothing."""
    for part in path:
        if isinstance(row, abc.Mapping) or isinstance(part, int):
            try:
                row = row[part]
            except (LookupError, TypeError):
                return ABSENT
        else:
            row = getattr(row, part, ABSENT)
    return row


class FieldsFilter:
    """Makes an instance of a model of the fields of a value, and of nothing else.

    Its ``fields`` are added after it is made, so that a model may contain itself. So is
    ``extra``, the filter of what is no field, where that is not left out.

    :param is_made: whether the values were made by Pydantic, or by another filter. A
        ``TypedDict`` has the names of its fields by then.
    """

    def __init__(self, model: t.Any, *, is_made: bool) -> None:
        self.model = t.get_origin(model) or model
        self.extra: Filter | None = None
        self.fields: dict[str, tuple[Filter, tuple[Path, ...]]] = {}
        self._build = _builder(self.model)
        # A TypedDict has no instances.
        self._own = () if is_typeddict(self.model) else self.model
        self._is_named = is_made and is_typeddict(self.model)

    def __call__(self, value: t.Any) -> t.Any:
        if is_root_model(self.model) and not isinstance(value, self.model):
            value = {"root": value}
        parts = self._parts(value)
        found = {
            name: keep(parts[name])
            for name, (keep, _) in self.fields.items()
            if parts.get(name, ABSENT) is not ABSENT
        }
        if self.extra is not None:
            more = _extra_fields(value, self.fields)
            kept = {name: self.extra(item) for name, item in more.items()}
            found = {**kept, **found}
        return self._build(self, found, value)

    def keep_default(self, name: str, value: t.Any) -> t.Any:
        """The part of a default that the type of its field knows.

        Pydantic does not validate it, and a factory may return anything.
        """
        keep, _ = self.fields[name]
        return keep(value)

    def _parts(self, value: t.Any) -> dict[str, t.Any]:
        """The fields of a value by name, ``ABSENT`` where it has none."""
        if isinstance(value, abc.Mapping):
            if self._is_named:
                return {name: value.get(name, ABSENT) for name in self.fields}
            return self._read(value)
        if isinstance(value, self._own):
            return {name: getattr(value, name, ABSENT) for name in self.fields}
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            if issubclass(self.model, tuple):
                return dict(zip(self.fields, value, strict=False))
            raise misplaced(value)
        parts = self._read(value)
        missing = parts and all(part is ABSENT for part in parts.values())
        if missing or isinstance(value, SCALARS):
            raise misplaced(value)
        return parts

    def _read(self, row: t.Any) -> dict[str, t.Any]:
        """The fields of a mapping, or of an object that is no instance of the model."""
        parts = {}
        for name, (_, paths) in self.fields.items():
            found = (_follow(row, path) for path in paths)
            parts[name] = next((part for part in found if part is not ABSENT), ABSENT)
        return parts


def _extra_fields(value: t.Any, fields: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """What a model with ``extra="allow"`` keeps beside its fields."""
    found = (
        value if isinstance(value, dict) else getattr(value, "model_extra", None) or {}
    )
    known = {path[0] for _, paths in fields.values() for path in paths}
    return {str(key): item for key, item in found.items() if key not in known}


def _builder(model: t.Any) -> Build:
    if is_base_model(model):
        return _build_model
    if dataclasses.is_dataclass(model):
        return _build_dataclass
    if issubclass_of(model, tuple):
        return _build_tuple
    return lambda fields, found, value: found


def _build_model(fields: FieldsFilter, found: dict[str, t.Any], value: t.Any) -> t.Any:
    if type(value) is fields.model:
        # Private attributes and the set of given fields are kept: assignment would add
        # every field to the latter.
        copy = value.model_copy()
        copy.__dict__.update(found)
        return copy
    is_set = set(found)
    if isinstance(value, BaseModel):
        is_set &= value.model_fields_set
    made = fields.model.model_construct(_fields_set=is_set, **found)
    defaults = fields.fields.keys() & made.__dict__.keys() - found.keys()
    made.__dict__.update(
        {name: fields.keep_default(name, made.__dict__[name]) for name in defaults}
    )
    return made


def _build_tuple(fields: FieldsFilter, found: dict[str, t.Any], value: t.Any) -> t.Any:
    made = fields.model(**found)
    defaults = {
        name: fields.keep_default(name, part)
        for name, part in made._asdict().items()
        if name not in found
    }
    return made._replace(**defaults)


def _build_dataclass(
    fields: FieldsFilter, found: dict[str, t.Any], value: t.Any
) -> t.Any:
    """An instance made without ``__init__()``, which may validate."""
    instance = object.__new__(fields.model)
    for item in dataclasses.fields(fields.model):
        part = found.get(item.name, ABSENT)
        if part is ABSENT:
            part = fields.keep_default(item.name, _default_of(item))
        object.__setattr__(instance, item.name, part)
    return instance


def _default_of(item: dataclasses.Field[t.Any]) -> t.Any:
    """The default of a field of a dataclass.

    :raises TypeError: if it has none.
    """
    if item.default_factory is not dataclasses.MISSING:
        return item.default_factory()
    if item.default is dataclasses.MISSING:
        raise TypeError(f"the response model wants {item.name!r}")
    return item.default
