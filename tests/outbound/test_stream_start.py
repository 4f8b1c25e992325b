"""The first item of a stream, which is taken before the status is sent."""

from __future__ import annotations

import itertools
import typing as t
from contextvars import ContextVar

import flask
import pytest
from client import client_of
from flask import abort, current_app, g, request, stream_with_context
from flask.testing import FlaskClient
from pydantic import BaseModel
from werkzeug.test import create_environ

from flask_signature import Blueprint, Flask

JSONL = "application/jsonl"
ANSWER = b'{"message":"An internal error occurred."}\n'

VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="outside")


class Item(BaseModel):
    n: int


def place_of(view: t.Callable[..., t.Any]) -> str:
    """The end of a message: the file and line where a view was written."""
    line = view.__code__.co_firstlineno
    return f"(tests/outbound/test_stream_start.py, line {line})"


def plain_client_of(view: t.Callable[..., t.Any], **options: t.Any) -> FlaskClient:
    """A client of a plain application with a blueprint of ours."""
    app = flask.Flask(__name__)
    blueprint = Blueprint("items", __name__)
    blueprint.get("/", **options)(view)
    app.register_blueprint(blueprint)
    return app.test_client()


@pytest.fixture(params=[client_of, plain_client_of], ids=["ours", "plain"])
def make_client(request) -> t.Callable[..., FlaskClient]:
    return request.param


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_abort_before_the_first_item_is_the_response(make_client, method):
    def show() -> t.Iterator[Item]:
        abort(404)
        yield Item(n=1)

    response = make_client(show, media_type=JSONL).open("/", method=method)

    assert response.status_code == 404


def test_abort_is_answered_as_json():
    def show() -> t.Iterator[Item]:
        abort(404, "No such list")
        yield Item(n=1)

    response = client_of(show, config={}, media_type=JSONL).get("/")

    assert (response.status_code, response.json) == (404, {"message": "No such list"})


def test_first_item_is_made_in_the_contexts_of_the_request(make_client):
    def show() -> t.Iterator[Item]:
        g.seen = current_app.name
        yield Item(n=int(request.args["n"]))

    client = make_client(show, media_type=JSONL)

    assert client.get("/?n=3").data == b'{"n":3}\n'


def test_asynchronous_view_has_its_first_item_made_in_them():
    async def show() -> t.Iterator[Item]:
        def items() -> t.Iterator[Item]:
            if request.args["n"] == "0":
                abort(404)
            yield Item(n=int(request.args["n"]))

        return items()

    client = client_of(show, media_type=JSONL)

    assert client.get("/?n=3").data == b'{"n":3}\n'
    assert client.get("/?n=0").status_code == 404


def test_later_items_are_made_without_the_request(caplog):
    def show() -> t.Iterator[Item]:
        yield Item(n=1)
        yield Item(n=len(current_app.name))

    response = client_of(show, media_type=JSONL).get("/")

    with pytest.raises(RuntimeError, match="outside of application context"):
        list(response.response)
    (message,) = caplog.messages
    assert message == (
        f"GET /: show() failed while its items were sent. {place_of(show)}"
    )


def test_item_that_does_not_fit_is_a_failed_response(make_client, caplog):
    closed = []

    def show() -> t.Iterator[Item]:
        try:
            yield {"n": "secret"}  # type: ignore[misc]
        finally:
            closed.append(True)

    response = make_client(show, media_type=JSONL).get("/")

    assert (response.status_code, response.data) == (500, ANSWER)
    assert closed == [True]
    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned what its response model refuses: int_parsing at ['n']"
        f" {place_of(show)}"
    )


def test_exception_before_the_first_item_is_one_of_the_view():
    def show() -> t.Iterator[Item]:
        raise LookupError("x")
        yield Item(n=1)

    client = client_of(show, media_type=JSONL)
    client.application.register_error_handler(LookupError, lambda error: ("mine", 410))
    response = client.get("/")

    assert (response.status_code, response.data) == (410, b"mine")


@pytest.mark.parametrize("source", [list, lambda: iter(()), lambda: map(str, ())])
def test_empty_stream_is_sent_empty(source):
    def show() -> t.Iterator[Item]:
        return source()

    response = client_of(show, media_type=JSONL).get("/")

    assert (response.status_code, response.data) == (200, b"")


def test_empty_generator_is_run_once():
    run = []

    def show() -> t.Iterator[Item]:
        run.append(True)
        yield from ()

    response = client_of(show, media_type=JSONL).get("/")

    assert (response.status_code, response.data, run) == (200, b"", [True])


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_generator_is_closed_once(make_client, method):
    said = []

    def show() -> t.Iterator[Item]:
        try:
            said.append("started")
            yield Item(n=1)
            yield Item(n=2)
        finally:
            said.append("closed")

    response = make_client(show, media_type=JSONL).open("/", method=method)
    response.close()

    assert (response.status_code, said) == (200, ["started", "closed"])


def test_events_are_made_when_they_are_sent():
    said = []

    def show() -> t.Iterator[Item]:
        said.append("started")
        yield Item(n=1)

    client = client_of(show, media_type="text/event-stream")
    sent: list[str] = []
    body = client.application(create_environ(), lambda status, _: sent.append(status))

    assert (sent, said) == (["200 OK"], [])
    assert list(body) == [b'data: {"n":1}\n\n']


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_generator_may_push_a_context_until_its_end(make_client, method):
    popped = []

    def show() -> t.Iterator[Item]:
        app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
        with app.app_context():
            g.rows = popped
            for n in range(3):
                yield Item(n=len(g.rows) + n)
        popped.append(True)

    client = make_client(show, media_type=JSONL)
    response = client.open("/", method=method)

    assert response.status_code == 200
    if method == "GET":
        assert response.data == b'{"n":0}\n{"n":1}\n{"n":2}\n'
        assert popped == [True]
    response.close()
    assert not flask.has_app_context()


def test_generator_may_set_a_context_variable_until_its_end():
    def show() -> t.Iterator[Item]:
        token = VARIABLE.set("inside")
        try:
            for _ in range(2):
                yield Item(n=len(VARIABLE.get()))
        finally:
            VARIABLE.reset(token)

    client = client_of(show, media_type=JSONL)

    assert client.get("/").data == b'{"n":6}\n{"n":6}\n'
    client.head("/").close()
    assert VARIABLE.get() == "outside"


def test_stream_with_context_has_the_request_to_its_end(make_client):
    torn_down = []

    def show() -> t.Iterator[Item]:
        def items() -> t.Iterator[Item]:
            for n in request.args.getlist("n"):
                assert not torn_down
                yield Item(n=len(request.path) + int(n))

        return stream_with_context(items())

    client = make_client(show, media_type=JSONL)
    client.application.teardown_request(torn_down.append)

    assert client.get("/?n=1&n=2").data == b'{"n":2}\n{"n":3}\n'
    assert torn_down == [None]
    torn_down.clear()
    client.head("/?n=1").close()
    assert len(torn_down) == 1
    assert not flask.has_request_context()


def test_stream_with_context_that_aborts_leaves_no_context(make_client):
    def show() -> t.Iterator[Item]:
        def items() -> t.Iterator[Item]:
            abort(404)
            yield Item(n=1)

        return stream_with_context(items())

    assert make_client(show, media_type=JSONL).get("/").status_code == 404
    assert not flask.has_request_context()


class Rows:
    """An iterator that is no generator, and takes its items of one."""

    def __init__(self, rows: t.Iterator[t.Any]) -> None:
        self.rows = rows

    def __iter__(self) -> t.Iterator[t.Any]:
        return self

    def __next__(self) -> t.Any:
        return next(self.rows)


AROUND: dict[str, t.Callable[[t.Iterator[t.Any]], t.Any]] = {
    "map": lambda rows: map(dict, rows),
    "chain": lambda rows: itertools.chain(rows, ()),
    "chain-of-map": lambda rows: itertools.chain((), map(dict, rows)),
    "islice": lambda rows: itertools.islice(rows, 9),
    "object": Rows,
    "expression": lambda rows: (dict(row) for row in rows),
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_generator_inside_may_push_a_context_until_its_end(make_client, around, method):
    other = flask.Flask("other")

    def rows() -> t.Iterator[dict[str, int]]:
        with other.app_context():
            for n in range(2):
                yield {"n": len(current_app.name) + n}

    def show() -> t.Iterator[Item]:
        return around(rows())

    response = make_client(show, media_type=JSONL).open("/", method=method)

    assert response.status_code == 200
    if method == "GET":
        assert response.data == b'{"n":5}\n{"n":6}\n'
    response.close()
    assert not flask.has_app_context()


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("query", ["?n=1&n=2", ""])
def test_stream_with_context_may_be_inside(make_client, around, query):
    def show() -> t.Iterator[Item]:
        def items() -> t.Iterator[dict[str, int]]:
            for n in request.args.getlist("n"):
                yield {"n": len(request.path) + int(n)}

        return around(stream_with_context(items()))

    response = make_client(show, media_type=JSONL).get(f"/{query}")

    assert response.data == (b'{"n":2}\n{"n":3}\n' if query else b"")
    assert not flask.has_request_context()


class Cursor:
    """What a database gives: its rows, and a method that is no generator's."""

    def __init__(self) -> None:
        self.rows = iter([{"n": 1}, {"n": 2}])
        self.closed: list[bool] = []

    def __iter__(self) -> t.Iterator[t.Any]:
        return self

    def __next__(self) -> t.Any:
        return next(self.rows)

    def close(self) -> None:
        self.closed.append(flask.has_request_context())


@pytest.mark.parametrize("media_type", [JSONL, "text/event-stream"])
def test_stream_is_closed_once_when_another_response_is_sent(make_client, media_type):
    cursor = Cursor()

    def show() -> t.Iterator[Item]:
        return cursor  # type: ignore[return-value]

    client = make_client(show, media_type=media_type)
    client.application.after_request(lambda response: flask.Response("other"))
    response = client.get("/")
    response.close()

    assert response.data == b"other"
    assert cursor.closed == [True]


def test_stream_that_is_sent_is_closed_once():
    cursor = Cursor()

    def show() -> t.Iterator[Item]:
        return cursor  # type: ignore[return-value]

    response = client_of(show, media_type=JSONL).get("/")

    assert response.data == b'{"n":1}\n{"n":2}\n'
    response.close()
    response.close()
    del response
    assert len(cursor.closed) == 1


def test_value_that_has_no_iterator_is_not_closed(recwarn):
    class Broken:
        def __iter__(self) -> t.Iterator[t.Any]:
            raise LookupError

    def show() -> t.Iterator[Item]:
        return Broken()  # type: ignore[return-value]

    client = client_of(show, media_type=JSONL)
    client.application.register_error_handler(LookupError, lambda error: ("mine", 410))

    assert client.get("/").status_code == 410
    assert not recwarn.list
