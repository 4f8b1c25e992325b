"""Class-based views, whose methods read the request inside of ``View.decorators``.

A view asks the application for the function to call, ``ensure_sync()``, right before it
calls ``dispatch_request()``, and ``MethodView`` asks again for the method. What the
latter gets reads the request, calls the method and responds.
"""

from __future__ import annotations

import typing as t
from contextvars import ContextVar
from dataclasses import dataclass
from dataclasses import replace

from flask.views import MethodView
from flask.views import View

from .decorators import Routes

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from .operation import ViewFunction


@dataclass(frozen=True, slots=True)
class MethodCall:
    """A class-based view that is being called, whose method is not called yet.

    :param view: the function of the view, with the decorators of its class.
    :param view_class: its class.
    :param method: the function of the class that is the view.
    :param around: makes the function that reads the request, calls the method and
        responds.
    :param is_dispatching: whether the decorators have called the view.
    """

    view: ViewFunction
    view_class: type[View]
    method: t.Any
    around: Callable[[ViewFunction], ViewFunction]
    is_dispatching: bool = False

    def __call__(self, *args: t.Any, **view_args: t.Any) -> t.Any:
        """Call the view, and say so meanwhile."""
        token = METHOD_CALL.set(self)
        try:
            return self.view(*args, **view_args)
        finally:
            METHOD_CALL.reset(token)

    def is_method(self, function: t.Any) -> bool:
        """Whether a function that the view asks for is the one to read the request."""
        if self.is_dispatching:
            # MethodView itself asks for nothing else, whatever an instance holds.
            dispatches = self.view_class.dispatch_request is not dispatch_method
            return not dispatches or _function_of(function) is self.method
        is_bound = isinstance(getattr(function, "__self__", None), self.view_class)
        return is_bound and not issubclass(self.view_class, MethodView)


METHOD_CALL: t.Final[ContextVar[MethodCall | None]] = ContextVar(
    "method_call", default=None
)

dispatch_method: t.Final = MethodView.dispatch_request


def take_method_call(function: t.Any) -> MethodCall | None:
    """The call whose method a function is, that ``ensure_sync()`` is asked for."""
    call = METHOD_CALL.get()
    if call is None:
        return None
    if call.is_method(function):
        METHOD_CALL.set(None)
        return call
    if isinstance(getattr(function, "__self__", None), call.view_class):
        METHOD_CALL.set(replace(call, is_dispatching=True))
    return None


def method_of(view_class: type[View], name: str) -> t.Any:
    """The function behind a method of a class."""
    return _function_of(getattr(view_class, name))


def _function_of(method: t.Any) -> t.Any:
    return getattr(method, "__func__", method)


def asks_for_method(app: Flask, view_class: t.Any) -> bool:
    """Whether the application is asked for the method of a view, and nobody between.

    It is not on a plain ``flask.Flask``, where ``ensure_sync()`` or ``as_view()`` is
    overridden, nor where a ``dispatch_request()`` calls the method by itself.
    """
    if not isinstance(view_class, type) or not issubclass(view_class, View):
        return False
    as_view = t.cast("t.Any", view_class.as_view).__func__
    if as_view is not t.cast("t.Any", View.as_view).__func__ or not _answers(app):
        return False
    if not issubclass(view_class, MethodView):
        return True
    own = [vars(cls).get("dispatch_request") for cls in view_class.__mro__]
    own = own[: own.index(dispatch_method)]
    return all(item is None or _calls_dispatch_request(item) for item in own)


def _answers(app: Flask) -> bool:
    """Whether ``ensure_sync()`` of an application is ours."""
    name = "ensure_sync"
    owner = next(cls for cls in type(app).__mro__ if name in vars(cls))
    return name not in vars(app) and Routes in owner.__bases__


def _calls_dispatch_request(function: t.Any) -> bool:
    """Whether an overriding method calls the one that it overrides."""
    code = getattr(function, "__code__", None)
    return code is not None and "dispatch_request" in code.co_names
