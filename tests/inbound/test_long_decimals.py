"""Decimals of a request have at most 4,300 digits, the exponent counted."""

from __future__ import annotations

import dataclasses
import json
import typing as t
from decimal import Decimal

import flask
import pytest
from client import client_of, echo, refusals
from flask.views import MethodView
from pydantic import BaseModel, ConfigDict, Field, Json, RootModel
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


class Infinite(BaseModel):
    model_config = ConfigDict(allow_inf_nan=True)
    n: Decimal
    others: list[Decimal] = []


PLACES: t.Final[dict[str, tuple[t.Any, t.Any]]] = {
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
    "body": (t.Annotated[Decimal, Body()], lambda n: {"json": {"x": n}}),
    "whole-body": (
        t.Annotated[Decimal, Body(embed=False)],
        lambda n: {"data": json.dumps(n), "content_type": "application/json"},
    ),
    "optional": (Decimal | None, lambda n: {"json": {"x": n}}),
    "union": (int | Decimal, lambda n: {"json": {"x": n}}),
    "alias": (Amount, lambda n: {"json": {"x": n}}),
    "constrained": (
        t.Annotated[Decimal, Field(lt=Decimal("1E9999999999"))],
        lambda n: {"json": {"x": n}},
    ),
    "strict": (t.Annotated[Decimal, Field(strict=True)], lambda n: {"json": {"x": n}}),
    "json": (Json[Decimal], lambda n: {"json": {"x": json.dumps(n)}}),
    "list": (list[Decimal], lambda n: {"json": [n]}),
    "dict": (dict[str, Decimal], lambda n: {"json": {"a": n}}),
    "keys": (dict[Decimal, int], lambda n: {"json": {n: 1}}),
    "tuple": (tuple[int, Decimal], lambda n: {"json": [1, n]}),
    "model": (Line, lambda n: {"json": {"n": n}}),
    "models": (Lines, lambda n: {"json": {"lines": [{"a": {"n": n}}]}}),
    "root-model": (Root, lambda n: {"json": {"x": n}}),
    "dataclass": (Row, lambda n: {"json": {"n": n}}),
    "typed-dict": (Entry, lambda n: {"json": {"n": n}}),
    "named-tuple": (Pair, lambda n: {"json": [n]}),
    "infinite": (Infinite, lambda n: {"json": {"n": n}}),
    "infinite-items": (Infinite, lambda n: {"json": {"n": "inf", "others": [n]}}),
    "infinite-field": (
        t.Annotated[Decimal, Field(allow_inf_nan=True)],
        lambda n: {"json": {"x": n}},
    ),
}


def types_of(response: t.Any) -> set[str]:
    assert response.status_code == 422, response.text
    return {entry["type"] for entry in response.json["detail"]}


@pytest.mark.parametrize("number", LONG)
@pytest.mark.parametrize(("annotation", "send"), PLACES.values(), ids=PLACES)
def test_decimal_with_too_many_digits_is_refused(annotation, send, number):
    def view(x):
        raise AssertionError

    view.__annotations__ = {"x": annotation}

    response = client_of(view, method="POST").post("/", **send(number))

    assert "decimal_max_digits" in types_of(response)


@pytest.mark.parametrize("number", LONG_ENOUGH)
@pytest.mark.parametrize(("annotation", "send"), PLACES.values(), ids=PLACES)
def test_decimal_with_fewer_digits_is_accepted(annotation, send, number):
    def view(x):
        return "read"

    view.__annotations__ = {"x": annotation}

    assert client_of(view, method="POST").post("/", **send(number)).text == "read"


@pytest.mark.parametrize("number", LONG)
def test_decimal_of_the_path_is_refused(number):
    def view(n: Decimal):
        raise AssertionError

    assert refusals(client_of(view, "/<n>").get(f"/{number}")) == [
        (["path", "n"], "decimal_max_digits")
    ]


def test_decimal_that_a_converter_makes_is_refused():
    class DecimalConverter(flask.Flask.url_map_class().converters["string"]):
        def to_python(self, value: str) -> Decimal:
            return Decimal(value)

    app = Flask(__name__)
    app.url_map.converters["decimal"] = DecimalConverter

    @app.get("/<decimal:n>")
    def view(n: Decimal) -> str:
        return str(n)

    client = app.test_client()
    assert client.get("/1.5").text == "1.5"
    assert refusals(client.get("/1E999999999")) == [
        (["path", "n"], "decimal_max_digits")
    ]


def test_place_of_a_long_decimal_in_a_union_is_named_by_its_types():
    def view(x: list[Decimal] | Decimal = Body(embed=True)):
        raise AssertionError

    client = client_of(view, method="POST")

    assert refusals(client.post("/", json={"x": "1E9999"})) == [
        (["body", "x", "list[decimal]"], "list_type"),
        (["body", "x", "decimal"], "decimal_max_digits"),
    ]


def test_long_decimal_among_many_is_refused():
    def view(lines: list[Line]):
        raise AssertionError

    lines = [{"n": "1"}] * 60_000 + [{"n": "1E999999999"}]

    assert client_of(view, method="POST").post("/", json=lines).status_code == 422


def test_limit_of_the_author_is_kept():
    def view(n: t.Annotated[Decimal, Query(max_digits=5_000)]):
        return echo(digits=len(n.as_tuple().digits))

    client = client_of(view)

    assert client.get("/", query_string={"n": "9" * 5_000}).json == {"digits": 5_000}
    assert types_of(client.get("/?n=1E5000")) == {"decimal_max_digits"}


def test_infinite_decimal_is_accepted_where_the_author_says_so():
    def view(model: Infinite):
        return echo(n=str(model.n))

    client = client_of(view, method="POST")

    assert client.post("/", json={"n": "Infinity"}).json == {"n": "Infinity"}
    assert client.post("/", json={"n": "NaN"}).json == {"n": "NaN"}


def find(n: Decimal) -> Decimal:
    raise AssertionError


def test_decimal_of_a_dependency_is_refused():
    def view(x: Decimal = Depends(find)):
        raise AssertionError

    assert types_of(client_of(view).get("/?n=1E9999")) == {"decimal_max_digits"}


def test_decimal_of_a_guard_is_refused():
    def view():
        raise AssertionError

    client = client_of(view, dependencies=[find])

    assert types_of(client.get("/?n=1E9999")) == {"decimal_max_digits"}


def test_decimal_of_a_method_is_refused():
    class View(MethodView):
        async def post(self, line: Line):
            raise AssertionError

    app = Flask(__name__)
    app.add_url_rule("/", view_func=View.as_view("view"))

    response = app.test_client().post("/", json={"n": "1E9999"})

    assert types_of(response) == {"decimal_max_digits"}


def test_decimal_in_a_blueprint_on_plain_flask_is_refused():
    app = flask.Flask(__name__)
    blueprint = Blueprint("lines", __name__)

    @blueprint.post("/")
    def view(line: Line):
        raise AssertionError

    app.register_blueprint(blueprint)

    response = app.test_client().post("/", json={"n": "1E9999"})

    assert types_of(response) == {"decimal_max_digits"}


def test_limit_is_not_described():
    def view(line: Line, n: t.Annotated[Decimal, Query()]):
        raise AssertionError

    client = client_of(view, method="POST", config={})
    document = client.get("/openapi.json").json

    (parameter,) = document["paths"]["/"]["post"]["parameters"]
    described = document["components"]["schemas"]["Line"]["properties"]["n"]
    assert described == parameter["schema"]
    assert {**described, "title": "N"} == Line.model_json_schema()["properties"]["n"]


class Prices(BaseModel):
    net: Amount
    gross: Amount = Decimal(0)
    more: list[Amount] = []


@pytest.mark.parametrize("field", ["net", "gross"])
def test_alias_that_is_used_twice_is_bounded_in_each_place(field):
    def view(prices: Prices):
        return echo(gross=str(prices.gross))

    client = client_of(view, method="POST")

    assert client.post("/", json={"net": 1, "gross": "1.5"}).json == {"gross": "1.5"}
    assert refusals(client.post("/", json={"net": 1, field: "1E9999"})) == [
        (["body", field], "decimal_max_digits")
    ]
