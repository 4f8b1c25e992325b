"""Error handlers whose return annotation says what they send, with which status.

An error handler goes in, a function that validates and filters what it returns comes
out; the application and the blueprint register that in its place. Handlers of which
Flask makes a response as it always does are left alone.
"""

from __future__ import annotations

import functools
import inspect
import typing as t
from dataclasses import dataclass
from dataclasses import replace

from .._outbound.compile import compile_outbound
from .._outbound.failure import ViewReporter
from .._outbound.handler_returns import names_statuses
from .._outbound.handler_returns import sends_standard_error
from .._routing.declaration import NOTHING_DECLARED
from .._signature.argument import EMPTY
from .._signature.argument import Signature
from .._signature.hints import return_hint
from .._signature.source import author_frame
from .._signature.source import source_location
from .._signature.unwrap import unwrap_view
from ..exceptions import ResponseValidationError
from ..exceptions import SignatureError
from .decorators import Routes
from .decorators import names_around
from .error_handler import error_response
from .registry import Registry

if t.TYPE_CHECKING:
    from flask import Flask

    from .._outbound.plan import OutboundPlan
    from .error_lookup import Handler


@dataclass(frozen=True, slots=True)
class AnnotatedHandler:
    """An error handler, and what it says that it sends.

    :param function: as it was registered.
    :param inner: the function with the annotation.
    :param name: as messages show it: ``"sold_out()"``.
    :param caught: what it handles: ``"errorhandler(OutOfStock)"``.
    :param returns: the annotation.
    :param has_statuses: whether that names a status.
    """

    function: Handler
    inner: Handler
    name: str
    caught: str
    returns: t.Any
    has_statuses: bool

    @property
    def goes_on(self) -> bool:
        """Whether it may send what the application sends for an error."""
        return sends_standard_error(self.returns)

    def locate(self, problem: str) -> str:
        """A problem with what is handled, the file and the line."""
        return f"{self.caught}: {problem} ({source_location(self.inner)})"


def read_handler(function: Handler, caught: t.Any) -> AnnotatedHandler | None:
    """An error handler that says what it sends, ``None`` for one of Flask's kinds.

    What it sends may be the response of the application, ``-> ErrorResponse``.

    :param caught: the status or the exception that it is registered for.
    :raises SignatureError: if it has a model, and does not say with which status, or
        its annotation can't be resolved.
    """
    view_callable = unwrap_view(function, "")
    names = names_around(view_callable.function, author_frame())
    handler = AnnotatedHandler(
        function,
        view_callable.function,
        view_callable.name,
        f"errorhandler({getattr(caught, '__name__', caught)})",
        EMPTY,
        has_statuses=False,
    )
    try:
        returns = return_hint(view_callable, names, registered="error handler")
        has_statuses = names_statuses(returns, handler.name)
        handler = replace(handler, returns=returns, has_statuses=has_statuses)
        return handler if handler.goes_on or has_statuses else None
    except SignatureError as error:
        raise SignatureError(handler.locate(str(error))) from error.__cause__


def compile_handler(app: Flask, handler: AnnotatedHandler) -> Handler:
    """The function that is registered in the place of an error handler.

    :raises SignatureError: if a model can't be serialized.
    """
    registry = Registry.of(app)
    if not handler.has_statuses:
        registry.handlers.keep(handler.function, None, goes_on=True)
        return handler.function
    try:
        plan = compile_outbound(
            Signature(handler.name, (), handler.returns),
            method="GET",
            declaration=NOTHING_DECLARED,
            route_statuses=(),
            reporter=ViewReporter(app, handler.name, handler.caught, handler.inner),
            validates=registry.validates_responses,
            standard=registry.standard_error,
            defers_status=isinstance(app, Routes),
            warn=_ignore,
        )
    except SignatureError as error:
        raise SignatureError(handler.locate(str(error))) from error.__cause__
    compiled = _responding(app, handler.function, plan)
    registry.handlers.keep(compiled, plan, goes_on=handler.goes_on)
    return compiled


def _ignore(problem: str) -> None:
    """Nothing of a handler can be of no use."""


def _responding(app: Flask, function: Handler, plan: OutboundPlan) -> Handler:
    """A function that makes the response to what an error handler returns."""

    def respond(value: t.Any) -> t.Any:
        try:
            return plan.respond(value)
        except ResponseValidationError as error:
            # Whatever handles it might be the handler that has just failed.
            return error_response(app, error)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def handle(error: Exception) -> t.Any:
            return respond(await function(error))

    else:

        @functools.wraps(function)
        def handle(error: Exception) -> t.Any:
            return respond(function(error))

    return handle


def compile_handlers(app: Flask, name: str, handlers: list[AnnotatedHandler]) -> None:
    """Put the functions of a blueprint's error handlers in their places.

    :param name: that the blueprint is registered with.
    :raises SignatureError: if a model can't be serialized.
    """
    for handler in handlers:
        for by_class in app.error_handler_spec[name].values():
            for cls, function in by_class.items():
                if function is handler.function:
                    by_class[cls] = compile_handler(app, handler)
