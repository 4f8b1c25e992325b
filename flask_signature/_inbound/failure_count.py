"""How many errors Pydantic may build for the values of an input.

A core schema goes in, numbers come out; the bound on errors asks for them.
"""

from __future__ import annotations

import typing as t

from .._types.adapters import VALUE_KEYS

#: How many levels are counted of a schema that contains itself.
RECURSIVE: t.Final = 50

#: How often the values of a union are counted, two choices of which contain the union:
#: each level of an input may double the errors of those below.
RECURSIVE_CHOICES: t.Final = 200


class FailureCount(t.NamedTuple):
    """At most so many errors are built, one at least.

    Each required field of an object may be missing, and each choice of a union may have
    as many errors as it would have alone.

    :param of_value: for a value, without what is inside of it.
    :param on_path: for a value and for each that it is in.
    """

    of_value: int
    on_path: int


def count_failures(schema: t.Any) -> FailureCount:
    """The errors of the values that a schema describes."""
    on_path = _Counter(lambda own, inner: own + inner, RECURSIVE).count(schema)
    return FailureCount(_Counter(max, 1).count(schema), on_path)


class _Counter:
    """Counts the failures of schemas, those of each definition once.

    :param combine: the errors of an object and those of what is inside of it.
    :param recursive: how often those of a schema count that contains itself.
    """

    def __init__(self, combine: t.Callable[[int, int], int], recursive: int) -> None:
        self._combine = combine
        self._recursive = recursive
        self._definitions: dict[str, t.Any] = {}
        self._known: dict[str, tuple[int, int]] = {}
        #: How often a schema was met inside of itself.
        self._cycles = 0

    def count(self, schema: t.Any) -> int:
        """The failures of a schema, or of the schemas in a part of one."""
        if isinstance(schema, (list, tuple)):
            return max(map(self.count, schema), default=1)
        if not isinstance(schema, dict):
            return 1
        kind = schema.get("type")
        if kind == "definition-ref":
            return self._reference(schema["schema_ref"])
        if kind == "definitions":
            own = {item["ref"]: item for item in schema["definitions"]}
            self._definitions.update(own)
            return self.count(schema["schema"])
        if kind == "union":
            return self._union(schema["choices"])
        # The choices of a tagged union have tags for keys, and no type.
        parts = [
            part
            for key, part in schema.items()
            if kind is None or key not in VALUE_KEYS
        ]
        inner = max(map(self.count, parts), default=1)
        return self._combine(_count_required(schema), inner)

    def _union(self, choices: t.Iterable[t.Any]) -> int:
        failures, cyclic = 0, 0
        for choice in choices:
            before = self._cycles
            failures += self.count(choice)
            cyclic += self._cycles > before
        return failures * RECURSIVE_CHOICES if cyclic > 1 else failures

    def _reference(self, ref: str) -> int:
        if ref not in self._known:
            # What it is counted as inside of itself.
            self._known[ref] = (1, 1)
            before = self._cycles
            failures = self.count(self._definitions[ref])
            is_cyclic = self._cycles > before
            self._cycles = before
            factor = self._recursive if is_cyclic else 1
            self._known[ref] = (failures * factor, int(is_cyclic))
        failures, cycles = self._known[ref]
        self._cycles += cycles
        return failures


def _count_required(schema: t.Any) -> int:
    """The fields of an object that may be missing."""
    fields = schema.get("fields") or schema.get("arguments_schema") or ()
    if isinstance(fields, dict):
        fields = fields.values()
    kinds = [item["schema"]["type"] for item in fields if "schema" in item]
    return sum(kind != "default" for kind in kinds)
