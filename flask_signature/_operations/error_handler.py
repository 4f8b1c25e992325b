"""The generic error handler: HTTP errors in the configured format.

Those of plain views are left to Flask.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress

from flask import has_request_context
from flask import request
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import InternalServerError

from .._errors.writers import BuiltInFormat
from .._http.json import JSON
from .._http.status import has_content
from .._outbound.declared import declared_of
from .._outbound.failure import ViewReporter
from .._outbound.failure import is_value
from .._outbound.refusals import WRITE_ERRORS
from .._outbound.status_plan import annotated_responses
from ..exceptions import RenderedError
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
        is_left = _is_left(registry, error)
        error = with_body(app, error)
        if error.response is not None:
            return error
        if isinstance(error, OURS):
            return _write_ours(app, error, registry)
        if is_left or not has_content(error.code or 500):
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
    elif error.__traceback__ is not None and has_request_context():
        # It was raised, and not made by the handler.
        error = with_body(app, error)
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


def with_body(app: Flask, error: HTTPException) -> HTTPException:
    """An error with its value as the body, ``abort(409, {"left": 0})``.

    The operation declares a model for the status, by which the value is validated and
    filtered; where it declares an error in the format of the application, that places
    what is none itself. For another status, and where the value does not fit, the error
    is one of the server, and is logged here.
    """
    value: t.Any = error.description
    registry, code = Registry.of(app), error.code or 500
    is_written = error.response is not None or not has_content(code)
    if is_written or not is_value(value) or _is_left(registry, error):
        return error
    operation = registry.operations.find(request)
    if operation is None:
        return _refuse(app, value, code)
    plan = operation.outbound
    named = annotated_responses(plan).get(code)
    serializer = plan.serializer_of(code) if named is None else named.plan.serializer
    if serializer is not None:
        try:
            body = RenderedError(plan.write(value, serializer), code, JSON)
        except ResponseValidationError as failure:
            return failure
    elif (said := declared_of(plan.responses, code)) and said.is_standard:
        body = _standard_body(error, registry)
    else:
        return _refuse(app, value, code, reporter=plan.reporter)
    headers = error.get_headers(request.environ)
    error.response = app.response_class(
        body.body, body.status, headers, content_type=body.media_type
    )
    return error


def _standard_body(error: HTTPException, registry: Registry) -> RenderedError:
    """The response to an error whose value is one itself, or is placed in one."""
    writer = registry.error_writer
    if isinstance(writer, BuiltInFormat):
        serializer, media_type = registry.standard_error()
        with suppress(*WRITE_ERRORS):
            data = serializer.write(error.description, validate=True)
            return RenderedError(data, error.code or 500, media_type)
    return writer.render(error)


def _refuse(
    app: Flask, value: t.Any, code: int, *, reporter: ViewReporter | None = None
) -> ResponseValidationError:
    """The error of a value that was given to ``abort()`` with no model for it."""
    rule = f" {request.url_rule.rule}" if request.url_rule else ""
    reporter = reporter or ViewReporter(app, "", f"{request.method}{rule}", None)
    return reporter.error(
        f"or a function around it gave abort() a {type(value).__name__!r} for status"
        f" {code}, which has no response model. Declare it with"
        f" responses={{{code}: ...}}, or give abort() a string.",
        body=value,
    )


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


def _is_left(registry: Registry, error: HTTPException) -> bool:
    """Whether an error is one of a view that is not ours, and left to Flask.

    It is not where the view was not reached, since a blueprint of ours guards it.
    """
    endpoint, refused = request.endpoint, REFUSED.get()
    is_plain = endpoint is not None and endpoint not in registry.operations.endpoints
    return is_plain and not (refused is not None and refused() is error)


def _prefers_html(media_type: str) -> bool:
    """Whether a client prefers HTML to JSON.

    :param media_type: of errors, which is JSON of some kind.
    """
    accepted = request.accept_mimetypes
    return accepted["text/html"] > max(accepted[JSON], accepted[media_type])
