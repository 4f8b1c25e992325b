"""The generic error handler: HTTP errors in the configured format.

Those of plain views are left to Flask.
"""

from __future__ import annotations

import typing as t

from flask import has_request_context
from flask import request
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import InternalServerError

from .._http.json import JSON
from .._http.status import has_content
from ..exceptions import RequestValidationError
from ..exceptions import ResponseValidationError
from .calls import REFUSED
from .registry import Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask import Response

#: The exceptions that the package raises.
OURS: t.Final = (RequestValidationError, ResponseValidationError)


def http_exception_handler(app: Flask) -> Callable[[HTTPException], t.Any]:
    """The generic error handler of an application.

    It returns a response in the configured format, or the error where Flask's own
    response is right.
    """
    registry = Registry.of(app)

    def respond(error: HTTPException) -> t.Any:
        if registry.handlers.catch_all is not None:
            # This one, which is for a subclass, hides the author's for Exception.
            return app.ensure_sync(registry.handlers.catch_all)(error)
        if error.response is not None:
            return error
        if isinstance(error, OURS):
            return _write_ours(app, error, registry)
        if not has_content(error.code or 500):
            return error
        if _is_plain_view(registry) and not _is_refusal(error):
            return error
        return _response_by_accept(app, error)

    return respond


def error_response(app: Flask, error: Exception) -> Response:
    """The response to an error in the configured format, with the error's headers.

    An exception that is no HTTP exception is an error of the server. A response that
    the error has, and one without content, are as they are.
    """
    if not isinstance(error, HTTPException):
        error = InternalServerError(original_exception=error)
    if isinstance(error, OURS) and error.response is None:
        return _write_ours(app, error, Registry.of(app))
    response = _usual_response(app, error)
    if error.response is None and response.status_code >= 400:
        body, status, media_type = Registry.of(app).error_writer.render(error)
        if status != response.status_code:
            # The format has failed, and the headers are those of another error.
            return app.response_class(body, status, content_type=media_type)
        response.set_data(body)
        response.content_type = media_type
    return t.cast("Response", response)


def _usual_response(app: Flask, error: HTTPException) -> t.Any:
    """Werkzeug's response to an error, of the class of the application."""
    environ: t.Any = request.environ if has_request_context() else None
    try:
        made: t.Any = error.get_response(environ)
    except UnicodeEncodeError:
        # HTML can't hold a lone surrogate of the description; JSON has an escape.
        return app.response_class(status=error.code, headers=error.get_headers(environ))
    return app.response_class.force_type(made, environ)


def _response_by_accept(app: Flask, error: HTTPException) -> Response:
    """The response to an error, in HTML for a client that prefers it.

    Source: RFC 9110, 12.5.5 (Vary).
    """
    writer = Registry.of(app).error_writer
    make = _usual_response if _prefers_html(writer.media_type) else error_response
    response: Response = make(app, error)
    response.vary.add("Accept")
    return response


def _write_ours(
    app: Flask,
    error: RequestValidationError | ResponseValidationError,
    registry: Registry,
) -> Response:
    writer = error.own_writer or registry.error_writer
    body, status, media_type = writer.render(error)
    return app.response_class(body, status, content_type=media_type)


def _is_plain_view(registry: Registry) -> bool:
    """Whether the request was for a view that is not one of ours."""
    endpoint = request.endpoint
    return endpoint is not None and endpoint not in registry.operations.endpoints


def _is_refusal(error: HTTPException) -> bool:
    """Whether a plain view was not reached, since a blueprint of ours guards it."""
    refused = REFUSED.get()
    return refused is not None and refused() is error


def _prefers_html(media_type: str) -> bool:
    """Whether a client prefers HTML to JSON.

    :param media_type: of errors, which is JSON of some kind.
    """
    accepted = request.accept_mimetypes
    return accepted["text/html"] > max(accepted[JSON], accepted[media_type])
