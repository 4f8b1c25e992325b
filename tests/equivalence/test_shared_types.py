"""Arguments share what Pydantic made of the first, where they are alike."""

from __future__ import annotations

import json
import typing as t
from decimal import Decimal

import pytest
from annotated_types import Ge
from client import client_of, echo, refusals
from document import operation
from pydantic import BaseModel, Field

from flask_signature import Header, Query


class Filter(BaseModel):
    color: str = "red"


class Declared(t.NamedTuple):
    """The annotation of an argument and what stands after it."""

    annotation: t.Any
    default: t.Any


# Each stands beside others that compare equal to it in one way or the other.
ARGUMENTS = [
    Declared(int, Query()),
    Declared(int, Query(ge=1)),
    Declared(float, Query(ge=1)),
    Declared(float, Query(ge=1.0)),
    Declared(float, Query(gt=1)),
    Declared(float, Query(ge=-0.0)),
    Declared(float, Query(ge=0.0)),
    Declared(int | str, Query()),
    Declared(str | int, Query()),
    Declared(bool | str, Query()),
    Declared(int, Query(1)),
    Declared(int, Query(True)),
    Declared(t.Any, Query(1)),
    Declared(t.Any, Query(1.0)),
    Declared(int | None, Query()),
    Declared(int | None, Query(None)),
    Declared(int | None, None),
    Declared(str, Query("None")),
    Declared(t.Literal[1, "1"], Query(1)),
    Declared(t.Literal["1", 1], Query(1)),
    Declared(t.Literal["1"], Query("1")),
    Declared(t.Literal[1, 2], Query()),
    Declared(t.Literal[True, 2], Query()),
    Declared(list[int], Query(max_length=1)),
    Declared(set[int], Query(max_length=1)),
    Declared(list[int | None], Query()),
    Declared(str, Query(min_length=1)),
    Declared(str, Query(pattern="^1")),
    Declared(str, Query(pattern="^2")),
    Declared(str, Query(pattern="^1", min_length=1)),
    Declared(Decimal, Query(max_digits=1)),
    Declared(Decimal, Query(decimal_places=1)),
    Declared(t.Annotated[int, Ge(1)], Query()),
    Declared(t.Annotated[int, Field(ge=1)], 0),
    Declared(t.Annotated[int, Field(ge=1)], Query(0, validate_default=True)),
    Declared(int, Query(1, description="A number.")),
    Declared(int, Query(1, title="A number.")),
    Declared(int, Query(1, deprecated=True)),
    Declared(int, Query(1, examples=[1])),
    Declared(int, Query(1, json_schema_extra={"x-a": 1})),
    Declared(int, Query(1, strict=True)),
    Declared(int, Query(default_factory=lambda: 1)),
    Declared(list[int], Query([1])),
    Declared(int, Query(alias="other")),
    Declared(int, Query(serialization_alias="other")),
    Declared(int, Header(ge=1)),
]

VALUES = ["1", "0", "2", "1.0", "true", "", "x", None]


def views(declared: Declared) -> tuple[t.Any, t.Any]:
    """A view with the argument, and one with a model beside it.

    The types of the second are read for it alone.
    """

    def alone(value):
        return echo(value=value)

    def beside(value, extra):
        return echo(value=value)

    alone.__annotations__ = {"value": declared.annotation}
    alone.__defaults__ = (declared.default,)
    beside.__annotations__ = {"value": declared.annotation, "extra": Filter}
    beside.__defaults__ = (declared.default, Query())
    return alone, beside


@pytest.mark.parametrize("declared", ARGUMENTS, ids=repr)
def test_argument_reads_the_same_values_alone_and_beside_a_model(declared):
    client, other = map(client_of, views(declared))
    for value in VALUES:
        names = {} if value is None else {"value": value, "other": value}
        sent = {"query_string": names, "headers": names}
        one, two = client.get("/", **sent), other.get("/", **sent)
        assert (one.status, one.data) == (two.status, two.data)


@pytest.mark.parametrize("declared", ARGUMENTS, ids=repr)
def test_argument_is_described_the_same_alone_and_beside_a_model(declared, app):
    for view in views(declared):
        app.get(f"/{view.__name__}")(view)
    one = operation(app, "GET /alone")["parameters"]
    two = operation(app, "GET /beside")["parameters"]
    # Also in the same order.
    assert json.dumps(one) == json.dumps(two[:-1])


def test_two_names_of_one_type_are_refused_each_under_its_own():
    def view(first: int = Query(ge=1), second: int = Query(ge=1)) -> dict[str, t.Any]:
        return echo(first=first, second=second)

    client = client_of(view)

    assert client.get("/?first=1&second=2").get_json() == {"first": 1, "second": 2}
    assert refusals(client.get("/?first=0&second=0")) == [
        (["query", "first"], "greater_than_equal"),
        (["query", "second"], "greater_than_equal"),
    ]
