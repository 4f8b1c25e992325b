"""Components of a document: schemas that others refer to; null in them, and unions."""

from __future__ import annotations

import typing as t
from collections import Counter

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .objects import JsonObject

REFERENCE_PREFIX: t.Final = "#/components/schemas/"


def affected(components: Mapping[str, JsonObject], changed: set[str]) -> set[str]:
    """The components that changed, and those that refer to one that did."""
    uses = {name: set(references(schema)) for name, schema in components.items()}
    found = set(changed)
    while more := {name for name in uses if not uses[name].isdisjoint(found)} - found:
        found |= more
    return found


def renamed(value: t.Any, names: Mapping[str, str]) -> t.Any:
    """A part of a document with other names in its references.

    :param names: new names by old.
    """
    if isinstance(value, str) and value.startswith(REFERENCE_PREFIX):
        name = component_name(value)
        return REFERENCE_PREFIX + names.get(name, name)
    if isinstance(value, dict):
        return {key: renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return value


def resolve_component(
    schema: JsonObject, components: Mapping[str, JsonObject]
) -> JsonObject:
    """A schema without a reference at its top; what stands beside it is kept."""
    while component_name(schema.get("$ref", "")) in components:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**components[component_name(schema["$ref"])], **beside}
    return schema


def component_name(reference: str) -> str:
    """``"#/components/schemas/Item"`` gives ``"Item"``."""
    return reference.removeprefix(REFERENCE_PREFIX)


def references(value: t.Any) -> Iterator[str]:
    """The names of the components that a part of a document refers to."""
    if isinstance(value, str):
        if value.startswith(REFERENCE_PREFIX):
            yield component_name(value)
        return
    items: t.Iterable[t.Any] = ()
    if isinstance(value, dict):
        items = value.values()
    elif isinstance(value, list):
        items = value
    for item in items:
        yield from references(item)


def reachable(components: Mapping[str, JsonObject], root: t.Any) -> JsonObject:
    """The components that a document needs, in the order of their names."""
    needed: set[str] = set()
    waiting = list(references(root))
    while waiting:
        name = waiting.pop()
        if name in components and name not in needed:
            needed.add(name)
            waiting += references(components[name])
    return {name: components[name] for name in sorted(needed)}


def without_shared_titles(components: Mapping[str, JsonObject]) -> JsonObject:
    """The components without the titles that several of them have.

    Pydantic's title of a model is the name of its class, and that of its two schemas,
    ``Item-Input`` and ``Item-Output``. Generators of clients name classes by titles and
    leave out the second one of a name. Without a title they take the component's name.
    """
    titles = Counter(schema.get("title") for schema in components.values())
    return {
        name: {
            key: value
            for key, value in schema.items()
            if key != "title" or titles[value] == 1
        }
        for name, schema in components.items()
    }


def any_of(schemas: Iterable[JsonObject]) -> JsonObject:
    """The schema of what fits any of several, with each alternative once."""
    distinct: list[JsonObject] = []
    for schema in schemas:
        alternatives = schema["anyOf"] if schema.keys() == {"anyOf"} else [schema]
        distinct += [item for item in alternatives if item not in distinct]
    if {} in distinct:
        return {}
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def without_null(
    schema: JsonObject,
    components: Mapping[str, JsonObject],
    seen: frozenset[str] = frozenset(),
) -> JsonObject:
    """A schema for a string of a request, where null is to leave the value out.

    :param components: of the document, by name.
    :param seen: the references on the way here, since a type may contain itself.
    """
    reference = schema.get("$ref", "")
    if reference in seen:
        return schema
    seen = seen | {reference} - {""}
    plain = (
        resolve_component(schema, components)
        if accepts_null(schema, components)
        else schema
    )
    plain = dict(plain)
    if plain.get("default", ...) is None:
        del plain["default"]
    if "items" in plain:
        plain["items"] = without_null(plain["items"], components, seen)
    if "enum" in plain:
        plain["enum"] = [value for value in plain["enum"] if value is not None]
    for key in ("anyOf", "oneOf"):
        if key in plain:
            members = [
                without_null(member, components, seen)
                for member in plain.pop(key)
                if member.get("type") != "null"
            ]
            plain = _with_members(plain, key, members)
    return plain


def accepts_null(
    schema: JsonObject,
    components: Mapping[str, JsonObject],
    seen: frozenset[str] = frozenset(),
) -> bool:
    """Whether a schema accepts null.

    :param seen: as for :func:`without_null`.
    """
    reference = schema.get("$ref", "")
    if reference in seen:
        return False
    seen = seen | {reference} - {""}
    plain = resolve_component(schema, components)
    if plain.get("type") == "null" or None in plain.get("enum", ()):
        return True
    members = [*plain.get("anyOf", ()), *plain.get("oneOf", ())]
    return any(accepts_null(member, components, seen) for member in members)


def _with_members(
    schema: JsonObject, key: str, members: list[JsonObject]
) -> JsonObject:
    if len(members) == 1:
        return {**members[0], **schema}
    return {**schema, key: members} if members else schema
