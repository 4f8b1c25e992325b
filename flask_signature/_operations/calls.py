"""What ``make_response()`` makes a response of: who calls it, and what came before.

Flask calls it for what a view, an error handler or a ``before_request`` returned;
decorators and views call it too. The function of an operation and the application say
here what they call, and ``make_response()`` asks.
"""

from __future__ import annotations

import typing as t
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from inspect import iscoroutinefunction

import flask
from flask import has_request_context

from .._cycle.versions import PASSES_CONTEXT
from .._http.originals import find_original
from .._outbound.status import split_response_tuple, status_code
from .._sentinel import UNSET
from .active import ActiveCall, current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType, FrameType
    from weakref import ref

    from flask import Request, Response

    from .._outbound.plan import OutboundPlan
    from .._signature.unwrap import ViewCallable


class Dispatched(t.NamedTuple):
    """A request, and the plan for what ``dispatch_request()`` returned."""

    request: Request
    plan: OutboundPlan


DISPATCHED: t.Final[ContextVar[Dispatched | None]] = ContextVar(
    "dispatched", default=None
)

# Python 3.11 calls a method of what is imported in more steps than a function.
get_dispatched: t.Final = DISPATCHED.get


#: The last exception by which a guard of a plain view refused a request.
REFUSED_ERROR: t.Final[ContextVar[ref[Exception] | None]] = ContextVar(
    "refused", default=None
)


#: The last request whose view, or the search for it, has raised an exception.
RAISED: t.Final[ContextVar[ref[Request] | None]] = ContextVar("raised", default=None)


@dataclass(slots=True)
class RouteCall:
    """A call of a view in decorators of its route, one of which may make the response.

    :param plan: for what the view returns.
    :param value: what it returned.
    """

    plan: OutboundPlan
    value: t.Any = UNSET


ROUTE_CALL: t.Final[ActiveCall[RouteCall]] = ActiveCall("route_call")
get_route_call: t.Final = ROUTE_CALL.current.get

#: The key of a call in decorators, in the environ of its request.
DECORATED_CALL: t.Final = "flask_signature.decorated_call"


@dataclass(frozen=True, slots=True)
class DecoratedView:
    """A view in decorators that stand below its route.

    :param code: of the view, ``None`` where it has none.
    :param plan: for what the decorators make a response of, whose errors name them.
    """

    code: CodeType | None
    plan: OutboundPlan

    def around(self, function: Callable[..., t.Any]) -> Callable[..., t.Any]:
        """The decorators with the view in them, which say that they are called.

        :param function: which may be a coroutine function.
        """
        if iscoroutinefunction(function):

            async def run_asynchronous(*args: t.Any, **view_args: t.Any) -> t.Any:
                with self._calling() as call:
                    return call.settle(await function(*args, **view_args))

            return run_asynchronous

        def run(*args: t.Any, **view_args: t.Any) -> t.Any:
            with self._calling() as call:
                return call.settle(function(*args, **view_args))

        return run

    @contextmanager
    def _calling(self) -> Iterator[DecoratedCall]:
        request = current_request() if has_request_context() else None
        environ = {} if request is None else request.environ
        before, call = environ.get(DECORATED_CALL), DecoratedCall(self)
        environ[DECORATED_CALL] = call
        token = DECORATED.current.set((request, call))
        try:
            yield call
        finally:
            DECORATED.current.reset(token)
            environ[DECORATED_CALL] = before


@dataclass(slots=True)
class DecoratedCall:
    """A call of a view in decorators, which may make the response of its value.

    :ivar made: what ``jsonify()`` has made for them: the response, what has written it,
        the value, and what makes it without a model.
    """

    view: DecoratedView
    made: list[tuple[Response, t.Any, t.Any, Callable[[], Response]]] = field(
        default_factory=list
    )

    def complete(self, value: t.Any) -> t.Any:
        """A value as the view's own: what Flask makes a response of.

        :raises ResponseValidationError: if it does not fit the response model.
        """
        plan = self.view.plan
        return plan.complete(plan.respond(value))

    def write_json(self, value: t.Any, make: Callable[[], Response]) -> Response:
        """The response of ``jsonify()`` to a value, as the view's own.

        A value that does not fit may yet be sent with the status of an error.
        """
        plan = self.view.plan
        serializer = writer = plan.serializer_of(plan.status)
        if serializer is None or isinstance(value, plan.passthrough):
            return make()
        try:
            data = serializer.write(value)
            response: t.Any = plan.app.response_class(
                data, status=plan.status, content_type=plan.content_type
            )
        except Exception:
            writer = None
            try:
                response = make()
            except TypeError:
                plan.write(value, serializer)
                raise
        self.made.append((response, writer, value, make))
        return t.cast("Response", response)

    def settle(self, value: t.Any) -> t.Any:
        """What the decorators have returned, whose status is known now.

        :raises ResponseValidationError: if JSON does not fit the model of its status.
        """
        plan = self.view.plan
        parts = split_response_tuple(value) if isinstance(value, tuple) else None
        body, status, _ = parts or (value, None, None)
        for response, writer, given, make in self.made:
            if response is body:
                code = response.status_code if status is None else status_code(status)
                serializer = plan.serializer_of(code)
                if serializer is None and writer is not None:
                    response.set_data(make().get_data())
                elif serializer is not None and serializer is not writer:
                    response.set_data(plan.write(given, serializer))
        return value

    def is_by_view(self, frame: FrameType | None) -> bool:
        """Whether the view asks for a response, and none of its decorators.

        Nothing is called between them that could say so. A task that has no frame of
        either is the view's.

        :param frame: of whoever asks.
        """
        while frame is not None and frame.f_globals is not globals():
            if frame.f_code is self.view.code:
                return True
            frame = frame.f_back
        return frame is None and DECORATED.is_set()


DECORATED: t.Final[ActiveCall[DecoratedCall]] = ActiveCall("decorated")


def find_decorated(
    view_callable: ViewCallable, plan: OutboundPlan
) -> DecoratedView | None:
    """A view in decorators that may make a response of what it returned.

    ``None`` where there are none, or no model that the response has to fit.
    """
    wrappers, reporter = view_callable.wrappers, plan.reporter
    if not wrappers or not plan.defers_status or plan.is_noop:
        return None
    names = " or ".join(dict.fromkeys(map(_view_name, wrappers)))
    named = replace(reporter, view=f"{names} around {reporter.view}")
    code = getattr(view_callable.function, "__code__", None)
    return DecoratedView(code, replace(plan, reporter=named))


def _view_name(decorator: t.Any) -> str:
    """The name of a decorator, by the function that it has put around a view."""
    code = getattr(decorator, "__code__", None)
    if code is None:
        return type(decorator).__name__
    # Python 3.10 knows the name of the inner function alone.
    name: str = getattr(code, "co_qualname", code.co_name)
    return f"{name.partition('.<locals>')[0]}()"


def find_decorated_call(frame: FrameType | None) -> DecoratedCall | None:
    """The call whose decorators ask for a response, ``None`` if the view does.

    A thread of theirs may know the request alone.

    :param frame: of whoever asks.
    """
    if DECORATED.is_set():
        call = DECORATED.find()
    else:
        call = (
            current_request().environ.get(DECORATED_CALL)
            if has_request_context()
            else None
        )
    return None if call is None or call.is_by_view(frame) else call


def complete_value(value: t.Any) -> t.Any:
    """What Flask's ``make_response()`` is to make a response of.

    What ``dispatch_request()`` returned gets the default status, and so does what the
    view returned where a decorator of the route makes the response.

    :raises ResponseValidationError: if it does not fit the response model.
    """
    route_call = ROUTE_CALL.find()
    if route_call is not None:
        is_value = value is route_call.value
        return route_call.plan.complete(value) if is_value else value
    dispatched = DISPATCHED.get()
    if dispatched is None:
        return value
    DISPATCHED.set(None)
    # No response was made for an earlier request.
    is_current = has_request_context() and dispatched.request is current_request()
    return dispatched.plan.complete(value) if is_current else value


#: Flask's own, whose work is done here.
DISPATCH_REQUEST: t.Final = find_original(flask, flask.Flask, "dispatch_request")


def dispatch_request(context: t.Any) -> t.Any:
    """What ``app.dispatch_request()`` does for the request of a context."""
    app, request = context.app, context.request
    if request.routing_exception is not None:
        app.raise_routing_exception(request)
    rule = request.url_rule
    if request.method == "OPTIONS" and getattr(
        rule, "provide_automatic_options", False
    ):
        passed = (context,) if PASSES_CONTEXT else ()
        return app.make_default_options_response(*passed)
    return app.ensure_sync(app.view_functions[rule.endpoint])(**request.view_args)
