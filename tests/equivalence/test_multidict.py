"""What we read ourselves is what Werkzeug reads: queries, cookies, urlencoded forms."""

from __future__ import annotations

import io
import typing as t

import pytest
from draws import draws
from flask import Flask, Request
from hypothesis import example, given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import FileStorage, ImmutableMultiDict, MultiDict
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from flask_signature import Cookie, Form, Query
from flask_signature import Flask as OurFlask
from flask_signature._http.request import (
    cookie_items,
    file_items,
    form_items,
    query_items,
)

#: Texts of the kind that a parser may stumble over, as bytes in latin-1.
PIECES = st.one_of(
    st.sampled_from(["a", "b", "=", "&", ";", "+", "%", "%20", "%3D", "%26", "%C3%A9"]),
    st.sampled_from(
        ["%c3", "%FF", "%00", "%ED%A0%80", "%2", "%u00e9", "é", "\xc3\xa9"]
    ),
    st.sampled_from(
        ['"', "\\", r"\"", r"\054", "\t", " ", "\x1c", "\x85", "\x00", "a=1"]
    ),
    st.binary(max_size=4).map(lambda data: data.decode("latin-1")),
)
STRINGS = st.lists(PIECES, max_size=20).map("".join)


def request_of(**environ: t.Any) -> Request:
    return Request({"REQUEST_METHOD": "POST", "SERVER_NAME": "x", **environ})


def read(pairs: t.Callable[[], t.Iterable[t.Any]]) -> list[tuple[str, str]] | None:
    """The pairs by name, ``None`` for a text that can't be read.

    Werkzeug keeps the order of a name's values, and puts them all where the first is.
    """
    try:
        return sorted(pairs(), key=lambda pair: pair[0])
    except (BadRequest, UnicodeDecodeError):
        return None


@pytest.mark.drawn
@settings(max_examples=draws(500), deadline=None)
@given(text=STRINGS)
@example(text="a=1&b=2")
@example(text="b&a&b")
@example(text="a=%C3%A9+&+=%")
@example(text="a=%FF")
def test_a_query_is_read_as_werkzeug_does(text):
    environ = {"QUERY_STRING": text}

    ours = read(lambda: query_items(request_of(**environ)))

    assert ours == read(lambda: request_of(**environ).args.items(multi=True))


def test_a_query_that_the_server_leaves_out_is_empty():
    assert list(query_items(request_of())) == []


@pytest.mark.drawn
@settings(max_examples=draws(500), deadline=None)
@given(text=STRINGS)
@example(text="b=1; a=2; b=3")
@example(text="a=1; b=2;c = 3 ;;=x;d")
@example(text='a="1"; a=2; a=3')
@example(text='a="1; 2"; b')
@example(text=r'a="\054\"\342\202\254"')
def test_cookies_are_read_as_werkzeug_does(text):
    environ = {"HTTP_COOKIE": text}

    ours = read(lambda: cookie_items(request_of(**environ)))

    assert ours == read(lambda: request_of(**environ).cookies.items(multi=True))


def form_environ(text: str, content_type: str = "") -> dict[str, t.Any]:
    data = text.encode("latin-1")
    return {
        "CONTENT_TYPE": content_type or "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(data)),
        "wsgi.input": io.BytesIO(data),
    }


@pytest.mark.drawn
@settings(max_examples=draws(500), deadline=None)
@given(text=STRINGS)
@example(text="a=1&b=2")
@example(text="b&a&b")
@example(text="a=%C3%A9+&+=%")
@example(text="a=%FF")
@example(text="a=\xc3\xa9")
def test_a_form_is_read_as_werkzeug_does(text):
    request = request_of(**form_environ(text))

    ours = read(lambda: form_items(request))

    theirs = request_of(**form_environ(text))
    assert ours == read(lambda: theirs.form.items(multi=True))
    assert ours == read(lambda: request.form.items(multi=True))
    assert list(request.files) == []


@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-www-form-urlencoded; charset=utf-8",
        "APPLICATION/x-www-form-urlencoded",
        "application/json",
        "text/plain",
    ],
)
def test_a_form_of_another_spelling_is_read_as_werkzeug_does(content_type):
    environ = form_environ("a=1&a=2&b=%41", content_type)
    again = form_environ("a=1&a=2&b=%41", content_type)

    ours = list(form_items(request_of(**environ)))

    assert ours == list(request_of(**again).form.items(multi=True))


@pytest.mark.parametrize("before", ["form", "files", "values"])
def test_a_form_that_was_read_before_is_read_again(before):
    request = request_of(**form_environ("a=1"))
    getattr(request, before)

    assert list(form_items(request)) == [("a", "1")]


def test_a_form_whose_data_was_read_before_is_read_again():
    request = request_of(**form_environ("a=1"))
    request.get_data()

    assert list(form_items(request)) == [("a", "1")]


def test_a_form_that_is_too_large_is_judged_by_werkzeug():
    class Small(Request):
        max_form_memory_size = 2
        max_content_length = 100

    small = Small({"REQUEST_METHOD": "POST", **form_environ("a=1")})
    theirs = Small({"REQUEST_METHOD": "POST", **form_environ("a=1")})

    with Flask(__name__).app_context():
        assert outcome(lambda: list(form_items(small))) == outcome(
            lambda: list(theirs.form.items(multi=True))
        )


def test_a_form_that_is_longer_than_allowed_is_refused():
    class Small(Request):
        max_content_length = 2

    with pytest.raises(RequestEntityTooLarge):
        list(form_items(Small({"REQUEST_METHOD": "POST", **form_environ("a=1")})))


def outcome(read: t.Callable[[], t.Any]) -> t.Any:
    try:
        return read()
    except RequestEntityTooLarge:
        return RequestEntityTooLarge


# A class of requests that reads them in its own way.


class Folded(ImmutableMultiDict[str, str]):
    """Texts in upper case, whoever puts them in."""

    def __init__(self, mapping: t.Iterable[tuple[str, str]] = ()) -> None:
        super().__init__([(name, value.upper()) for name, value in mapping])


class OwnProperties(Request):
    @property
    def args(self) -> t.Any:
        return Folded(super().args.items(multi=True))

    @property
    def cookies(self) -> t.Any:
        return Folded([("c", "own"), *super().cookies.items(multi=True)])

    @property
    def form(self) -> t.Any:
        return Folded(super().form.items(multi=True))


class OwnStorage(Request):
    parameter_storage_class = Folded
    dict_storage_class = Folded


class OwnParser(FormDataParser):
    def parse(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
        stream, form, files = super().parse(*args, **kwargs)
        return stream, Folded(form.items(multi=True)), files


class OwnParserClass(Request):
    form_data_parser_class = OwnParser


class OwnParserMade(Request):
    def make_form_data_parser(self) -> FormDataParser:
        return OwnParser(cls=self.parameter_storage_class)


class OwnFiles(Request):
    @property
    def files(self) -> t.Any:
        return MultiDict({"f": FileStorage(io.BytesIO(b"own"), "f.txt")})


@pytest.mark.parametrize("request_class", [OwnProperties, OwnStorage])
def test_a_query_is_read_as_its_class_does(request_class):
    request = request_class({"REQUEST_METHOD": "GET", "QUERY_STRING": "a=x&a=y"})

    assert list(query_items(request)) == [("a", "X"), ("a", "Y")]


@pytest.mark.parametrize("request_class", [OwnProperties, OwnStorage])
def test_cookies_are_read_as_their_class_does(request_class):
    sent = request_class({"REQUEST_METHOD": "GET", "HTTP_COOKIE": "a=x; b=y"})
    own = [("c", "OWN")] if request_class is OwnProperties else []

    assert list(cookie_items(sent)) == [*own, ("a", "X"), ("b", "Y")]
    assert list(cookie_items(request_class({"REQUEST_METHOD": "GET"}))) == own


def test_what_a_request_was_given_is_read():
    request = request_of(QUERY_STRING="a=1", HTTP_COOKIE="a=1")
    request.args = MultiDict({"a": "2"})
    request.cookies = ImmutableMultiDict({"a": "3"})

    assert [*query_items(request)] == [("a", "2")]
    assert [*cookie_items(request)] == [("a", "3")]


@pytest.mark.parametrize(
    "request_class", [OwnProperties, OwnStorage, OwnParserClass, OwnParserMade]
)
def test_a_form_is_read_as_its_class_does(request_class):
    request = request_class({"REQUEST_METHOD": "POST", **form_environ("a=x&a=y")})

    with Flask(__name__).app_context():
        assert list(form_items(request)) == [("a", "X"), ("a", "Y")]


def test_files_are_read_as_their_class_does():
    request = OwnFiles({"REQUEST_METHOD": "POST", **form_environ("a=x")})

    with Flask(__name__).app_context():
        (name, file), *rest = file_items(request)

    assert (name, file.read(), rest) == ("f", b"own", [("a", "x")])


def test_the_request_class_of_an_application_is_what_reads():
    app = OurFlask(__name__)
    app.request_class = OwnProperties

    @app.post("/")
    def view(
        q: str = Query(), c: str = Cookie("none"), f: str = Form()
    ) -> dict[str, str]:
        return {"q": q, "c": c, "f": f}

    response = app.test_client().post("/?q=a", data={"f": "b"})

    assert response.get_json() == {"q": "A", "c": "OWN", "f": "B"}
