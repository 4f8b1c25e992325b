"""Flask-CORS: headers on the answers of typed views, on refusals and preflights."""

from __future__ import annotations

import pytest
from flask_cors import CORS, cross_origin
from werkzeug.test import TestResponse

from flask_signature import Blueprint

ORIGIN = "https://shop.example"
ASKED = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}


def allowed(response: TestResponse) -> str | None:
    """The origin that an answer allows."""
    return response.headers.get("Access-Control-Allow-Origin")


@pytest.fixture
def shop() -> Blueprint:
    bp = Blueprint("shop", __name__, url_prefix="/shop")

    @bp.get("/count")
    def count(n: int) -> dict[str, int]:
        return {"n": n}

    @bp.post("/orders")
    def order(article: str) -> dict[str, str]:
        return {"article": article}

    return bp


def test_answers_of_the_whole_application_allow_the_origin(app, client, shop):
    CORS(app, origins=[ORIGIN])
    app.register_blueprint(shop)

    read = client.get("/shop/count?n=1", headers={"Origin": ORIGIN})
    refused = client.get("/shop/count?n=x", headers={"Origin": ORIGIN})
    # A preflight needs no argument.
    preflight = client.options("/shop/orders", headers=ASKED)

    assert (read.status_code, allowed(read)) == (200, ORIGIN)
    assert (refused.status_code, allowed(refused)) == (422, ORIGIN)
    assert (preflight.status_code, allowed(preflight)) == (200, ORIGIN)
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]


def test_extension_on_one_blueprint_leaves_the_others(app, client, shop):
    CORS(shop, origins=[ORIGIN])
    app.register_blueprint(shop)
    app.get("/plain")(lambda: "plain")

    headers = {"Origin": ORIGIN}
    assert allowed(client.get("/shop/count?n=1", headers=headers)) == ORIGIN
    assert allowed(client.get("/plain", headers=headers)) is None


@pytest.mark.default_status
def test_cross_origin_among_the_decorators_answers_the_preflight_itself(app, client):
    bp = Blueprint("shop", __name__)

    @bp.post("/orders", decorators=[cross_origin(origins=[ORIGIN])])
    def order(article: str) -> dict[str, str]:
        return {"article": article}

    app.register_blueprint(bp)

    preflight = client.options("/orders", headers=ASKED)
    refused = client.post("/orders", json={}, headers={"Origin": ORIGIN})
    made = client.post("/orders", json={"article": "a"}, headers={"Origin": ORIGIN})
    assert (preflight.status_code, allowed(preflight)) == (200, ORIGIN)
    assert (made.status_code, allowed(made)) == (201, ORIGIN)
    # As with abort() in plain Flask: an answer that is raised passes the decorator by.
    assert (refused.status_code, allowed(refused)) == (422, None)


def test_cross_origin_below_the_route_marks_the_answers_of_the_view(app, client):
    @app.get("/count")
    @cross_origin(origins=[ORIGIN])
    def count(n: int = 1) -> dict[str, int]:
        return {"n": n}

    response = client.get("/count?n=5", headers={"Origin": ORIGIN})
    preflight = client.options("/count", headers=ASKED)
    assert response.json == {"n": 5}
    assert allowed(response) == ORIGIN
    assert (preflight.status_code, allowed(preflight)) == (200, ORIGIN)
