"""What is read in fewer steps is what the general readers read."""

from __future__ import annotations

import io
import typing as t

import pytest
from flask import Request
from hypothesis import example
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st
from pydantic import BaseModel
from werkzeug.exceptions import HTTPException

from flask_signature import Cookie
from flask_signature import Flask
from flask_signature import Header
from flask_signature._inbound.extract import InputField
from flask_signature._inbound.extract import collect
from flask_signature._inbound.locations import LOCATIONS
from flask_signature._inbound.usual import compile_read
from flask_signature.params import Location

FIELDS = (
    InputField("a", "a"),
    InputField("b", "b", many=True),
    InputField("c", "c", convert=str.upper),
    InputField("d", "d", many=True, convert=str.upper),
)
BLANK = InputField("blank", "")
ENVIRON_KEYS = {Location.QUERY: "QUERY_STRING", Location.COOKIE: "HTTP_COOKIE"}
PIECES = st.sampled_from([*"abcdx=&;+", "; ", "%20", "%C3%A9", '"'])


def request_of(**environ: t.Any) -> Request:
    return Request({"REQUEST_METHOD": "POST", "SERVER_NAME": "x", **environ})


def strings_of(request: Request, location: Location) -> t.Any:
    return request.args if location is Location.QUERY else request.cookies


@pytest.mark.parametrize("location", ENVIRON_KEYS)
@pytest.mark.parametrize("fields", [FIELDS, (*FIELDS, BLANK)], ids=["named", "blank"])
@settings(max_examples=300, deadline=None)
@given(text=st.lists(PIECES, max_size=20).map("".join))
@example(text="a=1&a=2&b=1&b=2&c=x&c=y&d=x&d=y&e=1")
@example(text="a=1; a=2; b=1; b=2; c=x; c=y; d=x; d=y; e=1")
@example(text="&&=1&a")
@example(text="")
def test_fields_are_read_from_what_werkzeug_reads(location, fields, text):
    environ = {ENVIRON_KEYS[location]: text}
    compile_reader = LOCATIONS[location].compile_reader

    found = compile_reader(fields)(request_of(**environ))

    strings = strings_of(request_of(**environ), location)
    by_name = {field.name: field for field in fields}
    assert found == collect(strings.items(multi=True), by_name)


@pytest.mark.parametrize("location", ENVIRON_KEYS)
def test_strings_that_a_request_was_given_are_read(location):
    request = request_of(QUERY_STRING="a=1", HTTP_COOKIE="a=1")
    request.args = request.cookies = type(request.args)({"a": "2"})
    compile_reader = LOCATIONS[location].compile_reader
    assert compile_reader(FIELDS)(request) == {"a": "2"}


class Item(BaseModel):
    name: t.Any
    price: float = 0


def outcome(read: t.Any, request: Request, view_args: dict[str, t.Any]) -> t.Any:
    try:
        return repr(read(request, view_args))
    except HTTPException as error:
        return type(error), error.code, getattr(error, "errors", None)


def plan_of(view: t.Callable[..., t.Any], rule: str, method: str) -> t.Any:
    app = Flask("usual")
    app.route(rule, methods=[method])(view)
    (operation,) = app._operations
    return operation.inbound


def read_whole(item: Item): ...
def read_keys(item: Item, other: Item | None = None): ...
def read_optional(item: Item | None = None): ...


@pytest.mark.parametrize("view", [read_whole, read_keys, read_optional])
@pytest.mark.parametrize("passed", [{}, {"item": 1}, {"other": 1}, {"unknown": 1}])
@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; a=b", "text/plain", ""]
)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"name":"Chair","price":2}',
        b'{"name":"NaN and Infinity"}',
        b'{"name":NaN}',
        b'{"name":"N","price":Infinity}',
        b'{"name":"I","price":"many"}',
        b'{"price":-1}',
        b'{"item":{"name":1}}',
        b'{"name":"' + b"x" * 20_000 + b'"}',
        b"{",
    ],
)
def test_a_json_body_is_read_as_the_plan_reads_it(view, passed, content_type, body):
    plan = plan_of(view, "/", "POST")
    requests = [
        request_of(
            CONTENT_TYPE=content_type,
            CONTENT_LENGTH=str(len(body)),
            **{"wsgi.input": io.BytesIO(body)},
        )
        for _ in range(4)
    ]
    read = compile_read(plan)
    known = [outcome(plan.read, request, passed) for request in requests[:2]]
    assert read != plan.read
    assert [outcome(read, request, passed) for request in requests[2:]] == known


def read_strings(
    number: float, q: str, page: int = 1, token: str = Header(), a: str = Cookie("x")
): ...


@pytest.mark.parametrize("passed", [{}, {"number": 1}, {"number": 1, "q": "y"}])
@pytest.mark.parametrize("query", ["", "q=x", "q=x&page=y", "q=" + "x" * 20_000])
@pytest.mark.parametrize("token", [{}, {"HTTP_TOKEN": "t"}, {"HTTP_TOKEN": ""}])
def test_strings_are_read_as_the_plan_reads_them(passed, query, token):
    plan = plan_of(read_strings, "/<int:number>", "GET")
    request = request_of(QUERY_STRING=query, **token)
    read = compile_read(plan)
    assert read != plan.read
    for _ in range(2):
        assert outcome(read, request, passed) == outcome(plan.read, request, passed)
