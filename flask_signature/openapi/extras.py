"""Parts of the document that the author writes, with types where schemas stand."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from .._types.adapters import type_adapter

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import TypeAdapter

    from .schemas import JsonObject
    from .schemas import Schemas
    from .schemas import Wanted


class Extras:
    """The adapters of the types that the author wrote where a schema would stand."""

    def __init__(self) -> None:
        # By identity, for a type with metadata may have no hash; it is kept beside its
        # adapter, or another could get its identity.
        self._known: dict[int, tuple[t.Any, TypeAdapter[t.Any]]] = {}

    def adapter(self, tp: t.Any) -> TypeAdapter[t.Any]:
        """The adapter of a type, the same each time.

        :raises SignatureError: if Pydantic can't read the type.
        """
        if id(tp) not in self._known:
            self._known[id(tp)] = tp, type_adapter(tp)
        return self._known[id(tp)][1]

    def adapters(self, extra: t.Any) -> Iterator[Wanted]:
        """The adapters of the types in a part that the author wrote."""
        for tp in _types(extra):
            yield self.adapter(tp), "validation"


def _types(extra: t.Any) -> Iterator[t.Any]:
    if isinstance(extra, Mapping):
        for key, value in extra.items():
            if _is_type(key, value):
                yield value
            else:
                yield from _types(value)
    elif isinstance(extra, (list, tuple)):
        for item in extra:
            yield from _types(item)


def _is_type(key: object, value: object) -> bool:
    return key == "schema" and not isinstance(value, (Mapping, bool))


def describe_extra(extra: t.Any, schemas: Schemas) -> t.Any:
    """A part that the author wrote, with the schemas of the types in it.

    ``{"schema": Item}`` becomes ``{"schema": {"$ref": "#/components/schemas/Item"}}``.
    """
    if isinstance(extra, Mapping):
        return {
            str(key): schemas.read(schemas.extras.adapter(value))
            if _is_type(key, value)
            else describe_extra(value, schemas)
            for key, value in extra.items()
        }
    if isinstance(extra, (list, tuple)):
        return [describe_extra(item, schemas) for item in extra]
    return extra


def merge(described: JsonObject, extra: Mapping[str, t.Any]) -> JsonObject:
    """An object with what the author adds: objects are merged, lists are joined."""
    merged = dict(described)
    for key, value in extra.items():
        known = merged.get(key)
        if isinstance(known, dict) and isinstance(value, Mapping):
            merged[key] = merge(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            merged[key] = known + value
        else:
            merged[key] = value
    return merged
