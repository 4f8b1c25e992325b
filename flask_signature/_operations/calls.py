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
from types import CodeType

from flask import has_request_context

from .._http.response import RESPONSES
from .._sentinel import UNSET
from .active import ActiveCall
from .active import current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from types import FrameType
    from weakref import ref

    from flask import Request

    from .._outbound.plan import OutboundPlan
    from .._signature.unwrap import ViewCallable


class Dispatched(t.NamedTuple):
    """A request, and the plan for what ``dispatch_request()`` returned."""

    request: Request
    plan: OutboundPlan


DISPATCHED: t.Final[ContextVar[Dispatched | None]] = ContextVar(
    "dispatched", default=None
)


#: The last exception by which a guard of a plain view refused a request.
REFUSED: t.Final[ContextVar[ref[Exception] | None]] = ContextVar(
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


@dataclass(frozen=True, slots=True)
class DecoratedView:
    """A view in decorators that stand below its route.

    :param decorators: the code of the decorators, by identity.
    :param view: the code of the view, by identity.
    :param plan: for what the view returns.
    """

    decorators: frozenset[int]
    view: frozenset[int]
    plan: OutboundPlan

    def around(self, function: Callable[..., t.Any]) -> Callable[..., t.Any]:
        """The decorators with the view in them, which say that they are called.

        :param function: which may be a coroutine function.
        """
        return t.cast("Callable[..., t.Any]", DECORATED.around(self, function))

    def complete_for(self, value: t.Any, frame: FrameType | None) -> t.Any:
        """What a response is to be made of, for a decorator that asks for it.

        :param frame: of whoever asks, which may be the view, or a task of its own.
        """
        if isinstance(value, RESPONSES):
            return value
        while frame is not None:
            code = id(frame.f_code)
            if code in self.decorators:
                return self.complete(value)
            if code in self.view:
                return value
            frame = frame.f_back
        return value

    def complete(self, value: t.Any) -> t.Any:
        """A value as the view's own: what Flask makes a response of.

        :raises ResponseValidationError: if it does not fit the response model.
        """
        # The plan may make a response by itself.
        response = DECORATED.run(None, self.plan.respond, args=(value,))
        return self.plan.complete(response)


DECORATED: t.Final[ActiveCall[DecoratedView]] = ActiveCall("decorated")


def find_decorated(
    view_callable: ViewCallable, plan: OutboundPlan
) -> DecoratedView | None:
    """A view in decorators that may make a response of what it returned.

    ``None`` where there are none, or no model that the response has to fit.
    """
    if not view_callable.wrappers or not plan.defers_status or plan.is_noop:
        return None
    codes = [code for item in view_callable.wrappers for code in codes_of(item)]
    view = frozenset(map(id, codes_of(view_callable.function)))
    decorators = frozenset(map(id, codes)) - view
    return DecoratedView(decorators, view, plan)


def codes_of(function: t.Any) -> Iterator[CodeType]:
    """The code of a function, and of the functions that are written in it."""
    code = getattr(function, "__code__", None)
    if code is None:
        # An object that can be called.
        code = getattr(type(function).__call__, "__code__", None)
    if code is not None:
        yield from _codes_inside([code])


def _codes_inside(constants: Iterable[object]) -> Iterator[CodeType]:
    for constant in constants:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes_inside(constant.co_consts)


def complete_value(value: t.Any) -> t.Any:
    """What Flask's ``make_response()`` is to make a response of.

    What a decorator below the route makes a response of is sent as what the view
    returned. What ``dispatch_request()`` returned gets the default status, and so does
    what the view returned where a decorator of the route makes the response.

    :raises ResponseValidationError: if it does not fit the response model.
    """
    decorated = DECORATED.find()
    if decorated is not None:
        return decorated.complete_for(value, sys._getframe(1))
    route_call = ROUTE_CALL.find()
    if route_call is not None:
        is_value = value is route_call.value
        return route_call.plan.complete(value) if is_value else value
    dispatched = DISPATCHED.get()
    if dispatched is None:
        return value
    DISPATCHED.set(None)
    # No response was made for an earlier request.
    is_current = has_request_context() and dispatched.request is current_request()
    return dispatched.plan.complete(value) if is_current else value
