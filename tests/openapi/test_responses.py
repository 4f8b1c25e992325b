"""The description of responses."""

from __future__ import annotations

import copy
import datetime
import typing as t
from collections.abc import Iterator

import flask
import pytest
from document import check_response, describe, operation, response_schema
from flask.json.provider import DefaultJSONProvider
from models import Problem
from pydantic import BaseModel, ConfigDict, Field
from returned import EVENTS, JSONL, cases, view_of

from flask_signature import Cookie, Event, Flask, Form, Header, Query

MESSAGE = {"$ref": "#/components/schemas/HTTPErrorMessage"}
ITEM = {"$ref": "#/components/schemas/Item"}


class Item(BaseModel):
    name: str
    note: str | None


NAMELESS = Item(name="a", note=None)
OBJECT = {"type": "object"}
ARRAY = {"type": "array", "items": {}}


def as_json(schema: t.Any) -> t.Any:
    """Content that is JSON."""
    return {"application/json": {"schema": schema}}


#: What a view sends that says nothing of it.
TEXT = {"text/html": {"schema": {"type": "string"}}}
ANYTHING = {**as_json({}), **TEXT}


def responses_of(app: Flask, name: str) -> t.Any:
    return operation(app, name)["responses"]


def statuses_of(app: Flask, name: str) -> str:
    return " ".join(responses_of(app, name))


def content_of(app: Flask, name: str, status: str = "200") -> t.Any:
    return responses_of(app, name)[status]["content"]


def test_success_is_described_by_the_model_and_the_verbs_status(app):
    kept = "The item, as it is kept."
    app.post("/items", response_description=kept)(view_of(Item))
    created = {"description": kept, "content": as_json(ITEM)}
    assert responses_of(app, "POST /items") == {"201": created}


@pytest.mark.parametrize("annotation", [None, ...])
def test_no_content_is_described_without_any(app, annotation):
    app.delete("/items")(view_of(annotation))
    options = {"status_code": 204, "etag": True, "endpoint": "create"}
    app.post("/items", **options)(view_of(annotation))

    nothing = {"204": {"description": "No Content"}}
    assert responses_of(app, "DELETE /items") == nothing
    assert responses_of(app, "POST /items") == nothing


@pytest.mark.parametrize(
    ("tp", "content"),
    [
        *((tp, TEXT) for tp in (str, bytes, t.Literal["a", "b"], t.AnyStr)),
        *((tp, TEXT) for tp in (Iterator[bytes], t.IO[bytes])),
        (dict, as_json(OBJECT)),
        (list, as_json(ARRAY)),
        (dict | list, as_json({"anyOf": [OBJECT, ARRAY]})),
        (str | dict[str, t.Any], {**as_json(OBJECT), **TEXT}),
        (tuple[dict, int] | str, {**as_json(OBJECT), **TEXT}),
        (flask.Response, ANYTHING),
        (flask.Response | dict, ANYTHING),
        (flask.typing.ResponseReturnValue, ANYTHING),
        (tuple, ANYTHING),
        (t.Any, ANYTHING),
        (..., ANYTHING),
        (t.NoReturn, None),
        (None, None),
        (Item | flask.Response, as_json(ITEM)),
        (Item | str, {**as_json(ITEM), **TEXT}),
    ],
)
def test_content_is_that_of_the_annotation(app, tp, content):
    app.get("/items")(view_of(tp))
    assert responses_of(app, "GET /items")["200"].get("content") == content


def test_media_types_are_those_of_the_application(app):
    class Plain(flask.Response):
        default_mimetype = "text/plain"

    class HalProvider(DefaultJSONProvider):
        mimetype = "application/hal+json"

    app.response_class, app.json = Plain, HalProvider(app)
    app.get("/items")(view_of(...))

    assert list(content_of(app, "GET /items")) == ["application/hal+json", "text/plain"]


def any_of(*names: str) -> t.Any:
    """The schema of one of several components."""
    return {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}


def check_items(app: Flask) -> None:
    """Hold the response of ``/items`` against the document."""
    check_response(describe(app), "/items", app.test_client().get("/items"))


#: Views without a model, and the paths that they are for.
PLAIN_VIEWS = {
    "unannotated-dict": lambda: {"a": [1]},
    "unannotated-list": lambda: [1, "a"],
    "unannotated-text": lambda: "a",
    "unannotated-bytes": lambda: b"a",
    "unannotated-tuple": lambda: ("a", 200, {"X-A": "b"}),
    "unannotated-stream": lambda: iter(["a", "b"]),
    "unannotated-response": lambda: flask.Response("a"),
    "unannotated-json": lambda: flask.jsonify("a"),
    "unannotated-scalar": lambda: flask.jsonify(1),
}


@pytest.mark.parametrize("view", PLAIN_VIEWS.values(), ids=PLAIN_VIEWS)
def test_what_flask_sends_is_what_is_described(app, view):
    app.get("/items")(view)
    check_items(app)


@pytest.mark.parametrize(
    ("tp", "value"),
    [
        *((str, "1"), (bytes, b"1"), (bytearray, bytearray(b"1"))),
        *((str | dict, {"a": 1}), (str | dict, "1")),
        (list | tuple[list, int], ([1], 200)),
        *((Iterator[str], iter("12")), (Iterator[bytes], iter([b"1", b"2"]))),
        (None, None),
    ],
)
@pytest.mark.parametrize(
    "media_type",
    [None, "text/csv", "image/png", "image/svg+xml", "application/vnd.a+json"],
)
def test_what_is_annotated_is_sent_as_described(app, tp, value, media_type):
    # The iterator of the table is used more than once.
    app.get("/items", media_type=media_type)(view_of(tp, copy.copy(value)))
    check_items(app)


BINARY = {"type": "string", "format": "binary"}
TEXTS = {"type": "string"}


def items_of(media_type: str) -> dict[str, t.Any]:
    """The schema of a stream of items."""
    return {**TEXTS, "contentMediaType": media_type, "contentSchema": ITEM}


@pytest.mark.parametrize(
    ("tp", "media_type", "schema"),
    [
        (bytes, "image/png", BINARY),
        (Iterator[bytes], "application/octet-stream", BINARY),
        (flask.Response, "application/pdf", BINARY),
        (t.IO[bytes], "application/zip", BINARY),
        (t.Any, "image/png", BINARY),
        *((tp, "text/csv", TEXTS) for tp in (str, bytes, Iterator[str])),
        (flask.Response, "text/csv", TEXTS),
        (str, "image/svg+xml", TEXTS),
        (str, "application/pgp-keys", TEXTS),
        (flask.Response, "application/xml", TEXTS),
        (str | bytes, "image/png", {"anyOf": [TEXTS, BINARY]}),
        (str, "application/hal+json", {}),
        (bytes, "application/json", {}),
        (dict, "application/hal+json", OBJECT),
        (Item, "application/hal+json", ITEM),
        (Item | str, "text/x-item", {"anyOf": [ITEM, TEXTS]}),
        *(
            (Iterator[Item], media_type, items_of(media_type))
            for media_type in (JSONL, EVENTS)
        ),
    ],
)
def test_media_type_is_that_of_the_route_and_says_whether_bytes_are_text(
    app, tp, media_type, schema
):
    app.get("/items", media_type=media_type)(view_of(tp))
    assert content_of(app, "GET /items") == {media_type: {"schema": schema}}


def test_what_is_sent_at_once_is_described_beside_a_stream(app, client):
    @app.get("/items")
    def show(whole: int) -> Item | str | Iterator[Event[int]]:
        if whole:
            return NAMELESS if whole == 1 else "two"
        return iter([Event(1)])

    content = content_of(app, "GET /items")
    assert {**content, **as_json(ITEM), **TEXT} == content
    sent = [client.get(f"/items?whole={whole}").mimetype for whole in (0, 1, 2)]
    assert sent == [EVENTS, "application/json", "text/html"]
    assert {*content} == {*sent}


HAL = "application/hal+json"
CSV = {"text/csv": {"schema": str}}
PNG = {"image/png": {}}
WELL = {"2XX": {"description": "All is well."}}
MAYBE = Item | tuple[Item, int]
OF_ITEM, OF_HAL = as_json(ITEM), {HAL: {"schema": ITEM}}
LINES = {JSONL: {"schema": items_of(JSONL)}}
PROBLEMS = {"4XX": as_json(any_of("Problem", "HTTPErrorMessage"))}
ERRORS = {**as_json(MESSAGE), "text/csv": {"schema": TEXTS}}
PICTURE = flask.Response(b"PNG", mimetype="image/png")

#: An annotation, a value, options of the route, and the content of each status.
SENT: dict[str, tuple[t.Any, t.Any, dict[str, t.Any], t.Any]] = {
    "status-of-a-tuple": (MAYBE, NAMELESS, {}, {"200": OF_ITEM}),
    "turned-off": (Item, {"a": 1}, {"response_model": None}, {"200": ANYTHING}),
    "another-success": (
        *(MAYBE, (NAMELESS, 202)),
        {"responses": {202: {"description": "-"}, 205: {"description": "-"}}},
        {"200": OF_ITEM, "202": OF_ITEM, "205": None},
    ),
    "model-of-a-class": (
        *(dict[str, t.Any], {"name": "a", "note": None}),
        {"media_type": HAL, "responses": {"2XX": Item, "4XX": Problem}},
        {"200": OF_HAL, "2XX": OF_HAL, **PROBLEMS},
    ),
    "content-of-a-class": (
        *(..., PICTURE, {"responses": {"2XX": {"content": PNG}}}),
        {"200": PNG, "2XX": PNG},
    ),
    "content-of-errors": (
        *(..., {"message": "-"}),
        {"status_code": 404, "responses": {"4XX": {"content": CSV}}},
        {"404": ERRORS, "4XX": ERRORS},
    ),
    "no-model-of-a-class": (
        *(MAYBE, (NAMELESS, 203), {"responses": WELL}),
        {"200": OF_ITEM, "2XX": OF_ITEM},
    ),
    "stream-of-a-class": (
        *(Iterator[Item] | flask.Response, [NAMELESS]),
        {"media_type": JSONL, "responses": WELL},
        {"200": LINES, "2XX": LINES},
    ),
    "declared-content": (
        *(
            ...,
            PICTURE,
            {"media_type": "text/csv", "responses": {200: {"content": PNG}}},
        ),
        {"200": {"text/csv": {"schema": TEXTS}, **PNG}},
    ),
    "no-success": (
        *(dict[str, t.Any], {}, {"status_code": 410, "media_type": "text/csv"}),
        {"410": as_json({"anyOf": [OBJECT, MESSAGE]})},
    ),
    "text-that-is-json": (
        *(Item | str, "[1]", {"media_type": HAL}),
        {"200": {HAL: {"schema": {}}}},
    ),
}


@cases("annotation value options contents", SENT)
def test_content_of_each_status_is_described_as_it_is_sent(
    app, annotation, value, options, contents
):
    app.get("/items", **options)(view_of(annotation, value))
    found = responses_of(app, "GET /items")
    assert {status: found[status].get("content") for status in found} == contents
    check_items(app)


def test_declared_header_stands_beside_the_entity_tag(app):
    counted = {200: {"headers": {"X-Count": int}}}
    app.get("/items", etag=True, responses=counted)(view_of(Item))
    headers = responses_of(app, "GET /items")["200"]["headers"]
    assert list(headers) == ["ETag", "X-Count"]


def test_entity_tag_may_answer_304(app):
    app.get("/items", etag=True)(view_of(Item))

    found = responses_of(app, "GET /items")
    assert list(found) == ["200", "304"]
    assert found["200"]["headers"] == found["304"]["headers"]
    assert found["200"]["headers"]["ETag"]["schema"] == {"type": "string"}
    assert "content" not in found["304"]


def test_declared_statuses_are_described(app):
    declared = {
        404: Problem,
        "5XX": {"description": "Our fault."},
        "default": {"model": Problem, "headers": {"X-Count": int}},
        410: None,
    }
    app.get("/items", responses=declared)(view_of(Item))

    # Each may be an error of abort(), too.
    problem = as_json(any_of("Problem", "HTTPErrorMessage"))
    found = responses_of(app, "GET /items")
    assert list(found) == ["200", "404", "410", "5XX", "default"]
    assert found["404"] == {"description": "Not Found", "content": problem}
    assert found["410"] == {"description": "Gone"}
    assert found["5XX"] == {"description": "Our fault.", "content": as_json(MESSAGE)}
    assert found["default"] == {
        "description": "Any other response",
        "headers": {"X-Count": {"schema": {"type": "integer"}}},
        "content": problem,
    }


def test_content_is_described_by_media_type(app):
    content = {
        "image/png": {},
        "text/csv": {"schema": str, "example": "a,b"},
        "application/xml": {"schema": TEXTS},
    }
    app.get("/items", responses={200: {"content": content}})(view_of(flask.Response))

    csv = {"schema": TEXTS, "example": "a,b"}
    assert content_of(app, "GET /items") == {**content, "text/csv": csv}


def test_content_stands_beside_the_model(app):
    declared = {
        200: {"content": CSV},
        404: {"model": Problem, "content": {"text/csv": {"schema": list[Item]}}},
    }
    app.get("/items", responses=declared)(view_of(Item | flask.Response))

    assert content_of(app, "GET /items") == {
        **as_json(ITEM),
        "text/csv": {"schema": TEXTS},
    }
    assert content_of(app, "GET /items", "404") == {
        **as_json(any_of("Problem", "HTTPErrorMessage")),
        "text/csv": {"schema": {"type": "array", "items": ITEM}},
    }


def test_example_is_what_would_be_sent(app):
    class Sold(BaseModel):
        when: datetime.date = Field(alias="soldOn")
        count: int = 1

    sold = {"soldOn": datetime.date(2031, 1, 31), "seller": "left out"}
    long = {"externalValue": "https://shop.test/long.json"}
    examples = {"sold": {"summary": "Sold.", "value": sold}, "long": long}
    declared = {
        200: {"examples": {"pen": {"value": Item(name="pen", note=None)}}},
        409: {"model": Sold, "examples": examples},
    }
    app.get("/items", media_type=HAL, responses=declared)(view_of(Item))

    pen = {"value": {"name": "pen", "note": None}}
    assert content_of(app, "GET /items") == {
        HAL: {"schema": ITEM, "examples": {"pen": pen}}
    }
    content = content_of(app, "GET /items", "409")["application/json"]
    assert content["examples"] == {
        "sold": {"summary": "Sold.", "value": {"soldOn": "2031-01-31", "count": 1}},
        "long": long,
    }


def test_declared_model_stands_beside_those_of_the_application(app):
    @app.get("/items", responses={422: Problem, 200: {"description": "Fine."}})
    def show(q: int) -> Item: ...

    found = responses_of(app, "GET /items")
    models = any_of("Problem", "ValidationFailures", "HTTPErrorMessage")
    assert found["422"]["content"] == as_json(models)
    assert found["200"] == {"description": "Fine.", "content": as_json(ITEM)}


def test_body_may_be_too_large_or_of_another_type(app):
    @app.post("/items")
    def create(item: Item) -> Item: ...

    @app.post("/forms")
    def send(name: str = Form("")) -> Item: ...

    @app.get("/items")
    def show(q: int = 0) -> Item: ...

    assert statuses_of(app, "POST /items") == "201 413 415 422"
    assert statuses_of(app, "POST /forms") == "201 413 415 422"
    assert statuses_of(app, "GET /items") == "200 422"
    assert content_of(app, "POST /items", "415") == as_json(MESSAGE)


def test_answers_of_flasks_own_handlers_have_no_schema(app):
    app.config["SIGNATURE_ERROR_HANDLERS"] = False

    @app.post("/items")
    def create(item: Item) -> Item: ...

    assert responses_of(app, "POST /items")["415"] == {
        "description": "The body of the request is of another content type."
    }


@pytest.mark.parametrize(
    ("form", "status", "mimetype", "model"),
    [
        ("pydantic2", 422, "application/json", "ValidationFailures"),
        ("pydantic1", 400, "application/json", "ValidationFailures"),
        ("problem", 422, "application/problem+json", "ValidationProblem"),
        ("fastapi", 422, "application/json", "ValidationFailures"),
    ],
)
def test_validation_error_is_described_in_the_configured_form_and_sent_so(
    app, form, status, mimetype, model
):
    app.config["SIGNATURE_ERROR_FORMAT"] = form

    @app.get("/items")
    def show(q: t.Annotated[int, Query(gt=1)], x: float) -> Item: ...

    assert responses_of(app, "GET /items")[str(status)] == {
        "description": "The request is not valid.",
        "content": {mimetype: {"schema": {"$ref": f"#/components/schemas/{model}"}}},
    }
    answer = app.test_client().get("/items?q=1&x=a")
    assert answer.status_code == status
    check_response(describe(app), "/items", answer)


def test_validation_error_is_described_where_it_can_happen_only(app):
    @app.get("/never/<int:n>/<name>")
    def never(
        n: int,
        name: str,
        q: str | None = None,
        tags: list[str] = Query([]),
        token: t.Annotated[str, Cookie()] = "",
        x_any: t.Annotated[t.Any, Header()] = None,
    ) -> Item: ...

    @app.get("/required")
    def required(q: str) -> Item: ...

    @app.get("/constrained")
    def constrained(q: t.Annotated[str, Field(max_length=3)] = "") -> Item: ...

    @app.get("/counted")
    def counted(tags: list[str] = Query([], max_length=3)) -> Item: ...

    @app.get("/path/<int:n>")
    def path(n: t.Annotated[int, Field(ge=1)]) -> Item: ...

    assert statuses_of(app, "GET /never/{n}/{name}") == "200"
    for name in ("required", "constrained", "counted", "path/{n}"):
        assert statuses_of(app, f"GET /{name}") == "200 422"


def test_head_has_no_content_with_any_status(app):
    @app.head("/items", responses={404: Problem})
    def look(q: int) -> None: ...

    assert responses_of(app, "HEAD /items") == {
        "200": {"description": "OK"},
        "404": {"description": "Not Found"},
        "422": {"description": "The request is not valid."},
    }


class Shelf(BaseModel):
    items: list[Item]
    best: Item | None
    password: str = Field(alias="passWord")


def test_field_that_may_be_left_out_is_not_required(app):
    app.get("/full")(view_of(Shelf))
    options = {"endpoint": "sparse", "response_model_exclude_none": True}
    app.get("/sparse", **options)(view_of(Shelf))

    assert response_schema(app, "GET /full") == {"$ref": "#/components/schemas/Shelf"}
    assert response_schema(app, "GET /sparse") == {
        "$ref": "#/components/schemas/Shelf-WithoutNone"
    }
    schemas = describe(app)["components"]["schemas"]
    assert schemas["Shelf"]["required"] == ["items", "best", "passWord"]
    assert schemas["Shelf-WithoutNone"]["required"] == ["items", "passWord"]
    assert schemas["Item-WithoutNone"]["required"] == ["name"]


def test_field_that_is_never_sent_is_not_described(app):
    excluded = {"password": True, "best": {"note"}}
    app.get("/a", response_model_exclude=excluded)(view_of(Shelf))
    included = {"items": {"__all__": {"name"}}}
    app.get("/b", endpoint="b", response_model_include=included)(view_of(Shelf))

    schema = response_schema(app, "GET /a")
    assert list(schema["properties"]) == schema["required"] == ["items", "best"]
    best = schema["properties"]["best"]["anyOf"][0]
    assert list(best["properties"]) == best["required"] == ["name"]
    schema = response_schema(app, "GET /b")
    assert list(schema["properties"]) == schema["required"] == ["items"]
    assert list(schema["properties"]["items"]["items"]["properties"]) == ["name"]


def test_fields_that_are_sent_by_name_are_described_by_name(app):
    app.get("/by-alias")(view_of(Shelf))
    options = {"endpoint": "by_name", "response_model_by_alias": False}
    app.get("/by-name", **options)(view_of(Shelf))

    schemas = describe(app)["components"]["schemas"]
    assert list(schemas["Shelf"]["properties"]) == ["items", "best", "passWord"]
    assert list(schemas["Shelf-ByName"]["properties"]) == ["items", "best", "password"]
    assert response_schema(app, "GET /by-name") == {
        "$ref": "#/components/schemas/Shelf-ByName"
    }


class Author(BaseModel):
    name: str = "ann"
    password: str = Field("hunter2", alias="passWord")


class Library(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"one": {"name": "a", "passWord": "b"}}]}
    )

    one: Author = Author()
    all: list[Author] = [Author()]
    any: Author | Item | None = Author()
    named: dict[str, Author] = {"ann": Author()}
    pair: tuple[Author, int] = (Author(), 1)


@pytest.mark.parametrize("by_alias", [True, False])
def test_default_has_no_field_that_is_never_sent(app, by_alias):
    excluded: dict[str, t.Any] = {
        **{name: {"password"} for name in ("one", "all", "any", "pair")},
        "named": {"__all__": {"password"}},
    }
    options = {"response_model_exclude": excluded, "response_model_by_alias": by_alias}
    app.get("/", **options)(view_of(Library))

    schema = response_schema(app, "GET /")

    ann = {"name": "ann"}
    assert "password" not in str(schema).lower()
    assert {name: item["default"] for name, item in schema["properties"].items()} == {
        "one": ann,
        "all": [ann],
        "any": ann,
        "named": {"ann": ann},
        "pair": [ann, 1],
    }
    assert schema["examples"] == [{"one": {"name": "a"}}]


def test_default_has_the_fields_that_are_included(app):
    app.get("/", response_model_include={"all": {"name"}})(view_of(Library))

    schema = response_schema(app, "GET /")

    assert schema["properties"]["all"]["default"] == [{"name": "ann"}]
    assert schema["examples"] == [{}]
