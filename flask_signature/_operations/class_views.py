"""Class-based views, whose methods read the request inside of ``View.decorators``.

A view asks the application for the function to call, ``ensure_sync()``, right before it
calls ``dispatch_request()``, and ``MethodView`` asks again for the method. What the
latter gets reads the request, calls the method and responds.
"""

from __future__ import annotations

import sys
import typing as t
from dataclasses import dataclass

from flask.views import MethodView
from flask.views import View

from .._signature.unwrap import layers_of
from .._signature.unwrap import method_attribute
from .active import ActiveCalls
from .active import current_request
from .decorators import Routes

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from types import FrameType

    from flask import Flask

    from .._signature.unwrap import ViewCallable
    from .operation import Operation
    from .operation import ViewFunction
    from .store import OperationStore

    ReadAround: t.TypeAlias = Callable[[ViewFunction], ViewFunction]


@dataclass(slots=True)
class MethodCall:
    """A call of a class-based view.

    :param view_callable: the method that is to be called.
    :param read_around: makes the function that reads the request, calls a function and
        responds.
    :param operations: of the application.
    :param is_read: whether a method was asked for, and so has read the request.
    """

    view_callable: ViewCallable
    read_around: ReadAround
    operations: OperationStore
    is_read: bool = False

    def read_in(self, method: ViewFunction) -> ViewFunction:
        """The function that reads the request, calls a method and responds.

        :raises LookupError: if it is the method of a verb that is not compiled, since a
            decorator has changed that of the request.
        """
        self.is_read = True
        read_around = self._choose()

        def call(*args: t.Any, **view_args: t.Any) -> t.Any:
            # Whatever the method calls is no part of this call.
            return METHOD_CALLS.run(None, method, args=args, view_args=view_args)

        return read_around(call)

    def _choose(self) -> ReadAround:
        request, view_class = current_request(), self.view_callable.view_class
        attribute = method_attribute(view_class, request.method)
        if attribute == self.view_callable.attribute:
            return self.read_around
        operation = self.operations.find(request)
        known = operation and operation.view_callable
        if known and (known.view_class, known.attribute) == (view_class, attribute):
            return t.cast("Operation", operation).read_around
        raise LookupError(
            f"{view_class.__name__}.{attribute}() was called for {request.method},"
            " which is not among the methods of its rule."
        )


METHOD_CALLS: t.Final[ActiveCalls[MethodCall]] = ActiveCalls()

#: The file of the code that asks.
VIEWS: t.Final = View.as_view.__code__.co_filename

#: The code that asks for the method of a verb.
DISPATCH_METHOD: t.Final[CodeType] = MethodView.dispatch_request.__code__


def find_method_call() -> MethodCall | None:
    """The call whose method ``ensure_sync()`` is asked for, if Flask's view asks."""
    call = METHOD_CALLS.find()
    if call is None:
        return None
    # The frames of ensure_sync(), and of those that override it.
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name == "ensure_sync":
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename != VIEWS:
        return None
    by_verb = issubclass(call.view_callable.view_class, MethodView)
    return call if (frame.f_code is DISPATCH_METHOD) == by_verb else None


def asks_for_method(app: Flask, view: t.Any) -> bool:
    """Whether the application is asked for the method of a view, and nobody between.

    It is not on a plain ``flask.Flask``, where an ``ensure_sync()`` or an ``as_view()``
    does without Flask's, nor where a ``dispatch_request()`` calls the method by itself.
    """
    view_class = getattr(view, "view_class", None)
    if not isinstance(view_class, type) or not issubclass(view_class, View):
        return False
    if not _asks(view, view_class) or not _answers(app):
        return False
    if not issubclass(view_class, MethodView):
        return True
    own = [vars(cls).get("dispatch_request") for cls in view_class.__mro__]
    own = own[: own.index(MethodView.dispatch_request)]
    return all(item is None or _leaves_dispatching(item) for item in own)


def _asks(view: t.Any, view_class: type[View]) -> bool:
    """Whether Flask's own function calls the view, whatever is around it."""
    code = getattr(layers_of(view)[-1], "__code__", None)
    as_view = t.cast("t.Any", view_class.as_view).__func__
    is_usual = as_view is t.cast("t.Any", View.as_view).__func__
    return is_usual or (code is not None and code.co_filename == VIEWS)


def _answers(app: Flask) -> bool:
    """Whether ``ensure_sync()`` of an application is ours, or calls it."""
    name = "ensure_sync"
    owners = [cls for cls in type(app).__mro__ if name in vars(cls)]
    if name in vars(app):
        return False
    for cls in owners:
        if Routes in cls.__bases__:
            return True
        if name not in _names_in(vars(cls)[name]):
            return False
    return False


def _leaves_dispatching(function: t.Any) -> bool:
    """Whether an overriding method calls the one that it overrides, and no other."""
    names = _names_in(function)
    verbs = {*names} & {"getattr", *map(str.lower, VERBS)}
    return "dispatch_request" in names and not verbs


#: The methods that may be those of a class.
VERBS: t.Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


def _names_in(function: t.Any) -> tuple[str, ...]:
    code = getattr(function, "__code__", None)
    return () if code is None else code.co_names
