"""The URL adapter of a request, made without parsing its host anew."""

from __future__ import annotations

import typing as t
from functools import lru_cache

import flask
import werkzeug
from flask import Flask
from flask import Request
from werkzeug import routing
from werkzeug.routing.matcher import StateMachineMatcher
from werkzeug.wsgi import get_host

from .._http.originals import find_original
from .matching import Map
from .matching import MapAdapter
from .versions import INSTALLED

#: The methods whose work is done here and by the adapter.
CREATE: t.Final = find_original(flask, Flask, "create_url_adapter")
BIND: t.Final = find_original(werkzeug, routing.Map, "bind")
BIND_TO_ENVIRON: t.Final = find_original(werkzeug, routing.Map, "bind_to_environ")
MATCH: t.Final = find_original(werkzeug, routing.MapAdapter, "match")
UPDATE: t.Final = find_original(werkzeug, routing.Map, "update")
REDIRECT: t.Final = find_original(werkzeug, routing.MapAdapter, "get_default_redirect")
MATCH_PATH: t.Final = find_original(werkzeug, StateMachineMatcher, "match")

#: Since Flask 3.1 the host of a request is known when its adapter is made.
SETS_HOST: t.Final = INSTALLED >= (3, 1)

#: What is configured where the key of trusted hosts is not there. Flask 3.1 needs it.
WITHOUT: t.Final = () if SETS_HOST else None

#: The hosts that are remembered, and their characters: a client may send any.
MOST_HOSTS: t.Final = 256
LONGEST_HOST: t.Final = 255


def create_url_adapter(app: Flask, request: Request) -> routing.MapAdapter | None:
    """What Flask's method returns, ``None`` where it has to be called."""
    url_map, config, environ = app.url_map, app.config, request.environ
    own = vars(url_map)
    if (
        Flask.create_url_adapter is not CREATE
        or type(url_map) is not Map
        or "bind" in own
        or "bind_to_environ" in own
        or "update" in own
        or Map.bind is not BIND
        or Map.bind_to_environ is not BIND_TO_ENVIRON
        or Map.update is not UPDATE
        or routing.MapAdapter.match is not MATCH
        or MapAdapter.get_default_redirect is not REDIRECT
        or StateMachineMatcher.match is not MATCH_PATH
        or url_map.host_matching
        or url_map.default_subdomain
        or app.subdomain_matching
        or config["SERVER_NAME"] is not None
        or config.get("TRUSTED_HOSTS", WITHOUT) is not None
        or request.trusted_hosts is not None
        or "HTTP_UPGRADE" in environ
    ):
        return None
    try:
        header, script = environ["HTTP_HOST"], environ["SCRIPT_NAME"]
        path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
        scheme, method = environ["wsgi.url_scheme"], environ["REQUEST_METHOD"]
        if len(header) > LONGEST_HOST or not (script + path + query).isascii():
            return None
        host, server = read_host(scheme, header)
    except (KeyError, TypeError, UnicodeError):
        # Also where a server has put something else than a string there.
        return None
    if SETS_HOST and type(request) is Request:
        # As its descriptor does, in one step.
        request.__dict__["host"] = host
    elif SETS_HOST:
        request.host = host
    return MapAdapter(url_map, server, script, "", scheme, path, method, query)


@lru_cache(maxsize=MOST_HOSTS)
def read_host(scheme: str, header: str) -> tuple[str, str]:
    """The host of a request, and the server name of its URL adapter.

    Both depend on the scheme and the ``Host`` header alone, where there is one.

    :raises UnicodeError: if the name can't be encoded.
    """
    host = get_host({"wsgi.url_scheme": scheme, "HTTP_HOST": header})
    name, separator, port = host.lower().partition(":")
    return host, f"{name.encode('idna').decode('ascii')}{separator}{port}"
