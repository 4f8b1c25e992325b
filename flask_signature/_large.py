"""Large input that may not fit in a very large number of ways."""

from __future__ import annotations

import inspect
import typing as t

from pydantic_core import SchemaValidator
from pydantic_core import core_schema

from ._once import Once
from ._types.adapters import VALUES

if t.TYPE_CHECKING:
    from pydantic import TypeAdapter

#: So many failures may be looked for, although a hundred are answered: Pydantic builds
#: all of them, at about a kilobyte and four microseconds each.
MOST_FAILURES: t.Final = 50_000

#: The shortest item of a list, with what separates it: ``a&`` in a form.
SHORTEST_ITEM: t.Final = 2

#: No list of this many bytes can fail too often, whatever its items are.
ALWAYS_SMALL: t.Final = 1_000

#: The schemas whose items may fail one after the other.
LISTS: t.Final = frozenset(
    kind
    for kind in ("list", "set", "frozenset", "tuple", "dict")
    if "fail_fast"
    in inspect.signature(getattr(core_schema, f"{kind}_schema")).parameters
)


class Large:
    """Validates what is large, and leaves a list at its first item that does not fit.

    All other input is told everything that is wrong with it. The validator is built by
    the first large input: most views never see any.

    :param adapter: validates everything else.
    """

    def __init__(self, adapter: TypeAdapter[t.Any]) -> None:
        self._adapter = adapter
        self._most: int | None = None
        self._leaving_early = Once(self._build)

    def validator(self, size: int) -> t.Any:
        """The validator of an input.

        :param size: of the input in bytes.
        """
        if size <= ALWAYS_SMALL:
            return self._adapter.validator
        most = self._most
        if most is None:
            failures = failures_of(self._adapter.core_schema)
            most = self._most = SHORTEST_ITEM * MOST_FAILURES // failures
        return self._adapter.validator if size <= most else self._leaving_early()

    def _build(self) -> SchemaValidator:
        return build_validator(leave_early(self._adapter.core_schema))


def failures_of(schema: t.Any) -> int:
    """In how many ways one item can fail, at most: the fields of the largest model.

    Each member of a union may fail in its own ways. It is one, at least.
    """
    if isinstance(schema, (list, tuple)):
        return max(map(failures_of, schema), default=1)
    if not isinstance(schema, dict):
        return 1
    inner = max(map(failures_of, _schemas_in(schema)), default=1)
    fields = schema.get("fields") or schema.get("arguments_schema") or ()
    choices = schema.get("choices") or (None,)
    return max(inner * len(choices), len(fields))


def leave_early(schema: t.Any) -> t.Any:
    """The schema with ``fail_fast`` for all lists in it."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(map(leave_early, schema))
    if not isinstance(schema, dict):
        return schema
    changed = {
        name: part if name in VALUES else leave_early(part)
        for name, part in schema.items()
    }
    if schema.get("type") in LISTS:
        changed["fail_fast"] = True
    return changed


def _schemas_in(schema: dict[str, t.Any]) -> t.Iterator[t.Any]:
    return (part for name, part in schema.items() if name not in VALUES)


def build_validator(schema: t.Any) -> SchemaValidator:
    """The validator of a schema."""
    try:
        # Not documented, but there is no other way to keep Pydantic from taking the
        # validators that its models have already, which don't leave early.
        return SchemaValidator(schema, _use_prebuilt=False)
    except TypeError:
        # Earlier versions of Pydantic don't take them.
        return SchemaValidator(schema)
