"""The JSON of one response model."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from ._annotations import Shape
from ._annotations import is_model
from ._annotations import items_of
from ._annotations import members
from ._annotations import model_fields
from ._annotations import shape_of

if t.TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Content:
    """How a value becomes the JSON of a response model.

    :param model: the type.
    :param adapter: validates and serializes.
    :param options: of the serializer: ``by_alias``, ``exclude_none`` and so on.
    """

    model: t.Any
    adapter: TypeAdapter[t.Any]
    options: Mapping[str, t.Any]

    def write(self, value: t.Any, *, validate: bool) -> bytes:
        """The JSON text of a value, in UTF-8.

        What is no field of the model is left out: a value that is an instance of the
        model may be one of a subclass, which knows more.

        :raises ValidationError: if the value does not fit the model.
        :raises PydanticSerializationError: if a part of it can't be written.
        """
        if validate:
            value = self.adapter.validator.validate_python(value, from_attributes=True)
            return self._serialize(value, "error")
        return self._serialize(shaped(self.model, value), "none")

    def _serialize(self, value: t.Any, warnings: str) -> bytes:
        serializer = self.adapter.serializer
        options = {"warnings": warnings, **self.options}
        try:
            return serializer.to_json(value, **options)
        except PydanticSerializationError:
            # A lone surrogate has no UTF-8 form, but JSON has an escape for it.
            plain = serializer.to_python(value, mode="json", **options)
            return json.dumps(plain, allow_nan=False).encode()


def shaped(model: t.Any, value: t.Any) -> t.Any:
    """A value with the fields of a model and no others, not validated.

    A dictionary becomes an instance of the model, in lists and in fields too, so that the
    serializer knows what to leave out. Where a union leaves more than one model to choose
    from, the value is validated after all.
    """
    candidates = [tp for tp in members(model) if tp is not type(None)]
    structured = [tp for tp in candidates if shape_of(tp) is not Shape.SCALAR]
    if value is None or not structured:
        return value
    if len(structured) > 1:
        return TypeAdapter(model).validate_python(value, from_attributes=True)
    return _shaped_as(structured[0], value)


def _shaped_as(model: t.Any, value: t.Any) -> t.Any:
    shape = shape_of(model)
    if shape is Shape.LIST and isinstance(value, (list, tuple, set, frozenset)):
        return type(value)(shaped(items_of(model), item) for item in value)
    if shape is Shape.MAPPING and isinstance(value, dict):
        item = (*t.get_args(model), t.Any, t.Any)[1]
        return {key: shaped(item, inner) for key, inner in value.items()}
    if is_model(model) and not isinstance(value, t.get_origin(model) or model):
        return _constructed(model, value)
    return value


def _constructed(model: t.Any, value: t.Any) -> t.Any:
    found = {}
    for name, field in model_fields(model).items():
        for key in (name, field.alias):
            if isinstance(value, dict) and key in value:
                found[name] = shaped(field.annotation, value[key])
            elif not isinstance(value, dict) and hasattr(value, name):
                found[name] = shaped(field.annotation, getattr(value, name))
    if hasattr(model, "model_construct"):
        return model.model_construct(**found)
    return model(**found)
