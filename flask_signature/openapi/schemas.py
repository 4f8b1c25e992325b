"""The JSON Schemas of everything in a document, generated in one go."""

from __future__ import annotations

import json
import re
import typing as t
from collections import abc
from functools import cached_property

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from .._types.defaults import CopiedDefault
from .defaults import fits
from .nulls import accepts_null

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from pydantic.json_schema import JsonSchemaMode
    from pydantic.json_schema import JsonSchemaWarningKind

    from .extras import Extras

#: A part of a document.
JsonObject: t.TypeAlias = "dict[str, t.Any]"

#: An adapter, and whether its schema is that of what is read or of what is written.
Wanted: t.TypeAlias = "tuple[TypeAdapter[t.Any], JsonSchemaMode]"

#: What adapters describe themselves by, by their identity.
Inputs: t.TypeAlias = "dict[tuple[int, JsonSchemaMode], TypeAdapter[t.Any]]"

#: Schemas, and the components that they refer to.
Generated: t.TypeAlias = (
    "tuple[Mapping[tuple[int, JsonSchemaMode], JsonObject], JsonObject]"
)

PREFIX: t.Final = "#/components/schemas/"


class SchemaGenerator(GenerateJsonSchema):
    """Pydantic's generator, without the titles that repeat a field's name.

    What has no JSON Schema may be anything; a document never fails for one type.
    """

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {  # noqa: RUF012
        "skipped-choice",
        "non-serializable-default",
    }

    def field_title_should_be_set(self, schema: t.Any) -> bool:
        """Whether a field gets a title made of its name: it does not."""
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
        """The schema of what has a default, which is left out if it does not fit."""
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

    :param wanted: every adapter whose schema will be asked for.
    :param extras: the adapters of types that the author wrote in place of schemas.
    :param separate: whether what is written has schemas of its own, where they differ.
    """

    def __init__(
        self, wanted: Iterable[Wanted], extras: Extras, *, separate: bool = True
    ) -> None:
        self.extras = extras
        self._separate = separate
        self._inputs: Inputs = {
            (id(adapter), self._mode(mode)): adapter for adapter, mode in wanted
        }
        self.components: JsonObject
        self._found, self.components = generate(self._inputs)

    def _mode(self, mode: JsonSchemaMode) -> JsonSchemaMode:
        return mode if self._separate else "validation"

    def read(self, adapter: TypeAdapter[t.Any]) -> JsonObject:
        """The schema of what an adapter validates, a reference for most models."""
        return self._found[id(adapter), "validation"]

    def written(self, adapter: TypeAdapter[t.Any]) -> JsonObject:
        """The schema of what an adapter serializes."""
        return self._found[id(adapter), self._mode("serialization")]

    def written_by_name(self, adapter: TypeAdapter[t.Any]) -> JsonObject:
        """The schema of what an adapter serializes by the names of the fields."""
        schema = self._by_name[0][id(adapter), self._mode("serialization")]
        return t.cast("JsonObject", renamed(schema, self._names_by_name))

    def field_names(self, schema: JsonObject) -> dict[str, str]:
        """The fields' own names by their aliases, of a schema that is a reference."""
        name = component_name(schema.get("$ref", ""))
        known = self.components.get(name, {}).get("properties", {})
        plain = self._by_name[1].get(name, {}).get("properties", {})
        return dict(zip(known, plain, strict=True)) if plain else {}

    @cached_property
    def _by_name(self) -> Generated:
        # Few routes write fields by their names, or leave some of them out by name.
        return generate(self._inputs, by_alias=False)

    @cached_property
    def _names_by_name(self) -> dict[str, str]:
        """New names by old of the components that differ by the names of their fields.

        They become components of the document with the first that is asked for.
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
        """The schema of what is written without what is ``None``."""
        inside = reachable(self.components, schema)
        changed = {
            name for name, inner in inside.items() if _optional(inner, self) != inner
        }
        names = {name: f"{name}-WithoutNone" for name in affected(inside, changed)}
        for name, other in names.items():
            self.components[other] = renamed(_optional(inside[name], self), names)
        return t.cast("JsonObject", renamed(schema, names))

    def resolve(self, schema: JsonObject) -> JsonObject:
        """A schema without a reference at its top; what stands beside it is kept."""
        while component_name(schema.get("$ref", "")) in self.components:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**self.components[component_name(schema["$ref"])], **beside}
        return schema


def generate(inputs: Inputs, *, by_alias: bool = True) -> Generated:
    """The schemas of adapters, and the components that these refer to."""
    found, definitions = TypeAdapter.json_schemas(
        [(key, mode, adapter) for (key, mode), adapter in inputs.items()],
        by_alias=by_alias,
        ref_template=PREFIX + "{model}",
        schema_generator=SchemaGenerator,
    )
    return join_equal(found, definitions.get("$defs", {}))


def join_equal(
    found: Mapping[tuple[int, JsonSchemaMode], JsonObject], components: JsonObject
) -> Generated:
    """The schemas with one component where input and output are the same after all.

    Pydantic sees that of most types. A type that holds itself refers to itself under
    two names, and so is taken for two; it is one if nothing else tells them apart.
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


def affected(components: Mapping[str, JsonObject], changed: set[str]) -> set[str]:
    """The components that changed, and those that refer to one that did."""
    uses = {name: set(references(schema)) for name, schema in components.items()}
    found = set(changed)
    while more := {name for name in uses if not uses[name].isdisjoint(found)} - found:
        found |= more
    return found


def renamed(value: t.Any, names: Mapping[str, str]) -> t.Any:
    """A part of a document that refers to components by other names."""
    if isinstance(value, str) and value.startswith(PREFIX):
        name = component_name(value)
        return PREFIX + names.get(name, name)
    if isinstance(value, dict):
        return {key: renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return value


def _optional(schema: JsonObject, schemas: Schemas) -> JsonObject:
    """A schema whose fields may be left out where they may be null."""
    required = schema.get("required")
    fields = schema.get("properties", {})
    if not required:
        return schema
    kept = [
        name
        for name in required
        if name not in fields or not accepts_null(fields[name], schemas)
    ]
    rest = {key: value for key, value in schema.items() if key != "required"}
    return {**rest, "required": kept} if kept else rest


def component_name(reference: str) -> str:
    """``"#/components/schemas/Item"`` gives ``"Item"``."""
    return reference.removeprefix(PREFIX)


def references(value: t.Any) -> Iterator[str]:
    """The names of the components that a part of a document refers to."""
    if isinstance(value, str):
        if value.startswith(PREFIX):
            yield component_name(value)
        return
    items: t.Iterable[t.Any] = ()
    if isinstance(value, dict):
        items = value.values()
    elif isinstance(value, list):
        items = value
    for item in items:
        yield from references(item)


def reachable(components: Mapping[str, JsonObject], root: t.Any) -> JsonObject:
    """The components that a document needs, in the order of their names."""
    needed: set[str] = set()
    waiting = list(references(root))
    while waiting:
        name = waiting.pop()
        if name in components and name not in needed:
            needed.add(name)
            waiting += references(components[name])
    return {name: components[name] for name in sorted(needed)}
