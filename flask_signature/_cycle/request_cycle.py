"""From an environ to a response in one function, for an application nobody has patched.

What anybody listens to, or has registered, is called as Flask calls it.
"""

from __future__ import annotations

import sys
import typing as t
from sys import getrefcount

import flask
from flask import Flask
from flask.sessions import NullSession
from flask.sessions import SessionInterface
from flask.signals import request_finished
from flask.signals import request_started
from werkzeug.wsgi import ClosingIterator

from .._http.originals import find_original
from .._http.response import find_parts
from .contexts import CURRENT
from .contexts import SESSION
from .contexts import are_original
from .contexts import make
from .contexts import pop
from .contexts import preserve
from .contexts import push
from .versions import PASSES_CONTEXT

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse
    from _typeshed.wsgi import WSGIEnvironment


def count_alone() -> int:
    """The references to an object that one variable holds."""
    value = object()
    # Some versions of Python lend a variable to a call, and others do not.
    return getrefcount([value][0])


#: The methods whose work is done here, or left out.
WSGI_APP: t.Final = find_original(flask, Flask, "wsgi_app")
APP_CONTEXT: t.Final = find_original(flask, Flask, "app_context")
REQUEST_CONTEXT: t.Final = find_original(flask, Flask, "request_context")
DISPATCH: t.Final = find_original(flask, Flask, "full_dispatch_request")
PREPROCESS: t.Final = find_original(flask, Flask, "preprocess_request")
FINALIZE: t.Final = find_original(flask, Flask, "finalize_request")
PROCESS: t.Final = find_original(flask, Flask, "process_response")
TEAR_DOWN: t.Final = find_original(flask, Flask, "do_teardown_request")
TEAR_DOWN_APP: t.Final = find_original(flask, Flask, "do_teardown_appcontext")

#: Asks with isinstance(), which is slow for a class with an abstract base.
IS_NULL: t.Final = find_original(flask, SessionInterface, "is_null_session")

#: What is counted of an object where it is held by one variable alone.
ALONE: t.Final = count_alone()

#: The key under which a debugger or a test client asks for the contexts.
PRESERVE: t.Final = "werkzeug.debug.preserve_context"


def may_run(app: Flask) -> bool:
    """Whether all methods whose work is done here are Flask's own.

    The first request is Flask's, which warns of some things then. Nothing public tells
    that it was made.
    """
    cls, own = type(app), app.__dict__
    return (
        app._got_first_request
        and Flask.wsgi_app is WSGI_APP
        and cls.app_context is APP_CONTEXT
        and cls.request_context is REQUEST_CONTEXT
        and cls.full_dispatch_request is DISPATCH
        and cls.preprocess_request is PREPROCESS
        and cls.finalize_request is FINALIZE
        and cls.process_response is PROCESS
        and cls.do_teardown_request is TEAR_DOWN
        and cls.do_teardown_appcontext is TEAR_DOWN_APP
        and are_original()
        # An application may have one of its own.
        and "app_context" not in own
        and "request_context" not in own
        and "full_dispatch_request" not in own
        and "preprocess_request" not in own
        and "finalize_request" not in own
        and "process_response" not in own
        and "do_teardown_request" not in own
        and "do_teardown_appcontext" not in own
    )


def run(
    app: t.Any, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    """What ``app.wsgi_app(environ, start_response)`` does."""
    context = make(app, environ)
    passed = (context,) if PASSES_CONTEXT else ()
    pushed = None
    error: BaseException | None = None
    try:
        try:
            pushed = push(context)
            response = _respond(app, context, passed)
        except Exception as raised:
            error = raised
            response = app.handle_exception(*passed, raised)
        except:
            error = sys.exc_info()[1]
            raise
        parts = find_parts(response, environ)
        if parts is None:
            sent: Iterable[bytes] = response(environ, start_response)
        else:
            sent, status, headers = parts
            start_response(status, headers)
    finally:
        if PRESERVE in environ:
            preserve(context, environ[PRESERVE])
        if error is not None:
            should_ignore = app.should_ignore_error
            if should_ignore is not None and should_ignore(error):
                error = None
        try:
            pop(context, pushed, error)
        finally:
            # The traceback of an exception holds this frame.
            del context, passed, pushed, error
    is_alone = getrefcount([response][0]) == ALONE
    if parts is None or (is_alone and not response._on_close):
        return sent
    # Somebody may yet add a function that is called when it is closed.
    return ClosingIterator(sent, response.close)


def _respond(app: t.Any, context: t.Any, passed: tuple[t.Any, ...]) -> t.Any:
    """What ``app.full_dispatch_request()`` does."""
    try:
        if request_started.receivers:
            request_started.send(app, _async_wrapper=app.ensure_sync)
        value = None
        if app.before_request_funcs or app.url_value_preprocessors:
            value = app.preprocess_request(*passed)
        if value is None:
            # Somebody may have pushed another one meanwhile.
            if PASSES_CONTEXT or CURRENT.get(None) is context:
                value = app._dispatch_in(context)
            else:
                value = app.dispatch_request()
    except Exception as error:
        value = app.handle_user_exception(*passed, error)
    response = app.make_response(value)
    # An exception that was handled refers to this frame.
    del value
    if (
        app.after_request_funcs
        or context._after_request_functions
        or not (PASSES_CONTEXT or CURRENT.get(None) is context)
    ):
        response = app.process_response(*passed, response)
    else:
        interface, session = app.session_interface, getattr(context, SESSION)
        is_null = (
            type(session) is NullSession
            and type(interface).is_null_session is IS_NULL
            and not interface.__dict__
            and interface.null_session_class is NullSession
        )
        if not is_null and not interface.is_null_session(session):
            interface.save_session(app, session, response)
    if request_finished.receivers:
        request_finished.send(app, _async_wrapper=app.ensure_sync, response=response)
    return response
