"""Flask-JWT-Extended: tokens are asked for before the request is read, or after."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from flask_jwt_extended import (
    JWTManager,
    create_access_token,
    get_jwt_identity,
    jwt_required,
)
from pydantic import BaseModel

from flask_signature import Blueprint, Flask


class Login(BaseModel):
    """What a login sends."""

    name: str
    password: str


class Token(BaseModel):
    """What a login answers."""

    access_token: str


@pytest.fixture(autouse=True)
def pages(app: Flask) -> None:
    """A login that gives a token, and routes that ask for it."""
    JWTManager(app)
    api = Blueprint("api", __name__, url_prefix="/api", decorators=[jwt_required()])

    @app.post("/login", status_code=200)
    def login(form: Login) -> Token:
        return {"access_token": create_access_token(identity=form.name)}

    @api.post("/transfer")
    def transfer(amount: int) -> dict[str, object]:
        return {"amount": amount, "by": get_jwt_identity()}

    @app.get("/greet/<name>")
    @jwt_required(optional=True)
    def greet(name: str, times: int = 1) -> dict[str, object]:
        return {"to": name, "times": times, "by": get_jwt_identity()}

    app.register_blueprint(api)
    app.init_app()


def bearer(client: FlaskClient) -> dict[str, str]:
    """The header of one who is logged in."""
    answer = client.post("/login", json={"name": "ada", "password": "x"}).json or {}
    return {"Authorization": f"Bearer {answer['access_token']}"}


def test_missing_token_answers_401_before_the_body_is_read(client):
    response = client.post("/api/transfer", json={"amount": "many"})

    assert response.status_code == 401
    assert response.json == {"msg": "Missing Authorization Header"}


def test_token_opens_the_typed_view(client):
    headers = bearer(client)

    good = client.post("/api/transfer", json={"amount": "3"}, headers=headers)
    bad = client.post("/api/transfer", json={"amount": "many"}, headers=headers)
    assert good.json == {"amount": 3, "by": "ada"}
    assert bad.status_code == 422


def test_optional_token_below_the_route_keeps_the_arguments(client):
    anonymous = client.get("/greet/bob?times=2")
    known = client.get("/greet/bob?times=2", headers=bearer(client))

    assert anonymous.json == {"to": "bob", "times": 2, "by": None}
    assert known.json == {"to": "bob", "times": 2, "by": "ada"}


def test_forged_token_gets_the_answer_of_the_extension(client):
    headers = {"Authorization": bearer(client)["Authorization"] + "x"}

    response = client.post("/api/transfer", json={"amount": 3}, headers=headers)

    assert response.status_code == 422
    assert list(response.json or {}) == ["msg"]
