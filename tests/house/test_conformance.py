"""The rows of the conformance table that are about requests, one view per signature.

Above each view stand the requests it gets and what becomes of them: the arguments that
the view is called with, or the refusals, which are pairs of a place and a kind of
error. Messages are compared with what Pydantic says for an error of that kind.
"""

from __future__ import annotations

import datetime
import functools
import io
import json
import typing as t
from collections.abc import Callable
from uuid import UUID

import pytest
from client import client_of
from flask import abort
from models import Color, User
from pydantic import AliasChoices, BaseModel, Field, model_validator
from rows import NAMES, Rows, at, check_row, shown
from werkzeug.datastructures import FileStorage

from flask_signature import Body, Cookie, Flask, Form, Header, Path, Query

A = t.Annotated


class Item(BaseModel):
    name: str
    price: float
    note: str | None = None
    tags: set[str] = set()


class Filter(BaseModel):
    limit: int = Field(100, gt=0, le=100)
    offset: int = Field(0, ge=0)
    order: t.Literal["a", "b"] = "a"
    tags: list[str] = []


DEFAULTS = Filter().model_dump()


class Strict(Filter, extra="forbid"): ...


class Ali(BaseModel):
    p: int = Field(alias="pAl")


class Cat(BaseModel):
    kind: t.Literal["cat"]
    m: int


class Dog(BaseModel):
    kind: t.Literal["dog"]
    b: int


class Hdr(BaseModel):
    save_data: bool


class Sess(BaseModel):
    sid: str


class SessX(Sess, extra="forbid"): ...


class Login(BaseModel):
    u: str
    n: int = 3
    t: list[str] = []


class LoginX(Login, extra="forbid"): ...


class Node(BaseModel):
    items: list[Item]
    by_key: dict[str, Item] = {}


class Bad(BaseModel):
    a: int

    @model_validator(mode="after")
    def refuse(self) -> Bad:
        raise ValueError("no good")


class Exact(BaseModel, strict=True):
    day: datetime.date
    key: UUID


VIEW = t.TypeVar("VIEW", bound=Callable[..., t.Any])

#: One row: the view, the method, the rule, the request, the answer.
CASES = Rows()


def row(
    route: str, number: str, request: t.Any, answer: t.Any
) -> Callable[[VIEW], VIEW]:
    """A request to a view and what becomes of it.

    :param route: the method and the rule of the view.
    :param number: of the row in the table.
    """
    return CASES.add(route, request, answer, name=f"row-{number}")


path = functools.partial(row, "GET /p/<i>")
query = functools.partial(row, "GET /q")
header = functools.partial(row, "GET /h")
cookie = functools.partial(row, "GET /c")
body = functools.partial(row, "POST /b")
form = functools.partial(row, "POST /f")


def sent(
    *, type: str | None = "application/json", data: t.Any = None
) -> dict[str, t.Any]:
    return {"data": data, "content_type": type}


def as_json(value: t.Any) -> dict[str, t.Any]:
    return {"json": value}


def as_form(text: str) -> dict[str, t.Any]:
    return sent(type="application/x-www-form-urlencoded", data=text)


def as_multipart(**data: t.Any) -> Callable[[], dict[str, t.Any]]:
    """The same form each time: a stream can be sent but once."""
    return lambda: {
        "data": {
            name: value() if callable(value) else value for name, value in data.items()
        },
        "content_type": "multipart/form-data",
    }


def a_file(content: str = "text", name: str = "a.txt") -> tuple[io.BytesIO, str]:
    return io.BytesIO(content.encode()), name


# Path


@path("1", "/p/3", {"i": 3})
@path("2", "/p/x", [(["path", "i"], "int_parsing")])
def an_integer_in_the_path(i: int): ...
@row("GET /p/<int:i>", "3", "/p/x", 404)
def an_integer_by_converter(i: int): ...
@path("4", "/p/0", [(["path", "i"], "greater_than_equal")])
def a_constraint_in_the_path(i: A[int, Path(ge=1, le=9)]): ...
@path("5", "/p/pink", [(["path", "i"], "enum")])
def an_enumeration_in_the_path(i: Color): ...
@row("GET /p/<k>", "6", "/p/z", [(["path", "k"], "int_parsing")])
@row("GET /p/<k>", "6", "/p/7", {"x": 7})
def an_alias_in_the_path(x: A[int, Path(alias="k")]): ...
@row("GET /p/<path:k>", "7", "/p/a/b", {"k": "a/b"})
def a_path_in_the_path(k: str): ...


# Query


@query("8", "/q", [(["query", "n"], "missing")])
@query("11", "?n=1&n=2", {"n": 1})
def a_required_query(n: int): ...
@query("9", "?n=1&b=yes&zz=9", {"n": 1, "s": "d", "o": None, "b": True})
def defaults_in_the_query(
    n: int, s: str = "d", o: int | None = None, b: bool = False
): ...
@query(
    "10",
    "?n=x&o=y&b=z",
    at("query", n="int_parsing", o="int_parsing", b="bool_parsing"),
)
def every_failure_at_once(n: int, o: int | None = None, b: bool = False): ...
@query("12", "?o=", [(["query", "o"], "int_parsing")])
def a_blank_query_is_a_value(o: int | None = None): ...
@query("13", "?s=", {"s": ""})
def a_blank_query_is_a_text(s: str = "d"): ...
@query("14", "/q", [(["query", "n"], "missing")])
def optional_without_a_default_is_required(n: int | None): ...
@query("15", "?l=1&l=2", {"l": [1, 2]})
@query("15", "?l=1", {"l": [1]})
@query("15", "/q", [(["query", "l"], "missing")])
def a_list_without_a_marker(l: list[int]): ...  # noqa: E741
@query("16", "?l=1&l=x", [(["query", "l", 1], "int_parsing")])
def a_list_with_a_marker(l: A[list[int], Query()]): ...  # noqa: E741
@query("17", "/q", {"l": [7]})
def a_list_with_a_default(l: A[list[int], Query()] = [7]): ...  # noqa: B006, E741
@query("18", "?l=1&l=1", [(["query", "l"], "too_short")])
def a_set_with_a_least_length(l: A[set[int], Query(min_length=2)]): ...  # noqa: E741
@query("19", "?s=a", [(["query", "s"], "string_too_short")])
@query("19", "?s=zz", [(["query", "s"], "string_pattern_mismatch")])
def a_text_with_constraints(s: A[str, Query(min_length=2, pattern="^a")]): ...
@query("20", "?s=1", [(["query", "the-s"], "missing")])
@query("20", "?the-s=1", {"s": "1"})
def an_alias_in_the_query(s: A[str, Query(alias="the-s")]): ...
@query("21", "?b=1", {"s": "1"})
def alias_choices(s: A[str, Query(validation_alias=AliasChoices("a", "b"))]): ...
@query("22", "?n=6", [(["query", "n"], "less_than_equal")])
@query("22", "?n=0", [(["query", "n"], "greater_than_equal")])
def constraints_of_marker_and_field(n: A[int, Query(ge=1), Field(le=5)]): ...
@query(
    "23",
    "?limit=0&offset=x&order=c",
    at("query", limit="greater_than", offset="int_parsing", order="literal_error"),
)
@query("24", "?tags=a&tags=b&zz=1", {"f": {**DEFAULTS, "tags": ["a", "b"]}})
def a_model_in_the_query(f: Filter): ...
@query("25", "?limit=5&zz=1", [(["query", "zz"], "extra_forbidden")])
def a_model_that_forbids_extra_keys(f: Strict): ...
@query("26", "?limit=5&s=k", {"f": {**DEFAULTS, "limit": 5}, "s": "k"})
def a_siblings_key_is_not_extra(f: Strict, s: str = "d"): ...
@query("27", "?p=1", [(["query", "pAl"], "missing")])
def an_alias_in_a_model(f: Ali): ...
@query("28", "/q", {"f": None})
@query("28", "?limit=2", {"f": {**DEFAULTS, "limit": 2}})
def an_optional_model(f: Filter | None = None): ...
@query("29", "?a=1", [(["query"], "value_error")])
def a_model_whose_validator_refuses(f: Bad): ...
@query("30", "?n=1", {"n": 1})
@query("30", "?n=3", [(["query", "n"], "literal_error")])
def a_literal_of_integers(n: t.Literal[1, 2]): ...


# Headers and cookies


@header("31", "/h", [(["header", "X-N"], "missing")])
def a_required_header(x_n: A[int, Header()]): ...
@header("32", {"headers": {"x-n": "z"}}, [(["header", "X-N"], "int_parsing")])
def a_header_by_alias(n: A[int, Header(alias="X-N")]): ...
@header("33", {"headers": [("X-T", "a"), ("X-T", "b")]}, {"x_t": ["a", "b"]})
def a_list_of_headers(x_t: A[list[str], Header()]): ...
@header(
    "34",
    {"headers": {"Save-Data": "maybe"}},
    [(["header", "Save-Data"], "bool_parsing")],
)
def a_model_of_headers(h: A[Hdr, Header()]): ...
@cookie("35", {"headers": {"Cookie": "a=x"}}, [(["cookie", "a"], "int_parsing")])
def a_cookie(a: A[int, Cookie()]): ...
@cookie(
    "36",
    {"headers": {"Cookie": "sid=1; zz=2"}},
    [(["cookie", "zz"], "extra_forbidden")],
)
def a_model_of_cookies_that_forbids_others(s: A[SessX, Cookie()]): ...


# Bodies


PEN = '{"name": "x", "price": 1}'
INVALID = [(["body"], "json_invalid")]

BODIES_OF_ROW_77 = {
    "nan": '{"name": "x", "price": NaN}',
    "lone-surrogate": r'"\ud800"',
    "lone-surrogate-in-a-field": r'{"name": "\ud800", "price": 1}',
    "deep": "[" * 100_000,
    "long-integer": f'{{"name": "x", "price": {"1" * 5_000}}}',
}


@body(
    "37",
    as_json({"name": "x", "price": "3.5"}),
    {"it": {"name": "x", "price": 3.5, "note": None, "tags": []}},
)
@body("38", as_json({"price": "z"}), at("body", name="missing", price="float_parsing"))
@body("39", sent(data=b""), [(["body"], "missing")])
@body("40", as_json([]), [(["body"], "model_type")])
@body("41", sent(data='{"name": }'), INVALID)
@body("42", sent(type="text/plain", data=PEN), 415)
@body("42", sent(type=None, data=PEN), 415)
@body(
    "43",
    sent(type="application/vnd.api+json; charset=utf-8", data=PEN),
    {"it": {"name": "x", "price": 1.0, "note": None, "tags": []}},
)
@body("77", sent(data=BODIES_OF_ROW_77["nan"]), INVALID)
@body("77", sent(data=BODIES_OF_ROW_77["lone-surrogate"]), INVALID)
@body("77", sent(data=BODIES_OF_ROW_77["deep"]), INVALID)
@body("77", sent(data=BODIES_OF_ROW_77["long-integer"]), INVALID)
def a_model_in_the_body(it: Item): ...
@row(
    "PUT /b/<int:i>",
    "44",
    {"path": "/b/1", "json": {"it": {"price": 1}, "n": 0}},
    [
        (["body", "it", "name"], "missing"),
        (["body", "u"], "missing"),
        (["body", "n"], "greater_than"),
    ],
)
def several_bodies(i: int, it: Item, u: User, n: A[int, Body(gt=0)]): ...
@body("45", as_json({"name": "x", "price": 1}), [(["body", "it"], "missing")])
def an_embedded_body(it: A[Item, Body(embed=True)]): ...
@body("46", as_json({"n": "x"}), [(["body", "n"], "int_parsing")])
@body("46", as_json("x"), [(["body"], "dict_type")])
def a_scalar_in_the_body(n: int): ...
@body("47", as_json(5), {"n": 5})
def a_scalar_that_is_the_body(n: A[int, Body(embed=False)]): ...
@body("48", sent(data=b""), {"it": None})
@body("48", sent(data="null"), {"it": None})
@body("48", as_json({}), at("body", name="missing", price="missing"))
def an_optional_body(it: Item | None = None): ...
@body(
    "49",
    as_json([{"name": "x", "price": 1}, {"name": 1}]),
    [(["body", 1, "name"], "string_type"), (["body", 1, "price"], "missing")],
)
def a_list_in_the_body(l: list[Item]): ...  # noqa: E741
@body("50", as_json({"x": 2}), [(["body", "x", "[key]"], "int_parsing")])
def a_dict_in_the_body(w: dict[int, float]): ...
@body(
    "51",
    as_json({"items": [{"price": 1}], "by_key": {"k": {"name": "x"}}}),
    [
        (["body", "items", 0, "name"], "missing"),
        (["body", "by_key", "k", "price"], "missing"),
    ],
)
def models_in_a_model(n: Node): ...
@body("52", as_json({"kind": "emu"}), [(["body"], "union_tag_invalid")])
@body("52", as_json({"kind": "dog"}), [(["body", "dog", "b"], "missing")])
def a_discriminated_union(p: A[Cat | Dog, Body(discriminator="kind")]): ...
@body(
    "53",
    as_json({"day": "2020-02-29", "key": "12345678-1234-5678-1234-567812345678"}),
    {"s": {"day": "2020-02-29", "key": "12345678-1234-5678-1234-567812345678"}},
)
def a_strict_model(s: Exact): ...


# Forms and files


@form("54", as_form("u=a&n="), {"u": "a", "n": 5})
def a_blank_field_is_absent(u: A[str, Form()], n: A[int, Form()] = 5): ...
@form("55", as_form("n="), [(["form", "n"], "missing")])
def a_blank_required_field_is_missing(n: A[int, Form()]): ...
@form("56", as_form("u=a&t=x&t=y&zz=1"), {"m": {"u": "a", "n": 3, "t": ["x", "y"]}})
def a_form_model(m: A[Login, Form()]): ...
@form("57", as_form("u=a&zz=1"), [(["form", "zz"], "extra_forbidden")])
def a_form_model_that_forbids_extra_fields(m: A[LoginX, Form()]): ...
@form("58", as_form("n=z&s=1"), at("form", u="missing", n="int_parsing"))
def a_form_model_beside_a_field(m: A[Login, Form()], s: A[str, Form()]): ...
@form("59", as_multipart(), [(["file", "f"], "missing")])
@form("61", as_multipart(f="text"), [(["file", "f"], "is_instance_of")])
def a_required_file(f: FileStorage): ...
@form("60", as_multipart(f=lambda: a_file("", "")), {"f": None})
def an_optional_file(f: FileStorage | None = None): ...
@form(
    "62",
    as_multipart(f=lambda: [a_file("a"), a_file("b")]),
    [(["form", "tok"], "missing")],
)
def files_beside_a_field(f: list[FileStorage], tok: A[str, Form()]): ...


@pytest.mark.parametrize(NAMES, CASES)
def test_row(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


def test_row_7_is_described_with_the_variable_alone():
    app = Flask(__name__)
    app.get("/p/<path:k>")(a_path_in_the_path)
    app.init_app()

    description = app.test_client().get("/openapi.json").get_json()

    assert "/p/{k}" in description["paths"]


def test_row_17_gives_each_request_a_list_of_its_own():
    @functools.wraps(a_list_with_a_default)
    def change(l):  # noqa: E741
        l.append(8)
        return {"l": l}

    client = client_of(change, "/q")

    assert client.get("/q").get_json() == client.get("/q").get_json() == {"l": [7, 8]}


def test_row_29_has_a_context_that_is_json():
    response = client_of(shown(a_model_whose_validator_refuses), "/q").get("/q?a=1")

    assert response.get_json()["detail"] == [
        {
            "loc": ["query"],
            "msg": "Value error, no good",
            "type": "value_error",
            "ctx": {"error": "no good"},
        }
    ]


def test_row_60_takes_a_file_that_was_chosen():
    client = client_of(shown(an_optional_file), "/f", "POST")

    response = client.post("/f", data={"f": a_file("chosen")})

    assert response.get_json() == {"f": "chosen"}


@pytest.mark.parametrize("name", BODIES_OF_ROW_77)
def test_row_77_is_answered_in_json(name):
    client = client_of(shown(a_model_in_the_body), "/b", "POST")

    response = client.post("/b", **sent(data=BODIES_OF_ROW_77[name]))

    assert 400 <= response.status_code < 500
    assert json.loads(response.data)["detail"]


def test_row_80_asks_for_a_login_before_the_body_is_read():
    def login_required(view):
        @functools.wraps(view)
        def guarded(**arguments):
            abort(401)

        return guarded

    client = client_of(
        a_model_in_the_body, "/b", "POST", config={}, decorators=[login_required]
    )

    response = client.post("/b", data="{", content_type="application/json")

    assert response.status_code == 401
    assert response.get_json() == {"message": "Unauthorized"}
