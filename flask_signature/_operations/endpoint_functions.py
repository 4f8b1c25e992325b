"""One function for an endpoint with several operations: it finds that of a request."""

from __future__ import annotations

import typing as t

from werkzeug.exceptions import MethodNotAllowed

from .active import current_request
from .store import choose_operation
from .view_calls import synchronous
from .view_calls import wrap_view

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Request

    from .operation import Operation
    from .operation import ViewFunction
    from .registration import Registration


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
            raise no_operation(request, operations)
        return calls[id(operation.view_function)](*args, **view_args)

    registry.functions.synchronous[id(dispatch)] = dispatch
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
