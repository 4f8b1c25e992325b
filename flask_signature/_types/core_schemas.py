"""Pydantic's core schemas: their kinds, what is inside of them, how they validate.

The bound on errors is written with these, and the shape of JSON is read.

Source: ``pydantic_core.core_schema``.
"""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    #: Changes a part of a core schema.
    Change: t.TypeAlias = Callable[[t.Any, t.Any], t.Any]

#: The schemas that can stop at the first item that fails.
LIST_TYPES: t.Final = frozenset({"list", "set", "frozenset", "tuple", "dict"})

#: The schemas that have fields.
OBJECTS: t.Final = frozenset({"model-fields", "typed-dict", "dataclass-args"})

#: Those, and the schemas of the arguments of a call, which are like fields.
WITH_FIELDS: t.Final = OBJECTS | {"arguments", "named-tuple"}

#: The keys that hold the schemas inside of others.
INNER_KEYS: t.Final = frozenset(
    {"schema", "items_schema", "keys_schema", "values_schema", "steps"}
    | {"lax_schema", "strict_schema", "json_schema", "python_schema"}
    | {"arguments_schema", "extras_schema", "extras_keys_schema"}
    | {"var_args_schema", "var_kwargs_schema"}
)

#: The most frequent schemas of single values.
SCALARS: t.Final = frozenset(
    {"int", "float", "bool", "str", "bytes", "date", "time", "datetime", "timedelta"}
    | {"decimal", "uuid", "url", "multi-host-url", "none", "literal", "complex"}
)

#: The schemas that call a function with a value before they look at it.
FUNCTION_SCHEMAS: t.Final = frozenset(
    {"function-before", "function-plain", "function-wrap"}
)

#: What calls code of an author's, or counts what that may make fewer of.
LEFT_OUT: t.Final = frozenset(
    {"default_factory", "default_factory_takes_data", "max_length", "post_init"}
)
#: What has to be in a part that calls no code, by its kind.
WITHOUT_CODE: t.Final[dict[str, dict[str, t.Any]]] = {
    "default": {"default": None, "validate_default": False},
    **{kind: {"type": "list"} for kind in ("set", "frozenset", "deque")},
    **{kind: {"type": "dict"} for kind in ("ordered-dict", "counter")},
}
ANY_SCHEMA: t.Final = {"type": "any"}

#: The keys of a core schema whose values are no schemas.
VALUE_KEYS: t.Final = frozenset(
    {"cls", "config", "custom_error_context", "default", "expected", "metadata"}
    | {"serialization"}
)

#: The types of value that may contain a schema.
SCHEMA_TYPES: t.Final = (dict, list, tuple)


def references_in(schema: t.Any) -> list[str]:
    """The references in a schema, those in the schemas inside of it included."""
    parts = schemas_in(schema)
    return [x["schema_ref"] for x in parts if x["type"] == "definition-ref"]


def references_below(
    schemas: Iterable[t.Any], definitions: Mapping[str, t.Any]
) -> set[str]:
    """The references in some schemas, and in what they refer to."""
    found = set[str]()
    waiting = [ref for schema in schemas for ref in references_in(schema)]
    while waiting:
        ref = waiting.pop()
        if ref not in found:
            found.add(ref)
            waiting += references_in(definitions[ref])
    return found


def schemas_in(schema: t.Any) -> Iterator[t.Any]:
    """A schema and all those inside of it, its definitions included."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        yield part
        if part["type"] not in SCALARS:
            waiting += inner_of(part)
            waiting += part.get("definitions", ())


def inner_of(schema: t.Any) -> list[t.Any]:
    """The schemas inside of a schema, but not those inside of these.

    Its definitions stand beside it, and not in it.
    """
    if schema["type"] in SCALARS:
        return []
    found = [field["schema"] for _, field in fields_of(schema)]
    if "choices" in schema:
        found += choices_of(schema)
    for key, inner in schema.items():
        if key in INNER_KEYS:
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
    if schema["type"] not in WITH_FIELDS:
        return ()
    fields = schema.get("fields") or schema.get("arguments_schema") or ()
    if isinstance(fields, dict):
        return fields.items()
    return [(field["name"], field) for field in fields]


def definitions_in(schema: t.Any) -> Iterator[tuple[str, t.Any]]:
    """The definitions in a schema, by their references."""
    for part in schemas_in(schema):
        yield from ((item["ref"], item) for item in part.get("definitions", ()))


def schema_kind_of(part: Mapping[str, t.Any]) -> str | None:
    """The type of a core schema, ``None`` for the choices of a tagged union.

    These have tags for keys, one of which may be "type".
    """
    kind = part.get("type")
    return kind if isinstance(kind, str) else None


def kinds_in(schema: t.Any) -> set[str]:
    """The types of a core schema and of all inside of it, found without recursion."""
    kinds: set[str] = set()
    seen: set[int] = set()
    waiting = [schema]
    for part in waiting:
        if type(part) is not dict:
            waiting += [item for item in part if type(item) in SCHEMA_TYPES]
        elif id(part) not in seen:
            # Models may share a schema, which is read once.
            seen.add(id(part))
            kind = schema_kind_of(part)
            if kind is not None:
                kinds.add(kind)
            waiting += [
                item
                for key, item in part.items()
                if type(item) in SCHEMA_TYPES
                and (kind is None or key not in VALUE_KEYS)
            ]
    return kinds


def rewritten(
    schema: t.Any,
    change: Change,
    known: dict[int, t.Any],
    *,
    passed_by: Collection[str] = VALUE_KEYS,
) -> t.Any:
    """The schema with each of its parts as a function returns it, the innermost first.

    It is the same object if none was changed.

    :param change: takes a part with what was changed inside of it, and the part itself.
    :param known: what was made of parts, by their identities, empty at first: models
        may share a schema.
    :param passed_by: the keys whose values are no schemas to be changed.
    """
    if type(schema) not in SCHEMA_TYPES:
        return schema
    if id(schema) in known:
        return known[id(schema)]
    if type(schema) is not dict:
        items = [rewritten(x, change, known, passed_by=passed_by) for x in schema]
        changed = any(new is not old for new, old in zip(items, schema, strict=True))
        return type(schema)(items) if changed else schema
    kind, made = schema_kind_of(schema), schema
    for key, item in schema.items():
        if type(item) in SCHEMA_TYPES and (kind is None or key not in passed_by):
            new = rewritten(item, change, known, passed_by=passed_by)
            if new is not item:
                made = {**made, key: new}
    known[id(schema)] = made if kind is None else change(made, schema)
    return known[id(schema)]


def circular_references(definitions: Mapping[str, t.Any]) -> set[str]:
    """The references to schemas that contain themselves."""
    inner = {ref: references_in(schema) for ref, schema in definitions.items()}
    found = set()
    for ref in inner:
        seen, waiting = set[str](), [*inner[ref]]
        while waiting and ref not in seen:
            following = waiting.pop()
            if following not in seen:
                seen.add(following)
                waiting += inner.get(following, ())
        found |= seen & {ref}
    return found


def without_code(part: t.Any) -> t.Any:
    """A part that calls nothing of an author's, and accepts what that might accept.

    Which may make fewer items, or equal ones, of those of a value.

    :param part: whose inner schemas call nothing.
    """
    kind = part["type"]
    if kind == "call":
        return part["arguments_schema"]
    if kind == "function-after":
        return part["schema"]
    if kind == "chain":
        # The steps after the first read what functions may have made.
        return part["steps"][0]
    is_open = callable(part.get("discriminator")) or "missing" in part
    if kind in FUNCTION_SCHEMAS:
        is_open = not is_of_pydantic(part)
    if kind in ("model", "dataclass"):
        is_open = part.get("custom_init") or part["schema"]["type"] == "any"
    if is_open:
        return ANY_SCHEMA
    made = part
    if not LEFT_OUT.isdisjoint(part):
        made = {key: part[key] for key in part if key not in LEFT_OUT}
    return {**made, **WITHOUT_CODE[kind]} if kind in WITHOUT_CODE else made


def looks_at_errors(part: t.Any) -> bool:
    """Whether a function of an author's may look at those of the schema inside."""
    return part["type"] == "function-wrap" and not is_of_pydantic(part)


def is_of_pydantic(schema: t.Any) -> bool:
    """Whether the function of a schema is Pydantic's own."""
    function = schema["function"]["function"]
    module = str(getattr(getattr(function, "func", function), "__module__", ""))
    return module.startswith("pydantic.")
