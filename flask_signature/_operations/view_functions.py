"""The functions that Flask calls: they read a request, call the view and respond.

Compiled plans go in, a function in place of the view comes out.
"""

from __future__ import annotations

import functools
import inspect
import typing as t
from dataclasses import dataclass

from werkzeug.exceptions import MethodNotAllowed

from .calls import DISPATCHED
from .calls import DecoratedView
from .calls import Dispatched
from .calls import current_request
from .class_views import MethodCall
from .class_views import asks_for_method
from .class_views import method_of
from .store import choose_operation

if t.TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask
    from flask import Request

    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
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
    """

    target: Target
    inbound: InboundPlan
    outbound: OutboundPlan
    wrapping: Sequence[Operation]

    @property
    def in_method(self) -> bool:
        """Whether the request is read inside of the decorators of a class."""
        view_class = self.target.view_callable.view_class
        return asks_for_method(self.target.registration.app, view_class)

    def compose(self) -> ViewFunction:
        """The function; the view itself, where there is nothing to do."""
        app, view = self.target.registration.app, self.target.registration.view
        if self.inbound.is_noop and self._respond is None:
            return view
        if not self.in_method:
            return wrap_view(view, self.around(synchronous(app, view)))
        return wrap_view(view, self._call_method(view))

    def around(self, call: ViewFunction) -> ViewFunction:
        """The function around one that calls the view."""
        registration, view_callable = (
            self.target.registration,
            self.target.view_callable,
        )
        app, wrapping = registration.app, self.wrapping
        find_among = registration.registry.operations.find_among
        respond = self._respond or _unchanged
        read, names = self.inbound.read, view_callable.positional
        if view_callable.wrapped and self.outbound.defers_status:
            code = getattr(view_callable.function, "__code__", None)
            call = DecoratedView(call, code, self.outbound)

        def call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
            if wrapping and (other := find_among(current_request(), wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            return respond(call(*args, **view_args))

        def read_call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            if wrapping and (other := find_among(request, wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            if args:
                view_args = name_arguments(names, args, view_args)
            return respond(call(**read(request, view_args)))

        return call_and_respond if self.inbound.is_noop else read_call_and_respond

    @property
    def _respond(self) -> ViewFunction | None:
        """What makes a response of a value, ``None`` where the value is returned."""
        outbound = self.outbound
        is_decorated = bool(self.target.declaration.decorators)
        is_dispatched = is_decorated and outbound.defers_status
        if not is_dispatched or not outbound.completes:
            return None if outbound.is_noop else outbound.respond

        def respond(value: t.Any) -> t.Any:
            # A decorator may make the response.
            DISPATCHED.set(Dispatched(current_request(), outbound))
            return outbound.respond(value)

        return respond

    def _call_method(self, view: t.Any) -> ViewFunction:
        """The function of a class-based view, whose method reads the request."""
        app, wrapping = self.target.registration.app, self.wrapping
        find_among = self.target.registration.registry.operations.find_among
        method = method_of(view.view_class, self.target.view_callable.attribute)
        call = MethodCall(view, view.view_class, method, self.around)

        def call_method(*args: t.Any, **view_args: t.Any) -> t.Any:
            if wrapping and (other := find_among(current_request(), wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            return call(*args, **view_args)

        return call_method


def _unchanged(value: t.Any) -> t.Any:
    return value


def name_arguments(
    names: Sequence[str], args: Sequence[t.Any], view_args: Mapping[str, t.Any]
) -> dict[str, t.Any]:
    """The arguments of a view by name, which somebody passes by position.

    :param names: of the arguments that may be passed by position.
    :param args: what is passed by position.
    :raises TypeError: if there are too many, or one is passed by name, too.
    """
    if len(args) > len(names):
        raise TypeError(
            f"takes {len(names)} positional arguments but {len(args)} were given"
        )
    named = dict(zip(names, args, strict=False))
    for name in named.keys() & view_args.keys():
        raise TypeError(f"got multiple values for argument {name!r}")
    return {**named, **view_args}


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
