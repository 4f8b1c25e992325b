"""The JSON Schemas of everything in a document, generated in one go."""

from __future__ import annotations

import json
import re
import typing as t
from collections import abc

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from pydantic.json_schema import JsonSchemaMode

#: A part of a document.
JsonObject: t.TypeAlias = "dict[str, t.Any]"

#: An adapter, and whether its schema is that of what is read or of what is written.
Wanted: t.TypeAlias = "tuple[TypeAdapter[t.Any], JsonSchemaMode]"

PREFIX: t.Final = "#/components/schemas/"


class SchemaGenerator(GenerateJsonSchema):
    """Pydantic's generator, without the titles that repeat a field's name.

    What has no JSON Schema may be anything; a document never fails for one type.
    """

    ignored_warning_kinds: t.ClassVar = {"skipped-choice", "non-serializable-default"}

    def field_title_should_be_set(self, schema: t.Any) -> bool:
        """Whether a field gets a title made of its name: it does not."""
        return False

    def handle_invalid_for_json_schema(self, schema: t.Any, error_info: str) -> JsonObject:
        """The schema of a type that has none, such as a callable."""
        return {}

    def normalize_name(self, name: str) -> str:
        """A component's name: ``"Page[Item]"`` becomes ``"Page_Item"``."""
        plain = name.replace("<locals>.", "").rstrip("]")
        return super().normalize_name(re.sub(r"[\[\], ]+", "_", plain))

    def encode_default(self, dft: t.Any) -> t.Any:
        """A default as JSON. A set has no order, and gets one that is always the same."""
        return _ordered(dft, super().encode_default(dft))


def _ordered(value: t.Any, encoded: t.Any) -> t.Any:
    if isinstance(encoded, list) and isinstance(value, abc.Set):
        return sorted(encoded, key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(encoded, list) and isinstance(value, abc.Sequence):
        return [_ordered(*pair) for pair in zip(value, encoded)]
    if isinstance(encoded, dict):
        inner = value if isinstance(value, abc.Mapping) else getattr(value, "__dict__", {})
        return {key: _ordered(inner.get(key), item) for key, item in encoded.items()}
    return encoded


class Schemas:
    """The schemas of adapters, with the components that they refer to.

    :param wanted: every adapter whose schema will be asked for.
    :param separate: whether what is written has schemas of its own, where they differ.
    """

    def __init__(self, wanted: Iterable[Wanted], *, separate: bool = True) -> None:
        self._separate = separate
        inputs = {
            (id(adapter), self._mode(mode)): adapter for adapter, mode in wanted
        }
        self._found, definitions = TypeAdapter.json_schemas(
            [(key, mode, adapter) for (key, mode), adapter in inputs.items()],
            ref_template=PREFIX + "{model}",
            schema_generator=SchemaGenerator,
        )
        self.components: JsonObject = definitions.get("$defs", {})

    def _mode(self, mode: JsonSchemaMode) -> JsonSchemaMode:
        return mode if self._separate else "validation"

    def read(self, adapter: TypeAdapter[t.Any]) -> JsonObject:
        """The schema of what an adapter validates, a reference for most models."""
        return self._found[id(adapter), "validation"]

    def written(self, adapter: TypeAdapter[t.Any]) -> JsonObject:
        """The schema of what an adapter serializes."""
        return self._found[id(adapter), self._mode("serialization")]

    def resolve(self, schema: JsonObject) -> JsonObject:
        """A schema without a reference at its top; what stands beside it is kept."""
        while "$ref" in schema:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**self.components[component_name(schema["$ref"])], **beside}
        return schema


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


def without_null(schema: JsonObject, schemas: Schemas) -> JsonObject:
    """A schema for text, which has no null: what ``None`` means is leaving it out."""
    plain = schemas.resolve(schema) if _accepts_null(schema, schemas) else dict(schema)
    if plain.get("default", ...) is None:
        del plain["default"]
    if "items" in plain:
        plain["items"] = without_null(plain["items"], schemas)
    if "enum" in plain:
        plain["enum"] = [value for value in plain["enum"] if value is not None]
    for key in ("anyOf", "oneOf"):
        if key in plain:
            plain = _without_null_member(plain, key, schemas)
    return plain


def _accepts_null(schema: JsonObject, schemas: Schemas) -> bool:
    plain = schemas.resolve(schema)
    if plain.get("type") == "null" or None in plain.get("enum", ()):
        return True
    members = [*plain.get("anyOf", ()), *plain.get("oneOf", ())]
    return any(_accepts_null(member, schemas) for member in members)


def _without_null_member(schema: JsonObject, key: str, schemas: Schemas) -> JsonObject:
    members = [
        without_null(member, schemas)
        for member in schema[key]
        if member.get("type") != "null"
    ]
    rest = {name: value for name, value in schema.items() if name != key}
    if len(members) == 1:
        return {**members[0], **rest}
    return {**rest, key: members} if members else rest
