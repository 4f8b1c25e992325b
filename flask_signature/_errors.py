"""A failed request: the entries that say what is wrong, and the forms they take."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import to_json
from pydantic_core import to_jsonable_python

from .exceptions import RequestValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Sequence

    from pydantic_core import InitErrorDetails

#: ``loc``, ``msg``, ``type`` and sometimes ``ctx``.
Entry: t.TypeAlias = "dict[str, t.Any]"

# A small request must not be able to ask for a megabyte of errors.
MAX_ENTRIES: t.Final = 100
MAX_TEXT: t.Final = 200
#: Characters of all ``loc`` and ``msg`` together.
MAX_CHARACTERS: t.Final = 32_000

#: The error types whose message repeats a value, and the name of it in ``ctx``.
ECHOES: t.Final = {"union_tag_invalid": "tag", "zoneinfo_str": "value"}


def known_error(
    kind: str, loc: tuple[str | int, ...] = (), **ctx: t.Any
) -> ValidationError:
    """The error that Pydantic raises for one of its own types, such as ``missing``."""
    line = t.cast(
        "InitErrorDetails", {"type": kind, "loc": loc, "input": None, "ctx": ctx}
    )
    return ValidationError.from_exception_data("request", [line])


def read_entries(
    error: ValidationError, locate: Callable[[tuple[t.Any, ...]], list[t.Any]]
) -> list[Entry]:
    """What an error says, without the values that were sent.

    :param locate: turns the place where Pydantic failed into a ``loc`` of the request.
    """
    found = []
    left = MAX_CHARACTERS
    for line in error.errors(include_url=False, include_input=False)[:MAX_ENTRIES]:
        entry = _read_line(t.cast("dict[str, t.Any]", line), locate)
        left -= len(entry["msg"]) + sum(len(str(part)) for part in entry["loc"])
        if left < 0 and found:
            break
        found.append(entry)
    return found


def _read_line(
    line: dict[str, t.Any], locate: Callable[[tuple[t.Any, ...]], list[t.Any]]
) -> Entry:
    ctx = line.get("ctx")
    message = line["msg"]
    if line["type"] in ECHOES and ctx:
        value = str(ctx.pop(ECHOES[line["type"]], ""))
        message = message.replace(f"'{value}' ", "").replace(f" {value}", "")
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
    return _cut(to_jsonable_python(value, fallback=str, inf_nan_mode="strings"))


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
