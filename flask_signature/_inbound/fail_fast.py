"""A bound on the errors that Pydantic builds for large input.

An adapter goes in, the validator for an input of some size comes out.
"""

from __future__ import annotations

import inspect
import typing as t

from pydantic_core import SchemaValidator
from pydantic_core import core_schema

from .._once import Once
from .._types.adapters import VALUE_KEYS

if t.TYPE_CHECKING:
    from .._types.adapters import Adapter

#: At most so many errors are built, although a hundred are sent. Each costs about a
#: kilobyte and four microseconds.
MAX_BUILT_ERRORS: t.Final = 50_000

#: Bytes of the shortest item of a list, with its separator: ``a&`` in a form.
SHORTEST_ITEM: t.Final = 2

#: Bytes of input that can't have too many errors, whatever the type.
ALWAYS_SMALL: t.Final = 1_000

#: The schemas whose items may fail one after the other.
LIST_SCHEMAS: t.Final = frozenset(
    kind
    for kind in ("list", "set", "frozenset", "tuple", "dict")
    if "fail_fast"
    in inspect.signature(getattr(core_schema, f"{kind}_schema")).parameters
)


class FailFastValidator:
    """The validators of an adapter: one for small input, one for large.

    The one for large input leaves a list at its first item that fails, which bounds the
    errors that are built. It is built for the first large input.

    :param adapter: whose own validator is the one for small input.
    """

    __slots__ = ("_fail_fast", "_small_size", "adapter")

    def __init__(self, adapter: Adapter) -> None:
        self.adapter: Adapter = adapter
        self._small_size: int | None = None
        self._fail_fast = Once(self._build)

    def for_size(self, size: int) -> t.Any:
        """The validator of an input.

        :param size: of the input in bytes.
        """
        if size <= ALWAYS_SMALL:
            return self.adapter.validator
        small_size = self._small_size
        if small_size is None:
            errors = max_errors_per_item(self.adapter.core_schema)
            small_size = self._small_size = SHORTEST_ITEM * MAX_BUILT_ERRORS // errors
        return self.adapter.validator if size <= small_size else self._fail_fast()

    def _build(self) -> SchemaValidator:
        return build_validator(with_fail_fast(self.adapter.core_schema))


def max_errors_per_item(schema: t.Any) -> int:
    """How many errors one item of a list may have: the fields of the largest model.

    In a union, each member may have as many. It is one at least.
    """
    if isinstance(schema, (list, tuple)):
        return max(map(max_errors_per_item, schema), default=1)
    if not isinstance(schema, dict):
        return 1
    parts = [part for name, part in schema.items() if name not in VALUE_KEYS]
    inner = max(map(max_errors_per_item, parts), default=1)
    fields = schema.get("fields") or schema.get("arguments_schema") or ()
    choices = schema.get("choices") or (None,)
    return max(inner * len(choices), len(fields))


def with_fail_fast(schema: t.Any) -> t.Any:
    """The schema with ``fail_fast`` for all lists in it."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(map(with_fail_fast, schema))
    if not isinstance(schema, dict):
        return schema
    changed = {
        name: part if name in VALUE_KEYS else with_fail_fast(part)
        for name, part in schema.items()
    }
    if schema.get("type") in LIST_SCHEMAS:
        changed["fail_fast"] = True
    return changed


def build_validator(schema: t.Any) -> SchemaValidator:
    """The validator of a schema."""
    try:
        # Not documented, but nothing public keeps Pydantic from taking the validators
        # that its models have already, which don't fail fast.
        return SchemaValidator(schema, _use_prebuilt=False)
    except TypeError:
        # Earlier versions of Pydantic have no such argument, and do so anyway.
        return SchemaValidator(schema)
