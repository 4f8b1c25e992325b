"""Which error handler answers an exception of an operation, as Flask looks it up.

An endpoint and an exception go in, the handler comes out; the description of errors
calls it.
"""

from __future__ import annotations

import typing as t

from werkzeug.exceptions import HTTPException

from .registry import Registry
from .registry import blueprints_around

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    #: An error handler.
    Handler: t.TypeAlias = Callable[..., t.Any]


def find_handler(
    app: Flask, endpoint: str, exception: type[Exception], *, code: int | None = None
) -> Handler | None:
    """The error handler for an exception that a view raises, ``None`` without one.

    Handlers of its status come before those of its class, those of a blueprint before
    those of the application, and those of a class before those of its bases.

    :param code: the status, where the class has none.

    Source: Flask, Handling Application Errors, "Blueprint Error Handlers".
    """
    code = getattr(exception, "code", None) or code
    is_http = issubclass(exception, HTTPException)
    for status in (code, None) if is_http and code is not None else (None,):
        for name in (*blueprints_around(endpoint), None):
            by_status: t.Any = app.error_handler_spec.get(name, {})
            handlers: dict[t.Any, Handler] = by_status.get(status, {})
            for cls in exception.__mro__:
                if handler := handlers.get(cls):
                    return _behind_generic(app, handler)
    return None


def _behind_generic(app: Flask, handler: Handler) -> Handler:
    """The author's handler for ``Exception`` in place of the generic one."""
    known = Registry.of(app).handlers
    is_hidden = handler is known.generic and known.catch_all is not None
    return t.cast("Handler", known.catch_all) if is_hidden else handler
