"""The errors of a request that does not fit, with the names of the request.

An exception of Pydantic goes in, its errors with a ``loc`` of the request come out.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from decimal import DecimalException, InvalidOperation
from errno import ENAMETOOLONG
from itertools import islice

from pydantic import ValidationError
from pydantic_core import from_json

from .._errors.entries import (
    MAX_ENTRIES,
    OWN_TYPES,
    UnreadableValue,
    details_of,
    locate_errors,
    validation_error,
    without_echoes,
)
from .._types.adapters import FUNCTION_SCHEMAS, schemas_in
from .readers import FORM_LOCATIONS

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from .._errors.entries import ErrorDetails
    from .._types.adapters import Adapter
    from .binding import Binding

#: The input of a plan's adapter: ``{"query#": {"page": "2"}, "path#": {"id": 1}}``.
FailureParts: t.TypeAlias = "dict[str, dict[str, t.Any]]"

#: What Pydantic raises besides ValidationError, which is a ValueError: for a timedelta
#: that is too long, a body nested too deep, the year zero, a decimal whose exponent is
#: too large. Some may come from the author's own code, too: see
#: _is_caused_by_request().
READ_ERRORS: t.Final = (
    *(OverflowError, RecursionError, ValueError, TypeError, OSError),
    *(DecimalException, ZeroDivisionError),
)

#: How the keys of the parts begin that are read from a form.
FORM_PARTS: t.Final = tuple(f"{location.value}#" for location in FORM_LOCATIONS)

#: The names in a request by the keys of a part, by the part.
Names: t.TypeAlias = "Mapping[str, Mapping[str, str]]"

#: The type of error for a value in place of Pydantic's ``MISSING``.
SENTINEL_ERROR: t.Final = "missing_sentinel_error"

#: The types of error for an extra key, of a model and of a dataclass.
EXTRA_KEY: t.Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


def read_body_errors(
    error: Exception, schema: t.Any, read_again: Callable[[], bytes]
) -> list[ErrorDetails]:
    """The errors of a body.

    :param read_again: returns the body, as it was before validators have changed what
        is made of it.
    :param schema: the core schema of what raised it.
    """
    errors = _without_sentinel(_as_validation_error(error))
    # A body may be no JSON, and is not changed then.
    with suppress(ValueError):
        _restore_inputs(errors, lambda: from_json(read_again()))
    return without_echoes(locate_errors(errors, ("body",).__add__), schema)


def _as_validation_error(error: Exception, *loc: str) -> ValidationError:
    """The error itself, or a ``ValidationError`` in place of another exception.

    What comes from the author's code is raised as it is.
    """
    if isinstance(error, ValidationError):
        return error
    if not _is_caused_by_request(error):
        raise error
    # This is how Decimal() says that a string is none.
    is_string = isinstance(error, InvalidOperation) and "ConversionSyntax" in str(error)
    is_number = isinstance(error, ArithmeticError) and not is_string
    why = "is out of range" if is_number else "can't be read"
    return validation_error("value_error", loc, error=ValueError(f"The value {why}."))


def _is_caused_by_request(error: Exception) -> bool:
    """Whether a value of the request is the cause, and not the author's code."""
    if isinstance(error, ZeroDivisionError):
        # Pydantic before 2.14 makes a Fraction of "1/0".
        return str(error).startswith("Fraction(")
    if isinstance(error, TypeError):
        # A constraint that does not apply to one member of a union.
        return str(error).startswith("Unable to apply constraint")
    # Pydantic looks up a FilePath, whose name may be too long.
    return not isinstance(error, OSError) or error.errno == ENAMETOOLONG


def read_errors(
    error: Exception,
    parts: FailureParts,
    *,
    read_again: Callable[[], FailureParts],
    validate: Callable[[FailureParts], t.Any],
    bindings: Mapping[str, Binding],
    schema: t.Any,
) -> list[ErrorDetails]:
    """The errors of the input of a plan's adapter.

    :param read_again: returns what was read of the request, as it was before validators
        have changed it.
    :param validate: what did not accept the input.
    :param schema: the core schema of that.
    :param bindings: of its arguments, by name.
    """
    if not isinstance(error, ValidationError):
        error = _locate_cause(error, parts, validate=validate, bindings=bindings)
    names = {
        binding.source: {field.key: field.name for field in binding.fields}
        for binding in bindings.values()
    }

    def locate(loc: tuple[t.Any, ...]) -> list[t.Any]:
        """``("header#h", "save_data", 1)`` becomes ``["header", "Save-Data", 1]``."""
        part, *rest = loc or [next(reversed(parts))]
        if part in bindings:
            # A default that is validated: its ``loc`` begins with the argument's name.
            return [*bindings[part].loc, *rest]
        if rest:
            rest[0] = names[part].get(rest[0], rest[0])
        return [part.partition("#")[0], *rest]

    errors = _without_sentinel(error)
    _restore_inputs(errors, lambda: {**parts, **read_again()})
    found = locate_errors(_without_repeated_keys(errors, locate), locate)
    return without_echoes(found, schema)


def _locate_cause(
    error: Exception,
    parts: FailureParts,
    *,
    validate: Callable[[FailureParts], t.Any],
    bindings: Mapping[str, Binding],
) -> ValidationError:
    """The error with the ``loc`` of the value that raises it when nothing else is sent.

    An exception that is not Pydantic's own does not say which value caused it. Where
    several do, or none alone, the location is what can be told.
    """
    sent = [
        (binding.source, field.key)
        for binding in bindings.values()
        for field in binding.fields
        if field.key in parts.get(binding.source, {})
    ]
    causes = [
        (source, key)
        for source, key in sent
        if _is_raised({source: {key: parts[source][key]}}, validate)
    ]
    found = causes or sent
    if len(found) == 1:
        return _as_validation_error(error, *found[0])
    sources = {source for source, _ in found}
    part = sources.pop() if len(sources) == 1 else next(reversed(parts))
    return _as_validation_error(error, part)


def _is_raised(parts: FailureParts, validate: Callable[[FailureParts], t.Any]) -> bool:
    try:
        validate(parts)
    except READ_ERRORS as error:
        return not isinstance(error, ValidationError)
    return False


def _without_sentinel(error: ValidationError) -> list[t.Any]:
    """The errors without those of ``MISSING``, which no client can send.

    Before Pydantic 2.14 it is one of a union's types: ``int | MISSING`` has an error at
    ``("a", "int")`` and another at ``("a", "missing-sentinel")``. Here it has one at
    ``("a",)``.
    """
    # The inputs are there already, and the format of Pydantic 1 recognises a null by
    # them.
    errors: list[t.Any] = error.errors(include_url=False)
    kept = [item for item in errors if item["type"] != SENTINEL_ERROR]
    if not kept or len(kept) == len(errors):
        return errors
    types: dict[tuple[t.Any, ...], set[t.Any]] = {
        item["loc"][:-1]: set() for item in errors if item["type"] == SENTINEL_ERROR
    }
    for item in kept:
        for loc, part in _steps(item["loc"]):
            if loc in types:
                types[loc].add(part)
    for item in kept:
        item["loc"] = tuple(
            part for loc, part in _steps(item["loc"]) if len(types.get(loc, ())) != 1
        )
    return kept


def _steps(loc: tuple[t.Any, ...]) -> Iterator[tuple[tuple[t.Any, ...], t.Any]]:
    """Each part of a ``loc``, with those before it."""
    return ((loc[:number], part) for number, part in enumerate(loc))


def _restore_inputs(errors: list[t.Any], read_again: Callable[[], t.Any]) -> None:
    """Give the errors of authors the values that were sent, which may be changed."""
    by_authors = [item for item in errors if item["type"] not in OWN_TYPES]
    sent = read_again() if by_authors else None
    for item in by_authors[:MAX_ENTRIES]:
        item["input"] = _value_at(item["loc"], sent)


def _value_at(loc: Sequence[t.Any], parts: t.Any) -> t.Any:
    """What was sent at a ``loc`` of Pydantic, or what that is in."""
    value = parts
    with suppress(LookupError, TypeError):
        for part in loc:
            value = value[part]
    return value


def _without_repeated_keys(
    errors: Iterable[t.Any], locate: Callable[..., list[t.Any]]
) -> Iterator[t.Any]:
    """The errors with one for each extra key, which each model may have reported."""
    refused: set[tuple[t.Any, ...]] = set()
    for error in errors:
        if error["type"] in EXTRA_KEY:
            loc = tuple(locate(error["loc"]))
            if loc in refused:
                continue
            refused.add(loc)
        yield error


def unreadable_names(adapter: Adapter, bindings: Iterable[Binding]) -> Names:
    """The names of a form whose values may be unreadable, where a function gets one."""
    names: dict[str, dict[str, str]] = {}
    for binding in bindings:
        if binding.source.startswith(FORM_PARTS):
            found = {item.key: item.name for item in binding.fields if item.convert}
            names.setdefault(binding.source, {}).update(found)
    if not any(names.values()):
        return {}
    schemas = schemas_in(adapter.core_schema)
    return names if any(part["type"] in FUNCTION_SCHEMAS for part in schemas) else {}


def split_unreadable(
    parts: FailureParts, names: Names
) -> tuple[FailureParts, list[ErrorDetails]]:
    """The parts without what can't be read, and its errors: no function is given it."""
    kept, errors = dict(parts), list["ErrorDetails"]()
    for part, known in names.items():
        location = part.partition("#")[0]
        for key, value in parts.get(part, {}).items():
            found = _errors_of(value, [location, known[key]]) if key in known else ()
            first = [*islice(found, MAX_ENTRIES)]
            if first:
                kept[part] = {name: x for name, x in kept[part].items() if name != key}
            errors += first
    return kept, errors


def with_unreadable(
    errors: Sequence[ErrorDetails], unreadable: Sequence[ErrorDetails]
) -> list[ErrorDetails]:
    """The errors of what can be read and of what can't, which is not missing."""
    names = [error["loc"][:2] for error in unreadable]
    return [*(item for item in errors if item["loc"][:2] not in names), *unreadable]


def _errors_of(value: t.Any, loc: Sequence[str | int]) -> Iterator[ErrorDetails]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _errors_of(item, [*loc, number])
    elif type(value) is UnreadableValue:
        yield {**details_of(value.kind, **value.ctx), "loc": loc}
