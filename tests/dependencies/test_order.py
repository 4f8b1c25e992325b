"""What runs in which order, and what a request that is refused does not reach."""

from __future__ import annotations

import typing as t
from io import BytesIO

import pytest
from guards import noting

from flask_signature import Blueprint, Depends, Header
from flask_signature.security import HTTPBearer


class Untouchable(BytesIO):
    """A body that must not be read."""

    def read(self, *args):
        raise AssertionError("The body was read.")

    readline = readinto = read


@pytest.fixture
def client(app, log):
    """A client of an application that writes down what runs."""

    def find_user(token: str) -> str | None:
        log.append("auth")
        return "Ann" if token == "good" else None

    def check_version(x_version: int = Header(1)):
        log.append(f"version {x_version}")

    token = HTTPBearer("token", verify=find_user)
    bp = Blueprint(
        "bp",
        __name__,
        decorators=[noting(log, "blueprint")],
        security=token,
        dependencies=[check_version],
    )

    @bp.post("/items/<int:item_id>", decorators=[noting(log, "route")])
    def add(
        item_id: int,
        item: dict[str, int],
        user: t.Annotated[str, token],
        db: str = Depends(log.opening("db")),
    ) -> dict[str, t.Any]:
        log.append("view")
        return {"id": item_id, "item": item, "user": user, "db": db}

    app.before_request(log.noting("before_request"))

    @app.after_request
    def after(response):
        log.append("after_request")
        return response

    @app.teardown_request
    def teardown(error):
        log.append("teardown")

    app.register_blueprint(bp)
    app.init_app()
    return app.test_client()


GOOD: t.Final = {"Authorization": "Bearer good"}


def test_d1_nobody_reads_the_body_of_a_stranger(client, log):
    response = client.post(
        "/items/7",
        input_stream=Untouchable(b"{"),
        content_length=1,
        content_type="application/json",
    )

    assert response.status_code == 401
    assert response.json == {"message": "Credentials are needed."}
    around = ["before_request", "blueprint", "route"]
    assert log == [*around, "after_request", "teardown"]


def test_d2_a_dependency_of_the_signature_runs_after_validation(client, log):
    response = client.post("/items/7", json={"n": "many"}, headers=GOOD)

    assert response.status_code == 422
    assert "open db" not in log


def test_d3_the_order_of_everything(client, log):
    response = client.post("/items/7", json={"n": 1}, headers=GOOD)

    assert response.json == {"id": 7, "item": {"n": 1}, "user": "Ann", "db": "db"}
    assert log == [
        *("before_request", "blueprint", "route"),
        *("auth", "version 1", "open db", "view"),
        *("commit db", "close db", "after_request", "teardown"),
    ]
