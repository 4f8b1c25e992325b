"""A pytest plugin: what Flask-RESTX's tests expect of the ``conftest.py`` they lack.

The source distribution leaves that file out.
"""

from __future__ import annotations

import collections.abc as cabc
import typing as t

import pytest
from flask import Blueprint, Flask
from flask.testing import FlaskClient

BLUEPRINT_OPTIONS = {"prefix": "url_prefix", "subdomain": "subdomain"}


class Client(FlaskClient):
    """A client that asks for JSON, and for the description."""

    def get_json(self, url: str, status: int = 200, **options: t.Any) -> t.Any:
        """The JSON that a GET answers with this status."""
        response = self.get(url, **options)
        assert (response.status_code, response.mimetype) == (status, "application/json")
        return response.json

    def post_json(
        self, url: str, data: t.Any, status: int = 200, **options: t.Any
    ) -> t.Any:
        """The JSON that a POST of JSON answers with this status."""
        response = self.post(url, json=data, **options)
        assert (response.status_code, response.mimetype) == (status, "application/json")
        return response.json

    def get_specs(self, prefix: str = "", status: int = 200, **options: t.Any) -> t.Any:
        return self.get_json(f"{prefix}/swagger.json", status=status, **options)


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__)
    app.test_client_class = Client
    return app


@pytest.fixture
def api(request: pytest.FixtureRequest, app: Flask) -> t.Any:
    """An API on a blueprint, with the options of the test's mark ``api``."""
    import flask_restx

    mark = request.node.get_closest_marker("api")
    options = dict(mark.kwargs) if mark else {}
    given = BLUEPRINT_OPTIONS.keys() & options.keys()
    where = {BLUEPRINT_OPTIONS[name]: options.pop(name) for name in given}
    blueprint = Blueprint("api", __name__, **where)
    api = flask_restx.Api(blueprint, **options)
    app.register_blueprint(blueprint)
    return api


@pytest.fixture
def mock_app(mocker: t.Any) -> t.Any:
    app = mocker.Mock(Flask)
    app.view_functions, app.extensions, app.config = {}, {}, {}
    return app


@pytest.fixture(autouse=True)
def _request_of_the_mark(request: pytest.FixtureRequest) -> cabc.Iterator[None]:
    mark = request.node.get_closest_marker("request_context")
    if mark is None:
        yield
        return
    app = request.getfixturevalue("app")
    with app.test_request_context(*mark.args, **mark.kwargs):
        yield
