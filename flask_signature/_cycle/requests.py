"""The beginning of a request, and its end."""

from __future__ import annotations

import typing as t
from functools import lru_cache

import werkzeug
from flask import Request
from flask.signals import appcontext_popped
from flask.signals import appcontext_tearing_down
from flask.signals import request_tearing_down
from werkzeug.datastructures import EnvironHeaders
from werkzeug.sansio.request import Request as SansIORequest

from .._http.originals import find_original

if t.TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment
    from flask import Flask

#: The methods whose work is done here.
INIT: t.Final = find_original(werkzeug, Request, "__init__")
INIT_BASE: t.Final = find_original(werkzeug, SansIORequest, "__init__")
CLOSE: t.Final = find_original(werkzeug, Request, "close")

#: The attributes that the constructors set.
ATTRIBUTES: t.Final = {
    *("environ", "headers", "method", "path", "query_string", "remote_addr"),
    *("root_path", "scheme", "server", "shallow"),
}
HAS_KNOWN_ATTRIBUTES: t.Final = vars(Request({})).keys() == ATTRIBUTES


def make_request(cls: type[Request], environ: WSGIEnvironment) -> Request:
    """What ``cls(environ)`` returns."""
    if (
        cls is not Request
        or Request.__init__ is not INIT
        or SansIORequest.__init__ is not INIT_BASE
        or not HAS_KNOWN_ATTRIBUTES
    ):
        return cls(environ)
    try:
        script: str = environ["SCRIPT_NAME"]
        path: str = environ["PATH_INFO"]
        server = read_server(environ["SERVER_NAME"], environ["SERVER_PORT"])
        method: str = environ["REQUEST_METHOD"].upper()
        query: bytes = environ["QUERY_STRING"].encode("latin1")
        is_plain = (script + path).isascii()
    except (AttributeError, KeyError, TypeError, UnicodeError):
        # Werkzeug has a value for what is not there, and raises its own exceptions.
        is_plain = False
    if not is_plain:
        return cls(environ)
    request = Request.__new__(Request)
    request.method = method
    request.scheme = environ.get("wsgi.url_scheme", "http")
    request.server = server
    request.root_path = script.rstrip("/")
    request.path = "/" + path.lstrip("/")
    request.query_string = query
    request.headers = EnvironHeaders(environ)
    request.remote_addr = environ.get("REMOTE_ADDR")
    request.environ = environ
    request.shallow = False
    environ["werkzeug.request"] = request
    return request


@lru_cache(maxsize=64)
def read_server(name: str, port: str) -> tuple[str, int | None] | None:
    """The address of a server, as Werkzeug reads it."""
    return Request({"SERVER_NAME": name, "SERVER_PORT": port}).server


def has_teardown(app: Flask) -> object:
    """Whether somebody is to be called when a context is popped."""
    return (
        app.teardown_request_funcs
        or app.teardown_appcontext_funcs
        or request_tearing_down.receivers
        or appcontext_tearing_down.receivers
        or appcontext_popped.receivers
    )


def has_to_close(request: t.Any) -> bool:
    """Whether ``request.close()`` may do anything, or is not Werkzeug's."""
    attributes = request.__dict__
    return (
        type(request) is not Request
        or Request.close is not CLOSE
        or "files" in attributes
        or "close" in attributes
    )


def close_request(request: t.Any) -> None:
    """Close a request, if there is a method for it."""
    close = getattr(request, "close", None)
    if close is not None:
        close()
