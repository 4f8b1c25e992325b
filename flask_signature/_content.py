"""The JSON of one response model."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass

from pydantic import TypeAdapter
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from ._filters import ModelFilter
from ._filters import compile_filter
from ._http.json import without_constants
from ._http.json import without_surrogates
from ._open_unions import find_open_union
from ._twins import twin_of
from ._types.adapters import type_adapter
from ._types.annotations import show_type
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Mapping

#: The options that ask an instance what was set of it, which a dictionary can't tell.
ABOUT_INSTANCES: t.Final = frozenset({"exclude_unset", "exclude_defaults"})


@dataclass(frozen=True, slots=True)
class Content:
    """How a value becomes the JSON of a response model.

    :param model: the type.
    :param adapter: validates and serializes.
    :param quick: does so for dictionaries and lists of them, with nothing in between
        that would have to be looked at again; ``None`` where that can't be done.
    :param filter: what is left of a value that was not validated.
    :param options: of the serializer: ``by_alias``, ``exclude_none`` and so on.
    """

    model: t.Any
    adapter: TypeAdapter[t.Any]
    quick: TypeAdapter[t.Any] | None
    filter: ModelFilter
    options: Mapping[str, t.Any]

    def is_same(self, other: Content | None) -> bool:
        """Whether another one sends the same of a value."""
        if other is None:
            return False
        return bool(self.model == other.model) and self.options == other.options

    def write(self, value: t.Any, *, validate: bool) -> bytes:
        """The JSON text of a value, in UTF-8.

        What is no field of the model is left out: a value that is an instance of the
        model may be one of a subclass, which knows more.

        :raises ValidationError: if the value does not fit the model.
        :raises PydanticSerializationError: if a part of it can't be written.
        :raises TypeError: if a value that isn't validated has no place in the model.
        """
        text = self._write(value) if validate else self._write_unchecked(value)
        return without_constants(text) if self.filter.constants else text

    def _write(self, value: t.Any) -> bytes:
        if self.quick is not None and _holds_dicts(value):
            try:
                made = self.quick.validator.validate_python(value)
                return self.quick.serializer.to_json(
                    made, warnings=False, **self.options
                )
            except (ValidationError, PydanticSerializationError):
                # The model itself has the last word, and the better one.
                pass
        value = self.adapter.validator.validate_python(value, from_attributes=True)
        if self.filter.loose:
            value = self.filter.keep(value)
        try:
            return self._to_json(value, warnings="error")
        except PydanticSerializationError:
            value = self.filter.keep(value)
            self._complain(value)
            return self._write_anyhow(value)

    def _write_unchecked(self, value: t.Any) -> bytes:
        value = self.filter.keep(value)
        try:
            return self._to_json(value, warnings=False)
        except PydanticSerializationError:
            return self._write_anyhow(value)

    def _to_json(self, value: t.Any, **options: t.Any) -> bytes:
        return self.adapter.serializer.to_json(value, **options, **self.options)

    def _complain(self, value: t.Any) -> None:
        """Raise if a part of an instance is not of its type, defaults aside.

        Pydantic validates neither a default nor what is set of an instance later. The
        former is what the author wrote, the latter may be anything.
        """
        options = {**self.options, "exclude_unset": True, "exclude_defaults": True}
        self.adapter.serializer.to_python(
            value, mode="json", warnings="error", **options
        )

    def _write_anyhow(self, value: t.Any) -> bytes:
        """What Pydantic can't write as UTF-8: a lone surrogate has no form in it."""
        plain = self.adapter.serializer.to_python(
            value, mode="json", warnings=False, **self.options
        )
        text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        return without_constants(without_surrogates(text).encode())


def compile_content(
    model: t.Any, options: Mapping[str, t.Any] | None = None
) -> Content:
    """The content of a response model.

    :param options: of the serializer.
    :raises SignatureError: if Pydantic can't serialize the model, or a member of a
        union in it would take what is meant for another.
    """
    options = options or {"by_alias": True}
    if conflict := find_open_union(model):
        one, other = map(show_type, conflict)
        raise SignatureError(
            f"{show_type(model)!r} has {other!r} beside {one!r}, and the former takes"
            " whatever does not fit the latter, with fields that nobody declared. Name"
            " its fields in a model, or declare it with responses= and its status."
        )
    adapter = type_adapter(model)
    return Content(
        model=model,
        adapter=adapter,
        quick=_quick_adapter(adapter, model, options),
        filter=compile_filter(model),
        options=options,
    )


def _quick_adapter(
    adapter: TypeAdapter[t.Any], model: t.Any, options: Mapping[str, t.Any]
) -> TypeAdapter[t.Any] | None:
    twin = twin_of(model)
    if twin is None or twin is model:
        return twin and adapter
    return None if ABOUT_INSTANCES & options.keys() else TypeAdapter(twin)


def _holds_dicts(value: t.Any) -> bool:
    """Whether a value is a dictionary, or a list that begins with one."""
    if type(value) is list and value:
        value = value[0]
    return type(value) is dict
