"""Views that are coroutine functions, which Flask runs with another package.

A view goes in; the compilation of an operation asks whether Flask can run it.
"""

from __future__ import annotations

import typing as t
from inspect import iscoroutinefunction

from flask.views import MethodView

from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from flask import Flask

    from .._signature.unwrap import ViewCallable
    from .operation import ViewFunction

#: The modules of the methods that run coroutine functions with asgiref.
USUAL: t.Final = ("flask.app", "flask_signature.app")


def check_asynchronous(
    app: Flask, view: ViewFunction, view_callable: ViewCallable
) -> None:
    """Refuse a coroutine function that the application can't run.

    :raises SignatureError: if asgiref is not installed, and the application has no
        ``ensure_sync()`` or ``async_to_sync()`` of its own.
    """
    if not _is_asynchronous(view, view_callable) or _runs_coroutines(app):
        return
    raise SignatureError(
        f"{view_callable.name} is asynchronous, but asgiref, with which Flask runs such"
        " views, is not installed. Run 'pip install \"flask-signature[async]\"', or"
        " write the view with 'def'."
    )


def _is_asynchronous(view: ViewFunction, view_callable: ViewCallable) -> bool:
    """Whether Flask is given a coroutine function, by a class-based view as well."""
    view_class = view_callable.view_class
    if view_class is None:
        return iscoroutinefunction(view)
    dispatch = view_class.dispatch_request
    if dispatch is not MethodView.dispatch_request or iscoroutinefunction(dispatch):
        return iscoroutinefunction(dispatch)
    return iscoroutinefunction(getattr(view_class, view_callable.attribute))


def _runs_coroutines(app: Flask) -> bool:
    methods = (app.ensure_sync, app.async_to_sync)
    if any(getattr(method, "__module__", None) not in USUAL for method in methods):
        return True
    try:
        import asgiref.sync  # noqa: F401
    except ImportError:
        return False
    return True
