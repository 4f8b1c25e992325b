"""What was enforced for a request around its view, as the functions inside know it.

Who may call a view is decided around all of it. What is inside asks here whether that
was done, so that no guard runs twice, and takes the values that guards have made.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from flask import Request

    from .._routing.declaration import Declaration

#: The key in the environ of a request, which threads share that a decorator starts. No
#: header of a client has a name like this.
ENFORCED: t.Final = "flask_signature.enforced"


@dataclass(slots=True, repr=False)
class Enforced:
    """What was enforced for a request, while the view is called.

    It is not shown by a debugger, since it has what guards have made of credentials.

    :param declaration: whose ``decorators=`` have been called, ``None`` for none.
    :param call: what these call, once they let a request through.
    :param dependencies: whose guards have let the request through, ``None`` for none.
    :param values: what these have made, by their keys.
    :param in_loop: whether the view is called in a thread that waits for the event loop
        of the guards.
    :param passed: the dependencies whose guards have let the request through meanwhile.
    """

    request: Request
    declaration: Declaration | None = None
    call: t.Any = None
    dependencies: object | None = None
    values: Mapping[str, t.Any] = field(default_factory=dict)
    in_loop: bool = False
    passed: list[object] = field(default_factory=list)
    _outer: Enforced | None = None

    @classmethod
    def of(cls, request: Request) -> Enforced | None:
        """What was enforced for a request, ``None`` where nothing was."""
        found: Enforced | None = request.environ.get(ENFORCED)
        return found if found is not None and found.request is request else None

    def has_passed(self, dependencies: object) -> bool:
        """Whether some guards have let the request through meanwhile."""
        return any(item is dependencies for item in self.passed)

    def around(
        self, function: Callable[..., t.Any], dependencies: object
    ) -> Callable[..., t.Any]:
        """A function that notes that some guards have let the request through."""

        def call(**values: t.Any) -> t.Any:
            self.passed.append(dependencies)
            return function(**values)

        return call

    def __enter__(self) -> None:
        self._outer = Enforced.of(self.request)
        if self._outer is not None:
            self.declaration = self.declaration or self._outer.declaration
            self.passed = self._outer.passed
        if self.dependencies is not None:
            self.passed.append(self.dependencies)
        self.request.environ[ENFORCED] = self

    def __exit__(self, *exception: object) -> None:
        if self._outer is not None:
            self.request.environ[ENFORCED] = self._outer
        else:
            self.request.environ.pop(ENFORCED, None)


def to_thread(function: Callable[..., t.Any]) -> Callable[..., t.Any]:
    """A coroutine function that calls one which may run coroutine functions itself.

    It is called in the thread of the request, while the event loop runs in another.
    """

    async def call(**values: t.Any) -> t.Any:
        from asgiref.sync import sync_to_async

        return await sync_to_async(function)(**values)

    return call


def back_to_loop(function: Callable[..., t.Any]) -> Callable[..., t.Any]:
    """What runs a coroutine function in the loop that waits for :func:`to_thread`.

    ``async_to_sync()`` of the application may know of no loop but its own.
    """
    from asgiref.sync import async_to_sync

    return async_to_sync(function)
