"""Which view is being called, and by whom: a route, a class, a decorator.

Flask calls ``make_response()`` for what a view, an error handler or a
``before_request`` returned; decorators and views call it too. What is written here says
which it is.
"""

from __future__ import annotations

import sys
import typing as t
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import getattr_static, iscoroutinefunction, isfunction
from types import CodeType

from flask import has_request_context
from flask.views import MethodView, View

from .._common import UNSET, split_response_tuple, status_code
from .._signature.views import layers_of, method_attribute
from .decorators import Routes
from .registry import ActiveCall, OperationStore, current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from weakref import ref

    from flask import Flask, Request, Response

    from .._outbound.plan import OutboundPlan
    from .._signature.views import ViewCallable
    from .registry import ViewFunction


#: The plan for what ``dispatch_request()`` returned, until a response is made of that.
DISPATCHED: t.Final[ActiveCall[OutboundPlan]] = ActiveCall("dispatched")

# Python 3.11 calls a method of what is imported in more steps than a function.
get_dispatched: t.Final = DISPATCHED.current.get

set_dispatched: t.Final = DISPATCHED.current.set

#: The last exception by which a guard of a plain view ended a request.
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


def call_in_decorators(
    plan: OutboundPlan | None,
    decorated: ViewFunction,
    *,
    args: tuple[t.Any, ...],
    view_args: dict[str, t.Any],
) -> t.Any:
    """What the decorators of a route return, one of which may make the response.

    :param plan: of the view in them, ``None`` for a plain one.
    """
    if plan is None or not plan.completes:
        return decorated(*args, **view_args)
    return ROUTE_CALL.run(RouteCall(plan), decorated, args=args, view_args=view_args)


#: The key of a call in decorators, in the environ of its request.
DECORATED_CALL: t.Final = "flask_signature.decorated_call"


@dataclass(slots=True)
class DecoratedCall:
    """A call of a view in decorators below its route, which may make its response.

    :param code: of the view, ``None`` where it has none.
    :param plan: for what the decorators make a response of, whose errors name them.
    :ivar made: what ``jsonify()`` has made for them: the response, what has written it,
        the value, and what makes it without a model.
    """

    code: CodeType | None
    plan: OutboundPlan
    made: list[tuple[Response, t.Any, t.Any, Callable[[], Response]]] = field(
        default_factory=list
    )

    def complete(self, value: t.Any) -> t.Any:
        """A value as the view's own: what Flask makes a response of.

        :raises ResponseValidationError: if it does not fit the response model.
        """
        return self.plan.complete(self.plan.respond(value))

    def write_json(self, value: t.Any, make: Callable[[], Response]) -> Response:
        """The response of ``jsonify()`` to a value, as the view's own.

        A value that does not fit may yet be sent with the status of an error.
        """
        plan = self.plan
        serializer = writer = plan.find(None).serializer
        if isinstance(value, plan.usual.returns.passthrough):
            return make()
        if serializer is None:
            # Another status may have a model.
            self.made.append((made := make(), None, value, make))
            return made
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
        plan = self.plan
        parts = split_response_tuple(value) if isinstance(value, tuple) else None
        body, status, _ = parts or (value, None, None)
        for response, writer, given, make in self.made:
            if response is body:
                code = response.status_code if status is None else status_code(status)
                serializer = plan.find(code).serializer
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
            if frame.f_code is self.code:
                return True
            frame = frame.f_back
        return frame is None and DECORATED.is_set()


DECORATED: t.Final[ActiveCall[DecoratedCall]] = ActiveCall("decorated")


def find_decorated(
    view_callable: ViewCallable, plan: OutboundPlan
) -> Callable[[ViewFunction], ViewFunction] | None:
    """What says that the decorators of a view are called, which may make its response.

    ``None`` where there are none, or no model that the response has to fit.
    """
    wrappers, reporter = view_callable.wrappers, plan.reporter
    if not wrappers or not plan.defers_status or plan.is_noop:
        return None
    names = " or ".join(dict.fromkeys(map(_view_name, wrappers)))
    named = replace(reporter, view=f"{names} around {reporter.view}")
    code = getattr(view_callable.function, "__code__", None)
    return partial(_around_decorated, code, replace(plan, reporter=named))


def _around_decorated(
    code: CodeType | None, plan: OutboundPlan, function: ViewFunction
) -> ViewFunction:
    if iscoroutinefunction(function):

        async def run_asynchronous(*args: t.Any, **view_args: t.Any) -> t.Any:
            with _calling(DecoratedCall(code, plan)) as call:
                return call.settle(await function(*args, **view_args))

        return run_asynchronous

    def run(*args: t.Any, **view_args: t.Any) -> t.Any:
        with _calling(DecoratedCall(code, plan)) as call:
            return call.settle(function(*args, **view_args))

    return run


@contextmanager
def _calling(call: DecoratedCall) -> Iterator[DecoratedCall]:
    request = current_request() if has_request_context() else None
    environ = {} if request is None else request.environ
    before, environ[DECORATED_CALL] = environ.get(DECORATED_CALL), call
    token = DECORATED.current.set((request, call))
    try:
        yield call
    finally:
        DECORATED.current.reset(token)
        environ[DECORATED_CALL] = before


def _view_name(decorator: t.Any) -> str:
    """The name of a decorator, by the function that it has put around a view."""
    code = getattr(decorator, "__code__", None)
    if code is None:
        return type(decorator).__name__
    # Python 3.10 knows the name of the inner function alone.
    name: str = getattr(code, "co_qualname", code.co_name)
    return f"{name.partition('.<locals>')[0]}()"


def find_decorated_call() -> DecoratedCall | None:
    """The call whose decorators ask for a response, ``None`` if the view does.

    A thread of theirs may know the request alone.
    """
    call = DECORATED.find()
    if not DECORATED.is_set() and has_request_context():
        call = current_request().environ.get(DECORATED_CALL)
    return None if call is None or call.is_by_view(sys._getframe(1)) else call


def find_completing(value: t.Any) -> OutboundPlan | None:
    """The plan that gives a value the default status, ``None`` where none does.

    What ``dispatch_request()`` returned gets it, and so does what the view returned
    where a decorator of the route makes the response.
    """
    route_call = ROUTE_CALL.find()
    if route_call is not None:
        return route_call.plan if value is route_call.value else None
    # It may be of an earlier request, for which no response was made.
    plan = DISPATCHED.find()
    set_dispatched(None)
    return plan


if t.TYPE_CHECKING:
    ReadAround: t.TypeAlias = Callable[[ViewFunction], ViewFunction]


@dataclass(slots=True)
class MethodCall:
    """A call of a class-based view.

    :param view: what knows its class, which a test may have replaced.
    :param view_callable: the method that is to be called.
    :param read_around: makes the function that reads the request, calls a function and
        responds.
    :param operations: of the application.
    :param is_dispatching: whether ``dispatch_request()`` was asked for.
    :param is_read: whether a method was asked for, and so has read the request.
    """

    view: t.Any
    view_callable: ViewCallable
    read_around: ReadAround
    operations: OperationStore
    is_dispatching: bool = False
    is_read: bool = False

    def is_asked_for(self, function: t.Any) -> bool:
        """Whether a function that is asked for is the method.

        ``MethodView`` asks for whatever its instance has.
        """
        owner = getattr(function, "__self__", None)
        if isinstance(owner, View) and not isinstance(owner, self.view.view_class):
            return False
        is_dispatch = getattr(function, "__name__", "") == "dispatch_request"
        if is_dispatch and isinstance(owner, MethodView):
            self.is_dispatching = True
            return False
        return self.is_dispatching or isinstance(owner, View)

    def read_in(self, method: ViewFunction) -> ViewFunction:
        """The function that reads the request, calls a method and responds.

        :param method: which may be a coroutine function.
        """
        self.is_read = True

        def call(*args: t.Any, **view_args: t.Any) -> t.Any:
            read = self._choose()(method)
            # Whatever is called from here on is no part of this call.
            return METHOD_CALL.run(None, read, args=args, view_args=view_args)

        return call

    def _choose(self) -> ReadAround:
        """What reads the request for the method that is called.

        :raises LookupError: if it is the method of a verb that is not compiled, since a
            decorator has changed that of the request.
        """
        request, view_class = current_request(), self.view_callable.view_class
        attribute = method_attribute(view_class, request.method)
        if attribute == self.view_callable.attribute:
            return self.read_around
        operation = self.operations.find(request)
        if operation is not None and operation.around_method is not None:
            known = operation.view_callable
            if (known.view_class, known.attribute) == (view_class, attribute):
                return operation.around_method
        raise LookupError(
            f"{view_class.__name__}.{attribute}() was called for {request.method},"
            " which is not among the methods of its rule."
        )


METHOD_CALL: t.Final[ActiveCall[MethodCall]] = ActiveCall("method_call")


def find_method_call(function: t.Any, operations: OperationStore) -> MethodCall | None:
    """The call whose method ``ensure_sync()`` is asked for, if it is one.

    :param function: that is asked for.
    """
    owner = getattr(function, "__self__", None)
    call = METHOD_CALL.get()
    if call is None and isinstance(owner, View) and not METHOD_CALL.is_set():
        call = _call_of_request(owner, operations)
    return call if call is not None and call.is_asked_for(function) else None


def _call_of_request(instance: View, operations: OperationStore) -> MethodCall | None:
    """The call for a request, in a thread that a decorator gave no more than that."""
    operation = operations.find(current_request()) if has_request_context() else None
    if operation is None or operation.around_method is None:
        return None
    view_callable = operation.view_callable
    if not isinstance(instance, view_callable.view_class):
        return None
    around = operation.around_method
    # The instance was asked for its dispatch_request() before, if it is a MethodView.
    return MethodCall(
        view_callable, view_callable, around, operations, is_dispatching=True
    )


def asks_for_method(app: Flask, view: t.Any, view_callable: ViewCallable) -> bool:
    """Whether the application is asked for the method of a view.

    It is not on a plain ``flask.Flask``, where an ``ensure_sync()`` or an ``as_view()``
    does without Flask's, nor where a ``dispatch_request()`` calls the method by itself.
    This decides where arguments are read, and never who may call.
    """
    view_class: t.Any = getattr(view, "view_class", None)
    is_view = isinstance(view_class, type) and issubclass(view_class, View)
    if not is_view or not isinstance(app, Routes) or not _asks(view, view_class):
        return False
    if not _leaves_method(view_class):
        return False
    for name in ("dispatch_request", view_callable.attribute):
        # Nothing is called: whether it is asked for shows what ensure_sync() does.
        call = MethodCall(
            view, view_callable, unchanged, OperationStore(), is_dispatching=True
        )
        METHOD_CALL.run(call, app.ensure_sync, args=(getattr(view_class, name),))
        if not call.is_read:
            return False
    return True


def unchanged(value: t.Any) -> t.Any:
    """A value, as it is."""
    return value


def _leaves_method(view_class: type[View]) -> bool:
    """Whether the ``dispatch_request()`` of a class leaves its methods to Flask."""
    if not issubclass(view_class, MethodView):
        # What is no function, Flask asks for without its instance.
        return isfunction(getattr_static(view_class, "dispatch_request"))
    own = [vars(cls).get("dispatch_request") for cls in view_class.__mro__]
    own = own[: own.index(MethodView.dispatch_request)]
    return all(
        _leaves_dispatching(item, view_class) for item in own if item is not None
    )


def _asks(view: t.Any, view_class: type[View]) -> bool:
    """Whether Flask's own function calls the view, whatever is around it."""
    code = getattr(layers_of(view)[-1], "__code__", None)
    as_view = t.cast("t.Any", view_class.as_view).__func__
    usual = t.cast("t.Any", View.as_view).__func__
    file = usual.__code__.co_filename
    return as_view is usual or (code is not None and code.co_filename == file)


#: What calls a method by its name.
CALLS_BY_NAME: t.Final = frozenset({"attrgetter", "getattr", "methodcaller"})


def _leaves_dispatching(function: t.Any, view_class: type[View]) -> bool:
    """Whether an overriding method calls the one that it overrides, and no other."""
    call = function if hasattr(function, "__code__") else type(function).__call__
    names = _names_of_code(getattr(call, "__code__", None))
    own = {name for name in names if callable(getattr(view_class, name, None))}
    return own == {"dispatch_request"} and names.isdisjoint(CALLS_BY_NAME)


def _names_of_code(code: object) -> set[str]:
    """The names in the code of a function, and of the functions written in it."""
    if not isinstance(code, CodeType):
        return set()
    return {*code.co_names}.union(*map(_names_of_code, code.co_consts))
