"""The schemas of one document, those with a name as components.

Adapters go in, and the types that the author wrote in place of schemas; JSON Schema
comes out. Source: OpenAPI 3.1, Components Object and Schema Object.
"""

from __future__ import annotations

import json
import math
import operator
import re
import typing as t
from collections import Counter, abc
from collections.abc import Mapping
from functools import cached_property

from pydantic.json_schema import GenerateJsonSchema

from .._types.adapters import Adapter, type_adapter
from .._types.models import CopiedDefault
from ..params import is_type

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pydantic.json_schema import JsonSchemaMode, JsonSchemaWarningKind

    from .._operations.registry import Operation
    from .._outbound.plan import OutboundPlan
    from .._outbound.responses import HeaderField
    from .._outbound.serializer import ResponseSerializer

#: A part of a document.
JsonObject: t.TypeAlias = "dict[str, t.Any]"

#: Adapters by their identity and the mode of their schema.
Inputs: t.TypeAlias = "dict[tuple[int, JsonSchemaMode], Adapter]"

#: Schemas, and the components that they refer to.
Generated: t.TypeAlias = (
    "tuple[Mapping[tuple[int, JsonSchemaMode], JsonObject], JsonObject]"
)

REFERENCE_PREFIX: t.Final = "#/components/schemas/"


class Schemas:
    """The schemas of adapters, with the components that they refer to.

    All adapters are collected before the first schema is asked for: Pydantic numbers
    types of the same name, in this order.

    :param separate: whether what is serialized has schemas of its own, if they differ.
    """

    def __init__(self, *, separate: bool = True) -> None:
        self._sent: JsonSchemaMode = "serialization" if separate else "validation"
        self._inputs: Inputs = {}
        # By identity, since a type with metadata may have no hash. The type is kept, or
        # another could get its identity.
        self._types: dict[int, tuple[t.Any, Adapter]] = {}

    def collect(
        self, adapters: Iterable[Adapter | None], *, is_sent: bool = False
    ) -> None:
        """Add adapters whose schemas will be asked for, those that serialize apart."""
        mode: JsonSchemaMode = self._sent if is_sent else "validation"
        self._inputs |= {(id(x), mode): x for x in adapters if x is not None}

    def collect_types(self, extra: t.Any) -> None:
        """Add the types in a part that the author wrote.

        :raises SignatureError: if Pydantic can't read one of them.
        """
        _replace_types(extra, lambda tp: self.collect([self._adapter_of(tp)]))

    def collect_operation(self, operation: Operation) -> None:
        """Add all that describes an operation."""
        for plan in operation.inbound_plans:
            json, raw = (plan.body.json, plan.body.raw) if plan.body else (None, None)
            read = [item.adapter for item in (plan.validator, json) if item is not None]
            self.collect([*read, raw])
        self.collect_returned(operation.outbound)
        extra = operation.declaration.openapi_extra, operation.declaration.callbacks
        headers = [x.headers for x in operation.outbound.responses.values()]
        self.collect_types([*filter(None, extra), *map(header_objects, headers)])

    def collect_returned(self, plan: OutboundPlan) -> None:
        """Add what a view or an error handler returns."""
        found: list[ResponseSerializer | HeaderField | None] = []
        written: list[t.Any] = []
        for own in (plan.usual, *plan.annotated.values()):
            found += [own.serializer, *(own.stream.serializers if own.stream else ())]
            found += own.headers.fields.values() if own.headers else ()
        for declared in plan.responses.values():
            found.append(declared.serializer)
            written += [item.get("schema") for item in declared.content.values()]
        adapters = [item for item in written if isinstance(item, Adapter)]
        adapters += [item.adapter for item in found if item is not None]
        self.collect(adapters, is_sent=True)

    def describe(self, extra: t.Any) -> t.Any:
        """A part that the author wrote, with the schemas of the types in it.

        ``{"schema": Item}`` has ``{"$ref": "#/components/schemas/Item"}`` then.
        """
        return _replace_types(extra, lambda tp: self.validated(self._adapter_of(tp)))

    def _adapter_of(self, tp: t.Any) -> Adapter:
        if id(tp) not in self._types:
            self._types[id(tp)] = tp, type_adapter(tp)
        return self._types[id(tp)][1]

    @cached_property
    def _generated(self) -> Generated:
        return generate(self._inputs)

    @property
    def components(self) -> JsonObject:
        """The schemas that others refer to, by name."""
        return self._generated[1]

    def validated(self, adapter: Adapter) -> JsonObject:
        """The schema of what an adapter accepts, a reference for most models."""
        return self._generated[0][id(adapter), "validation"]

    def serialized(self, adapter: Adapter) -> JsonObject:
        """The schema of what an adapter serializes."""
        return self._generated[0][id(adapter), self._sent]

    def serialized_by_name(self, adapter: Adapter) -> JsonObject:
        """The schema of what an adapter serializes by the names of the fields."""
        schema = self._by_name[0][id(adapter), self._sent]
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
        return self._add_variants(self._by_name[1], "ByName")

    def _add_variants(
        self, variants: Mapping[str, JsonObject], ending: str
    ) -> dict[str, str]:
        """The names under which others of the components are added, by those of these.

        Components that refer to one of another name have one, too.
        """
        different = {
            name
            for name, schema in variants.items()
            if self.components.get(name) != schema
        }
        names = {
            name: f"{name}-{ending}"
            for name, schema in variants.items()
            if name in different or different & reachable(variants, schema).keys()
        }
        for name, other in names.items():
            self.components[other] = renamed(variants[name], names)
        return names

    def without_none(self, schema: JsonObject) -> JsonObject:
        """The schema with fields that are left out where they are ``None``."""
        variants = {
            name: self._optional(inner)
            for name, inner in reachable(self.components, schema).items()
        }
        names = self._add_variants(variants, "WithoutNone")
        return t.cast("JsonObject", renamed(schema, names))

    def _optional(self, schema: JsonObject) -> JsonObject:
        """A schema whose fields may be left out where they may be null."""
        fields = schema.get("properties", {})
        kept = [
            name
            for name in schema.get("required", ())
            if name not in fields or not self.accepts_null(fields[name])
        ]
        rest = {key: value for key, value in schema.items() if key != "required"}
        return {**rest, "required": kept} if kept else rest

    def resolve(self, schema: JsonObject) -> JsonObject:
        """A schema without a reference at its top; what is beside it is kept."""
        components = self.components
        while (name := component_name(schema.get("$ref", ""))) in components:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**components[name], **beside}
        return schema

    def alternatives(
        self,
        schema: JsonObject,
        *,
        with_items: bool = False,
        seen: frozenset[str] = frozenset(),
    ) -> Iterator[JsonObject]:
        """What a schema is a union of, without references; any other schema is itself.

        :param with_items: whether an array is a union of its items.
        :param seen: the references on the way here, since a type may contain itself,
            which stays a reference.
        """
        reference = schema.get("$ref", "")
        if reference in seen:
            yield schema
            return
        plain, seen = self.resolve(schema), seen | {reference} - {""}
        members = [*plain.get("anyOf", ()), *plain.get("oneOf", ())]
        if with_items and plain.get("type") == "array":
            members.append(plain.get("items", {}))
        if not members:
            yield plain
        for member in members:
            yield from self.alternatives(member, with_items=with_items, seen=seen)

    def accepts_null(self, schema: JsonObject) -> bool:
        """Whether a schema accepts null."""
        return any(
            item.get("type") == "null" or None in item.get("enum", ())
            for item in self.alternatives(schema)
        )

    def without_null(
        self, schema: JsonObject, seen: frozenset[str] = frozenset()
    ) -> JsonObject:
        """A schema for a string of a request, where null is to leave the value out.

        :param seen: as for :meth:`alternatives`.
        """
        reference = schema.get("$ref", "")
        if reference in seen:
            return schema
        seen = seen | {reference} - {""}
        plain = dict(self.resolve(schema) if self.accepts_null(schema) else schema)
        if "items" in plain:
            plain["items"] = self.without_null(plain["items"], seen)
        if "enum" in plain:
            plain["enum"] = [value for value in plain["enum"] if value is not None]
        for key in ("anyOf", "oneOf"):
            members = [
                self.without_null(member, seen)
                for member in plain.pop(key, ())
                if member.get("type") != "null"
            ]
            if len(members) == 1:
                plain = {**members[0], **plain}
            elif members:
                plain[key] = members
        return plain


def header_objects(headers: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Header Objects by name; a type becomes the schema of one."""
    return {
        name: header if isinstance(header, dict) else {"schema": header}
        for name, header in headers.items()
    }


def _replace_types(extra: t.Any, replace: Callable[[t.Any], t.Any]) -> t.Any:
    """A part that the author wrote, with something else in place of the types in it."""
    if isinstance(extra, Mapping):
        return {
            str(key): replace(value)
            # Whatever kind of type that is.
            if key == "schema" and not isinstance(value, (Mapping, bool))
            else _replace_types(value, replace)
            for key, value in extra.items()
        }
    if isinstance(extra, (list, tuple)):
        return [_replace_types(item, replace) for item in extra]
    return replace(extra) if is_type(extra) else extra


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
    bases = {
        base
        for name in components
        if (base := name.removesuffix("-Input")) != name
        and f"{base}-Output" in components
        and base not in components
    }
    names: dict[str, str] = {}
    while bases:
        names = {f"{base}-{end}": base for base in bases for end in ("Input", "Output")}
        different = {
            base
            for base in bases
            if renamed(components[f"{base}-Input"], names)
            != renamed(components[f"{base}-Output"], names)
        }
        if not different:
            break
        bases -= different
    if not bases:
        return found, components
    return (
        {key: renamed(schema, names) for key, schema in found.items()},
        {
            names.get(name, name): renamed(schema, names)
            for name, schema in components.items()
        },
    )


def change_parts(
    value: t.Any, change: Callable[[t.Any], t.Any] = lambda part: part
) -> t.Any:
    """A part of a document in which each part is changed, from the inside out.

    NaN and infinities are left out, which JSON does not have.
    """
    if isinstance(value, dict):
        items = value.items()
        value = {key: change_parts(x, change) for key, x in items if _is_json(x)}
    elif isinstance(value, (list, tuple)):
        value = [change_parts(item, change) for item in value if _is_json(item)]
    return change(value)


def _is_json(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def renamed(schema: JsonObject, names: Mapping[str, str]) -> t.Any:
    """A schema with other names in its references.

    :param names: new names by old.
    """

    def rename(value: t.Any) -> t.Any:
        if not is_reference(value):
            return value
        name = component_name(value)
        return REFERENCE_PREFIX + names.get(name, name)

    return change_parts(schema, rename)


def is_reference(value: t.Any) -> bool:
    """Whether a part of a document is the reference to a component."""
    return isinstance(value, str) and value.startswith(REFERENCE_PREFIX)


def component_name(reference: str) -> str:
    """``"#/components/schemas/Item"`` gives ``"Item"``."""
    return reference.removeprefix(REFERENCE_PREFIX)


def reachable(components: Mapping[str, JsonObject], root: t.Any) -> JsonObject:
    """The components that a part of a document needs, in the order of their names."""
    needed: set[str] = set()
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif is_reference(value) and (name := component_name(value)) not in needed:
            needed.add(name)
            waiting.append(components.get(name))
    return {name: components[name] for name in sorted(needed & components.keys())}


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


#: The types of Python by JSON type.
TYPES: t.Final[dict[str, t.Any]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "array": list,
    "object": dict,
}

#: The times of RFC 3339 have an offset, which those of Python may lack.
TIMES: t.Final = ("date-time", "time")

#: The type that a keyword applies to, and whether it allows a value.
#: Source: JSON Schema Validation 2020-12, 6.
KEYWORDS: t.Final[dict[str, tuple[str, Callable[[t.Any, t.Any], bool]]]] = {
    **dict.fromkeys(
        ("anyOf", "oneOf"),
        ("any", lambda value, members: any(fits(value, item) for item in members)),
    ),
    "enum": ("any", lambda value, values: value in values),
    "const": ("any", operator.eq),
    "type": ("any", lambda value, name: _is_a(value, name)),
    "minimum": ("number", operator.ge),
    "maximum": ("number", operator.le),
    "exclusiveMinimum": ("number", operator.gt),
    "exclusiveMaximum": ("number", operator.lt),
    "minLength": ("string", lambda value, bound: len(value) >= bound),
    "maxLength": ("string", lambda value, bound: len(value) <= bound),
    "pattern": ("string", lambda value, pattern: _matches(value, pattern)),
    "format": (
        "string",
        lambda value, name: (
            name not in TIMES or _matches(value, r"(?:Z|[+-]\d\d:\d\d)\Z")
        ),
    ),
    "minItems": ("array", lambda value, bound: len(value) >= bound),
    "maxItems": ("array", lambda value, bound: len(value) <= bound),
}


def fits(value: t.Any, schema: JsonObject) -> bool:
    """Whether a schema allows a value, as far as the keywords in it are known here.

    Pydantic does not validate defaults: that of ``note: str = None`` is no value that a
    client could send, and validators of documents refuse it.
    """
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return all(fits(item, schema["items"]) for item in value)
    return all(
        allows(value, schema[key])
        for key, (tp, allows) in KEYWORDS.items()
        if key in schema and _is_a(value, tp)
    )


def _is_a(value: t.Any, tp: str) -> bool:
    if isinstance(value, bool):
        # It is no integer in JSON.
        return tp in ("boolean", "any")
    return isinstance(value, TYPES.get(tp, object))


def _matches(string: str, pattern: str) -> bool:
    try:
        return re.search(pattern, string) is not None
    except re.error:
        # Pydantic's expressions are not Python's.
        return True
