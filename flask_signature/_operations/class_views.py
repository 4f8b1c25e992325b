"""Class-based views, whose methods read the request inside of ``View.decorators``.

A view asks the application for the function to call, ``ensure_sync()``, right before it
calls ``dispatch_request()``, and ``MethodView`` asks again for the method. What the
latter gets reads the request, calls the method and responds.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from inspect import getattr_static, iscoroutinefunction, isfunction
from types import CodeType

from flask import has_request_context
from flask.views import MethodView, View

from .._signature.unwrap import layers_of, method_attribute
from .active import ActiveCall, current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from flask import Flask

    from .._signature.unwrap import ViewCallable
    from .operation import ViewFunction
    from .store import OperationStore

    ReadAround: t.TypeAlias = Callable[[ViewFunction], ViewFunction]


@dataclass(slots=True)
class MethodCall:
    """A call of a class-based view.

    :param view: what knows its class, which a test may have replaced.
    :param view_callable: the method that is to be called.
    :param read_around: makes the function that reads the request, calls a function and
        responds.
    :param operations: of the application.
    :param is_dispatching: whether ``dispatch_request()`` was asked for.
    :param is_read: whether a method was asked for, and so has read the request.
    """

    view: t.Any
    view_callable: ViewCallable
    read_around: ReadAround
    operations: OperationStore
    is_dispatching: bool = False
    is_read: bool = False

    def is_asked_for(self, function: t.Any) -> bool:
        """Whether a function that is asked for is the method.

        ``MethodView`` asks for whatever its instance has.
        """
        owner = getattr(function, "__self__", None)
        if isinstance(owner, View) and not isinstance(owner, self.view.view_class):
            return False
        is_dispatch = getattr(function, "__name__", "") == "dispatch_request"
        if is_dispatch and isinstance(owner, MethodView):
            self.is_dispatching = True
            return False
        return self.is_dispatching or isinstance(owner, View)

    def read_in(self, method: ViewFunction) -> ViewFunction:
        """The function that reads the request, calls a method and responds.

        :param method: which may be a coroutine function.
        :raises LookupError: if it is the method of a verb that is not compiled, since a
            decorator has changed that of the request.
        """
        self.is_read = True
        read = self._choose()(method)

        def call(*args: t.Any, **view_args: t.Any) -> t.Any:
            # Whatever is called from here on is no part of this call.
            return METHOD_CALL.run(None, read, args=args, view_args=view_args)

        return call

    def _choose(self) -> ReadAround:
        request, view_class = current_request(), self.view_callable.view_class
        attribute = method_attribute(view_class, request.method)
        if attribute == self.view_callable.attribute:
            return self.read_around
        operation = self.operations.find(request)
        if operation is not None and operation.around_method is not None:
            known = operation.view_callable
            if (known.view_class, known.attribute) == (view_class, attribute):
                return operation.around_method
        raise LookupError(
            f"{view_class.__name__}.{attribute}() was called for {request.method},"
            " which is not among the methods of its rule."
        )


METHOD_CALL: t.Final[ActiveCall[MethodCall]] = ActiveCall("method_call")


class MethodProbe:
    """What an application is asked for once, to see whether its own method answers.

    :ivar is_seen: whether it does.
    """

    __slots__ = ("is_seen",)

    def __init__(self) -> None:
        self.is_seen = False

    def get(self) -> None:
        """What is asked for."""

    async def get_asynchronous(self) -> None:
        """What is asked for, for the method of a class that is a coroutine function."""


def find_method_call(function: t.Any, operations: OperationStore) -> MethodCall | None:
    """The call whose method ``ensure_sync()`` is asked for, if it is one.

    :param function: that is asked for.
    """
    owner = getattr(function, "__self__", None)
    if type(owner) is MethodProbe:
        owner.is_seen = True
        return None
    call = METHOD_CALL.get()
    if call is None and isinstance(owner, View) and not METHOD_CALL.is_set():
        call = _call_of_request(owner, operations)
    return call if call is not None and call.is_asked_for(function) else None


def _call_of_request(instance: View, operations: OperationStore) -> MethodCall | None:
    """The call for a request, in a thread that a decorator gave no more than that."""
    operation = operations.find(current_request()) if has_request_context() else None
    if operation is None or operation.around_method is None:
        return None
    view_callable = operation.view_callable
    if not isinstance(instance, view_callable.view_class):
        return None
    around = operation.around_method
    call = MethodCall(view_callable, view_callable, around, operations)
    # The instance was asked for its dispatch_request() before, if it is a MethodView.
    call.is_dispatching = True
    return call


def asks_for_method(app: Flask, view: t.Any, view_callable: ViewCallable) -> bool:
    """Whether the application is asked for the method of a view.

    It is not on a plain ``flask.Flask``, where an ``ensure_sync()`` or an ``as_view()``
    does without Flask's, nor where a ``dispatch_request()`` calls the method by itself.
    This decides where arguments are read, and never who may call.
    """
    view_class = getattr(view, "view_class", None)
    if not isinstance(view_class, type) or not issubclass(view_class, View):
        return False
    if not _asks(view, view_class) or not _leaves_method(view_class):
        return False
    is_coroutine = iscoroutinefunction(getattr(view_class, view_callable.attribute))
    return _answers(app, is_coroutine=is_coroutine)


def _leaves_method(view_class: type[View]) -> bool:
    """Whether the ``dispatch_request()`` of a class leaves its methods to Flask."""
    if not issubclass(view_class, MethodView):
        # What is no function, Flask asks for without its instance.
        return isfunction(getattr_static(view_class, "dispatch_request"))
    own = [vars(cls).get("dispatch_request") for cls in view_class.__mro__]
    own = own[: own.index(MethodView.dispatch_request)]
    return all(
        _leaves_dispatching(item, view_class) for item in own if item is not None
    )


def _asks(view: t.Any, view_class: type[View]) -> bool:
    """Whether Flask's own function calls the view, whatever is around it."""
    code = getattr(layers_of(view)[-1], "__code__", None)
    as_view = t.cast("t.Any", view_class.as_view).__func__
    usual = t.cast("t.Any", View.as_view).__func__
    file = usual.__code__.co_filename
    return as_view is usual or (code is not None and code.co_filename == file)


def _answers(app: Flask, *, is_coroutine: bool) -> bool:
    """Whether ``ensure_sync()`` of an application is ours, or calls it."""
    probe = MethodProbe()
    # Its dispatch_request() is asked for before a method.
    app.ensure_sync(probe.get)
    if is_coroutine and probe.is_seen:
        probe.is_seen = False
        app.ensure_sync(probe.get_asynchronous)
    return probe.is_seen


#: What calls a method by its name.
CALLS_BY_NAME: t.Final = frozenset({"attrgetter", "getattr", "methodcaller"})


def _leaves_dispatching(function: t.Any, view_class: type[View]) -> bool:
    """Whether an overriding method calls the one that it overrides, and no other."""
    names = {name for code in _codes_of(function) for name in code.co_names}
    own = {name for name in names if callable(getattr(view_class, name, None))}
    return own == {"dispatch_request"} and names.isdisjoint(CALLS_BY_NAME)


def _codes_of(function: t.Any) -> Iterator[CodeType]:
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
