"""The answer to a request that does not fit, where no handler has a say in it.

An exception takes as long on its way through Flask as all arguments of a view take to
be read. Where only our own handler would see it, the answer is returned instead.
"""

from __future__ import annotations

import typing as t

import flask

from ._views import scopes_of
from .exceptions import RequestValidationError

if t.TYPE_CHECKING:
    from flask import Flask

#: What an exception of a view passes through in Flask, and what surrounds the view.
WAY: t.Final = frozenset(
    {
        "dispatch_request",
        "ensure_sync",
        "full_dispatch_request",
        "handle_http_exception",
        "handle_user_exception",
        "trap_http_exception",
    }
)

#: The code of the exception's class, by which Flask looks first, and of any.
CODES: t.Final = (RequestValidationError.code, None)


def is_left_to_flask(app: Flask) -> bool:
    """Whether an application handles exceptions as Flask does."""
    cls = type(app)
    own = cls.__mro__[: cls.__mro__.index(flask.Flask)]
    changed = [vars(app), *(vars(base) for base in own if not _is_ours(base))]
    # An extension may have put a function of its own into the application.
    return all(WAY.isdisjoint(names) for names in changed)


def find_handlers(app: Flask, endpoint: str) -> list[t.Any]:
    """The error handlers that are for our exception, too, in the scopes of a view."""
    spec = app.error_handler_spec
    return [
        handler
        for scope in scopes_of(endpoint)
        if scope in spec
        for code in CODES
        if code in spec[scope]
        for cls, handler in spec[scope][code].items()
        if issubclass(RequestValidationError, cls)
    ]


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == __name__.partition(".")[0]
