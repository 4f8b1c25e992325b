"""A failed request: the entries that say what is wrong, and the forms they take."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass

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


def read_entries(
    lines: Iterable[t.Any], locate: Callable[[tuple[t.Any, ...]], list[t.Any]]
) -> list[Entry]:
    """What Pydantic's errors say, without the values that were sent.

    :param lines: as ``ValidationError.errors()`` gives them. Pydantic has no way to ask
        for the first ones alone; leaving out what is not needed is what can be saved.
    :param locate: turns the place where Pydantic failed into a ``loc`` of the request.
    """
    found: list[Entry] = []
    explained: list[Unreadable] = []
    left = MAX_BYTES
    for line in lines:
        value = line.get("input")
        if isinstance(value, Unreadable):
            if any(value is other for other in explained):
                continue
            explained.append(value)
            line = {**_only_line(value), "loc": line["loc"]}
        entry = _read_line(line, locate)
        left -= len(write_json(entry).encode())
        if len(found) == MAX_ENTRIES or (left < 0 and found):
            break
        # A place that is too deep to be told alone is told by its location.
        found.append(entry if left >= 0 else {**entry, "loc": entry["loc"][:1]})
    return found


def _only_line(value: Unreadable) -> t.Any:
    return known_error(value.kind, **value.ctx).errors(include_url=False)[0]


def _read_line(
    line: Mapping[str, t.Any], locate: Callable[[tuple[t.Any, ...]], list[t.Any]]
) -> Entry:
    ctx = dict(line.get("ctx", ()))
    message = line["msg"]
    if line["type"] in ECHOES:
        value, template = ECHOES[line["type"]]
        ctx.pop(value, None)
        message = template.format_map(ctx)
    entry = {
        "loc": [_cut(part) for part in locate(line["loc"])],
        "msg": _cut(message),
        "type": line["type"],
    }
    if ctx:
        entry["ctx"] = {name: _plain(value) for name, value in ctx.items()}
    return entry


def _cut(part: t.Any) -> t.Any:
    return part[:MAX_TEXT] if isinstance(part, str) else part


def _plain(value: t.Any) -> t.Any:
    """A value of ``ctx`` as JSON can say it: an exception becomes its text."""
    if isinstance(value, (str, int)):
        return _cut(value)
    try:
        return _cut(from_json(to_json(value, fallback=str, inf_nan_mode="strings")))
    except ValueError:
        # The text of an exception may hold what has no UTF-8 form.
        return _cut(str(value))


@dataclass(frozen=True, slots=True)
class ErrorForm:
    """One of the forms in which a failed request is answered.

    :param status: the status code.
    :param mimetype: the content type.
    :param content: makes the JSON value of the answer out of the entries.
    """

    status: int
    mimetype: str
    content: Callable[[Sequence[Entry]], dict[str, t.Any]]

    def refuse(self, entries: Iterable[Entry]) -> RequestValidationError:
        """The exception that answers a request with these entries."""
        errors = list(entries)[:MAX_ENTRIES]
        return RequestValidationError(
            errors,
            code=self.status,
            body=write_json(self.content(errors)),
            mimetype=self.mimetype,
        )


def write_json(content: t.Any) -> str:
    """JSON text of anything plain; no text that a client sent can make this fail."""
    try:
        return to_json(content).decode()
    except ValueError:
        # A lone surrogate has no UTF-8 form, but JSON has an escape for it.
        return json.dumps(content)


def _detail(entries: Sequence[Entry]) -> dict[str, t.Any]:
    return {"detail": list(entries)}


def _older_detail(entries: Sequence[Entry]) -> dict[str, t.Any]:
    from ._pydantic1 import to_pydantic1

    return {"detail": [to_pydantic1(entry) for entry in entries]}


def _problem(entries: Sequence[Entry]) -> dict[str, t.Any]:
    return {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": RequestValidationError.description,
        "errors": list(entries),
    }


#: By the value of ``SIGNATURE_ERROR_FORMAT``. Source of the last: RFC 9457.
FORMS: t.Final = {
    "pydantic2": ErrorForm(422, "application/json", _detail),
    "pydantic1": ErrorForm(400, "application/json", _older_detail),
    "problem": ErrorForm(422, "application/problem+json", _problem),
}
