"""The fields of a model in an unvalidated value: a dict, an instance, or any object."""

from __future__ import annotations

import dataclasses
import typing as t
from collections import abc
from enum import Enum
from types import NoneType

from pydantic import BaseModel

from .._sentinel import Sentinel
from .._types.annotations import NEVER_BLANK
from .._types.annotations import is_base_model
from .._types.annotations import is_root_model
from .._types.annotations import issubclass_of
from .._types.models import alias_paths
from .._types.models import declared_fields
from .._types.models import field_types

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo

#: Returns the part of a value that a type knows.
Filter: t.TypeAlias = "Callable[[t.Any], t.Any]"

SCALARS: t.Final = (NoneType, str, bytes, bytearray, Enum, *NEVER_BLANK)

#: A value has no such field.
ABSENT: t.Final = Sentinel("ABSENT")


def misplaced(value: t.Any) -> TypeError:
    """The exception of a value of another kind than its type."""
    return TypeError(f"the response model has no place for {type(value).__name__!r}")


def read_fields(model: t.Any) -> dict[str, tuple[t.Any, tuple[str, ...]]]:
    """The type of each field, and the keys that it may have in a dict.

    ``full_name: str = Field(alias="fullName")`` gives
    ``{"full_name": (str, ("full_name", "fullName"))}``.
    """
    fields = declared_fields(model)
    return {
        name: (tp, (name, *_aliases(fields.get(name))))
        for name, tp in field_types(model).items()
    }


def _aliases(field: FieldInfo | None) -> tuple[str, ...]:
    if field is None:
        return ()
    names = [field.alias, *(path[0] for path in alias_paths(field) if len(path) == 1)]
    return tuple(name for name in names if isinstance(name, str))


class FieldsFilter:
    """Makes an instance of a model of the fields of a value, and of nothing else.

    Its ``fields`` are added after it is made, so that a model may contain itself.
    """

    def __init__(self, model: t.Any, *, extra: bool) -> None:
        self.model = t.get_origin(model) or model
        self.extra = extra
        self.fields: dict[str, tuple[Filter, tuple[str, ...]]] = {}
        self._build = _builder(self.model)

    def __call__(self, value: t.Any) -> t.Any:
        if is_root_model(self.model) and not isinstance(value, self.model):
            value = {"root": value}
        parts = self._parts(value)
        found = {
            name: keep(parts[name])
            for name, (keep, _) in self.fields.items()
            if parts.get(name, ABSENT) is not ABSENT
        }
        if self.extra:
            found = {**_extra_fields(value, self.fields), **found}
        return self._build(self.model, found, value)

    def _parts(self, value: t.Any) -> dict[str, t.Any]:
        """The fields of a value by name, ``ABSENT`` where it has none."""
        fields = self.fields.items()
        if isinstance(value, abc.Mapping):
            return {
                name: next((value[key] for key in keys if key in value), ABSENT)
                for name, (_, keys) in fields
            }
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            if issubclass(self.model, tuple):
                return dict(zip(self.fields, value, strict=False))
            raise misplaced(value)
        parts = {name: getattr(value, name, ABSENT) for name in self.fields}
        missing = parts and all(part is ABSENT for part in parts.values())
        if missing or isinstance(value, SCALARS):
            raise misplaced(value)
        return parts


def _extra_fields(value: t.Any, fields: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """What a model with ``extra="allow"`` keeps beside its fields."""
    found = (
        value if isinstance(value, dict) else getattr(value, "model_extra", None) or {}
    )
    known = {name for _, names in fields.values() for name in names}
    return {str(key): item for key, item in found.items() if key not in known}


def _builder(model: t.Any) -> Callable[[t.Any, dict[str, t.Any], t.Any], t.Any]:
    if is_base_model(model):
        return _build_model
    if dataclasses.is_dataclass(model):
        return _build_dataclass
    if issubclass_of(model, tuple):
        return lambda model, found, _: model(**found)
    return lambda _, found, __: found


def _build_model(model: t.Any, found: dict[str, t.Any], value: t.Any) -> t.Any:
    if type(value) is model:
        # Private attributes and the set of given fields are kept: assignment would add
        # every field to the latter.
        copy = value.model_copy()
        copy.__dict__.update(found)
        return copy
    is_set = set(found)
    if isinstance(value, BaseModel):
        is_set &= value.model_fields_set
    return model.model_construct(_fields_set=is_set, **found)


def _build_dataclass(model: t.Any, found: dict[str, t.Any], value: t.Any) -> t.Any:
    """An instance made without ``__init__()``, which may validate."""
    instance = object.__new__(model)
    for item in dataclasses.fields(model):
        if item.name in found:
            part = found[item.name]
        elif item.default_factory is not dataclasses.MISSING:
            part = item.default_factory()
        else:
            part = item.default
        if part is dataclasses.MISSING:
            raise TypeError(f"the response model wants {item.name!r}")
        object.__setattr__(instance, item.name, part)
    return instance
