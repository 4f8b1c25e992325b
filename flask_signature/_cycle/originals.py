"""The methods whose work the cycle does, or leaves out: one table, which is asked."""

from __future__ import annotations

import typing as t
from itertools import chain

import flask
import werkzeug
from flask import Flask, Request, Response, ctx
from flask.sessions import (
    NullSession,
    SecureCookieSession,
    SecureCookieSessionInterface,
)
from werkzeug import routing
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing.matcher import StateMachineMatcher
from werkzeug.sansio.request import Request as SansIORequest

from .._http.originals import originals
from .._http.response import CONSTRUCTORS
from .matching import Map
from .sessions import OUR_SESSIONS, OWN_SIGNER, SessionInterface
from .versions import PASSES_CONTEXT

if t.TYPE_CHECKING:
    from .._http.originals import Original

#: The methods of an application that are left out. A subclass may override one, or an
#: instance have one of its own.
OF_APPLICATION: t.Final = (
    "request_context create_url_adapter full_dispatch_request"
    " preprocess_request dispatch_request finalize_request process_response"
    " do_teardown_request do_teardown_appcontext"
) + ("" if PASSES_CONTEXT else " app_context")

#: Those that a context has, which is one since Flask 3.2.
OF_CONTEXT: t.Final = "__init__ from_environ push match_request _get_session pop"
CONTEXTS: t.Final = {ctx.AppContext, vars(ctx).get("RequestContext", ctx.AppContext)}

#: The rows of every request. Classes above add their own methods, which call Flask's.
ORIGINALS: t.Final[list[Original]] = [
    *originals(flask, Flask, OF_APPLICATION, of_class=True),
    *originals(flask, Flask, "wsgi_app make_response ensure_sync"),
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
