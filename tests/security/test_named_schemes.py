"""Schemes that are named: a name that nobody knows lets nobody in."""

from __future__ import annotations

import typing as t

import flask
import pytest

from flask_signature import Blueprint, SignatureError

UNKNOWN: t.Final = "names 'tokn', which is no security scheme"


def named(*inside: flask.Blueprint) -> Blueprint:
    outer = Blueprint("outer", __name__, security="tokn")
    for blueprint in inside:
        outer.register_blueprint(blueprint)
    return outer


def plain() -> flask.Blueprint:
    blueprint = flask.Blueprint("plain", __name__)
    blueprint.add_url_rule("/plain", "show", lambda: "plain")
    return blueprint


def test_name_around_plain_views_is_checked_after_init_app(app):
    app.init_app()
    with pytest.raises(SignatureError, match=UNKNOWN) as caught:
        app.register_blueprint(named(plain()))
    assert "/plain: the plain view 'outer.plain.show': security=" in str(caught.value)


@pytest.mark.parametrize("inside", [[], [plain()]], ids=["ours", "plain"])
def test_name_refuses_to_serve_without_init_app(app, client, inside):
    app.testing = True
    outer = named(*inside)
    outer.get("/items")(lambda: "items")
    app.register_blueprint(outer)
    with pytest.raises(SignatureError, match="names the security scheme 'tokn', but"):
        client.get("/items")
