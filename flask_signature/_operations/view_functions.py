"""The functions that Flask calls: they read a request, call the view and respond.

Compiled plans go in, a function in place of the view comes out.
"""

from __future__ import annotations

import functools
import inspect
import typing as t

from flask import request
from werkzeug.exceptions import MethodNotAllowed

from .store import choose_operation

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from flask import Request

    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .operation import Operation
    from .operation import ViewFunction
    from .registration import Registration


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


def current_request() -> Request:
    """The request itself, which is faster to use than the proxy ``flask.request``."""
    # Documented by Werkzeug for LocalProxy, in spite of its name.
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]


def synchronous(app: Flask, view: ViewFunction) -> ViewFunction:
    """The view, or a function that runs it to its end if it is a coroutine function."""
    if not inspect.iscoroutinefunction(view):
        return view

    def call(**view_args: t.Any) -> t.Any:
        return app.ensure_sync(view)(**view_args)

    return call


def compose_view(
    registration: Registration,
    inbound: InboundPlan,
    outbound: OutboundPlan,
    *,
    wrapping: Sequence[Operation],
) -> ViewFunction:
    """The function that reads, calls and responds; the view, where it needs neither.

    :param wrapping: the operations that run instead under their rules, if any.
    """
    app, view = registration.app, registration.view
    if inbound.is_noop and outbound.is_noop:
        return view
    call = synchronous(app, view)
    respond = _unchanged if outbound.is_noop else outbound.respond
    read, store = inbound.read, registration.registry.operations

    def call_and_respond(**view_args: t.Any) -> t.Any:
        if wrapping and (other := store.find_among(current_request(), wrapping)):
            return synchronous(app, other.undecorated)(**view_args)
        return respond(call(**view_args))

    def read_call_and_respond(**view_args: t.Any) -> t.Any:
        request = current_request()
        if wrapping and (other := store.find_among(request, wrapping)):
            return synchronous(app, other.undecorated)(**view_args)
        return respond(call(**read(request, view_args)))

    run = call_and_respond if inbound.is_noop else read_call_and_respond
    return wrap_view(view, run)


def _unchanged(value: t.Any) -> t.Any:
    return value


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

    def dispatch(**view_args: t.Any) -> t.Any:
        request = current_request()
        operation = registry.operations.find(request)
        # A view may be called while a request for another one is served.
        if operation is None or id(operation.wrapping) not in families:
            operation = choose_operation(operations, request.method, view_args)
        if operation is None:
            raise _no_operation(request, operations)
        return calls[id(operation.view_function)](**view_args)

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
