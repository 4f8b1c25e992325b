"""Pydantic's core schemas: their kinds, what is inside of them, how they validate.

The schemas that fail fast are written with these, and the shape of JSON is read.

Source: ``pydantic_core.core_schema``.
"""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping

    #: Changes a part of a core schema.
    Change: t.TypeAlias = Callable[[t.Any, t.Any], t.Any]

#: The schemas that can stop at the first item that fails.
LISTS: t.Final = frozenset({"list", "set", "frozenset", "tuple", "dict"})

#: The schemas that can't, although they have items.
OTHER_LISTS: t.Final = frozenset({"deque", "ordered-dict", "counter"})

#: The schemas that have fields.
OBJECTS: t.Final = frozenset({"model-fields", "typed-dict", "dataclass-args"})

#: The schemas of the arguments of a call, which are like fields.
CALLS: t.Final = frozenset({"arguments", "named-tuple"})

#: The schemas that fail where a schema inside of them does.
WRAPPERS: t.Final = frozenset(
    {"nullable", "default", "model", "dataclass", "function-before", "function-after"}
    | {"custom-error", "json", "lax-or-strict", "json-or-python", "chain", "call"}
    | {"missing-sentinel"}
)

#: The keys that hold the schemas inside of lists and wrappers.
INNER_KEYS: t.Final = (
    *("schema", "items_schema", "keys_schema", "values_schema", "steps"),
    *("lax_schema", "strict_schema", "json_schema", "python_schema"),
    *("arguments_schema", "extras_schema", "extras_keys_schema"),
    *("var_args_schema", "var_kwargs_schema"),
)

#: The most frequent schemas of single values.
SCALARS: t.Final = frozenset(
    {"int", "float", "bool", "str", "bytes", "date", "time", "datetime", "timedelta"}
    | {"decimal", "uuid", "url", "multi-host-url", "none", "literal", "complex"}
)

#: The schemas that refuse an object of an unknown class without calling anybody.
REFUSING: t.Final = SCALARS | LISTS | OBJECTS | {"json"}


#: The keys of a core schema whose values are no schemas.
VALUE_KEYS: t.Final = frozenset(
    {"cls", "config", "default", "expected", "metadata", "serialization"}
)

#: The types of value that may contain a schema.
SCHEMA_TYPES: t.Final = (dict, list, tuple)


class Definitions(dict[str, t.Any]):
    """The schemas that others refer to, by their references."""

    def in_order(self) -> list[str]:
        """The references, each after those inside of it as far as there is no circle.

        Models may be nested deeper than Python can call functions.
        """
        found: dict[str, None] = {}
        for start in self:
            waiting = [(start, iter(references_in(self[start])))]
            seen = {start}
            while waiting:
                ref, inner = waiting[-1]
                following = next(
                    (x for x in inner if x not in seen and x not in found), None
                )
                if following is None:
                    found.setdefault(ref)
                    waiting.pop()
                elif following in self:
                    seen.add(following)
                    inside = iter(references_in(self[following]))
                    waiting.append((following, inside))
        return [*found]

    def has_default(self, schema: t.Any) -> bool:
        """Whether a schema is one with a default."""
        while schema["type"] == "definition-ref":
            schema = self[schema["schema_ref"]]
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
            return all(self.refuses_unknown(item, seen) for item in inner_of(schema))
        if kind in {"nullable", "function-after", "model", "dataclass"}:
            is_known = not schema.get("custom_init")
            return is_known and self.refuses_unknown(schema["schema"], seen)
        return kind in REFUSING


def references_in(schema: t.Any) -> list[str]:
    """The references in a schema, those in the schemas inside of it included."""
    parts = parts_of(schema)
    return [x["schema_ref"] for x in parts if x["type"] == "definition-ref"]


def parts_of(schema: t.Any) -> Iterator[t.Any]:
    """A schema and all those inside of it, its definitions included."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += inner_of(part)
        waiting += part.get("definitions", ())


def inner_of(schema: t.Any) -> list[t.Any]:
    """The schemas inside of a schema, but not those inside of these.

    Its definitions stand beside it, and not in it.
    """
    found = [field["schema"] for _, field in fields_of(schema)]
    if "choices" in schema:
        found += choices_of(schema)
    for key in INNER_KEYS:
        inner = schema.get(key)
        if isinstance(inner, dict):
            found.append(inner)
        elif inner and key != "arguments_schema":
            found += inner
    return found


def choices_of(schema: t.Any) -> list[t.Any]:
    """The schemas of a union's choices, without their labels or tags."""
    choices = schema["choices"]
    if isinstance(choices, dict):
        return [*choices.values()]
    return [item[0] if isinstance(item, tuple) else item for item in choices]


def fields_of(schema: t.Any) -> Iterable[tuple[str, t.Any]]:
    """The fields of an object or the arguments of a call, by name."""
    fields = schema.get("fields") or schema.get("arguments_schema") or ()
    if schema["type"] not in OBJECTS | CALLS:
        return ()
    if isinstance(fields, dict):
        return fields.items()
    return [(field["name"], field) for field in fields]


def definitions_in(schema: t.Any) -> Iterator[tuple[str, t.Any]]:
    """The definitions in a schema, by their references."""
    for part in parts_of(schema):
        yield from ((item["ref"], item) for item in part.get("definitions", ()))


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


def kind_of(part: Mapping[str, t.Any]) -> str | None:
    """The type of a core schema, ``None`` for the choices of a tagged union.

    These have tags for keys, one of which may be "type".
    """
    kind = part.get("type")
    return kind if isinstance(kind, str) else None


def rewritten(schema: t.Any, change: Change, known: dict[int, t.Any]) -> t.Any:
    """The schema with each of its parts as a function returns it, the innermost first.

    It is the same object if none was changed.

    :param change: takes a part with what was changed inside of it, and the part itself.
    :param known: what was made of parts, by their identities, empty at first: models
        may share a schema.
    """
    if id(schema) in known:
        return known[id(schema)]
    if type(schema) is not dict:
        items = [_inside(item, change, known) for item in schema]
        changed = any(new is not old for new, old in zip(items, schema, strict=True))
        return type(schema)(items) if changed else schema
    kind, made = kind_of(schema), schema
    for key, item in schema.items():
        if kind is None or key not in VALUE_KEYS:
            new = _inside(item, change, known)
            if new is not item:
                made = {**made, key: new}
    known[id(schema)] = made if kind is None else change(made, schema)
    return known[id(schema)]


def _inside(item: t.Any, change: Change, known: dict[int, t.Any]) -> t.Any:
    is_schema = type(item) in SCHEMA_TYPES
    return rewritten(item, change, known) if is_schema else item
