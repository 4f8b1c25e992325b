"""The contexts of a request, whose parts are made when they are asked for.

Flask 3.2 has one where there were two: the :class:`RequestContext` of this module. The
sessions that they open are Flask's, with a signer that is kept.
"""

from __future__ import annotations

import typing as t
from operator import is_

import flask
from flask import ctx

# Nothing public sets a context other than the methods whose work is done here.
from flask import globals as flask_globals
from flask.ctx import AppContext as FlaskAppContext
from flask.sessions import SecureCookieSessionInterface
from flask.signals import (
    appcontext_popped,
    appcontext_tearing_down,
    request_tearing_down,
)
from werkzeug.routing import MapAdapter

from .._http.originals import PASSES_CONTEXT, find_original
from .._http.request import APP, LazyRequest, get_app, lazy

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from contextvars import ContextVar

    from _typeshed.wsgi import WSGIEnvironment
    from flask import Flask
    from itsdangerous import URLSafeTimedSerializer


#: The variable of the context with the request. What a context has set itself has no
#: public name.
CURRENT: t.Final[ContextVar[t.Any]] = (
    APP if PASSES_CONTEXT else vars(flask_globals)["_cv_request"]
)

# Python 3.11 calls a method of what is imported in more steps than a function.
set_app, reset_app = APP.set, APP.reset

get_current, set_current, reset_current = CURRENT.get, CURRENT.set, CURRENT.reset

#: The class of the context of a request.
BASE: t.Final[t.Any] = vars(ctx).get("RequestContext", FlaskAppContext)

#: The attribute that holds the session. Since Flask 3.1.3 there is a property, too,
#: which notes that the session is accessed.
SESSION: t.Final = "_session" if hasattr(BASE, "session") else "session"

new: t.Final[Callable[[t.Any], t.Any]] = object.__new__


class noticed:
    """A method or attribute that a context may be given by a program, which is noted.

    :param found: what the context has otherwise: a method, or what makes an attribute.
    """

    def __init__(self, name: str, found: t.Any) -> None:
        self._name, self._found = name, found

    def __get__(self, context: t.Any, owner: type | None = None) -> t.Any:
        own = {} if context is None else context.__dict__
        if self._name in own:
            return own[self._name]
        return self._found.__get__(context, owner)

    def __set__(self, context: t.Any, value: t.Any) -> None:
        context.__dict__[self._name] = value
        context._is_touched = context._is_used = True

    def __delete__(self, context: t.Any) -> None:
        context.__dict__.pop(self._name)


def _make_session(context: t.Any) -> t.Any:
    """The session of a request without a cookie, or without a key."""
    interface = context.app.session_interface
    if context._has_key:
        return interface.session_class()
    return interface.make_null_session(context.app)


def _make_adapter(context: t.Any) -> MapAdapter:
    """What ``app.create_url_adapter(request)`` returns."""
    method, scheme, _, _, script, path, query, *_, server = context.request._start
    url_map = context.app.url_map
    return MapAdapter(url_map, server, script, "", scheme, path, method, query)


def _find_tokens(context: t.Any) -> list[t.Any]:
    """How the context was pushed, as Flask 3.0 and 3.1 keep it."""
    token = context._token
    if token is None:
        return []
    return [(token, context._outer) if isinstance(context, BASE) else token]


GLOBALS: t.Final = lazy("g", lambda context: context.app.app_ctx_globals_class())

TOKENS: t.Final = lazy("_cv_tokens", _find_tokens, "_is_touched")


def push(app: t.Any, environ: WSGIEnvironment) -> t.Any:
    """The context of a new request, which is the current one."""
    request = new(LazyRequest)
    request.environ = environ
    environ["werkzeug.request"] = request
    context = new(RequestContext)
    context.app = app
    context._is_used = context._is_touched = False
    if PASSES_CONTEXT:
        context._request = request
        context._push_count = 1
        context._outer = context
        context._cv_token = context._token = set_current(context)
        return context
    context.request = request
    context._outer = outer = new(AppContext)
    outer.app = app
    outer._is_touched = False
    outer._token = set_app(outer)
    context._token = set_current(context)
    return context


def pop(context: t.Any, error: BaseException | None) -> None:
    """What ``context.pop(error)`` does, of a context that :func:`push` has returned."""
    app, outer = context.app, context._outer
    request = context._request if PASSES_CONTEXT else context.request
    own = request.__dict__
    if (
        context._is_touched
        or outer._is_touched
        or app.teardown_request_funcs
        or app.teardown_appcontext_funcs
        or request_tearing_down.receivers
        or appcontext_tearing_down.receivers
        or appcontext_popped.receivers
        or get_current(None) is not context
        or get_app(None) is not outer
        or (PASSES_CONTEXT and context._push_count != 1)
        # There may be files to close, or another method to close them.
        or "files" in own
        or "close" in own
    ):
        context.pop(error)
    else:
        reset_current(context._token)
        if PASSES_CONTEXT:
            context._push_count = 0
            context._cv_token = None
        else:
            # Otherwise the request would keep itself alive.
            request.environ["werkzeug.request"] = None
            reset_app(outer._token)
        context._token = outer._token = None
    # An exception that is kept has this one, which is to keep nothing in turn.
    context._outer = None


class RequestContext(BASE):  # type: ignore[misc]
    """The context of a request that was matched here.

    :ivar _is_used: whether it may have a session, or functions for the response.
    :ivar _has_key: whether a session could be saved.
    """

    flashes = _flashes = None
    url_adapter = lazy("url_adapter", _make_adapter)
    pop = noticed("pop", BASE.pop)
    push = noticed("push", BASE.push)
    _after_request_functions = lazy(
        "_after_request_functions", lambda context: [], "_is_used"
    )
    if PASSES_CONTEXT:
        g = GLOBALS
    else:
        _cv_tokens = TOKENS


class AppContext(FlaskAppContext):
    """The context of an application without ``SERVER_NAME``, beside that of a request.

    :ivar _token: what resets its variable, ``None`` where it was popped.
    :ivar _is_touched: whether it was asked how it was pushed, or given other methods.
    """

    _token: t.Any
    _is_touched: bool

    url_adapter = None
    g = GLOBALS
    pop = noticed("pop", FlaskAppContext.pop)
    push = noticed("push", FlaskAppContext.push)
    _cv_tokens = TOKENS


_session = lazy(SESSION, _make_session, "_is_used")

# Until Flask 3.1.3 a program may set the session.
_is_public = SESSION == "session"

setattr(RequestContext, SESSION, noticed(SESSION, _session) if _is_public else _session)

AppContext.__name__ = AppContext.__qualname__ = FlaskAppContext.__name__

RequestContext.__name__ = RequestContext.__qualname__ = BASE.__name__

AppContext.__module__ = RequestContext.__module__ = BASE.__module__


#: Flask's method, which is called where it has been replaced.
GET_SIGNER: t.Final = find_original(
    flask, SecureCookieSessionInterface, "get_signing_serializer"
)

#: What holds keys that were used before. Flask 3.0 has none.
KINDS_OF_FALLBACKS: t.Final = (type(None), list, tuple)

#: Where an application keeps its signer, and what that was made of.
SIGNER: t.Final = "_session_signer"


class SessionInterface(SecureCookieSessionInterface):
    """Flask's sessions in signed cookies, whose signer is made once.

    .. versionadded:: 0.2
    """

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """The signer of an application, made anew when its keys have changed."""
        secret_key = app.secret_key
        fallbacks = app.config.get("SECRET_KEY_FALLBACKS") or ()
        if (
            not secret_key
            or type(fallbacks) not in KINDS_OF_FALLBACKS
            or type(self) is not SessionInterface
            or not getattr(app, "fast_dispatch", False)
            or not getattr(app, "_may_be_fast", False)
            or SecureCookieSessionInterface.get_signing_serializer is not GET_SIGNER
        ):
            return super().get_signing_serializer(app)
        options = (self.salt, self.key_derivation, self.digest_method, self.serializer)
        # Whether the serializer makes text is found out with the JSON of the time.
        made_of = (app.json, *options, secret_key, *fallbacks)
        known, signer = vars(app).get(SIGNER, ((), None))
        # By identity: some wrappers are equal to what they wrap.
        if len(known) != len(made_of) or not all(map(is_, known, made_of)):
            signer = super().get_signing_serializer(app)
            vars(app)[SIGNER] = (made_of, signer)
        return t.cast("URLSafeTimedSerializer | None", signer)


#: Those of all applications that have no others.
OUR_SESSIONS: t.Final = SessionInterface()

#: The row of the method. A wrapper that is put into the class later is another one.
OWN_SIGNER: t.Final = SessionInterface.get_signing_serializer
