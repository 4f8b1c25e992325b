"""The functions that Flask calls: they read a request, call the view and respond.

Compiled plans go in, a function in place of the view comes out. Guards run right before
the arguments of the view are read, or, by :class:`Enforcement`, around a view that is
called by a class or by a function that was not compiled.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, replace
from functools import partial, update_wrapper
from inspect import iscoroutinefunction

from werkzeug.exceptions import MethodNotAllowed

from .._common import RESPONSES
from .._dependencies.plan import (
    ENFORCED,
    Enforced,
    ViewCall,
    find_enforced,
    is_decorated,
    to_thread,
)
from .._outbound.plan import compile_respond, compile_write
from .calls import (
    METHOD_CALL,
    ROUTE_CALL,
    MethodCall,
    RouteCall,
    asks_for_method,
    find_decorated,
)
from .store import DirectCall, choose_operation, current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask, Request

    from .._dependencies.compile import OperationDependencies
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._signature.argument import Signature
    from .calls import DecoratedView, ReadAround
    from .registration import Registration, Target
    from .store import Operation, ViewFunction


class Plans(t.NamedTuple):
    """What is compiled of a view.

    :param dependencies: what is called before the view, ``None`` where nothing is.
    """

    signature: Signature
    inbound: InboundPlan
    outbound: OutboundPlan
    dependencies: OperationDependencies | None


@dataclass(frozen=True, slots=True)
class ViewComposer:
    """Makes the functions that read a request, call the view and respond.

    :param decorated: the view in decorators below the route that may make a response.
    :param reads_in_method: whether the request is read inside of the decorators of a
        class.
    :param write: makes a body of the usual value of the view.
    """

    target: Target
    plans: Plans
    decorated: DecoratedView | None
    reads_in_method: bool
    write: ViewFunction

    @classmethod
    def of(cls, target: Target, plans: Plans) -> ViewComposer:
        """The composer of an operation with these plans."""
        registration, outbound = target.registration, plans.outbound
        decorated = find_decorated(target.view_callable, outbound)
        registration.registry.operations.has_decorated |= decorated is not None
        return cls(
            target,
            plans,
            decorated=decorated,
            reads_in_method=asks_for_method(
                registration.app, registration.view, target.view_callable
            ),
            write=_unchanged if outbound.is_noop else compile_write(outbound),
        )

    @property
    def inbound(self) -> InboundPlan:
        """What reads the arguments of the view."""
        return self.plans.inbound

    @property
    def outbound(self) -> OutboundPlan:
        """What makes a response of its value."""
        return self.plans.outbound

    @property
    def is_returned(self) -> bool:
        """Whether a decorator of the route may make a response of the view's value."""
        is_decorated = bool(self.target.declaration.decorators)
        return is_decorated and self.outbound.defers_status and self.outbound.completes

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to do, so that the view is called as it is."""
        is_called = self.inbound.is_noop and self.plans.dependencies is None
        return is_called and self._respond is None

    def compose(self, missing: Sequence[str]) -> tuple[ViewFunction, ReadAround | None]:
        """The function of the operation, the view itself where there is nothing to do.

        Also what makes the function that reads the request for the method of a
        class-based view, ``None`` where it is read around the whole view.

        :param missing: the variables of the URL that the view lacks.
        """
        view, around = self.target.registration.view, self._compile_around()
        function = view if self.is_plain else self._compose(around)
        if missing:
            function = warn_of_missing(self.target, function, missing)
        reads_in_method = self.reads_in_method and function is not view
        return self._decorate(function), around if reads_in_method else None

    def _compose(self, around: ReadAround) -> ViewFunction:
        view = self.target.registration.view
        if self.reads_in_method:
            caller = ClassCaller(
                self.target,
                around,
                respond=self._respond or _unchanged,
                enforcement=self._enforcement(),
            )
            return wrap_view(view, caller.function())
        return wrap_view(view, around(view))

    def _decorate(self, function: ViewFunction) -> ViewFunction:
        """The function in the decorators of the route and its blueprints."""
        declaration, app = self.target.declaration, self.target.registration.app
        if not declaration.decorators:
            return function
        decorated = declaration.decorate(function)
        plan, is_returned = self.outbound, self.is_returned
        call, inner = synchronous(app, decorated), synchronous(app, function)

        def call_decorated(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            is_enforced = ENFORCED in request.environ
            if is_enforced and is_decorated(request, declaration, view_args):
                return inner(*args, **view_args)
            if not is_returned:
                return call(*args, **view_args)
            return ROUTE_CALL.run(RouteCall(plan), call, args=args, view_args=view_args)

        return wrap_view(decorated, call_decorated)

    def _compile_around(self) -> ReadAround:
        """What makes the function around one that calls the view.

        That may be a coroutine function.
        """
        dependencies, decorated = self.plans.dependencies, self.decorated
        around = (
            self._around_alone()
            if dependencies is None
            else self._around_with(dependencies)
        )
        if decorated is None:
            return around
        return lambda view: around(decorated.around(view))

    def _around_alone(self) -> ReadAround:
        """The same for a view without dependencies."""
        view_callable, is_noop = self.target.view_callable, self.inbound.is_noop
        app = self.target.registration.app
        respond, read = self._respond or _unchanged, self.inbound.read

        def around(view: ViewFunction) -> ViewFunction:
            call = synchronous(app, view)

            def call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
                return respond(call(*args, **view_args))

            def read_call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
                request = current_request()
                if args:
                    named, rest = view_callable.name_arguments(args, view_args)
                    values = read(request, named)
                    names = view_callable.positional if rest else ()
                    first = [values.pop(name) for name in names]
                    return respond(call(*first, *rest, **values))
                return respond(call(**read(request, view_args)))

            return call_and_respond if is_noop else read_call_and_respond

        return around

    def _around_with(self, dependencies: OperationDependencies) -> ReadAround:
        """The same for a view with its dependencies."""
        view_callable, registration = (
            self.target.view_callable,
            self.target.registration,
        )
        in_thread = runs_coroutine_functions(registration.view)
        in_thread = in_thread and not self.reads_in_method
        maker = ViewCallMaker(
            registration.app,
            self._respond or _unchanged,
            self._finish,
            in_thread=in_thread,
        )

        def around(view: ViewFunction) -> ViewFunction:
            usual = maker.make(view)

            def run(*args: t.Any, **view_args: t.Any) -> t.Any:
                request = current_request()
                call = usual
                if args:
                    view_args, rest = view_callable.name_arguments(args, view_args)
                    if rest:
                        names = view_callable.positional
                        call = maker.make(view, names, rest=rest)
                plan = dependencies.find(view_args, request.url_rule)
                if plan.inside is not None and ENFORCED in request.environ:
                    enforced = find_enforced(request, dependencies, view_args)
                    if enforced is not None:
                        return plan.inside.run_inside(view_args, call, enforced)
                return plan.run(request, view_args, call)

            return run

        return around

    def direct_call(self) -> DirectCall | None:
        """What does the same as the function, ``None`` where others have a part in it.

        Those are decorators and dependencies, or a class whose method reads requests.
        """
        has_others = (
            self.plans.dependencies is not None
            or self.decorated is not None
            or self.target.declaration.decorators
            or self.reads_in_method
        )
        if has_others:
            return None
        registration, inbound = self.target.registration, self.inbound
        return DirectCall(
            synchronous(registration.app, registration.view),
            None if inbound.is_noop else inbound,
            None if self.outbound.is_noop else self.write,
            self.outbound if self.outbound.completes else None,
        )

    @property
    def _finish(self) -> ViewFunction:
        """What makes a response of what is returned, whatever that is."""
        return partial(finish_value, self.target.registration.app, self.outbound)

    @property
    def _respond(self) -> ViewFunction | None:
        """What makes a response of a value, ``None`` where the value is returned."""
        outbound = self.outbound
        usual = compile_respond(outbound, self.write)
        if not self.is_returned:
            return None if outbound.is_noop else usual

        def respond(value: t.Any) -> t.Any:
            route_call = ROUTE_CALL.find()
            response = usual(value)
            if route_call is not None and route_call.plan is outbound:
                route_call.value = response
            return response

        return respond

    def _enforcement(self) -> Enforcement | None:
        """What is evaluated around a class, ``None`` where nothing is."""
        dependencies, view = self.plans.dependencies, self.target.registration.view
        if dependencies is None or not dependencies.needs.has_guards:
            return None
        return Enforcement(dependencies, self._finish, runs_coroutine_functions(view))


def _unchanged(value: t.Any) -> t.Any:
    return value


def dispatch_view(
    registration: Registration, operations: Sequence[Operation]
) -> ViewFunction:
    """One function for some operations: that of the operation, if there is but one."""
    functions = [item.view_function for item in operations]
    if functions and all(item is functions[0] for item in functions):
        return functions[0]
    find = registration.registry.operations.find
    calls = {
        id(item): synchronous(registration.app, item.view_function)
        for item in operations
    }

    def dispatch(*args: t.Any, **view_args: t.Any) -> t.Any:
        request = current_request()
        operation = find(request)
        # A view may be called while a request for another one is served.
        if id(operation) not in calls:
            operation = choose_operation(operations, request.method, view_args)
            if operation is None:
                raise no_operation(request, operations)
        return calls[id(operation)](*args, **view_args)

    return wrap_view(registration.view, dispatch)


def no_operation(request: Request, operations: Sequence[Operation]) -> Exception:
    """The exception of a rule that was not added with ``add_url_rule()``."""
    methods = {operation.method for operation in operations}
    if request.method not in methods:
        return MethodNotAllowed(sorted(methods))
    return LookupError(
        f"{operations[0].view_callable.name} is declared differently for each of its"
        f" rules, and {request.url_rule!r} is none of them. Add it with add_url_rule()."
    )


def is_made(function: t.Any) -> bool:
    """Whether a function was made here, for Flask."""
    return getattr(function, "__globals__", None) is globals()


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
    """

    target: Target
    read_around: ReadAround
    respond: ViewFunction
    enforcement: Enforcement | None

    def function(self) -> ViewFunction:
        """The function that calls it."""
        registration, enforcement = self.target.registration, self.enforcement
        operations = registration.registry.operations
        view_callable, read_around = self.target.view_callable, self.read_around
        asked, respond = registration.view, self.respond
        view = synchronous(registration.app, asked)

        def run(args: tuple[t.Any, ...], view_args: dict[str, t.Any]) -> t.Any:
            call = MethodCall(asked, view_callable, read_around, operations)
            value = METHOD_CALL.run(call, view, args=args, view_args=view_args)
            # A decorator has returned something else, or went a way around.
            return value if call.is_read else respond(value)

        def call_class(*args: t.Any, **view_args: t.Any) -> t.Any:
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
