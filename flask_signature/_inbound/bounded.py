"""A bound on what Pydantic builds for a request that it refuses.

An adapter goes in; what comes out validates an input with it, or with one that fails
fast if the input is large.
"""

from __future__ import annotations

import typing as t
from functools import partial
from threading import Lock

from pydantic_core import SchemaValidator

from .fail_fast import MAX_ERRORS
from .fail_fast import fail_fast_schema
from .failure_count import FailureCount
from .failure_count import count_failures
from .stop import validate_fail_fast

if t.TYPE_CHECKING:
    from .._types.adapters import Adapter
    from .failures import Parts

#: At most so many errors are built. Each takes about a kilobyte, and four microseconds.
MAX_BUILT_ERRORS: t.Final = 2_500

#: At most so many bytes of strings are copied into errors.
MAX_COPIED: t.Final = 1_000_000

#: The bytes of a JSON input of which a part may be copied into errors at all. A copy
#: takes up to fifty times as many.
MAX_DETAILED: t.Final = 200_000

#: Held while a validator is built, which happens once or twice for each.
_LOCK: t.Final = Lock()


class BoundedValidator:
    """The validators of an adapter: one for small input, two for large.

    All give the same values. Those for large input are built when first needed.

    :param adapter: whose own validator is the one for small input.
    """

    __slots__ = ("_fail_fast", "_failures", "_small_size", "adapter")

    def __init__(self, adapter: Adapter) -> None:
        self.adapter: Adapter = adapter
        self._small_size = 0
        self._failures: FailureCount | None = None
        self._fail_fast: dict[int, SchemaValidator] | None = None

    def validate_json(self, data: bytes) -> t.Any:
        """What a body holds.

        :raises ValidationError: if it does not fit.
        """
        size = len(data)
        ordinary = self.adapter.validator.validate_json
        if self._is_small(size) or not self._is_large(1 + data.count(b","), size):
            return ordinary(data)
        validator = self._fail_fast_validator(0 if size > MAX_DETAILED else MAX_ERRORS)
        return validate_fail_fast(validator.validate_json, ordinary, data)

    def validate_parts(self, parts: Parts, size: float) -> t.Any:
        """What the parts of a request hold besides a JSON body.

        :param size: of the request in bytes, as far as it may hold many values.
        :raises ValidationError: if they do not fit.
        """
        ordinary = self.adapter.validator.validate_python
        if self._is_small(size) or not self._is_large(_count_values(parts), 0):
            return ordinary(parts, strict=False)
        validator = self._fail_fast_validator(MAX_ERRORS)
        fail_fast = partial(validator.validate_python, strict=False)
        return validate_fail_fast(fail_fast, partial(ordinary, strict=False), parts)

    def _is_small(self, size: float) -> bool:
        """Whether an input can't have too many errors, whatever it holds.

        :param size: in bytes.
        """
        if size <= self._small_size:
            return True
        if self._failures is None:
            self._failures = count_failures(self.adapter.core_schema)
            # A value takes two bytes at least, with its comma.
            self._small_size = 2 * MAX_BUILT_ERRORS // self._failures.of_value
        return size <= self._small_size

    def _is_large(self, values: int, copied: int) -> bool:
        """Whether an input may have too many errors.

        :param values: in it that follow a comma, and the first. Others stand in a value
            of their own.
        :param copied: bytes that may be copied into each error.
        """
        assert self._failures is not None
        failures = self._failures.on_path
        return values * failures > MAX_BUILT_ERRORS or copied * failures > MAX_COPIED

    def _fail_fast_validator(self, max_errors: int) -> SchemaValidator:
        """The validator that builds at most so many errors for an object."""
        known = self._fail_fast or {}
        if max_errors not in known:
            with _LOCK:
                known = self._fail_fast or {}
                if max_errors not in known:
                    known = {**known, max_errors: self._build(max_errors)}
                    self._fail_fast = known
        return known[max_errors]

    def _build(self, max_errors: int) -> SchemaValidator:
        schema = fail_fast_schema(self.adapter.core_schema, max_errors=max_errors)
        # Nothing public keeps Pydantic from taking the validators that its models have
        # already, which do not fail fast.
        return SchemaValidator(schema, _use_prebuilt=False)


def _count_values(value: t.Any) -> int:
    """The values of an input; of a large one, at least as many as it may have."""
    if isinstance(value, dict):
        value = [*value.values()]
    if not isinstance(value, list) or len(value) > MAX_BUILT_ERRORS:
        return len(value) if isinstance(value, list) else 1
    count = 1
    for item in value:
        count += _count_values(item)
        if count > MAX_BUILT_ERRORS:
            break
    return count
