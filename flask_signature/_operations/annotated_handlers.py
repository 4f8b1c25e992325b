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
from .._outbound.handler_returns import names_model
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


#: What registers a function that Flask calls before the view.
BEFORE: t.Final = "before_request"


@dataclass(frozen=True, slots=True)
class AnnotatedHandler:
    """An error handler or a ``before_request`` function, and what it says it sends.

    :param function: as it was registered.
    :param inner: the function with the annotation.
    :param name: as messages show it: ``"sold_out()"``.
    :param caught: what it handles: ``"errorhandler(OutOfStock)"``, or :data:`BEFORE`.
    :param returns: the annotation.
    :param has_statuses: whether that has a model, for which an error handler names the
        status.
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
    """A function that says what it sends, ``None`` for one of Flask's kinds.

    What it sends may be the response of the application, ``-> ErrorResponse``.

    :param caught: the status or the exception that it is registered for, ``None`` for a
        ``before_request`` function.
    :raises SignatureError: if it is an error handler with a model, and does not say
        with which status, or its annotation can't be resolved.
    """
    is_hook = caught is None
    shown = f"errorhandler({getattr(caught, '__name__', caught)})"
    view_callable = unwrap_view(function, "")
    names = names_around(view_callable.function, author_frame())
    handler = AnnotatedHandler(
        function,
        view_callable.function,
        view_callable.name,
        BEFORE if is_hook else shown,
        EMPTY,
        has_statuses=False,
    )
    registered = f"{BEFORE} function" if is_hook else "error handler"
    try:
        returns = return_hint(view_callable, names, registered=registered)
        has_statuses = names_model(returns, handler.name, needs_status=not is_hook)
        handler = replace(handler, returns=returns, has_statuses=has_statuses)
        return handler if handler.goes_on or has_statuses else None
    except SignatureError as error:
        raise SignatureError(handler.locate(str(error))) from error.__cause__


def compile_handler(app: Flask, handler: AnnotatedHandler) -> Handler:
    """The function that is registered in the place of an error handler.

    :raises SignatureError: if a model can't be serialized.
    """
    known, is_hook = Registry.of(app).handlers, handler.caught == BEFORE
    if not handler.has_statuses:
        known.keep(handler.function, None, goes_on=True)
        return handler.function
    plan = _compile_plan(app, handler)
    compiled = _responding(app, handler.function, plan, is_hook=is_hook)
    # What a hook sends is not described.
    known.keep(compiled, None if is_hook else plan, goes_on=handler.goes_on)
    return compiled


def _compile_plan(app: Flask, handler: AnnotatedHandler) -> OutboundPlan:
    registry = Registry.of(app)
    try:
        return compile_outbound(
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


def _ignore(problem: str) -> None:
    """Nothing of a handler can be of no use."""


def _responding(
    app: Flask, function: Handler, plan: OutboundPlan, *, is_hook: bool
) -> Handler:
    """A function that makes the response to what an error handler returns.

    :param is_hook: whether it is a ``before_request`` function, which has no argument.
    """

    def respond(value: t.Any) -> t.Any:
        if value is None and is_hook:
            # The view is called.
            return None
        try:
            return plan.respond(value)
        except ResponseValidationError as error:
            # Whatever handles it might be the handler that has just failed.
            return error_response(app, error)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def handle(*args: Exception) -> t.Any:
            return respond(await function(*args))

    else:

        @functools.wraps(function)
        def handle(*args: Exception) -> t.Any:
            return respond(function(*args))

    return handle


def compile_handlers(app: Flask, name: str, handlers: list[AnnotatedHandler]) -> None:
    """Put the functions of a blueprint's error handlers and hooks in their places.

    :param name: that the blueprint is registered with.
    :raises SignatureError: if a model can't be serialized.
    """
    for handler in handlers:
        compiled = compile_handler(app, handler)
        places: list[t.Any] = [*app.error_handler_spec[name].values()]
        if handler.caught == BEFORE:
            places = [app.before_request_funcs.get(name, [])]
        for place in places:
            pairs = place.items() if isinstance(place, dict) else enumerate(place)
            for key, function in [*pairs]:
                if function is handler.function:
                    place[key] = compiled
