"""The application's context and that of the request, as Flask 3.0 and 3.1 have them."""

from __future__ import annotations

import typing as t

import flask
from flask.ctx import AppContext
from flask.ctx import RequestContext

# Nothing public sets a context other than the methods whose work is done here.
from flask.globals import _cv_app
from flask.globals import _cv_request
from flask.signals import appcontext_pushed
from werkzeug.exceptions import HTTPException

from .._http.originals import find_original
from .requests import close_request
from .requests import has_teardown
from .requests import has_to_close
from .requests import make_request
from .sessions import make_null_session

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from contextvars import ContextVar

    from _typeshed.wsgi import WSGIEnvironment

#: The methods whose work is done here.
INIT: t.Final = find_original(flask, RequestContext, "__init__")
MATCH: t.Final = find_original(flask, RequestContext, "match_request")
PUSH: t.Final = find_original(flask, RequestContext, "push")
POP: t.Final = find_original(flask, RequestContext, "pop")
INIT_APP: t.Final = find_original(flask, AppContext, "__init__")
PUSH_APP: t.Final = find_original(flask, AppContext, "push")
POP_APP: t.Final = find_original(flask, AppContext, "pop")

#: The variables, whose values are read and written as no type of Flask's says. What a
#: context has set itself has no public name either.
APP: t.Final[ContextVar[t.Any]] = t.cast("ContextVar[t.Any]", _cv_app)
CURRENT: t.Final[ContextVar[t.Any]] = t.cast("ContextVar[t.Any]", _cv_request)

#: The attribute that holds the session. Since Flask 3.1.3 there is a property, too,
#: which notes that the session is accessed.
SESSION: t.Final = "_session" if hasattr(RequestContext, "session") else "session"


def are_original() -> bool:
    """Whether the methods of the contexts are Flask's own."""
    return (
        RequestContext.__init__ is INIT
        and RequestContext.match_request is MATCH
        and RequestContext.push is PUSH
        and RequestContext.pop is POP
        and AppContext.__init__ is INIT_APP
        and AppContext.push is PUSH_APP
        and AppContext.pop is POP_APP
    )


def make(app: t.Any, environ: WSGIEnvironment) -> t.Any:
    """What ``app.request_context(environ)`` returns."""
    context: t.Any = RequestContext.__new__(RequestContext)
    context.app = app
    context.request = request = make_request(app.request_class, environ)
    request.json_module = app.json
    context.url_adapter = None
    try:
        context.url_adapter = app.create_url_adapter(request)
    except HTTPException as error:
        request.routing_exception = error
    context.flashes = None
    setattr(context, SESSION, None)
    context._after_request_functions = []
    context._cv_tokens = []
    return context


def preserve(context: t.Any, keep: Callable[[t.Any], object]) -> None:
    """Give a debugger the contexts of a request."""
    keep(APP.get())
    keep(CURRENT.get())


def push(context: t.Any) -> t.Any:
    """What ``context.push()`` does.

    :return: the application's context, ``None`` where Flask has pushed both.
    """
    if APP.get(None) is not None or appcontext_pushed.receivers:
        context.push()
        return None
    app, request = context.app, context.request
    outer: t.Any = AppContext.__new__(AppContext)
    outer.app = app
    outer.url_adapter = app.create_url_adapter(None)
    outer.g = app.app_ctx_globals_class()
    outer._cv_tokens = [APP.set(outer)]
    context._cv_tokens.append((CURRENT.set(context), outer))
    interface = app.session_interface
    session = interface.open_session(app, request)
    if session is None:
        session = make_null_session(interface, app)
    setattr(context, SESSION, session)
    if context.url_adapter is not None:
        try:
            matched = context.url_adapter.match(return_rule=True)
            request.url_rule, request.view_args = matched
        except HTTPException as error:
            request.routing_exception = error
    return outer


def pop(context: t.Any, pushed: t.Any, error: BaseException | None) -> None:
    """What ``context.pop(error)`` does.

    :param pushed: what ``push()`` has returned.
    """
    app = context.app
    if (
        pushed is None
        # One of their own has another function, or none. Their dictionaries, which
        # would be made for it, take longer.
        or getattr(context.pop, "__func__", None) is not POP
        or getattr(pushed.pop, "__func__", None) is not POP_APP
        or has_teardown(app)
        or CURRENT.get(None) is not context
        or APP.get(None) is not pushed
        or len(context._cv_tokens) != 1
        or len(pushed._cv_tokens) != 1
    ):
        context.pop(error)
        return
    request = context.request
    try:
        if has_to_close(request):
            close_request(request)
    finally:
        CURRENT.reset(context._cv_tokens.pop()[0])
        # Otherwise the request would keep itself alive.
        request.environ["werkzeug.request"] = None
        APP.reset(pushed._cv_tokens.pop())
