"""The schema of a response model: of the fields that its route sends."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from functools import partial

from .._outbound.named_fields import ALL

if t.TYPE_CHECKING:
    from .._outbound.serializer import ResponseSerializer
    from .objects import JsonObject
    from .schemas import Schemas


#: The keys of a schema that has others inside, beside the properties of an object.
CONTAINERS: t.Final = frozenset(
    {"items", "prefixItems", "additionalProperties", "anyOf", "oneOf"}
)


def response_schema(serializer: ResponseSerializer, schemas: Schemas) -> JsonObject:
    """The schema of a response model, as its route serializes it."""
    options = serializer.options
    if options.get("by_alias", True):
        schema = schemas.serialized(serializer.adapter)
    else:
        schema = schemas.serialized_by_name(serializer.adapter)
    if options.get("exclude_none"):
        schema = schemas.without_none(schema)
    for name, drop in (("exclude", _exclude), ("include", _include)):
        if options.get(name):
            schema = drop(schema, options[name], schemas)
    return schema


def _exclude(schema: JsonObject, excluded: t.Any, schemas: Schemas) -> JsonObject:
    if excluded is True:
        return schema
    whole = {name for name, inner in _named_fields(excluded) if inner is True}
    parts = {
        name: inner for name, inner in _named_fields(excluded) if inner is not True
    }
    return _rebuild(
        schema, schemas, _exclude, keeps=lambda name: name not in whole, parts=parts
    )


def _include(schema: JsonObject, included: t.Any, schemas: Schemas) -> JsonObject:
    if included is True:
        return schema
    parts = dict(_named_fields(included))
    return _rebuild(
        schema, schemas, _include, keeps=lambda name: name in parts, parts=parts
    )


def _named_fields(fields: t.Any) -> list[tuple[t.Any, t.Any]]:
    """The fields that an option names, with ``True`` or the option for a part of it."""
    if isinstance(fields, Mapping):
        return [
            (name, True if inner is ... else inner)
            for name, inner in fields.items()
            if inner is not False
        ]
    return [(name, True) for name in fields]


def _rebuild(
    schema: JsonObject,
    schemas: Schemas,
    drop: t.Callable[[JsonObject, t.Any, Schemas], JsonObject],
    *,
    keeps: t.Callable[[t.Any], bool],
    parts: Mapping[t.Any, t.Any],
) -> JsonObject:
    """A copy of a schema with fewer fields, in the models inside of it too."""
    names = schemas.field_names(schema)
    plain = dict(schemas.resolve(schema))
    again = partial(_rebuild, schemas=schemas, drop=drop, keeps=keeps, parts=parts)
    for key in plain.keys() & {"anyOf", "oneOf"}:
        plain[key] = [again(member) for member in plain[key]]
    if plain.get("uniqueItems") and "items" in plain:
        # An option is about the items of a set themselves.
        plain["items"] = again(plain["items"])
    elif ALL in parts:
        for key in ("items", "additionalProperties"):
            if isinstance(plain.get(key), dict):
                plain[key] = drop(plain[key], parts[ALL], schemas)
        for key in plain.keys() & {"prefixItems"}:
            plain[key] = [drop(item, parts[ALL], schemas) for item in plain[key]]
    if "properties" not in plain:
        return _with_values(plain) if plain.keys() & CONTAINERS else schema
    plain.pop("title", None)
    plain["properties"] = {
        key: drop(field, parts[names.get(key, key)], schemas)
        if names.get(key, key) in parts
        else field
        for key, field in plain["properties"].items()
        if keeps(names.get(key, key))
    }
    required = [key for key in plain.get("required", ()) if keeps(names.get(key, key))]
    plain.pop("required", None)
    return _with_values({**plain, "required": required} if required else plain)


def _with_values(schema: JsonObject) -> JsonObject:
    """A schema whose default and examples have the fields that are left in it."""
    if "default" in schema:
        schema["default"] = _described(schema["default"], schema)
    if isinstance(schema.get("examples"), list):
        schema["examples"] = [_described(x, schema) for x in schema["examples"]]
    return schema


def _described(value: t.Any, schema: t.Any) -> t.Any:
    """The part of a value that a schema describes: nothing is left out by a reference.

    Of several schemas it is the one that describes the most of it.
    """
    if not (isinstance(value, (dict, list)) and isinstance(schema, dict)):
        return value
    kind = "object" if isinstance(value, dict) else "array"
    members = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    fitting = [item for item in members if item.get("type", kind) == kind]
    if fitting:
        return max((_described(value, item) for item in fitting), key=len)
    if schema.get("type") != kind:
        return value
    if isinstance(value, list):
        first = schema.get("prefixItems", ())
        rest = [schema.get("items")] * len(value)
        return [_described(*pair) for pair in zip(value, (*first, *rest), strict=False)]
    named, more = (
        schema.get("properties", {}),
        schema.get("additionalProperties", False),
    )
    kept = {key: value[key] for key in value if key in named or more}
    return {key: _described(item, named.get(key, more)) for key, item in kept.items()}
