"""Status, headers, and what a response without content does with a body."""

from __future__ import annotations

import logging
import typing as t
import warnings
from http import HTTPStatus

import pytest
from client import client_of
from flask import Response, redirect
from models import Item
from pydantic import BaseModel, Field
from returned import ANSWER, cases, place_of, refused, returning, view_of
from werkzeug.datastructures import Headers
from werkzeug.exceptions import NotFound

from flask_signature import Blueprint, SignatureWarning


class Problem(BaseModel):
    reason: str
    code: int = 0


class Short(BaseModel):
    name: str = Field(max_length=2)


FAILED = ANSWER.decode()


BY_METHOD = {
    **dict.fromkeys(("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH"), 200),
    "POST": 201,
    "PUT": 201,
    "DELETE": 204,
    "PROPFIND": 200,
}


@pytest.mark.parametrize(("method", "status"), BY_METHOD.items())
@pytest.mark.parametrize(("annotation", "value"), [(..., "a"), (None, None)])
def test_status_by_method(method, status, annotation, value):
    value = None if method == "DELETE" else value
    response = returning(annotation, value, method=method)
    assert response.status_code == status
    assert value or response.data == b""


def test_other_method_has_the_status_of_the_response_class(app, client):
    class Accepted(Response):
        default_status = 202

    app.response_class = Accepted
    app.route("/", methods=["PROPFIND", "GET"])(view_of(Item, Item(name="a")))

    assert client.open("/", method="PROPFIND").status_code == 202
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("status", [99, 600, "201", True, 201.0])
def test_option_that_is_no_status_is_refused(status):
    said = f"status_code={status!r} is no HTTP status. Use 100 to 599."
    assert said in refused(..., status_code=status)


STATUSES = {
    "int": (202, "202 ACCEPTED"),
    "enum": (HTTPStatus.ACCEPTED, "202 ACCEPTED"),
    "text": ("202 ACCEPTED", "202 ACCEPTED"),
    "own-phrase": ("202 In Time", "202 In Time"),
    "number-as-text": ("202", "202 ACCEPTED"),
}


@pytest.mark.parametrize("model", [Item, None], ids=["model", "no-model"])
@cases("spelling status", STATUSES)
def test_status_in_a_tuple(spelling, status, model):
    value = ({"name": "a"}, spelling)
    response = returning(..., value, method="POST", response_model=model)
    assert (response.status, response.json) == (status, {"name": "a"})


HEADERS = {
    "dict": {"X-A": "b"},
    "pairs": [("X-A", "b")],
    "tuple-of-pairs": (("X-A", "b"),),
    "headers": Headers({"X-A": "b"}),
    "dict-of-lists": {"X-A": ["b"]},
}


@pytest.mark.parametrize("model", [Item, None], ids=["model", "no-model"])
@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_headers_in_a_tuple(headers, model):
    value = ({"name": "a"}, headers)
    response = returning(..., value, method="POST", response_model=model)
    assert (response.status_code, response.json) == (201, {"name": "a"})
    assert response.headers.getlist("X-A") == ["b"]


VENDOR = "application/vnd.item+json"


def test_status_and_headers_in_a_tuple():
    value = (Item(name="a"), 202, {"Content-Type": VENDOR})
    response = returning(tuple[Item, int, dict[str, str]], value, method="POST")
    assert (response.status_code, response.content_type) == (202, VENDOR)
    assert response.data == b'{"name":"a"}'


@pytest.mark.parametrize(
    ("annotation", "value", "status"),
    [
        (Item, (Item(name="a"), None, {"X-A": "b"}), 201),
        (Item | tuple[Response, dict], (Response("a", 203), {"X-A": "b"}), 203),
    ],
    ids=["none", "response"],
)
def test_headers_are_sent_with_the_usual_status_or_that_of_a_response(
    annotation, value, status
):
    response = returning(annotation, value, method="POST")
    assert (response.status_code, response.headers["X-A"]) == (status, "b")


def wsgi_app(environ, start_response):
    start_response("404 NOT FOUND", [("Content-Length", "0")])
    return []


@pytest.mark.parametrize("status", [100, 204, 205, 304])
def test_status_without_content_sends_none(status):
    response = returning(Item, (None, status, {"X-A": "b"}))
    assert (response.status_code, response.data) == (status, b"")
    assert response.headers["X-A"] == "b"
    assert "Content-Type" not in response.headers


def test_body_that_cannot_be_sent_is_dropped_and_logged_once(caplog):
    def remove(item_id: int):
        return {"id": item_id}

    client = client_of(remove, "/items/<int:item_id>", "DELETE")

    with caplog.at_level(logging.WARNING):
        responses = [client.delete("/items/1"), client.delete("/items/2")]

    assert [(found.status_code, found.data) for found in responses] == [(204, b"")] * 2
    [message] = caplog.messages
    assert message == (
        "DELETE /items/{item_id}: remove() returned a body with status 204, which has"
        f" no content. It was dropped. {place_of(remove)}"
    )


@pytest.mark.parametrize("nothing", [None, "", b""])
def test_empty_body_is_dropped_in_silence(nothing, caplog):
    response = returning(..., nothing, method="DELETE")
    assert (response.status_code, response.data, caplog.messages) == (204, b"", [])


def test_model_that_can_never_be_sent_is_warned_of_where_the_view_is():
    def remove(item_id: int) -> Item:
        return Item(name="a")

    with pytest.warns(SignatureWarning) as caught:
        client_of(remove, "/items/<int:item_id>", "DELETE")

    [warning] = caught
    assert warning.filename == __file__
    assert warning.lineno == remove.__code__.co_firstlineno
    assert str(warning.message) == (
        "DELETE /items/{item_id}: remove() has status 204 and returns 'Item', but a 204"
        " response has no content. Return None, or declare another status with"
        f" status_code=. {place_of(remove)}"
    )


NEVER_SENT: dict[str, tuple[t.Any, dict[str, t.Any], str]] = {
    "declared-status": (
        list[Item],
        {"status_code": 304},
        (
            "show() declares status 304 and returns 'list[Item]', but a 304 response"
            " has no content. Return None, or declare another status with status_code=."
        ),
    ),
    "declared-model": (
        ...,
        {"responses": {205: Item}},
        (
            "responses= has the model 'Item' for status 205, but a 205 response has no"
            " content. Declare None or a description instead."
        ),
    ),
}


@cases("annotation options said", NEVER_SENT)
def test_model_of_a_status_without_content_is_warned_of(annotation, options, said):
    view = view_of(annotation)
    with pytest.warns(SignatureWarning) as caught:
        client_of(view, **options)

    [warning] = caught
    assert str(warning.message) == f"GET /: {said} {place_of(view)}"


@pytest.mark.parametrize(
    ("annotation", "options"),
    [
        (tuple[Item, int], {}),
        (Item | tuple[Item, int], {}),
        (tuple[Item, HTTPStatus, dict[str, str]], {}),
        (Item, {"status_code": 200}),
        (Item, {"response_model": None}),
        (None, {}),
        (str, {}),
        (Response, {}),
        (None, {"responses": {204: None}}),
        (None, {"responses": {204: {"description": "Gone."}}}),
    ],
)
def test_nothing_is_warned_of(annotation, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        client_of(view_of(annotation), method="DELETE", **options)


def test_tuple_without_a_status_does_not_say_one():
    with pytest.warns(SignatureWarning, match="has status 204"):
        client_of(view_of(tuple[Item, dict[str, str]]), method="DELETE")


def test_head_has_the_headers_of_get_and_no_body():
    client = client_of(view_of(Item, Item(name="a")))
    head, get = client.head("/"), client.get("/")

    assert (head.status_code, head.data) == (200, b"")
    assert dict(head.headers) == dict(get.headers)
    assert get.headers["Content-Length"] == "12"


def test_custom_response_class_is_used_for_models(app, client):
    class Shop(Response):
        default_mimetype = "text/x-shop"

        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.headers["X-Shop"] = "yes"

    app.response_class = Shop
    seen = []
    app.after_request(lambda response: seen.append(type(response)) or response)
    app.get("/")(view_of(Item, Item(name="a")))
    app.delete("/", endpoint="remove")(view_of(None))

    found = client.get("/")
    assert (found.content_type, found.headers["X-Shop"]) == ("application/json", "yes")
    assert client.delete("/").headers["X-Shop"] == "yes"
    assert seen == [Shop, Shop]


MEDIA_TYPES = {
    "model": (Item, {"name": "a"}, VENDOR, VENDOR, b'{"name":"a"}'),
    "text": (str, "a,b", "text/csv", "text/csv; charset=utf-8", b"a,b"),
    "error": (
        *(str, ({"reason": "b", "code": 1}, 404), "text/csv", "application/json"),
        b'{"reason":"b","code":1}',
    ),
}


@cases("annotation value media_type content_type body", MEDIA_TYPES)
def test_media_type_is_that_of_success(
    annotation, value, media_type, content_type, body
):
    options = {"media_type": media_type, "responses": {404: Problem}}
    response = returning(annotation, value, **options)
    assert (response.content_type, response.data) == (content_type, body)


def test_etag_is_strong_and_saves_sending_the_same_again():
    client = client_of(view_of(Item, Item(name="a")), etag=True)
    first = client.get("/")
    etag = first.headers["ETag"]

    assert (first.status_code, first.json) == (200, {"name": "a"})
    assert etag.startswith('"')
    second = client.get("/", headers={"If-None-Match": etag})
    assert (second.status_code, second.data, second.headers["ETag"]) == (304, b"", etag)
    assert "Content-Type" not in second.headers
    third = client.get("/", headers={"If-None-Match": '"another"'})
    assert (third.status_code, third.json) == (200, {"name": "a"})
    assert client.head("/").headers["ETag"] == etag


def test_etag_differs_with_the_body():
    def show(name: str) -> Item:
        return Item(name=name)

    client = client_of(show, etag=True)

    tags = {client.get(f"/?name={name}").headers["ETag"] for name in ("a", "b", "a")}
    assert len(tags) == 2


def test_etag_of_a_dict_without_a_model():
    client = client_of(view_of(..., {"a": 1}), etag=True)
    etag = client.get("/").headers["ETag"]
    assert client.get("/", headers={"If-None-Match": etag}).status_code == 304


def test_etag_of_the_author_is_kept():
    response = Response("a", headers={"ETag": 'W/"mine"'})
    assert returning(..., response, etag=True).headers["ETag"] == 'W/"mine"'


@pytest.mark.parametrize(
    "show", [lambda: ("a", 404), lambda: iter(["a"])], ids=["error", "stream"]
)
def test_no_etag_for(show):
    response = client_of(show, etag=True).get("/", headers={"If-None-Match": "*"})
    assert (response.data, response.headers.get("ETag")) == (b"a", None)


DECLARED = {
    "own-model": (404, {"reason": "x", "more": 1}, {"reason": "x", "code": 0}),
    "own-as-text": ("404 Nothing", {"reason": "x"}, {"reason": "x", "code": 0}),
    "class": (418, {"reason": "x"}, {"reason": "x", "code": 4}),
    "default": (503, {"reason": "x"}, {"reason": "x", "code": 5}),
    "success": (200, {"name": "a", "more": 1}, {"name": "a"}),
    "another-success": (202, {"name": "a", "more": 1}, {"name": "a"}),
    "declared-without-a-model": (409, {"z": 1, "more": 1}, {"z": 1, "more": 1}),
}


class Family(Problem):
    code: int = 4


class Other(Problem):
    code: int = 5


RESPONSES = {
    404: Problem,
    "4xx": Family,
    "default": Other,
    409: {"description": "Taken."},
}


@cases("status body expected", DECLARED)
def test_row_69_model_of_a_status(status, body, expected):
    response = returning(Item, (body, status), responses=RESPONSES)
    assert response.status_code == int(str(status)[:3])
    assert response.json == expected


PAIR = tuple[int, str]
X = '{"reason":"x","code":0}'
TAKEN = {"model": Problem, "description": "Taken."}
A = Item(name="a")
MORE = {"name": "a", "more": 1}
NAME = '{"name":"a"}'
BY_OPTION = {"status_code": HTTPStatus.ACCEPTED, "response_model": Item | str}

#: An annotation, a value, options of the route, and what is sent: a status and a text.
SENT: dict[str, tuple[t.Any, t.Any, dict[str, t.Any], int, str]] = {
    "model-by-option": (..., A, BY_OPTION, 202, NAME),
    "dict-by-option": (..., MORE, BY_OPTION, 202, NAME),
    "string-by-option": (..., "a", BY_OPTION, 202, '"a"'),
    "delete": (Item, A, {"method": "DELETE", "status_code": 200}, 200, NAME),
    "four-values": (Item, (A, 200, {}, 1), {}, 500, FAILED),
    "tuple": (PAIR, (1, "a"), {}, 200, '[1,"a"]'),
    "tuple-with-a-status": (PAIR, ((1, "a"), 202), {}, 202, '[1,"a"]'),
    "list": (PAIR, [1, "a"], {}, 200, '[1,"a"]'),
    "row-69-unfit": (
        ...,
        ({"why": "x"}, 404),
        {"responses": {404: Problem}},
        500,
        FAILED,
    ),
    "instance": (
        *(Item | tuple[Problem, int], (Problem(reason="x"), 409)),
        *({"response_model": Item, "responses": {409: TAKEN}}, 409, X),
    ),
    "class": (Item, ({"reason": "x"}, 202), {"responses": {"2XX": Problem}}, 202, X),
    "success": (..., MORE, {"responses": {200: Item}}, 200, NAME),
    "described": (Item, MORE, {"responses": {200: {"description": "-"}}}, 200, NAME),
    "no-model": (Item, ({"z": "é", "a": 1}, 404), {}, 404, '{"a":1,"z":"\\u00e9"}\n'),
    "redirect": (..., ("", 302), {"responses": {"default": Problem}}, 302, ""),
    "no-error": (..., "a", {"responses": {"default": Problem}}, 200, "a"),
    "constraint": (Short, {"name": "abc"}, {}, 500, FAILED),
    "moved": (..., redirect("/", 302, Response), {"method": "POST"}, 302, None),
    "made": (..., Response("x", 203), {"method": "POST"}, 203, "x"),
    "exception": (..., NotFound("No such item"), {"method": "POST"}, 404, None),
    "wsgi": (..., wsgi_app, {"method": "POST"}, 404, ""),
}


@cases("annotation value options status text", SENT)
def test_value_is_sent_with_its_status(annotation, value, options, status, text):
    response = returning(annotation, value, **options)
    assert response.status_code == status
    assert text is None or response.text == text


def test_models_of_a_blueprint_are_those_of_its_views_and_of_nested_ones(app, client):
    class Own(Problem):
        code: int = 3

    outer = {404: Family, "409": Family, 410: Family}
    parent = Blueprint("parent", __name__, responses=outer)
    child = Blueprint("child", __name__, responses={409: Other, HTTPStatus.GONE: Other})

    @child.get("/<int:status>", responses={"410": Own})
    def show(status: int):
        return {"reason": "x"}, status

    parent.register_blueprint(child)
    app.register_blueprint(parent)

    codes = [client.get(f"/{status}").json["code"] for status in (404, 409, 410)]
    assert codes == [4, 5, 3]


@pytest.mark.parametrize("status", ["teapot", 42, "4²4", "6XX", None])
def test_declared_status_that_is_none_is_refused(status):
    assert refused(..., responses={status: Problem}) == (
        f"GET /: responses= has the status {status!r}. Use a number such as 404, a"
        f" class such as '4XX', or 'default'. {place_of(view_of(...))}"
    )


class Thing:
    pass


def test_model_that_pydantic_cannot_read_is_refused():
    assert refused(Thing) == (
        "GET /: the return annotation of show() is no response model: Pydantic can't"
        " serialize 'Thing', since it knows no fields of 'Thing'. Name a BaseModel or a"
        " dataclass instead, or the fields to send, such as response_model=RowOut, or"
        " give response_model=None if Flask can send it as it is."
        f" {place_of(view_of(...))}"
    )
