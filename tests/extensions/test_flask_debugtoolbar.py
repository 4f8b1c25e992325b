"""Flask-DebugToolbar: on HTML pages as ever, and out of the way of JSON.

The toolbar replaces ``dispatch_request`` of the application, so these tests also show
that typed views do not depend on Flask's own.
"""

from __future__ import annotations

import pytest
from flask_debugtoolbar import DebugToolbarExtension

from flask_signature import Blueprint, Flask

PAGE = "<!doctype html><html><head></head><body>Hello {}</body></html>"


@pytest.fixture(autouse=True)
def pages(app: Flask) -> None:
    """A page and a JSON route, both typed, in debug mode."""
    app.debug = True
    DebugToolbarExtension(app)
    bp = Blueprint("pages", __name__)

    @bp.get("/page/<name>")
    def page(name: str, times: int = 1) -> str:
        return PAGE.format(name * times)

    @bp.get("/number")
    def number(n: int) -> dict[str, int]:
        return {"n": n}

    app.register_blueprint(bp)
    app.init_app()


def test_toolbar_is_put_into_a_page(client):
    response = client.get("/page/Ada?times=2")

    assert response.status_code == 200
    assert "Hello AdaAda" in response.text
    assert "flDebug" in response.text


def test_json_stays_as_it_is(client):
    assert client.get("/number?n=4").json == {"n": 4}
    assert client.get("/number?n=x").status_code == 422


def test_pages_of_the_toolbar_itself_are_served(client):
    response = client.get("/_debug_toolbar/static/js/toolbar.js")

    assert response.status_code == 200
    response.close()
