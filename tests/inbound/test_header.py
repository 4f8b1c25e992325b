"""Arguments that are read from headers."""

import typing as t

import pytest
from client import client_of, echo, refusals, taking
from pydantic import BaseModel, Field
from rows import NAMES, Rows, at, check_row

from flask_signature import Header


@pytest.mark.parametrize(
    ("marker", "name"),
    [
        (Header(), "X-Token"),
        (Header(alias="x-TOKEN"), "x-TOKEN"),
        (Header(convert_underscores=False), "x_token"),
    ],
    ids=["argument", "alias", "underscores"],
)
def test_header_is_named_after_the_argument_or_its_alias(marker, name):
    def view(x_token: str = marker):
        return echo(x=x_token)

    client = client_of(view)
    assert client.get("/", headers={"X-Token": "a"}).json == {"x": "a"}
    assert client.get("/", headers={"x-token": "a"}).json == {"x": "a"}
    assert refusals(client.get("/")) == [(["header", name], "missing")]


def test_header_that_repeats_is_one_text_where_one_is_asked_for():
    client = client_of(taking(str, Header()))
    answer = client.get("/", headers=[("X", "a"), ("X", "b")])

    assert answer.json["x"].replace(" ", "") == "a,b"


class Conditions(BaseModel):
    if_match: list[str] = []
    max_age: int = Field(60, ge=0)
    trace: str | None = Field(None, alias="X-B3")


class Keys(BaseModel):
    api_key: int


ROWS = Rows()
get, post = ROWS.of("GET /"), ROWS.of("POST /")


@post(
    {"data": "abc", "content_type": "text/x-abc"},
    {"content_type": "text/x-abc", "content_length": 3, "host": "localhost"},
)
@post(
    {"environ_overrides": {"CONTENT_TYPE": ""}},
    {"content_type": "none", "content_length": 0, "host": "localhost"},
)
def header_may_be_one_that_wsgi_keeps_apart(
    content_type: str = Header("none"),
    content_length: int = Header(0),
    host: str = Header(),
): ...
@get(
    {"headers": {"If-Match": '"a", "b"', "Max-Age": "5", "x-b3": "t"}},
    {"c": {"if_match": ["a", "b"], "max_age": 5, "X-B3": "t"}},
)
@get({"headers": {"Max-Age": "-1"}}, at("header", **{"Max-Age": "greater_than_equal"}))
def model_takes_one_header_per_field(c: t.Annotated[Conditions, Header()]): ...
@get({"headers": {"Api-Key": "1"}}, {"x": {"api_key": 1}})
@get("", at("header", api_key="missing"))
def model_may_keep_its_underscores(
    x: t.Annotated[Keys, Header(convert_underscores=False)],
): ...


@pytest.mark.parametrize(NAMES, ROWS)
def test_arguments_are_read_from_headers(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


def test_a_model_may_take_all_of_them():
    class All(BaseModel, extra="allow"):
        x_one: int

    def view(a: t.Annotated[All, Header()], x_two: int = Header()):
        return echo(a=a)

    answer = client_of(view).get(
        "/", headers={"X-One": "1", "X-Two": "2", "X-Six": "6"}
    )

    assert answer.json == {
        "a": {
            "x_one": 1,
            "x_six": "6",
            "host": "localhost",
            "user_agent": answer.request.headers["User-Agent"],
        }
    }
