"""Flask-Login: who is logged in is asked before, or after, the request is read."""

from __future__ import annotations

import pytest
from flask_login import (
    LoginManager,
    UserMixin,
    current_user,
    login_required,
    login_user,
    logout_user,
)
from pydantic import BaseModel

from flask_signature import Blueprint, Flask, Form


class User(UserMixin):
    """A user whose name is their identifier."""

    def __init__(self, name: str) -> None:
        self.id = name


class Note(BaseModel):
    """A note."""

    text: str


@pytest.fixture(autouse=True)
def pages(app: Flask) -> None:
    """A login, and notes behind it."""
    logins = LoginManager(app)
    logins.user_loader(User)
    private = Blueprint("private", __name__, decorators=[login_required])

    @app.post("/login", status_code=200)
    def login(name: str = Form(min_length=2)) -> dict[str, bool]:
        return {"ok": login_user(User(name))}

    @app.post("/logout", status_code=200)
    @login_required
    def logout() -> dict[str, bool]:
        return {"ok": logout_user()}

    @private.post("/notes")
    def create(note: Note) -> dict[str, str]:
        return {"text": note.text, "by": current_user.id}

    @app.get("/notes/<int:number>")
    @login_required
    def show(number: int, size: int = 1) -> dict[str, object]:
        return {"number": number, "size": size, "by": current_user.id}

    app.register_blueprint(private)
    app.init_app()


def test_refused_login_answers_401_before_a_malformed_body_answers_422(client):
    assert client.post("/notes", json={"text": []}).status_code == 401

    client.post("/login", data={"name": "ada"})
    assert client.post("/notes", json={"text": []}).status_code == 422


def test_user_is_known_to_a_typed_view(client):
    assert client.post("/login", data={"name": "ada"}).json == {"ok": True}

    response = client.post("/notes", json={"text": "tea"})
    assert response.json == {"text": "tea", "by": "ada"}


def test_decorator_below_the_route_keeps_the_arguments_of_the_view(client):
    assert client.get("/notes/3?size=2").status_code == 401

    client.post("/login", data={"name": "ada"})
    shown = client.get("/notes/3?size=2")
    assert shown.json == {"number": 3, "size": 2, "by": "ada"}


def test_logged_out_user_is_refused_again(client):
    client.post("/login", data={"name": "ada"})

    assert client.post("/logout").json == {"ok": True}
    assert client.post("/logout").status_code == 401
