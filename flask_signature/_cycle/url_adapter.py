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
    environ = request.environ
    if "HTTP_UPGRADE" in environ or not _is_plain(app, request):
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
    if SETS_HOST:
        request.host = host
    return MapAdapter(app.url_map, server, script, "", scheme, path, method, query)


def _is_plain(app: Flask, request: Request) -> bool:
    """Whether no setting, and nobody's method, says which adapter a request has."""
    url_map, config = app.url_map, app.config
    own = vars(url_map)
    return (
        Flask.create_url_adapter is CREATE
        and type(url_map) is Map
        and "bind" not in own
        and "bind_to_environ" not in own
        and "update" not in own
        and Map.bind is BIND
        and Map.bind_to_environ is BIND_TO_ENVIRON
        and Map.update is UPDATE
        and routing.MapAdapter.match is MATCH
        and MapAdapter.get_default_redirect is REDIRECT
        and StateMachineMatcher.match is MATCH_PATH
        and not url_map.host_matching
        and not url_map.default_subdomain
        and not app.subdomain_matching
        and config["SERVER_NAME"] is None
        and config.get("TRUSTED_HOSTS", WITHOUT) is None
        and request.trusted_hosts is None
    )


@lru_cache(maxsize=MOST_HOSTS)
def read_host(scheme: str, header: str) -> tuple[str, str]:
    """The host of a request, and the server name of its URL adapter.

    Both depend on the scheme and the ``Host`` header alone, where there is one.

    :raises UnicodeError: if the name can't be encoded.
    """
    host = get_host({"wsgi.url_scheme": scheme, "HTTP_HOST": header})
    name, separator, port = host.lower().partition(":")
    return host, f"{name.encode('idna').decode('ascii')}{separator}{port}"
