"""Tokens: how a script gets one, what it does with it, and when that ends."""

from __future__ import annotations

import typing as t
from datetime import datetime, timedelta

import pytest
from client import message_of
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from sample_app.database import db, now
from sample_app.session.tables import Token

pytestmark = pytest.mark.once


def create(client: FlaskClient, name: str = "report", **fields: t.Any) -> t.Any:
    """A token of whoever has logged in with the client."""
    response = client.post("/session/tokens", json={"name": name, **fields})
    assert response.status_code == 201
    return response.get_json()


def with_token(token: str) -> dict[str, t.Any]:
    """The options of a request that a script sends."""
    return {"headers": {"Authorization": f"Bearer {token}"}}


def status_with(client: FlaskClient, token: str) -> int:
    """How the orders are answered to a script."""
    return client.get("/orders", **with_token(token)).status_code


def test_a_script_acts_as_the_user_of_its_token(client, reader):
    token = create(reader)["token"]
    review = {"rating": 4, "text": "Read by a script."}
    response = client.post("/books/51/reviews", json=review, **with_token(token))

    assert response.status_code == 201
    assert response.get_json()["reviewer"] == "reader"
    assert client.get("/orders").status_code == 401


def test_a_script_of_the_staff_does_what_the_staff_does(client, reader, bookseller):
    author = {"name": "Anton Chekhov"}
    of_reader, of_staff = create(reader)["token"], create(bookseller)["token"]
    refused = client.post("/authors", json=author, **with_token(of_reader))
    added = client.post("/authors", json=author, **with_token(of_staff))

    assert (refused.status_code, added.status_code) == (403, 201)
    assert refused.headers.getlist("WWW-Authenticate") == [
        'APIKey realm="login", name="bookshop_session", in="cookie"',
        'Bearer realm="token", error="insufficient_scope", scope="staff"',
    ]


def test_a_token_is_shown_once_and_not_kept(app, reader):
    created = create(reader, "report", days=7)
    listed = reader.get("/session/tokens")

    token = created.pop("token")
    assert len(token) == 43
    assert created == {"id": 1, "name": "report", "expires_at": created["expires_at"]}
    lifetime = datetime.fromisoformat(created["expires_at"].replace("Z", "+00:00"))
    assert abs(lifetime - now() - timedelta(days=7)) < timedelta(minutes=1)
    assert (listed.status_code, listed.get_json()) == (200, [created])
    with app.app_context():
        assert token not in repr(vars(db.session.scalars(select(Token)).one()))


@pytest.mark.parametrize("fields", [{"days": 0}, {"days": 367}, {"name": ""}])
def test_a_token_has_a_name_and_an_end(reader, fields):
    response = reader.post("/session/tokens", json={"name": "report", **fields})

    assert response.status_code == 422


def test_a_revoked_token_is_worthless(client, reader):
    created, other = create(reader), create(reader, "backup")
    response = reader.delete(f"/session/tokens/{created['id']}")
    refused = client.get("/orders", **with_token(created["token"]))

    assert (response.status_code, response.data) == (204, b"")
    assert message_of(refused) == (401, "The credentials are not valid.")
    challenge = 'Bearer realm="token", error="invalid_token"'
    assert refused.headers.getlist("WWW-Authenticate")[1] == challenge
    assert status_with(client, other["token"]) == 200


def test_a_token_expires_and_is_swept_out(app, client, reader):
    token = create(reader)["token"]
    with app.app_context():
        db.session.execute(update(Token).values(expires_at=now() - timedelta(hours=1)))
        db.session.commit()

    assert status_with(client, token) == 401
    assert reader.get("/session/tokens").get_json() == []
    create(reader, "another")
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Token)) == 1


def test_tokens_are_seen_and_revoked_by_their_owner_only(client, reader, bookseller):
    created = create(reader)
    response = bookseller.delete(f"/session/tokens/{created['id']}")

    assert message_of(response) == (404, f"You have no token {created['id']}.")
    assert bookseller.get("/session/tokens").get_json() == []
    assert status_with(client, created["token"]) == 200


def test_a_token_is_no_cookie_and_a_cookie_no_token(client, reader, cookies):
    token = create(reader)["token"]
    assert status_with(client, cookies["reader"]) == 401

    client.set_cookie("bookshop_session", token)
    assert client.get("/orders").status_code == 401


def test_a_token_counts_beside_a_cookie_that_has_expired(client, reader):
    token = create(reader)["token"]
    client.set_cookie("bookshop_session", "expired")

    assert status_with(client, token) == 200
    assert client.get("/session", **with_token(token)).get_json() == {"user": None}


def test_a_token_outlives_the_login_that_created_it(client, reader):
    token = create(reader)["token"]
    reader.delete("/session")

    assert status_with(client, token) == 200
