"""What was enforced for a request around its view, as the functions inside know it.

Who may call a view is decided around all of it. What is inside asks here whether that
was done, so that no guard runs twice, and takes the values that guards have made.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Flask, Request

    from .._routing.declaration import Declaration

#: The key of all of them in the environ of a request, which threads share that a
#: decorator starts. No header of a client has a name like this.
ENFORCED: t.Final = "flask_signature.enforced"

#: The packages whose methods run coroutine functions with asgiref.
OWN_MODULES: t.Final = ("flask.", f"{__name__.partition('.')[0]}.")


@dataclass(slots=True, eq=False, repr=False)
class Enforced:
    """What was enforced for a request, while the view is called.

    It is not shown by a debugger, since it has what guards have made of credentials.

    :param dependencies: whose guards have let the request through, ``None`` for none.
    :param declaration: whose ``decorators=`` have been called, ``None`` for none.
    :param view_args: what the view has to be called with for this to hold, ``None``
        where a class may pass whatever it likes.
    :param values: what the guards have made, by their keys.
    :param in_loop: whether the view is called in a thread that waits for the event loop
        of the guards.
    :param call: what ``decorators=`` call in the place of the view.
    :param evaluated: the dependencies whose guards were evaluated meanwhile, ``None``
        where nobody asks.
    """

    request: Request
    dependencies: object | None = None
    declaration: Declaration | None = None
    view_args: Mapping[str, t.Any] | None = None
    values: Mapping[str, t.Any] = field(default_factory=dict)
    in_loop: bool = False
    call: t.Any = None
    evaluated: list[object] | None = None

    def __enter__(self) -> Enforced:
        self.request.environ.setdefault(ENFORCED, []).append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        self.request.environ[ENFORCED].remove(self)

    def holds(self, request: Request, view_args: Mapping[str, t.Any]) -> bool:
        """Whether it is for this call of the view."""
        is_same = self.view_args is None or self.view_args == view_args
        return self.request is request and is_same


def find_enforced(
    request: Request, dependencies: object, view_args: Mapping[str, t.Any]
) -> Enforced | None:
    """What was enforced for a call of a view, ``None`` where nothing was.

    Somebody who asks which guards were evaluated is told of these.
    """
    found = request.environ.get(ENFORCED, ())
    for item in reversed(found):
        if item.dependencies is dependencies and item.holds(request, view_args):
            return t.cast("Enforced", item)
    for item in found:
        if item.evaluated is not None:
            item.evaluated.append(dependencies)
    return None


def is_decorated(
    request: Request, declaration: Declaration, view_args: Mapping[str, t.Any]
) -> bool:
    """Whether the ``decorators=`` of a view are around what calls it."""
    return any(
        item.declaration is declaration and item.holds(request, view_args)
        for item in request.environ.get(ENFORCED, ())
    )


def to_thread(function: Callable[..., t.Any], app: Flask) -> Callable[..., t.Any]:
    """A coroutine function that calls one which may run coroutine functions itself.

    It is called in a thread, while the event loop runs in another: in that of the
    request, unless the application does not run the loop with asgiref, which would then
    take one thread for all requests.
    """

    def run(**values: t.Any) -> tuple[t.Any, StopIteration | None]:
        try:
            return function(**values), None
        except StopIteration as error:
            # No future can hold it, so that the loop would wait for ever.
            return None, error

    async def call(**values: t.Any) -> t.Any:
        from asgiref.sync import sync_to_async

        methods = (app.async_to_sync, app.ensure_sync)
        modules = [
            getattr(item, "__module__", "").partition(".")[0] for item in methods
        ]
        usual = {"flask", __name__.partition(".")[0]}
        run_in = sync_to_async(run, thread_sensitive=usual.issuperset(modules))
        value, error = await run_in(**values)
        if error is not None:
            raise RuntimeError("The view raised StopIteration.") from error
        return value

    return call


def back_to_loop(function: Callable[..., t.Any]) -> Callable[..., t.Any]:
    """What runs a coroutine function in the loop that waits for :func:`to_thread`.

    ``async_to_sync()`` of the application may know of no loop but its own.
    """
    from asgiref.sync import async_to_sync

    return async_to_sync(function)
