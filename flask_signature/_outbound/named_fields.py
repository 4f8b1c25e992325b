"""The fields that ``response_model_include=`` and ``response_model_exclude=`` name.

An option and the core schema of a model go in, the option as Pydantic's serializer
reads it comes out, and the names that can't be there; the compilation of a serializer
calls it, and that of an outbound plan.

Source: Pydantic, Serialization, Advanced; ``pydantic_core.core_schema``.
"""

from __future__ import annotations

import difflib
import typing as t
from collections.abc import Mapping
from collections.abc import Set
from dataclasses import dataclass
from dataclasses import field

from .._types.core_schemas import OBJECTS
from .._types.core_schemas import definitions_in
from .._types.core_schemas import fields_of
from .._types.core_schemas import inner_of
from ..exceptions import SignatureError
from .shape import ANYTHING
from .shape import Schema
from .shape import allows_extra
from .shape import keeps_shape

if t.TYPE_CHECKING:
    from collections.abc import Iterator

#: The key for every item of a list, and for every value of a dictionary.
ALL: t.Final = "__all__"

#: Pydantic passes an option on to the items of these as it is.
SETS: t.Final = frozenset({"set", "frozenset"})

LISTS: t.Final = frozenset(
    {"list", "tuple", "deque", "generator", "named-tuple", "arguments"}
)
MAPPINGS: t.Final = frozenset({"dict", "ordered-dict", "frozendict", "counter"})
OPEN: t.Final = frozenset({"any", "is-instance", "callable", "function-plain"})

#: Where in a schema is what writes its values, if it is not the only one inside.
WRITTEN: t.Final = {
    "json-or-python": "json_schema",
    "lax-or-strict": "strict_schema",
}

#: An option, or a part of one: ``{"items": {"__all__": {"name": True}}}``.
Named: t.TypeAlias = "dict[t.Any, t.Any]"


@dataclass(slots=True)
class Level:
    """What may be named in a value, in any alternative of a union.

    :param fields: the schemas of fields by name.
    :param aliases: the names of fields by their casefolded names and aliases.
    :param items: the schemas of the items of lists.
    :param values: the schemas of the values of mappings.
    :param has_sets: whether the fields may be those of the items of a set.
    :param is_open: whether any name may be there.
    """

    fields: dict[str, list[Schema]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    items: list[Schema] = field(default_factory=list)
    values: list[Schema] = field(default_factory=list)
    has_sets: bool = False
    is_open: bool = False

    def add_fields(self, schema: Schema) -> None:
        """Add those of a model, a dataclass or a TypedDict."""
        found = [(name, item, item["schema"]) for name, item in fields_of(schema)]
        for item in schema.get("computed_fields", ()):
            found.append((item["property_name"], item, item["return_schema"]))
        for name, item, inner in found:
            self.fields.setdefault(name, []).append(inner)
            self.aliases[name.casefold()] = name
            for key in ("alias", "serialization_alias", "validation_alias"):
                if isinstance(item.get(key), str):
                    self.aliases.setdefault(item[key].casefold(), name)


class Misnamed(t.NamedTuple):
    """A name that can't be there.

    :param path: the keys around it.
    :param level: what may be in its place.
    """

    path: tuple[t.Any, ...]
    name: t.Any
    level: Level


class NamedFields:
    """Finds what an option names in a core schema.

    :param option: its name in Pydantic, ``"include"`` or ``"exclude"``.
    """

    def __init__(self, schema: Schema, option: str) -> None:
        self.option = option
        self._schema = schema
        self._definitions: dict[str, Schema] = dict(definitions_in(schema))

    def place(self, value: t.Any) -> tuple[Named, list[Misnamed]]:
        """The option as Pydantic reads it, and the names that can't be there.

        ``{"password"}`` of ``list[User]`` becomes ``{"__all__": {"password": True}}``.

        :raises SignatureError: if a part of it is neither ``True`` nor names.
        """
        return self._place(value, self._read([self._schema]), ())

    def _place(
        self, value: t.Any, level: Level, path: tuple[t.Any, ...]
    ) -> tuple[Named, list[Misnamed]]:
        """The part of the option that is about one level."""
        placed: Named = {}
        missing: list[Misnamed] = []
        entries = dict(_entries(value))
        if level.has_sets and isinstance(entries.get(ALL), (Mapping, Set)):
            entries = {**dict(_entries(entries.pop(ALL))), **entries}
        for name, inner in entries.items():
            found, more = self._place_name(name, inner, level, path=path)
            placed = _merge(placed, found)
            missing += more
        return placed, missing

    def _place_name(
        self,
        name: t.Any,
        inner: t.Any,
        level: Level,
        *,
        path: tuple[t.Any, ...],
        around: frozenset[int] = frozenset(),
    ) -> tuple[Named, list[Misnamed]]:
        """One name, or nothing and where it was looked for.

        :param around: the identities of the items in which it is looked for: those of a
            list may be such lists.
        """
        if level.is_open:
            return {name: inner}, []
        placed: Named = {}
        missing = [Misnamed(path, name, level)]
        if schemas := self._find(level, name):
            placed[name], missing = True, []
            if inner is not True:
                inside = self._read(schemas)
                placed[name], missing = self._place(inner, inside, (*path, name))
        within = around | {*map(id, level.items)}
        if within != around and isinstance(name, str) and name != ALL:
            items = self._read(level.items)
            found, more = self._place_name(name, inner, items, path=path, around=within)
            if found and level.fields and self.option == "include":
                raise SignatureError(
                    f"response_model_include= can't say {name!r} of the items of a list"
                    " and of a model beside it. Remove one of them, or name the status"
                    " of one: tuple[..., Literal[202]]."
                )
            missing = _common([missing, more]) if placed else more
            placed |= {ALL: found} if found else {}
        return placed, missing

    def _find(self, level: Level, name: t.Any) -> list[Schema]:
        """The schemas of what a key names, none if it names nothing."""
        if name == ALL:
            fields = [schema for found in level.fields.values() for schema in found]
            return [*fields, *level.items, *level.values]
        if name in level.fields:
            return level.fields[name]
        if isinstance(name, int):
            return [*level.items, *level.values]
        # A key may be anything. It is none if it is the name of a field of the values.
        inside = self._known(self._read(level.values))
        return [] if _near(name, inside, 0.75) else level.values

    def _read(self, schemas: list[Schema]) -> Level:
        level, waiting, seen = Level(), [*schemas], set[int]()
        while waiting:
            schema = waiting.pop()
            if id(schema) not in seen:
                seen.add(id(schema))
                waiting += self._add(level, schema)
        return level

    def _add(self, level: Level, schema: Schema) -> list[Schema]:
        """The schemas inside of one that are of the same level."""
        kind, written = schema["type"], schema.get("serialization") or {}
        if written.get("type") == "any" or (written and not keeps_shape(written)):
            is_called = "function" in written
            return [written.get("return_schema", ANYTHING) if is_called else written]
        if kind == "definition-ref":
            return [self._definitions[schema["schema_ref"]]]
        if kind in OPEN or allows_extra(schema):
            level.is_open = True
        elif kind in MAPPINGS:
            level.values.append(schema.get("values_schema", ANYTHING))
        elif kind in LISTS:
            level.items += inner_of(schema) or [ANYTHING]
        elif kind in OBJECTS:
            level.add_fields(schema)
        elif kind == "chain":
            return [schema["steps"][-1]]
        else:
            level.has_sets |= kind in SETS
            own = WRITTEN.get(kind)
            return [schema[own]] if own else inner_of(schema)
        return []

    def _known(self, level: Level) -> dict[str, str]:
        """The names at a level, or of the items of its lists, by what is near them."""
        known, seen = dict(level.aliases), set[int]()
        while level.items and not seen.issuperset(map(id, level.items)):
            seen |= {*map(id, level.items)}
            level = self._read(level.items)
            known = level.aliases | known
        return known

    def explain(self, misnamed: Misnamed) -> str:
        """What is wrong with a name, and what to write instead."""
        path, name, level = misnamed
        named = "".join([repr(name), *(f" of {key!r}" for key in reversed(path))])
        places: dict[str | None, Level] = {None: level}
        for key, schemas in {**level.fields, ALL: level.values}.items():
            places[key] = self._read(schemas)
        advice = "Remove it."
        for cutoff in (0.6, 1):
            # Later is better: an exact name comes first, and one at the level itself.
            for around in reversed(places):
                for near in _near(name, self._known(places[around]), cutoff):
                    shown = f"{{{around!r}: {{{near!r}}}}}" if around else repr(near)
                    advice = f"Write {shown}."
        return f"{named}, which its model does not have. {advice}"


def _near(name: t.Any, known: dict[str, str], cutoff: float) -> list[str]:
    """The known name that is nearest to one, or none."""
    spelled = str(name).casefold()
    near = difflib.get_close_matches(spelled, known, n=1, cutoff=cutoff)
    return [known[key] for key in near]


def placed_options(options: Mapping[str, t.Any], schema: Schema) -> dict[str, t.Any]:
    """The options of a serializer, with names as Pydantic reads them."""
    placed = {
        name: NamedFields(schema, name).place(options[name])[0]
        for name in ("include", "exclude")
        if name in options
    }
    return {**options, **placed}


def find_misnamed(option: str, value: t.Any, schemas: list[Schema]) -> str:
    """What is wrong with a name that is in none of some schemas, ``""`` if nothing."""
    readers = [NamedFields(schema, option) for schema in schemas]
    found = _common([reader.place(value)[1] for reader in readers])
    return readers[0].explain(found[0]) if found else ""


def _common(missing: list[list[Misnamed]]) -> list[Misnamed]:
    """The names that are in none of several alternatives."""
    first, *others = missing
    places = [{(item.path, item.name) for item in found} for found in others]
    return [x for x in first if all((x.path, x.name) in found for found in places)]


def _entries(value: t.Any) -> Iterator[tuple[t.Any, t.Any]]:
    """The keys of an option, with ``True`` or what is said of a part.

    :raises SignatureError: if something else is said.
    """
    if isinstance(value, (Set, list, tuple)):
        yield from ((name, True) for name in value)
        return
    for name, inner in value.items():
        if inner is ... or inner is True:
            yield name, True
        elif isinstance(inner, (Mapping, Set, list, tuple)):
            yield name, inner
        elif inner is not False:
            raise SignatureError(
                "response_model_include= and response_model_exclude= take True or"
                f" names for {name!r}, not {inner!r}."
            )


def _merge(one: t.Any, other: t.Any) -> t.Any:
    """Two parts of an option as one, of which ``True`` says the most."""
    if one is True or other is True:
        return True
    shared = {key: _merge(one[key], other[key]) for key in one.keys() & other.keys()}
    return {**one, **other, **shared}
