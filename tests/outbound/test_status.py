"""Status, headers, and what a response without content does with a body."""

from __future__ import annotations

import logging
import typing as t
import warnings
from http import HTTPStatus

import pytest
from client import client_of
from flask import (
    Response,
    after_this_request,
    flash,
    get_flashed_messages,
    make_response,
    redirect,
    session,
)
from models import Item
from pydantic import BaseModel, Field
from werkzeug.datastructures import Headers
from werkzeug.exceptions import NotFound

from flask_signature import Blueprint, Flask, SignatureError, SignatureWarning


class Problem(BaseModel):
    reason: str
    code: int = 0


class Short(BaseModel):
    name: str = Field(max_length=2)


class Thing:
    pass


BY_METHOD = {
    "GET": 200,
    "HEAD": 200,
    "OPTIONS": 200,
    "TRACE": 200,
    "CONNECT": 200,
    "PATCH": 200,
    "POST": 201,
    "PUT": 201,
    "DELETE": 204,
    "PROPFIND": 200,
}


@pytest.mark.parametrize(("method", "status"), BY_METHOD.items())
def test_status_by_method(method, status):
    def show():
        return None if method == "DELETE" else "a"

    response = client_of(show, method=method).open("/", method=method)

    assert response.status_code == status


def test_other_method_has_the_status_of_the_response_class():
    class Accepted(Response):
        default_status = 202

    app = Flask(__name__)
    app.response_class = Accepted

    @app.route("/", methods=["PROPFIND", "GET"])
    def show() -> Item:
        return Item(name="a")

    client = app.test_client()
    assert client.open("/", method="PROPFIND").status_code == 202
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("returned", [Item(name="a"), {"name": "a"}, "a"])
def test_status_by_option(returned):
    def show():
        return returned

    client = client_of(show, status_code=HTTPStatus.ACCEPTED, response_model=Item | str)
    assert client.get("/").status_code == 202


@pytest.mark.parametrize("status", [99, 600, "201", True, 201.0])
def test_option_that_is_no_status_is_refused(status):
    with pytest.raises(SignatureError) as caught:
        client_of(lambda: "a", status_code=status)

    assert f"status_code={status!r} is no HTTP status. Use 100 to 599." in str(
        caught.value
    )


STATUSES = {
    "int": (202, "202 ACCEPTED"),
    "enum": (HTTPStatus.ACCEPTED, "202 ACCEPTED"),
    "text": ("202 ACCEPTED", "202 ACCEPTED"),
    "own-phrase": ("202 In Time", "202 In Time"),
    "number-as-text": ("202", "202 ACCEPTED"),
}


@pytest.mark.parametrize("model", [Item, None], ids=["model", "no-model"])
@pytest.mark.parametrize(("spelling", "status"), STATUSES.values(), ids=STATUSES)
def test_status_in_a_tuple(spelling, status, model):
    def add():
        return {"name": "a"}, spelling

    response = client_of(add, method="POST", response_model=model).post("/")

    assert response.status == status
    assert response.json == {"name": "a"}


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
    def add():
        return {"name": "a"}, headers

    response = client_of(add, method="POST", response_model=model).post("/")

    assert response.status_code == 201
    assert response.headers.getlist("X-A") == ["b"]
    assert response.json == {"name": "a"}


def test_status_and_headers_in_a_tuple():
    def add() -> tuple[Item, int, dict[str, str]]:
        return Item(name="a"), 202, {"Content-Type": "application/vnd.item+json"}

    response = client_of(add, method="POST").post("/")

    assert response.status_code == 202
    assert response.content_type == "application/vnd.item+json"
    assert response.data == b'{"name":"a"}'


def test_status_none_in_a_tuple_is_the_usual_one():
    def add() -> Item:
        return Item(name="a"), None, {"X-A": "b"}  # type: ignore[return-value]

    response = client_of(add, method="POST").post("/")

    assert (response.status_code, response.headers["X-A"]) == (201, "b")


def test_response_in_a_tuple_keeps_its_own_status():
    def add() -> Item | tuple[Response, dict[str, str]]:
        return make_response("a", 203), {"X-A": "b"}

    response = client_of(add, method="POST").post("/")

    assert (response.status_code, response.headers["X-A"]) == (203, "b")


def wsgi_app(environ, start_response):
    start_response("404 NOT FOUND", [("Content-Length", "0")])
    return []


READY = {
    "redirect": (lambda: redirect("/there", 302), 302),
    "made": (lambda: make_response({"x": 1}, 203), 203),
    "exception": (lambda: NotFound("No such item"), 404),
    "wsgi": (lambda: wsgi_app, 404),
}


@pytest.mark.parametrize(("make", "status"), READY.values(), ids=READY)
def test_response_keeps_its_status(make, status):
    def add():
        return make()

    assert client_of(add, method="POST").post("/").status_code == status


def test_tuple_of_another_length_is_refused_as_flask_refuses_it():
    def show() -> Item:
        return Item(name="a"), 200, {}, 1  # type: ignore[return-value]

    assert client_of(show).get("/").status_code == 500


TUPLES = {
    "value": ((1, "a"), 200, [1, "a"]),
    "value-with-status": (((1, "a"), 202), 202, [1, "a"]),
    "list-with-nothing": ([1, "a"], 200, [1, "a"]),
}


@pytest.mark.parametrize(("value", "status", "body"), TUPLES.values(), ids=TUPLES)
def test_model_whose_values_are_tuples(value, status, body):
    def show() -> tuple[int, str]:
        return value

    response = client_of(show).get("/")

    assert (response.status_code, response.json) == (status, body)


@pytest.mark.parametrize("status", [100, 204, 205, 304])
def test_status_without_content_sends_none(status):
    def show() -> Item:
        return None, status, {"X-A": "b"}  # type: ignore[return-value]

    response = client_of(show).get("/")

    assert response.status_code == status
    assert response.data == b""
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
        " no content. It was dropped."
        f" (tests/outbound/test_status.py, line {line_of(remove)})"
    )


@pytest.mark.parametrize("nothing", [None, "", b""])
def test_empty_body_is_dropped_in_silence(nothing, caplog):
    def remove():
        return nothing

    response = client_of(remove, method="DELETE").delete("/")

    assert (response.status_code, response.data, caplog.messages) == (204, b"", [])


def test_delete_with_a_status_has_content():
    def remove() -> Item:
        return Item(name="a")

    response = client_of(remove, method="DELETE", status_code=200).delete("/")

    assert (response.status_code, response.json) == (200, {"name": "a"})


@pytest.mark.parametrize(
    ("method", "status"), [("GET", 200), ("POST", 201), ("DELETE", 204)]
)
def test_view_that_says_it_returns_none_answers_nothing(method, status):
    def run() -> None:
        pass

    response = client_of(run, method=method).open("/", method=method)

    assert (response.status_code, response.data) == (status, b"")


def line_of(view: t.Callable[..., t.Any]) -> int:
    return view.__code__.co_firstlineno


def test_model_that_can_never_be_sent_is_warned_of_where_the_view_is():
    def remove(item_id: int) -> Item:
        return Item(name="a")

    with pytest.warns(SignatureWarning) as caught:
        client_of(remove, "/items/<int:item_id>", "DELETE")

    [warning] = caught
    assert warning.filename == __file__
    assert warning.lineno == line_of(remove)
    assert str(warning.message) == (
        "DELETE /items/{item_id}: remove() has status 204 and returns 'Item', but a 204"
        " response has no content. Return None, or declare another status with"
        f" status_code=. (tests/outbound/test_status.py, line {line_of(remove)})"
    )


def test_model_beside_a_declared_status_without_content_is_warned_of():
    def show() -> list[Item]:
        return []

    with pytest.warns(SignatureWarning) as caught:
        client_of(show, status_code=304)

    [warning] = caught
    assert str(warning.message) == (
        "GET /: show() declares status 304 and returns 'list[Item]', but a 304 response"
        " has no content. Return None, or declare another status with status_code=."
        f" (tests/outbound/test_status.py, line {line_of(show)})"
    )


def test_declared_model_that_can_never_be_sent_is_warned_of():
    def show():
        return ""

    with pytest.warns(SignatureWarning) as caught:
        client_of(show, responses={205: Item})

    [warning] = caught
    assert str(warning.message) == (
        "GET /: responses= has the model 'Item' for status 205, but a 205 response has"
        " no content. Declare None or a description instead."
        f" (tests/outbound/test_status.py, line {line_of(show)})"
    )


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
    def remove():
        return None

    remove.__annotations__ = {"return": annotation}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        client_of(remove, method="DELETE", **options)


def test_tuple_without_a_status_does_not_say_one():
    def remove() -> tuple[Item, dict[str, str]]:
        return Item(name="a"), {}

    with pytest.warns(SignatureWarning, match="has status 204"):
        client_of(remove, method="DELETE")


def test_head_has_the_headers_of_get_and_no_body():
    def show() -> Item:
        return Item(name="a")

    client = client_of(show)
    head, get = client.head("/"), client.get("/")

    assert head.data == b""
    assert head.status_code == 200
    assert dict(head.headers) == dict(get.headers)
    assert get.headers["Content-Length"] == "12"


def test_what_flask_offers_around_a_response_works():
    app = Flask(__name__)
    app.secret_key = "secret"

    @app.get("/")
    def show() -> Item:
        @after_this_request
        def add_header(response):
            response.headers["X-Length"] = response.content_length
            return response

        session["seen"] = True
        flash("hello")
        return Item(name="a")

    @app.get("/flashed")
    def flashed() -> list[str]:
        return get_flashed_messages()

    client = app.test_client()
    response = client.get("/")
    assert response.headers["X-Length"] == "12"
    with client.session_transaction() as stored:
        assert stored["seen"] is True
    assert client.get("/flashed").json == ["hello"]


def test_custom_response_class_is_used_for_models():
    class Shop(Response):
        default_mimetype = "text/x-shop"

        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.headers["X-Shop"] = "yes"

    app = Flask(__name__)
    app.response_class = Shop
    seen = []
    app.after_request(lambda response: seen.append(type(response)) or response)

    @app.get("/")
    def show() -> Item:
        return Item(name="a")

    @app.delete("/")
    def remove() -> None:
        pass

    client = app.test_client()
    found = client.get("/")
    assert (found.content_type, found.headers["X-Shop"]) == ("application/json", "yes")
    assert client.delete("/").headers["X-Shop"] == "yes"
    assert seen == [Shop, Shop]


def test_media_type_of_a_model():
    def show() -> Item | tuple[Item, int]:
        return {"name": "a"}  # type: ignore[return-value]

    response = client_of(show, media_type="application/vnd.item+json").get("/")

    assert response.content_type == "application/vnd.item+json"
    assert response.data == b'{"name":"a"}'


def test_media_type_of_a_text():
    def show() -> str:
        return "a,b"

    response = client_of(show, media_type="text/csv").get("/")

    assert (response.content_type, response.data) == ("text/csv; charset=utf-8", b"a,b")


def test_media_type_is_that_of_success():
    def show() -> str:
        return {"reason": "b"}, 404  # type: ignore[return-value]

    client = client_of(show, media_type="text/csv", responses={404: Problem})

    assert client.get("/").content_type == "application/json"


def test_etag_is_strong_and_saves_sending_the_same_again():
    def show() -> Item:
        return Item(name="a")

    client = client_of(show, etag=True)
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
    def show():
        return {"a": 1}

    client = client_of(show, etag=True)
    etag = client.get("/").headers["ETag"]

    assert client.get("/", headers={"If-None-Match": etag}).status_code == 304


def test_etag_of_the_author_is_kept():
    def show():
        response = make_response("a")
        response.set_etag("mine", weak=True)
        return response

    assert client_of(show, etag=True).get("/").headers["ETag"] == 'W/"mine"'


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


@pytest.mark.parametrize(
    ("status", "body", "expected"), DECLARED.values(), ids=DECLARED
)
def test_row_69_model_of_a_status(status, body, expected):
    class Family(Problem):
        code: int = 4

    class Other(Problem):
        code: int = 5

    def show() -> Item:
        return body, status  # type: ignore[return-value]

    responses = {
        404: Problem,
        "4xx": Family,
        "default": Other,
        409: {"description": "Taken."},
    }
    response = client_of(show, responses=responses).get("/")

    assert response.status_code == int(str(status)[:3])
    assert response.json == expected


def test_row_69_value_that_its_status_model_refuses_is_an_error():
    def show():
        return {"why": "x"}, 404

    assert client_of(show, responses={404: Problem}).get("/").status_code == 500


def test_instance_for_a_status():
    def show() -> Item | tuple[Problem, int]:
        return Problem(reason="x"), 409

    client = client_of(
        show,
        response_model=Item,
        responses={409: {"model": Problem, "description": "Taken."}},
    )

    response = client.get("/")
    assert (response.status_code, response.json) == (409, {"reason": "x", "code": 0})


def test_class_of_success_has_its_own_model():
    def show() -> Item:
        return {"reason": "x"}, 202  # type: ignore[return-value]

    client = client_of(show, responses={"2XX": Problem})

    assert client.get("/").json == {"reason": "x", "code": 0}


def test_success_declared_by_its_number_is_the_model_of_success():
    def show():
        return {"name": "a", "more": 1}

    assert client_of(show, responses={200: Item}).get("/").json == {"name": "a"}


def test_description_of_success_leaves_the_model():
    def show() -> Item:
        return {"name": "a", "more": 1}  # type: ignore[return-value]

    responses = {200: {"description": "An item."}}
    assert client_of(show, responses=responses).get("/").json == {"name": "a"}


def test_status_without_a_model_is_plain_flask():
    def show() -> Item:
        return {"z": "é", "a": 1}, 404  # type: ignore[return-value]

    response = client_of(show).get("/")

    assert response.status_code == 404
    assert response.data == b'{"a":1,"z":"\\u00e9"}\n'


@pytest.mark.parametrize(
    ("returned", "status"), [(("", 302, {"Location": "/x"}), 302), ("a", 200)]
)
def test_default_is_for_errors(returned, status):
    def show():
        return returned

    client = client_of(show, responses={"default": Problem})

    assert client.get("/").status_code == status


def test_models_of_a_blueprint_are_those_of_its_views_and_of_nested_ones():
    class Outer(Problem):
        code: int = 1

    class Inner(Problem):
        code: int = 2

    class Own(Problem):
        code: int = 3

    parent = Blueprint(
        "parent", __name__, responses={404: Outer, "409": Outer, 410: Outer}
    )
    child = Blueprint("child", __name__, responses={409: Inner, HTTPStatus.GONE: Inner})

    @child.get("/<int:status>", responses={"410": Own})
    def show(status: int):
        return {"reason": "x"}, status

    app = Flask(__name__)
    parent.register_blueprint(child)
    app.register_blueprint(parent)
    client = app.test_client()

    found = {
        status: client.get(f"/{status}").json["code"] for status in (404, 409, 410)
    }
    assert found == {404: 1, 409: 2, 410: 3}


@pytest.mark.parametrize("status", ["teapot", 42, "4²4", "6XX", None])
def test_declared_status_that_is_none_is_refused(status):
    def show():
        return ""

    with pytest.raises(SignatureError) as caught:
        client_of(show, responses={status: Problem})

    assert str(caught.value) == (
        f"GET /: responses= has the status {status!r}. Use a number such as 404, a"
        " class such as '4XX', or 'default'."
        f" (tests/outbound/test_status.py, line {line_of(show)})"
    )


def test_model_that_pydantic_cannot_read_is_refused():
    def show() -> Thing:
        return Thing()

    with pytest.raises(SignatureError) as caught:
        client_of(show)

    assert str(caught.value) == (
        "GET /: the return annotation of show() is no response model: Pydantic can't"
        " serialize 'Thing', since it knows no fields of 'Thing'. Name a BaseModel or a"
        " dataclass instead, or the fields to send, such as response_model=RowOut, or"
        " give response_model=None if Flask can send it as it is."
        f" (tests/outbound/test_status.py, line {line_of(show)})"
    )


def test_constraints_of_a_response_model_hold():
    def show() -> Short:
        return {"name": "abc"}  # type: ignore[return-value]

    assert client_of(show).get("/").status_code == 500
