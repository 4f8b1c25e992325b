"""What is being called for a request, which methods of the application ask for."""

from __future__ import annotations

import typing as t

from flask import has_request_context
from flask import request

if t.TYPE_CHECKING:
    from flask import Request

    from .operation import ViewFunction

T = t.TypeVar("T")


def current_request() -> Request:
    """The request itself, which is faster to use than the proxy ``flask.request``."""
    # Documented by Werkzeug for LocalProxy, in spite of its name.
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]


class ActiveCalls(t.Generic[T]):
    """The calls that are being made, by the request.

    It is the same request in every thread that a decorator gives its context to, and
    another one where a view sends a request to its own application.

    :ivar by_request: the calls, by the identity of the request.
    """

    __slots__ = ("by_request",)

    def __init__(self) -> None:
        self.by_request: dict[int, T | None] = {}

    def find(self) -> T | None:
        """The call that is being made for the request, ``None`` if there is none."""
        if not self.by_request or not has_request_context():
            return None
        return self.by_request.get(id(current_request()))

    def run(
        self,
        call: T | None,
        function: ViewFunction,
        *,
        args: tuple[t.Any, ...],
        view_args: dict[str, t.Any] | None = None,
    ) -> t.Any:
        """Call a function, and say meanwhile that a call is being made."""
        view_args = view_args or {}
        if not has_request_context():
            return function(*args, **view_args)
        key = id(current_request())
        outer = self.by_request.get(key)
        self.by_request[key] = call
        try:
            return function(*args, **view_args)
        finally:
            if outer is None:
                del self.by_request[key]
            else:
                self.by_request[key] = outer
