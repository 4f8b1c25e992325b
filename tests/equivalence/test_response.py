"""A response that is made in less time is the response that Flask makes."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable, Iterable
from typing import Any

import flask
import pytest
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response as WerkzeugResponse

from flask_signature import Flask

closed: list[str] = []


def make(*args: Any, **kwargs: Any) -> flask.Response:
    return flask.current_app.response_class(*args, **kwargs)


def changed(change: Callable[[flask.Response], Any]) -> flask.Response:
    response = make("text")
    change(response)
    return response


def not_modified(response: flask.Response) -> None:
    response.set_etag("tag")
    response.status_code = 304


def session() -> str:
    flask.session["user"] = 1
    return "text"


class Loud(flask.Response):
    def iter_encoded(self) -> Any:
        return (chunk.upper() for chunk in super().iter_encoded())


class Shouting(Loud):
    def get_data(self, as_text: bool = False) -> Any:
        return super().get_data(as_text)


class Table(flask.Response):
    default_mimetype = "text/csv"


ANSWERS: dict[str, Callable[[], Any]] = {
    "text": lambda: "text",
    "empty text": lambda: "",
    "text beyond ASCII": lambda: "Zoë",
    "bytes": lambda: b"\xff\x00",
    "bytearray": lambda: bytearray(b"text"),
    "dictionary": lambda: {"b": 1, "a": [2]},
    "list": lambda: [1, 2],
    "status": lambda: ("text", 418),
    "status of one's own": lambda: ("text", "299 FINE"),
    "no content": lambda: ("text", 204),
    "reset content": lambda: ("text", 205),
    "headers": lambda: ("text", {"X-A": "1", "Content-Type": "text/css"}),
    "headers of a list": lambda: ("text", 201, [("X-A", "1"), ("X-A", "2")]),
    "iterator": lambda: iter(["a", "b"]),
    "generator": lambda: (part for part in ["a", "b"]),
    "stream with context": lambda: make(
        flask.stream_with_context(iter(["a", flask.request.path]))
    ),
    "redirect": lambda: flask.redirect("/elsewhere?a=é"),
    "error": lambda: flask.abort(409, "taken"),
    "session": session,
    "of Werkzeug": lambda: WerkzeugResponse("text", 202, {"X-A": "1"}),
    "of a class of the author's": lambda: Shouting("text"),
    "made of nothing": make,
    "made of None": lambda: make(None, 202),
    "made of a list": lambda: make(["a", "b"]),
    "made with headers": lambda: make("text", 200, {"X-A": "1"}),
    "made with empty headers": lambda: make("text", 200, {}),
    "made with a mimetype": lambda: make("text", mimetype="text/css"),
    "made with a mimetype of no text": lambda: make("x", mimetype="image/png"),
    "made with a content type": lambda: make("x", content_type="text/x; a=b"),
    "made with an empty mimetype": lambda: make("x", mimetype=""),
    "made with a content type of two lines": lambda: make("x", content_type="a\nb: c"),
    "made with a mimetype of two lines": lambda: make("x", mimetype="a/b\r\nc: d"),
    "made with a number": lambda: make("x", content_type=5),
    "made with both": lambda: make("x", mimetype="a/b", content_type="c/d"),
    "made to be passed through": lambda: make([b"a"], direct_passthrough=True),
    "text to be passed through": lambda: make(b"a", direct_passthrough=True),
    "header set": lambda: changed(lambda r: r.headers.set("X-A", "1")),
    "header deleted": lambda: changed(lambda r: r.headers.remove("Content-Type")),
    "headers read": lambda: changed(lambda r: r.headers["Content-Length"]),
    "new headers": lambda: changed(
        lambda r: setattr(r, "headers", Headers({"X-Only": "this"}))
    ),
    "cookie": lambda: changed(lambda r: r.set_cookie("a", "b")),
    "vary": lambda: changed(lambda r: r.vary.add("Cookie")),
    "mimetype set": lambda: changed(lambda r: setattr(r, "mimetype", "text/css")),
    "status set": lambda: changed(lambda r: setattr(r, "status", "299 FINE")),
    "status code set": lambda: changed(lambda r: setattr(r, "status_code", 204)),
    "informational": lambda: changed(lambda r: setattr(r, "status_code", 103)),
    "not modified": lambda: changed(not_modified),
    "data set": lambda: changed(lambda r: r.set_data("other")),
    "data read": lambda: changed(lambda r: r.get_data()),
    "chunk added": lambda: changed(lambda r: r.response.append(b"!")),
    "chunks set": lambda: changed(lambda r: setattr(r, "response", [b"other"])),
    "chunks made text": lambda: changed(lambda r: setattr(r, "response", ["é"])),
    "frozen": lambda: changed(lambda r: r.freeze()),
    "etag": lambda: changed(lambda r: r.add_etag()),
    "stream written": lambda: changed(lambda r: r.stream.write(b"!")),
    "forced to another class": lambda: Table.force_type(make("a,b")),
    "given another class": lambda: changed(lambda r: setattr(r, "__class__", Table)),
    "copied": lambda: copy.copy(make("text")),
    "pickled": lambda: pickle.loads(pickle.dumps(make("text"))),
    "closed": lambda: changed(lambda r: r.call_on_close(lambda: closed.append("x"))),
}


def served(app: flask.Flask, method: str) -> tuple[str, list[Any], bytes, list[str]]:
    """What a server is given: status, headers, body, and what is called at the end."""
    del closed[:]
    sent: list[Any] = []

    def start_response(status: str, headers: Any, exc_info: Any = None) -> Any:
        sent.extend((status, headers))

    environ = EnvironBuilder("/", method=method).get_environ()
    chunks: Iterable[bytes] = app(environ, start_response)
    body = b"".join(chunks)
    getattr(chunks, "close", lambda: None)()
    return (*sent, body, [*closed])


@pytest.mark.parametrize("method", ["GET", "HEAD", "PATCH"])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_server_is_given_what_flask_gives(answer, method):
    second = found = None
    # A cookie of a session has the second in it.
    while second != int(time.time()):
        second, found = int(time.time()), []
        for app in (flask.Flask(__name__), Flask(__name__)):
            app.secret_key = "key"
            app.add_url_rule("/", view_func=lambda: answer(), methods=["GET", "PATCH"])
            found.append(served(app, method))

    theirs, ours = found
    assert ours == theirs


def test_response_is_one_of_flask_or_the_one_of_the_author(app):
    with app.test_request_context():
        assert isinstance(flask.jsonify(1), flask.Response)
        assert isinstance(app.make_response("text"), flask.Response)
        response = Shouting("text")
        assert app.make_response(response) is response
        assert type(response) is Shouting


@pytest.mark.parametrize("answer", [lambda: "text", lambda: flask.Response("other")])
def test_subclass_of_the_class_is_one_of_flask(answer):
    sent = []
    for cls in (flask.Flask, Flask):
        app = cls(__name__)
        app.response_class = type("Own", (Loud, cls.response_class), {})
        app.add_url_rule("/", view_func=lambda: answer())
        sent.append(served(app, "GET"))

    assert sent[0] == sent[1]


@pytest.fixture
def text_app(app):
    """An application whose page is a text."""
    app.get("/")(lambda: "text")
    return app


def test_class_is_asked_for_its_defaults_at_each_response(text_app, monkeypatch):
    monkeypatch.setattr(text_app.response_class, "default_mimetype", "text/css")
    monkeypatch.setattr(text_app.response_class, "default_status", 202)

    status, headers, _, _ = served(text_app, "GET")

    assert status == "202 ACCEPTED"
    assert dict(headers)["Content-Type"] == "text/css; charset=utf-8"


def test_length_is_left_out_where_the_class_says_so(text_app, monkeypatch):
    name = "automatically_set_content_length"
    monkeypatch.setattr(text_app.response_class, name, False)

    assert "Content-Length" not in dict(served(text_app, "GET")[1])


METHODS = ("close", "get_app_iter", "get_wsgi_headers", "iter_encoded")


def recorded(calls: list[str], name: str, method: Callable[..., Any]) -> Any:
    """A method that records that it is called."""

    def record(*args: Any, **kwargs: Any) -> Any:
        calls.append(name)
        return method(*args, **kwargs)

    return record


@pytest.mark.parametrize("name", METHODS)
def test_method_of_an_instance_that_is_replaced_is_called(name):
    def calls_of(app: flask.Flask) -> list[str]:
        calls: list[str] = []
        app.get("/")(lambda: "text")

        @app.after_request
        def replace(response: flask.Response) -> flask.Response:
            method = recorded(calls, name, getattr(response, name))
            setattr(response, name, method)
            return response

        app.test_client().get("/").close()
        return calls

    assert calls_of(Flask("ours")) == calls_of(flask.Flask("plain")) != []


@pytest.mark.parametrize("cls", [WerkzeugResponse, flask.Response])
@pytest.mark.parametrize("name", METHODS)
def test_method_of_a_class_that_is_replaced_is_called(name, cls, monkeypatch):
    def calls_of(app: flask.Flask) -> list[str]:
        calls: list[str] = []
        app.get("/")(lambda: "text")
        app.test_client().get("/")
        with monkeypatch.context() as patch:
            patch.setattr(cls, name, recorded(calls, name, getattr(cls, name)))
            app.test_client().get("/").close()
        return calls

    assert calls_of(Flask("ours")) == calls_of(flask.Flask("plain")) != []
