"""The fixtures of the main suite."""

from __future__ import annotations

import gc
import importlib
import os
import typing as t

import pytest

if t.TYPE_CHECKING:
    import flask
    from flask.testing import FlaskClient

    from flask_signature import Flask

# The suite makes thousands of applications, and spends a sixth of its time collecting.
gc.set_threshold(50_000, 20, 100)

if os.environ.get("FROM_FIRST_REQUEST"):
    import from_first_request as from_first_request


@pytest.fixture
def app() -> Flask:
    """An application without routes."""
    # tests/package has an environment without Flask.
    from flask_signature import Flask

    return Flask("shop")


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the application."""
    return app.test_client()


@pytest.fixture(params=["flask_signature", "flask"])
def any_app(request: pytest.FixtureRequest) -> flask.Flask:
    """An application of ours, and one of Flask's, without routes."""
    return importlib.import_module(request.param).Flask("shop")
