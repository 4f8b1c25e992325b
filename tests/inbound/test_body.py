"""Arguments that are read from the body."""

import dataclasses
import datetime
import json
import typing as t

import pytest
from client import client_of, echo, refusals, taking
from flask import request
from flask.testing import FlaskClient
from models import User
from pydantic import Base64Bytes, BaseModel, Field
from rows import NAMES, Rows, at, check_row

from flask_signature import Body, Cookie, Flask, Header, Query


class Item(BaseModel):
    name: str
    price: float = 1


ITEM = {"name": "a", "price": 2}
TEXT = '{"name": "a", "price": 2}'

#: The test client takes ``json=None`` for no body.
NULL: t.Any = {"data": "null", "content_type": "application/json"}


def client_taking(
    annotation: t.Any, default: t.Any = ..., *, config: t.Any = None
) -> FlaskClient:
    """A client of a view that reads ``x`` for POST."""
    return client_of(taking(annotation, default), "/", "POST", config=config)


def message_of(answer: t.Any) -> str:
    """Why a content type is refused."""
    assert answer.status_code == 415
    assert set(answer.json) == {"message"}
    return t.cast("str", answer.json["message"])


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_body_is_where_methods_with_a_body_read_their_arguments(method):
    def view(n: int, s: str = "d"):
        return echo(n=n, s=s)

    client = client_of(view, "/", method, status_code=200)
    read = client.open("/", method=method, json={"n": 1})
    assert read.json == {"n": 1, "s": "d"}
    refused = client.open("/?n=1", method=method, json={})
    assert refusals(refused) == [(["body", "n"], "missing")]


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS"])
def test_body_may_be_asked_for_by_other_methods(method):
    view = taking(t.Annotated[Item, Body()])
    client = client_of(view, "/", method, status_code=200)

    assert client.open("/", method=method, json=ITEM).json == {"x": ITEM}


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Closed(BaseModel, extra="forbid"):
    a: int


class Aliased(BaseModel, populate_by_name=True):
    unit_price: float = Field(alias="unitPrice")


class TestWholeBody:
    @pytest.mark.parametrize(
        ("annotation", "sent"),
        [
            (Item, ITEM),
            (Point, {"x": 1, "y": 0}),
            (list[Item], [ITEM]),
            (list[int], [1, 2]),
            (set[int], [1]),
            (tuple[int, str], [1, "a"]),
            (dict[str, int], {"a": 1}),
            (dict[str, Item], {"a": ITEM}),
            (Item | list[Item], [ITEM]),
            (Item | None, None),
            (list[dict[str, list[int]]], [{"a": [1]}]),
        ],
        ids=str,
    )
    def test_whole_body_is_what_is_alone_and_no_scalar(self, annotation, sent):
        sent_as = {"data": json.dumps(sent), "content_type": "application/json"}

        assert client_taking(annotation).post("/", **sent_as).json == {"x": sent}

    @pytest.mark.parametrize("default", [None, Item(name="d")])
    def test_whole_body_that_is_absent_is_its_default(self, default):
        client = client_taking(Item | None, default)

        assert client.post("/").json == echo(x=default)
        assert client.post("/", json=ITEM).json == {"x": ITEM}
        assert client.post("/", **NULL).json == {"x": None}

    def test_whole_body_that_is_absent_has_a_default_of_its_own_each_time(self):
        def view(items: list[int] = Body(default_factory=list)):
            items.append(1)
            return echo(items=items)

        client = client_of(view, "/", "POST")
        assert client.post("/").json == {"items": [1]}
        assert client.post("/").json == {"items": [1]}


ROWS = Rows()
post = ROWS.of("POST /")


@post({"json": 5}, {"x": 5})
@post({"json": 0}, [(["body"], "greater_than_equal")])
@post({"json": {"x": 5}}, [(["body"], "int_type")])
def whole_body_is_a_scalar_where_it_says_so(
    x: t.Annotated[int, Body(embed=False, ge=1)],
): ...
@post({"content_type": "text/plain"}, {"x": None})
def whole_body_that_is_absent_needs_no_content_type(x: Item | None = None): ...
@post(NULL, [(["body"], "model_type")])
def null_is_no_model(x: Item): ...
@post({"json": {"a": 1, "b": 2}}, at("body", b="extra_forbidden"))
def whole_body_may_be_closed(x: Closed): ...
@post({"json": {}}, at("body", unitPrice="missing"))
@post({"json": {"unitPrice": 1}}, {"x": {"unitPrice": 1.0}})
@post({"json": {"unit_price": 1}}, {"x": {"unitPrice": 1.0}})
def whole_body_has_fields_with_aliases(x: Aliased): ...


WHOLE = {"item": ITEM, "user": {"username": "u"}, "tags": ["a"]}


@post({"json": WHOLE}, {**WHOLE, "n": 1})
@post(
    {"json": {"item": {}, "tags": "a"}},
    [
        (["body", "item", "name"], "missing"),
        *at("body", user="missing", tags="list_type"),
    ],
)
@post({"json": []}, [(["body"], "dict_type")])
@post({}, [(["body"], "missing")])
def keys_of_the_body_are_several_arguments(
    item: Item, user: User, n: int = 1, tags: list[str] = Body([])
): ...
@post({"json": {"x": ITEM}}, {"x": ITEM})
@post({"json": {"x": {}}}, [(["body", "x", "name"], "missing")])
def keys_of_the_body_may_be_one(x: Item = Body(embed=True)): ...
@post({"json": {"the-item": ITEM, "N": 2}}, {"item": ITEM, "n": 2})
@post({"json": {"N": "x"}}, at("body", **{"the-item": "missing", "N": "int_parsing"}))
def keys_of_the_body_may_have_aliases(
    item: Item = Body(alias="the-item"), n: int = Body(0, alias="N")
): ...
@post({}, {"n": 1, "s": None})
@post({"json": {}}, {"n": 1, "s": None})
@post({"json": {"n": 2}}, {"n": 2, "s": None})
def keys_of_the_body_may_all_be_absent(n: int = 1, s: str | None = None): ...
@ROWS.add(
    "POST /<p>",
    {"path": "/x", "json": {}},
    [
        *(*at("path", p="int_parsing"), *at("query", q="missing")),
        *(*at("header", H="missing"), *at("cookie", c="missing")),
        *at("body", name="missing"),
    ],
)
def failures_of_every_location_are_answered_together(
    item: Item,
    p: int,
    q: t.Annotated[int, Query()],
    h: t.Annotated[int, Header()],
    c: t.Annotated[int, Cookie()],
): ...


@pytest.mark.parametrize(NAMES, ROWS)
def test_arguments_are_read_from_the_body(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


def test_keys_of_the_body_without_an_annotation_are_anything():
    client = client_of(lambda x: echo(x=x), "/", "POST")

    assert client.post("/", json={"x": [1, "a"]}).json == {"x": [1, "a"]}
    assert refusals(client.post("/", json={})) == [(["body", "x"], "missing")]


NOT_JSON = [
    *("", "text/plain", "text/json", "application/x-www-form-urlencoded"),
    *("multipart/form-data; boundary=x", "application/jsonp", "application"),
    "application/json, text/plain",
]
AS_JSON = "The body must be sent as application/json."


class TestContentType:
    @pytest.mark.parametrize(
        "content_type",
        [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/vnd.api+json",
            "application/problem+json; charset=utf-8",
        ],
    )
    def test_content_type_is_json(self, content_type):
        answer = client_taking(Item).post("/", data=TEXT, content_type=content_type)

        assert answer.json == {"x": ITEM}

    @pytest.mark.parametrize("content_type", [None, *NOT_JSON])
    def test_content_type_is_not_json(self, content_type):
        client = client_taking(Item, config={})
        answer = client.post("/", data=TEXT, content_type=content_type)

        assert message_of(answer) == AS_JSON

    def test_content_type_may_be_another_one_that_is_json(self):
        merge = "application/merge-patch+json"
        client = client_taking(Item, Body(media_type=merge), config={})

        assert client.post("/", data=TEXT, content_type=merge).json == {"x": ITEM}
        refused = client.post("/", json=ITEM)
        assert message_of(refused) == f"The body must be sent as {merge}."

    def test_content_type_of_json_may_be_said_in_so_many_words(self):
        client = client_taking(Item, Body(media_type="application/json"))

        assert client.post("/", json=ITEM).status_code == 201

    def test_content_type_is_refused_beside_other_failures(self):
        def view(n: t.Annotated[int, Body()], q: int = Query()):
            raise AssertionError

        answer = client_of(view, "/", "POST", config={}).post("/", data="n=1")
        assert answer.status_code == 415


class TestWithoutContentType:
    """``SIGNATURE_STRICT_CONTENT_TYPE = False``."""

    LAX: t.ClassVar = {"SIGNATURE_STRICT_CONTENT_TYPE": False}

    def test_a_body_is_json(self):
        client = client_taking(Item, config=self.LAX)

        assert client.post("/", data=TEXT).json == {"x": ITEM}
        assert refusals(client.post("/", data="a=1")) == [(["body"], "json_invalid")]
        assert refusals(client.post("/")) == [(["body"], "missing")]

    @pytest.mark.parametrize("content_type", [*NOT_JSON[1:], ";charset=utf-8"])
    def test_a_wrong_one_stays_refused(self, content_type):
        client = client_taking(Item, config=self.LAX)
        assert client.post("/", data=TEXT, content_type=content_type).status_code == 415

    @pytest.mark.parametrize(
        ("annotation", "media_type"), [(bytes, "image/png"), (str, "text/plain")]
    )
    def test_a_body_of_another_type_has_to_say_it(self, annotation, media_type):
        client = client_taking(annotation, Body(media_type=media_type), config=self.LAX)

        assert client.post("/", data=b"{}").status_code == 415

    def test_routes_may_come_before_the_setting(self):
        app = Flask(__name__)
        app.post("/")(taking(Item))
        assert app.test_client().post("/", data=TEXT).status_code == 415

        app = Flask(__name__)
        app.post("/")(taking(Item))
        app.config.update(self.LAX)
        app.init_app()
        assert app.test_client().post("/", data=TEXT).json == {"x": ITEM}


class TestRawBody:
    @pytest.mark.parametrize("annotation", [bytes, bytes | None, bytes | str])
    def test_raw_body_is_bytes(self, annotation):
        given: list[t.Any] = []
        client = client_of(taking(annotation, given=given), "/", "POST")
        client.post("/", data=b"\x00\xff", content_type="application/octet-stream")

        assert given == [b"\x00\xff"]

    @pytest.mark.parametrize("annotation", [str, str | None, t.Annotated[str, Body()]])
    @pytest.mark.parametrize("content_type", [None, *NOT_JSON])
    def test_raw_body_is_no_text_unless_it_says_so(self, content_type, annotation):
        client = client_taking(annotation, config={})
        answer = client.post("/", data=b"a=1", content_type=content_type)

        assert message_of(answer) == AS_JSON

    def test_raw_body_is_nothing_that_is_written_as_text(self):
        client = client_taking(Base64Bytes)

        assert client.post("/", data=b"YQ==", content_type="text/x").status_code == 415
        assert client.post("/", json={"x": "YQ=="}).json == {"x": "a"}

    @pytest.mark.parametrize(
        ("parameter", "data", "text"),
        [
            ("", "é".encode(), "é"),
            ("", b"\xe9", None),
            ("; charset=utf-8", "é".encode(), "é"),
            ("; charset=UTF8", "é".encode(), "é"),
            ("; charset=ISO-8859-1", b"\xe9", "é"),
            ("; charset=latin-1", b"\xe9", "é"),
            ("; charset=Latin1", b"\xe9", "é"),
            ("; charset=US-ASCII", b"e", "e"),
            ("; charset=ascii", b"e", "e"),
            ("; charset=us-ascii", b"\xe9", None),
            ("; charset=ascii", b"\xe9", None),
        ],
    )
    def test_raw_body_is_text_in_the_charset_that_it_names(self, parameter, data, text):
        client = client_taking(str, Body(media_type="text/plain"))
        answer = client.post("/", data=data, content_type=f"text/plain{parameter}")

        if text is None:
            assert refusals(answer) == [(["body"], "string_unicode")]
        else:
            assert answer.json == {"x": text}

    def test_raw_body_may_be_constrained(self):
        client = client_taking(t.Annotated[bytes, Body(max_length=2)])
        refused = client.post("/", data=b"abc", content_type="image/png")

        assert refusals(refused) == [(["body"], "bytes_too_long")]

    @pytest.mark.parametrize(
        ("media_type", "sent", "status"),
        [
            ("image/png", "image/png", 201),
            ("image/png", "image/png; q=1", 201),
            ("image/PNG", "IMAGE/png", 201),
            ("image/png", "image/gif", 415),
            ("image/png", "application/json", 415),
            ("image/*", "image/gif", 201),
            ("image/*", "text/plain", 415),
            ("image/*", "images/gif", 415),
            ("image/*", "i/gif", 415),
            ("*/*", "text/plain", 201),
            ("*/*", None, 415),
            ("application/json", "application/json", 201),
        ],
    )
    def test_raw_body_may_be_of_one_media_type(self, media_type, sent, status):
        client = client_taking(bytes, Body(media_type=media_type))
        answer = client.post("/", data="[1]", content_type=sent)

        assert answer.status_code == status
        assert status == 415 or answer.json == {"x": "[1]"}

    def test_raw_body_that_is_absent_is_its_default_or_missing(self):
        assert client_taking(bytes, b"d").post("/").json == {"x": "d"}
        assert refusals(client_taking(bytes).post("/")) == [(["body"], "missing")]


def reason(text: str) -> dict[str, t.Any]:
    """The entry of a body that is no JSON."""
    return {
        "loc": ["body"],
        "msg": f"Invalid JSON: {text}",
        "type": "json_invalid",
        "ctx": {"error": text},
    }


class Event(BaseModel, strict=True):
    day: datetime.date
    number: int


class TestJson:
    def post(self, data: bytes, annotation: t.Any = Item) -> t.Any:
        client = client_taking(t.Annotated[annotation, Body(embed=False)])
        return client.post("/", data=data, content_type="application/json")

    @pytest.mark.parametrize(
        "data",
        [
            b"{",
            b"nul",
            b"{'a': 1}",
            b'{"a": 1} x',
            b'{"a": 1,}',
            b"[1] [2]",
            pytest.param(b"\xef\xbb\xbf{}", id="byte-order-mark"),
            pytest.param('{"name": "é"}'.encode("utf-16"), id="utf-16"),
            pytest.param('{"name": "é"}'.encode("latin-1"), id="latin-1"),
            b"[NaN]",
            b"[Infinity]",
            b"[-Infinity]",
            b"[" * 5000 + b"]" * 5000,
            pytest.param(b"// comment\n{}", id="comment"),
            b"01",
            pytest.param(b'"\n"', id="line-break-in-text"),
        ],
        ids=lambda data: repr(data[:20]),
    )
    def test_json_body_that_is_malformed_is_refused(self, data):
        assert refusals(self.post(data, t.Any)) == [(["body"], "json_invalid")]

    @pytest.mark.parametrize(
        ("data", "entry"),
        [
            (b"[NaN]", reason("expected value at line 1 column 2")),
            (b"[", reason("EOF while parsing a list at line 1 column 1")),
        ],
    )
    def test_json_body_that_is_malformed_is_reported_with_the_reason(self, data, entry):
        assert self.post(data).json == {"detail": [entry]}

    @pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity \\\\ NaN"])
    def test_json_body_may_hold_the_names_of_no_numbers_in_texts(self, text):
        assert self.post(b'{"name": "%s"}' % text.encode()).status_code == 201

    def test_a_key_that_repeats_counts_once(self):
        answer = self.post(b'{"name": "a", "name": "b"}')

        assert answer.json == {"x": {"name": "b", "price": 1.0}}

    def test_a_strict_model_takes_the_texts_that_json_has_for_dates(self):
        answer = self.post(b'{"day": "2020-02-29", "number": 1}', Event)
        assert answer.json == {"x": {"day": "2020-02-29", "number": 1}}
        refused = self.post(b'{"day": "2020-02-29", "number": "1"}', Event)
        assert refusals(refused) == [(["body", "number"], "int_type")]


def test_body_is_not_read_by_a_view_that_does_not_ask_for_it():
    class Stream:
        def read(self, *size: int) -> bytes:
            raise AssertionError("the body was read")

    overrides = {"wsgi.input": Stream(), "CONTENT_LENGTH": "10"}
    answer = client_of(taking(int, 1)).get("/", environ_overrides=overrides)
    assert answer.json == {"x": 1}


def test_body_can_still_be_read_through_the_request():
    def view(item: Item):
        return echo(item=item, raw=request.get_data(), json=request.get_json())

    assert client_of(view, "/", "POST").post("/", json=ITEM).json["json"] == ITEM
