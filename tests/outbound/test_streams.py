"""Responses that are sent item by item."""

from __future__ import annotations

import logging
import traceback
import typing as t

import pytest
from client import client_of
from flask import Response
from models import Problem, Tick
from returned import (
    EACH_KIND,
    EVENTS,
    JSONL,
    LEFT,
    AsyncSource,
    Source,
    cases,
    check_failed,
    place_of,
    refused,
    responses_of,
    returning,
    served,
    view_of,
)

from flask_signature import Event, Flask, ResponseValidationError


class Marked(Tick):
    secret: str = "secret"


def sent_by(value: t.Any, item: t.Any = Tick, media_type: str = JSONL) -> t.Any:
    """The response of a view that returns a stream of items."""
    return returning(t.Iterator[item], value, media_type=media_type)


FORMATS = {
    JSONL: (b'{"n":1}\n{"n":2}\n', JSONL),
    "application/x-ndjson": (b'{"n":1}\n{"n":2}\n', "application/x-ndjson"),
    "application/json-seq": (b'\x1e{"n":1}\n\x1e{"n":2}\n', "application/json-seq"),
    EVENTS: (b'data: {"n":1}\n\ndata: {"n":2}\n\n', f"{EVENTS}; charset=utf-8"),
}


@pytest.mark.parametrize("media_type", FORMATS)
@pytest.mark.parametrize(
    ("annotation", "make"),
    [
        *((t.Iterator[Tick], Source), (t.AsyncIterator[Tick], AsyncSource)),
        *((t.Iterable[Tick], Source), (t.AsyncIterable[Tick], AsyncSource)),
        (t.Generator[Tick, None, None], Source),
        (t.AsyncGenerator[Tick, None], AsyncSource),
    ],
)
def test_items_are_written_one_by_one(annotation, make, media_type):
    body, content_type = FORMATS[media_type]
    items = make({"n": "1"}, Marked(n=2))

    response = returning(annotation, items, media_type=media_type)

    assert (response.status_code, response.data) == (200, body)
    assert response.content_type == content_type
    assert "Content-Length" not in response.headers


#: The method of a request, the media type, the chunks that are taken of the response,
#: and what becomes of two items.
ENDS: dict[str, tuple[str, str, int | None, list[str]]] = {
    "all": ("GET", JSONL, None, ["sent", "sent", "closed", "released"]),
    "client-left": ("GET", JSONL, 1, LEFT),
    "head": ("HEAD", JSONL, None, LEFT),
    "head-of-events": ("HEAD", EVENTS, None, ["released"]),
}


@EACH_KIND
@cases("method media_type take said", ENDS)
def test_items_are_made_when_they_are_sent_and_closed_at_the_end(
    annotation, make, method, media_type, take, said
):
    source = make(Tick(n=1), Tick(n=2))
    view = view_of(annotation, source)

    served(client_of(view, media_type=media_type).application, method, take)

    assert source.said == said


@EACH_KIND
def test_tuple_gives_status_and_headers_to_a_stream(annotation, make):
    annotation = tuple[annotation, int, dict[str, str]]
    value = (make(Tick(n=1)), 202, {"Cache-Control": "no-store"})
    response = returning(annotation, value, media_type=JSONL)

    assert (response.status_code, response.data) == (202, b'{"n":1}\n')
    assert response.headers["Cache-Control"] == "no-store"


def test_response_model_says_that_it_is_a_stream():
    options = {"media_type": JSONL, "response_model": t.Iterator[Tick]}
    assert returning(list, [{"n": 1}], **options).data == b'{"n":1}\n'


BESIDE_A_STREAM = {
    "stream": ([{"n": 1}], 200, JSONL, b'{"n":1}\n'),
    "model": ({"reason": "x"}, 200, JSONL, b'{"reason":"x"}'),
    "model-of-a-status": (
        *(({"reason": "x", "z": 1}, 404), 404),
        *("application/json", b'{"reason":"x"}'),
    ),
    "response": (Response("a", 202), 202, "text/html", b"a"),
}


@cases("value status mimetype body", BESIDE_A_STREAM)
def test_stream_or(value, status, mimetype, body):
    annotation = t.Iterator[Tick] | Problem | tuple[Problem, int] | Response
    options = {"media_type": JSONL, "responses": {404: Problem}}
    response = returning(annotation, value, **options)

    assert (response.status_code, response.mimetype) == (status, mimetype)
    assert response.data == body


def test_dicts_are_items_too():
    assert sent_by([{"a": 1}], dict[str, t.Any]).data == b'{"a":1}\n'


def test_option_of_a_stream():
    options = {"media_type": JSONL, "response_model_exclude": {"n"}}
    assert returning(t.Iterator[Tick], [{"n": 1}], **options).data == b"{}\n"


@EACH_KIND
def test_item_that_its_model_refuses_ends_the_stream_and_is_logged(
    annotation, make, caplog
):
    source = make({"n": 1}, {"n": "secret"}, {"n": 3})
    view = view_of(annotation, source)
    response = client_of(view, media_type=JSONL).get("/")

    with pytest.raises(ResponseValidationError, match="its response model") as caught:
        list(response.response)
    # A server logs the exception that ends a stream.
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    response.close()
    assert source.said == ["sent", *LEFT]

    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned what its response model refuses: int_parsing at ['n']"
        f" {place_of(view)}"
    )
    assert response.status_code == 200


def fail() -> t.Iterator[Tick]:
    yield Tick(n=1)
    raise RuntimeError("no more")


async def fail_later() -> t.AsyncIterator[Tick]:
    yield Tick(n=1)
    raise RuntimeError("no more")


@pytest.mark.parametrize("show", [fail, fail_later])
def test_exception_of_the_view_ends_the_stream_and_is_logged(show, caplog):
    items = iter(client_of(show, media_type=JSONL).get("/").response)

    assert next(items) == b'{"n":1}\n'
    with pytest.raises(RuntimeError, match="no more") as caught:
        next(items)
    assert caught.value.__context__ is None
    [record] = caplog.records
    assert record.getMessage() == (
        f"GET /: {show.__name__}() failed while its items were sent. {place_of(show)}"
    )
    assert record.levelno == logging.ERROR
    assert record.exc_info[0] is RuntimeError


@pytest.mark.parametrize("value", [5, None, {"n": 1}, Tick(n=1)])
def test_what_is_no_stream_is_an_error(value, caplog):
    view = view_of(t.Iterator[Tick], value)
    response = client_of(view, media_type=JSONL).get("/")
    message = f"GET /: show() returned no stream of items. {place_of(view)}"
    check_failed(response, caplog, message)


def test_model_without_a_format_is_refused():
    assert refused(t.Iterator[Tick]).startswith(
        "GET /: the view yields 'Tick', but its media_type= does not say how to write a"
        " stream of them. Use one of 'application/jsonl', 'application/x-ndjson',"
        " 'application/json-seq', 'text/event-stream'. (tests"
    )


STATUSES = {
    "models": (t.Iterator[Tick], JSONL, [{"n": 1}], '{"n":1}\n'),
    "strings": (t.Iterator[str], None, ["a", "b"], "ab"),
    "events": (t.Iterator[Event[int]], None, [Event(1)], "data: 1\n\n"),
}


@pytest.mark.parametrize("name", STATUSES)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_stream_is_sent_and_described_with_200(name, method):
    annotation, media_type, items, text = STATUSES[name]
    options = {"method": method, "media_type": media_type}

    response = returning(annotation, iter(items), **options)
    assert (response.status_code, response.text) == (200, text)
    assert [*responses_of(annotation, **options)] == ["200"]


@pytest.mark.parametrize("place", ["route", "application"])
def test_stream_has_the_status_that_is_said(place):
    options = {place: {"status_code": 202}}
    app = Flask(__name__, **options.get("application", {}))

    @app.post("/", **options.get("route", {}))
    def show() -> t.Iterator[str]:
        return iter("ab")

    assert app.test_client().post("/").status_code == 202


def test_model_beside_a_stream_has_the_status_of_its_method():
    annotation = Tick | t.Iterator[str]
    response = returning(annotation, Tick(n=1), method="POST", media_type=JSONL)
    assert response.status_code == 201
