"""What we read ourselves is what Werkzeug reads: queries, cookies, urlencoded forms."""

from __future__ import annotations

import io
import typing as t
from operator import attrgetter, methodcaller

import pytest
from draws import draws
from flask import Flask, Request
from hypothesis import example, given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import FileStorage, ImmutableMultiDict, MultiDict
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from flask_signature import Cookie, Form, Query
from flask_signature._http.request import (
    cookie_items,
    file_items,
    form_items,
    query_items,
)
from flask_signature._inbound.readers import LOCATIONS, InputField, compile_reader
from flask_signature.params import Location

#: Texts of the kind that a parser may stumble over, as bytes in latin-1.
PIECES = st.one_of(
    st.sampled_from(["a", "b", "=", "&", ";", "+", "%", "%20", "%3D", "%26", "%C3%A9"]),
    st.sampled_from(["%c3", "%FF", "%00", "%ED%A0%80", "%2", "%u00e9"]),
    st.sampled_from(["é", "\xc3\xa9", '"', "\\", r"\"", r"\054", "\t", " ", "a=1"]),
    st.sampled_from(["\x1c", "\x85", "\x00"]),
    st.binary(max_size=4).map(lambda data: data.decode("latin-1")),
)
STRINGS = st.lists(PIECES, max_size=20).map("".join)


def request_of(request_class: type[Request] = Request, **environ: t.Any) -> Request:
    own = {"REQUEST_METHOD": "POST", "SERVER_NAME": "x", "wsgi.input": io.BytesIO()}
    return request_class({**own, **environ})


def read(pairs: t.Callable[[], t.Iterable[t.Any]]) -> list[tuple[str, str]] | None:
    """The pairs by name, ``None`` for a text that can't be read.

    Werkzeug keeps the order of a name's values, and puts them all where the first is.
    """
    try:
        return sorted(pairs(), key=lambda pair: pair[0])
    except (BadRequest, UnicodeDecodeError):
        return None


def form_environ(text: str, content_type: str = "") -> dict[str, t.Any]:
    data = text.encode("latin-1")
    return {
        "CONTENT_TYPE": content_type or "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(data)),
        "wsgi.input": io.BytesIO(data),
    }


#: What reads a text, where Werkzeug has it, and the environ that has the text.
READ: dict[Location, tuple[t.Any, str, t.Any]] = {
    Location.QUERY: (query_items, "args", lambda text: {"QUERY_STRING": text}),
    Location.COOKIE: (cookie_items, "cookies", lambda text: {"HTTP_COOKIE": text}),
    Location.FORM: (form_items, "form", form_environ),
}


@pytest.mark.parametrize("location", READ)
@pytest.mark.drawn
@settings(max_examples=draws(500), deadline=None)
@given(text=STRINGS)
@example(text="a=1&b=2")
@example(text="b&a&b")
@example(text="a=%C3%A9+&+=%")
@example(text="a=%FF")
@example(text="b=1; a=2; b=3")
@example(text="a=1; b=2;c = 3 ;;=x;d")
@example(text='a="1"; a=2; a=3')
@example(text='a="1; 2"; b')
@example(text=r'a="\054\"\342\202\254"')
@example(text="a=\xc3\xa9")
def test_each_is_read_as_werkzeug_does(location, text):
    read_items, name, environ_of = READ[location]
    request, theirs = (request_of(**environ_of(text)) for _ in range(2))

    ours = read(lambda: read_items(request))

    assert ours == read(lambda: getattr(theirs, name).items(multi=True))
    assert ours == read(lambda: getattr(request, name).items(multi=True))
    assert list(request.files) == []


def test_a_query_that_the_server_leaves_out_is_empty():
    assert list(query_items(request_of())) == []


OTHER_SPELLINGS = [
    "application/x-www-form-urlencoded; charset=utf-8",
    "APPLICATION/x-www-form-urlencoded",
    "application/json",
    "text/plain",
]


@pytest.mark.parametrize("content_type", OTHER_SPELLINGS)
def test_a_form_of_another_spelling_is_read_as_werkzeug_does(content_type):
    ours, theirs = (
        request_of(**form_environ("a=1&a=2&b=%41", content_type)) for _ in range(2)
    )

    assert list(form_items(ours)) == list(theirs.form.items(multi=True))


@pytest.mark.parametrize(
    "read_before",
    [*map(attrgetter, ("form", "files", "values")), methodcaller("get_data")],
    ids=str,
)
def test_a_form_that_was_read_before_is_read_again(read_before):
    request = request_of(**form_environ("a=1"))
    read_before(request)

    assert list(form_items(request)) == [("a", "1")]


def test_a_form_that_is_too_large_is_judged_by_werkzeug():
    class Small(Request):
        max_form_memory_size = 2
        max_content_length = 100

    def outcome(read: t.Callable[[Request], t.Any]) -> t.Any:
        with Flask(__name__).app_context():
            try:
                return list(read(request_of(Small, **form_environ("a=1"))))
            except RequestEntityTooLarge:
                return RequestEntityTooLarge

    assert outcome(form_items) == outcome(lambda item: item.form.items(multi=True))


def test_a_form_that_is_longer_than_allowed_is_refused():
    class Small(Request):
        max_content_length = 2

    with pytest.raises(RequestEntityTooLarge):
        list(form_items(request_of(Small, **form_environ("a=1"))))


# The fields of a view are read in one walk over the text.


FIELDS = (
    InputField("a", "a"),
    InputField("b", "b", many=True),
    InputField("c", "c", convert=str.upper),
    InputField("d", "d", many=True, convert=str.upper),
)
BLANK = InputField("blank", "")
PARTS = st.sampled_from([*"abcdx=&;+", "; ", "%20", "%C3%A9", '"'])


@pytest.mark.parametrize("location", READ)
@pytest.mark.parametrize("fields", [FIELDS, (*FIELDS, BLANK)], ids=["named", "blank"])
@pytest.mark.drawn
@settings(max_examples=draws(300), deadline=None)
@given(text=st.lists(PARTS, max_size=20).map("".join))
@example(text="a=1&a=2&b=1&b=2&c=x&c=y&d=x&d=y&e=1")
@example(text="a=1; a=2; b=1; b=2; c=x; c=y; d=x; d=y; e=1")
@example(text="&&=1&a")
@example(text="")
def test_fields_are_read_from_what_werkzeug_reads(location, fields, text):
    _, name, environ_of = READ[location]
    read_dict = compile_reader(
        lambda sent: getattr(sent, name).items(multi=True), fields
    )
    ours, theirs = (request_of(**environ_of(text)) for _ in range(2))

    found = LOCATIONS[location].compile_reader(fields)

    assert found(ours) == read_dict(theirs)


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


class OwnFiles(Request):
    @property
    def files(self) -> t.Any:
        return MultiDict({"f": FileStorage(io.BytesIO(b"own"), "f.txt")})


def test_each_is_read_as_its_class_does():
    own = {"QUERY_STRING": "a=x&a=y", "HTTP_COOKIE": "a=x; b=y"}
    sent = request_of(OwnProperties, **own, **form_environ("a=x&a=y"))

    with Flask(__name__).app_context():
        assert list(form_items(sent)) == [("a", "X"), ("a", "Y")]
    assert list(query_items(sent)) == [("a", "X"), ("a", "Y")]
    assert list(cookie_items(sent)) == [("c", "OWN"), ("a", "X"), ("b", "Y")]
    assert list(cookie_items(request_of(OwnProperties))) == [("c", "OWN")]


def test_what_a_request_was_given_is_read():
    request = request_of(QUERY_STRING="a=1", HTTP_COOKIE="a=1")
    request.args = MultiDict({"a": "2"})
    request.cookies = ImmutableMultiDict({"a": "3"})

    assert [*query_items(request)] == [("a", "2")]
    assert [*cookie_items(request)] == [("a", "3")]
    for location, value in ((Location.QUERY, "2"), (Location.COOKIE, "3")):
        assert LOCATIONS[location].compile_reader(FIELDS)(request) == {"a": value}


def test_files_are_read_as_their_class_does():
    with Flask(__name__).app_context():
        (name, file), *rest = file_items(request_of(OwnFiles, **form_environ("a=x")))

    assert (name, file.read(), rest) == ("f", b"own", [("a", "x")])


def test_the_request_class_of_an_application_is_what_reads(app, client):
    app.request_class = OwnProperties

    @app.post("/")
    def view(
        q: str = Query(), c: str = Cookie("none"), f: str = Form()
    ) -> dict[str, str]:
        return {"q": q, "c": c, "f": f}

    response = client.post("/?q=a", data={"f": "b"})

    assert response.get_json() == {"q": "A", "c": "OWN", "f": "B"}
