"""The application that answers most requests in a shorter way than Flask's.

A WSGI environment goes in, a response comes out, made by the same steps in the same
order as Flask's own. Whether that is so is asked for each request.
"""

from __future__ import annotations

import sys
import typing as t
from functools import cache, lru_cache
from itertools import chain

import flask
import werkzeug
from flask import Flask, Request, Response, ctx
from flask.sessions import (
    NullSession,
    SecureCookieSession,
    SecureCookieSessionInterface,
)
from flask.signals import appcontext_pushed, request_finished, request_started
from werkzeug import routing
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.routing.matcher import StateMachineMatcher
from werkzeug.sansio.request import Request as SansIORequest
from werkzeug.wsgi import ClosingIterator, get_host

from .._http.originals import PASSES_CONTEXT, compile_question, originals
from .._http.request import REQUEST_IS_KNOWN, SETS_HOST, get_app
from .._http.response import CONSTRUCTORS, WrittenBody, find_parts
from .contexts import (
    KINDS_OF_FALLBACKS,
    OUR_SESSIONS,
    OWN_SIGNER,
    SESSION,
    SessionInterface,
    get_current,
    pop,
    push,
)
from .matching import Map

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment

    from .._http.originals import Original
    from .matching import RuleEntry


#: The key under which a debugger or a test client asks for the contexts.
PRESERVE: t.Final = "werkzeug.debug.preserve_context"

#: What the cookies of a request are that has none.
NO_COOKIES: t.Final[ImmutableMultiDict[str, str]] = ImmutableMultiDict()

#: What is configured where the key of trusted hosts is not there. Flask 3.1 needs it.
WITHOUT: t.Final = () if SETS_HOST else None

#: The methods of an application that are left out. A subclass may override one, or an
#: instance have one of its own.
OF_APPLICATION: t.Final = (
    "request_context create_url_adapter full_dispatch_request preprocess_request"
    " finalize_request process_response do_teardown_request do_teardown_appcontext"
) + ("" if PASSES_CONTEXT else " app_context")

#: Those that an application may have set on itself.
OWN_METHODS: t.Final = {*OF_APPLICATION.split(), "make_response", "ensure_sync"}


def may_run(app: t.Any) -> bool:
    """Whether the attributes of an application leave its requests to this module."""
    return (
        app._may_be_fast
        and REQUEST_IS_KNOWN
        and OWN_METHODS.isdisjoint(vars(app))
        and app.request_class is Request
        and app.response_class is Response
        and type(app.session_interface) is SessionInterface
        and type(app.url_map) is Map
        and not app.subdomain_matching
    )


@cache
def question() -> Callable[[type | None], bool]:
    """Asks for all rows. The classes above have added theirs by the first request."""
    return compile_question(ORIGINALS)


def run(
    app: t.Any, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes] | None:
    """What ``app.wsgi_app(environ, start_response)`` returns.

    ``None`` where Flask has to be asked: nothing has been done then. The first request
    is Flask's, which notes that it was made.
    """
    if not _is_usual(app, environ):
        return None
    values: list[str] = []
    try:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        scheme, host = environ["wsgi.url_scheme"], environ["HTTP_HOST"]
        script, query = environ["SCRIPT_NAME"], environ["QUERY_STRING"]
        name, port = environ["SERVER_NAME"], environ["SERVER_PORT"]
        entry = app.url_map.find(method, path, values)
        if entry is None or not (script + path + query).isascii():
            return None
        server = read_server(scheme, host)
    except (AttributeError, HTTPException, KeyError, TypeError, UnicodeError):
        # Werkzeug has a value for what is not there, and raises its own exceptions.
        return None
    key = app.config.get("SECRET_KEY")
    if key and not _may_open_later(app.config, key):
        return None
    context = push(app, environ)
    context.request._start = (
        *(method, scheme, name, port, script, path, query, host),
        *(environ.get("REMOTE_ADDR"), app.json, server),
    )
    context._has_key = key
    return _respond_to(context, (entry, values), start_response)


def _is_usual(app: t.Any, environ: WSGIEnvironment) -> bool:
    """Whether all methods are Flask's, and nothing asks for what is not done here."""
    config = app.config
    return (
        app._got_first_request
        and (app._decide() if app._may_run is None else app._may_run)
        and question()(type(app))
        and not app.session_interface.__dict__
        and config["SERVER_NAME"] is None
        and config.get("TRUSTED_HOSTS", WITHOUT) is None
        and not appcontext_pushed.receivers
        and get_app(None) is None
        and PRESERVE not in environ
        and "HTTP_UPGRADE" not in environ
    )


def _may_open_later(config: t.Any, key: object) -> bool:
    """Whether an empty session may be made when it is asked for, and not saved."""
    return (
        (type(key) is str or type(key) is bytes)
        and type(config.get("SECRET_KEY_FALLBACKS")) in KINDS_OF_FALLBACKS
        and has_cookies_of_flask(None)
    )


#: Those of a request whose session could be opened, with a key.
ROWS_WITH_KEY: t.Final[list[Original]] = [
    *originals(flask, SecureCookieSession, "__init__"),
    *originals(werkzeug, Request, "cookies"),
    (Request, "dict_storage_class", ImmutableMultiDict),
    *originals(
        flask,
        SessionInterface,
        "save_session get_cookie_domain get_cookie_httponly get_cookie_name"
        " get_cookie_partitioned get_cookie_path get_cookie_samesite get_cookie_secure",
    ),
]

has_cookies_of_flask: t.Final = compile_question(ROWS_WITH_KEY)


# A client may send any.
@lru_cache(maxsize=256)
def read_server(scheme: str, header: str) -> str:
    """The server name of a URL adapter, of a scheme and a ``Host`` header.

    :raises UnicodeError: if it is long, can't be encoded, or is for WebSockets.
    :raises HTTPException: if it is not valid.
    """
    if scheme not in ("http", "https") or len(header) > 255:
        raise UnicodeError
    host = get_host({"wsgi.url_scheme": scheme, "HTTP_HOST": header})
    name, separator, port = host.lower().partition(":")
    return f"{name.encode('idna').decode('ascii')}{separator}{port}"


def _respond_to(
    context: t.Any, found: tuple[RuleEntry, list[str]], start_response: StartResponse
) -> Iterable[bytes]:
    """What Flask's cycle does with a request from here on."""
    app, request = context.app, context.request
    entry, values = found
    error: BaseException | None = None
    try:
        try:
            if context._has_key:
                _open_session(context)
            entry.match(request, values)
            response = _full_dispatch(context, entry)
        except Exception as raised:
            error = raised
            response = app.handle_exception(
                *((context,) if PASSES_CONTEXT else ()), raised
            )
        except:
            error = sys.exc_info()[1]
            raise
        if type(response) is WrittenBody:
            return _send(response, start_response)
        parts = find_parts(response)
        if parts is None:
            # Typed by Werkzeug as what it may be.
            return t.cast("Iterable[bytes]", response(request.environ, start_response))
        start_response(parts[1], parts[2])
        return ClosingIterator(parts[0], response.close)
    finally:
        if error is not None:
            # Flask 3.2 has none.
            ignores = app.should_ignore_error
            error = None if ignores is not None and ignores(error) else error
        try:
            pop(context, error)
        finally:
            # The traceback of an exception holds this frame.
            del context, request, error


def _send(body: WrittenBody, start_response: StartResponse) -> list[bytes]:
    status, _, content_type = body.start
    data = body.data
    start_response(status, [content_type, ("Content-Length", f"{len(data)}")])
    return [data]


def _open_session(context: t.Any) -> None:
    """Open the session that a cookie may have; another one is opened when it is read.

    Flask reads the cookies for it, which are not read from the environ any more.
    """
    app, request = context.app, context.request
    if "HTTP_COOKIE" not in request.environ:
        request.__dict__["cookies"] = NO_COOKIES
        return
    interface, own = app.session_interface, context.__dict__
    # What Flask has until it is opened, and where that fails.
    own[SESSION] = None
    context._is_used = True
    own[SESSION] = interface.open_session(app, request)
    if own[SESSION] is None:
        own[SESSION] = interface.make_null_session(app)


def _full_dispatch(context: t.Any, entry: RuleEntry) -> t.Any:
    """What ``app.full_dispatch_request()`` returns, or a body."""
    app = context.app
    passed = (context,) if PASSES_CONTEXT else ()
    try:
        if request_started.receivers:
            request_started.send(app, _async_wrapper=app.ensure_sync)
        value = None
        if app.before_request_funcs or app.url_value_preprocessors:
            value = app.preprocess_request(*passed)
        if value is None:
            # Another context may have been pushed meanwhile.
            if PASSES_CONTEXT or get_current(None) is context:
                value = app._dispatch_in(context, entry)
            else:
                value = app.dispatch_request()
    except Exception as error:
        value = app.handle_user_exception(*passed, error)
    response = value if type(value) is WrittenBody else app._make(value)
    # An exception that was handled refers to this frame.
    del value
    is_processed = (
        context._is_used
        or app.after_request_funcs
        or not (PASSES_CONTEXT or get_current(None) is context)
    )
    if type(response) is WrittenBody and (is_processed or request_finished.receivers):
        response = response.response()
    if is_processed:
        response = app.process_response(*passed, response)
    if request_finished.receivers:
        request_finished.send(app, _async_wrapper=app.ensure_sync, response=response)
    return response


#: Those that a context has, which is one since Flask 3.2.
OF_CONTEXT: t.Final = "__init__ from_environ push match_request _get_session pop"

CONTEXTS: t.Final = {ctx.AppContext, vars(ctx).get("RequestContext", ctx.AppContext)}

#: The rows of every request. Classes above add their own methods, which call Flask's.
ORIGINALS: t.Final[list[Original]] = [
    *originals(flask, Flask, OF_APPLICATION, of_class=True),
    *originals(flask, Flask, "wsgi_app make_response ensure_sync dispatch_request"),
    (None, "request_class", Request),
    (None, "response_class", Response),
    (None, "session_interface", OUR_SESSIONS),
    *chain.from_iterable(originals(flask, cls, OF_CONTEXT) for cls in CONTEXTS),
    *originals(werkzeug, Request, "__init__ host close"),
    (Request, "trusted_hosts", None),
    *originals(werkzeug, SansIORequest, "__init__"),
    *originals(werkzeug, Map, "bind bind_to_environ update"),
    *originals(werkzeug, routing.MapAdapter, "__init__ match get_default_redirect"),
    *originals(werkzeug, routing.Rule, "provides_defaults_for"),
    *originals(werkzeug, StateMachineMatcher, "match"),
    *CONSTRUCTORS,
    *originals(
        werkzeug,
        Response,
        "__call__ close get_app_iter get_wsgi_headers get_wsgi_response iter_encoded",
    ),
    (Response, "automatically_set_content_length", True),
    *originals(flask, SecureCookieSessionInterface, "get_signing_serializer"),
    (SessionInterface, "get_signing_serializer", OWN_SIGNER),
    *originals(
        flask, SessionInterface, "open_session is_null_session make_null_session"
    ),
    *originals(flask, NullSession, "__init__"),
]
