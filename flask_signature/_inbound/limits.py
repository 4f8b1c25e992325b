"""What an invalid request may cost: a bound on the errors that Pydantic builds.

An adapter goes in when a view is compiled, a :class:`BoundedValidator` comes out, which
the inbound plan calls. Pydantic builds an error for each value that does not fit, and
copies a part of a JSON input into each. What may have many errors is read by others,
which leave a list at its first item that is wrong:

-   The *exact* one makes the values of Pydantic's own. The *accepting* one is the same,
    but returns :data:`REFUSED_SCHEMA` in place of all errors.
-   The *refusing* one is asked for the errors. It is given Python objects, which errors
    share instead of copying them, and what it makes of them is thrown away. It calls no
    function of an author, and refuses nothing that the exact one accepts.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from threading import Lock

from pydantic_core import PydanticKnownError, core_schema, from_json

from .._errors.entries import ABSENT, MAX_ENTRIES
from .._types.adapters import (
    FUNCTION_SCHEMAS,
    LIST_TYPES,
    OBJECTS,
    WITH_FIELDS,
    choices_of,
    circular_references,
    definitions_in,
    fields_of,
    inner_of,
    input_schema,
    looks_at_errors,
    references_below,
    references_in,
    rewrite_schema,
    schemas_in,
    validator_of,
    without_code,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic_core import SchemaValidator

    from .._types.adapters import Adapter
    from .failures import FailureParts

    #: The accepting validator, the refusing one and the exact one.
    Validators: t.TypeAlias = tuple[SchemaValidator, SchemaValidator, SchemaValidator]

#: At most so many errors are built. Each takes about a kilobyte, and four microseconds.
MAX_BUILT_ERRORS: t.Final = 2_500
#: At most so many bytes are copied into errors, those of keys aside.
MAX_COPIED: t.Final = 150_000
#: The same of keys, which are in each error of a value below them.
MAX_COPIED_KEYS: t.Final = 5_000_000
#: The bytes of a JSON body that is never looked through before it is validated.
MAX_ONCE: t.Final = 500_000
#: The characters of a key in an error, and the schemas of keys that may be cut.
MAX_KEY: t.Final = 10_000
PLAIN_KEYS: t.Final = (None, {"type": "any"}, {"type": "str"})
#: How many levels are counted of a schema that contains itself.
RECURSIVE: t.Final = 50
#: The characters of a message that are as long as an error without one.
LONG_MESSAGE: t.Final = 500
#: The schemas that may make many values of a string.
SPLITTING: t.Final = (FUNCTION_SCHEMAS - {"function-wrap"}) | {"json"}
#: The schemas that may accept :data:`.ABSENT`, and those that do so if one inside does.
OPEN_SCHEMAS: t.Final = frozenset(
    {"any", "bytes", "default", "generator", "is-instance"}
)
TRANSPARENT_SCHEMAS: t.Final = frozenset(
    {"nullable", "function-after", "model", "dataclass", "custom-error", "chain"}
    | {"lax-or-strict", "union"}
)
#: The schemas of fields that are read, unlike computed ones.
FIELDS: t.Final = frozenset({"dataclass-field", "model-field", "typed-dict-field"})
#: The schemas that can't leave at the first item that is wrong.
OTHER_LISTS: t.Final = frozenset({"deque", "ordered-dict", "counter"})
#: What the accepting validator returns for what is wrong.
REFUSED_SCHEMA: t.Final = object()
#: What the refusing validator reads in place of its input.
_input: t.Final[ContextVar[t.Any]] = ContextVar("input")
#: Held while the validators of large input are built: once for each adapter.
LIMITS_LOCK: t.Final = Lock()


class BoundedValidator:
    """An adapter's own validator for small input, others for large, built when needed.

    :param adapter: whose own validator it is.
    :ivar small_size: the bytes of an input that is validated by the adapter as it is,
        whatever it holds.
    """

    __slots__ = ("_failures", "_large", "adapter", "small_size")

    def __init__(self, adapter: Adapter) -> None:
        self.adapter: Adapter = adapter
        self._failures = failures = count_failures(adapter.core_schema)
        self._large: Validators | None = None
        # A value takes two bytes at least, with its comma.
        small = 2 * MAX_BUILT_ERRORS // failures.errors
        self.small_size: int = small // 2 if failures.has_keys else small

    def validate_json(self, data: bytes) -> t.Any:
        """What a body holds.

        :raises ValidationError: if it does not fit.
        """
        size, failures = len(data), self._failures
        if size <= self.small_size or failures.are_few(1 + data.count(b","), size):
            return self.adapter.validator.validate_json(data)
        accepting, _, exact = self._large or self._build()
        if failures.flood and size > MAX_ONCE:
            self._refuse_json(data)
        value = accepting.validate_json(data)
        if value is REFUSED_SCHEMA:
            self._refuse_json(data)
            return exact.validate_json(data)
        return value

    def validate_parts(self, parts: FailureParts, size: float) -> t.Any:
        """What the parts of a request hold besides a JSON body.

        :param size: of the request in bytes, as far as it may hold many values.
        :raises ValidationError: if they do not fit.
        """
        if size <= self.small_size or self._failures.are_few(_count(parts), size):
            return self.adapter.validator.validate_python(parts, strict=False)
        _, refusing, exact = self._large or self._build()
        self._refuse(parts, partial(refusing.validate_python, None))
        return exact.validate_python(parts, strict=False)

    def _refuse_json(self, data: bytes) -> None:
        _, refusing, exact = self._large or self._build()
        try:
            value = from_json(data)
        except ValueError:
            # It is no JSON, which is one error.
            exact.validate_json(data)
            raise
        # What is read, and as what, depends on the validator's own input being JSON.
        self._refuse(value, partial(refusing.validate_json, b"0"))

    def _refuse(self, value: t.Any, validate: Callable[..., t.Any]) -> None:
        """Raise the errors of an input, if the refusing validator finds any.

        It is not strict, since a date in JSON is a string, and in Python none. What it
        overlooks is left to the exact one, with an error for one value or few.
        """
        token = _input.set(value)
        try:
            validate(strict=False)
        finally:
            _input.reset(token)

    def _build(self) -> Validators:
        with LIMITS_LOCK:
            if self._large is None:
                schema = input_schema(self.adapter.core_schema)
                exact = _exact_schema(schema)
                # Errors that a default replaces are never made objects of Python.
                accepting = core_schema.with_default_schema(
                    exact, default=REFUSED_SCHEMA, on_error="default"
                )
                refusing = validator_of(_refusing_schema(schema))
                self._large = validator_of(accepting), refusing, validator_of(exact)
        return self._large


class Failures(t.NamedTuple):
    """How many errors Pydantic may build for the values of a type.

    :param errors: for a value and for each that it is in, at most. One with a long
        message counts as more.
    :param has_keys: whether keys may be of any length, which are in each error.
    :param splits: whether a string may become many values.
    :param flood: whether many may be left of a value that has no list.
    """

    errors: int
    has_keys: bool
    splits: bool
    flood: bool

    def are_few(self, values: int, size: float) -> bool:
        """Whether an input of so many values and bytes has no more than are built."""
        errors = self.errors * (size / 2 if self.splits else values)
        return (
            errors <= MAX_BUILT_ERRORS
            and size * self.errors <= MAX_COPIED
            and not (self.has_keys and size * errors > MAX_COPIED_KEYS)
        )


def count_failures(schema: t.Any) -> Failures:
    """The errors of the values that a schema describes."""
    parts = schemas_in(schema)
    kinds = {part["type"] for part in parts}
    counter, errors = _Counter(parts), 1
    # Models may be nested deeper than Python can call functions.
    with suppress(RecursionError):
        errors = counter.count(schema)
    return Failures(
        errors,
        has_keys="dict" in kinds,
        splits=not kinds.isdisjoint(SPLITTING),
        flood=not kinds.isdisjoint({"union", "arguments", "named-tuple"} | OTHER_LISTS)
        or bool(counter.circular)
        or ("dict" in kinds and errors > 1)
        or any(map(_is_closed, parts)),
    )


class _Counter:
    """Counts the errors of schemas, those of each definition once."""

    def __init__(self, parts: list[t.Any]) -> None:
        self._definitions = definitions_in(parts)
        self.circular = circular_references(references_below(self._definitions))
        self._known: dict[str, int] = {}
        self._is_inside = False

    def count(self, schema: t.Any) -> int:
        """The errors of a value, and of each that it is in."""
        kind = schema["type"]
        if kind == "definition-ref":
            return self._count_definition(schema["schema_ref"])
        if kind == "union":
            choices = choices_of(schema)
            # Two may double the errors at each level of a value.
            is_bounded = sum(_refers(item, self.circular) for item in choices) < 2
            return sum(map(self.count, choices)) if is_bounded else 2 * MAX_BUILT_ERRORS
        own = _count_required(schema) + _length_of_message(schema) // LONG_MESSAGE
        return max(own + max(map(self.count, inner_of(schema)), default=1), 1)

    def _count_definition(self, ref: str) -> int:
        if ref not in self._known:
            # Those of one circle are counted with the outermost.
            is_outer = ref in self.circular and not self._is_inside
            self._known[ref] = 1
            self._is_inside = self._is_inside or is_outer
            found = self.count(self._definitions[ref])
            self._known[ref] = found * RECURSIVE if is_outer else found
            self._is_inside = self._is_inside and not is_outer
        return self._known[ref]


def _count_required(schema: t.Any) -> int:
    """The fields of an object that may be missing, and the items of a tuple."""
    if schema["type"] == "tuple":
        return len(schema["items_schema"]) - ("variadic_item_index" in schema)
    return sum(field["schema"]["type"] != "default" for _, field in fields_of(schema))


def _length_of_message(schema: t.Any) -> int:
    """The characters of what an error says that was expected."""
    if schema["type"] == "tagged-union":
        return len(str([*schema["choices"]]))
    keys = {"literal": "expected", "enum": "members"}
    return len(str(schema.get(keys.get(schema["type"], "pattern")) or ""))


def _count(value: t.Any) -> int:
    """The values of an input; of a large one, at least as many as it may have."""
    items = [*value.values()] if isinstance(value, dict) else value
    if not isinstance(items, list):
        return 1
    count = 1
    for item in items:
        count += _count(item)
        if count > MAX_BUILT_ERRORS:
            break
    return count


def _refers(schema: t.Any, circular: set[str]) -> bool:
    """Whether a schema, or the choice of a union, has one inside that is circular."""
    part = schema[0] if isinstance(schema, tuple) else schema
    return not circular.isdisjoint(references_in(part))


def _exact_schema(schema: t.Any) -> t.Any:
    """The schema that makes the same values, and has few errors."""
    parts = schemas_in(schema)
    definitions = definitions_in(parts)
    below = references_below(definitions)
    circular = circular_references(below)
    kept = {
        ref for part in filter(looks_at_errors, parts) for ref in references_in(part)
    }
    kept = kept.union(*(below[ref] for ref in kept))
    rewritable = {ref: definitions[ref] for ref in definitions.keys() - kept}

    def change(part: t.Any, original: t.Any) -> t.Any:
        if original.get("ref") in kept:
            return original
        if part["type"] in FIELDS:
            return _with_absent(part, rewritable)
        made = _with_few_errors(part, original, circular)
        if part["type"] in FUNCTION_SCHEMAS:
            # It is given an object of Python anyway.
            return core_schema.no_info_before_validator_function(_check_absent, made)
        return made

    return rewrite_schema(schema, change)


def _refusing_schema(schema: t.Any) -> t.Any:
    """The schema that raises the errors of what is in :data:`_input`."""
    definitions = definitions_in(schemas_in(schema))
    circular = circular_references(references_below(definitions))

    def change(part: t.Any, original: t.Any) -> t.Any:
        part = without_code(part)
        kind = part["type"]
        if kind in {"decimal", "fraction"}:
            return core_schema.no_info_before_validator_function(_as_written, part)
        if kind == "dict" and part.get("keys_schema") in PLAIN_KEYS:
            part = {**part, "fail_fast": True}
            return core_schema.no_info_before_validator_function(_with_starts, part)
        if kind in OBJECTS:
            part = _with_single_errors(part, "fields", circular)
        if _is_closed(part):
            return _with_counted_keys(part)
        return _with_few_errors(part, original, circular)

    # The function is what keeps JSON mode without JSON for an input.
    return core_schema.no_info_before_validator_function(
        lambda _: _input.get(), rewrite_schema(schema, change)
    )


def _with_starts(value: t.Any) -> t.Any:
    """The starts of long keys in their place, which are in each error below them."""
    if not isinstance(value, dict) or all(len(key) <= MAX_KEY for key in value):
        return value
    return {
        key if len(key) <= MAX_KEY else f"{key[:MAX_KEY]}{number}": item
        for number, (key, item) in enumerate(value.items())
    }


def _as_written(value: t.Any) -> t.Any:
    """The digits of a number, as Pydantic reads them in JSON: ``1.0`` has one."""
    if type(value) is not float:
        return value
    return int(value) if value.is_integer() else repr(value)


def _with_few_errors(part: t.Any, original: t.Any, circular: set[str]) -> t.Any:
    """A list that is left at its first item that is wrong, and other parts."""
    if part["type"] in LIST_TYPES:
        return {**part, "fail_fast": True}
    if part["type"] == "union":
        return _with_single_errors(part, "choices", circular)
    return original if looks_at_errors(part) else part


def _with_absent(field: t.Any, definitions: Mapping[str, t.Any]) -> t.Any:
    """A field whose absence is an error that holds no copy of the object around."""
    schema = field["schema"]
    implied = field.get("init", field["type"] != "typed-dict-field")
    if not field.get("required", implied) or schema["type"] == "default":
        return field
    if schema["type"] == "any":
        schema = core_schema.no_info_before_validator_function(_check_absent, schema)
    elif not _refuses(schema, definitions):
        return field
    made = {"type": "default", "schema": schema, "validate_default": True}
    changed = {**field, "schema": {**made, "default": ABSENT}}
    return {**changed, "required": False} if "required" in field else changed


def _check_absent(value: t.Any) -> t.Any:
    if value is ABSENT:
        raise PydanticKnownError("missing")
    return value


def _refuses(
    schema: t.Any, definitions: Mapping[str, t.Any], seen: frozenset[str] = frozenset()
) -> bool:
    """Whether a schema refuses what is absent, and calls no function with it."""
    kind = schema["type"]
    if kind == "definition-ref":
        ref = schema["schema_ref"]
        inside = definitions.get(ref, schema)
        if ref in seen or inside is schema:
            return ref in seen
        return _refuses(inside, definitions, seen | {ref})
    if kind == "json-or-python":
        return _refuses(schema["json_schema"], definitions, seen)
    is_open = kind in OPEN_SCHEMAS or "missing" in schema or schema.get("custom_init")
    if is_open or callable(schema.get("discriminator")):
        return False
    inner = inner_of(schema) if kind in TRANSPARENT_SCHEMAS else ()
    return all(_refuses(item, definitions, seen) for item in inner)


def _with_single_errors(part: t.Any, key: str, circular: set[str]) -> t.Any:
    """A part whose recursive fields or choices but the first have one error each."""
    items = part[key]
    pairs = [*(items.items() if isinstance(items, dict) else enumerate(items))]
    later = [name for name, item in pairs if _refers(item, circular)][1:]
    if not later:
        return part
    found = {name: _single_error(x) if name in later else x for name, x in pairs}
    return {**part, key: found if isinstance(items, dict) else [*found.values()]}


def _single_error(schema: t.Any) -> t.Any:
    """A schema with one error, whatever is wrong inside of it."""
    if isinstance(schema, tuple):
        return _single_error(schema[0]), schema[1]
    if schema["type"].endswith(("default", "-field")):
        return {**schema, "schema": _single_error(schema["schema"])}
    context: t.Any = {"error": ValueError("One of the values in it is not valid.")}
    return core_schema.custom_error_schema(
        schema, custom_error_type="value_error", custom_error_context=context
    )


def _is_closed(part: t.Any) -> bool:
    """Whether an object has an error for each key that it does not know."""
    extra = (part.get("config") or {}).get("extra_fields_behavior")
    is_tuple = part["type"] in WITH_FIELDS - OBJECTS
    return (is_tuple and "var_kwargs_schema" not in part) or bool(
        part.get("extra_behavior", extra) == "forbid"
    )


def _with_counted_keys(part: t.Any) -> t.Any:
    """An object that has one error for all of its keys if they are too many."""
    if part["type"] not in WITH_FIELDS:
        # Errors in a union name a model by its own schema.
        inner = part.get("schema")
        return {**part, "schema": _with_counted_keys(inner)} if inner else part
    aliases = [field.get("validation_alias") or () for _, field in fields_of(part)]
    most = MAX_ENTRIES + sum(1 + len(alias) for alias in aliases)
    check = partial(_check_keys, most=most)
    return core_schema.no_info_before_validator_function(check, part)


def _check_keys(value: t.Any, most: int) -> t.Any:
    if isinstance(value, dict) and len(value) > most:
        raise PydanticKnownError("extra_forbidden")
    return value
