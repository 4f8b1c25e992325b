"""Security schemes and requirements in the description."""

from __future__ import annotations

import typing as t

import pytest
from document import describe, operation
from flask import abort
from models import Problem

from flask_signature import Blueprint, Depends, Flask, SignatureError
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
LOGIN = OAuth2(
    "login",
    authorization_code=OAuthFlow(
        authorization_url="https://login.test/authorize",
        token_url="https://login.test/token",
        scopes={"read": "Read.", "write": "Write."},
    ),
    client_credentials=OAuthFlow(
        token_url="https://login.test/token",
        refresh_url="https://login.test/refresh",
    ),
    verify=verify,
    get_scopes=str.split,
)
OPEN_ID = "https://login.test/.well-known/openid-configuration"


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
    "oauth2": (
        LOGIN,
        {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "https://login.test/authorize",
                    "tokenUrl": "https://login.test/token",
                    "scopes": {"read": "Read.", "write": "Write."},
                },
                "clientCredentials": {
                    "tokenUrl": "https://login.test/token",
                    "refreshUrl": "https://login.test/refresh",
                    "scopes": {},
                },
            },
        },
    ),
    "openid": (
        OpenIDConnect("open_id", OPEN_ID, verify=verify),
        {"type": "openIdConnect", "openIdConnectUrl": OPEN_ID},
    ),
}


@pytest.mark.parametrize(("scheme", "described"), SCHEMES.values(), ids=SCHEMES)
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
    "openapi": (
        [{"docs": []}, {"tls": ["read"]}],
        [{"docs": []}, {"tls": ["read"]}],
    ),
    "none": (None, []),
}


@pytest.mark.parametrize(("security", "described"), SPELLINGS.values(), ids=SPELLINGS)
def test_requirement_in_each_spelling(app, security, described):
    app.config["SIGNATURE_SECURITY_SCHEMES"] = {
        "docs": HTTPBearer("docs"),
        "tls": {"type": "mutualTLS"},
    }
    app.get("/items", security=security)(lambda: "")

    assert operation(app, "GET /items")["security"] == described


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


def test_scheme_may_be_openapis_own(app):
    scheme = {"type": "mutualTLS"}
    app.config["SIGNATURE_SECURITY_SCHEMES"] = {"tls": scheme}

    assert describe(app)["components"]["securitySchemes"] == {"tls": scheme}


FLOWS = {
    "none": (
        {},
        (
            "OAuth2('x') has no flow. Give one of authorization_code,"
            " client_credentials, device_authorization, implicit, password."
        ),
    ),
    "missing": ({"password": OAuthFlow()}, "OAuth2('x'): password needs token_url."),
    "needless": (
        {"implicit": OAuthFlow(authorization_url="/a", token_url="/t")},
        "OAuth2('x'): implicit has no token_url.",
    ),
}


@pytest.mark.parametrize(("flows", "message"), FLOWS.values(), ids=FLOWS)
def test_flow_without_its_urls_is_refused(flows, message):
    with pytest.raises(SignatureError) as caught:
        OAuth2("x", **flows)

    assert str(caught.value) == message


class TestNamesOfSchemes:
    """What ``security=`` names must be configured as a scheme that describes."""

    @pytest.mark.parametrize(
        "value", ["tokn", [{"tokn": ["read"]}], {"token": [], "tokn": []}]
    )
    @pytest.mark.parametrize("where", ["route", "blueprint", "registration"])
    def test_unknown_name_is_refused_by_init_app(self, app, where, value):
        security = {
            name: {"security": value} if name == where else {}
            for name in ("route", "blueprint", "registration")
        }
        bp = Blueprint("bp", __name__, **security["blueprint"])

        @bp.get("/items", **security["route"])
        def show(): ...

        app.register_blueprint(bp, **security["registration"])
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {"token": HTTPBearer("token")}

        with pytest.raises(SignatureError) as caught:
            app.init_app()

        assert str(caught.value) == (
            "GET /items: security= of show() names 'tokn', which is no security scheme."
            " Did you mean 'token'? If not, add it to SIGNATURE_SECURITY_SCHEMES, or"
            " give a scheme such as HTTPBearer('tokn', verify=find_user)."
            f" (tests/openapi/test_security.py, line {show.__code__.co_firstlineno})"
        )

    def test_unknown_name_in_the_configuration_is_refused(self, app):
        app.config["SIGNATURE_SECURITY"] = "tokn"

        with pytest.raises(SignatureError) as caught:
            app.init_app()

        assert str(caught.value) == (
            "SIGNATURE_SECURITY names 'tokn', which is no security scheme. Add it to"
            " SIGNATURE_SECURITY_SCHEMES, or give a scheme such as"
            " HTTPBearer('tokn', verify=find_user)."
        )

    @pytest.mark.parametrize("first", [True, False])
    def test_known_names_are_accepted(self, app: Flask, *, first: bool):
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {
            "configured": {"type": "mutualTLS"},
            "usual": HTTPBearer("usual"),
        }
        app.config["SIGNATURE_SECURITY"] = "usual"
        bp = Blueprint("bp", __name__, security=BASIC)
        if first:
            app.init_app()
        app.get("/key", security=KEY)(lambda: None)
        bp.get("/a", endpoint="a", security="configured")(lambda: None)
        bp.get("/b", endpoint="b", security=["usual", "configured"])(lambda: None)
        app.register_blueprint(bp)
        if not first:
            app.init_app()

    @pytest.mark.parametrize("first", [True, False])
    @pytest.mark.parametrize("is_described", [True, False])
    def test_names_that_no_document_has_are_checked_too(
        self, *, first: bool, is_described: bool
    ):
        app = Flask("shop")
        app.config["SIGNATURE_OPENAPI"] = not is_described

        def register():
            route = app.get("/", security="tokn", include_in_schema=is_described)
            route(lambda: None)

        earlier, later = (app.init_app, register) if first else (register, app.init_app)
        earlier()
        with pytest.raises(SignatureError, match="names 'tokn', which is no security"):
            later()


def test_api_key_in_another_location_is_refused():
    with pytest.raises(SignatureError) as caught:
        APIKey("key", "X-Key", location="body")

    assert str(caught.value) == (
        "APIKey('key', 'X-Key'): there is no location 'body'. Use one of 'header',"
        " 'query', 'cookie'."
    )


CHECKED = HTTPBearer("a", verify=verify, get_scopes=str.split)
OTHER = APIKey("b", "X-Key", verify=verify, get_scopes=str.split)


#: What a blueprint and a signature demand, and what is described.
REPEATED = {
    "same": (CHECKED, CHECKED, [{"a": []}]),
    "same alternatives": (CHECKED | OTHER, CHECKED | OTHER, [{"a": []}, {"b": []}]),
    "another order": (CHECKED | OTHER, OTHER | CHECKED, [{"a": []}, {"b": []}]),
    "narrower": (CHECKED | OTHER, CHECKED, [{"a": []}]),
    "wider": (CHECKED, CHECKED | OTHER, [{"a": []}]),
    "part": (CHECKED & OTHER, CHECKED, [{"a": [], "b": []}]),
    "another": (CHECKED, OTHER, [{"a": [], "b": []}]),
    "scopes": (
        CHECKED | OTHER,
        CHECKED.scopes("x") | OTHER.scopes("x"),
        [{"a": ["x"]}, {"b": ["x"]}],
    ),
    "further scopes": (CHECKED.scopes("x"), CHECKED.scopes("y"), [{"a": ["x", "y"]}]),
    "optional": (CHECKED | None, CHECKED | None, [{"a": []}, {}]),
    "optional of required": (CHECKED, CHECKED | None, [{"a": []}]),
    "another optional": (CHECKED, OTHER | None, [{"a": [], "b": []}, {"a": []}]),
    "optional with a scope": (CHECKED.scopes("x") | None, CHECKED, [{"a": ["x"]}]),
    "optional with another": ((CHECKED & OTHER) | None, CHECKED, [{"a": [], "b": []}]),
    "two optional ones": (
        (CHECKED & OTHER) | None,
        CHECKED | None,
        [{"a": [], "b": []}, {}],
    ),
    "another way in": (
        CHECKED.scopes("x") | OTHER | None,
        CHECKED,
        [{"a": ["x"]}, {"b": [], "a": []}],
    ),
    "optional in another": (
        (CHECKED.scopes("x") | None) & OTHER,
        CHECKED,
        [{"a": ["x"], "b": []}],
    ),
    "scope of what is optional": (
        CHECKED & OTHER,
        CHECKED & (OTHER.scopes("x") | None),
        [{"a": [], "b": ["x"]}],
    ),
    "nothing": ([None], CHECKED | None, [{"a": []}, {}]),
}


@pytest.mark.parametrize(
    ("security", "demanded", "described"), REPEATED.values(), ids=REPEATED
)
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


def test_responses_of_a_scheme_are_those_of_each_operation_that_uses_it():
    app = Flask(__name__)
    bp = Blueprint("bp", __name__, url_prefix="/bp", security=LOCKED | TOKEN)

    @app.get("/signature")
    def signature(user: t.Annotated[str, LOCKED]): ...

    @app.get("/option", security=LOCKED)
    def option(): ...

    @app.get("/dependency")
    def dependency(name: t.Annotated[str, Depends(find_name)]): ...

    @app.get("/own", security=LOCKED, responses={423: None})
    def own(): ...

    @bp.get("/blueprint")
    def blueprint(): ...

    @bp.get("/open", security=None)
    def opened(): ...

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


def test_what_a_scheme_aborts_with_is_filtered_by_its_responses(app):
    app.get("/", security=LOCKED)(lambda: "")

    response = app.test_client().get("/", headers={"Authorization": "Bearer locked"})

    assert response.status_code == 500
    assert b"code" not in response.data


def test_responses_of_a_scheme_that_checks_nothing_are_refused():
    with pytest.raises(SignatureError) as caught:
        HTTPBearer("token", responses=[423])

    assert str(caught.value) == (
        "HTTPBearer('token'): responses= describes what verify= aborts with, which is"
        " not there. Add it, or declare these on the routes."
    )


def test_responses_of_a_scheme_are_a_dictionary(app):
    scheme = HTTPBearer("token", verify=verify, responses=423)

    with pytest.raises(
        SignatureError, match="HTTPBearer\\('token'\\) has responses=423"
    ):
        app.get("/", security=scheme)(lambda: "")
