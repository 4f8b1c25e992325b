"""The programs of ``docs/`` that need an extension, run with the extension itself.

Each is asked with nothing, with something wrong, with what is right, and with what
lacks a scope.
"""

from __future__ import annotations

import typing as t
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from flask_jwt_extended import create_access_token as make_token
from flask_jwt_extended import create_refresh_token
from pages import DOCS, run_examples
from senders import basic, bearer
from werkzeug.test import TestResponse

EXTENSIONS: t.Final = DOCS / "howto" / "login-extensions.md"

MISSING: t.Final = (401, {"message": "Credentials are needed."})
WRONG: t.Final = (401, {"message": "The credentials are not valid."})
LACKING: t.Final = (403, {"message": "The credentials do not allow this."})

#: What Flask-JWT-Extended says itself.
EXPIRED: t.Final = (401, {"msg": "Token has expired"})
NOT_REFRESHING: t.Final = (422, {"msg": "Only non-refresh tokens are allowed"})
FORGED: t.Final = (422, {"msg": "Signature verification failed"})
DAY: t.Final = timedelta(days=1)

#: The page that has the program of a module.
PROGRAMS: t.Final = {
    "authlib": EXTENSIONS,
    "flask_httpauth": EXTENSIONS,
    "flask_jwt_extended": EXTENSIONS,
    "flask_login": EXTENSIONS,
    "jwt": DOCS / "migrate" / "fastapi-differences.md",
}


@pytest.fixture
def program(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> dict[str, t.Any]:
    """What the program defines that the test asks for by the name of a module."""
    return run_examples(PROGRAMS[request.param], monkeypatch, request.param)


@pytest.fixture
def client(program: dict[str, t.Any]) -> FlaskClient:
    return program["app"].test_client()


def program_of(module: str) -> pytest.MarkDecorator:
    """Have a test run the program of a module."""
    return pytest.mark.parametrize("program", [module], indirect=True)


def operation(client: FlaskClient, path: str, method: str) -> t.Any:
    return client.get("/openapi.json").json["paths"][path][method]


def shown(response: TestResponse) -> tuple[int, t.Any]:
    return response.status_code, response.json if response.is_json else response.text


# Who sends a request: each returns the headers.


def nobody(client: FlaskClient) -> dict[str, str]:
    return {}


def with_forged_cookies(client: FlaskClient) -> dict[str, str]:
    client.set_cookie("session", "forged")
    client.set_cookie("remember_token", "forged")
    return {}


def logged_in(name: str) -> t.Any:
    return lambda client: client.post("/login", data={"name": name}) and {}


def remembered(client: FlaskClient) -> dict[str, str]:
    client.post("/login", data={"name": "ada"})
    client.delete_cookie("session")
    return {}


def token(text: str) -> t.Any:
    return lambda client: bearer(text)


def password(name: str, text: str) -> t.Any:
    return lambda client: basic(name, text)


def jwt(make: t.Callable[[], str]) -> t.Any:
    """The token of Flask-JWT-Extended that a function makes."""

    def headers(client: FlaskClient) -> dict[str, str]:
        with client.application.app_context():
            return bearer(make())

    return headers


def scoped(scope: str) -> t.Any:
    return jwt(lambda: make_token("ada", additional_claims={"scope": scope}))


TEA: t.Final = {"text": "tea"}
PAID: t.Final = {"amount": 3}

#: For each program: who asks, what is sent, and the answer.
ASKED: t.Final = {
    "flask_login": [
        (nobody, "GET /notes/", None, MISSING),
        (nobody, "POST /notes/", "{", MISSING),
        (with_forged_cookies, "GET /notes/", None, MISSING),
        (logged_in("ada"), "GET /notes/", None, (200, "notes of ada")),
        (logged_in("ada"), "POST /notes/", TEA, (201, {"by": "ada", **TEA})),
        (remembered, "GET /notes/", None, (200, "notes of ada")),
        (logged_in("bob"), "GET /notes/", None, (200, "notes of bob")),
        (logged_in("bob"), "POST /notes/", TEA, LACKING),
    ],
    "flask_jwt_extended": [
        (password("ada", "x"), "GET /me", None, MISSING),
        (nobody, "GET /feed", None, (200, "everybody")),
        (nobody, "GET /strict", None, (401, {"msg": "Missing Authorization Header"})),
        *(
            (jwt(make), f"GET {path}", None, answer)
            for path in ("/me", "/feed", "/strict")
            for make, answer in (
                (lambda: make_token("ada"), (200, "ada")),
                (lambda: make_token("ada", expires_delta=-DAY), EXPIRED),
                (lambda: create_refresh_token("ada"), NOT_REFRESHING),
                (lambda: make_token("ada") + "x", FORGED),
            )
        ),
        (nobody, "POST /transfer", PAID, MISSING),
        (scoped("transfers"), "POST /transfer", PAID, LACKING),
        (scoped("a transfer"), "POST /transfer", PAID, (201, "3 sent")),
    ],
    "flask_httpauth": [
        (nobody, "GET /me", None, MISSING),
        (password("ada", "y"), "GET /me", None, WRONG),
        (password("", ""), "GET /me", None, WRONG),
        (token("forged"), "GET /me", None, WRONG),
        (password("ada", "x"), "GET /me", None, (200, "ada")),
        (token("t-bob"), "GET /me", None, (200, "bob")),
        (token("t-bob"), "DELETE /users/eve", None, LACKING),
        (password("ada", "x"), "DELETE /users/eve", None, MISSING),
        (token("t-ada"), "DELETE /users/eve", None, (204, "")),
        (token("t-ada"), "GET /decorated", None, (200, "ada")),
    ],
    "authlib": [
        (nobody, "GET /feed", None, (200, "everybody")),
        (nobody, "PUT /items/7", None, MISSING),
        (token("t-bob"), "GET /me", None, (200, "bob")),
        (token("t-bob"), "GET /feed", None, (200, "bob")),
        (token("t-bob"), "PUT /items/7", None, (403, {"message": "Forbidden"})),
        (token("t-ada"), "PUT /items/7", None, (201, "changed 7")),
    ],
}


@pytest.mark.parametrize(
    ("program", "sender", "asked", "sent", "answer"),
    [
        pytest.param(
            module,
            *row,
            marks=pytest.mark.default_status if row[3][0] in (201, 204) else (),
        )
        for module, rows in ASKED.items()
        for row in rows
    ],
    indirect=["program"],
)
def test_program_answers(client, sender, asked, sent, answer):
    method, path = asked.split()
    data = {"data" if isinstance(sent, str) else "json": sent}

    response = client.open(path, method=method, headers=sender(client), **data)

    assert shown(response) == answer


@program_of("flask_login")
def test_flask_login_is_described(client):
    described = operation(client, "/notes/", "post")

    assert described["security"] == [{"login": ["editor"]}]
    assert {"401", "403"} <= described["responses"].keys()


@program_of("flask_jwt_extended")
def test_flask_jwt_extended_asks_for_a_token_and_for_the_body(client):
    response = client.get("/me")
    unread = client.post("/transfer?amount=3", headers=scoped("a transfer")(client))

    assert shown(response) == MISSING
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="jwt"'
    assert unread.status_code == 422


@program_of("flask_httpauth")
def test_flask_httpauth_keeps_its_decorator(client):
    assert client.get("/decorated", headers=bearer("t-bob")).status_code == 403


@program_of("authlib")
def test_authlib_asks_for_a_token(client):
    response = client.get("/me")

    assert shown(response) == MISSING
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="oauth"'


@program_of("authlib")
@pytest.mark.parametrize("text", ["forged", "t-old"])
@pytest.mark.parametrize("path", ["/me", "/feed"])
def test_authlib_refuses_a_wrong_token(client, path, text):
    response = client.get(path, headers=bearer(text))

    assert shown(response) == (401, {"message": "Unauthorized"})
    assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]


@program_of("authlib")
def test_authlib_describes_all_scopes(client):
    described = operation(client, "/items/{number}", "put")

    assert described["security"] == [{"oauth": ["items:read", "items:write"]}]


@program_of("jwt")
def test_pyjwt_gives_a_token_for_a_password(client):
    wrong = {"username": "ann", "password": "wrong"}
    unknown = {"username": "eve", "password": "secret"}
    right = {"username": "ann", "password": "secret"}

    assert shown(client.post("/token", data=wrong)) == (400, {"error": "invalid_grant"})
    assert client.post("/token", data=unknown).status_code == 400
    answer = client.post("/token", data=right).json
    response = client.get("/users/me", headers=bearer(answer["access_token"]))
    assert shown(response) == (200, {"username": "ann"})


@program_of("jwt")
def test_pyjwt_refuses_what_is_not_signed_or_not_valid(program, client):
    encode, key = program["jwt"].encode, program["app"].config["JWT_KEY"]
    with program["app"].app_context():
        expired = program["make_token"]("ann", -timedelta(seconds=1))
        removed = program["make_token"]("eve")
        good = program["make_token"]("ann")
    forever = encode({"sub": "ann"}, key, algorithm="HS256")
    unsigned = encode({"sub": "ann", "exp": 4e9}, "", algorithm="none")

    assert shown(client.get("/users/me")) == MISSING
    for text in (expired, removed, good + "x", forever, unsigned, "abc"):
        response = client.get("/users/me", headers=bearer(text))
        assert shown(response) == WRONG, text
