"""Errors: their format, the generic handler, and the author's that say what they send.

``init_app()`` compiles the configured format, and installs the generic handler, which
writes HTTP errors in it and leaves those of plain views to Flask. The author's handlers
and ``before_request`` functions whose annotation has a model are registered as
functions that validate and filter what they return. A model that is returned without a
response model, by whomever, is an error that says so.
"""

from __future__ import annotations

import functools
import inspect
import typing as t
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial

from flask import current_app, has_request_context, request
from werkzeug.exceptions import HTTPException, InternalServerError

from .._common import has_content
from .._errors.formats import (
    ERROR_FORMATS,
    BuiltInFormat,
    ErrorFormat,
    without_cause,
    write_refusal,
)
from .._http.json import JSON
from .._outbound.compile import compile_outbound
from .._outbound.failures import (
    WRITE_ERRORS,
    ViewReporter,
    describe_error,
    describe_status,
    describe_stray,
    find_model,
    is_value,
    show_stray,
)
from .._outbound.responses import names_model, sends_standard_error
from .._outbound.serializer import compile_serializer
from .._routing.declaration import NOTHING_DECLARED
from .._signature.argument import Signature
from .._signature.hints import return_hint
from .._signature.views import source_location, unwrap_view
from ..exceptions import RenderedError, RequestValidationError, ResponseValidationError
from .calls import RAISED, REFUSED_ERROR
from .decorators import Routes, located, names_around
from .registry import EXTENSION, Registry, blueprints_around, current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response

    from .._outbound.plan import OutboundPlan
    from .._outbound.serializer import ResponseSerializer
    from ..exceptions import ErrorWriter
    from .registry import Operation


#: The key of the configuration.
ERROR_FORMAT: t.Final = "SIGNATURE_ERROR_FORMAT"

#: The response to an error that its format can't write.
NEUTRAL: t.Final = ERROR_FORMATS["pydantic2"].render(
    InternalServerError(ResponseValidationError.message)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomFormat(BuiltInFormat):
    """The author's error format.

    :param request_serializer: of the model of a response to an invalid request.
    :param http_serializer: of that of a response to any other error.
    """

    app: Flask
    request_serializer: ResponseSerializer
    http_serializer: ResponseSerializer

    @property
    def request_adapter(self) -> t.Any:
        return self.request_serializer.adapter

    @property
    def http_adapter(self) -> t.Any:
        return self.http_serializer.adapter

    def render(self, error: HTTPException) -> RenderedError:
        """The response to an error, a neutral one where the format fails."""
        try:
            if isinstance(error, RequestValidationError):
                body = write_refusal(error, partial(self._write, "request"))
                return RenderedError(body, self.status, self.media_type)
            body = self._write("http", without_cause(error)) + b"\n"
            return RenderedError(body, error.code or 500, self.media_type)
        except ResponseValidationError:
            return NEUTRAL
        except Exception:
            # Raised again, it would come back as the next error to be written.
            self.app.logger.exception("%s failed to write an error.", ERROR_FORMAT)
            return NEUTRAL

    def _write(self, kind: str, error: HTTPException) -> bytes:
        """The body of the response to an error.

        :raises ResponseValidationError: if what was built does not fit, which is logged
            here.
        """
        build = getattr(self, f"{kind}_builder")
        serializer: ResponseSerializer = getattr(self, f"{kind}_serializer")
        value = build(error)
        try:
            return serializer.write(value)
        except WRITE_ERRORS as failure:
            schema = serializer.adapter.core_schema
            reporter = ViewReporter(self.app, f"{kind}_builder()", ERROR_FORMAT, build)
            raise reporter.error(
                describe_error(failure), failure, body=value, schema=schema
            ) from failure


def compile_error_format(app: Flask, error_format: ErrorFormat | str) -> BuiltInFormat:
    """What writes the errors of an application.

    :param error_format: what the configuration says.
    :raises SignatureError: if Pydantic can't serialize a model.
    """
    if isinstance(error_format, str):
        return ERROR_FORMATS[error_format]
    given = {
        item.name: getattr(error_format, item.name) for item in fields(ErrorFormat)
    }
    serializers: dict[str, t.Any] = {}
    for kind in ("request", "http"):
        with located(f"{ERROR_FORMAT}: {kind}_model=: {{}}".format):
            made = compile_serializer(given[f"{kind}_model"])
            serializers[f"{kind}_serializer"] = made
    return CustomFormat(app=app, **given, **serializers)


#: An error handler.
Handler: t.TypeAlias = "Callable[..., t.Any]"

#: The application itself, which is faster to use than the proxy ``current_app``.
# Documented by Werkzeug for LocalProxy, in spite of its name.
current_application: Callable[[], Flask] = current_app._get_current_object  # type: ignore[attr-defined]

#: The exceptions that the package raises.
OUR_ERRORS: t.Final = (RequestValidationError, ResponseValidationError)


def http_exception_handler(app: Flask) -> Callable[[HTTPException], t.Any]:
    """The generic error handler of an application.

    It returns a response in the configured format, in HTML for a client that prefers
    it, or the error where Flask's own response is right.
    """
    registry = Registry.of(app)

    def respond(error: HTTPException) -> t.Any:
        is_left = _is_left(registry, error)
        error = with_body(app, error)
        if error.response is not None:
            return error
        if isinstance(error, OUR_ERRORS):
            return _write_error(app, error, error.own_writer or registry.error_writer)
        if is_left or not has_content(error.code or 500):
            return error
        accepted, own = request.accept_mimetypes, registry.error_writer.media_type
        prefers_html = accepted["text/html"] > max(accepted[JSON], accepted[own])
        make = _usual_response if prefers_html else respond_to_error
        response: Response = make(app, error)
        # Source: RFC 9110, 12.5.5 (Vary).
        response.vary.add("Accept")
        return response

    return respond


def respond_to_error(app: Flask, error: Exception) -> Response:
    """The response to an error in the configured format, with the error's headers.

    An exception that is no HTTP exception is an error of the server. A response that
    the error has, and one without content, are as they are.
    """
    if not isinstance(error, HTTPException):
        error = InternalServerError(original_exception=error)
    elif error.__traceback__ is not None and has_request_context():
        # It was raised, and not made by the handler.
        error = with_body(app, error)
    writer: ErrorWriter = Registry.of(app).error_writer
    if isinstance(error, OUR_ERRORS) and error.response is None:
        return _write_error(app, error, error.own_writer or writer)
    response = _usual_response(app, error)
    if error.response is None and response.status_code >= 400:
        body, status, media_type = writer.render(error)
        if status != response.status_code:
            # The format has failed, and the headers are those of another error.
            return app.response_class(body, status, content_type=media_type)
        response.set_data(body)
        response.content_type = media_type
    return t.cast("Response", response)


def _write_error(app: Flask, error: HTTPException, writer: ErrorWriter) -> Response:
    body, status, media_type = writer.render(error)
    return app.response_class(body, status, content_type=media_type)


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
    plan = operation.outbound if operation else None
    row = plan.find(code) if plan else None
    if plan and row and row.serializer is not None:
        try:
            body = RenderedError(plan.write(value, row.serializer), code, JSON)
        except ResponseValidationError as failure:
            return failure
    elif row and row.declared.is_standard:
        body = _standard_body(error, registry)
    else:
        return _reporter_of(app, operation).error(
            f"or a function around it gave abort() a {type(value).__name__!r} for"
            f" status {code}, which has no response model. Declare it with"
            f" responses={{{code}: ...}}, or give abort() a string.",
            body=value,
        )
    headers = error.get_headers(request.environ)
    error.response = app.response_class(
        body.body, body.status, headers, content_type=body.media_type
    )
    return error


def _standard_body(error: HTTPException, registry: Registry) -> RenderedError:
    """The response to an error whose value is one itself, or is placed in one."""
    writer = registry.error_writer
    if not isinstance(writer, CustomFormat):
        serializer, media_type = registry.standard_error()
        with suppress(*WRITE_ERRORS):
            data = serializer.write(error.description)
            return RenderedError(data, error.code or 500, media_type)
    return writer.render(error)


def _reporter_of(app: Flask, operation: Operation | None) -> ViewReporter:
    """Reports what can't be sent to a request, by its operation if it has one."""
    if operation is not None:
        return operation.outbound.reporter
    rule = f" {request.url_rule.rule}" if request.url_rule else ""
    return ViewReporter(app, "", f"{request.method}{rule}", None)


def _usual_response(app: Flask, error: HTTPException) -> t.Any:
    """Werkzeug's response to an error, of the class of the application."""
    environ: t.Any = request.environ if has_request_context() else None
    try:
        made: t.Any = error.get_response(environ)
    except UnicodeEncodeError:
        # HTML can't hold a lone surrogate of the description; JSON has an escape.
        return app.response_class(status=error.code, headers=error.get_headers(environ))
    return app.response_class.force_type(made, environ)


def _is_left(registry: Registry, error: HTTPException) -> bool:
    """Whether an error is one of a view that is not typed, and left to Flask.

    It is not where the view was not reached, since a typed blueprint guards it.
    """
    endpoint, refused = request.endpoint, REFUSED_ERROR.get()
    is_plain = endpoint is not None and endpoint not in registry.operations.endpoints
    return is_plain and not (refused is not None and refused() is error)


def find_handler(
    app: Flask, endpoint: str, exception: type[Exception], *, code: int | None = None
) -> Handler | None:
    """The error handler for an exception that a view raises, ``None`` without one.

    Handlers of its status come before those of its class, those of a blueprint before
    those of the application, and those of a class before those of its bases.

    :param code: the status, where the class has none.

    Source: Flask, Handling Application Errors, "Blueprint Error Handlers".
    """
    code = getattr(exception, "code", None) or code
    is_http = issubclass(exception, HTTPException)
    for status in (code, None) if is_http and code is not None else (None,):
        for name in (*blueprints_around(endpoint), None):
            by_status: t.Any = app.error_handler_spec.get(name, {})
            handlers: dict[t.Any, Handler] = by_status.get(status, {})
            for cls in exception.__mro__:
                if handler := handlers.get(cls):
                    return handler
    return None


def read_handler(
    function: Handler, caught: t.Any
) -> tuple[Handler, Callable[[Flask], None] | None]:
    """What Flask is given for a function that says what it sends, and what compiles it.

    That is called for each application. A function of one of Flask's kinds is itself,
    and has nothing to compile. What is sent may be the response of the application,
    ``-> ErrorResponse``.

    :param caught: the status or the exception that it is registered for, ``None`` for a
        ``before_request`` function.
    :raises SignatureError: if it is an error handler with a model, and does not say
        with which status, or its annotation can't be resolved.
    """
    is_hook, view_callable = caught is None, unwrap_view(function, "")
    name, inner = view_callable.name, view_callable.function
    shown = f"errorhandler({getattr(caught, '__name__', caught)})"
    kind = "error handler"
    if is_hook:
        shown, kind = "before_request", "before_request function"

    def locate(problem: str) -> str:
        return f"{shown}: {problem} ({source_location(inner)})"

    with located(locate):
        names = names_around(inner)
        returns = return_hint(view_callable, names, registered=kind)
        has_model = names_model(returns, name, needs_status=not is_hook)
    is_standard = sends_standard_error(returns)
    if not has_model and not is_standard:
        return function, None
    sending = _responding(function) if has_model else function

    def compile_sent(app: Flask) -> None:
        handlers, plan = Registry.of(app).handlers, None
        if has_model:
            reporter = ViewReporter(app, name, shown, inner)
            with located(locate):
                plan = _compile_handler_plan(
                    app, Signature(name, (), returns), reporter
                )
        known = handlers.hooks if is_hook else handlers.known
        known[id(sending)] = sending, plan, is_standard

    return sending, compile_sent


def _compile_handler_plan(
    app: Flask, signature: Signature, reporter: ViewReporter
) -> OutboundPlan:
    return compile_outbound(
        signature,
        method="GET",
        declaration=NOTHING_DECLARED,
        route_statuses=(),
        reporter=reporter,
        standard=Registry.of(app).standard_error,
        defers_status=isinstance(app, Routes),
        # Nothing of a handler can be of no use.
        warn=lambda problem: None,
    )


def _responding(function: Handler) -> Handler:
    """A function that makes the response to what an error handler returns.

    It may be one of several applications, each of which has compiled what is sent.
    """

    def respond(value: t.Any, args: tuple[Exception, ...]) -> t.Any:
        if value is None and not args:
            # A "before_request" function, which has no argument: the view is called.
            return None
        handlers = current_application().extensions[EXTENSION].handlers
        known = handlers.known if args else handlers.hooks
        plan: t.Any = known[id(handle)][1]
        try:
            return plan.respond(value)
        except ResponseValidationError as error:
            # Whatever handles it might be the handler that has just failed.
            return respond_to_error(current_application(), error)

    async def handle_asynchronous(*args: Exception) -> t.Any:
        return respond(await function(*args), args)

    def handle_synchronous(*args: Exception) -> t.Any:
        return respond(function(*args), args)

    is_asynchronous = inspect.iscoroutinefunction(function)
    handle = functools.wraps(function)(
        handle_asynchronous if is_asynchronous else handle_synchronous
    )
    return handle


#: What else may return a value in the place of a view.
SOME_HOOK: t.Final = "a before_request() function"


def refuse_stray_model(app: Flask, value: t.Any) -> ResponseValidationError | None:
    """The error of a model that was returned, ``None`` if there is no model in a value.

    A view that has a plan refuses its models itself, so that other code returned
    this one, unless it is in a dict or a list. A view without a plan is called by
    Flask, as the others are. Outside of a request, Flask's own error is as good.
    """
    parts = value if isinstance(value, tuple) else (value,)
    found = next((part for part in parts if find_model(part) is not None), None)
    if found is None or not has_request_context():
        return None
    operation = Registry.of(app).operations.find(request)
    plan = operation.outbound if operation else None
    sources = _who_returned(app, operation, is_alone=find_model(found) is found)
    view = _reporter_of(app, operation)
    function = view.function if view.view in sources else None
    reporter = ViewReporter(app, " or ".join(sources), view.rule, function)
    if swapped := describe_status(parts[0]):
        return reporter.error(swapped, body=parts[0])
    if plan is not None and sources == [view.view]:
        given = (*parts, None)[1]
        code = given if isinstance(given, int) else plan.status
        disabled = plan.declaration.response_model is None
        message = describe_stray(found, code, serializer=None, disabled=disabled)
    else:
        message = (
            f"returned {show_stray(found)}, for which there is no response model."
            " Only a view can declare one: elsewhere, return model_dump() or a"
            " Response."
        )
    return reporter.error(message, body=found)


def _who_returned(
    app: Flask, operation: Operation | None, *, is_alone: bool
) -> list[str]:
    """Who may have returned a value, which Flask does not say.

    :param is_alone: whether the value is a model itself.
    """
    raised = RAISED.get()
    if raised is not None and raised() is current_request():
        return ["an error handler"]
    if operation is None:
        return [*(["a view of plain Flask"] if request.url_rule else []), SOME_HOOK]
    plan = operation.outbound
    if is_alone and not plan.is_noop:
        return [SOME_HOOK, "a decorator"]
    # What may return a value in the place of a view that Flask calls.
    found = [plan.reporter.view]
    if any(map(app.before_request_funcs.get, (None, *request.blueprints))):
        found.append(SOME_HOOK)
    if operation.declaration.decorators or operation.view_callable.wrappers:
        found.append("a decorator")
    return found
