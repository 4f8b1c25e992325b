"""Who sends a request in the tests of security, and the schemes that know them."""

from __future__ import annotations

import typing as t
from base64 import b64encode

import flask
from werkzeug.test import TestResponse

from flask_signature import Blueprint
from flask_signature.security import APIKey, HTTPBasic, HTTPBearer

#: What each of them may do.
GRANTED: t.Final = {"Ann": "read write", "Bob": "read"}


def find_user(token: str) -> str | None:
    return token if token in GRANTED else None


def check_password(username: str, password: str) -> str | None:
    return username if password == f"{username}'s" else None


TOKEN = HTTPBearer("token", verify=find_user, get_scopes=lambda user: GRANTED[user])
KEY = APIKey("key", "X-Key", verify=lambda key: key == "right" and "client")
BASIC = HTTPBasic("basic", verify=check_password)

Headers: t.TypeAlias = dict[str, str]


def bearer(token: str) -> Headers:
    return {"Authorization": f"Bearer {token}"}


def basic(username: str, password: str) -> Headers:
    encoded = b64encode(f"{username}:{password}".encode()).decode()
    return {"Authorization": f"Basic {encoded}"}


def key(value: str) -> Headers:
    return {"X-Key": value}


ANN, EVE = bearer("Ann"), bearer("Eve")


def challenges(response: TestResponse) -> list[str]:
    """What a refusal asks for."""
    return response.headers.getlist("WWW-Authenticate")


#: What satisfies each scheme.
SENT: t.Final = {
    "token": bearer("Ann"),
    "key": key("right"),
    "basic": basic("Ann", "Ann's"),
}


def show() -> str:
    return "shown"


def plain(name: str = "plain", url: str = "/plain") -> flask.Blueprint:
    """A blueprint of Flask's with one view."""
    found = flask.Blueprint(name, __name__)
    found.add_url_rule(url, view_func=show)
    return found


def guarded(*inside: flask.Blueprint, name: str = "bp", **options: t.Any) -> Blueprint:
    """A blueprint of ours that asks for a token, with others in it."""
    found = Blueprint(name, __name__, **{"security": TOKEN, **options})
    for blueprint in inside:
        found.register_blueprint(blueprint)
    return found


def accepted(app: flask.Flask, url: str) -> set[str]:
    """The schemes whose credentials alone open a view, ``"nothing"`` for none."""
    client = app.test_client()
    sent = {"nothing": {}, **SENT}
    statuses = {
        name: client.get(url, headers=headers).status_code
        for name, headers in sent.items()
    }
    assert {*statuses.values()} <= {200, 401}
    return {name for name, status in statuses.items() if status == 200}
