"""Null in schemas: whether one accepts it, and schemas without it."""

from __future__ import annotations

import typing as t

from .components import resolve

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .objects import JsonObject


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
    plain = resolve(schema, components) if accepts_null(schema, components) else schema
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
    plain = resolve(schema, components)
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
