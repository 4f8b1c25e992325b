"""Looking through the core schema that Pydantic makes of a type."""

from __future__ import annotations

import typing as t

#: The parts of a core schema that hold values, and no schemas.
VALUES: t.Final = frozenset(
    {"cls", "config", "default", "expected", "metadata", "serialization"}
)

#: What may hold a schema.
NESTED: t.Final = (dict, list, tuple)


def find_generator(schema: t.Any) -> tuple[str, ...] | None:
    """The names of the fields that lead to a generator, ``None`` if there is none.

    ``Iterable[int]`` gives ``()``, a model with such a field ``("numbers",)``.

    Source: ``pydantic_core.core_schema.generator_schema``.
    """
    waiting: list[tuple[t.Any, tuple[str, ...]]] = [(schema, ())]
    seen: set[int] = set()
    while waiting:
        part, path = waiting.pop()
        if not isinstance(part, dict):
            waiting += [(item, path) for item in part if isinstance(item, NESTED)]
            continue
        # Models may share a schema, which is looked at once.
        if id(part) in seen:
            continue
        seen.add(id(part))
        kind = part.get("type")
        if kind == "generator":
            return path
        if kind == "dataclass-field":
            path = (*path, part["name"])
        for key, inner in part.items():
            # The choices of a tagged union have no kind, and tags for keys.
            if not isinstance(inner, NESTED) or (kind is not None and key in VALUES):
                continue
            if key == "fields" and isinstance(inner, dict):
                waiting += [(field, (*path, name)) for name, field in inner.items()]
            else:
                waiting.append((inner, path))
    return None
