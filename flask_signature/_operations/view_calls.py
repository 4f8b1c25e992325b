"""How a view with dependencies is called, and its value becomes a response."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from inspect import iscoroutinefunction

from .._dependencies.plan import ViewCall
from .._http.response import RESPONSES

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from .._outbound.plan import OutboundPlan
    from .operation import ViewFunction


def synchronous(app: Flask, view: ViewFunction) -> ViewFunction:
    """The view, or a function that runs it to its end if it is a coroutine function."""
    if not iscoroutinefunction(view):
        return view

    def call(*args: t.Any, **view_args: t.Any) -> t.Any:
        return app.ensure_sync(view)(*args, **view_args)

    return call


@dataclass(frozen=True, slots=True)
class ViewCallMaker:
    """Says how a view is called.

    :param view: which may be a coroutine function.
    :param respond: makes what is returned of its value.
    """

    app: Flask
    view: ViewFunction
    respond: ViewFunction
    outbound: OutboundPlan

    def make(self, names: Sequence[str] = (), rest: tuple[t.Any, ...] = ()) -> ViewCall:
        """The call of the view.

        :param names: of the arguments that are passed by position, before others.
        :param rest: those others, which have no name.
        """
        function, call = self.view, synchronous(self.app, self.view)
        if rest:
            function = _passing(function, names, rest)
            call = _passing(call, names, rest)
        is_asynchronous = iscoroutinefunction(self.view)
        return ViewCall(function, call, self.respond, self._finish, is_asynchronous)

    def _finish(self, response: t.Any) -> t.Any:
        """A response of what is returned, whatever it is."""
        if isinstance(response, RESPONSES):
            return response
        # Flask makes the same response of any other value.
        if self.outbound.completes or isinstance(response, tuple):
            response = self.outbound.complete(response)
        return self.app.make_response(response)


def _passing(
    function: ViewFunction, names: Sequence[str], rest: tuple[t.Any, ...]
) -> ViewFunction:
    """A function that passes some values by position.

    :param names: of those that have one.
    :param rest: those after them.
    """

    def call(**values: t.Any) -> t.Any:
        first = [values.pop(name) for name in names]
        return function(*first, *rest, **values)

    return call
