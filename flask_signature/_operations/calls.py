"""What ``make_response()`` makes a response of: who calls it, and what came before.

Flask calls it for what a view, an error handler or a ``before_request`` returned;
decorators and views call it too. The function of an operation and the application say
here what they call, and ``make_response()`` asks.
"""

from __future__ import annotations

import sys
import typing as t
from contextvars import ContextVar
from dataclasses import dataclass

from flask import request

from .._http.response import RESPONSES

if t.TYPE_CHECKING:
    from types import CodeType
    from types import FrameType

    from flask import Request

    from .._outbound.plan import OutboundPlan
    from .operation import ViewFunction


def current_request() -> Request:
    """The request itself, which is faster to use than the proxy ``flask.request``."""
    # Documented by Werkzeug for LocalProxy, in spite of its name.
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]


class Dispatched(t.NamedTuple):
    """A request, and the plan for what ``dispatch_request()`` returned."""

    request: Request
    plan: OutboundPlan


DISPATCHED: t.Final[ContextVar[Dispatched | None]] = ContextVar(
    "dispatched", default=None
)


@dataclass(frozen=True, slots=True)
class DecoratedView:
    """A view in decorators that stand below its route.

    :param function: the decorators with the view in them.
    :param code: of the view alone, ``None`` where it has none.
    :param plan: for what the view returns.
    """

    function: ViewFunction
    code: CodeType | None
    plan: OutboundPlan

    def __call__(self, *args: t.Any, **view_args: t.Any) -> t.Any:
        """Call the function, and say so meanwhile."""
        token = DECORATED.set(self)
        try:
            return self.function(*args, **view_args)
        finally:
            DECORATED.reset(token)

    def has_called(self, frame: FrameType | None) -> bool:
        """Whether a frame is of the view itself or of what that calls."""
        while frame is not None and frame.f_code is not CALL_CODE:
            if frame.f_code is self.code:
                return True
            frame = frame.f_back
        return False

    def complete(self, value: t.Any) -> t.Any:
        """A value as the view's own: what Flask makes a response of.

        :raises ResponseValidationError: if it does not fit the response model.
        """
        # The plan may make a response by itself.
        token = DECORATED.set(None)
        try:
            return self.plan.complete(self.plan.respond(value))
        finally:
            DECORATED.reset(token)


DECORATED: t.Final[ContextVar[DecoratedView | None]] = ContextVar(
    "decorated", default=None
)

#: The code that calls the outermost decorator.
CALL_CODE: t.Final[CodeType] = DecoratedView.__call__.__code__


def complete_value(value: t.Any) -> t.Any:
    """What Flask's ``make_response()`` is to make a response of.

    What a decorator below the route makes a response of is sent as what the view
    returned. What ``dispatch_request()`` returned gets the default status.

    :raises ResponseValidationError: if it does not fit the response model.
    """
    decorated = DECORATED.get()
    if decorated is not None:
        if isinstance(value, RESPONSES) or decorated.has_called(sys._getframe(1)):
            return value
        return decorated.complete(value)
    dispatched = DISPATCHED.get()
    if dispatched is None:
        return value
    DISPATCHED.set(None)
    # No response was made for an earlier request.
    is_current = bool(request) and dispatched.request is current_request()
    return dispatched.plan.complete(value) if is_current else value
