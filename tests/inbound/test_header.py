"""Arguments that are read from headers."""

import typing as t

import pytest
from client import client_of, echo, refusals, taking
from pydantic import BaseModel, Field

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


def test_header_may_be_one_that_wsgi_keeps_apart():
    def view(
        content_type: str = Header("none"),
        content_length: int = Header(0),
        host: str = Header(),
    ):
        return echo(type=content_type, length=content_length, host=host)

    client = client_of(view, "/", "POST", status_code=200)
    answer = client.post("/", data="abc", content_type="text/x-abc")
    assert answer.json == {"type": "text/x-abc", "length": 3, "host": "localhost"}
    answer = client.post("/", environ_overrides={"CONTENT_TYPE": ""})
    assert answer.json == {"type": "none", "length": 0, "host": "localhost"}


def test_header_that_repeats_is_one_text_where_one_is_asked_for():
    client = client_of(taking(str, Header()))
    answer = client.get("/", headers=[("X", "a"), ("X", "b")])

    assert answer.json["x"].replace(" ", "") == "a,b"


def test_model_takes_one_header_per_field():
    class Conditions(BaseModel):
        if_match: list[str] = []
        max_age: int = Field(60, ge=0)
        trace: str | None = Field(None, alias="X-B3")

    def view(c: t.Annotated[Conditions, Header()]):
        return c.model_dump()

    client = client_of(view)

    headers = {"If-Match": '"a", "b"', "Max-Age": "5", "x-b3": "t"}
    assert client.get("/", headers=headers).json == {
        "if_match": ["a", "b"],
        "max_age": 5,
        "trace": "t",
    }
    refused = client.get("/", headers={"Max-Age": "-1"})
    assert refusals(refused) == [(["header", "Max-Age"], "greater_than_equal")]


def test_a_model_may_keep_its_underscores():
    class Keys(BaseModel):
        api_key: int

    view = taking(t.Annotated[Keys, Header(convert_underscores=False)])
    client = client_of(view)
    assert client.get("/", headers={"Api-Key": "1"}).json == {"x": {"api_key": 1}}
    assert refusals(client.get("/")) == [(["header", "api_key"], "missing")]


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
