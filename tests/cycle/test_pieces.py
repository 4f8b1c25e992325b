"""In an ordinary application every piece acts, for plain views and for compiled ones.

One that was off would be noticed by no other test: nobody can tell.
"""

from __future__ import annotations

import typing as t

import flask
import pytest
from called import OF_FLASK, codes_called
from itsdangerous import URLSafeTimedSerializer
from patches import environ, send
from werkzeug.routing.matcher import StateMachineMatcher
from werkzeug.sansio.http import parse_cookie

import flask_signature

#: What makes a context, until Flask 3.2 merged that of the request with the other one.
CONTEXT: t.Final[t.Any] = vars(flask.ctx).get("RequestContext")
METHODS: t.Final = ("__init__", "push", "match_request", "pop")
OF_CONTEXT: t.Final[list[t.Any]] = (
    [flask.Request.__init__, *map(CONTEXT.__dict__.get, METHODS)] if CONTEXT else []
)

#: What is called by Flask, but by no request to an ordinary application of ours.
LEFT_OUT: t.Final[list[t.Any]] = [
    *OF_FLASK,
    *(StateMachineMatcher.match, flask.Flask.make_response, parse_cookie),
    *(flask.Response.__init__, flask.Response.get_wsgi_headers),
    *OF_CONTEXT,
]


def make_app(cls: type[flask.Flask], secret_key: str | None) -> flask.Flask:
    """An application that has had its first requests, to each of its rules."""
    app = cls("ordinary")
    app.secret_key = secret_key
    blueprint = flask.Blueprint("plain", "plain", url_prefix="/plain")

    @app.get("/")
    def index():  # type: ignore[no-untyped-def]
        return "index"

    @app.get("/typed/<int:number>/size")
    def typed(number: int, size: int = 1) -> dict[str, int]:
        return {"number": number, "size": size}

    @blueprint.get("/<name>")
    def page(name):  # type: ignore[no-untyped-def]
        return {"name": name}

    app.register_blueprint(blueprint)
    app.add_url_rule("/visit", view_func=visit)
    send(app, environ("/"))
    return app


def called_of_flask(app: flask.Flask, path: str) -> list[str]:
    """The methods of Flask that a request goes through, which is not the first."""
    send(app, environ(path))
    called = codes_called(send, app, environ(path))
    return [item.__qualname__ for item in LEFT_OUT if item.__code__ in called]


@pytest.mark.parametrize("secret_key", [None, "secret"], ids=["no-key", "key"])
@pytest.mark.parametrize("path", ["/", "/plain/a", "/typed/3/size?size=2"])
def test_nothing_of_flask_that_a_piece_stands_for_is_called(path, secret_key):
    assert called_of_flask(make_app(flask_signature.Flask, secret_key), path) == []


def test_plain_flask_calls_it():
    called = called_of_flask(make_app(flask.Flask, "secret"), "/")

    assert len(called) == len(LEFT_OUT)


def test_signer_is_made_once_for_requests_with_a_session():
    app = make_app(flask_signature.Flask, "secret")
    client = app.test_client()
    client.get("/visit")
    called = codes_called(lambda: [client.get("/visit") for _ in range(3)])

    assert client.get("/visit").text == "5"
    assert URLSafeTimedSerializer.__init__.__code__ not in called


def visit() -> str:
    """The number of visits that the session holds."""
    flask.session["visits"] = flask.session.get("visits", 0) + 1
    return str(flask.session["visits"])
