"""A failed request: the entries that say what is wrong, and the forms they take."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass
from math import isfinite

from pydantic import ValidationError
from pydantic_core import from_json
from pydantic_core import to_json

from .exceptions import RequestValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Mapping
    from collections.abc import Sequence

    from pydantic_core import InitErrorDetails

#: ``loc``, ``msg``, ``type`` and sometimes ``ctx``.
Entry: t.TypeAlias = "dict[str, t.Any]"

#: An error of Pydantic's, with its place in the request. It may hold the ``input``.
Line: t.TypeAlias = "Mapping[str, t.Any]"

# A small request must not be able to ask for a megabyte of errors.
MAX_ENTRIES: t.Final = 100
MAX_TEXT: t.Final = 200
#: Bytes of JSON that all entries may have together.
MAX_BYTES: t.Final = 60_000

#: The error types whose message repeats what was sent: the name of that in ``ctx``, and
#: the message without it.
ECHOES: t.Final = {
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


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for a text that could not be read, until Pydantic refuses it.

    :param kind: the type of the error that says why.
    :param ctx: what its message needs.
    """

    kind: str
    ctx: Mapping[str, t.Any]


def known_error(
    kind: str, loc: tuple[str | int, ...] = (), **ctx: t.Any
) -> ValidationError:
    """The error that Pydantic raises for one of its own types, such as ``missing``."""
    line = t.cast(
        "InitErrorDetails", {"type": kind, "loc": loc, "input": None, "ctx": ctx}
    )
    return ValidationError.from_exception_data("request", [line])


def locate_lines(
    lines: Iterable[t.Any], locate: Callable[[tuple[t.Any, ...]], Sequence[t.Any]]
) -> list[Line]:
    """Pydantic's errors with the places of the request, as many as are answered.

    :param lines: as ``ValidationError.errors()`` gives them; they are changed. Pydantic
        has no way to ask for the first ones alone; leaving out what is not needed is
        what can be saved.
    :param locate: turns the place where Pydantic failed into a ``loc`` of the request.
    """
    found: list[Line] = []
    explained: list[Unreadable] = []
    for line in lines:
        value = line.get("input")
        if type(value) is Unreadable:
            if any(value is other for other in explained):
                continue
            explained.append(value)
            line = {**_only_line(value), "loc": line["loc"]}
        if len(found) == MAX_ENTRIES:
            break
        line["loc"] = locate(line["loc"])
        found.append(line)
    return found


def fit_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The first entries, as many as there is room for."""
    found: list[Entry] = []
    left = MAX_BYTES
    for entry in entries:
        left -= len(write_json(entry))
        if left < 0 and found:
            break
        # A place that is too deep to be told alone is told by its location.
        found.append(entry if left >= 0 else {**entry, "loc": entry["loc"][:1]})
    return found


def _only_line(value: Unreadable) -> t.Any:
    return known_error(value.kind, **value.ctx).errors(include_url=False)[0]


def read_entry(line: Line) -> Entry:
    """What an error says, without the value that was sent."""
    kind, message, ctx = line["type"], line["msg"], line.get("ctx")
    if kind in ECHOES:
        value, template = ECHOES[kind]
        ctx = {name: item for name, item in (ctx or {}).items() if name != value}
        message = template.format_map(ctx)
    loc = [part if type(part) is int else part[:MAX_TEXT] for part in line["loc"]]
    entry = {"loc": loc, "msg": message[:MAX_TEXT], "type": kind}
    if ctx:
        entry["ctx"] = {name: _plain(value) for name, value in ctx.items()}
    return entry


def _plain(value: t.Any) -> t.Any:
    """A value of ``ctx`` as JSON can say it: an exception becomes its text."""
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    if not isinstance(value, str):
        try:
            value = from_json(to_json(value, fallback=str, inf_nan_mode="strings"))
        except ValueError:
            # The text of an exception may hold what has no UTF-8 form.
            value = str(value)
    return value[:MAX_TEXT] if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class ErrorForm:
    """One of the forms in which a failed request is answered.

    :param status: the status code.
    :param mimetype: the content type.
    :param content: makes the JSON value of the answer out of the entries.
    :param translate: says an error in other words than Pydantic's.
    """

    status: int
    mimetype: str
    content: Callable[[Sequence[Entry]], dict[str, t.Any]]
    translate: Callable[[Line], Line] | None = None

    def write(self, lines: Sequence[Line]) -> bytes:
        """The body of the answer to a request with these errors."""
        told = lines if self.translate is None else map(self.translate, lines)
        entries = [*map(read_entry, told)]
        body = write_json(self.content(entries))
        if len(body) <= MAX_BYTES:
            return body
        return write_json(self.content(fit_entries(entries)))

    def refuse(self, lines: Sequence[Line]) -> RequestValidationError:
        """The exception that gives the same answer."""
        return RequestValidationError(
            [*map(read_entry, lines)],
            code=self.status,
            body=self.write(lines).decode(),
            mimetype=self.mimetype,
        )


def write_json(content: t.Any) -> bytes:
    """JSON text of anything plain; no text that a client sent can make this fail."""
    try:
        return to_json(content)
    except ValueError:
        # A lone surrogate has no UTF-8 form, but JSON has an escape for it.
        return json.dumps(content).encode()


def _detail(entries: Sequence[Entry]) -> dict[str, t.Any]:
    return {"detail": entries}


def _to_pydantic1(line: Line) -> Line:
    # The table is long, and few applications need it.
    from ._pydantic1 import to_pydantic1

    return to_pydantic1(line)


def _problem(entries: Sequence[Entry]) -> dict[str, t.Any]:
    return {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": RequestValidationError.description,
        "errors": entries,
    }


#: By the value of ``SIGNATURE_ERROR_FORMAT``. Source of the last: RFC 9457.
FORMS: t.Final = {
    "pydantic2": ErrorForm(422, "application/json", _detail),
    "pydantic1": ErrorForm(400, "application/json", _detail, _to_pydantic1),
    "problem": ErrorForm(422, "application/problem+json", _problem),
}
