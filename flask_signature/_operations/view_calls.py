"""How a view with dependencies is called, and its value becomes a response.

Guards run right before the arguments of the view are read, or, by :class:`Enforcement`,
around a view that is called by a class or by a function that was not compiled.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import replace
from functools import update_wrapper
from inspect import iscoroutinefunction

from .._dependencies.enforced import Enforced
from .._dependencies.enforced import find_enforced
from .._dependencies.enforced import to_thread
from .._dependencies.plan import ViewCall
from .._http.response import RESPONSES
from .active import current_request
from .class_views import METHOD_CALL
from .class_views import MethodCall

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence

    from flask import Flask

    from .._dependencies.operation import OperationDependencies
    from .._outbound.plan import OutboundPlan
    from .class_views import ReadAround
    from .operation import Operation
    from .operation import ViewFunction
    from .registration import Target


def wrap_view(view: ViewFunction, run: ViewFunction) -> ViewFunction:
    """A function with the name and the attributes of a view.

    The attributes are shared, not copied: a decorator above that of the route may set
    one on the view, and a ``before_request`` look for it in ``app.view_functions``.

    :param run: the function, which is changed and returned.
    """
    update_wrapper(run, view, updated=())
    attributes = getattr(view, "__dict__", None)
    # The attributes of a class are read-only, a built-in function has none.
    if isinstance(attributes, dict):
        run.__dict__ = attributes
    return run


def warn_of_missing(
    target: Target, function: ViewFunction, missing: Sequence[str]
) -> ViewFunction:
    """A view function that warns once of variables of the URL that the view lacks."""
    warned: list[str] = []

    def call(*args: t.Any, **view_args: t.Any) -> t.Any:
        if not warned and (names := view_args.keys() & {*missing}):
            warned.extend(names)
            target.warn(target.missing_problem(min(names)))
        return function(*args, **view_args)

    return wrap_view(function, call)


def synchronous(app: Flask, view: ViewFunction) -> ViewFunction:
    """The view, or a function that runs it to its end if it is a coroutine function."""
    if not iscoroutinefunction(view):
        return view

    def call(*args: t.Any, **view_args: t.Any) -> t.Any:
        return app.ensure_sync(view)(*args, **view_args)

    return call


def runs_coroutine_functions(view: ViewFunction) -> bool:
    """Whether a class-based view has a coroutine function, which Flask runs to its end.

    Or is one itself, by one of its decorators.
    """
    view_class: t.Any = getattr(view, "view_class", None)
    if not isinstance(view_class, type):
        return False
    functions = [getattr(view_class, name, None) for name in dir(view_class)]
    return any(map(iscoroutinefunction, [view, *functions]))


@dataclass(frozen=True, slots=True)
class Enforcement:
    """Guards that are evaluated around a view, once a request.

    :param finish: makes a response of what the view returned, whatever it is.
    :param in_thread: whether the view may run coroutine functions to their end, which
        it can't in the thread of an event loop.
    :param is_exact: whether this holds for what is called with the same alone.
    """

    dependencies: OperationDependencies
    finish: Callable[[t.Any], t.Any]
    in_thread: bool
    is_exact: bool = False

    def run(
        self,
        view_args: dict[str, t.Any],
        call: Callable[[], t.Any],
        *,
        coroutine: Callable[[], t.Any] | None = None,
    ) -> t.Any:
        """What the view returns, if the request may reach it.

        :param view_args: what the URL provides, and what is passed to the view.
        :param call: calls it.
        :param coroutine: the same where it is a coroutine function, to be awaited in
            the loop of the guards.
        """
        request, dependencies = current_request(), self.dependencies
        enforced = find_enforced(request, dependencies, view_args)
        if enforced is not None:
            # What is inside may be called with something else.
            with replace(enforced, view_args=None):
                return call()
        plan = dependencies.find(view_args, request.url_rule)
        around, inside = plan.around, plan.inside
        if around is None or inside is None:
            return call()
        in_loop = around.is_asynchronous and coroutine is None
        in_loop = in_loop and (self.in_thread or inside.is_asynchronous)

        def mark(values: dict[str, t.Any]) -> Enforced:
            for key in view_args:
                values.pop(key, None)
            needed = view_args if self.is_exact else None
            return Enforced(request, dependencies, None, needed, values, in_loop)

        function = enter = _within(mark, call)
        if in_loop:
            function = to_thread(enter, around.app)
        elif around.is_asynchronous and coroutine is not None:
            function = _within_coroutine(mark, coroutine)
        is_asynchronous = function is not enter
        view = ViewCall(function, enter, _unchanged, self.finish, is_asynchronous)
        return around.run(request, view_args, view)


@dataclass(frozen=True, slots=True)
class ClassCaller:
    """Calls a class-based view, whose method reads the request.

    Guards are evaluated around the whole class, whatever that does.

    :param read_around: as that of :class:`MethodCall`.
    :param respond: makes a response of what is returned in place of the method's value.
    :param enforcement: of the guards, ``None`` where there are none.
    :param wrapping: the operations that run instead under their rules, if any.
    """

    target: Target
    read_around: ReadAround
    respond: ViewFunction
    enforcement: Enforcement | None
    wrapping: list[Operation]

    def function(self) -> ViewFunction:
        """The function that calls it."""
        registration, enforcement = self.target.registration, self.enforcement
        operations, wrapping = registration.registry.operations, self.wrapping
        view_callable, read_around = self.target.view_callable, self.read_around
        app, asked, respond = registration.app, registration.view, self.respond
        view = synchronous(app, asked)

        def run(args: tuple[t.Any, ...], view_args: dict[str, t.Any]) -> t.Any:
            call = MethodCall(asked, view_callable, read_around, operations)
            value = METHOD_CALL.run(call, view, args=args, view_args=view_args)
            # A decorator has returned something else, or went a way around.
            return value if call.is_read else respond(value)

        def call_class(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            if wrapping and (other := operations.find_among(request, wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            if enforcement is None:
                return run(args, view_args)
            named = view_args
            if args:
                named, _ = view_callable.name_arguments(args, view_args)
            return enforcement.run(named, lambda: run(args, view_args))

        return call_class


def _within(
    mark: Callable[[dict[str, t.Any]], Enforced], call: Callable[[], t.Any]
) -> Callable[..., t.Any]:
    def enter(**values: t.Any) -> t.Any:
        with mark(values):
            return call()

    return enter


def _within_coroutine(
    mark: Callable[[dict[str, t.Any]], Enforced], call: Callable[[], t.Any]
) -> Callable[..., t.Any]:
    async def enter(**values: t.Any) -> t.Any:
        with mark(values):
            return await call()

    return enter


def _unchanged(value: t.Any) -> t.Any:
    return value


@dataclass(frozen=True, slots=True)
class ViewCallMaker:
    """Says how views are called.

    :param respond: makes what is returned of their value.
    :param finish: as that of :class:`Enforcement`.
    :param in_thread: likewise.
    """

    app: Flask
    respond: ViewFunction
    finish: ViewFunction
    in_thread: bool

    def make(
        self,
        view: ViewFunction,
        names: Sequence[str] = (),
        *,
        rest: tuple[t.Any, ...] = (),
    ) -> ViewCall:
        """The call of a view.

        :param view: which may be a coroutine function.
        :param names: of the arguments that are passed by position, before others.
        :param rest: those others, which have no name.
        """
        function, call = view, synchronous(self.app, view)
        if rest:
            function = _passing(function, names, rest)
            call = _passing(call, names, rest)
        is_asynchronous = call is not view
        if self.in_thread and not is_asynchronous:
            function, is_asynchronous = to_thread(function, self.app), True
        return ViewCall(function, call, self.respond, self.finish, is_asynchronous)


def finish_value(app: Flask, outbound: OutboundPlan, response: t.Any) -> t.Any:
    """A response of what is returned, whatever it is."""
    if isinstance(response, RESPONSES):
        return response
    # Flask makes the same response of any other value.
    if outbound.completes or isinstance(response, tuple):
        response = outbound.complete(response)
    return app.make_response(response)


def _passing(
    function: ViewFunction, names: Sequence[str], rest: tuple[t.Any, ...]
) -> ViewFunction:
    """A function that passes some values by position.

    :param names: of those that have one.
    :param rest: those after them.
    """

    def call(**values: t.Any) -> t.Any:
        first = [values.pop(name) for name in names]
        return function(*first, *rest, **values)

    return call
