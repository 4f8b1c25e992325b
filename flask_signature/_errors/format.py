"""The entries of a failed request.

Pydantic's errors go in, the exception that has their entries comes out.
"""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass
from math import isfinite

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from ..exceptions import RequestValidationError
from .echo import GENERIC, MAX_LENGTH, without_input

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pydantic_core import InitErrorDetails, PydanticCustomError

    from ..exceptions import ErrorWriter

#: ``loc``, ``msg``, ``type`` and sometimes ``ctx``.
ErrorEntry: t.TypeAlias = "dict[str, t.Any]"

#: One of ``ValidationError.errors()``, which may hold the ``input``.
ErrorDetails: t.TypeAlias = "Mapping[str, t.Any]"

# A small request must not be able to ask for a megabyte of errors.
MAX_ENTRIES: t.Final = 100
#: Bytes of JSON that all entries may have together.
MAX_BYTES: t.Final = 60_000


#: The error types whose message contains the input: its name in ``ctx``, and a message
#: without it.
MESSAGES_WITH_INPUT: t.Final = {
    "union_tag_invalid": (
        "tag",
        (
            "Input tag found using {discriminator} does not match any of the expected"
            " tags: {expected_tags}"
        ),
    ),
    "zoneinfo_str": ("value", "invalid timezone"),
    "byte_size_unit": ("unit", "could not interpret byte unit"),
    "import_error": ("error", "Invalid python path"),
}


#: Takes the place of what is missing, until Pydantic refuses it. It is no text, which
#: most types find out sooner than that another object is none of theirs.
ABSENT: t.Final = b"\xff absent"


@dataclass(frozen=True, slots=True)
class UnreadableValue:
    """Takes the place of what could not be read, until Pydantic refuses it.

    :param kind: the type of the error that says why.
    :param ctx: what its message needs.
    """

    kind: str | PydanticCustomError
    ctx: Mapping[str, t.Any]


def validation_error(
    kind: str | PydanticCustomError, loc: tuple[str | int, ...] = (), **ctx: t.Any
) -> ValidationError:
    """The error that Pydantic raises for one of its own types, such as ``missing``."""
    error = t.cast(
        "InitErrorDetails", {"type": kind, "loc": loc, "input": None, "ctx": ctx}
    )
    return ValidationError.from_exception_data("request", [error])


def locate_errors(
    errors: Iterable[t.Any], locate: Callable[[tuple[t.Any, ...]], Sequence[t.Any]]
) -> list[ErrorDetails]:
    """The first errors, at most :data:`MAX_ENTRIES`, with a ``loc`` of the request.

    :param errors: of ``ValidationError.errors()``; they are changed in place, since
        Pydantic has built all of them by then.
    :param locate: turns the ``loc`` of Pydantic into that of the request.
    """
    found: list[ErrorDetails] = []
    explained: list[UnreadableValue] = []
    for error in errors:
        value = error.get("input")
        if value is ABSENT:
            error = {**details_of("missing"), "loc": error["loc"]}
        elif type(value) is UnreadableValue:
            if any(value is other for other in explained):
                continue
            explained.append(value)
            error = {**details_of(value.kind, **value.ctx), "loc": error["loc"]}
        if len(found) == MAX_ENTRIES:
            break
        error["loc"] = locate(error["loc"])
        found.append(error)
    return found


def details_of(kind: str | PydanticCustomError, **ctx: t.Any) -> dict[str, t.Any]:
    """The details of :func:`validation_error`."""
    (details,) = validation_error(kind, **ctx).errors(include_url=False)
    return t.cast("dict[str, t.Any]", details)


def fit_entries(entries: Iterable[t.Any]) -> list[ErrorEntry]:
    """The first entries, as many as there is room for."""
    found: list[ErrorEntry] = []
    left = MAX_BYTES
    for entry in entries:
        left -= len(write_json(entry))
        if left < 0 and found:
            break
        # A ``loc`` that is too long by itself is cut down to the location.
        found.append(entry if left >= 0 else {**entry, "loc": entry["loc"][:1]})
    return found


def read_entry(error: ErrorDetails) -> ErrorEntry:
    """The entry of an error, without the value that was sent."""
    kind, message, ctx = error["type"], error["msg"], error.get("ctx")
    if kind in MESSAGES_WITH_INPUT:
        value, template = MESSAGES_WITH_INPUT[kind]
        ctx = {name: item for name, item in (ctx or {}).items() if name != value}
        try:
            message = template.format_map(ctx)
        except KeyError:
            # An author has used the name of the type, with another context.
            message = GENERIC
    loc: list[t.Any] = []
    entry = {"loc": loc, "msg": message[:MAX_LENGTH], "type": kind}
    # Before Python 3.12 a comprehension is a call of its own.
    for part in error["loc"]:
        loc.append(part if type(part) is int else part[:MAX_LENGTH])
    if ctx:
        entry["ctx"] = plain = {}
        for name, value in ctx.items():
            plain[name] = value if type(value) is int else _plain(value)
    return entry


def refuse(
    errors: Sequence[ErrorDetails], writer: ErrorWriter
) -> RequestValidationError:
    """The exception that has these errors.

    :param writer: what writes the response.
    """
    details = [*map(without_input, errors)]
    entries = [*map(read_entry, details)]
    return RequestValidationError(entries, writer=writer, details=details)


def _plain(value: t.Any) -> t.Any:
    """A value of ``ctx`` as JSON: an exception becomes its message."""
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    if not isinstance(value, str):
        try:
            value = from_json(to_json(value, fallback=str, inf_nan_mode="strings"))
        except ValueError:
            # The message of an exception may hold a lone surrogate.
            value = str(value)
    return value[:MAX_LENGTH] if isinstance(value, str) else value


def write_json(content: t.Any) -> bytes:
    """The JSON of plain values; no string that a client sent can make this fail."""
    try:
        return to_json(content)
    except ValueError:
        # A lone surrogate has no UTF-8 form, but JSON has an escape for it.
        return json.dumps(content).encode()
