"""A body is read in fewer steps, and to the byte as Flask reads it."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import flask
import pytest
from client import client_of
from hypothesis import example, given
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder, run_wsgi_app

from flask_signature import Body, Flask, Form
from flask_signature._http.request import mimetype_of

BODY = b"name=Ada&price=12"
FORM = "application/x-www-form-urlencoded"


class Slow(io.RawIOBase):
    """Gives three bytes at a time, whatever it is asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._data.read(min(3, len(buffer)))
        buffer[: len(piece)] = piece
        return len(piece)


class Broken(Slow):
    """Fails, as the stream of a client that is gone."""

    def readinto(self, buffer: Any) -> int:
        raise OSError("gone")


#: A server that knows where a body ends says so.
ENDED = {"wsgi.input_terminated": True}


def environ(data: bytes = BODY, **more: Any) -> dict[str, Any]:
    made = EnvironBuilder(
        "/", method="POST", data=data, content_type="application/octet-stream"
    ).get_environ()
    return {**made, **more}


def unread(stream: io.IOBase, **more: Any) -> dict[str, Any]:
    return environ(**{"wsgi.input": stream, "CONTENT_LENGTH": "17", **more})


SENT: dict[str, Callable[[], dict[str, Any]]] = {
    "plain": environ,
    "empty": lambda: environ(b""),
    "a megabyte": lambda: environ(b"x" * 1_048_576),
    "more than a megabyte": lambda: environ(b"x" * 1_048_577),
    "slowly": lambda: unread(Slow(BODY)),
    "slowly and too short": lambda: unread(Slow(BODY[:-1])),
    "too short": lambda: unread(io.BytesIO(BODY[:-1])),
    "too long": lambda: unread(io.BytesIO(BODY + b"more")),
    "broken": lambda: unread(Broken(BODY)),
    "ended by the server": lambda: unread(io.BytesIO(BODY), **ENDED),
    "too short, ended by the server": lambda: unread(io.BytesIO(BODY[:-1]), **ENDED),
    "unpacked on the way": lambda: unread(io.BytesIO(BODY * 3), **ENDED),
    "no length": lambda: environ(CONTENT_LENGTH=""),
    "a length that is none": lambda: environ(CONTENT_LENGTH="seven"),
    "a negative length": lambda: environ(CONTENT_LENGTH="-1"),
    "a length with a sign": lambda: environ(CONTENT_LENGTH="+17"),
    "a length in other digits": lambda: environ(CONTENT_LENGTH="١٧"),
    "a length of 5,000 digits": lambda: environ(CONTENT_LENGTH="1" * 5000),
    "chunked": lambda: environ(HTTP_TRANSFER_ENCODING="chunked"),
    "chunked, ended by the server": lambda: environ(
        HTTP_TRANSFER_ENCODING="chunked", **ENDED
    ),
}


#: The limits at which Flask takes a part of a body for the whole.
CUT = {"unpacked on the way": 17, "chunked, ended by the server": 16}


def chunked(data: bytes, content_type: str) -> dict[str, Any]:
    """What a server sends on that takes chunks and knows where they end."""
    sent = {"CONTENT_TYPE": content_type, "HTTP_TRANSFER_ENCODING": "chunked", **ENDED}
    return unread(Slow(data), **sent, CONTENT_LENGTH="")


def plain_view() -> bytes:
    return flask.request.get_data()


def our_view(content: bytes = Body(b"")) -> bytes:
    return content


def answers(
    view: Callable[..., Any], cls: type[flask.Flask], sent: dict[str, Any], **more: Any
) -> tuple[int, bytes]:
    app = cls(__name__)
    app.config.update(more)
    app.add_url_rule("/", view_func=view, methods=["POST"])
    # A status of its own: the one of a POST is another in Flask.
    app.after_request(_as_200)
    chunks, status, _ = run_wsgi_app(app, sent)
    code = int(status.split()[0])
    return code, b"".join(chunks) if code == 200 else b""


def _as_200(response: flask.Response) -> flask.Response:
    if response.status_code == 201:
        response.status_code = 200
    return response


@pytest.mark.parametrize("limit", [None, 17, 16])
@pytest.mark.parametrize("name", SENT)
def test_body_is_what_flask_reads(name, limit):
    sent = SENT[name]
    ours = answers(our_view, Flask, sent(), MAX_CONTENT_LENGTH=limit)
    theirs = answers(plain_view, flask.Flask, sent(), MAX_CONTENT_LENGTH=limit)

    is_cut = limit is not None and CUT.get(name) == limit
    assert ours == ((413, b"") if is_cut else theirs)


def json_view(content: list[int]) -> str:
    return str(content)


def form_view(a: str = Form(), b: str = Form("")) -> str:
    return a + b


HOOKS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "data": lambda: flask.request.get_data(),
    "data that is not kept": lambda: flask.request.get_data(cache=False),
    "form": lambda: flask.request.form,
    "data and form": lambda: (flask.request.get_data(), len(flask.request.form)),
    "JSON": lambda: flask.request.get_json(silent=True),
    "stream": lambda: flask.request.stream.read(4),
    "input": lambda: flask.request.environ["wsgi.input"].read(4),
    "limit": lambda: setattr(flask.request, "max_content_length", 5),
}


FORM_DATA = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'
CHUNKED: dict[str, tuple[Callable[..., Any], bytes, str]] = {
    "JSON": (json_view, b"[1,2,3]         ", "application/json"),
    "raw": (our_view, b"0123456789", "application/octet-stream"),
    "form": (form_view, b"a=1&b=23456", FORM),
    "form with a parameter": (form_view, b"a=1&b=23456", f"{FORM}; charset=utf-8"),
    "multipart": (form_view, FORM_DATA, "multipart/form-data; boundary=b"),
}


@pytest.mark.parametrize("hook", ["none", "data", "data and form"])
@pytest.mark.parametrize("name", CHUNKED)
def test_chunked_body_over_the_limit_is_refused(name, hook):
    view, data, content_type = CHUNKED[name]

    def status(limit: int | None) -> int:
        app = Flask(__name__)
        app.config["MAX_CONTENT_LENGTH"] = limit
        app.post("/", status_code=200)(view)
        app.before_request(lambda: HOOKS[hook]() and None)
        _, code, _ = run_wsgi_app(app, chunked(data, content_type))
        return int(code.split()[0])

    sizes = (None, len(data) + 1, len(data) - 1, 8)
    assert [status(limit) for limit in sizes] == [200, 200, 413, 413]


@pytest.mark.parametrize("name", [name for name in CHUNKED if name != "multipart"])
def test_chunked_body_of_the_limit_is_read(name):
    view, data, content_type = CHUNKED[name]
    sent = chunked(data, content_type)

    assert answers(view, Flask, sent, MAX_CONTENT_LENGTH=len(data))[0] == 200


def test_client_that_is_gone_is_no_error_of_the_server():
    assert answers(our_view, Flask, unread(Broken(BODY), **ENDED))[0] == 400


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_body_that_a_hook_has_read_is_what_flask_leaves(hook):
    def answer(cls: type[flask.Flask], view: Callable[..., Any]) -> tuple[int, bytes]:
        app = cls(__name__)
        app.before_request(lambda: hook() and None)
        app.after_request(_as_200)
        app.add_url_rule("/", view_func=view, methods=["POST"])
        sent = app.test_client().post("/", data=BODY, content_type="a/b")
        return sent.status_code, sent.data if sent.status_code == 200 else b""

    assert answer(Flask, our_view) == answer(flask.Flask, plain_view)


def test_view_may_ask_for_the_data_and_the_json():
    def read(item: dict[str, int]) -> list[Any]:
        return [flask.request.get_data(as_text=True), flask.request.get_json()]

    answer = client_of(read, method="POST").post("/", json={"a": 1})

    assert answer.json == ['{"a": 1}', {"a": 1}]


def test_view_may_ask_for_the_form():
    def read(name: str = Form()) -> list[Any]:
        return [name, flask.request.form.to_dict()]

    answer = client_of(read, method="POST").post("/", data=BODY, content_type=FORM)

    assert answer.json == ["Ada", {"name": "Ada", "price": "12"}]


def test_data_is_kept_beside_the_form():
    def read(content: bytes = Body(media_type=FORM)) -> list[Any]:
        form = flask.request.form.to_dict()
        return [form, len(content), len(flask.request.get_data())]

    answer = client_of(read, method="POST").post("/", data=BODY, content_type=FORM)

    assert answer.json == [{"name": "Ada", "price": "12"}, 17, 17]


def test_request_class_may_read_the_body_in_its_own_way(app, client):
    class Signed(flask.Request):
        def get_data(self, *args: Any, **kwargs: Any) -> Any:
            return super().get_data(*args, **kwargs).removeprefix(b"signed:")

    app.request_class = Signed
    app.post("/")(our_view)

    answer = client.post("/", data=b"signed:text", content_type="a/b")

    assert answer.get_data() == b"text"


@example("")
@example(";")
@example(" application/JSON ; charset=utf-8")
@example("a/b;=;c")
@given(st.text(st.sampled_from('aB/;= \t"\\\xc4'), max_size=12))
def test_mimetype_is_that_of_werkzeug(content_type: str):
    request = flask.Request(environ(CONTENT_TYPE=content_type))

    assert mimetype_of(request) == request.mimetype
