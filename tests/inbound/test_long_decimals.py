"""Decimals of a request have at most 4,300 digits, the exponent counted."""

from __future__ import annotations

import json
import typing as t
from decimal import Decimal

import flask
import pytest
from client import client_of, echo, refusals, taking
from document import describe, schema_of
from flask.views import MethodView
from models import containers_of
from pydantic import BaseModel, Field, Json
from typing_extensions import TypeAliasType

from flask_signature import Blueprint, Body, Cookie, Depends, Flask, Form, Header, Query

LONG: t.Final = [
    *("1E999999999", "-1E999999999", "1E-999999999", "1E4300", "1E-4301"),
    *("0E999999999", "0E-999999999", "9" * 4301, "0." + "1" * 4301),
]
LONG_ENOUGH: t.Final = ["1E4299", "1E-4300", "-1E+4299", "9" * 4300, "0", "1.5", "1e5"]


class Line(BaseModel):
    n: Decimal


class Infinite(BaseModel, allow_inf_nan=True):
    n: Decimal
    others: list[Decimal] = []


def as_json(value: t.Any) -> dict[str, t.Any]:
    return {"data": json.dumps(value), "content_type": "application/json"}


Amount = TypeAliasType("Amount", Decimal)


class Prices(BaseModel):
    net: Amount
    gross: Amount = Decimal(0)
    more: list[Amount] = []


def query(n: str) -> dict[str, t.Any]:
    return {"query_string": {"x": n, "n": n}}


def header(n: str) -> dict[str, t.Any]:
    return {"headers": {"X": n, "Cookie": f"x={n}"}}


def form(n: str) -> dict[str, t.Any]:
    return {"data": {"x": n, "n": n}}


def key(n: str) -> dict[str, t.Any]:
    return as_json({"x": n})


#: A type, and how a request that holds a number is sent.
PLACES: t.Final[dict[str, tuple[t.Any, t.Callable[[str], dict[str, t.Any]]]]] = {
    "query": (t.Annotated[Decimal, Query()], query),
    "query-list": (t.Annotated[list[Decimal], Query()], query),
    "query-model": (t.Annotated[Line, Query()], query),
    "header": (t.Annotated[Decimal, Header()], header),
    "header-list": (t.Annotated[list[Decimal], Header()], header),
    "cookie": (t.Annotated[Decimal, Cookie()], header),
    "form": (t.Annotated[Decimal, Form()], form),
    "form-model": (t.Annotated[Line, Form()], form),
    "body": (t.Annotated[Decimal, Body()], key),
    "whole-body": (t.Annotated[Decimal, Body(embed=False)], as_json),
    "number": (int | Decimal, key),
    "constrained": (t.Annotated[Decimal, Field(lt=Decimal("1E9999999999"))], key),
    "strict": (t.Annotated[Decimal, Field(strict=True)], key),
    "json": (Json[Decimal], lambda n: key(json.dumps(n))),
    "keys": (dict[Decimal, int], lambda n: as_json({n: 1})),
    "tuple": (tuple[int, Decimal], lambda n: as_json([1, n])),
    "infinite": (Infinite, lambda n: as_json({"n": n})),
    "infinite-items": (Infinite, lambda n: as_json({"n": "inf", "others": [n]})),
    "infinite-field": (t.Annotated[Decimal, Field(allow_inf_nan=True)], key),
}
#: What holds a number in JSON, if not its key.
HELD: t.Final[dict[str, t.Callable[[str], t.Any]]] = {
    "list": lambda n: [n],
    "dict": lambda n: {"a": n},
    "model": lambda n: {"value": n},
    "models": lambda n: {"models": {"a": [{"value": n}]}},
    "dataclass": lambda n: {"value": n},
    "typed-dict": lambda n: {"value": n},
    "named-tuple": lambda n: [n],
    "union": lambda n: {"kind": "first", "value": n},
    "tagged-union": lambda n: {"kind": "first", "value": n},
}
for name, tp in containers_of(Decimal).items():
    hold = HELD.get(name, lambda n: {"x": n})
    PLACES[name] = (tp, lambda n, hold=hold: as_json(hold(n)))


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


def test_decimal_that_a_converter_makes_is_refused(app, client):
    class DecimalConverter(flask.Flask.url_map_class().converters["string"]):
        def to_python(self, value: str) -> Decimal:
            return Decimal(value)

    app.url_map.converters["decimal"] = DecimalConverter
    app.get("/<decimal:x>")(taking(Decimal))
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


@pytest.mark.parametrize("field", ["net", "gross"])
def test_alias_that_is_used_twice_is_bounded_in_each_place(field):
    client = client_of(taking(Prices), method="POST")

    read = client.post("/", json={"net": 1, "gross": "1.5"})
    assert read.json["x"]["gross"] == "1.5"
    assert refusals(client.post("/", json={"net": 1, field: "1E9999"})) == [
        (["body", field], "decimal_max_digits")
    ]
