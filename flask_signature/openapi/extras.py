"""Parts of a document that the author writes, where a type may stand for its schema."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from .._types.adapters import type_adapter
from ..params import is_type

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from .._types.adapters import Adapter
    from .objects import JsonObject, SchemaRequest
    from .schemas import Schemas


class Extras:
    """The adapters of the types that the author wrote where a schema would stand."""

    def __init__(self) -> None:
        # By identity, since a type with metadata may have no hash. The type is kept, or
        # another could get its identity.
        self._known: dict[int, tuple[t.Any, Adapter]] = {}

    def adapter(self, tp: t.Any) -> Adapter:
        """The adapter of a type, the same each time.

        :raises SignatureError: if Pydantic can't read the type.
        """
        if id(tp) not in self._known:
            self._known[id(tp)] = tp, type_adapter(tp)
        return self._known[id(tp)][1]

    def adapters(self, extra: t.Any) -> Iterator[SchemaRequest]:
        """The adapters of the types in a part that the author wrote."""
        for tp in _types(extra):
            yield self.adapter(tp), "validation"

    def describe(self, extra: t.Any, schemas: Schemas) -> t.Any:
        """A part that the author wrote, with the schemas of the types in it.

        ``{"schema": Item}`` becomes ``{"schema": {"$ref":
        "#/components/schemas/Item"}}``.
        """
        if is_type(extra):
            return schemas.validated(self.adapter(extra))
        if isinstance(extra, Mapping):
            return {
                str(key): schemas.validated(self.adapter(value))
                if _is_schema(key, value)
                else self.describe(value, schemas)
                for key, value in extra.items()
            }
        if isinstance(extra, (list, tuple)):
            return [self.describe(item, schemas) for item in extra]
        return extra


def _types(extra: t.Any) -> Iterator[t.Any]:
    if is_type(extra):
        yield extra
    elif isinstance(extra, Mapping):
        for key, value in extra.items():
            if _is_schema(key, value):
                yield value
            else:
                yield from _types(value)
    elif isinstance(extra, (list, tuple)):
        for item in extra:
            yield from _types(item)


def _is_schema(key: object, value: object) -> bool:
    """Whether a value stands for a schema, whatever kind of type it is."""
    return key == "schema" and not isinstance(value, (Mapping, bool))


def merge(described: JsonObject, extra: Mapping[str, t.Any]) -> JsonObject:
    """An object with the author's additions: objects are merged, lists are joined.

    A schema of another type is replaced, of which nothing can hold.
    """
    merged = dict(described)
    for key, value in extra.items():
        known = merged.get(key)
        if key == "schema" and _is_of_another_type(known, value):
            merged[key] = value
        elif isinstance(known, dict) and isinstance(value, Mapping):
            merged[key] = merge(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            merged[key] = known + value
        else:
            merged[key] = value
    return merged


def _is_of_another_type(known: t.Any, schema: t.Any) -> bool:
    if not (isinstance(known, Mapping) and isinstance(schema, Mapping)):
        return False
    return "$ref" in schema or schema.get("type", known.get("type")) != known.get(
        "type"
    )
