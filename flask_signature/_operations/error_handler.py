"""The generic error handler: HTTP errors become ``{"message": "..."}``.

Those of plain views are left to Flask.
"""

from __future__ import annotations

import json
import typing as t

from flask import current_app
from flask import request

from .._errors.format import write_json
from .._http.status import has_content
from ..exceptions import RequestValidationError
from ..exceptions import ResponseValidationError
from .calls import REFUSED
from .registry import Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.exceptions import HTTPException


def http_exception_handler(app: Flask) -> Callable[[HTTPException], t.Any]:
    """The generic error handler of an application.

    It returns a response in JSON, or the error where Flask's own response is right.
    """
    registry = Registry.of(app)

    def respond(error: HTTPException) -> t.Any:
        if registry.handlers.catch_all is not None:
            # This one, which is for a subclass, hides the author's for Exception.
            return app.ensure_sync(registry.handlers.catch_all)(error)
        if error.response is not None:
            return error
        if isinstance(error, (RequestValidationError, ResponseValidationError)):
            return app.response_class(
                error.get_body(), status=error.code, content_type=error.mimetype
            )
        if not has_content(error.code or 500):
            return error
        if _is_plain_view(registry) and not _is_refusal(error):
            return error
        return error if _prefers_html() else as_json(error)

    return respond


def as_json(error: HTTPException) -> t.Any:
    """The response to an error in JSON, with the headers of the error."""
    response = error.get_response(request.environ)
    response.set_data(write_json({"message": message_of(error)}) + b"\n")
    response.mimetype = "application/json"
    return response


def message_of(error: HTTPException) -> t.Any:
    """The author's description of an error, else the name of its status.

    That of ``abort(409, {"left": 0})`` is an object.
    """
    if getattr(error, "original_exception", None) is not None:
        return ResponseValidationError.message
    usual = type(error).description
    # A property, as of BadRequestKeyError, is not the author's description.
    if not error.description or isinstance(usual, property):
        return error.name
    return error.name if error.description == usual else _plain(error.description)


def _plain(description: t.Any) -> str | list[t.Any] | dict[str, t.Any]:
    """A description as JSON: an object or a list, where the application writes one."""
    if isinstance(description, str):
        return str(description)
    try:
        written = current_app.json.dumps(description)
    except (TypeError, ValueError, RecursionError):
        return str(description)
    # Python writes NaN, which is no JSON.
    read = json.loads(written, parse_constant=lambda name: None)
    return read if isinstance(read, (list, dict)) else str(description)


def _is_plain_view(registry: Registry) -> bool:
    """Whether the request was for a view that is not one of ours."""
    endpoint = request.endpoint
    return endpoint is not None and endpoint not in registry.operations.endpoints


def _is_refusal(error: HTTPException) -> bool:
    """Whether a plain view was not reached, since a blueprint of ours guards it."""
    refused = REFUSED.get()
    return refused is not None and refused() is error


def _prefers_html() -> bool:
    accepted = request.accept_mimetypes
    return accepted["text/html"] > accepted["application/json"]
