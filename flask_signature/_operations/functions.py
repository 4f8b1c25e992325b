"""The functions that Flask calls: they read a request, call the view and respond.

Compiled plans go in, a function in place of the view comes out. Guards run right before
the arguments of the view are read, or, by :class:`ViewGuards`, around a view that is
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
from .._signature.views import method_attribute
from .calls import (
    METHOD_CALL,
    ROUTE_CALL,
    MethodCall,
    asks_for_method,
    call_in_decorators,
    find_decorated,
    unchanged,
)
from .decorators import methods_with_options
from .registration import Registration, runs_coroutine_functions
from .registry import DirectCall, Registry, choose_operation, current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask, Request

    from .._dependencies.compile import OperationDependencies
    from .._outbound.plan import OutboundPlan
    from .calls import ReadAround
    from .registry import Operation, ViewFunction


def compose(
    registration: Registration, operation: Operation, missing: Sequence[str]
) -> Operation:
    """An operation with its function: the view, where there is nothing to do.

    :param operation: whose function is the view.
    :param missing: the variables of the URL that the view lacks.
    """
    app, view, outbound = registration.app, registration.view, operation.outbound
    view_callable, dependencies = operation.view_callable, operation.dependencies
    decorated = find_decorated(view_callable, outbound)
    if decorated is not None:
        registration.registry.operations.has_decorated = True
    in_class = asks_for_method(app, view, view_callable)
    write = unchanged if outbound.is_noop else compile_write(outbound)
    respond = _compile_respond(operation, write)
    is_read = dependencies is not None or not operation.inbound.is_noop
    is_decorated = decorated is not None or operation.declaration.decorators
    around: ReadAround | None = None
    call, function = None, view
    if is_read or respond is not unchanged:
        around = _around_alone(operation, respond)
        if dependencies is not None:
            in_thread = runs_coroutine_functions(view) and not in_class
            around = _around_with(operation, respond, dependencies, in_thread=in_thread)
        if decorated is not None:
            around = partial(_read_decorated, around, decorated)
        run = _call_class(operation, respond, around) if in_class else around(view)
        function = wrap_view(view, run)
    if missing:
        function = _warn_of_missing(registration, function, missing)
    elif dependencies is None and not (is_decorated or in_class):
        # Nothing else has a part in what the function does.
        call = _call_directly(operation, write)
    return replace(
        operation,
        view_function=_decorate_view(operation, function),
        call=call,
        around_method=around if in_class else None,
    )


def _read_decorated(
    read_around: ReadAround, decorated: ReadAround, view: ViewFunction
) -> ViewFunction:
    return read_around(decorated(view))


def _call_directly(operation: Operation, write: ViewFunction) -> DirectCall:
    inbound, outbound = operation.inbound, operation.outbound
    return DirectCall(
        synchronous(outbound.app, operation.view_function),
        None if inbound.is_noop else inbound,
        None if outbound.is_noop else write,
        outbound if outbound.completes else None,
    )


def _decorate_view(operation: Operation, function: ViewFunction) -> ViewFunction:
    """The function in the decorators of the route and its blueprints."""
    declaration, plan = operation.declaration, operation.outbound
    if not declaration.decorators:
        return function
    decorated = declaration.decorate(function)
    call, inner = synchronous(plan.app, decorated), synchronous(plan.app, function)

    def call_decorated(*args: t.Any, **view_args: t.Any) -> t.Any:
        request = current_request()
        is_enforced = ENFORCED in request.environ
        if is_enforced and is_decorated(request, declaration, view_args):
            return inner(*args, **view_args)
        return call_in_decorators(plan, call, args=args, view_args=view_args)

    return wrap_view(decorated, call_decorated)


def _around_alone(operation: Operation, respond: ViewFunction) -> ReadAround:
    """What makes the function around one that calls the view without dependencies.

    That may be a coroutine function.

    :param respond: makes a response of a value.
    """
    app, view_callable = operation.outbound.app, operation.view_callable
    is_noop, read = operation.inbound.is_noop, operation.inbound.read

    def around(view: ViewFunction) -> ViewFunction:
        call = synchronous(app, view)

        def call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
            return respond(call(*args, **view_args))

        def read_call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            run = call
            if args:
                view_args, rest = view_callable.name_arguments(args, view_args)
                run = _passing(call, view_callable.positional, rest)
            return respond(run(**read(request, view_args)))

        return call_and_respond if is_noop else read_call_and_respond

    return around


def _around_with(
    operation: Operation,
    respond: ViewFunction,
    dependencies: OperationDependencies,
    *,
    in_thread: bool,
) -> ReadAround:
    """The same for a view with its dependencies.

    :param in_thread: whether the view runs coroutine functions to their end.
    """
    app, view_callable = operation.outbound.app, operation.view_callable
    finish = partial(finish_value, app, operation.outbound)
    find_in_class = partial(find_enforced, in_class=True)

    def call_of(view: ViewFunction, rest: tuple[t.Any, ...] = ()) -> ViewCall:
        # The values that have no name follow those of the arguments before them.
        names = view_callable.positional
        function = _passing(view, names, rest)
        call = _passing(synchronous(app, view), names, rest)
        is_asynchronous = iscoroutinefunction(view)
        if in_thread and not is_asynchronous:
            function, is_asynchronous = to_thread(function, app), True
        return ViewCall(function, call, respond, finish, is_asynchronous)

    def around(view: ViewFunction) -> ViewFunction:
        usual = call_of(view)

        def run(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            call = usual
            if args:
                view_args, rest = view_callable.name_arguments(args, view_args)
                call = call_of(view, rest) if rest else usual
            plan, enforced = dependencies.find(view_args, request.url_rule), None
            if plan.inside is not None and ENFORCED in request.environ:
                enforced = find_in_class(request, dependencies, view_args)
                plan = plan if enforced is None else plan.inside
            return plan.run(request, view_args, call, enforced=enforced)

        return run

    return around


def _compile_respond(operation: Operation, write: ViewFunction) -> ViewFunction:
    """What makes a response of a value, where the value is not returned as it is.

    :param write: makes a body of the usual value.
    """
    outbound = operation.outbound
    usual = compile_respond(outbound, write)
    if not (operation.declaration.decorators and outbound.completes):
        return unchanged if outbound.is_noop else usual

    def respond(value: t.Any) -> t.Any:
        route_call = ROUTE_CALL.find()
        response = usual(value)
        if route_call is not None and route_call.plan is outbound:
            route_call.value = response
        return response

    return respond


def _call_class(
    operation: Operation, respond: ViewFunction, read_around: ReadAround
) -> ViewFunction:
    """What calls a class-based view, whose method reads the request.

    Guards are evaluated around the whole class, whatever that does.

    :param read_around: as that of :class:`.MethodCall`.
    """
    app, asked = operation.outbound.app, operation.view_function
    operations = Registry.of(app).operations
    view_callable, dependencies = operation.view_callable, operation.dependencies
    view, view_guards = synchronous(app, asked), None
    if dependencies is not None and dependencies.has_guards:
        in_thread = runs_coroutine_functions(asked)
        view_guards = ViewGuards(dependencies, operation.outbound, in_thread)

    def run(args: tuple[t.Any, ...], view_args: dict[str, t.Any]) -> t.Any:
        call = MethodCall(asked, view_callable, read_around, operations)
        value = METHOD_CALL.run(call, view, args=args, view_args=view_args)
        # A decorator has returned something else, or went a way around.
        return value if call.is_read else respond(value)

    def call_class(*args: t.Any, **view_args: t.Any) -> t.Any:
        if view_guards is None:
            return run(args, view_args)
        named = view_args
        if args:
            named, _ = view_callable.name_arguments(args, view_args)
        return view_guards.run(named, lambda: run(args, view_args))

    return call_class


def dispatch_view(
    registration: Registration, operations: Sequence[Operation]
) -> ViewFunction:
    """One function for some operations: that of the operation, if there is but one.

    It calls no method of a class which has options and no operation: a class chooses by
    the method of a request, which a hook may have changed.
    """
    functions = [item.view_function for item in operations]
    is_one = bool(functions) and all(item is functions[0] for item in functions)
    call = functions[0] if is_one else _choosing(registration, operations)
    view: t.Any = registration.view
    compiled = {item.view_callable.attribute for item in operations}
    others = methods_with_options(view).keys() - compiled
    if not others:
        return call
    run = synchronous(registration.app, call)

    def call_compiled(*args: t.Any, **view_args: t.Any) -> t.Any:
        request = current_request()
        if method_attribute(view.view_class, request.method) in others:
            raise no_operation(request, operations)
        return run(*args, **view_args)

    return wrap_view(view, call_compiled)


def _choosing(
    registration: Registration, operations: Sequence[Operation]
) -> ViewFunction:
    """A function that calls that of the operation which a request is for."""
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


def _warn_of_missing(
    registration: Registration, function: ViewFunction, missing: Sequence[str]
) -> ViewFunction:
    """A view function that warns once of variables of the URL that the view lacks."""
    warned: list[str] = []

    def call(*args: t.Any, **view_args: t.Any) -> t.Any:
        if not warned and (names := view_args.keys() & {*missing}):
            warned.extend(names)
            registration.warn(registration.missing_problem(min(names)))
        return function(*args, **view_args)

    return wrap_view(function, call)


def synchronous(app: Flask, view: ViewFunction) -> ViewFunction:
    """The view, or a function that runs it to its end if it is a coroutine function."""
    if not iscoroutinefunction(view):
        return view

    def call(*args: t.Any, **view_args: t.Any) -> t.Any:
        return app.ensure_sync(view)(*args, **view_args)

    return call


@dataclass(frozen=True, slots=True)
class ViewGuards:
    """Guards that are evaluated around a view, once a request.

    :param outbound: of the view, ``None`` for a plain one.
    :param in_thread: whether the view may run coroutine functions to their end, which
        it can't in the thread of an event loop.
    :param is_exact: whether they count as evaluated for what is called with the same
        arguments alone. The method of a class may be called with others.
    """

    dependencies: OperationDependencies
    outbound: OutboundPlan | None
    in_thread: bool
    is_exact: bool = False

    def run(
        self,
        view_args: dict[str, t.Any],
        call: Callable[[], t.Any],
        *,
        coroutine: t.Any = None,
    ) -> t.Any:
        """What the view returns, if the request may reach it.

        :param view_args: what the URL provides, and what is passed to the view.
        :param call: calls it.
        :param coroutine: the same where the view is a coroutine function, to be awaited
            in the loop of the guards; ``None`` for another view.
        """
        request, dependencies = current_request(), self.dependencies
        enforced = find_enforced(request, dependencies, view_args)
        if enforced is not None:
            # What is inside may be called with something else.
            with replace(enforced, is_open=True):
                return call()
        plan = dependencies.find(view_args, request.url_rule)
        around, inside = plan.around, plan.inside
        if around is None or inside is None:
            return call()
        may_await = self.in_thread or inside.is_asynchronous
        in_loop = around.is_asynchronous and coroutine is None and may_await
        made = partial(Enforced, request, dependencies, view_args=view_args)

        def mark(values: dict[str, t.Any]) -> Enforced:
            for key in view_args:
                values.pop(key, None)
            return made(is_open=not self.is_exact, values=values, in_loop=in_loop)

        def enter(**values: t.Any) -> t.Any:
            with mark(values):
                return call()

        async def await_it(**values: t.Any) -> t.Any:
            with mark(values):
                return await coroutine()

        function = enter if coroutine is None else await_it
        if in_loop:
            function = to_thread(enter, around.app)
        finish = partial(finish_value, around.app, self.outbound)
        view = ViewCall(function, enter, unchanged, finish, function is not enter)
        return around.run(request, view_args, view)


def finish_value(app: Flask, outbound: OutboundPlan | None, response: t.Any) -> t.Any:
    """A response of what is returned, whatever it is.

    :param outbound: of the view, ``None`` for a plain one.
    """
    if isinstance(response, RESPONSES):
        return response
    # Flask makes the same response of any other value.
    if outbound and (outbound.completes or isinstance(response, tuple)):
        response = outbound.complete(response)
    return app.make_response(response)


def _passing(
    function: ViewFunction, names: Sequence[str], rest: tuple[t.Any, ...]
) -> ViewFunction:
    """A function that passes some values by position, the same where there are none.

    :param names: of those that have one.
    :param rest: those after them.
    """
    if not rest:
        return function

    def call(**values: t.Any) -> t.Any:
        first = [values.pop(name) for name in names]
        return function(*first, *rest, **values)

    return call
