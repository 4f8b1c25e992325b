"""The answer to a request that does not fit, where no handler has a say in it.

An exception takes as long on its way through Flask as all arguments of a view take to
be read. Where only our own handler would see it, the answer is returned instead.
"""

from __future__ import annotations

import typing as t

import flask
from werkzeug.exceptions import default_exceptions

from .exceptions import RequestValidationError

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask


def concerns_refusals(code_or_exception: t.Any) -> bool:
    """Whether an error handler for this would be given our exception."""
    cls = code_or_exception
    if isinstance(cls, int):
        cls = default_exceptions.get(cls)
    return isinstance(cls, type) and issubclass(RequestValidationError, cls)


def is_handled_by_blueprints(app: Flask, endpoint: str) -> bool:
    """Whether a blueprint around an endpoint has a handler for our exception."""
    return any(
        concerns_refusals(cls)
        for scope in _blueprints_of(endpoint)
        for handlers in app.error_handler_spec.get(scope, {}).values()
        for cls in handlers
    )


def _blueprints_of(endpoint: str) -> Iterator[str]:
    """``"shop.items.show"`` is in ``"shop.items"`` and in ``"shop"``."""
    name = endpoint.rpartition(".")[0]
    while name:
        yield name
        name = name.rpartition(".")[0]


def is_handled_by_flask(app: Flask) -> bool:
    """Whether an exception takes the way through Flask that Flask has made."""
    cls, own = type(app), vars(app)
    return (
        cls.handle_user_exception is flask.Flask.handle_user_exception
        and cls.handle_http_exception is flask.Flask.handle_http_exception
        and cls.trap_http_exception is flask.Flask.trap_http_exception
        # An extension may have put a function of its own into the application.
        and "handle_user_exception" not in own
        and "handle_http_exception" not in own
        and not app.config["TRAP_HTTP_EXCEPTIONS"]
    )
