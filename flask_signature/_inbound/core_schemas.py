"""Pydantic's core schemas: their kinds, and what is known of how they validate.

The schemas that fail fast are written with these.

Source: ``pydantic_core.core_schema``.
"""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping

#: The schemas that can stop at the first item that fails.
LISTS: t.Final = frozenset({"list", "set", "frozenset", "tuple", "dict"})

#: The schemas that have fields.
OBJECTS: t.Final = frozenset({"model-fields", "typed-dict", "dataclass-args"})

#: The schemas that fail where a schema inside of them does.
WRAPPERS: t.Final = frozenset(
    {"nullable", "default", "model", "dataclass", "function-before", "function-after"}
    | {"custom-error", "json", "lax-or-strict", "json-or-python", "chain"}
)

#: The keys that hold the schemas inside of lists and wrappers.
INNER_KEYS: t.Final = (
    *("schema", "items_schema", "keys_schema", "values_schema", "steps"),
    *("lax_schema", "strict_schema", "json_schema", "python_schema"),
)

#: The most frequent schemas of single values.
SCALARS: t.Final = frozenset(
    {"int", "float", "bool", "str", "bytes", "date", "time", "datetime", "timedelta"}
    | {"decimal", "uuid", "url", "multi-host-url", "none", "literal", "complex"}
)

#: The schemas that refuse an object of an unknown class without calling anybody.
REFUSING: t.Final = SCALARS | LISTS | OBJECTS | {"json"}


class Definitions(dict[str, t.Any]):
    """The schemas that others refer to, by their references."""

    def has_default(self, schema: t.Any) -> bool:
        """Whether a schema is one with a default."""
        if schema["type"] == "definition-ref":
            return self.has_default(self[schema["schema_ref"]])
        return bool(schema["type"] == "default")

    def refuses_unknown(
        self, schema: t.Any, seen: frozenset[str] = frozenset()
    ) -> bool:
        """Whether a schema refuses an object of an unknown class, and calls nobody.

        :param seen: the references to schemas that are asked already.
        """
        kind = schema["type"]
        if (schema.get("config") or {}).get("from_attributes"):
            return False
        if kind == "definition-ref":
            ref = schema["schema_ref"]
            return ref in seen or self.refuses_unknown(self[ref], seen | {ref})
        if kind in {"lax-or-strict", "json-or-python"}:
            inner: Iterable[t.Any] = [schema[x] for x in INNER_KEYS if x in schema]
        elif kind == "union":
            inner = choices_of(schema)
        elif kind in {"nullable", "function-after", "model", "dataclass"}:
            inner = [schema["schema"]]
        else:
            return kind in REFUSING
        is_known = not schema.get("custom_init")
        return is_known and all(self.refuses_unknown(item, seen) for item in inner)

    def may_raise(self, schema: t.Any) -> bool:
        """Whether a schema may raise what is no refusal, functions left aside.

        A timedelta may be too long, and a list of digits no decimal; the author's
        code is called where an object is made.
        """
        return any(
            part.get("type") in {"decimal", "timedelta"}
            or part.get("custom_init")
            or part.get("post_init")
            for part in self._parts(schema, set())
        )

    def _parts(self, schema: t.Any, seen: set[str]) -> Iterator[t.Any]:
        """A schema, those inside of it and those that it refers to."""
        if isinstance(schema, (list, tuple)):
            for item in schema:
                yield from self._parts(item, seen)
        if not isinstance(schema, dict):
            return
        yield schema
        ref = schema.get("schema_ref")
        if ref is not None and ref not in seen:
            seen.add(ref)
            yield from self._parts(self[ref], seen)
        for key, part in schema.items():
            if key not in {"config", "metadata", "serialization"}:
                yield from self._parts(part, seen)


def choices_of(schema: t.Any) -> list[t.Any]:
    """The schemas of a union's choices, without their labels."""
    choices = schema["choices"]
    return [item[0] if isinstance(item, tuple) else item for item in choices]


def fields_of(schema: t.Any) -> Iterable[tuple[str, t.Any]]:
    """The fields of an object by name."""
    fields = schema["fields"]
    if isinstance(fields, dict):
        return fields.items()
    return [(field["name"], field) for field in fields]


def loc_of(
    name: str, field: t.Any, config: Mapping[str, t.Any]
) -> tuple[str | int, ...]:
    """The ``loc`` of a field in its object: its first alias, or its name.

    :param config: of the object.
    """
    alias = field.get("validation_alias")
    options = ("validate_by_alias", "loc_by_alias")
    if alias is None or not all(config.get(option, True) for option in options):
        return (name,)
    if isinstance(alias, str):
        return (alias,)
    return tuple(alias[0] if isinstance(alias[0], list) else alias)


def is_required(field: t.Any, parent: t.Any, config: Mapping[str, t.Any]) -> bool:
    """Whether a field without a default has to be in the input.

    :param parent: the schema of its object.
    :param config: of the object.
    """
    if parent["type"] == "typed-dict":
        total = parent.get("total", config.get("typed_dict_total", True))
        return bool(field.get("required", total))
    return bool(field.get("init", True))
