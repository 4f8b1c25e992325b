"""What an HTTP error says: its description, as JSON."""

from __future__ import annotations

import json
import typing as t

from flask import current_app
from pydantic import BaseModel
from pydantic_core import to_jsonable_python
from werkzeug.exceptions import HTTPException, InternalServerError

from ..exceptions import ResponseValidationError

#: A description as JSON.
Message: t.TypeAlias = "str | list[t.Any] | dict[str, t.Any]"


def message_of(error: HTTPException) -> Message:
    """The author's description of an error, else the name of its status.

    That of ``abort(409, {"left": 0})`` is an object.
    """
    found = description_of(error)
    return error.name if found is None else found


def description_of(error: HTTPException) -> Message | None:
    """The author's description of an error, ``None`` where it is Werkzeug's."""
    usual = _usual_description(type(error))
    # A property, as of BadRequestKeyError, is not the author's description.
    if not error.description or isinstance(usual, property):
        return None
    return None if error.description == usual else _plain_message(error.description)


def _usual_description(kind: type[HTTPException]) -> str | None:
    """What every error of the status says: that of a class of the author is another."""
    own = (__name__.partition(".")[0], "werkzeug")
    return next(
        base.description
        for base in kind.__mro__
        if issubclass(base, HTTPException) and base.__module__.partition(".")[0] in own
    )


def without_cause(error: HTTPException) -> HTTPException:
    """The error as a client may see it: another one, of one that has a cause.

    It says nothing of what a view returned, or of an exception that was not meant.
    """
    original = getattr(error, "original_exception", None)
    if original is None and not isinstance(error, ResponseValidationError):
        return error
    return InternalServerError(ResponseValidationError.message)


def _plain_message(description: t.Any) -> Message:
    """A description as JSON: an object or a list, where there is a way to write one."""
    if isinstance(description, str):
        return str(description)
    try:
        written = _write(description)
    except (TypeError, ValueError, RecursionError):
        return str(description)
    # Python writes NaN, which is no JSON.
    read = json.loads(written, parse_constant=lambda name: None)
    return read if isinstance(read, (list, dict)) else str(description)


def _write(description: t.Any) -> str:
    """A description as JSON text, by the application if it can.

    :raises TypeError: if there is no way to write it.
    """
    try:
        return current_app.json.dumps(description)
    except (TypeError, ValueError, RecursionError):
        if not isinstance(description, (BaseModel, dict, list, tuple)):
            raise
        # Python's way to show a model has each of its fields, also excluded ones.
        return current_app.json.dumps(to_jsonable_python(description))
