"""What is being called, which methods of the application ask for."""

from __future__ import annotations

import typing as t
from contextvars import ContextVar

from flask import has_request_context, request

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Request

T = t.TypeVar("T")


#: The request itself, which is faster to use than the proxy ``flask.request``.
# Documented by Werkzeug for LocalProxy, in spite of its name.
current_request: Callable[[], Request] = request._get_current_object  # type: ignore[attr-defined]


class ActiveCall(t.Generic[T]):
    """The call that is being made, in this thread and for this request.

    A view may send a request to its own application meanwhile, which is another one.

    :param name: of the context variable.
    :ivar current: the variable: the request and the call, ``None`` where none is made.
    """

    __slots__ = ("current",)

    def __init__(self, name: str) -> None:
        self.current: ContextVar[tuple[Request | None, T | None] | None] = ContextVar(
            name, default=None
        )

    def is_set(self) -> bool:
        """Whether a call is being made, or was said to be none."""
        return self.current.get() is not None

    def get(self) -> T | None:
        """The call, whatever the request."""
        current = self.current.get()
        return None if current is None else current[1]

    def find(self) -> T | None:
        """The call that is being made for the request."""
        current = self.current.get()
        if current is None or not has_request_context():
            return None
        return current[1] if current[0] is current_request() else None

    def run(
        self,
        call: T | None,
        function: Callable[..., t.Any],
        *,
        args: tuple[t.Any, ...],
        view_args: dict[str, t.Any] | None = None,
    ) -> t.Any:
        """Call a function, and say meanwhile that a call is being made, or none."""
        current = current_request() if has_request_context() else None
        token = self.current.set((current, call))
        try:
            return function(*args, **(view_args or {}))
        finally:
            self.current.reset(token)
