"""The values of a location are those of the names and values that Werkzeug reads."""

from __future__ import annotations

import typing as t

import pytest
from draws import draws
from flask import Request
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flask_signature._inbound.readers import LOCATIONS, InputField, compile_reader
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
@pytest.mark.drawn
@settings(max_examples=draws(300), deadline=None)
@given(text=st.lists(PIECES, max_size=20).map("".join))
@example(text="a=1&a=2&b=1&b=2&c=x&c=y&d=x&d=y&e=1")
@example(text="a=1; a=2; b=1; b=2; c=x; c=y; d=x; d=y; e=1")
@example(text="&&=1&a")
@example(text="")
def test_fields_are_read_from_what_werkzeug_reads(location, fields, text):
    environ = {ENVIRON_KEYS[location]: text}
    read_strings = compile_reader(
        lambda request: strings_of(request, location).items(multi=True), fields
    )

    found = LOCATIONS[location].compile_reader(fields)(request_of(**environ))

    assert found == read_strings(request_of(**environ))


@pytest.mark.parametrize("location", ENVIRON_KEYS)
def test_strings_that_a_request_was_given_are_read(location):
    request = request_of(QUERY_STRING="a=1", HTTP_COOKIE="a=1")
    request.args = request.cookies = type(request.args)({"a": "2"})
    read = LOCATIONS[location].compile_reader(FIELDS)
    assert read(request) == {"a": "2"}
