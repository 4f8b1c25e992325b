"""The generic error handler: an HTTP error of ours is ``{"message": "..."}``."""

from __future__ import annotations

import typing as t

from flask import request

from ._errors.format import write_json
from ._http.status import has_content
from ._registry import Registry
from .exceptions import RequestValidationError
from .exceptions import ResponseValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.exceptions import HTTPException


def http_exception_handler(app: Flask) -> Callable[[HTTPException], t.Any]:
    """The handler of an application.

    It gives the answer in JSON, or the error itself where Flask is to answer.
    """
    registry = Registry.of(app)

    def answer(error: HTTPException) -> t.Any:
        if registry.catch_all is not None:
            # The author's handler for Exception would have been found, were it not for
            # this one, which is for a class in between.
            return app.ensure_sync(registry.catch_all)(error)
        if error.response is not None:
            return error
        if isinstance(error, (RequestValidationError, ResponseValidationError)):
            return app.response_class(
                error.get_body(), status=error.code, content_type=error.mimetype
            )
        if not has_content(error.code or 500) or _is_flasks_own(registry):
            return error
        return error if _prefers_html() else as_json(error)

    return answer


def as_json(error: HTTPException) -> t.Any:
    """The answer to an error in JSON, with the headers that it brings."""
    response = error.get_response(request.environ)
    response.set_data(write_json({"message": message_of(error)}) + b"\n")
    response.mimetype = "application/json"
    return response


def message_of(error: HTTPException) -> str:
    """What the author said of an error, else the name of its status."""
    if getattr(error, "original_exception", None) is not None:
        return ResponseValidationError.message
    usual = type(error).description
    # Where a class makes it up, as BadRequestKeyError does, it is not the author's.
    if not error.description or isinstance(usual, property):
        return error.name
    return error.name if error.description == usual else str(error.description)


def _is_flasks_own(registry: Registry) -> bool:
    """Whether the request was for a view that is not one of ours."""
    return request.endpoint is not None and request.endpoint not in registry.endpoints


def _prefers_html() -> bool:
    accepted = request.accept_mimetypes
    return accepted["text/html"] > accepted["application/json"]
