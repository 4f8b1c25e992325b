"""A bound on what Pydantic builds for a request that it refuses.

An adapter goes in; what comes out validates an input with it, or with one that fails
fast if the input is large.
"""

from __future__ import annotations

import typing as t
from threading import Lock

from .._types.decimals import input_schema
from .._types.decimals import validator_of
from .bounds import Bounds
from .fail_fast import fail_fast_schema
from .failure_count import FailureCount
from .failure_count import count_failures
from .observed import calls_unobserved
from .stop import validate_fail_fast

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from .._types.adapters import Adapter
    from .failures import Parts

#: At most so many errors are built. Each takes about a kilobyte, and four microseconds.
MAX_BUILT_ERRORS: t.Final = 2_500

#: At most so many bytes are copied into errors, those of keys aside.
MAX_COPIED: t.Final = 150_000

#: The same of keys, which are in each error of a value below them.
MAX_COPIED_KEYS: t.Final = 5_000_000

#: The bytes of a JSON input of which a part may be copied into errors at all. A copy
#: takes up to fifty times as many.
MAX_DETAILED: t.Final = 100_000

#: The errors that may be built for the fields of an object and what is in them.
MAX_ERRORS: t.Final = 200

#: Held while a validator is built, which happens once or twice for each.
_LOCK: t.Final = Lock()


class BoundedValidator:
    """The validators of an adapter: one for small input, others for large.

    All give the same values. Those for large input are built when first needed.

    :param adapter: whose own validator is the one for small input.
    :param path_length: of the names that lead to an argument in the input.
    :ivar small_size: the bytes of an input that is validated by the adapter as it is,
        whatever it holds; zero until the first input.
    """

    __slots__ = ("_failures", "_known", "_path_length", "adapter", "small_size")

    def __init__(self, adapter: Adapter, path_length: int = 0) -> None:
        self.adapter: Adapter = adapter
        self._path_length = path_length
        self.small_size: int = 0
        self._failures: FailureCount | None = None
        self._known: dict[Bounds, t.Any] | None = None

    def validate_json(self, data: bytes) -> t.Any:
        """What a body holds.

        :raises ValidationError: if it does not fit.
        """
        size = len(data)
        if (
            size <= self.small_size
            or self._is_small(size)
            or not self._is_large(1 + data.count(b","), size)
        ):
            return self.adapter.validator.validate_json(data)
        max_errors = 0 if size > MAX_DETAILED else MAX_ERRORS
        return self._validate_large(max_errors, lambda v: v.validate_json(data))

    def validate_parts(self, parts: Parts, size: float) -> t.Any:
        """What the parts of a request hold besides a JSON body.

        :param size: of the request in bytes, as far as it may hold many values.
        :raises ValidationError: if they do not fit.
        """
        if (
            size <= self.small_size
            or self._is_small(size)
            or not self._is_large(_count_values(parts), size)
        ):
            return self.adapter.validator.validate_python(parts, strict=False)
        return self._validate_large(
            MAX_ERRORS, lambda v: v.validate_python(parts, strict=False)
        )

    def _is_small(self, size: float) -> bool:
        """Whether an input can't have too many errors, whatever it holds.

        :param size: in bytes; larger than what is known to be small.
        """
        if self._failures is None:
            self._failures = _count(self.adapter.core_schema)
            # A value takes two bytes at least, with its comma.
            small = 2 * MAX_BUILT_ERRORS // self._failures.of_value
            longest = int((2 * MAX_COPIED_KEYS) ** 0.5)
            self.small_size = min(small, longest) if self._failures.has_keys else small
        return size <= self.small_size

    def _is_large(self, values: int, size: float) -> bool:
        """Whether an input may have too many errors.

        :param values: in it that follow a comma, and the first. Others stand in a value
            of their own.
        :param size: in bytes.
        """
        failures = self._failures
        assert failures is not None
        errors = failures.on_path * (size // 2 if failures.splits else values)
        return (
            errors > MAX_BUILT_ERRORS
            or size * failures.on_path > MAX_COPIED
            or (failures.has_keys and size * errors > MAX_COPIED_KEYS)
        )

    def _validate_large(
        self, max_errors: int, validate: Callable[[t.Any], t.Any]
    ) -> t.Any:
        """What validators make of an input that may have too many errors.

        :param validate: calls one with the input.
        """
        bounds = Bounds(max_errors, path_length=self._path_length)
        never_stops = bounds._replace(max_errors=MAX_ERRORS, may_stop=False)
        return validate_fail_fast(
            lambda: validate(self._validator(bounds)),
            otherwise=lambda: validate(self._validator(never_stops)),
        )

    def _validator(self, bounds: Bounds) -> t.Any:
        """The validator that keeps within bounds."""
        known = self._known or {}
        if bounds not in known:
            with _LOCK:
                known = self._known or {}
                if bounds not in known:
                    known = {**known, bounds: self._build(bounds)}
                    self._known = known
        return known[bounds]

    def _build(self, bounds: Bounds) -> t.Any:
        original = input_schema(self.adapter.core_schema)
        if calls_unobserved(original):
            bounds = bounds._replace(max_errors=MAX_ERRORS, may_stop=False)
        try:
            schema = fail_fast_schema(original, bounds)
        except RecursionError:
            # Models that are nested deeper than Python can call functions.
            return self.adapter.validator
        return validator_of(schema)


def _count(schema: t.Any) -> FailureCount:
    try:
        return count_failures(schema)
    except RecursionError:
        return FailureCount()


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
