"""Flask-Login, Flask-JWT-Extended, Flask-HTTPAuth: decorators that ask for a login.

Among the decorators of a route they ask before the request is read, below it after.
"""

from __future__ import annotations

import typing as t

import pytest
from flask_httpauth import HTTPBasicAuth
from flask_jwt_extended import (
    JWTManager,
    create_access_token,
    get_jwt_identity,
    jwt_required,
)
from flask_login import (
    LoginManager,
    UserMixin,
    current_user,
    login_required,
    login_user,
    logout_user,
)
from pydantic import BaseModel
from senders import basic, bearer

from flask_signature import Blueprint, Flask, Form

if t.TYPE_CHECKING:
    from collections.abc import Callable


class Guard(t.NamedTuple):
    """What an extension gives to a program."""

    required: Callable[..., t.Any]
    find_user: Callable[[], str]
    #: Logs a client in as Ada, or returns the headers that do.
    log_in: Callable[[t.Any], dict[str, str] | None]
    refusal: dict[str, t.Any] | None


class User(UserMixin):
    def __init__(self, name: str) -> None:
        self.id = name


def use_flask_login(app: Flask) -> Guard:
    LoginManager(app).user_loader(User)

    @app.post("/login", status_code=200)
    def login(name: str = Form(min_length=2)) -> dict[str, bool]:
        return {"ok": login_user(User(name))}

    @app.post("/logout", status_code=200)
    @login_required
    def logout() -> dict[str, bool]:
        return {"ok": logout_user()}

    def log_in(client: t.Any) -> None:
        assert client.post("/login", data={"name": "ada"}).json == {"ok": True}

    refusal = {"message": "Unauthorized"}
    return Guard(login_required, lambda: current_user.id, log_in, refusal)


def use_flask_jwt_extended(app: Flask) -> Guard:
    JWTManager(app)

    @app.post("/token", status_code=200)
    def token(name: str = Form()) -> str:
        return create_access_token(identity=name)

    @app.get("/greet/<name>")
    @jwt_required(optional=True)
    def greet(name: str, times: int = 1) -> dict[str, object]:
        return {"to": name, "times": times, "by": get_jwt_identity()}

    def log_in(client: t.Any) -> dict[str, str]:
        return bearer(client.post("/token", data={"name": "ada"}).text)

    refusal = {"msg": "Missing Authorization Header"}
    return Guard(jwt_required(), get_jwt_identity, log_in, refusal)


def use_flask_httpauth(app: Flask) -> Guard:
    passwords = HTTPBasicAuth()
    passwords.verify_password(lambda name, password: name if password == "x" else None)
    headers = basic("ada", "x")
    required = passwords.login_required
    return Guard(required, passwords.current_user, lambda client: headers, None)


class Note(BaseModel):
    text: str


@pytest.fixture(params=[use_flask_login, use_flask_jwt_extended, use_flask_httpauth])
def guard(app: Flask, request: pytest.FixtureRequest) -> Guard:
    """An extension, and notes behind its decorator."""
    guard: Guard = request.param(app)
    private = Blueprint("private", __name__, decorators=[guard.required])

    @private.post("/notes")
    def create(note: Note) -> dict[str, str]:
        return {"text": note.text, "by": guard.find_user()}

    @app.get("/notes/<int:number>")
    @guard.required
    def show(number: int, size: int = 1) -> dict[str, object]:
        return {"number": number, "size": size, "by": guard.find_user()}

    app.register_blueprint(private)
    app.init_app()
    return guard


def only(use: Callable[[Flask], Guard]) -> pytest.MarkDecorator:
    """Have a test run with one extension."""
    return pytest.mark.parametrize("guard", [use], indirect=True)


def test_missing_login_answers_401_before_a_malformed_body_answers_422(client, guard):
    refused = client.post("/notes", json={"text": []})
    assert refused.status_code == 401
    assert guard.refusal is None or refused.json == guard.refusal

    headers = guard.log_in(client)
    malformed = client.post("/notes", json={"text": []}, headers=headers)
    assert malformed.status_code == 422
    made = client.post("/notes", json={"text": "tea"}, headers=headers)
    assert made.json == {"text": "tea", "by": "ada"}


def test_decorator_below_the_route_keeps_the_arguments_of_the_view(client, guard):
    assert client.get("/notes/3?size=2").status_code == 401

    shown = client.get("/notes/3?size=2", headers=guard.log_in(client))
    assert shown.json == {"number": 3, "size": 2, "by": "ada"}


@only(use_flask_login)
def test_logged_out_user_is_refused_again(client, guard):
    guard.log_in(client)

    assert client.post("/logout").json == {"ok": True}
    assert client.post("/logout").status_code == 401


@only(use_flask_jwt_extended)
def test_optional_token_below_the_route_keeps_the_arguments(client, guard):
    anonymous = client.get("/greet/bob?times=2")
    known = client.get("/greet/bob?times=2", headers=guard.log_in(client))

    assert anonymous.json == {"to": "bob", "times": 2, "by": None}
    assert known.json == {"to": "bob", "times": 2, "by": "ada"}
