"""Views of all shapes, and applications that call them otherwise than Flask does."""

from __future__ import annotations

import asyncio
import functools
import inspect
import typing as t

from flask import request
from flask.views import MethodView, View

from flask_signature import Flask, operation


class RunsCoroutines(Flask):
    """An application that runs coroutine functions itself, as Flask documents."""

    def ensure_sync(self, func: t.Any) -> t.Any:
        if not inspect.iscoroutinefunction(func):
            return super().ensure_sync(func)

        @functools.wraps(func)
        def run(*args: t.Any, **kwargs: t.Any) -> t.Any:
            return asyncio.run(func(*args, **kwargs))

        return run


class RunsOnlyCoroutines(Flask):
    """An application that leaves every function but a coroutine function as it is."""

    def ensure_sync(self, func: t.Any) -> t.Any:
        return super().ensure_sync(func) if inspect.iscoroutinefunction(func) else func


class OwnLoop(Flask):
    """An application whose ``async_to_sync()`` knows of no loop but its own."""

    def async_to_sync(self, func: t.Any) -> t.Any:
        return lambda *args, **kwargs: asyncio.run(func(*args, **kwargs))


def dispatching_class(base: t.Any) -> t.Any:
    """A class of applications that overrides ``dispatch_request()``, and calls it."""

    class Own(base):
        def dispatch_request(self, ctx=None):
            return super().dispatch_request(*filter(None, [ctx]))

    return Own


OwnDispatch = dispatching_class(Flask)

APPLICATIONS: t.Final = (
    Flask,
    RunsCoroutines,
    RunsOnlyCoroutines,
    OwnLoop,
    OwnDispatch,
)


def passing(view: t.Any) -> t.Any:
    return functools.wraps(view)(lambda **kwargs: _run(view(**kwargs)))


def cached(view: t.Any) -> t.Any:
    """A wrapper that keeps the first response; nothing leads to the view inside."""
    kept: list[t.Any] = []

    def call(**kwargs: t.Any) -> t.Any:
        if not kept:
            kept.append(_run(view(**kwargs)))
        return kept[0]

    return call


def wrapped(view: t.Any) -> t.Any:
    """A wrapper that nothing leads through."""
    return lambda **kwargs: _run(view(**kwargs))


def as_it_is(view: t.Any) -> t.Any:
    return view


#: What an author may put into ``app.view_functions``.
HELD: t.Final = (as_it_is, passing, wrapped, cached)


def by_super(self: t.Any, **kwargs: t.Any) -> t.Any:
    return MethodView.dispatch_request(self, **kwargs)


def by_name(self: t.Any, **kwargs: t.Any) -> t.Any:
    name = request.args.get("_method", request.method.lower())
    return _run(getattr(self, name)(**kwargs))


def by_dict(self: t.Any, **kwargs: t.Any) -> t.Any:
    if "branch" in request.args:
        return MethodView.dispatch_request(self, **kwargs)
    return _run({"GET": self.get}[request.method](**kwargs))


def by_vars(self: t.Any, **kwargs: t.Any) -> t.Any:
    if "branch" in request.args:
        return MethodView.dispatch_request(self, **kwargs)
    return _run(vars(type(self))[request.method.lower()].__func__(**kwargs))


def by_cache(self: t.Any, **kwargs: t.Any) -> t.Any:
    if not self.kept:
        self.kept.append(MethodView.dispatch_request(self, **kwargs))
    return self.kept[0]


def _run(value: t.Any) -> t.Any:
    return asyncio.run(value) if asyncio.iscoroutine(value) else value


#: What calls the method of a ``MethodView``, ``None`` for what Flask does.
DISPATCHES: t.Final = {
    "flask": None,
    "super": by_super,
    "name": by_name,
    "dict": by_dict,
    "vars": by_vars,
    "cache": by_cache,
}


class CallableObject:
    """An object that is called in place of a method, without an instance."""

    def __init__(self, function: t.Any) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, **kwargs: t.Any) -> t.Any:
        return _run(self.function(**kwargs))


def as_method(function: t.Any) -> t.Any:
    """A function that takes an instance first, asynchronous if the other one is."""

    def run(self: t.Any, **kwargs: t.Any) -> t.Any:
        return function(**kwargs)

    if inspect.iscoroutinefunction(function):

        async def run(self: t.Any, **kwargs: t.Any) -> t.Any:
            return await function(**kwargs)

    instance = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.signature(function)
    method: t.Any = run
    method.__signature__ = signature.replace(
        parameters=[instance, *signature.parameters.values()]
    )
    method.__annotations__ = inspect.unwrap(function).__annotations__
    return method


#: What a class has in place of the method ``dispatch_request()``.
KINDS: t.Final = {
    "method": as_method,
    "static": staticmethod,
    "partial": lambda function: staticmethod(functools.partial(function)),
    "object": CallableObject,
}


def method_view(
    function: t.Any, *, dispatch: str, is_decorated: bool, patch: t.Any = None
) -> t.Any:
    """A ``MethodView`` with a function as its ``get()``.

    :param patch: the requirement of a second method, ``None`` where there is none.
    """
    members: dict[str, t.Any] = {"get": staticmethod(function), "kept": []}
    if patch is not None:
        members["patch"] = operation(security=patch)(lambda self: "patched")
    if DISPATCHES[dispatch] is not None:
        members["dispatch_request"] = DISPATCHES[dispatch]
    if is_decorated:
        members["decorators"] = [passing]
    return t.cast("t.Any", type("Items", (MethodView,), members)).as_view("show")


def view(function: t.Any, *, kind: str, is_decorated: bool) -> t.Any:
    """A ``View`` with a function as its ``dispatch_request()``."""
    members: dict[str, t.Any] = {"dispatch_request": KINDS[kind](function)}
    if is_decorated:
        members["decorators"] = [passing]
    return t.cast("t.Any", type("Page", (View,), members)).as_view("show")
