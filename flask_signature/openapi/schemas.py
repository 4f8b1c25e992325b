"""Schemas, those with a name as components, and what a document shares.

Adapters go in, JSON Schema comes out. Source: OpenAPI 3.1, Components Object and Schema
Object.
"""

from __future__ import annotations

import json
import operator
import re
import typing as t
from collections import Counter, abc
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pydantic.json_schema import GenerateJsonSchema

from .._types.adapters import type_adapter
from .._types.models import CopiedDefault
from ..params import is_type

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pydantic.json_schema import JsonSchemaMode, JsonSchemaWarningKind

    from .._errors.formats import BuiltInFormat
    from .._operations.error_format import CustomFormat
    from .._settings import Settings
    from .._types.adapters import Adapter


#: How bytes are written in JSON, by the name that Pydantic has for it.
#: Source: JSON Schema Validation 2020-12, 8.3; RFC 4648, 4 and 8.
ENCODINGS: t.Final = {"base64": "base64", "hex": "base16"}


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
        """A schema with its default, unless that is null, or no value it allows.

        Generated clients require a field that has null for its default.
        """
        described = super().default_schema(schema)
        default = described.get("default")
        if default is None or not fits(default, described):
            described.pop("default", None)
        return described

    def bytes_schema(self, schema: t.Any) -> JsonObject:
        """Bytes as JSON has them: encoded, where the configuration of a model says so.

        The lengths that it may have are those of what is encoded.
        """
        # Pydantic's own method reads it here, and nothing public tells it.
        config, is_sent = self._config, self.mode == "serialization"
        name = config.ser_json_bytes if is_sent else config.val_json_bytes
        if name in ENCODINGS:
            return {"type": "string", "contentEncoding": ENCODINGS[name]}
        described = {"type": "string", "format": "binary"}
        self.update_with_validations(described, schema, self.ValidationsMapping.bytes)
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
        """A schema without a reference at its top: see :func:`resolve_component`."""
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


REFERENCE_PREFIX: t.Final = "#/components/schemas/"


def affected(components: Mapping[str, JsonObject], changed: set[str]) -> set[str]:
    """The components that changed, and those that refer to one that did."""
    uses = {name: set(references(schema)) for name, schema in components.items()}
    found = set(changed)
    while more := {name for name in uses if not uses[name].isdisjoint(found)} - found:
        found |= more
    return found


def renamed(value: t.Any, names: Mapping[str, str]) -> t.Any:
    """A part of a document with other names in its references.

    :param names: new names by old.
    """
    if isinstance(value, str) and value.startswith(REFERENCE_PREFIX):
        name = component_name(value)
        return REFERENCE_PREFIX + names.get(name, name)
    if isinstance(value, dict):
        return {key: renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return value


def resolve_component(
    schema: JsonObject, components: Mapping[str, JsonObject]
) -> JsonObject:
    """A schema without a reference at its top; what is beside it is kept."""
    while component_name(schema.get("$ref", "")) in components:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**components[component_name(schema["$ref"])], **beside}
    return schema


def component_name(reference: str) -> str:
    """``"#/components/schemas/Item"`` gives ``"Item"``."""
    return reference.removeprefix(REFERENCE_PREFIX)


def references(value: t.Any) -> Iterator[str]:
    """The names of the components that a part of a document refers to."""
    if isinstance(value, str):
        if value.startswith(REFERENCE_PREFIX):
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


def without_shared_titles(components: Mapping[str, JsonObject]) -> JsonObject:
    """The components without the titles that several of them have.

    Pydantic's title of a model is the name of its class, and that of its two schemas,
    ``Item-Input`` and ``Item-Output``. Generators of clients name classes by titles and
    leave out the second one of a name. Without a title they take the component's name.
    """
    titles = Counter(schema.get("title") for schema in components.values())
    return {
        name: {
            key: value
            for key, value in schema.items()
            if key != "title" or titles[value] == 1
        }
        for name, schema in components.items()
    }


def any_of(schemas: Iterable[JsonObject]) -> JsonObject:
    """The schema of what fits any of several, with each alternative once."""
    distinct: list[JsonObject] = []
    for schema in schemas:
        alternatives = schema["anyOf"] if schema.keys() == {"anyOf"} else [schema]
        distinct += [item for item in alternatives if item not in distinct]
    if {} in distinct:
        return {}
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def without_null(
    schema: JsonObject,
    components: Mapping[str, JsonObject],
    seen: frozenset[str] = frozenset(),
) -> JsonObject:
    """A schema for a string of a request, where null is to leave the value out.

    :param components: of the document, by name.
    :param seen: the references on the way here, since a type may contain itself.
    """
    reference = schema.get("$ref", "")
    if reference in seen:
        return schema
    seen = seen | {reference} - {""}
    plain = (
        resolve_component(schema, components)
        if accepts_null(schema, components)
        else schema
    )
    plain = dict(plain)
    if "items" in plain:
        plain["items"] = without_null(plain["items"], components, seen)
    if "enum" in plain:
        plain["enum"] = [value for value in plain["enum"] if value is not None]
    for key in ("anyOf", "oneOf"):
        if key in plain:
            members = [
                without_null(member, components, seen)
                for member in plain.pop(key)
                if member.get("type") != "null"
            ]
            plain = _with_members(plain, key, members)
    return plain


def accepts_null(
    schema: JsonObject,
    components: Mapping[str, JsonObject],
    seen: frozenset[str] = frozenset(),
) -> bool:
    """Whether a schema accepts null.

    :param seen: as for :func:`without_null`.
    """
    reference = schema.get("$ref", "")
    if reference in seen:
        return False
    seen = seen | {reference} - {""}
    plain = resolve_component(schema, components)
    if plain.get("type") == "null" or None in plain.get("enum", ()):
        return True
    members = [*plain.get("anyOf", ()), *plain.get("oneOf", ())]
    return any(accepts_null(member, components, seen) for member in members)


def _with_members(
    schema: JsonObject, key: str, members: list[JsonObject]
) -> JsonObject:
    if len(members) == 1:
        return {**members[0], **schema}
    return {**schema, key: members} if members else schema


#: A part of a document.
JsonObject: t.TypeAlias = "dict[str, t.Any]"

#: An adapter, and whether its schema is for validation or for serialization.
SchemaRequest: t.TypeAlias = "tuple[Adapter, JsonSchemaMode]"

#: Adapters by their identity and the mode of their schema.
Inputs: t.TypeAlias = "dict[tuple[int, JsonSchemaMode], Adapter]"

#: Schemas, and the components that they refer to.
Generated: t.TypeAlias = (
    "tuple[Mapping[tuple[int, JsonSchemaMode], JsonObject], JsonObject]"
)

#: The types of Python by JSON type. A ``bool`` is no integer in JSON.
TYPES: t.Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}

#: The type that a keyword applies to, and whether a value is within its bound.
#: Source: JSON Schema Validation 2020-12, 6.
BOUNDS: t.Final[dict[str, tuple[str, Callable[[t.Any, t.Any], bool]]]] = {
    "minimum": ("number", operator.ge),
    "maximum": ("number", operator.le),
    "exclusiveMinimum": ("number", operator.gt),
    "exclusiveMaximum": ("number", operator.lt),
    "minLength": ("string", lambda value, bound: len(value) >= bound),
    "maxLength": ("string", lambda value, bound: len(value) <= bound),
    "pattern": ("string", lambda value, bound: _matches(value, bound)),
    "format": ("string", lambda value, name: _has_format(value, name)),
    "minItems": ("array", lambda value, bound: len(value) >= bound),
    "maxItems": ("array", lambda value, bound: len(value) <= bound),
}


def fits(value: t.Any, schema: JsonObject) -> bool:
    """Whether a schema allows a value, as far as the keywords in it are known here.

    Pydantic does not validate defaults: that of ``note: str = None`` is no value that a
    client could send, and validators of documents refuse it.
    """
    for key in ("anyOf", "oneOf"):
        if key in schema and not any(fits(value, member) for member in schema[key]):
            return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if "type" in schema and not _is_a(value, schema["type"]):
        return False
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return all(fits(item, schema["items"]) for item in value)
    return all(
        is_within(value, schema[key])
        for key, (tp, is_within) in BOUNDS.items()
        if key in schema and _is_a(value, tp)
    )


def _is_a(value: t.Any, tp: str) -> bool:
    if isinstance(value, bool):
        return tp == "boolean"
    return isinstance(value, TYPES.get(tp, (object,)))


#: The times of RFC 3339 have an offset, which those of Python may lack.
TIMES: t.Final = ("date-time", "time")


def _has_format(string: str, name: str) -> bool:
    return name not in TIMES or _matches(string, r"(?:Z|[+-]\d\d:\d\d)\Z")


def _matches(string: str, pattern: str) -> bool:
    try:
        return re.search(pattern, string) is not None
    except re.error:
        # Pydantic's expressions are not Python's.
        return True


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """What the parts of one document are described with.

    :param schemas: of every adapter in the document.
    :param error_writer: of the responses to errors.
    :param extras: the types that the author wrote in place of schemas.
    """

    settings: Settings
    schemas: Schemas
    error_writer: BuiltInFormat | CustomFormat
    extras: Extras


class Extras:
    """The adapters of the types that the author wrote in place of a schema."""

    def __init__(self) -> None:
        # By identity, since a type with metadata may have no hash. The type is kept, or
        # another could get its identity.
        self._known: dict[int, tuple[t.Any, Adapter]] = {}

    def adapter(self, tp: t.Any) -> Adapter:
        """The adapter of a type, the same each time.

        :raises SignatureError: if Pydantic can't read the type.
        """
        if id(tp) not in self._known:
            self._known[id(tp)] = tp, type_adapter(tp)
        return self._known[id(tp)][1]

    def adapters(self, extra: t.Any) -> Iterator[SchemaRequest]:
        """The adapters of the types in a part that the author wrote."""
        for tp in _types(extra):
            yield self.adapter(tp), "validation"

    def describe(self, extra: t.Any, schemas: Schemas) -> t.Any:
        """A part that the author wrote, with the schemas of the types in it.

        ``{"schema": Item}`` becomes ``{"schema": {"$ref":
        "#/components/schemas/Item"}}``.
        """
        if is_type(extra):
            return schemas.validated(self.adapter(extra))
        if isinstance(extra, Mapping):
            return {
                str(key): schemas.validated(self.adapter(value))
                if _is_schema(key, value)
                else self.describe(value, schemas)
                for key, value in extra.items()
            }
        if isinstance(extra, (list, tuple)):
            return [self.describe(item, schemas) for item in extra]
        return extra


def _types(extra: t.Any) -> Iterator[t.Any]:
    if is_type(extra):
        yield extra
    elif isinstance(extra, Mapping):
        for key, value in extra.items():
            if _is_schema(key, value):
                yield value
            else:
                yield from _types(value)
    elif isinstance(extra, (list, tuple)):
        for item in extra:
            yield from _types(item)


def _is_schema(key: object, value: object) -> bool:
    """Whether a value is in place of a schema, whatever kind of type it is."""
    return key == "schema" and not isinstance(value, (Mapping, bool))


def merge(described: JsonObject, extra: Mapping[str, t.Any]) -> JsonObject:
    """An object with the author's additions: objects are merged, lists are joined.

    A schema of another type is replaced, of which nothing can hold.
    """
    merged = dict(described)
    for key, value in extra.items():
        known = merged.get(key)
        if key == "schema" and _is_of_another_type(known, value):
            merged[key] = value
        elif isinstance(known, dict) and isinstance(value, Mapping):
            merged[key] = merge(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            merged[key] = known + value
        else:
            merged[key] = value
    return merged


def _is_of_another_type(known: t.Any, schema: t.Any) -> bool:
    if not (isinstance(known, Mapping) and isinstance(schema, Mapping)):
        return False
    return "$ref" in schema or schema.get("type", known.get("type")) != known.get(
        "type"
    )
