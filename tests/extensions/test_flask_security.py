"""Flask-Security: its pages and guards do on our classes what they do on Flask's."""

from __future__ import annotations

import typing as t

import flask
import pytest
from flask import render_template_string
from flask.testing import FlaskClient
from flask_security import (
    Security,
    SQLAlchemyUserDatastore,
    auth_required,
    current_user,
    hash_password,
)
from flask_security.models import fsqla_v3
from flask_sqlalchemy import SQLAlchemy
from pair import Classes, Pair

from flask_signature import Blueprint, Flask

db = SQLAlchemy()
fsqla_v3.FsModels.set_db_info(db)


class Role(db.Model, fsqla_v3.FsRoleMixin):
    """A role."""


class User(db.Model, fsqla_v3.FsUserMixin):
    """A user."""


SETTINGS = {
    "PASSWORD_SALT": "146585145368132386173505678016728509634",
    "PASSWORD_HASH": "plaintext",
    "PASSWORD_SCHEMES": ["plaintext"],
    "EMAIL_VALIDATOR_ARGS": {"check_deliverability": False},
    **dict.fromkeys(("REGISTERABLE", "USE_REGISTER_V2", "CHANGEABLE"), True),
    **dict.fromkeys(("SEND_REGISTER_EMAIL", "SEND_PASSWORD_CHANGE_EMAIL"), False),
}
CONFIG = {
    **{f"SECURITY_{name}": value for name, value in SETTINGS.items()},
    "SECRET_KEY": "a key long enough for every signature",
    "SQLALCHEMY_DATABASE_URI": "sqlite://",
    "TESTING": True,
    "WTF_CSRF_ENABLED": False,
}

ADA = {"email": "ada@example.org", "password": "a long password"}


def make_app(classes: Classes) -> flask.Flask:
    """A program with logins, a form page, and views for those who are logged in."""
    app = classes.app("shop")
    app.config.update(CONFIG)
    db.init_app(app)
    app.security = Security(app, SQLAlchemyUserDatastore(db, User, Role))
    private = classes.blueprint("private", "shop", url_prefix="/private")

    @private.route("/notes/<int:number>")
    @auth_required("session", "token")
    def notes(number):
        return {"number": number, "by": current_user.email}

    @app.route("/form", methods=["GET", "POST"])
    @auth_required("session")
    def form():
        return render_template_string("Hello {{ current_user.email }}"), 200

    app.register_blueprint(private)
    with app.app_context():
        db.create_all()
        app.security.datastore.create_user(
            email=ADA["email"], password=hash_password(ADA["password"]), roles=[]
        )
        db.session.commit()
    return app


def close(client: FlaskClient) -> None:
    with client.application.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture(autouse=True)
def _close(pair: Pair) -> t.Iterator[None]:
    yield
    close(pair.plain)
    close(pair.ours)


@pytest.fixture
def known(pair: Pair) -> Pair:
    """The programs, with a client that has logged in with the form."""
    assert pair.open("/login", method="POST", data=ADA).status_code == 302
    return pair


WRONG = {**ADA, "password": "another"}


@pytest.mark.parametrize(("sent", "status"), [(ADA, 200), (WRONG, 400)])
def test_login_with_json_has_the_status_of_the_extension(pair, sent, status):
    response = pair.open("/login", method="POST", json=sent)

    assert response.status_code == status
    answer = response.json or {}
    assert answer["meta"] == {"code": status}
    assert ("field_errors" in answer["response"]) == (status == 400)


def test_login_with_the_form_leads_to_the_page(pair):
    response = pair.open("/login?next=/form", method="POST", data=ADA)

    assert response.status_code == 302
    assert response.headers["Location"] == "/form"
    assert pair.open("/form").text == "Hello ada@example.org"
    assert pair.open("/form", method="POST").text == "Hello ada@example.org"


def test_view_is_guarded(pair):
    page = pair.open("/private/notes/3", headers={"Accept": "text/html"})
    data = pair.open("/private/notes/3", headers={"Accept": "application/json"})

    assert page.status_code == 302
    assert page.headers["Location"] == "/login?next=/private/notes/3"
    assert data.status_code == 401
    assert data.json["meta"] == {"code": 401}


def test_view_knows_who_is_logged_in(known):
    response = known.open("/private/notes/3")

    assert response.json == {"number": 3, "by": "ada@example.org"}


def test_pages_of_the_extension_are_not_described(pair):
    described = pair.described()

    assert "/login" not in described
    assert "/form" in described


@pytest.fixture
def typed() -> t.Iterator[FlaskClient]:
    """Our application, with typed views behind the guards of the extension."""
    app = t.cast("Flask", make_app(Classes(Flask, Blueprint)))
    guard = auth_required("token", "session")

    @app.get("/sizes/<int:number>", decorators=[guard])
    def outside(number: int, size: int = 1) -> dict[str, int]:
        return {"number": number, "size": size}

    @app.post("/sizes")
    @guard
    def below(number: int, size: int = 1) -> dict[str, object]:
        return {"number": number, "size": size, "by": current_user.email}

    app.init_app()
    client = app.test_client()
    yield client
    close(client)


JSON = {"Accept": "application/json"}


def token_of(client: t.Any) -> dict[str, str]:
    """The header with a token of Ada."""
    response = client.post("/login?include_auth_token", json=ADA)
    client.delete_cookie("session")
    token = response.json["response"]["user"]["authentication_token"]
    return {"Authentication-Token": token}


def test_guard_among_the_decorators_refuses_before_the_request_is_read(typed):
    assert typed.get("/sizes/1?size=x", headers=JSON).status_code == 401

    headers = token_of(typed)
    shown = typed.get("/sizes/1?size=2", headers=headers)
    assert typed.get("/sizes/1?size=x", headers=headers).status_code == 422
    assert shown.json == {"number": 1, "size": 2}


@pytest.mark.default_status
def test_guard_below_the_route_keeps_the_arguments_of_the_view(typed):
    sent = {"number": "4", "size": 2}
    refused = typed.post("/sizes", json=sent, headers=JSON)
    taken = typed.post("/sizes", json=sent, headers=token_of(typed))

    assert refused.status_code == 401
    assert taken.status_code == 201
    assert taken.json == {"number": 4, "size": 2, "by": "ada@example.org"}
