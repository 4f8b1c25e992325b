"""What a requirement refuses, and what a refusal says."""

from __future__ import annotations

import typing as t

import flask
import pytest
from document import operation
from models import Problem
from senders import (
    ANN,
    BASIC,
    EVE,
    GRANTED,
    KEY,
    TOKEN,
    Headers,
    basic,
    bearer,
    challenges,
    find_user,
    guarded,
    key,
    plain,
    show,
)
from werkzeug.exceptions import Forbidden, Unauthorized

from flask_signature import Blueprint, Flask
from flask_signature.security import (
    APIKey,
    HTTPBearer,
    OAuth2,
    OAuthFlow,
    OpenIDConnect,
    Requirement,
    Scopes,
)

WRITE = TOKEN.scopes("write")

#: What is sent. Ann may write, Bob may read alone, Eve is not known.
NOTHING: Headers = {}
BOB = bearer("Bob")
RIGHT, WRONG = key("right"), key("wrong")
BLANK = {"Authorization": "Bearer"}
DIGEST = {"Authorization": 'Digest username="Ann"'}
LOGIN, FAILED = basic("Ann", "Ann's"), basic("Ann", "?")

#: What a refusal asks for.
ASKS_TOKEN = 'Bearer realm="token"'
BAD_TOKEN = 'Bearer realm="token", error="invalid_token"'
LACKS_WRITE = 'Bearer realm="token", error="insufficient_scope", scope="write"'
ASKS_KEY = 'APIKey realm="key", name="X-Key", in="header"'
ASKS_BASIC = 'Basic realm="basic", charset="UTF-8"'

OK: t.Final = (200, [])


def asks_key(realm: str, name: str, location: str) -> str:
    return f'APIKey realm="{realm}", name="{name}", in="{location}"'


@pytest.mark.parametrize(
    ("requirement", "sent", "status", "asked"),
    [
        # A scheme alone.
        (TOKEN, NOTHING, 401, [ASKS_TOKEN]),
        (TOKEN, DIGEST, 401, [ASKS_TOKEN]),
        (TOKEN, BLANK, 401, [BAD_TOKEN]),
        (TOKEN, EVE, 401, [BAD_TOKEN]),
        (TOKEN, BOB, *OK),
        (KEY, NOTHING, 401, [ASKS_KEY]),
        (KEY, key(""), 401, [ASKS_KEY]),
        (KEY, WRONG, 401, [ASKS_KEY]),
        (KEY, RIGHT, *OK),
        (BASIC, NOTHING, 401, [ASKS_BASIC]),
        (BASIC, ANN, 401, [ASKS_BASIC]),
        (BASIC, {"Authorization": "Basic ?"}, 401, [ASKS_BASIC]),
        (BASIC, FAILED, 401, [ASKS_BASIC]),
        (BASIC, LOGIN, *OK),
        # With a scope.
        (WRITE, NOTHING, 401, [ASKS_TOKEN]),
        (WRITE, EVE, 401, [BAD_TOKEN]),
        (WRITE, BOB, 403, [LACKS_WRITE]),
        (WRITE, ANN, *OK),
        # Optional: nothing sent is nobody, but what is sent has to be right.
        (TOKEN | None, NOTHING, *OK),
        (TOKEN | None, DIGEST, *OK),
        (TOKEN | None, BLANK, 401, [BAD_TOKEN]),
        (TOKEN | None, EVE, 401, [BAD_TOKEN]),
        (TOKEN | None, BOB, *OK),
        (WRITE | None, BOB, 403, [LACKS_WRITE]),
        # One of two.
        (TOKEN | KEY, NOTHING, 401, [ASKS_TOKEN, ASKS_KEY]),
        (TOKEN | KEY, EVE, 401, [BAD_TOKEN, ASKS_KEY]),
        (TOKEN | KEY, EVE | RIGHT, *OK),
        (TOKEN | KEY, BOB | WRONG, *OK),
        (TOKEN | KEY, EVE | WRONG, 401, [BAD_TOKEN, ASKS_KEY]),
        (WRITE | KEY, BOB, 403, [LACKS_WRITE, ASKS_KEY]),
        (WRITE | KEY, BOB | WRONG, 403, [LACKS_WRITE, ASKS_KEY]),
        (WRITE | KEY, BOB | RIGHT, *OK),
        (KEY | WRITE, WRONG | BOB, 403, [ASKS_KEY, LACKS_WRITE]),
        (KEY | TOKEN | None, NOTHING, *OK),
        (KEY | TOKEN | None, WRONG, 401, [ASKS_KEY, ASKS_TOKEN]),
        (BASIC | TOKEN, LOGIN, *OK),
        (BASIC | TOKEN, BOB, *OK),
        # Both.
        (TOKEN & KEY, NOTHING, 401, [ASKS_TOKEN, ASKS_KEY]),
        (TOKEN & KEY, BOB, 401, [ASKS_TOKEN, ASKS_KEY]),
        (TOKEN & KEY, RIGHT, 401, [ASKS_TOKEN, ASKS_KEY]),
        (TOKEN & KEY, EVE | RIGHT, 401, [BAD_TOKEN, ASKS_KEY]),
        (TOKEN & KEY, BOB | WRONG, 401, [ASKS_TOKEN, ASKS_KEY]),
        (TOKEN & KEY, BOB | RIGHT, *OK),
        (WRITE & KEY, BOB, 401, [ASKS_TOKEN, ASKS_KEY]),
        (WRITE & KEY, BOB | WRONG, 401, [ASKS_TOKEN, ASKS_KEY]),
        (WRITE & KEY, BOB | RIGHT, 403, [LACKS_WRITE, ASKS_KEY]),
        (KEY & WRITE, BOB | WRONG, 401, [ASKS_KEY, ASKS_TOKEN]),
        # Both, or none of them.
        ((TOKEN & KEY) | None, NOTHING, *OK),
        ((TOKEN & KEY) | None, BOB, 401, [ASKS_TOKEN, ASKS_KEY]),
        ((TOKEN & KEY) | None, RIGHT, 401, [ASKS_TOKEN, ASKS_KEY]),
        ((TOKEN & KEY) | None, BOB | RIGHT, *OK),
        # Both, one of them optional.
        ((TOKEN | None) & KEY, NOTHING, 401, [ASKS_TOKEN, ASKS_KEY]),
        ((TOKEN | None) & KEY, RIGHT, *OK),
        ((TOKEN | None) & KEY, EVE | RIGHT, 401, [BAD_TOKEN, ASKS_KEY]),
        ((TOKEN | None) & KEY, BOB, 401, [ASKS_TOKEN, ASKS_KEY]),
        # One of two, and another.
        ((TOKEN | BASIC) & KEY, LOGIN | RIGHT, *OK),
        ((TOKEN | BASIC) & KEY, RIGHT, 401, [ASKS_TOKEN, ASKS_BASIC, ASKS_KEY]),
    ],
)
def test_d16_refusals(app, client, requirement, sent, status, asked):
    app.get("/", security=requirement)(show)

    response = client.get("/", headers=sent)

    assert (response.status_code, challenges(response)) == (status, asked)


USER, CLIENT = "Ann", "client"


@pytest.mark.parametrize(
    ("requirement", "sent", "given"),
    [
        (TOKEN, ANN, USER),
        (WRITE, ANN, USER),
        (BASIC, LOGIN, USER),
        (TOKEN | None, NOTHING, None),
        (TOKEN | None, ANN, USER),
        (KEY | TOKEN, ANN | RIGHT, CLIENT),
        (TOKEN | KEY, ANN | RIGHT, USER),
        (TOKEN | KEY, EVE | RIGHT, CLIENT),
        (TOKEN & KEY, ANN | RIGHT, [USER, CLIENT]),
        (TOKEN & KEY & TOKEN, ANN | RIGHT, [USER, CLIENT, USER]),
        ((TOKEN & KEY) | BASIC, LOGIN, USER),
        ((BASIC | KEY) & TOKEN, ANN | RIGHT, [CLIENT, USER]),
        ((BASIC | None) & KEY, RIGHT, [None, CLIENT]),
        ((TOKEN & KEY) | None, NOTHING, None),
    ],
)
def test_what_a_requirement_gives(app, client, requirement, sent, given):
    @app.get("/")
    def show(user: t.Annotated[t.Any, requirement]) -> t.Any:
        return {"user": user}

    response = client.get("/", headers=sent)

    assert response.json == {"user": given}


OAUTH = OAuth2(
    "login", implicit=OAuthFlow(authorization_url="/login"), verify=GRANTED.get
)
OPEN_ID = OpenIDConnect("id", "/openid", verify=GRANTED.get)
COOKIE = APIKey("sid", "sid", "cookie", verify=GRANTED.get)
QUERY = APIKey("q", "key", "query", verify=GRANTED.get)


@pytest.mark.parametrize(
    ("scheme", "sent", "asked"),
    [
        (OAUTH, {"headers": EVE}, 'Bearer realm="login", error="invalid_token"'),
        (OPEN_ID, {"headers": EVE}, 'Bearer realm="id", error="invalid_token"'),
        (COOKIE, {"headers": {"Cookie": "sid=x"}}, asks_key("sid", "sid", "cookie")),
        (QUERY, {"query_string": "key=x"}, asks_key("q", "key", "query")),
    ],
)
def test_challenge_of_each_scheme(app, client, scheme, sent, asked):
    app.get("/", security=scheme)(show)

    response = client.get("/", **sent)

    assert (response.status_code, challenges(response)) == (401, [asked])


@pytest.mark.parametrize("url", ["/", "/plain"])
def test_refusals_are_errors_of_the_standard_format(app, client, url):
    bp = guarded(plain(), security=WRITE)
    bp.get("/")(show)
    app.register_blueprint(bp)
    app.init_app()

    answers = [client.get(url, headers=sent) for sent in (NOTHING, EVE, BOB)]

    assert [(answer.status_code, answer.json) for answer in answers] == [
        (401, {"message": "Credentials are needed."}),
        (401, {"message": "The credentials are not valid."}),
        (403, {"message": "The credentials do not allow this."}),
    ]


@pytest.mark.parametrize("url", ["/", "/plain"])
@pytest.mark.parametrize("caught", [401, 403, Unauthorized, Forbidden])
def test_author_may_handle_refusals(any_app, caught, url):
    bp = guarded(plain(), security=WRITE)
    bp.get("/")(show)
    any_app.register_blueprint(bp)
    any_app.register_error_handler(caught, lambda error: ("mine", error.code))
    code = getattr(caught, "code", caught)

    headers = BOB if code == 403 else EVE
    response = any_app.test_client().get(url, headers=headers)

    assert (response.status_code, response.text) == (code, "mine")


class TestScopes:
    def granting(self, granted: t.Any) -> Requirement[t.Any]:
        scheme = HTTPBearer("token", verify=find_user, get_scopes=lambda _: granted)
        return scheme.scopes("read", "write")

    @pytest.mark.parametrize(
        ("granted", "status"),
        [
            ("read write", 200),
            ("write more read", 200),
            (["read", "write"], 200),
            ({"read", "write"}, 200),
            (("write", "read"), 200),
            (iter(["read", "write"]), 200),
            ("readwrite", 403),
            ("read", 403),
            ("read,write", 403),
            ("", 403),
            ([], 403),
            (["read write"], 403),
            ("already overwrite", 403),
            ("  read   write ", 200),
            ("read\twrite", 403),
            (["read", "write", "read"], 200),
            (iter({"read": 1}), 403),
        ],
        ids=str,
    )
    def test_scopes_that_were_granted(self, app, client, granted, status):
        app.get("/", security=self.granting(granted))(show)

        assert client.get("/", headers=ANN).status_code == status

    @pytest.mark.parametrize("granted", [None, 7, {"read": False}, {}], ids=str)
    def test_what_is_no_list_of_scopes_is_an_error(self, app, client, granted):
        app.get("/", security=self.granting(granted))(show)

        assert client.get("/", headers=ANN).status_code == 500
        app.testing = True
        with pytest.raises(TypeError) as caught:
            client.get("/", headers=ANN)
        assert str(caught.value) == (
            f"get_scopes= has returned {type(granted).__name__!r}, which is no list of"
            " scopes. Return [] where there are none."
        )

    def test_all_scopes_that_a_scheme_is_asked_for_are_named(self, app, client):
        security = TOKEN.scopes("admin", "write") & TOKEN.scopes("delete", "admin")
        app.get("/", security=security)(show)

        response = client.get("/", headers=BOB)

        (asked,) = challenges(response)
        assert asked.endswith('"insufficient_scope", scope="admin write delete"')

    def test_route_and_signature_ask_for_scopes(self, app, client):
        bp = Blueprint("bp", __name__, security=TOKEN.scopes("read"))

        @bp.get("/")
        def show(user: t.Annotated[str, WRITE]) -> str:
            return user

        app.register_blueprint(bp)

        assert client.get("/", headers=ANN).text == "Ann"
        response = client.get("/", headers=BOB)
        assert (response.status_code, challenges(response)) == (403, [LACKS_WRITE])

    def test_argument_annotated_scopes_receives_those_asked_for(self, app, client):
        seen = []

        def find(token: str, scopes: Scopes, more: Scopes) -> str | None:
            seen.append((scopes, str(more)))
            return token

        scheme = HTTPBearer("token", verify=find)
        app.get("/", security=scheme.scopes("a", "b") & scheme)(show)

        assert client.get("/", headers=ANN).status_code == 200
        assert seen == [(("a", "b"), "a b"), ((), "")]

    def test_authenticate_receives_the_scopes_asked_for(self, app, client):
        def find(scopes: Scopes) -> str | None:
            if "write" in scopes:
                flask.abort(403)
            return "Bob"

        scheme = HTTPBearer("token", authenticate=find)
        app.get("/a", security=scheme.scopes("write"))(show)
        app.get("/b", endpoint="b", security=scheme.scopes("read"))(show)

        assert client.get("/a").status_code == 403
        assert client.get("/b").status_code == 200

    def test_scopes_are_asked_of_who_was_found_once(self, app, client):
        seen = []

        def find(token: str) -> str:
            seen.append(token)
            return token

        token = HTTPBearer("token", verify=find, get_scopes=GRANTED.get)
        security = token.scopes("more") | token.scopes("write") | token.scopes()
        app.get("/", security=security)(show)

        assert client.get("/", headers=BOB).status_code == 200
        assert seen == ["Bob"]


class TestDescription:
    def responses(self, app: Flask, security: t.Any) -> dict[str, t.Any]:
        app.get("/", security=security)(show)
        return t.cast("dict[str, t.Any]", operation(app, "GET /")["responses"])

    def test_refusals_are_described(self, app):
        schema = {"$ref": "#/components/schemas/HTTPErrorMessage"}
        content = {"application/json": {"schema": schema}}

        found = self.responses(app, WRITE | None)

        description = "Credentials are missing, or not valid."
        assert found["401"] == {"description": description, "content": content}
        description = "The credentials lack a scope."
        assert found["403"] == {"description": description, "content": content}

    def test_name_that_only_describes_refuses_nobody(self, app):
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {"docs": HTTPBearer("docs")}
        assert self.responses(app, "docs").keys() == {"200"}

    def test_what_the_author_says_stands_beside_it(self, app):
        app.get("/", security=WRITE, responses={401: Problem})(show)

        content = operation(app, "GET /")["responses"]["401"]["content"]
        schema = content["application/json"]["schema"]
        models = ("Problem", "HTTPErrorMessage")
        assert schema == {
            "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in models]
        }
