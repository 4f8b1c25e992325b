"""A model that Flask is to send, on its own or in a dict, with no model for it.

``make_response()`` of the application has failed; the error that says who returned the
model comes out.
"""

from __future__ import annotations

import typing as t

from flask import has_request_context
from flask import request

from .._outbound.failure import ViewReporter
from .._outbound.failure import find_model
from .._outbound.refusals import describe_status
from .._outbound.refusals import describe_stray
from .._outbound.refusals import show_stray
from .active import current_request
from .calls import RAISED
from .registry import Registry

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from ..exceptions import ResponseValidationError
    from .operation import Operation

#: What else may return a value in the place of a view.
BEFORE: t.Final = "a before_request() function"


def refuse_stray_model(app: Flask, value: t.Any) -> ResponseValidationError | None:
    """The error of a model that was returned, ``None`` if there is no model in a value.

    A view that has a plan refuses its models itself, so that somebody else returned
    this one, unless it is in a dict or a list. A view without a plan is called by
    Flask, as the others are. Outside of a request, Flask's own error is as good.
    """
    parts = value if isinstance(value, tuple) else (value,)
    found = next((part for part in parts if find_model(part) is not None), None)
    if found is None or not has_request_context():
        return None
    operation = Registry.of(app).operations.find(request)
    swapped = describe_status(parts[0])
    is_alone = find_model(found) is found
    reporter, is_view = _who_returned(app, operation, is_alone=is_alone)
    if is_view and operation is not None:
        plan = operation.outbound
        given = (*parts, None)[1]
        code = given if isinstance(given, int) else plan.status
        message = swapped or describe_stray(
            found, code, serializer=None, disabled=plan.disabled
        )
    else:
        message = swapped or (
            f"returned {show_stray(found)}, for which there is no response model."
            " Only a view can declare one: elsewhere, return model_dump() or a"
            " Response."
        )
    return reporter.error(message, body=parts[0] if swapped else found)


def _who_returned(
    app: Flask, operation: Operation | None, *, is_alone: bool
) -> tuple[ViewReporter, bool]:
    """Reports who returned a value, as far as it can be told, and whether it is a view.

    Flask does not say where it has a value from.

    :param is_alone: whether the value is a model itself.
    """
    raised = RAISED.get()
    view = operation.outbound.reporter if operation else None
    if raised is not None and raised() is current_request():
        who = "an error handler"
    elif operation is None or view is None:
        who = f"a view of plain Flask or {BEFORE}" if request.url_rule else BEFORE
    elif is_alone and not operation.outbound.is_noop:
        who = f"{BEFORE} or a decorator"
    elif not (others := [*_others(app, operation)]):
        return view, True
    else:
        who = " or ".join([view.view, *others])
        return ViewReporter(app, who, view.rule, view.function), False
    rule = f" {request.url_rule.rule}" if request.url_rule else ""
    shown = view.rule if view else f"{request.method}{rule}"
    return ViewReporter(app, who, shown, None), False


def _others(app: Flask, operation: Operation) -> Iterator[str]:
    """What may return a value in the place of a view that Flask calls."""
    scopes = (None, *request.blueprints)
    if any(app.before_request_funcs.get(name) for name in scopes):
        yield BEFORE
    if operation.declaration.decorators or operation.view_callable.wrappers:
        yield "a decorator"
