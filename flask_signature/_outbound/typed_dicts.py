"""Dicts as the JSON of models, in half the time where they stand in a list.

The adapter of a response model goes in, one of typed dicts comes out, for a serializer
that tries it first. It is exact for models without code of their own, whose fields are
single values, unions of those, lists, dicts and other such models, and for dicts with
values of these very types. It refuses every other value, which is left to the model.
"""

from __future__ import annotations

import typing as t
from enum import Enum
from types import NoneType

from pydantic import BaseModel
from pydantic_core import core_schema

from .._types.adapters import SchemaAdapter
from .._types.core_schemas import choices_of, references_in, schemas_in
from .._types.decimals import validator_of
from .._types.shapes import NEVER_BLANK

if t.TYPE_CHECKING:
    from .._types.adapters import Adapter

OpenSchema: t.TypeAlias = "dict[str, t.Any]"
ANY: t.Final[OpenSchema] = {"type": "any"}

#: The schemas whose values are written the same in a model and in a typed dict.
PLAIN_SCHEMAS: t.Final = {
    "any",
    "bool",
    "bytes",
    "date",
    "datetime",
    "decimal",
    "enum",
} | {*("float", "int", "literal", "none", "str", "time", "timedelta", "uuid")}

#: What is said of names, and means the same of a typed dict.
FIELD_ALIASES: t.Final = {"validation_alias", "serialization_alias"}
NAMING: t.Final = {"populate_by_name", "validate_by_alias", "validate_by_name"}

#: The keys of which typed dicts have the same, or have no need.
KNOWN: t.Final = {
    "config": NAMING | {"title", "from_attributes"},
    "default": {"default", "default_factory", "default_factory_takes_data", "type"}
    | {"schema", "copy_default", "metadata"},
    "model": {"type", "cls", "config", "custom_init", "frozen", "schema", "metadata"}
    | {"generic_origin", "ref", "root_model"},
    "model-field": FIELD_ALIASES | {"type", "schema", "metadata", "frozen"},
    "model-fields": {"type", "computed_fields", "fields", "model_name"},
}

#: The methods that a model inherits which runs no code of its own.
INHERITED: t.Final = ("__new__", "__getattribute__")

#: The defaults of which models and typed dicts make the same, and what makes such.
DEFAULTS: t.Final = (NoneType, str, bytes, *NEVER_BLANK)
FACTORIES: t.Final = (None, list, dict)


def typed_dict_adapter(adapter: Adapter) -> Adapter | None:
    """The adapter to try first for dicts, or none: the same one for a lone model."""
    whole, parts = adapter.core_schema, [*schemas_in(adapter.core_schema)]
    known = {part["ref"]: part for part in parts if "ref" in part}
    lists = [part.get("items_schema", ANY) for part in parts if part["type"] == "list"]
    holds = any(known.get(x.get("schema_ref"), x)["type"] == "model" for x in lists)
    is_one = all(x is whole for x in parts if x["type"] == "model")
    shared = whole.get("definitions", ())
    is_of_use = holds or (is_one and whole["type"] == "model")
    if not is_of_use or any(map(references_in, shared)):
        return None
    try:
        used = [*map(_equivalent, shared)]
        made = _equivalent(whole["schema"] if used else whole)
    except LookupError:
        return None
    schema = core_schema.definitions_schema(made, used)
    return adapter if is_one else SchemaAdapter(schema, validator_of(schema))


def _equivalent(schema: OpenSchema) -> t.Any:
    """What a typed dict has in place of a schema. :raises LookupError: for nothing."""
    kind = schema["type"]
    # What is less strict than the rest might be of another type.
    if "serialization" in schema or schema.get("strict") is False:
        raise LookupError
    if kind in PLAIN_SCHEMAS or kind == "definition-ref":
        return schema
    if kind not in CONVERSIONS or not KNOWN.get(kind, schema.keys()) >= schema.keys():
        raise LookupError
    return CONVERSIONS[kind](schema)


def _typed_dict_default(schema: OpenSchema) -> OpenSchema:
    default, factory = schema.get("default"), schema.get("default_factory")
    is_member = isinstance(default, Enum) and schema["schema"]["type"] == "enum"
    is_plain = type(default) in DEFAULTS or (type(default) in FACTORIES and not default)
    if factory not in FACTORIES or not (is_plain or is_member):
        raise LookupError
    return {**schema, "schema": _equivalent(schema["schema"])}


def _list(schema: OpenSchema) -> OpenSchema:
    # One item that is refused is enough to leave all to the model.
    items = _equivalent(schema.get("items_schema", ANY))
    return {**schema, "items_schema": items, "fail_fast": True}


def _dict(schema: OpenSchema) -> OpenSchema:
    keys = ("keys_schema", "values_schema")
    return {**schema, **{key: _equivalent(schema.get(key, ANY)) for key in keys}}


def _union(schema: OpenSchema) -> OpenSchema:
    """The same without models: Pydantic prefers the choice that is of the very type."""
    [*map(_equivalent, choices_of(schema))]
    inside = {part["type"] for part in schemas_in(schema)}
    if "mode" in schema or inside & {"model", "definition-ref"}:
        raise LookupError
    return schema


def _model(schema: OpenSchema) -> OpenSchema:
    config, fields, cls = schema.get("config") or {}, schema["schema"], schema["cls"]
    is_known = KNOWN["model-fields"] >= fields.keys() and KNOWN["config"] >= {*config}
    runs_code = schema.get("custom_init") or fields.get("computed_fields")
    inherits = all(getattr(cls, x) is getattr(BaseModel, x) for x in INHERITED)
    if schema.get("root_model") or runs_code or not (is_known and inherits):
        raise LookupError
    named = {key: config[key] for key in NAMING & config.keys()}
    made = {name: _equivalent(item) for name, item in fields["fields"].items()}
    ref = {"ref": schema["ref"]} if "ref" in schema else {}
    return {"type": "typed-dict", "fields": made, "config": named, **ref}


def _field(schema: OpenSchema) -> OpenSchema:
    value = schema["schema"]
    names = {key: schema[key] for key in FIELD_ALIASES & schema.keys()}
    made = {"schema": _equivalent(value), "required": value["type"] != "default"}
    return {"type": "typed-dict-field", **names, **made}


#: What makes the equivalent of a schema, by its type.
CONVERSIONS: t.Final[dict[str, t.Callable[[OpenSchema], OpenSchema]]] = {
    "default": _typed_dict_default,
    "dict": _dict,
    "list": _list,
    "model": _model,
    "model-field": _field,
    "nullable": lambda part: {**part, "schema": _equivalent(part["schema"])},
    "union": _union,
}
