"""Typed dicts that validate and write the same as a response model, in half the time.

The adapter of a response model goes in, one comes out that turns dicts into the same
JSON without making instances. It is made of the core schema, of which each part has to
be on a list: a model that runs code of its own, or whose values could differ, has parts
that are on none.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field

from pydantic import BaseModel
from pydantic_core import core_schema

from .._types.adapters import SchemaAdapter
from .._types.decimals import output_validator
from .fields import SCALARS

if t.TYPE_CHECKING:
    from .._types.adapters import Adapter

#: A core schema, or a part of one.
Schema: t.TypeAlias = "dict[str, t.Any]"

#: The schemas whose values are written the same in a model and in a typed dict.
PLAIN: t.Final = frozenset(
    {
        "any",
        "bool",
        "bytes",
        "date",
        "datetime",
        "decimal",
        "enum",
        "float",
        "int",
        "literal",
        "none",
        "str",
        "time",
        "timedelta",
        "uuid",
    }
)

#: The keys of a model's schema that make no difference for a dict.
MODEL_KEYS: t.Final = frozenset(
    {
        "type",
        "cls",
        "config",
        "custom_init",
        "frozen",
        "generic_origin",
        "metadata",
        "ref",
        "root_model",
        "schema",
    }
)

#: The keys of a schema of fields that make none.
FIELDS_KEYS: t.Final = frozenset({"type", "computed_fields", "fields", "model_name"})

#: The keys of a field that mean the same in a typed dict.
FIELD_KEYS: t.Final = frozenset(
    {"type", "schema", "validation_alias", "serialization_alias", "metadata", "frozen"}
)

#: Those of them that have to be kept.
ALIAS_KEYS: t.Final = frozenset({"validation_alias", "serialization_alias"})

#: The keys of a configuration that mean the same in a typed dict.
NAME_KEYS: t.Final = frozenset(
    {"populate_by_name", "validate_by_alias", "validate_by_name"}
)

#: The keys that make no difference for a dict.
CONFIG_KEYS: t.Final = NAME_KEYS | {"title", "from_attributes"}

#: The keys of a default that depends on nothing else.
DEFAULT_KEYS: t.Final = frozenset(
    {
        "type",
        "schema",
        "default",
        "default_factory",
        "default_factory_takes_data",
        "copy_default",
        "metadata",
    }
)

#: What a list or a dict without types holds.
ANY: t.Final[Schema] = {"type": "any"}

#: The factories of defaults that make no instance.
FACTORIES: t.Final = (None, list, dict)

#: The methods that a model inherits unless it runs code of its own.
INHERITED: t.Final = ("__new__", "__getattribute__")


class NotEquivalent(Exception):
    """There is no typed dict that is equivalent to a type."""


def typed_dict_adapter(adapter: Adapter) -> Adapter | None:
    """The adapter that dicts are validated with in place of a model's, if there is one.

    It accepts the same dicts, and what it makes contains no instance, whose fields
    Pydantic would not validate again. It is the same adapter where that makes none but
    the whole value.
    """
    reader = _Reader()
    try:
        schema, is_model = reader.read(adapter.core_schema)
    except NotEquivalent:
        return None
    if is_model and reader.models == 1:
        return adapter
    # Only a list of models is worth it.
    if not reader.lists_models:
        return None
    return SchemaAdapter(schema, output_validator(schema, is_tried=True))


@dataclass(slots=True)
class _Reader:
    """Makes the equivalent of a core schema, part by part.

    :param models: how many were read.
    :param lists_models: whether there is a list of them.
    """

    models: int = 0
    lists_models: bool = False
    _definitions: dict[str, Schema] = field(default_factory=dict)
    _made: dict[str, Schema | None] = field(default_factory=dict)

    def read(self, schema: t.Any) -> tuple[t.Any, bool]:
        """The equivalent of a whole core schema, and whether it is that of a model.

        :raises NotEquivalent: if it has none.
        """
        if schema["type"] != "definitions":
            return self._equivalent(schema), schema["type"] == "model"
        self._definitions = {part["ref"]: part for part in schema["definitions"]}
        inner = schema["schema"]
        made = self._equivalent(inner)
        used: t.Any = [*self._made.values()]
        whole = core_schema.definitions_schema(made, used)
        return whole, self._resolve(inner)["type"] == "model"

    def _equivalent(self, schema: Schema) -> t.Any:
        if "serialization" in schema:
            raise NotEquivalent
        kind = schema["type"]
        if kind in PLAIN:
            return schema
        convert = CONVERSIONS.get(kind)
        if convert is None:
            raise NotEquivalent
        return convert(self, schema)

    def _inside(self, schema: Schema) -> Schema:
        """The equivalent of a schema that has one inside."""
        return {**schema, "schema": self._equivalent(schema["schema"])}

    def _default(self, schema: Schema) -> Schema:
        if not DEFAULT_KEYS.issuperset(schema):
            raise NotEquivalent
        is_plain = _holds_no_instance(schema.get("default"))
        if not is_plain or schema.get("default_factory") not in FACTORIES:
            raise NotEquivalent
        return self._inside(schema)

    def _list(self, schema: Schema) -> Schema:
        items = schema.get("items_schema", ANY)
        self.lists_models |= self._resolve(items)["type"] == "model"
        # The first item that is an instance is enough to use the model instead.
        return {**schema, "items_schema": self._equivalent(items), "fail_fast": True}

    def _dict(self, schema: Schema) -> Schema:
        keys, values = schema.get("keys_schema", ANY), schema.get("values_schema", ANY)
        made = {"keys_schema": self._equivalent(keys)}
        return {**schema, **made, "values_schema": self._equivalent(values)}

    def _union(self, schema: Schema) -> Schema:
        """The equivalent of a union without models: the same.

        Pydantic chooses among models and among typed dicts in different ways.
        """
        known = self.models
        for choice in schema["choices"]:
            self._equivalent(choice[0] if isinstance(choice, tuple) else choice)
        if self.models > known:
            raise NotEquivalent
        return schema

    def _resolve(self, schema: Schema) -> Schema:
        if schema["type"] != "definition-ref":
            return schema
        return self._definitions.get(schema["schema_ref"], schema)

    def _reference(self, schema: Schema) -> Schema:
        ref = schema["schema_ref"]
        if ref not in self._made:
            # Kept before it is made, to find a model that contains itself.
            self._made[ref] = None
            self._made[ref] = self._equivalent(self._resolve(schema))
        elif self._made[ref] is None:
            raise NotEquivalent
        return schema

    def _model(self, schema: Schema) -> Schema:
        config, fields = schema.get("config") or {}, schema["schema"]
        if not _is_plain_model(schema, config, fields):
            raise NotEquivalent
        self.models += 1
        made = {name: self._field(item) for name, item in fields["fields"].items()}
        typed_dict = {"type": "typed-dict", "fields": made}
        if "ref" in schema:
            typed_dict["ref"] = schema["ref"]
        if names := {key: config[key] for key in NAME_KEYS & config.keys()}:
            typed_dict["config"] = names
        return typed_dict

    def _field(self, schema: Schema) -> Schema:
        if not FIELD_KEYS.issuperset(schema):
            raise NotEquivalent
        value = schema["schema"]
        made = {key: schema[key] for key in ALIAS_KEYS & schema.keys()}
        made["schema"] = self._equivalent(value)
        made["required"] = value["type"] != "default"
        return {"type": "typed-dict-field", **made}


#: What makes the equivalent of a schema, by its type.
CONVERSIONS: t.Final = {
    "default": _Reader._default,
    "definition-ref": _Reader._reference,
    "dict": _Reader._dict,
    "list": _Reader._list,
    "model": _Reader._model,
    "nullable": _Reader._inside,
    "union": _Reader._union,
}


def _is_plain_model(schema: Schema, config: Schema, fields: Schema) -> bool:
    """Whether a model has fields and nothing else: no functions that run meanwhile."""
    cls = schema["cls"]
    return (
        MODEL_KEYS.issuperset(schema)
        and CONFIG_KEYS.issuperset(config)
        and FIELDS_KEYS.issuperset(fields)
        and not fields.get("computed_fields")
        and not schema.get("custom_init")
        and not schema.get("root_model")
        and cls is not BaseModel
        and all(getattr(cls, name) is getattr(BaseModel, name) for name in INHERITED)
    )


def _holds_no_instance(default: t.Any) -> bool:
    """Whether a default is made of scalars, lists and dicts."""
    if isinstance(default, dict):
        return all(map(_holds_no_instance, default.values()))
    if isinstance(default, (list, tuple, set, frozenset)):
        return all(map(_holds_no_instance, default))
    return isinstance(default, SCALARS)
