"""The functions that Flask calls: they read a request, call the view and respond.

Compiled plans go in, a function in place of the view comes out.
"""

from __future__ import annotations

import functools
import inspect
import typing as t
from dataclasses import dataclass

from werkzeug.exceptions import MethodNotAllowed

from .active import current_request
from .calls import ROUTE_CALL
from .calls import RouteCall
from .calls import find_decorated
from .class_views import METHOD_CALL
from .class_views import MethodCall
from .class_views import asks_for_method
from .store import choose_operation

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from flask import Request

    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._signature.unwrap import ViewCallable
    from .calls import DecoratedView
    from .operation import Operation
    from .operation import ViewFunction
    from .registration import Registration
    from .target import Target


def wrap_view(view: ViewFunction, run: ViewFunction) -> ViewFunction:
    """A function with the name and the attributes of a view.

    The attributes are shared, not copied: a decorator above that of the route may set
    one on the view, and a ``before_request`` look for it in ``app.view_functions``.

    :param run: the function, which is changed and returned.
    """
    functools.update_wrapper(run, view, updated=())
    attributes = getattr(view, "__dict__", None)
    # The attributes of a class are read-only, a built-in function has none.
    if isinstance(attributes, dict):
        run.__dict__ = attributes
    return run


def synchronous(app: Flask, view: ViewFunction) -> ViewFunction:
    """The view, or a function that runs it to its end if it is a coroutine function."""
    if not inspect.iscoroutinefunction(view):
        return view

    def call(*args: t.Any, **view_args: t.Any) -> t.Any:
        return app.ensure_sync(view)(*args, **view_args)

    return call


@dataclass(frozen=True, slots=True)
class ViewComposer:
    """Makes the function that reads a request, calls the view and responds.

    :param wrapping: the operations that run instead under their rules, if any.
    :param decorated: the view in decorators below the route that may make a response.
    :param reads_in_method: whether the request is read inside of the decorators of a
        class.
    """

    target: Target
    inbound: InboundPlan
    outbound: OutboundPlan
    wrapping: Sequence[Operation]
    decorated: DecoratedView | None
    reads_in_method: bool

    @classmethod
    def of(
        cls,
        target: Target,
        inbound: InboundPlan,
        outbound: OutboundPlan,
        *,
        wrapping: Sequence[Operation],
    ) -> ViewComposer:
        """The composer of an operation with these plans."""
        registration = target.registration
        return cls(
            target,
            inbound,
            outbound,
            wrapping,
            decorated=find_decorated(target.view_callable, outbound),
            reads_in_method=asks_for_method(registration.app, registration.view),
        )

    @property
    def is_returned(self) -> bool:
        """Whether a decorator of the route may make a response of the view's value."""
        is_decorated = bool(self.target.declaration.decorators)
        return is_decorated and self.outbound.defers_status and self.outbound.completes

    def compose(self) -> ViewFunction:
        """The function; the view itself, where there is nothing to do."""
        view = self.target.registration.view
        if self.inbound.is_noop and self._respond is None:
            return view
        call = synchronous(self.target.registration.app, view)
        if self.reads_in_method:
            return wrap_view(view, self._call_class(call))
        return wrap_view(view, self.around(call))

    def decorate(
        self, function: ViewFunction, inside: Operation | None
    ) -> ViewFunction:
        """The function in the decorators of the route and its blueprints.

        :param inside: whose function has them already.
        """
        if inside is not None:
            return inside.view_function
        decorated = self.target.declaration.decorate(function)
        if not self.is_returned:
            return decorated
        plan = self.outbound
        call = synchronous(self.target.registration.app, decorated)

        def call_decorated(*args: t.Any, **view_args: t.Any) -> t.Any:
            return ROUTE_CALL.run(RouteCall(plan), call, args=args, view_args=view_args)

        return wrap_view(decorated, call_decorated)

    def around(self, call: ViewFunction) -> ViewFunction:
        """The function around one that calls the view."""
        view_callable, wrapping = self.target.view_callable, self.wrapping
        app = self.target.registration.app
        find_among = self.target.registration.registry.operations.find_among
        respond, read = self._respond or _unchanged, self.inbound.read
        if self.decorated is not None:
            call = self.decorated.around(call)

        def call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
            if wrapping and (other := find_among(current_request(), wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            return respond(call(*args, **view_args))

        def read_call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            if wrapping and (other := find_among(request, wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            if args:
                named, rest = name_arguments(view_callable, args, view_args)
                values = read(request, named)
                names = view_callable.positional if rest else ()
                first = [values.pop(name) for name in names]
                return respond(call(*first, *rest, **values))
            return respond(call(**read(request, view_args)))

        return call_and_respond if self.inbound.is_noop else read_call_and_respond

    def around_method(
        self, function: ViewFunction
    ) -> t.Callable[[ViewFunction], ViewFunction] | None:
        """What makes the function around a method, if a method reads the request.

        :param function: that was composed, which may be the view itself.
        """
        is_view = function is self.target.registration.view
        return self.around if self.reads_in_method and not is_view else None

    @property
    def _respond(self) -> ViewFunction | None:
        """What makes a response of a value, ``None`` where the value is returned."""
        outbound = self.outbound
        if not self.is_returned:
            return None if outbound.is_noop else outbound.respond

        def respond(value: t.Any) -> t.Any:
            route_call = ROUTE_CALL.find()
            response = outbound.respond(value)
            if route_call is not None and route_call.plan is outbound:
                route_call.value = response
            return response

        return respond

    def _call_class(self, view: ViewFunction) -> ViewFunction:
        """The function of a class-based view, whose method reads the request."""
        app, wrapping = self.target.registration.app, self.wrapping
        operations = self.target.registration.registry.operations
        view_callable, respond = self.target.view_callable, self._respond or _unchanged
        asked: t.Any = self.target.registration.view

        def call_class(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            if wrapping and (other := operations.find_among(request, wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            call = MethodCall(asked, view_callable, self.around, operations)
            value = METHOD_CALL.run(call, view, args=args, view_args=view_args)
            # A decorator has returned something else, or went a way around.
            return value if call.is_read else respond(value)

        return call_class


def _unchanged(value: t.Any) -> t.Any:
    return value


def name_arguments(
    view_callable: ViewCallable, args: tuple[t.Any, ...], view_args: dict[str, t.Any]
) -> tuple[dict[str, t.Any], tuple[t.Any, ...]]:
    """The arguments of a view by name, which somebody passes by position.

    Also those that have no name, of ``*args``.

    :param args: what is passed by position.
    :raises TypeError: if there are too many, or one is passed by name, too.
    """
    names = view_callable.positional
    if len(args) > len(names) and not view_callable.takes_more:
        raise TypeError(
            f"{view_callable.name} takes {len(names)} positional arguments but"
            f" {len(args)} were given"
        )
    named = dict(zip(names, args, strict=False))
    for name in named.keys() & view_args.keys():
        raise TypeError(f"{view_callable.name} got multiple values for {name!r}")
    return {**named, **view_args}, args[len(names) :]


def dispatch_view(
    registration: Registration, operations: Sequence[Operation]
) -> ViewFunction:
    """One function for some operations: that of the operation, if there is but one."""
    functions = {id(item.view_function): item.view_function for item in operations}
    if len(functions) == 1:
        return operations[0].view_function
    registry = registration.registry
    calls = {
        key: synchronous(registration.app, item) for key, item in functions.items()
    }
    families = {id(operation.wrapping) for operation in operations}

    def dispatch(*args: t.Any, **view_args: t.Any) -> t.Any:
        request = current_request()
        operation = registry.operations.find(request)
        # A view may be called while a request for another one is served.
        if operation is None or id(operation.wrapping) not in families:
            operation = choose_operation(operations, request.method, view_args)
        if operation is None:
            raise _no_operation(request, operations)
        return calls[id(operation.view_function)](*args, **view_args)

    registry.functions.synchronous[id(dispatch)] = dispatch
    return wrap_view(registration.view, dispatch)


def _no_operation(request: Request, operations: Sequence[Operation]) -> Exception:
    """The exception of a rule that was not added with ``add_url_rule()``."""
    methods = {operation.method for operation in operations}
    if request.method not in methods:
        return MethodNotAllowed(sorted(methods))
    return LookupError(
        f"{operations[0].view_callable.name} is declared differently for each of its"
        f" rules, and {request.url_rule!r} is none of them. Add it with add_url_rule()."
    )
