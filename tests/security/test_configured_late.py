"""``SIGNATURE_SECURITY`` that asks for more after a view was registered."""

from __future__ import annotations

import typing as t

import pytest
from senders import KEY, TOKEN

from flask_signature import Flask, SignatureError

LATE = "SIGNATURE_SECURITY was given after show"


def make_app(security: object) -> Flask:
    app = Flask(__name__)
    app.config["SIGNATURE_SECURITY"] = security

    @app.get("/")
    def show() -> str:
        return "shown"

    return app


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TOKEN | None, TOKEN),
        (TOKEN, TOKEN.scopes("write")),
        (TOKEN | KEY, TOKEN),
        (TOKEN | KEY, TOKEN & KEY),
    ],
    ids=["optional", "scopes", "alternative", "all"],
)
def test_requirement_that_asks_for_more_is_refused(before, after):
    app = make_app(before)
    app.config["SIGNATURE_SECURITY"] = after
    with pytest.raises(SignatureError, match=LATE):
        app.init_app()


def test_requirement_beside_an_optional_one_of_the_signature_is_read(app, client):
    app.config["SIGNATURE_SECURITY"] = TOKEN | None

    @app.get("/")
    def show(client: t.Annotated[str | None, KEY | None]) -> str:
        return "shown"

    app.init_app()
    assert client.get("/").text == "shown"
