"""Who may do what: strangers, customers, the staff, and their scripts."""

from __future__ import annotations

import typing as t

import pytest
from client import message_of
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from sample_app.session.access import LOGIN
from sample_app.session.tables import User

pytestmark = pytest.mark.once

#: What strangers may do.
OPEN = {
    "GET /books",
    "GET /books/export",
    "GET /books/{book_id}",
    "GET /books/{book_id}/cover",
    "GET /books/{book_id}/cover/details",
    "GET /books/{book_id}/reviews",
    "GET /books/{book_id}/reviews/{review_id}",
    "GET /authors",
    "GET /authors/{author_id}",
    "GET /tags",
    "POST /session",
    "GET /session",
    "DELETE /session",
}

#: What is the staff's.
STAFF = {
    "POST /books",
    "POST /authors",
    "PUT /books/{book_id}/cover",
    "DELETE /books/{book_id}/cover",
    "POST /orders/{order_id}/shipment",
}

#: What a token is not enough for.
LOGIN_ONLY = {
    "POST /session/tokens",
    "GET /session/tokens",
    "DELETE /session/tokens/{token_id}",
}


def call(client: FlaskClient, operation: str, **options: t.Any) -> TestResponse:
    """The answer to a request whose body is none."""
    method, path = operation.split()
    for variable in ("book_id", "author_id", "review_id", "order_id", "token_id"):
        path = path.replace(f"{{{variable}}}", "1")
    sent = {"data": "{", "content_type": "text/plain"}
    return client.open(path, method=method, buffered=True, **sent, **options)


def challenges(response: TestResponse) -> str:
    """The schemes that a refusal asks for."""
    lines = response.headers.getlist("WWW-Authenticate")
    return " ".join(line.split()[0] for line in lines)


def test_the_description_says_who_may_do_what(operations):
    either = [{"login": []}, {"token": []}]
    staff = [{"login": ["staff"]}, {"token": ["staff"]}]
    special = {
        **dict.fromkeys(OPEN),
        **dict.fromkeys(STAFF, staff),
        **{operation: [{"login": []}] for operation in LOGIN_ONLY},
    }

    for name, operation in operations.items():
        assert operation.get("security") == special.get(name, either), name


def test_a_stranger_reaches_what_is_open_and_nothing_else(client, restored, operations):
    for operation in operations:
        response = call(client, operation)
        if operation in OPEN:
            assert response.status_code != 401, operation
        else:
            expected = "APIKey" if operation in LOGIN_ONLY else "APIKey Bearer"
            assert challenges(response) == expected, operation
            assert message_of(response) == (401, "Credentials are needed."), operation


@pytest.mark.parametrize("header", ["Bearer invented", "Bearer", "Bearer \0"])
def test_an_invented_token_opens_nothing(client, operations, header):
    for operation in operations.keys() - OPEN:
        response = call(client, operation, headers={"Authorization": header})
        assert response.status_code == 401, operation


def test_a_customer_does_nothing_that_is_the_staffs(reader):
    problem = (403, "The credentials do not allow this.")
    for operation in STAFF:
        response = call(reader, operation)
        assert challenges(response) == "APIKey Bearer", operation
        assert message_of(response) == problem, operation


def test_a_test_says_who_is_logged_in(app, client, monkeypatch):
    ishmael = User(id=1, username="ishmael", is_staff=False)
    monkeypatch.setitem(app.dependency_overrides, LOGIN, lambda: ishmael)

    assert client.get("/orders").status_code == 200
    assert client.post("/authors", json={"name": "Homer"}).status_code == 403


NO_BOOK, NO_ORDER = "There is no book 900.", "You have no order 900."
NOT_THERE = {
    "GET /books/900": NO_BOOK,
    "GET /books/900/reviews": NO_BOOK,
    "POST /books/900/reviews": NO_BOOK,
    "GET /orders/900": NO_ORDER,
    "PATCH /orders/900": NO_ORDER,
    "DELETE /orders/900": NO_ORDER,
    "POST /orders/900/shipment": "There is no order 900.",
}


@pytest.mark.parametrize(("operation", "message"), NOT_THERE.items(), ids=NOT_THERE)
def test_what_is_not_there_is_named(bookseller, operation, message):
    method, path = operation.split()
    sent = {"rating": 4, "text": "Read it."} if "reviews" in path else {}
    response = bookseller.open(path, method=method, json=sent)

    assert message_of(response) == (404, message)
