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
from models import Tick
from returned import (
    EACH_KIND,
    EVENTS,
    JSONL,
    LEFT,
    check_failed,
    place_of,
    returning,
    view_of,
)
from werkzeug.test import create_environ

from flask_signature import Blueprint

VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="outside")


def ours(view: t.Callable[..., t.Any], **options: t.Any) -> FlaskClient:
    """A client of our application, by which lines are sent."""
    return client_of(view, **{"media_type": JSONL, **options})


def plain(view: t.Callable[..., t.Any], **options: t.Any) -> FlaskClient:
    """A client of a plain application with a blueprint of ours."""
    app, blueprint = flask.Flask(__name__), Blueprint("items", __name__)
    blueprint.get("/", **{"media_type": JSONL, **options})(view)
    app.register_blueprint(blueprint)
    return app.test_client()


@pytest.fixture(params=[ours, plain])
def make_client(request) -> t.Callable[..., FlaskClient]:
    return request.param


def refuse() -> t.Iterator[Tick]:
    abort(404)
    yield Tick(n=1)


async def refuse_later() -> t.AsyncIterator[Tick]:
    abort(404)
    yield Tick(n=1)


@pytest.mark.parametrize("show", [refuse, refuse_later])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_abort_before_the_first_item_is_the_response(make_client, method, show):
    response = make_client(show).open("/", method=method)

    assert response.status_code == 404


def test_abort_is_answered_as_json():
    def show() -> t.Iterator[Tick]:
        abort(404, "No such list")
        yield Tick(n=1)

    response = ours(show, config={}).get("/")

    assert (response.status_code, response.json) == (404, {"message": "No such list"})


def items() -> t.Iterator[Tick]:
    g.seen = current_app.name
    yield Tick(n=int(request.args["n"]))


async def return_items() -> t.Iterator[Tick]:
    return items()


@pytest.mark.parametrize("show", [items, return_items])
def test_first_item_is_made_in_the_contexts_of_the_request(make_client, show):
    assert make_client(show).get("/?n=3").data == b'{"n":3}\n'


def test_later_items_are_made_without_the_request(caplog):
    def show() -> t.Iterator[Tick]:
        yield Tick(n=1)
        yield Tick(n=len(current_app.name))

    response = ours(show).get("/")

    with pytest.raises(RuntimeError, match="outside of application context"):
        list(response.response)
    assert caplog.messages == [
        f"GET /: show() failed while its items were sent. {place_of(show)}"
    ]


@EACH_KIND
def test_item_that_does_not_fit_is_a_failed_response(
    make_client, annotation, make, caplog
):
    source = make({"n": "secret"})
    show = view_of(annotation, source)
    response = make_client(show).get("/")

    assert source.said == LEFT
    message = (
        "GET /: show() returned what its response model refuses: int_parsing at ['n']"
        f" {place_of(show)}"
    )
    check_failed(response, caplog, message)


@pytest.mark.parametrize("source", [list, lambda: iter(()), lambda: map(str, ())])
def test_empty_stream_is_sent_empty(source):
    response = returning(t.Iterator[Tick], source(), media_type=JSONL)
    assert (response.status_code, response.data) == (200, b"")


def test_empty_generator_is_run_once():
    run = []

    def show() -> t.Iterator[Tick]:
        run.append(True)
        yield from ()

    response = ours(show).get("/")

    assert (response.status_code, response.data, run) == (200, b"", [True])


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_generator_is_closed_once(make_client, method):
    said = []

    def show() -> t.Iterator[Tick]:
        try:
            said.append("started")
            yield Tick(n=1)
            yield Tick(n=2)
        finally:
            said.append("closed")

    response = make_client(show).open("/", method=method)
    response.close()

    assert (response.status_code, said) == (200, ["started", "closed"])


def test_events_are_made_when_they_are_sent():
    said = []

    def show() -> t.Iterator[Tick]:
        said.append("started")
        yield Tick(n=1)

    app, sent = ours(show, media_type=EVENTS).application, list[str]()
    body = app(create_environ(), lambda status, _: sent.append(status))

    assert (sent, said) == (["200 OK"], [])
    assert list(body) == [b'data: {"n":1}\n\n']


def test_generator_may_set_a_context_variable_until_its_end():
    def show() -> t.Iterator[Tick]:
        token = VARIABLE.set("inside")
        try:
            for _ in range(2):
                yield Tick(n=len(VARIABLE.get()))
        finally:
            VARIABLE.reset(token)

    client = ours(show)

    assert client.get("/").data == b'{"n":6}\n{"n":6}\n'
    client.head("/").close()
    assert VARIABLE.get() == "outside"


def test_stream_with_context_that_aborts_leaves_no_context(make_client):
    def show() -> t.Iterator[Tick]:
        return stream_with_context(refuse())

    assert make_client(show).get("/").status_code == 404
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
    "itself": lambda rows: rows,
    "map": lambda rows: map(dict, rows),
    "chain": lambda rows: itertools.chain(rows, ()),
    "chain-of-map": lambda rows: itertools.chain((), map(dict, rows)),
    "islice": lambda rows: itertools.islice(rows, 9),
    "object": Rows,
    "expression": lambda rows: (dict(row) for row in rows),
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_generator_may_push_a_context_until_its_end(make_client, around, method):
    other = flask.Flask("other")

    def rows() -> t.Iterator[dict[str, int]]:
        with other.app_context():
            for n in range(2):
                yield {"n": len(current_app.name) + n}

    def show() -> t.Iterator[Tick]:
        return around(rows())

    response = make_client(show).open("/", method=method)

    assert response.status_code == 200
    if method == "GET":
        assert response.data == b'{"n":5}\n{"n":6}\n'
    response.close()
    assert not flask.has_app_context()


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("query", ["?n=1&n=2", ""])
def test_stream_with_context_has_the_request_to_its_end(make_client, around, query):
    torn_down = []

    def show() -> t.Iterator[Tick]:
        def items() -> t.Iterator[dict[str, int]]:
            for n in request.args.getlist("n"):
                assert not torn_down
                yield {"n": len(request.path) + int(n)}

        return around(stream_with_context(items()))

    client = make_client(show)
    client.application.teardown_request(torn_down.append)

    expected = b'{"n":2}\n{"n":3}\n' if query else b""
    assert client.get(f"/{query}").data == expected
    assert torn_down == [None]
    torn_down.clear()
    client.head(f"/{query}").close()
    assert len(torn_down) == 1
    assert not flask.has_request_context()


class Cursor(Rows):
    """What a database gives: its rows, and a method that is no generator's."""

    def __init__(self) -> None:
        super().__init__(iter([{"n": 1}, {"n": 2}]))
        self.closed: list[bool] = []

    def close(self) -> None:
        self.closed.append(flask.has_request_context())


@pytest.mark.parametrize("media_type", [JSONL, EVENTS])
def test_stream_is_closed_once_when_another_response_is_sent(make_client, media_type):
    cursor = Cursor()
    client = make_client(view_of(t.Iterator[Tick], cursor), media_type=media_type)
    client.application.after_request(lambda response: flask.Response("other"))
    response = client.get("/")
    response.close()

    assert response.data == b"other"
    assert cursor.closed == [True]


def test_stream_that_is_sent_is_closed_once():
    cursor = Cursor()
    response = returning(t.Iterator[Tick], cursor, media_type=JSONL)

    assert response.data == b'{"n":1}\n{"n":2}\n'
    response.close()
    response.close()
    del response
    assert len(cursor.closed) == 1


class Broken:
    def __iter__(self) -> t.Iterator[t.Any]:
        raise LookupError


def broken() -> t.Iterator[Tick]:
    raise LookupError("x")
    yield Tick(n=1)


@pytest.mark.parametrize("make", [Broken, broken], ids=["iterable", "generator"])
def test_exception_before_the_first_item_is_one_of_the_view(make, recwarn):
    client = ours(view_of(t.Iterator[Tick], make()))
    client.application.register_error_handler(LookupError, lambda error: ("mine", 410))
    response = client.get("/")

    assert (response.status_code, response.data) == (410, b"mine")
    assert not recwarn.list
