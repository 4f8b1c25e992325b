"""How many errors Pydantic may build for the values of an input.

A core schema goes in, numbers come out; the bound on errors asks for them.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from .._types.core_schemas import CALLS
from .._types.core_schemas import OBJECTS
from .._types.core_schemas import Definitions
from .._types.core_schemas import choices_of
from .._types.core_schemas import definitions_in
from .._types.core_schemas import fields_of
from .._types.core_schemas import inner_of
from .._types.core_schemas import parts_of

#: How many levels are counted of a schema that contains itself, for each value and for
#: each path to one.
RECURSIVE: t.Final = (8, 50)

#: How often the values of a union are counted, two choices of which contain the union:
#: each level of an input may double the errors of those below.
RECURSIVE_CHOICES: t.Final = 200

#: The characters of a message that are as long as an error without one.
LONG_MESSAGE: t.Final = 500

#: The schemas that may make many values of a string.
SPLITTING: t.Final = frozenset({"json", "function-before", "function-plain"})


class FailureCount(t.NamedTuple):
    """At most so many errors are built, one at least.

    Each required field of an object may be missing, and each choice of a union may have
    as many errors as it would have alone. An error with a long message counts as more.

    :param of_value: for a value, without what is inside of it.
    :param on_path: for a value and for each that it is in.
    :param has_keys: whether keys may be of any length, which are in each error.
    :param splits: whether a string may become many values.
    """

    of_value: int = 1
    on_path: int = 1
    has_keys: bool = False
    splits: bool = False


def count_failures(schema: t.Any) -> FailureCount:
    """The errors of the values that a schema describes."""
    definitions = Definitions(definitions_in(schema))
    counter = _Counter(definitions)
    kinds = {part["type"] for part in parts_of(schema)}
    return FailureCount(
        *counter.count(schema),
        has_keys="dict" in kinds,
        splits=not kinds.isdisjoint(SPLITTING),
    )


@dataclass(slots=True)
class _Known:
    """What is counted of a definition.

    :param cycles: whether it was met inside of itself.
    """

    failures: tuple[int, int]
    cycles: int


class _Counter:
    """Counts the failures of schemas, those of each definition once."""

    def __init__(self, definitions: Definitions) -> None:
        self._known: dict[str, _Known] = {}
        #: How often a schema was met inside of itself.
        self._cycles = 0
        for ref in definitions.in_order():
            self._cycles = 0
            of_value, on_path = self.count(definitions[ref])
            if self._cycles:
                of_value, on_path = of_value * RECURSIVE[0], on_path * RECURSIVE[1]
            self._known[ref] = _Known((of_value, on_path), min(self._cycles, 1))
        self._cycles = 0

    def count(self, schema: t.Any) -> tuple[int, int]:
        """The failures of a value, and of the values on the path to one."""
        kind = schema["type"]
        if kind == "definition-ref":
            known = self._known.get(schema["schema_ref"], _Known((1, 1), 1))
            self._cycles += known.cycles
            return known.failures
        if kind == "union":
            return self._union(choices_of(schema))
        found = [self.count(part) for part in inner_of(schema)]
        own = _count_required(schema) + _length_of_message(schema) // LONG_MESSAGE
        return (
            max([1, own, *(of_value for of_value, _ in found)]),
            own + max((on_path for _, on_path in found), default=1),
        )

    def _union(self, choices: t.Iterable[t.Any]) -> tuple[int, int]:
        of_value, on_path, cyclic = 0, 0, 0
        for choice in choices:
            before = self._cycles
            found = self.count(choice)
            of_value, on_path = of_value + found[0], on_path + found[1]
            cyclic += self._cycles > before
        factor = RECURSIVE_CHOICES if cyclic > 1 else 1
        return of_value * factor, on_path * factor


def _count_required(schema: t.Any) -> int:
    """The fields of an object that may be missing, and the items of a tuple."""
    if schema["type"] in OBJECTS | CALLS:
        kinds = [field["schema"]["type"] for _, field in fields_of(schema)]
        return sum(kind != "default" for kind in kinds)
    if schema["type"] == "tuple":
        return len(schema["items_schema"]) - ("variadic_item_index" in schema)
    return 0


def _length_of_message(schema: t.Any) -> int:
    """The characters of what an error says that was expected."""
    kind = schema["type"]
    if kind == "literal":
        return len(str(schema["expected"]))
    if kind == "enum":
        return len(str(schema["members"]))
    if kind == "tagged-union":
        return len(str([*schema["choices"]]))
    return len(str(schema.get("pattern") or ""))
