"""Documents of OpenAPI 3.2, beside those of 3.1."""

from __future__ import annotations

import typing as t
from collections.abc import AsyncIterator, Iterator

import pytest
from document import describe, describe_all, operation
from flask.views import MethodView
from models import Problem
from pydantic import BaseModel
from returned import EVENTS, JSONL, cases, view_of

from flask_signature import (
    Blueprint,
    Event,
    Flask,
    Header,
    Query,
    SignatureError,
    SignatureWarning,
)
from flask_signature.security import HTTPBearer, OAuth2, OAuthFlow

IN_BOTH = pytest.mark.parametrize("version", ["3.1", "3.2"])


class Filter(BaseModel):
    title: str
    year: int | None = None


class Price(BaseModel):
    cents: int


def make_app(version: str = "3.2", **settings: t.Any) -> Flask:
    app = Flask("shop")
    app.config["SIGNATURE_OPENAPI_VERSION"] = version
    app.config.update({f"SIGNATURE_{name}": x for name, x in settings.items()})
    return app


def test_what_both_versions_can_say_is_the_same():
    def create(item: Filter, q: int = 1) -> Price: ...

    documents = []
    for version in ("3.1", "3.2"):
        app = make_app(version)
        app.post("/items")(create)
        document = describe(app)
        assert document.pop("openapi") == f"{version}.0"
        documents.append(document)
    assert documents[0] == documents[1]


def test_another_version_is_refused():
    with pytest.raises(SignatureError, match=r"SIGNATURE_OPENAPI_VERSION='3\.0'"):
        make_app("3.0").init_app()


def event(data: t.Any) -> dict[str, t.Any]:
    """The schema of an event."""
    written = {"contentMediaType": "application/json", "contentSchema": data}
    return {
        "type": "object",
        "properties": {
            "data": {"type": "string", **written},
            "event": {"type": "string"},
            "id": {"type": "string"},
            "retry": {"type": "integer", "minimum": 0},
        },
    }


PRICE = {"$ref": "#/components/schemas/Price"}
PROBLEM = {"$ref": "#/components/schemas/Problem"}
EITHER = {"anyOf": [event(PRICE), event(PROBLEM)]}
STREAMS: dict[str, tuple[t.Any, str | None, t.Any]] = {
    "lines": (Iterator[Price], JSONL, PRICE),
    "union": (AsyncIterator[Price | Problem], JSONL, {"anyOf": [PRICE, PROBLEM]}),
    "scalars": (Iterator[int], "application/json-seq", {"type": "integer"}),
    "events": (Iterator[Event[Price]], None, event(PRICE)),
    "several": (Iterator[Event[Price] | Event[Problem]], None, EITHER),
    "beside": (Iterator[Event[Price] | Problem], None, EITHER),
    "items": (Iterator[Price], EVENTS, event(PRICE)),
    "strings": (Iterator[Event[str]], None, event({"type": "string"})),
}


@cases("annotation media_type schema", STREAMS)
def test_stream_has_the_schema_of_its_items(annotation, media_type, schema):
    app = make_app()
    app.get("/", media_type=media_type)(view_of(annotation))
    described = operation(app, "GET /")["responses"]["200"]["content"]
    assert described == {media_type or EVENTS: {"itemSchema": schema}}


def test_stream_that_may_be_another_response_has_both():
    app = make_app()
    view = view_of(Iterator[Price] | tuple[Problem, t.Literal[404]])
    app.get("/", media_type=JSONL)(view)

    described = operation(app, "GET /")["responses"]
    assert described["200"]["content"] == {JSONL: {"itemSchema": PRICE}}
    content = described["404"]["content"]["application/json"]
    assert PROBLEM in content["schema"]["anyOf"]


def search(filters: Filter, page: int = Query(1), x_id: str = Header("")) -> Price:
    """Search for books."""
    return Price(cents=len(filters.title) + page)


class Search(MethodView):
    query = staticmethod(search)


WAYS: dict[str, t.Callable[[t.Any], t.Any]] = {
    "decorator": lambda routes: routes.query("/")(search),
    "route": lambda routes: routes.route("/", methods=["QUERY"])(search),
    "class": lambda routes: routes.add_url_rule(
        "/", view_func=Search.as_view("s"), methods=["QUERY"]
    ),
}


@pytest.mark.parametrize("register", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("is_blueprint", [False, True])
def test_query_is_a_method_that_is_read_as_post_is(register, is_blueprint):
    app, bp = make_app(), Blueprint("bp", __name__)
    assert register(bp if is_blueprint else app) in (search, None)
    app.register_blueprint(bp)
    described = operation(app, "QUERY /")
    client = app.test_client()

    sent = client.open("/?page=2", method="QUERY", json={"title": "abc"})
    assert (sent.status_code, sent.json) == (200, {"cents": 5})
    refused = client.open("/", method="QUERY", json={})
    assert refused.json["detail"][0]["loc"] == ["body", "title"]
    assert client.get("/").status_code == 405
    assert "QUERY" in client.get("/").headers["Allow"]

    assert described["requestBody"]["content"] == {
        "application/json": {"schema": {"$ref": "#/components/schemas/Filter"}}
    }
    assert [item["name"] for item in described["parameters"]] == ["page", "X-Id"]
    assert list(described["responses"]) == ["200", "413", "415", "422"]


def test_other_methods_are_additional_operations():
    app = make_app()
    methods = ["PURGE", "GET", "REPORT"]
    app.route("/items", methods=methods, endpoint="items")(lambda: "")
    app.connect("/tunnel", endpoint="tunnel")(lambda: "")

    paths = describe(app)["paths"]

    assert list(paths["/items"]) == ["get", "additionalOperations"]
    assert list(paths["/items"]["additionalOperations"]) == ["PURGE", "REPORT"]
    assert list(paths["/tunnel"]["additionalOperations"]) == ["CONNECT"]


def test_method_that_3_1_can_not_describe_is_a_warning():
    app = make_app("3.1")
    app.get("/items", endpoint="shown")(lambda: "")
    app.query("/items", endpoint="items")(search)
    app.query("/hidden", endpoint="hidden", include_in_schema=False)(search)

    with pytest.warns(SignatureWarning) as caught:
        app.init_app()

    (warning,) = caught
    assert str(warning.message).startswith(
        "QUERY /items: OpenAPI 3.1 can't describe the method QUERY. Set"
        ' SIGNATURE_OPENAPI_VERSION = "3.2", or say include_in_schema=False.'
        " (tests/openapi/test_versions.py, line"
    )
    assert warning.filename == __file__
    document = app.test_client().get("/openapi.json").json
    assert {path: [*item] for path, item in document["paths"].items()} == {
        "/items": ["get"]
    }
    assert "Filter" not in str(document)


def test_a_document_may_have_a_version_of_its_own():
    own = {"openapi_version": "3.2", "blueprints": ["shop"]}
    app, bp = make_app("3.1", DOCUMENTS={"next": own}), Blueprint("shop", __name__)
    bp.query("/items")(search)
    app.register_blueprint(bp)

    documents = describe_all(app)

    assert documents[""]["openapi"] == "3.1.0"
    assert documents[""]["paths"] == {}
    assert documents["next"]["openapi"] == "3.2.0"
    assert list(documents["next"]["paths"]["/items"]) == ["query"]


def tagged(version: str, **settings: t.Any) -> list[t.Any]:
    """The tags of an application with nested blueprints."""
    app = make_app(version, **settings)
    shop = Blueprint("shop", __name__, url_prefix="/shop", tags=["Shop"])
    books = Blueprint("books", __name__, url_prefix="/books", tags=["Books"])
    covers = Blueprint("covers", __name__, url_prefix="/covers", tags=["Covers"])
    several = Blueprint("several", __name__, tags=["A", "B"], url_prefix="/several")
    for bp in (books, covers, several):
        bp.get("/")(lambda: "")
    books.register_blueprint(covers)
    shop.register_blueprint(books)
    shop.register_blueprint(several)
    app.register_blueprint(shop)
    return t.cast("list[t.Any]", describe(app)["tags"])


OTHERS = [{"name": "A"}, {"name": "B"}, {"name": "Shop"}]


def test_tag_of_a_nested_blueprint_has_that_around_it_for_its_parent():
    assert tagged("3.2") == [
        {"name": "Books", "parent": "Shop"},
        {"name": "Covers", "parent": "Books"},
        *OTHERS,
    ]
    assert tagged("3.1") == [{"name": name} for name in ("Books", "Covers", "A", "B")]


def test_declared_tags_may_say_another_parent():
    covers = {"name": "Covers", "parent": "Shop", "summary": "All", "kind": "nav"}
    books = {"name": "Books", "summary": "All books", "description": "Printed."}
    tags = [covers, books]

    assert tagged("3.2", TAGS=tags) == [covers, {**books, "parent": "Shop"}, *OTHERS]
    assert tagged("3.1", TAGS=tags)[:2] == [
        {"name": "Covers"},
        {"name": "Books", "description": "Printed."},
    ]


def test_tags_never_lead_in_a_circle():
    app = make_app()
    for outer, inner in ("a", "b"), ("b", "a"):
        one = Blueprint(outer, __name__, tags=[outer], url_prefix=f"/{outer}")
        two = Blueprint("inner", __name__, tags=[inner], url_prefix=f"/{inner}")
        two.get("/")(lambda: "")
        one.register_blueprint(two)
        app.register_blueprint(one)

    assert describe(app)["tags"] == [{"name": "b"}, {"name": "a"}]


def verify(token: str) -> str:
    return token


URL = "https://login.test"
DEVICE = OAuthFlow(
    device_authorization_url=f"{URL}/device",
    token_url=f"{URL}/token",
    scopes={"read": "Read."},
)
LOGIN = OAuth2(
    "login",
    password=OAuthFlow(token_url="/token"),
    device_authorization=DEVICE,
    oauth2_metadata_url=f"{URL}/.well-known/oauth",
    verify=verify,
)
OLD = HTTPBearer("old", verify=verify, deprecated=True)


def test_schemes_have_what_their_version_knows():
    flows: t.Any = {"password": {"tokenUrl": "/token", "scopes": {}}}
    device = {
        "tokenUrl": f"{URL}/token",
        "deviceAuthorizationUrl": f"{URL}/device",
        "scopes": {"read": "Read."},
    }
    login, old = {"type": "oauth2"}, {"type": "http", "scheme": "bearer"}
    new = {
        "flows": {**flows, "deviceAuthorization": device},
        "oauth2MetadataUrl": f"{URL}/.well-known/oauth",
    }

    assert schemes_in("3.1") == {"login": {**login, "flows": flows}, "old": old}
    assert schemes_in("3.2") == {
        "login": {**login, **new},
        "old": {**old, "deprecated": True},
    }


def schemes_in(version: str) -> t.Any:
    app = make_app(version)
    app.get("/", security=LOGIN | OLD)(lambda: "")
    return describe(app)["components"]["securitySchemes"]


def test_device_flow_needs_its_urls():
    with pytest.raises(SignatureError, match="needs device_authorization_url"):
        OAuth2("x", device_authorization=OAuthFlow(token_url="/token"), verify=verify)
    with pytest.raises(SignatureError, match="password has no device_authorization"):
        OAuth2("x", password=DEVICE, verify=verify)


@IN_BOTH
def test_names_summaries_and_the_address_are_of_3_2(version):
    is_new = version == "3.2"
    server = {"url": "https://shop.test", "name": "The shop"}
    address = "https://shop.test/openapi.json"
    app = make_app(version, SERVERS=[server], OPENAPI_SELF=address)
    declared = {404: {"summary": "Gone", "model": Problem}}
    app.get("/", responses=declared)(view_of(Price))

    document = describe(app)

    assert document.get("$self") == (address if is_new else None)
    assert document["servers"][0].get("name") == ("The shop" if is_new else None)
    response = document["paths"]["/"]["get"]["responses"]["404"]
    assert response.get("summary") == ("Gone" if is_new else None)
    assert response["description"] == "Not Found"


@pytest.mark.parametrize(
    ("version", "data", "text"),
    [("3.1", "value", "value"), ("3.2", "dataValue", "serializedValue")],
)
def test_examples_are_data_or_are_written(version, data, text):
    vendor = "application/vnd.a+json"
    app = make_app(version)
    content = {
        "text/csv": {"examples": {"rows": {"value": "a,b\r\n"}}},
        vendor: {"examples": {"text": {"value": "a"}}},
    }
    one = {"examples": {"one": {"value": Price(cents=1)}}}
    named = {"b": {"value": "b", "summary": "B"}}

    @app.get("/", responses={200: one, 201: {"content": content}})
    def show(q: str = Query("a", openapi_examples=named)) -> Price: ...

    described = operation(app, "GET /")

    (parameter,) = described["parameters"]
    assert parameter["examples"] == {"b": {data: "b", "summary": "B"}}
    ok, created = (described["responses"][key]["content"] for key in ("200", "201"))
    assert ok["application/json"]["examples"] == {"one": {data: {"cents": 1}}}
    assert created["text/csv"]["examples"] == {"rows": {text: "a,b\r\n"}}
    assert created[vendor]["examples"] == {"text": {data: "a"}}
