"""An application for each extension to be tried on."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from pair import OURS, Classes, Pair

from flask_signature import Flask


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """Our application, with a key for sessions and tokens, and folders of its own."""
    app = Flask("shop", root_path=str(tmp_path), instance_path=str(tmp_path / "inst"))
    app.config.update(TESTING=True, SECRET_KEY="a key long enough for every signature")
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(params=OURS.values(), ids=OURS)
def pair(request: pytest.FixtureRequest) -> Pair:
    """The program ``make_app()`` of the test's module, on Flask's classes and ours."""
    make = t.cast("t.Callable[[Classes], t.Any]", request.module.make_app)
    pair = Pair(make, request.param)
    # The typed view beside it is parsed.
    assert pair.ours.get("/typed?n=3").json == {"square": 9}
    assert pair.ours.get("/typed?n=x").status_code == 422
    return pair
