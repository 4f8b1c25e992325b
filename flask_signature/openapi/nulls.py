"""Null in schemas: where it fits, and schemas without it."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from .schemas import JsonObject
    from .schemas import Schemas


def without_null(
    schema: JsonObject, schemas: Schemas, seen: frozenset[str] = frozenset()
) -> JsonObject:
    """A schema for text, which has no null: what ``None`` means is leaving it out.

    :param seen: the references on the way here, for a type may hold itself.
    """
    reference = schema.get("$ref", "")
    if reference in seen:
        return schema
    seen = seen | {reference} - {""}
    plain = schemas.resolve(schema) if accepts_null(schema, schemas) else schema
    plain = dict(plain)
    if plain.get("default", ...) is None:
        del plain["default"]
    if "items" in plain:
        plain["items"] = without_null(plain["items"], schemas, seen)
    if "enum" in plain:
        plain["enum"] = [value for value in plain["enum"] if value is not None]
    for key in ("anyOf", "oneOf"):
        if key in plain:
            members = [
                without_null(member, schemas, seen)
                for member in plain.pop(key)
                if member.get("type") != "null"
            ]
            plain = _with_members(plain, key, members)
    return plain


def accepts_null(
    schema: JsonObject, schemas: Schemas, seen: frozenset[str] = frozenset()
) -> bool:
    """Whether a schema says that null fits.

    :param seen: as for :func:`without_null`.
    """
    reference = schema.get("$ref", "")
    if reference in seen:
        return False
    seen = seen | {reference} - {""}
    plain = schemas.resolve(schema)
    if plain.get("type") == "null" or None in plain.get("enum", ()):
        return True
    members = [*plain.get("anyOf", ()), *plain.get("oneOf", ())]
    return any(accepts_null(member, schemas, seen) for member in members)


def _with_members(
    schema: JsonObject, key: str, members: list[JsonObject]
) -> JsonObject:
    if len(members) == 1:
        return {**members[0], **schema}
    return {**schema, key: members} if members else schema
