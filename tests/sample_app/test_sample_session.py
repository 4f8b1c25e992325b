from __future__ import annotations

import re
from datetime import timedelta

import pytest
from client import message_of, refusals
from sqlalchemy import update

from sample_app.database import db, now
from sample_app.session.tables import Login

pytestmark = pytest.mark.once

CREDENTIALS = {"username": "reader", "password": "call-me-ishmael"}


def test_a_login_sets_a_cookie_that_says_who_is_there(client):
    before = client.get("/session")
    login = client.post("/session", data=CREDENTIALS)
    after = client.get("/session")

    session = {"user": {"username": "reader", "is_staff": False}}
    assert (before.status_code, before.get_json()) == (200, {"user": None})
    assert (login.status_code, login.get_json()) == (201, session)
    assert (after.status_code, after.get_json()) == (200, session)


def test_the_cookie_is_kept_from_scripts_and_other_sites(client):
    response = client.post("/session", data=CREDENTIALS)

    assert re.fullmatch(
        r"bookshop_session=[\w-]{43}; Expires=[^;]+; Max-Age=1209600;"
        r" HttpOnly; Path=/; SameSite=Lax",
        response.headers["Set-Cookie"],
    )


@pytest.mark.parametrize("username", ["reader", "nobody"])
def test_wrong_credentials_are_refused(client, username):
    response = client.post("/session", data={"username": username, "password": "no"})

    assert message_of(response) == (401, "The username or the password is wrong.")
    assert "Set-Cookie" not in response.headers


def test_a_form_without_a_password_is_refused(client):
    response = client.post("/session", data={"username": "reader"})

    assert refusals(response) == [(["form", "password"], "missing")]


def test_who_logs_out_is_a_stranger(reader):
    cookie = reader.get_cookie("bookshop_session")
    response = reader.delete("/session")

    assert (response.status_code, response.data) == (204, b"")
    assert reader.get_cookie("bookshop_session") is None
    assert reader.get("/orders").status_code == 401
    # Twice is no error, and the token is worthless afterwards.
    assert reader.delete("/session").status_code == 204
    reader.set_cookie("bookshop_session", cookie.value)
    assert reader.get("/session").get_json() == {"user": None}


def test_a_login_expires(app, reader):
    with app.app_context():
        db.session.execute(update(Login).values(expires_at=now() - timedelta(hours=1)))
        db.session.commit()

    assert reader.get("/session").get_json() == {"user": None}
    assert reader.get("/orders").status_code == 401


def test_an_invented_token_is_nobodys(client):
    client.set_cookie("bookshop_session", "\0' OR 1=1")

    assert client.get("/session").get_json() == {"user": None}
    assert client.get("/orders").status_code == 401
