"""The programs of ``docs/`` that need an extension, run with the extension itself.

Each is asked with nothing, with something wrong, with what is right, and with what
lacks a scope.
"""

from __future__ import annotations

import typing as t
from datetime import timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from flask_jwt_extended import create_access_token, create_refresh_token
from pages import DOCS, run_examples
from werkzeug.test import TestResponse

from flask_signature import Flask

EXTENSIONS: t.Final = DOCS / "howto" / "login-extensions.md"
FROM_FASTAPI: t.Final = DOCS / "migrate" / "fastapi-differences.md"

MISSING: t.Final = {"message": "Credentials are needed."}
WRONG: t.Final = {"message": "The credentials are not valid."}
LACKING: t.Final = {"message": "The credentials do not allow this."}

#: The page that has the program of a module.
PROGRAMS: t.Final = {
    "authlib": EXTENSIONS,
    "flask_httpauth": EXTENSIONS,
    "flask_jwt_extended": EXTENSIONS,
    "flask_login": EXTENSIONS,
    "jwt": FROM_FASTAPI,
}


class Program(t.NamedTuple):
    """A program of a page.

    :param names: what it defines.
    """

    names: dict[str, t.Any]

    @property
    def app(self) -> Flask:
        """Its application."""
        return t.cast("Flask", self.names["app"])

    def client(self) -> FlaskClient:
        """A client without cookies."""
        return self.app.test_client()

    def document(self, path: str, method: str = "get") -> t.Any:
        """What the description says of an operation."""
        document = self.client().get("/openapi.json").json or {}
        return document["paths"][path][method]


@pytest.fixture
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program that the test asks for by the name of a module."""
    page: Path = PROGRAMS[request.param]
    return Program(run_examples(page, monkeypatch, request.param))


@pytest.fixture
def client(program: Program) -> FlaskClient:
    """A client of the program."""
    return program.client()


def program_of(module: str) -> pytest.MarkDecorator:
    """Have a test run the program of a module."""
    return pytest.mark.parametrize("program", [module], indirect=True)


def bearer(token: str) -> dict[str, str]:
    """The header that sends a token."""
    return {"Authorization": f"Bearer {token}"}


def shown(response: TestResponse) -> tuple[int, t.Any]:
    """Status and body."""
    return response.status_code, response.json if response.is_json else response.text


@program_of("flask_login")
def test_flask_login_refuses_without_a_session(client):
    assert shown(client.get("/notes/")) == (401, MISSING)
    assert shown(client.post("/notes/", data=b"{")) == (401, MISSING)

    client.set_cookie("session", "forged")
    client.set_cookie("remember_token", "forged")
    assert shown(client.get("/notes/")) == (401, MISSING)


@program_of("flask_login")
def test_flask_login_supplies_the_user(client):
    client.post("/login", data={"name": "ada"})

    assert client.get("/notes/").text == "notes of ada"
    assert client.post("/notes/", json={"text": "tea"}).json == {
        "by": "ada",
        "text": "tea",
    }


@program_of("flask_login")
def test_flask_login_counts_a_remember_cookie_alone(client):
    client.post("/login", data={"name": "ada"})
    client.delete_cookie("session")

    assert client.get("/notes/").text == "notes of ada"


@program_of("flask_login")
def test_flask_login_asks_for_a_role(client):
    client.post("/login", data={"name": "bob"})

    assert client.get("/notes/").text == "notes of bob"
    assert shown(client.post("/notes/", json={"text": "tea"})) == (403, LACKING)


@program_of("flask_login")
def test_flask_login_is_described(program):
    operation = program.document("/notes/", "post")

    assert operation["security"] == [{"login": ["editor"]}]
    assert {"401", "403"} <= operation["responses"].keys()


@program_of("flask_jwt_extended")
def test_flask_jwt_extended_refuses_without_a_token(client):
    response = client.get("/me")

    assert shown(response) == (401, MISSING)
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="jwt"'
    assert shown(client.get("/me", auth=("ada", "x"))) == (401, MISSING)
    assert shown(client.get("/feed")) == (200, "everybody")
    assert shown(client.get("/strict")) == (
        401,
        {"msg": "Missing Authorization Header"},
    )


@program_of("flask_jwt_extended")
@pytest.mark.parametrize("path", ["/me", "/feed", "/strict"])
def test_flask_jwt_extended_answers_wrong_tokens_itself(program, client, path):
    with program.app.app_context():
        expired = create_access_token("ada", expires_delta=-timedelta(days=1))
        refresh = create_refresh_token("ada")
        forged = create_access_token("ada") + "x"

    response = client.get(path, headers=bearer(expired))
    assert shown(response) == (401, {"msg": "Token has expired"})
    response = client.get(path, headers=bearer(refresh))
    assert shown(response) == (422, {"msg": "Only non-refresh tokens are allowed"})
    response = client.get(path, headers=bearer(forged))
    assert shown(response) == (422, {"msg": "Signature verification failed"})


@program_of("flask_jwt_extended")
def test_flask_jwt_extended_supplies_the_claims(program, client):
    with program.app.app_context():
        token = create_access_token("ada")

    for path in ("/me", "/feed", "/strict"):
        assert client.get(path, headers=bearer(token)).text == "ada"


@pytest.mark.default_status
@program_of("flask_jwt_extended")
def test_flask_jwt_extended_asks_for_a_scope(program, client):
    with program.app.app_context():
        more = create_access_token("ada", additional_claims={"scope": "a transfer"})
        less = create_access_token("ada", additional_claims={"scope": "transfers"})

    response = client.post("/transfer", json={"amount": 3}, headers=bearer(less))
    assert shown(response) == (403, LACKING)
    assert shown(client.post("/transfer", json={"amount": 3})) == (401, MISSING)
    response = client.post("/transfer?amount=3", headers=bearer(more))
    assert response.status_code == 422
    response = client.post("/transfer", json={"amount": 3}, headers=bearer(more))
    assert shown(response) == (201, "3 sent")


@program_of("flask_httpauth")
def test_flask_httpauth_refuses_what_its_functions_refuse(client):
    assert shown(client.get("/me")) == (401, MISSING)
    assert shown(client.get("/me", auth=("ada", "y"))) == (401, WRONG)
    assert shown(client.get("/me", auth=("", ""))) == (401, WRONG)
    assert shown(client.get("/me", headers=bearer("forged"))) == (401, WRONG)


@program_of("flask_httpauth")
def test_flask_httpauth_supplies_the_user(client):
    assert client.get("/me", auth=("ada", "x")).text == "ada"
    assert client.get("/me", headers=bearer("t-bob")).text == "bob"


@pytest.mark.default_status
@program_of("flask_httpauth")
def test_flask_httpauth_asks_for_a_role(client):
    response = client.delete("/users/eve", headers=bearer("t-bob"))
    assert shown(response) == (403, LACKING)
    assert shown(client.delete("/users/eve", auth=("ada", "x"))) == (401, MISSING)
    assert client.delete("/users/eve", headers=bearer("t-ada")).status_code == 204


@program_of("flask_httpauth")
def test_flask_httpauth_keeps_its_decorator(client):
    assert client.get("/decorated", headers=bearer("t-ada")).text == "ada"
    assert client.get("/decorated", headers=bearer("t-bob")).status_code == 403


@program_of("authlib")
def test_authlib_refuses_without_a_token(client):
    response = client.get("/me")

    assert shown(response) == (401, MISSING)
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="oauth"'
    assert shown(client.get("/feed")) == (200, "everybody")
    assert shown(client.put("/items/7")) == (401, MISSING)


@program_of("authlib")
@pytest.mark.parametrize("token", ["forged", "t-old"])
@pytest.mark.parametrize("path", ["/me", "/feed"])
def test_authlib_refuses_a_wrong_token(client, path, token):
    response = client.get(path, headers=bearer(token))

    assert shown(response) == (401, {"message": "Unauthorized"})
    assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]


@program_of("authlib")
def test_authlib_supplies_the_token(client):
    assert client.get("/me", headers=bearer("t-bob")).text == "bob"
    assert client.get("/feed", headers=bearer("t-bob")).text == "bob"


@pytest.mark.default_status
@program_of("authlib")
def test_authlib_asks_for_all_scopes(program, client):
    response = client.put("/items/7", headers=bearer("t-bob"))
    assert shown(response) == (403, {"message": "Forbidden"})
    response = client.put("/items/7", headers=bearer("t-ada"))
    assert shown(response) == (201, "changed 7")
    assert program.document("/items/{number}", "put")["security"] == [
        {"oauth": ["items:read", "items:write"]}
    ]


@program_of("jwt")
def test_pyjwt_gives_a_token_for_a_password(client):
    wrong = {"username": "ann", "password": "wrong"}
    unknown = {"username": "eve", "password": "secret"}
    right = {"username": "ann", "password": "secret"}

    assert shown(client.post("/token", data=wrong)) == (400, {"error": "invalid_grant"})
    assert client.post("/token", data=unknown).status_code == 400
    answer = client.post("/token", data=right).json or {}
    response = client.get("/users/me", headers=bearer(answer["access_token"]))
    assert shown(response) == (200, {"username": "ann"})


@program_of("jwt")
def test_pyjwt_refuses_what_is_not_signed_or_not_valid(program, client):
    jwt, key = program.names["jwt"], program.app.config["JWT_KEY"]
    with program.app.app_context():
        expired = program.names["make_token"]("ann", -timedelta(seconds=1))
        removed = program.names["make_token"]("eve")
        good = program.names["make_token"]("ann")
    forever = jwt.encode({"sub": "ann"}, key, algorithm="HS256")
    unsigned = jwt.encode({"sub": "ann", "exp": 4e9}, "", algorithm="none")

    assert shown(client.get("/users/me")) == (401, MISSING)
    for token in (expired, removed, good + "x", forever, unsigned, "abc"):
        response = client.get("/users/me", headers=bearer(token))
        assert shown(response) == (401, WRONG), token
