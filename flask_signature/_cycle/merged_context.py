"""The context of an application and a request in one, as Flask 3.2 has it."""

from __future__ import annotations

import typing as t

import flask
from flask.ctx import AppContext

# Nothing public sets a context other than the methods whose work is done here.
from flask.globals import _cv_app
from flask.signals import appcontext_pushed

from .._http.originals import find_original
from .requests import has_teardown
from .requests import has_to_close

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from contextvars import ContextVar

    from _typeshed.wsgi import WSGIEnvironment

PUSH: t.Final = find_original(flask, AppContext, "push")
POP: t.Final = find_original(flask, AppContext, "pop")

#: A context may have one of its own.
ATTRIBUTES: t.Final = frozenset({"pop", "push"})

#: The class and its variable, typed as what the Flask that is installed may not have.
#: What a context has set itself has no public name either.
CLASS: t.Final[t.Any] = AppContext
CURRENT: t.Final[ContextVar[t.Any]] = t.cast("ContextVar[t.Any]", _cv_app)

#: The attribute that holds the session, once it is open.
SESSION: t.Final = "_session"


def are_original() -> bool:
    """Whether the methods of the context are Flask's own."""
    return AppContext.push is PUSH and AppContext.pop is POP


def make(app: t.Any, environ: WSGIEnvironment) -> t.Any:
    """What ``app.request_context(environ)`` returns."""
    return app.request_context(environ)


def preserve(context: t.Any, keep: Callable[[t.Any], object]) -> None:
    """Give a debugger the context of a request."""
    keep(context)


def push(context: t.Any) -> t.Any:
    """What ``context.push()`` does.

    :return: the context, ``None`` where Flask has pushed it.
    """
    if (
        type(context) is not CLASS
        or not vars(context).keys().isdisjoint(ATTRIBUTES)
        or context._cv_token is not None
        or appcontext_pushed.receivers
    ):
        context.push()
        return None
    context._push_count += 1
    context._cv_token = CURRENT.set(context)
    context._get_session()
    if context.url_adapter is not None:
        context.match_request()
    return context


def pop(context: t.Any, pushed: t.Any, error: BaseException | None) -> None:
    """What ``context.pop(error)`` does.

    :param pushed: what ``push()`` has returned.
    """
    if (
        pushed is None
        or not vars(context).keys().isdisjoint(ATTRIBUTES)
        or has_teardown(context.app)
        or CURRENT.get(None) is not context
        or context._push_count != 1
        # Flask collects what is raised there.
        or has_to_close(context.request)
    ):
        context.pop(error)
        return
    context._push_count = 0
    CURRENT.reset(context._cv_token)
    context._cv_token = None
