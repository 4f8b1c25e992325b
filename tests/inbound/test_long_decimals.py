"""Decimals of a request have at most 4,300 digits, the exponent counted."""

from __future__ import annotations

import dataclasses
import json
import typing as t
from decimal import Decimal

import flask
import pytest
from client import client_of, echo, refusals, taking
from document import describe, schema_of
from flask.views import MethodView
from pydantic import BaseModel, Field, Json, RootModel
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Blueprint, Body, Cookie, Depends, Flask, Form, Header, Query

LONG: t.Final = [
    *("1E999999999", "-1E999999999", "1E-999999999", "1E4300", "1E-4301"),
    *("0E999999999", "0E-999999999", "9" * 4301, "0." + "1" * 4301),
]
LONG_ENOUGH: t.Final = ["1E4299", "1E-4300", "-1E+4299", "9" * 4300, "0", "1.5", "1e5"]

Amount = TypeAliasType("Amount", Decimal)


class Line(BaseModel):
    n: Decimal


class Lines(BaseModel):
    lines: list[dict[str, Line]]
    more: Lines | None = None


class Root(RootModel[Decimal]):
    """A model that is one."""


@dataclasses.dataclass
class Row:
    n: Decimal


class Entry(TypedDict):
    n: Decimal


class Pair(t.NamedTuple):
    n: Decimal


class Infinite(BaseModel, allow_inf_nan=True):
    n: Decimal
    others: list[Decimal] = []


def as_json(value: t.Any) -> dict[str, t.Any]:
    return {"data": json.dumps(value), "content_type": "application/json"}


BOUNDED = t.Annotated[Decimal, Field(lt=Decimal("1E9999999999"))]
#: A type, and how a request that holds a number is sent.
PLACES: t.Final[dict[str, tuple[t.Any, t.Callable[[str], dict[str, t.Any]]]]] = {
    "query": (t.Annotated[Decimal, Query()], lambda n: {"query_string": {"x": n}}),
    "query-list": (
        t.Annotated[list[Decimal], Query()],
        lambda n: {"query_string": {"x": n}},
    ),
    "query-model": (t.Annotated[Line, Query()], lambda n: {"query_string": {"n": n}}),
    "header": (t.Annotated[Decimal, Header()], lambda n: {"headers": {"X": n}}),
    "header-list": (
        t.Annotated[list[Decimal], Header()],
        lambda n: {"headers": {"X": n}},
    ),
    "cookie": (
        t.Annotated[Decimal, Cookie()],
        lambda n: {"headers": {"Cookie": f"x={n}"}},
    ),
    "form": (t.Annotated[Decimal, Form()], lambda n: {"data": {"x": n}}),
    "form-model": (t.Annotated[Line, Form()], lambda n: {"data": {"n": n}}),
    "body": (t.Annotated[Decimal, Body()], lambda n: as_json({"x": n})),
    "whole-body": (t.Annotated[Decimal, Body(embed=False)], as_json),
    "optional": (Decimal | None, lambda n: as_json({"x": n})),
    "union": (int | Decimal, lambda n: as_json({"x": n})),
    "alias": (Amount, lambda n: as_json({"x": n})),
    "constrained": (BOUNDED, lambda n: as_json({"x": n})),
    "strict": (t.Annotated[Decimal, Field(strict=True)], lambda n: as_json({"x": n})),
    "json": (Json[Decimal], lambda n: as_json({"x": json.dumps(n)})),
    "list": (list[Decimal], lambda n: as_json([n])),
    "dict": (dict[str, Decimal], lambda n: as_json({"a": n})),
    "keys": (dict[Decimal, int], lambda n: as_json({n: 1})),
    "tuple": (tuple[int, Decimal], lambda n: as_json([1, n])),
    "model": (Line, lambda n: as_json({"n": n})),
    "models": (Lines, lambda n: as_json({"lines": [{"a": {"n": n}}]})),
    "root-model": (Root, lambda n: as_json({"x": n})),
    "dataclass": (Row, lambda n: as_json({"n": n})),
    "typed-dict": (Entry, lambda n: as_json({"n": n})),
    "named-tuple": (Pair, lambda n: as_json([n])),
    "infinite": (Infinite, lambda n: as_json({"n": n})),
    "infinite-items": (Infinite, lambda n: as_json({"n": "inf", "others": [n]})),
    "infinite-field": (
        t.Annotated[Decimal, Field(allow_inf_nan=True)],
        lambda n: as_json({"x": n}),
    ),
}


def types_of(response: t.Any) -> set[str]:
    assert response.status_code == 422, response.text
    return {entry["type"] for entry in response.json["detail"]}


@pytest.mark.parametrize("number", LONG)
@pytest.mark.parametrize(("annotation", "send"), PLACES.values(), ids=PLACES)
def test_decimal_with_too_many_digits_is_refused(annotation, send, number):
    response = client_of(taking(annotation), method="POST").post("/", **send(number))

    assert "decimal_max_digits" in types_of(response)


@pytest.mark.parametrize("number", LONG_ENOUGH)
@pytest.mark.parametrize(("annotation", "send"), PLACES.values(), ids=PLACES)
def test_decimal_with_fewer_digits_is_accepted(annotation, send, number):
    given: list[t.Any] = []
    client = client_of(taking(annotation, given=given), method="POST")

    assert client.post("/", **send(number)).status_code == 201
    assert len(given) == 1


@pytest.mark.parametrize("number", LONG)
def test_decimal_of_the_path_is_refused(number):
    refused = client_of(taking(Decimal), "/<x>").get(f"/{number}")

    assert refusals(refused) == [(["path", "x"], "decimal_max_digits")]


def test_decimal_that_a_converter_makes_is_refused():
    class DecimalConverter(flask.Flask.url_map_class().converters["string"]):
        def to_python(self, value: str) -> Decimal:
            return Decimal(value)

    app = Flask(__name__)
    app.url_map.converters["decimal"] = DecimalConverter

    app.get("/<decimal:x>")(taking(Decimal))

    client = app.test_client()
    assert client.get("/1.5").json == {"x": "1.5"}
    refused = client.get("/1E999999999")
    assert refusals(refused) == [(["path", "x"], "decimal_max_digits")]


def test_place_of_a_long_decimal_in_a_union_is_named_by_its_types():
    client = client_of(taking(list[Decimal] | Decimal, Body(embed=True)), "/", "POST")

    assert refusals(client.post("/", json={"x": "1E9999"})) == [
        (["body", "x", "list[decimal]"], "list_type"),
        (["body", "x", "decimal"], "decimal_max_digits"),
    ]


def test_long_decimal_among_many_is_refused():
    lines = [{"n": "1"}] * 60_000 + [{"n": "1E999999999"}]

    response = client_of(taking(list[Line]), method="POST").post("/", json=lines)

    assert response.status_code == 422


def test_limit_of_the_author_is_kept():
    def view(n: t.Annotated[Decimal, Query(max_digits=5_000)]):
        return echo(digits=len(n.as_tuple().digits))

    client = client_of(view)
    assert client.get("/", query_string={"n": "9" * 5_000}).json == {"digits": 5_000}
    assert types_of(client.get("/?n=1E5000")) == {"decimal_max_digits"}


@pytest.mark.parametrize("number", ["Infinity", "NaN"])
def test_infinite_decimal_is_accepted_where_the_author_says_so(number):
    client = client_of(taking(Infinite), method="POST")

    assert client.post("/", json={"n": number}).json["x"]["n"] == number


def find(n: Decimal) -> Decimal:
    raise AssertionError


@pytest.mark.parametrize(
    ("default", "options"),
    [(Depends(find), {}), (None, {"dependencies": [find]})],
    ids=["dependency", "guard"],
)
def test_decimal_of_a_dependency_is_refused(default, options):
    client = client_of(taking(Decimal, default), **options)

    assert types_of(client.get("/?n=1E9999")) == {"decimal_max_digits"}


class AsynchronousMethod(MethodView):
    async def post(self, line: Line):
        raise AssertionError


@pytest.mark.parametrize(
    ("make", "view"),
    [(Flask, AsynchronousMethod.as_view("view")), (flask.Flask, taking(Line))],
    ids=["method", "plain-flask"],
)
def test_decimal_of_a_view_in_a_blueprint_is_refused(make, view):
    app, bp = make(__name__), Blueprint("lines", __name__)
    bp.add_url_rule("/", view_func=view, methods=["POST"])
    app.register_blueprint(bp)

    response = app.test_client().post("/", json={"n": "1E9999"})

    assert types_of(response) == {"decimal_max_digits"}


def test_limit_is_not_described(app):
    @app.post("/")
    def view(line: Line, n: t.Annotated[Decimal, Query()]):
        raise AssertionError

    schema = schema_of(app, "POST /")
    described = describe(app)["components"]["schemas"]["Line"]["properties"]["n"]
    assert described == schema
    assert {**described, "title": "N"} == Line.model_json_schema()["properties"]["n"]


class Prices(BaseModel):
    net: Amount
    gross: Amount = Decimal(0)
    more: list[Amount] = []


@pytest.mark.parametrize("field", ["net", "gross"])
def test_alias_that_is_used_twice_is_bounded_in_each_place(field):
    client = client_of(taking(Prices), method="POST")

    read = client.post("/", json={"net": 1, "gross": "1.5"})
    assert read.json["x"]["gross"] == "1.5"
    assert refusals(client.post("/", json={"net": 1, field: "1E9999"})) == [
        (["body", field], "decimal_max_digits")
    ]
