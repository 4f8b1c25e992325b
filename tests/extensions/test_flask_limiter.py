"""Flask-Limiter: limits count the requests of typed views, malformed ones too."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from flask_signature import Blueprint, Flask


@pytest.fixture
def limiter(app: Flask) -> Limiter:
    """At most three requests a minute, counted in memory."""
    return Limiter(
        get_remote_address,
        app=app,
        default_limits=["3/minute"],
        storage_uri="memory://",
        headers_enabled=True,
    )


def show(n: int) -> dict[str, int]:
    return {"n": n}


def statuses(client: FlaskClient, url: str, times: int) -> list[int]:
    return [client.get(url).status_code for _ in range(times)]


def test_default_limit_answers_429_as_json(app, client, limiter):
    app.get("/n")(show)
    app.init_app()

    assert statuses(client, "/n?n=1", 3) == [200, 200, 200]
    refused = client.get("/n?n=1")
    assert refused.status_code == 429
    assert refused.json == {"message": "3 per 1 minute"}
    assert int(refused.headers["Retry-After"]) > 0


def test_limit_below_the_route_counts_calls_of_the_view(app, client, limiter):
    @app.get("/n/<int:number>")
    @limiter.limit("1/minute")
    def show(number: int, size: int = 1) -> dict[str, int]:
        return {"number": number, "size": size}

    assert client.get("/n/1?size=2").json == {"number": 1, "size": 2}
    assert statuses(client, "/n/1?size=2", 1) == [429]


def test_limit_among_the_decorators_counts_malformed_requests(app, client, limiter):
    bp = Blueprint("n", __name__, decorators=[limiter.limit("2/minute")])
    bp.get("/n")(show)
    app.register_blueprint(bp)

    assert statuses(client, "/n?n=x", 3) == [422, 422, 429]


def test_exempt_view_and_blueprint_are_not_limited(app, client, limiter):
    bp = Blueprint("free", __name__, url_prefix="/free")
    limiter.exempt(bp)
    bp.get("/n")(show)
    app.register_blueprint(bp)
    app.get("/m")(limiter.exempt(show))

    assert statuses(client, "/free/n?n=1", 5) == [200] * 5
    assert statuses(client, "/m?n=1", 5) == [200] * 5
