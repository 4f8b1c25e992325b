"""The part of the ``loc`` of an error that a response model names.

A core schema goes in; the report of a failed response asks for what may be logged. The
keys of a dictionary are values: of ``dict[str, int]``, they may be addresses of users.
"""

from __future__ import annotations

import re
import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Stands for the key of a dictionary.
HIDDEN: t.Final = "..."

#: What Pydantic adds to the ``loc`` of a key that is wrong itself.
MAPPING_KEY: t.Final = "[key]"

#: The member of a union that is no class: ``list[int]``, ``dict[str,Item]``.
LABEL: t.Final = re.compile(r"[\w-]+\[.+\]")

#: The keys of a core schema that hold other names than those of fields.
UNNAMED: t.Final = frozenset({"config", "metadata"})


class DeclaredNames:
    """The names and aliases of fields, and what tells the members of a union apart.

    Source: ``pydantic_core.core_schema``.
    """

    def __init__(self, schema: t.Any) -> None:
        self._names = {MAPPING_KEY}
        self._has_numbers = False
        waiting, seen = [schema], set[int]()
        while waiting:
            part = waiting.pop()
            if isinstance(part, dict) and id(part) not in seen:
                seen.add(id(part))
                self._names.update(_member_names(part))
                self._has_numbers |= _may_have_number(part)
                waiting += [part[key] for key in part.keys() - UNNAMED]
            elif isinstance(part, (list, tuple)):
                waiting += part

    def show(self, loc: Iterable[str | int]) -> list[str | int]:
        """A ``loc`` with ``"..."`` for each key of a dictionary."""
        return [part if self._is_declared(part) else HIDDEN for part in loc]

    def _is_declared(self, part: str | int) -> bool:
        if isinstance(part, int):
            # An index, unless there are dictionaries whose keys may be numbers.
            return not self._has_numbers
        if part in self._names:
            return True
        words = re.findall(r"\w+", part)
        return LABEL.fullmatch(part) is not None and self._names.issuperset(words)


def _member_names(part: Mapping[str, t.Any]) -> Iterator[str]:
    """The names that one part of a core schema has by itself."""
    kind, cls = part.get("type"), part.get("cls")
    if isinstance(kind, str):
        yield from (kind, f"constrained-{kind}", *kind.split("-"))
    if isinstance(cls, type):
        yield cls.__name__
    for key in ("fields", "choices"):
        yield from (name for name in part.get(key) or () if isinstance(name, str))
    waiting = [part.get(key) for key in ("name", "validation_alias")]
    while waiting:
        alias = waiting.pop()
        if isinstance(alias, str):
            yield alias
        elif isinstance(alias, list):
            waiting += alias


def _may_have_number(part: Mapping[str, t.Any]) -> bool:
    """Whether a part is a dictionary whose keys may be numbers."""
    is_mapping = "values_schema" in part or part.get("type") == "dict"
    return is_mapping and part.get("keys_schema", {}).get("type") != "str"
