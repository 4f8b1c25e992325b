"""What a client left out is ``MISSING``: as a default, and in an annotation."""

import dataclasses
import typing as t

import pytest
from client import client_of, refusals, taking
from document import describe, operation, parameters
from pydantic import BaseModel, Field
from rows import NAMES, Rows, check_row

from flask_signature import Body, Cookie, File, Flask, Form, Header, Query, UploadFile

try:
    from pydantic import MISSING
except ImportError:
    # Pydantic before 2.14.
    from pydantic.experimental.missing_sentinel import MISSING


class Change(BaseModel):
    title: str | MISSING = MISSING
    year: int | MISSING | None = MISSING
    tags: list[str] | MISSING = MISSING
    price: t.Annotated[int | MISSING, Field(gt=0)] = MISSING


@dataclasses.dataclass
class Size:
    width: int | MISSING = MISSING


#: What a view shows of an argument that is missing. A field of a model is left out.
LEFT_OUT = "MISSING"
ROWS = Rows()
get, patch = ROWS.of("GET /"), ROWS.of("PATCH /")


@patch({"json": {}}, {"change": {}})
@patch({"json": {"title": "Emma"}}, {"change": {"title": "Emma"}})
@patch(
    {"json": {"year": None, "tags": ["a"]}}, {"change": {"year": None, "tags": ["a"]}}
)
def field_of_a_body_that_was_left_out_is_missing(change: Change): ...
@get(
    "?x=x",
    [(["query", "x", "int"], "int_parsing"), (["query", "x", "bool"], "bool_parsing")],
)
def union_that_may_be_missing_is_refused_like_any_other(
    x: int | bool | MISSING = Query(MISSING),
): ...
@patch({"json": {}}, {"size": {"width": LEFT_OUT}})
@patch({"json": {"width": 1}}, {"size": {"width": 1}})
def dataclass_may_have_missing_fields(size: Size): ...
@get("", dict.fromkeys(("q", "ids", "split", "size", "x_token", "theme"), LEFT_OUT))
@get(
    {
        "path": "?q=1&ids=1&ids=2&split=1,2&size=2",
        "headers": {"X-Token": "a", "Cookie": "theme=b"},
    },
    {"q": 1, "ids": [1, 2], "split": [1, 2], "size": 2, "x_token": "a", "theme": "b"},
)
@get(
    "?q=x&ids=1&ids=x&split=x&size=3",
    [
        (["query", "q"], "int_parsing"),
        (["query", "ids", 1], "int_parsing"),
        (["query", "split", 0], "int_parsing"),
        (["query", "size"], "literal_error"),
    ],
)
def argument_of_any_location_may_be_missing(
    q: int | MISSING = MISSING,
    ids: list[int] | MISSING = Query(MISSING),
    split: list[int] | MISSING = Query(MISSING, explode=False),
    size: t.Annotated[t.Literal[1, 2] | MISSING, Query()] = MISSING,
    x_token: str | MISSING = Header(MISSING),
    theme: str | MISSING | None = Cookie(MISSING),
): ...
@patch({}, {"title": LEFT_OUT, "year": LEFT_OUT})
@patch({"json": {}}, {"title": LEFT_OUT, "year": LEFT_OUT})
@patch({"json": {"year": None}}, {"title": LEFT_OUT, "year": None})
def keys_of_a_body_may_be_missing(
    title: str | MISSING = MISSING, year: int | MISSING | None = MISSING
): ...
@patch({}, {"change": LEFT_OUT})
@patch({"json": {}}, {"change": {}})
def whole_body_may_be_missing(change: Change | MISSING = MISSING): ...
@get("", {"change": LEFT_OUT})
@get("?title=a&tags=b", {"change": {"title": "a", "tags": ["b"]}})
def model_in_the_query_may_be_missing(change: Change | MISSING = Query(MISSING)): ...
@patch(
    {"data": {"title": "", "year": ""}},
    {"title": "", "year": LEFT_OUT, "photo": LEFT_OUT},
)
@patch({}, {"title": LEFT_OUT, "year": LEFT_OUT, "photo": LEFT_OUT})
def blank_field_of_a_form_is_missing(
    title: str | MISSING = Form(MISSING),
    year: int | MISSING = Form(MISSING),
    photo: UploadFile | MISSING = File(MISSING),
): ...


@pytest.mark.parametrize(NAMES, ROWS)
def test_what_was_left_out_is_missing(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


def test_null_is_no_value_of_a_field_that_may_be_missing():
    client = client_of(taking(Change), "/", "PATCH")

    refused = client.patch("/", json={"title": None, "price": 0, "tags": [1]})
    assert refusals(refused) == [
        (["body", "title"], "string_type"),
        (["body", "tags", 0], "string_type"),
        (["body", "price"], "greater_than"),
    ]
    assert "MISSING" not in refused.text
    assert "sentinel" not in refused.text


@pytest.mark.parametrize("count", [1, 5_000])
def test_the_place_of_an_error_is_known_in_a_body_of_any_length(count):
    client = client_of(taking(list[Change]), "/", "PATCH")
    changes = [{}] * count + [{"tags": 1}]

    ((loc, _),) = refusals(client.patch("/", json=changes))
    assert loc == ["body", count, "tags"]


def test_a_long_list_that_may_be_missing_is_left_at_its_first_error():
    class Shelf(BaseModel):
        sizes: list[Size] | MISSING = MISSING

    client = client_of(taking(Shelf), "/", "PATCH")
    ((loc, _),) = refusals(client.patch("/", json={"sizes": [{"width": ""}] * 5_000}))
    assert loc[:2] == ["body", "sizes"]


def test_a_field_is_described_without_null_and_without_default(app: Flask):
    @app.patch("/")
    def patch(change: Change) -> Change:
        return change

    assert describe(app)["components"]["schemas"]["Change"] == {
        "title": "Change",
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "year": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "price": {"type": "integer", "exclusiveMinimum": 0},
        },
    }
    assert app.test_client().patch("/", json={"year": 1815}).json == {"year": 1815}


def test_an_argument_is_described_without_null_and_without_default(app: Flask):
    @app.patch("/")
    def patch(
        q: int | MISSING = Query(MISSING),
        x_ids: list[int] | MISSING = Header(MISSING),
        title: str | MISSING = Body(MISSING),
    ) -> None: ...

    described = parameters(app, "PATCH /")
    assert {name: item["schema"] for name, item in described.items()} == {
        "q": {"type": "integer"},
        "X-Ids": {"type": "array", "items": {"type": "integer"}},
    }
    assert not any("required" in item for item in described.values())
    body = operation(app, "PATCH /")["requestBody"]
    assert body["required"] is False
    assert body["content"]["application/json"]["schema"] == {
        "type": "object",
        "properties": {"title": {"type": "string"}},
    }
