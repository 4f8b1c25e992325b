"""The JSON Schemas of everything in a document, generated together.

Adapters go in, their schemas and the components of these come out.
"""

from __future__ import annotations

import json
import re
import typing as t
from collections import abc
from functools import cached_property

from pydantic.json_schema import GenerateJsonSchema

from .._types.defaults import CopiedDefault
from .components import (
    REFERENCE_PREFIX,
    accepts_null,
    affected,
    component_name,
    reachable,
    renamed,
    resolve_component,
)
from .defaults import fits

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic.json_schema import JsonSchemaMode, JsonSchemaWarningKind

    from .._types.adapters import Adapter
    from .objects import Generated, Inputs, JsonObject, SchemaRequest


class SchemaGenerator(GenerateJsonSchema):
    """Pydantic's generator, without the titles that repeat a field's name.

    A type without a JSON Schema gets an empty one, so that no document fails for it.
    """

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {  # noqa: RUF012
        "skipped-choice",
        "non-serializable-default",
    }

    def field_title_should_be_set(self, schema: t.Any) -> bool:
        """Whether a field gets a title made of its name: never."""
        return False

    def handle_invalid_for_json_schema(
        self, schema: t.Any, error_info: str
    ) -> JsonObject:
        """The schema of a type that has none, such as a callable."""
        return {}

    def normalize_name(self, name: str) -> str:
        """A component's name: ``"Page[Item]"`` becomes ``"Page_Item"``."""
        plain = name.replace("<locals>.", "").rstrip("]")
        return super().normalize_name(re.sub(r"[\[\], ]+", "_", plain))

    def default_schema(self, schema: t.Any) -> JsonObject:
        """A schema with its default, unless that is no value the schema allows."""
        described = super().default_schema(schema)
        if "default" in described and not fits(described["default"], described):
            del described["default"]
        return described

    def encode_default(self, dft: t.Any) -> t.Any:
        """A default as JSON; a set, which has no order, is sorted."""
        if isinstance(dft, CopiedDefault):
            dft = dft.value
        return _ordered(dft, super().encode_default(dft))


def _ordered(value: t.Any, encoded: t.Any) -> t.Any:
    if isinstance(encoded, list) and isinstance(value, abc.Set):
        return sorted(encoded, key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(encoded, list) and isinstance(value, abc.Sequence):
        return [_ordered(*pair) for pair in zip(value, encoded, strict=True)]
    if isinstance(encoded, dict):
        inner = (
            value if isinstance(value, abc.Mapping) else getattr(value, "__dict__", {})
        )
        return {key: _ordered(inner.get(key), item) for key, item in encoded.items()}
    return encoded


class Schemas:
    """The schemas of adapters, with the components that they refer to.

    :param requests: every adapter whose schema will be asked for.
    :param separate: whether what is serialized has schemas of its own, if they differ.
    """

    def __init__(
        self, requests: Iterable[SchemaRequest], *, separate: bool = True
    ) -> None:
        self._separate = separate
        self._inputs: Inputs = {
            (id(adapter), self._mode(mode)): adapter for adapter, mode in requests
        }
        self.components: JsonObject
        self._found, self.components = generate(self._inputs)

    def _mode(self, mode: JsonSchemaMode) -> JsonSchemaMode:
        return mode if self._separate else "validation"

    def validated(self, adapter: Adapter) -> JsonObject:
        """The schema of what an adapter accepts, a reference for most models."""
        return self._found[id(adapter), "validation"]

    def serialized(self, adapter: Adapter) -> JsonObject:
        """The schema of what an adapter serializes."""
        return self._found[id(adapter), self._mode("serialization")]

    def serialized_by_name(self, adapter: Adapter) -> JsonObject:
        """The schema of what an adapter serializes by the names of the fields."""
        schema = self._by_name[0][id(adapter), self._mode("serialization")]
        return t.cast("JsonObject", renamed(schema, self._names_by_name))

    def field_names(self, schema: JsonObject) -> dict[str, str]:
        """The names of fields by their aliases, of a schema that is a reference."""
        name = component_name(schema.get("$ref", ""))
        known = self.components.get(name, {}).get("properties", {})
        plain = self._by_name[1].get(name, {}).get("properties", {})
        return dict(zip(known, plain, strict=True)) if plain else {}

    @cached_property
    def _by_name(self) -> Generated:
        # Few routes write fields by their names, or exclude fields by name.
        return generate(self._inputs, by_alias=False)

    @cached_property
    def _names_by_name(self) -> dict[str, str]:
        """The new names of components whose fields have aliases, by the old names.

        These components are added to the document when the first one is asked for.
        """
        components = self._by_name[1]
        changed = {
            name
            for name, schema in components.items()
            if self.components.get(name) != schema
        }
        names = {name: f"{name}-ByName" for name in affected(components, changed)}
        for name, schema in components.items():
            self.components[names.get(name, name)] = renamed(schema, names)
        return names

    def without_none(self, schema: JsonObject) -> JsonObject:
        """The schema with fields that are left out where they are ``None``."""
        inside = reachable(self.components, schema)
        changed = {
            name for name, inner in inside.items() if self._optional(inner) != inner
        }
        names = {name: f"{name}-WithoutNone" for name in affected(inside, changed)}
        for name, other in names.items():
            self.components[other] = renamed(self._optional(inside[name]), names)
        return t.cast("JsonObject", renamed(schema, names))

    def _optional(self, schema: JsonObject) -> JsonObject:
        """A schema whose fields may be left out where they may be null."""
        required = schema.get("required")
        fields = schema.get("properties", {})
        if not required:
            return schema
        kept = [
            name
            for name in required
            if name not in fields or not accepts_null(fields[name], self.components)
        ]
        rest = {key: value for key, value in schema.items() if key != "required"}
        return {**rest, "required": kept} if kept else rest

    def resolve(self, schema: JsonObject) -> JsonObject:
        """A schema without a reference at its top: see :func:`.components.resolve`."""
        return resolve_component(schema, self.components)


def generate(inputs: Inputs, *, by_alias: bool = True) -> Generated:
    """The schemas of adapters, and the components that these refer to."""
    generator = SchemaGenerator(
        by_alias=by_alias, ref_template=REFERENCE_PREFIX + "{model}"
    )
    found, definitions = generator.generate_definitions(
        [(key, mode, adapter.core_schema) for (key, mode), adapter in inputs.items()]
    )
    return join_equal(found, t.cast("JsonObject", definitions))


def join_equal(
    found: Mapping[tuple[int, JsonSchemaMode], JsonObject], components: JsonObject
) -> Generated:
    """The schemas with one component where input and output are equal.

    Pydantic joins most of them. A type that contains itself refers to itself under two
    names, which keeps its two schemas apart although nothing else differs.
    """
    pairs = {
        base: (components[name], components[f"{base}-Output"])
        for name in components
        if (base := name.removesuffix("-Input")) != name
        and f"{base}-Output" in components
        and base not in components
    }
    names = {f"{base}{end}": base for base in pairs for end in ("-Input", "-Output")}
    while different := [
        base
        for base, (one, other) in pairs.items()
        if renamed(one, names) != renamed(other, names)
    ]:
        for base in different:
            del pairs[base], names[f"{base}-Input"], names[f"{base}-Output"]
    if not names:
        return found, components
    joined = {names.get(name, name): schema for name, schema in components.items()}
    return (
        {key: renamed(schema, names) for key, schema in found.items()},
        {name: renamed(schema, names) for name, schema in joined.items()},
    )
