"""The schema of a response model: of the fields that its route sends."""

from __future__ import annotations

import typing as t
from functools import partial

from .._outbound.named_fields import ALL

if t.TYPE_CHECKING:
    from .._outbound.serializer import ResponseSerializer
    from .objects import JsonObject
    from .schemas import Schemas


#: The keys of a schema that has others inside, beside the properties of an object.
CONTAINER_KEYWORDS: t.Final = frozenset(
    {"items", "prefixItems", "additionalProperties", "anyOf", "oneOf"}
)

#: Whether an option leaves a field in a model.
KEEPS: t.Final[dict[str, t.Callable[[t.Any, str], bool]]] = {
    "exclude": lambda option, name: option.get(name) is not True,
    "include": lambda option, name: name in option,
}


def response_schema(serializer: ResponseSerializer, schemas: Schemas) -> JsonObject:
    """The schema of a response model, as its route serializes it."""
    options = serializer.options
    if options.get("by_alias", True):
        schema = schemas.serialized(serializer.adapter)
    else:
        schema = schemas.serialized_by_name(serializer.adapter)
    if options.get("exclude_none"):
        schema = schemas.without_none(schema)
    for name, keeps in KEEPS.items():
        if options.get(name):
            schema = _select(schema, options[name], keeps=keeps, schemas=schemas)
    return schema


def _select(
    schema: JsonObject,
    option: t.Any,
    *,
    keeps: t.Callable[[t.Any, str], bool],
    schemas: Schemas,
) -> JsonObject:
    """A copy of a schema with fewer fields, in the models inside of it too.

    :param option: as a serializer has it.
    """
    if option is True:
        return schema
    select = partial(_select, keeps=keeps, schemas=schemas)
    names = schemas.field_names(schema)
    plain = dict(schemas.resolve(schema))
    for key in plain.keys() & {"anyOf", "oneOf"}:
        plain[key] = [select(member, option) for member in plain[key]]
    if plain.get("uniqueItems") and "items" in plain:
        # An option is about the items of a set themselves.
        plain["items"] = select(plain["items"], option)
    elif ALL in option:
        for key in ("items", "additionalProperties"):
            if isinstance(plain.get(key), dict):
                plain[key] = select(plain[key], option[ALL])
        for key in plain.keys() & {"prefixItems"}:
            plain[key] = [select(item, option[ALL]) for item in plain[key]]
    if "properties" not in plain:
        return _with_values(plain) if plain.keys() & CONTAINER_KEYWORDS else schema
    plain.pop("title", None)
    plain["properties"] = {
        key: select(field, option.get(names.get(key, key), True))
        for key, field in plain["properties"].items()
        if keeps(option, names.get(key, key))
    }
    required = [key for key in plain.pop("required", ()) if key in plain["properties"]]
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
    named, more = schema.get("properties", {}), schema.get("additionalProperties")
    return {
        key: _described(item, named.get(key, more))
        for key, item in value.items()
        if key in named or more
    }
