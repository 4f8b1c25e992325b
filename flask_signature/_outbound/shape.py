"""Whether a value of JSON has the shape that a response model writes.

A core schema goes in, a :class:`JSONShape` comes out. A serializer asks it where
Pydantic met values of other types than the schema's: it writes all that is in those.
"""

from __future__ import annotations

import typing as t

from .._types.core_schemas import OBJECTS
from .._types.core_schemas import choices_of
from .._types.core_schemas import fields_of

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Mapping

#: A core schema, or a part of one.
Schema: t.TypeAlias = "Mapping[str, t.Any]"

#: Returns whether a value has the shape of one part.
Check: t.TypeAlias = "Callable[[JSONShape, Schema, t.Any], bool]"

#: What JSON has for values with others in them.
CONTAINERS: t.Final = (dict, list)

ANYTHING: t.Final[Schema] = {"type": "any"}

#: The ways to write a value in which its schema says what it holds all the same. The
#: type to which a ``TypeVar`` is bound is written as anything, after the filter.
TYPED: t.Final = frozenset({"any", "include-exclude-dict", "include-exclude-sequence"})


class JSONShape:
    """Where names may be in the JSON of a core schema, and which.

    A scalar may be of any type, since it holds nothing that could be left out. What the
    code of a model computes has the shape of that code's return annotation.

    :param schema: a core schema.
    :param by_alias: whether fields are written under their aliases.

    Source: ``pydantic_core.core_schema``.
    """

    def __init__(self, schema: Schema, *, by_alias: bool) -> None:
        self._schema = schema
        self._by_alias = by_alias
        self._definitions: dict[str, Schema] = {}

    def fits(self, value: t.Any) -> bool:
        """Whether a value of JSON has nothing in it that the schema does not name."""
        return self._fits(self._schema, value)

    def _fits(self, schema: Schema, value: t.Any) -> bool:
        # It is written as it is, whatever the type.
        if value is None:
            return True
        written = schema.get("serialization")
        if written is not None and not keeps_shape(written):
            return self._fits_written(written, value)
        check = CHECKS.get(schema["type"], _is_scalar)
        return check(self, schema, value)

    def _fits_written(self, written: Schema, value: t.Any) -> bool:
        """Whether a value fits what takes the place of a schema when it is written."""
        if written["type"] in ("function-plain", "function-wrap"):
            return self._fits(written.get("return_schema", ANYTHING), value)
        return self._fits(written, value)

    def _definitions_of(self, schema: Schema, value: t.Any) -> bool:
        self._definitions |= {part["ref"]: part for part in schema["definitions"]}
        return self._fits(schema["schema"], value)

    def _reference(self, schema: Schema, value: t.Any) -> bool:
        return self._fits(self._definitions[schema["schema_ref"]], value)

    def _items(self, schema: Schema, value: t.Any) -> bool:
        items = schema.get("items_schema", ANYTHING)
        return _is_scalar(self, schema, value) or (
            isinstance(value, list) and all(self._fits(items, item) for item in value)
        )

    def _tuple(self, schema: Schema, value: t.Any) -> bool:
        if not isinstance(value, list):
            return _is_scalar(self, schema, value)
        items, repeated = [*schema["items_schema"]], schema.get("variadic_item_index")
        missing = len(value) - len(items)
        if repeated is not None:
            items[repeated : repeated + 1] = [items[repeated]] * (missing + 1)
        # An item that is missing holds nothing.
        return len(value) <= len(items) and all(map(self._fits, items, value))

    def _named_tuple(self, schema: Schema, value: t.Any) -> bool:
        # Before Pydantic 2.14 it has no schema of its own: a call of the class.
        arguments = schema.get("arguments_schema", {}).get("arguments_schema", ())
        items = [item["schema"] for item in schema.get("fields", arguments)]
        return self._tuple({"items_schema": items}, value)

    def _dict(self, schema: Schema, value: t.Any) -> bool:
        values = schema.get("values_schema", ANYTHING)
        return _is_scalar(self, schema, value) or (
            isinstance(value, dict)
            and all(self._fits(values, item) for item in value.values())
        )

    def _union(self, schema: Schema, value: t.Any) -> bool:
        return any(self._fits(choice, value) for choice in choices_of(schema))

    def _model(self, schema: Schema, value: t.Any) -> bool:
        fields = schema["schema"]
        # Validators of the model stand around its fields.
        while fields["type"].startswith("function-") and "schema" in fields:
            fields = fields["schema"]
        if fields["type"] not in OBJECTS:
            return self._fits(fields, value)
        return self._fields(fields, value, outside=schema)

    def _fields(
        self, schema: Schema, value: t.Any, outside: Schema | None = None
    ) -> bool:
        """Whether a value has no name but those of fields.

        :param outside: the schema of a model around that of its fields.
        """
        if not isinstance(value, dict):
            return _is_scalar(self, schema, value)
        named, more = dict(named_in(schema, by_alias=self._by_alias)), None
        if any(map(allows_extra, (schema, outside or {}))):
            more = schema.get("extras_schema", ANYTHING)
        pairs = ((named.get(name, more), item) for name, item in value.items())
        return all(part is not None and self._fits(part, item) for part, item in pairs)


def named_in(schema: Schema, *, by_alias: bool) -> Iterator[tuple[str, Schema]]:
    """The names of the fields that are written, with their schemas."""
    for name, item in fields_of(schema):
        alias = item.get("serialization_alias", name)
        yield alias if by_alias else name, item["schema"]
    for item in schema.get("computed_fields", ()):
        name = item["property_name"]
        alias = item.get("alias", name)
        yield alias if by_alias else name, item["return_schema"]


def keeps_shape(written: Schema) -> bool:
    """Whether a way to write a value leaves the shape of its schema what it is.

    Pydantic writes a ``Sequence`` with a function of its own, item by item.
    """
    function = written.get("function")
    if function is None:
        return written["type"] in TYPED
    module = getattr(function, "__module__", None) or ""
    return "return_schema" not in written and module.startswith("pydantic.")


def allows_extra(schema: Schema) -> bool:
    config = schema.get("config") or {}
    return "allow" in (
        schema.get("extra_behavior"),
        config.get("extra_fields_behavior"),
    )


def _inside(key: str) -> Check:
    """Returns whether a value fits the schema that another one has under a key."""
    return lambda shape, schema, value: shape._fits(schema.get(key, ANYTHING), value)


def _is_anything(shape: JSONShape, schema: Schema, value: t.Any) -> bool:
    return True


def _is_scalar(shape: JSONShape, schema: Schema, value: t.Any) -> bool:
    return not isinstance(value, CONTAINERS)


def _is_constant(shape: JSONShape, schema: Schema, value: t.Any) -> bool:
    """Whether a value is a scalar, unless its author has written others."""
    found = [*schema.get("expected", ()), *schema.get("members", ())]
    values = [getattr(item, "value", item) for item in found]
    is_written = any(isinstance(item, (dict, list, set, tuple)) for item in values)
    return is_written or _is_scalar(shape, schema, value)


#: Whether a value fits, by the type of its schema. What is not here is a scalar.
CHECKS: t.Final[dict[str, Check]] = {
    "any": _is_anything,
    "call": JSONShape._named_tuple,
    "chain": lambda shape, schema, value: shape._fits(schema["steps"][-1], value),
    "dataclass": JSONShape._model,
    "default": _inside("schema"),
    "deque": JSONShape._items,
    "definition-ref": JSONShape._reference,
    "definitions": JSONShape._definitions_of,
    "counter": JSONShape._dict,
    "dict": JSONShape._dict,
    "enum": _is_constant,
    "frozendict": JSONShape._dict,
    "frozenset": JSONShape._items,
    "function-after": _inside("schema"),
    "function-before": _inside("schema"),
    "function-plain": _is_anything,
    "function-wrap": _inside("schema"),
    "generator": JSONShape._items,
    "is-instance": _is_anything,
    "json": _inside("schema"),
    "json-or-python": _inside("json_schema"),
    "lax-or-strict": _inside("strict_schema"),
    "list": JSONShape._items,
    "literal": _is_constant,
    "model": JSONShape._model,
    "model-fields": JSONShape._fields,
    "named-tuple": JSONShape._named_tuple,
    "nullable": _inside("schema"),
    "ordered-dict": JSONShape._dict,
    "set": JSONShape._items,
    "tagged-union": JSONShape._union,
    "tuple": JSONShape._tuple,
    "typed-dict": JSONShape._fields,
    "union": JSONShape._union,
}
