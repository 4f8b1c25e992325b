"""Security schemes and requirements in the description."""

from __future__ import annotations

import typing as t

import pytest
from document import describe, operation
from flask import abort
from messages import message_of
from models import Problem
from returned import cases, place_of

from flask_signature import Blueprint, Depends, SignatureError
from flask_signature.security import (
    APIKey,
    HTTPBasic,
    HTTPBearer,
    OAuth2,
    OAuthFlow,
    OpenIDConnect,
)


def verify(token: str) -> str:
    return token


def check_password(username: str, password: str) -> str: ...


TOKEN = HTTPBearer("token", bearer_format="JWT", verify=verify)
KEY = APIKey("key", "X-Key", verify=verify)
BASIC = HTTPBasic("basic", description="For machines.", verify=check_password)
URL = "https://login.test"
TOKEN_URL = f"{URL}/token"
SCOPES = {"read": "Read.", "write": "Write."}
LOGIN = OAuth2(
    "login",
    authorization_code=OAuthFlow(
        authorization_url=f"{URL}/authorize", token_url=TOKEN_URL, scopes=SCOPES
    ),
    client_credentials=OAuthFlow(token_url=TOKEN_URL, refresh_url=f"{URL}/refresh"),
    verify=verify,
    get_scopes=str.split,
)
FLOWS_OF_LOGIN = {
    "authorizationCode": {
        "authorizationUrl": f"{URL}/authorize",
        "tokenUrl": TOKEN_URL,
        "scopes": SCOPES,
    },
    "clientCredentials": {
        "tokenUrl": TOKEN_URL,
        "refreshUrl": f"{URL}/refresh",
        "scopes": {},
    },
}


SCHEMES = {
    "bearer": (TOKEN, {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}),
    "header": (KEY, {"type": "apiKey", "name": "X-Key", "in": "header"}),
    "cookie": (
        APIKey("sid", "sid", "cookie", verify=verify),
        {"type": "apiKey", "name": "sid", "in": "cookie"},
    ),
    "basic": (
        BASIC,
        {"type": "http", "scheme": "basic", "description": "For machines."},
    ),
    "oauth2": (LOGIN, {"type": "oauth2", "flows": FLOWS_OF_LOGIN}),
    "openid": (
        OpenIDConnect("open_id", URL, verify=verify),
        {"type": "openIdConnect", "openIdConnectUrl": URL},
    ),
}


@cases("scheme described", SCHEMES)
def test_scheme_is_a_component(app, scheme, described):
    app.get("/items", security=scheme)(lambda: "")
    document = describe(app)
    assert document["components"]["securitySchemes"] == {scheme.name: described}
    assert operation(app, "GET /items")["security"] == [{scheme.name: []}]


SPELLINGS = {
    "or": (TOKEN | KEY, [{"token": []}, {"key": []}]),
    "and": (TOKEN & KEY, [{"token": [], "key": []}]),
    "optional": (TOKEN | None, [{"token": []}, {}]),
    "optional-first": (None | TOKEN, [{}, {"token": []}]),
    "and-of-or": (
        (TOKEN | BASIC) & KEY,
        [{"token": [], "key": []}, {"basic": [], "key": []}],
    ),
    "all": (TOKEN & KEY | BASIC | None, [{"token": [], "key": []}, {"basic": []}, {}]),
    "scopes": (LOGIN.scopes("read", "write"), [{"login": ["read", "write"]}]),
    "scopes-of-both": (
        LOGIN.scopes("read") & LOGIN.scopes("write", "read"),
        [{"login": ["read", "write"]}],
    ),
    "list": ([TOKEN, KEY, None], [{"token": []}, {"key": []}, {}]),
    "name": ("docs", [{"docs": []}]),
    "openapi": ([{"docs": []}, {"tls": ["read"]}], [{"docs": []}, {"tls": ["read"]}]),
    "none": (None, []),
}


@cases("security described", SPELLINGS)
def test_requirement_in_each_spelling(app, security, described):
    tls = {"type": "mutualTLS"}
    app.config["SIGNATURE_SECURITY_SCHEMES"] = {"docs": HTTPBearer("docs"), "tls": tls}
    app.get("/items", security=security)(lambda: "")

    assert operation(app, "GET /items")["security"] == described
    assert describe(app)["components"]["securitySchemes"]["tls"] == tls


def test_route_goes_before_blueprint_before_application(app):
    app.config["SIGNATURE_SECURITY"] = TOKEN
    outer = Blueprint("outer", __name__, security=KEY)
    inner = Blueprint("inner", __name__)
    inner.get("/a", endpoint="a")(lambda: "")
    inner.get("/b", endpoint="b", security=BASIC)(lambda: "")
    inner.get("/c", endpoint="c", security=None)(lambda: "")
    app.get("/d")(lambda: "")
    outer.register_blueprint(inner)
    app.register_blueprint(outer)
    document = describe(app)

    assert document["security"] == [{"token": []}]
    assert [item["get"].get("security") for item in document["paths"].values()] == [
        None,
        [{"key": []}],
        [{"basic": []}],
        [],
    ]
    assert list(document["components"]["securitySchemes"]) == ["basic", "key", "token"]


#: What makes a scheme, and what is said of it.
MISTAKES = {
    "no-flow": (
        lambda: OAuth2("x"),
        (
            "OAuth2('x') has no flow. Give one of authorization_code,"
            " client_credentials, device_authorization, implicit, password."
        ),
    ),
    "missing-url": (
        lambda: OAuth2("x", password=OAuthFlow()),
        "OAuth2('x'): password needs token_url.",
    ),
    "needless-url": (
        lambda: OAuth2("x", implicit=OAuthFlow(authorization_url="/", token_url="/")),
        "OAuth2('x'): implicit has no token_url.",
    ),
    "location": (
        lambda: APIKey("key", "X-Key", location="body"),
        (
            "APIKey('key', 'X-Key'): there is no location 'body'. Use one of 'header',"
            " 'query', 'cookie'."
        ),
    ),
    "responses": (
        lambda: HTTPBearer("token", responses=[423]),
        (
            "HTTPBearer('token'): responses= describes what verify= aborts with, which"
            " is not there. Add it, or declare these on the routes."
        ),
    ),
}


@cases("make message", MISTAKES)
def test_scheme_that_can_not_be_is_refused(make, message):
    assert message_of(make) == message


TOKN = (
    "names 'tokn', which is no security scheme.{} SIGNATURE_SECURITY_SCHEMES, or give a"
    " scheme such as HTTPBearer('tokn', verify=find_user)."
)


class TestNamesOfSchemes:
    """What ``security=`` names must be configured as a scheme that describes."""

    @pytest.mark.parametrize(
        "value", ["tokn", [{"tokn": ["read"]}], {"token": [], "tokn": []}]
    )
    @pytest.mark.parametrize("where", ["route", "blueprint", "registration"])
    def test_unknown_name_is_refused_by_init_app(self, app, where, value):
        def options(place: str) -> dict[str, t.Any]:
            return {"security": value} if place == where else {}

        bp = Blueprint("bp", __name__, **options("blueprint"))

        @bp.get("/items", **options("route"))
        def show(): ...

        app.register_blueprint(bp, **options("registration"))
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {"token": HTTPBearer("token")}

        said = TOKN.format(" Did you mean 'token'? If not, add it to")
        assert message_of(app.init_app) == (
            f"GET /items: security= of show() {said} {place_of(show)}"
        )

    def test_unknown_name_in_the_configuration_is_refused(self, app):
        app.config["SIGNATURE_SECURITY"] = "tokn"

        said = TOKN.format(" Add it to")
        assert message_of(app.init_app) == f"SIGNATURE_SECURITY {said}"

    @pytest.mark.parametrize("first", [True, False])
    @pytest.mark.parametrize("is_described", [True, False])
    def test_names_that_no_document_has_are_checked_too(
        self, app, *, first: bool, is_described: bool
    ):
        app.config["SIGNATURE_OPENAPI"] = not is_described

        def register():
            route = app.get("/", security="tokn", include_in_schema=is_described)
            route(lambda: None)

        earlier, later = (app.init_app, register) if first else (register, app.init_app)
        earlier()
        assert "names 'tokn', which is no security" in message_of(later)


CHECKED = HTTPBearer("a", verify=verify, get_scopes=str.split)
OTHER = APIKey("b", "X-Key", verify=verify, get_scopes=str.split)


OPTIONAL_BOTH = (CHECKED & OTHER) | None
A, B, BOTH = {"a": []}, {"b": []}, {"a": [], "b": []}

#: What a blueprint and a signature demand, and what is described.
REPEATED = {
    "same": (CHECKED, CHECKED, [A]),
    "same alternatives": (CHECKED | OTHER, CHECKED | OTHER, [A, B]),
    "another order": (CHECKED | OTHER, OTHER | CHECKED, [A, B]),
    "narrower": (CHECKED | OTHER, CHECKED, [A]),
    "wider": (CHECKED, CHECKED | OTHER, [A]),
    "part": (CHECKED & OTHER, CHECKED, [BOTH]),
    "another": (CHECKED, OTHER, [BOTH]),
    "scopes": (
        *(CHECKED | OTHER, CHECKED.scopes("x") | OTHER.scopes("x")),
        [{"a": ["x"]}, {"b": ["x"]}],
    ),
    "further scopes": (CHECKED.scopes("x"), CHECKED.scopes("y"), [{"a": ["x", "y"]}]),
    "optional": (CHECKED | None, CHECKED | None, [A, {}]),
    "optional of required": (CHECKED, CHECKED | None, [A]),
    "another optional": (CHECKED, OTHER | None, [BOTH, A]),
    "optional with a scope": (CHECKED.scopes("x") | None, CHECKED, [{"a": ["x"]}]),
    "optional with another": (OPTIONAL_BOTH, CHECKED, [BOTH]),
    "two optional ones": (OPTIONAL_BOTH, CHECKED | None, [BOTH, {}]),
    "another way in": (
        *(CHECKED.scopes("x") | OTHER | None, CHECKED),
        [{"a": ["x"]}, BOTH],
    ),
    "optional in another": (
        *((CHECKED.scopes("x") | None) & OTHER, CHECKED),
        [{"a": ["x"], "b": []}],
    ),
    "scope of what is optional": (
        *(CHECKED & OTHER, CHECKED & (OTHER.scopes("x") | None)),
        [{"a": [], "b": ["x"]}],
    ),
    "nothing": ([None], CHECKED | None, [A, {}]),
}


@cases("security demanded described", REPEATED)
def test_what_a_signature_repeats_is_said_once(app, security, demanded, described):
    bp = Blueprint("bp", __name__, security=security)

    @bp.get("/items")
    def show(user: t.Annotated[t.Any, demanded]) -> None: ...

    app.register_blueprint(bp)
    assert operation(app, "GET /items")["security"] == described


def abort_unless_known(token: str) -> str:
    if token == "locked":
        abort(423, {"code": 1})
    return token or abort(402)


LOCKED = HTTPBearer(
    "locked", verify=abort_unless_known, responses={423: Problem, 402: None}
)


def find_name(user: t.Annotated[str, LOCKED]) -> str:
    return user


def test_responses_of_a_scheme_are_those_of_each_operation_that_uses_it(app):
    bp = Blueprint("bp", __name__, url_prefix="/bp", security=LOCKED | TOKEN)

    @app.get("/signature")
    def signature(user: t.Annotated[str, LOCKED]): ...

    @app.get("/dependency")
    def dependency(name: t.Annotated[str, Depends(find_name)]): ...

    own = {"security": LOCKED, "responses": {423: None}}
    app.get("/option", endpoint="option", security=LOCKED)(lambda: "")
    app.get("/own", endpoint="own", **own)(lambda: "")
    bp.get("/blueprint", endpoint="blueprint")(lambda: "")
    bp.get("/open", endpoint="open", security=None)(lambda: "")
    app.register_blueprint(bp)
    paths = describe(app)["paths"]

    described = {path: item["get"]["responses"] for path, item in paths.items()}
    locked = {"$ref": "#/components/schemas/Problem"}
    for path in "/signature", "/option", "/dependency", "/bp/blueprint":
        (content,) = described[path]["423"]["content"].values()
        assert locked in content["schema"]["anyOf"], path
        assert described[path]["402"] == {"description": "Payment Required"}
    assert "Problem" not in str(described["/own"]["423"])
    assert described["/bp/open"].keys().isdisjoint({"402", "423"})


def test_what_a_scheme_aborts_with_is_filtered_by_its_responses(app, client):
    app.get("/", security=LOCKED)(lambda: "")

    response = client.get("/", headers={"Authorization": "Bearer locked"})

    assert response.status_code == 500
    assert b"code" not in response.data


def test_responses_of_a_scheme_are_a_dictionary(app):
    scheme = HTTPBearer("token", verify=verify, responses=423)

    with pytest.raises(
        SignatureError, match="HTTPBearer\\('token'\\) has responses=423"
    ):
        app.get("/", security=scheme)(lambda: "")
