"""Parts of a response model: the fields that are named, and models as typed dicts.

The core schema of a model goes in; the fields that ``response_model_include=`` and
``response_model_exclude=`` name come out as Pydantic's serializer reads them, or an
adapter that writes dicts as the model would be written.
"""

from __future__ import annotations

import typing as t
from collections import defaultdict
from collections.abc import Mapping, Set
from difflib import get_close_matches
from enum import Enum
from types import NoneType

from pydantic import BaseModel
from pydantic_core import core_schema

from .._types.adapters import (
    OBJECTS,
    SCALARS,
    Adapter,
    choices_of,
    definitions_in,
    fields_of,
    inner_of,
    references_in,
    schemas_in,
    validator_of,
)
from .._types.annotations import NEVER_BLANK
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    #: Keys of an option, from the outside: ``("login", "address")``.
    Path: t.TypeAlias = tuple[t.Any, ...]

#: A core schema, or a part of one.
Schema: t.TypeAlias = "dict[str, t.Any]"

#: The key for every item of a list, and for every value of a dictionary.
ALL: t.Final = "__all__"

#: Pydantic passes an option on to the items of these as it is.
SETS: t.Final = frozenset({"set", "frozenset"})

LIST_FIELDS: t.Final = frozenset(
    {"list", "tuple", "deque", "generator", "named-tuple", "arguments"}
)

MAPPINGS: t.Final = frozenset({"dict", "ordered-dict", "frozendict", "counter"})

OPEN_FIELDS: t.Final = frozenset({"any", "is-instance", "callable", "function-plain"})

ITEMS: t.Final = SETS | LIST_FIELDS

CLOSED: t.Final = ITEMS | MAPPINGS | OBJECTS

#: The ways to write a value in which its schema says what it holds all the same.
TYPED: t.Final = frozenset({"any", "include-exclude-dict", "include-exclude-sequence"})

ANY: t.Final[Schema] = {"type": "any"}

#: An option, or a part of one: ``{"items": {"__all__": {"name": True}}}``.
Named: t.TypeAlias = "dict[t.Any, t.Any]"


class NamedFields:
    """Finds what an option names in core schemas.

    :param name: of the option in Pydantic, ``"include"`` or ``"exclude"``.
    :raises SignatureError: if a part of it is neither ``True`` nor names.
    """

    def __init__(self, name: str, option: t.Any, schemas: Iterable[Schema]) -> None:
        self._is_include = name == "include"
        self._option = _read_fields(option)
        self._schemas = schemas
        parts = (part for schema in schemas for part in schemas_in(schema))
        self._definitions = definitions_in(parts)
        self._found: set[Path] = set()
        #: The names of fields by their casefolded names and aliases.
        self._known: defaultdict[Path, dict[str, str]] = defaultdict(dict)
        self._items: dict[t.Any, Named] = {}

    def place(self) -> list[Named]:
        """The option as Pydantic reads it, for each schema.

        ``{"password"}`` of ``list[User]`` becomes ``{"__all__": {"password": True}}``.
        """
        return [self._place([schema], self._option, ()) for schema in self._schemas]

    def find_misnamed(self) -> str:
        """What is wrong with a name that is in none of the schemas, ``""`` if none."""
        self.place()
        for *path, name in _paths(self._option, ()):
            if (*path, name) not in self._found:
                shown = "".join([repr(name), *(f" of {key!r}" for key in path[::-1])])
                advice = self._nearest(tuple(path), name)
                return f"{shown}, which its model does not have. {advice}"
        return ""

    def _nearest(self, path: Path, name: t.Any) -> str:
        """What to write in place of a name, which may be that of a field inside."""
        advice = {near: repr(found) for near, found in self._known[path].items()}
        for key in (*self._known[path].values(), ALL):
            within, inside = (*path, key), dict[t.Any, t.Any]()
            for around in reversed(within):
                inside = {around: inside}
            reader = NamedFields("exclude", inside, self._schemas)
            reader.place()
            for near, found in reader._known[within].items():
                advice.setdefault(near, f"{{{key!r}: {{{found!r}}}}}")
        nearest = _near(name, advice, 0.6)
        return f"Write {advice[nearest[0]]}." if nearest else "Remove it."

    def _place(self, schemas: list[Schema], option: Named, path: Path) -> Named:
        """The option for a value of any of some schemas."""
        level = [*self._alternatives(schemas)]
        kinds = {schema["type"] for schema in level}
        inside: defaultdict[t.Any, list[Schema]] = defaultdict(list)
        placed: Named = {}
        for schema in level:
            if schema["type"] not in CLOSED or _allows_extra(schema):
                self._found.update(_paths(option, path))
                placed = dict(option)
            for key, inner in self._inside(schema, option, path):
                inside[key].append(inner)
        for key in option.keys() & inside.keys():
            within = (*path, key)
            self._found.add(within)
            part = option[key] is True or self._place(inside[key], option[key], within)
            placed = _merge(placed, {key: part})
        items = [x for one in level if one["type"] in ITEMS for x in _items_of(one)]
        if not items:
            return placed
        whole = _merge(placed.pop(ALL, {}), self._place_items(items, option, path))
        if kinds & SETS and whole is not True:
            placed = _merge(placed, whole)
        if whole and (whole is True or kinds - SETS):
            found = [name for name in option if (*path, name) in self._found]
            if self._is_include and found and ALL not in option and kinds - LIST_FIELDS:
                raise SignatureError(
                    f"response_model_include= can't say {found[0]!r} of the items of a"
                    " list and of a model beside it. Remove one of them, or name the"
                    " status of one: tuple[..., Literal[202]]."
                )
            placed[ALL] = whole
        return placed

    def _place_items(self, items: list[Schema], option: Named, path: Path) -> Named:
        """The option for items, in which a name is that of theirs."""
        names = {x: option[x] for x in option if isinstance(x, str) and x != ALL}
        # The items of an alias may be values of it.
        key = (path, frozenset(map(id, items)), *names)
        if key not in self._items:
            self._items[key] = names
            self._items[key] = self._place(items, names, path)
        return self._items[key]

    def _alternatives(self, schemas: list[Schema]) -> Iterator[Schema]:
        """The schemas of what is written: those inside of unions and of wrappers."""
        for schema in schemas:
            kind, written = schema["type"], schema.get("serialization")
            if written and (written["type"] == "any" or not _keeps_shape(written)):
                usual = ANY if "function" in written else written
                inside = [written.get("return_schema", usual)]
            elif kind in CLOSED | OPEN_FIELDS or _allows_extra(schema):
                yield schema
                continue
            elif kind == "definition-ref":
                inside = [self._definitions[schema["schema_ref"]]]
            else:
                own = [schema.get("json_schema"), schema.get("strict_schema")]
                own += schema.get("steps", ())[-1:]
                inside = [x for x in own if x] or inner_of(schema)
            yield from self._alternatives(inside)

    def _inside(
        self, schema: Schema, option: Named, path: Path
    ) -> list[tuple[t.Any, Schema]]:
        """The schemas inside of one, by the keys that name them in the option."""
        kind = schema["type"]
        if kind in ITEMS:
            numbers = [x for x in option if isinstance(x, int) and kind in LIST_FIELDS]
            return [(x, item) for x in (ALL, *numbers) for item in _items_of(schema)]
        if kind in MAPPINGS:
            values, known = schema.get("values_schema", ANY), (*path, ALL)
            if option:
                self._place([values], {}, known)
            # A key may be anything, but is none if it is the name of a field inside.
            keys = [x for x in option if not _near(x, self._known[known], 0.75)]
            return [(key, values) for key in keys]
        fields = [*_named_in(schema)]
        names = self._known[path]
        names.update((alias.casefold(), name) for name, alias, _ in fields)
        names.update((name.casefold(), name) for name, _, _ in fields)
        return [(key, inner) for name, _, inner in fields for key in (name, ALL)]


def _items_of(schema: Schema) -> list[Schema]:
    return inner_of(schema) or [ANY]


def _named_in(schema: Schema) -> Iterator[tuple[str, str, Schema]]:
    """The names of the fields that are written, with their aliases and schemas."""
    for name, item in fields_of(schema):
        yield name, item.get("serialization_alias", name), item["schema"]
    for item in schema.get("computed_fields", ()):
        name = item["property_name"]
        yield name, item.get("alias", name), item["return_schema"]


def _keeps_shape(written: Schema) -> bool:
    """Whether a way to write a value leaves the shape of its schema what it is.

    Pydantic writes a ``Sequence`` with a function of its own, item by item.
    """
    function = written.get("function")
    if function is None:
        return written["type"] in TYPED
    module = getattr(function, "__module__", None) or ""
    return "return_schema" not in written and module.startswith("pydantic.")


def _allows_extra(schema: Schema) -> bool:
    config = schema.get("config") or {}
    return "allow" in (
        schema.get("extra_behavior"),
        config.get("extra_fields_behavior"),
    )


def placed_options(options: Mapping[str, t.Any], schema: Schema) -> dict[str, t.Any]:
    """The options of a serializer, with names as Pydantic reads them."""
    placed = dict(options)
    for name in options.keys() & {"include", "exclude"}:
        [placed[name]] = NamedFields(name, options[name], [schema]).place()
    return placed


def _read_fields(option: t.Any, key: t.Any = None) -> t.Any:
    """An option, or the part of a key, as dictionaries that end with ``True``."""
    if option is True or option is ...:
        return True
    if isinstance(option, Mapping):
        return {
            x: _read_fields(part, x) for x, part in option.items() if part is not False
        }
    if isinstance(option, (Set, list, tuple)):
        return dict.fromkeys(option, True)
    raise SignatureError(
        "response_model_include= and response_model_exclude= take True or names for"
        f" {key!r}, not {option!r}."
    )


def _near(name: t.Any, known: Mapping[str, str], cutoff: float) -> list[str]:
    return get_close_matches(str(name).casefold(), known, n=1, cutoff=cutoff)


def _paths(option: Named, path: Path) -> Iterator[Path]:
    for key, part in option.items():
        yield (*path, key)
        if part is not True:
            yield from _paths(part, (*path, key))


def _merge(one: t.Any, other: t.Any) -> t.Any:
    """Two parts of an option as one, of which ``True`` says the most."""
    if one is True or other is True:
        return True
    shared = {key: _merge(one[key], other[key]) for key in one.keys() & other.keys()}
    return {**one, **other, **shared}


#: The schemas whose values are written the same in a model and in a typed dict.
PLAIN_KINDS: t.Final = SCALARS - {"complex", "multi-host-url", "url"} | {"any", "enum"}

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


def typed_dict_adapter(adapter: Adapter, parts: Iterable[Schema]) -> Adapter | None:
    """The adapter to try first for dicts, or none: the same one for a lone model.

    :param parts: of its core schema.
    """
    whole = adapter.core_schema
    is_one = [part for part in parts if part["type"] == "model"] == [whole]
    shared = whole.get("definitions", ())
    if not (is_one or _has_list(parts)) or any(map(references_in, shared)):
        return None
    try:
        used = [*map(_equivalent, shared)]
        made = _equivalent(whole["schema"] if used else whole)
    except LookupError:
        return None
    schema = core_schema.definitions_schema(made, used)
    return adapter if is_one else Adapter(schema, validator_of(schema))


def _has_list(parts: Iterable[Schema]) -> bool:
    """Whether one of the parts of a schema is a list of one of the models in it."""
    known = {part["ref"]: part for part in parts if "ref" in part}
    items = [part.get("items_schema", ANY) for part in parts if part["type"] == "list"]
    return any(known.get(x.get("schema_ref"), x)["type"] == "model" for x in items)


def _equivalent(schema: Schema) -> t.Any:
    """What a typed dict has in place of a schema. :raises LookupError: for nothing."""
    kind = schema["type"]
    # What is less strict than the rest might be of another type.
    if "serialization" in schema or schema.get("strict") is False:
        raise LookupError
    if kind in PLAIN_KINDS or kind == "definition-ref":
        return schema
    if kind not in CONVERSIONS or not KNOWN.get(kind, schema.keys()) >= schema.keys():
        raise LookupError
    return CONVERSIONS[kind](schema)


def _typed_dict_default(schema: Schema) -> Schema:
    default, factory = schema.get("default"), schema.get("default_factory")
    is_member = isinstance(default, Enum) and schema["schema"]["type"] == "enum"
    is_plain = type(default) in DEFAULTS or (type(default) in FACTORIES and not default)
    if factory not in FACTORIES or not (is_plain or is_member):
        raise LookupError
    return {**schema, "schema": _equivalent(schema["schema"])}


def _list(schema: Schema) -> Schema:
    # One item that does not fit is enough to leave all to the model.
    items = _equivalent(schema.get("items_schema", ANY))
    return {**schema, "items_schema": items, "fail_fast": True}


def _dict(schema: Schema) -> Schema:
    keys = ("keys_schema", "values_schema")
    return {**schema, **{key: _equivalent(schema.get(key, ANY)) for key in keys}}


def _union(schema: Schema) -> Schema:
    """The same without models: Pydantic prefers the choice that is of the very type."""
    [*map(_equivalent, choices_of(schema))]
    inside = {part["type"] for part in schemas_in(schema)}
    if "mode" in schema or inside & {"model", "definition-ref"}:
        raise LookupError
    return schema


def _model(schema: Schema) -> Schema:
    config, fields, cls = schema.get("config") or {}, schema["schema"], schema["cls"]
    is_known = KNOWN["model-fields"] >= fields.keys() and KNOWN["config"] >= {*config}
    runs_code = schema.get("custom_init") or fields.get("computed_fields")
    inherits = [getattr(cls, x) is getattr(BaseModel, x) for x in INHERITED]
    if schema.get("root_model") or runs_code or not (is_known and all(inherits)):
        raise LookupError
    named = {key: config[key] for key in NAMING & config.keys()}
    made = {name: _equivalent(item) for name, item in fields["fields"].items()}
    ref = {"ref": schema["ref"]} if "ref" in schema else {}
    return {"type": "typed-dict", "fields": made, "config": named, **ref}


def _field(schema: Schema) -> Schema:
    value = schema["schema"]
    names = {key: schema[key] for key in FIELD_ALIASES & schema.keys()}
    made = {"schema": _equivalent(value), "required": value["type"] != "default"}
    return {"type": "typed-dict-field", **names, **made}


#: What makes the equivalent of a schema, by its type.
CONVERSIONS: t.Final[dict[str, t.Callable[[Schema], Schema]]] = {
    "default": _typed_dict_default,
    "dict": _dict,
    "list": _list,
    "model": _model,
    "model-field": _field,
    "nullable": lambda part: {**part, "schema": _equivalent(part["schema"])},
    "union": _union,
}
