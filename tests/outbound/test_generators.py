"""Generator functions as views whose annotations say nothing of the items."""

from __future__ import annotations

import functools
import threading
import typing as t
from collections.abc import AsyncIterator, Iterator

import flask
import pytest
from client import client_of
from document import operation
from models import Tick
from returned import EVENTS, JSONL

import flask_signature
from flask_signature import Event, ResponseValidationError, SignatureError

ITEMS = (Tick(n=1), {"n": 2}, None, [3], "four\n", b"five\n")

SENT = {
    JSONL: b'{"n":1}\n{"n":2}\nnull\n[3]\nfour\nfive\n',
    "application/json-seq": (
        b'\x1e{"n":1}\n\x1e{"n":2}\n\x1enull\n\x1e[3]\nfour\nfive\n'
    ),
    EVENTS: (
        b'data: {"n":1}\n\ndata: {"n":2}\n\ndata: null\n\ndata: [3]\n\nfour\nfive\n'
    ),
}


def generators(*items: t.Any) -> list[t.Any]:
    """Views of either kind that yield the items."""

    def show():
        yield from items

    async def show_asynchronously():
        for item in items:
            yield item

    return [show, show_asynchronously]


#: What says of an annotation as much as none does, for a view of either kind.
SAME_AS_NONE: list[tuple[t.Any, t.Any]] = [
    (None, None),
    (Iterator, AsyncIterator),
    (Iterator[t.Any], AsyncIterator[t.Any]),
    (t.Iterable[object], t.AsyncIterable[object]),
    (t.Iterator, t.AsyncIterator),
]


def views(*items: t.Any) -> t.Iterator[t.Any]:
    for both in SAME_AS_NONE:
        made = generators(*items)
        for view, annotation in zip(made, both, strict=True):
            if annotation is not None:
                view.__annotations__["return"] = annotation
            yield view


@pytest.mark.parametrize("media_type", SENT)
def test_items_of_any_type_are_sent_by_the_media_type(media_type):
    for view in views(*ITEMS):
        response = client_of(view, media_type=media_type).get("/")
        assert response.data == SENT[media_type], view.__annotations__
        assert response.mimetype == media_type


@pytest.mark.parametrize("media_type", [None, "text/csv"])
def test_strings_and_bytes_are_sent_as_they_are(media_type):
    for view in views("a,", b"b,", bytearray(b"c")):
        response = client_of(view, media_type=media_type).get("/")
        assert response.data == b"a,b,c", view.__annotations__
        assert response.mimetype == (media_type or "text/html")


def test_generator_without_a_media_type_is_that_of_flask():
    seen = []
    for module in (flask, flask_signature):
        app = module.Flask(__name__)
        order: list[str] = []

        @app.after_request
        def after(response, order=order):
            order.append(type(response.response).__name__)
            return response

        @app.get("/")
        def show(order=order):
            order.append("first")
            yield "a"

        response = app.test_client().get("/")
        seen.append(([*order, response.text], [*response.headers]))

    assert seen[0] == seen[1]
    assert seen[0][0] == ["generator", "first", "a"]


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_generator_is_sent_with_200(method):
    for view in views(b"a\n"):
        assert client_of(view, method=method).open("/", method=method).data == b"a\n"


def test_item_that_is_no_text_ends_an_asynchronous_stream(caplog):
    _, view = generators("a", 1)

    with pytest.raises(ResponseValidationError):
        client_of(view).get("/").get_data()

    assert "returned what its response model refuses" in caplog.text
    _, view = generators({"a": 1})
    assert client_of(view).get("/").status_code == 500


def events():
    yield Event(Tick(n=1), id=1)
    yield {"n": 2}
    yield Event(raw="[DONE]")


async def asynchronous_events():
    yield flask_signature.Event(Tick(n=1), id=1)
    yield {"n": 2}
    yield flask_signature.Event(raw="[DONE]")


def closed_events():
    from flask_signature import Event as Sent

    def show():
        yield Sent(Tick(n=1), id=1)
        yield later
        yield Sent(raw="[DONE]")

    view, later = show, {"n": 2}
    return view


@pytest.mark.parametrize(
    "view", [events, asynchronous_events, closed_events()], ids=["sync", "async", "in"]
)
@pytest.mark.parametrize("media_type", [None, EVENTS])
def test_generator_that_names_events_is_a_stream_of_them(view, media_type):
    client = client_of(view, media_type=media_type)
    described = operation(client.application, "GET /")["responses"]["200"]

    response = client.get("/")

    assert [*described["content"]] == [response.mimetype] == [EVENTS]
    assert response.text == 'id: 1\ndata: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n'


def test_another_event_is_none():
    def show():
        yield "" if threading.Event().is_set() else "a"

    assert client_of(show).get("/").mimetype == "text/html"


def test_variable_without_a_value_yet_is_no_event():
    def show():
        yield str(type(later))

    client = client_of(show)
    later = 1

    assert client.get("/").text == "<class 'int'>"


def test_events_are_of_one_media_type():
    with pytest.raises(SignatureError, match="yields events, but declares media_type="):
        client_of(events, media_type=JSONL)


def test_decorated_generator_is_one():
    def decorated(view):
        return functools.wraps(view)(lambda *args, **options: view(*args, **options))

    for view in generators(Tick(n=1)):
        client = client_of(decorated(view), media_type=JSONL)

        assert client.get("/").data == b'{"n":1}\n'


@pytest.mark.parametrize("model", [Tick, Tick | None])
def test_model_that_a_generator_can_not_be_is_refused(model):
    for view in generators({"n": 1}):
        with pytest.raises(SignatureError) as caught:
            client_of(view, response_model=model)

        assert "yields its items, and 'Tick" in str(caught.value)
        assert "Write Iterator[Tick" in str(caught.value)


def test_list_may_be_made_of_a_generator():
    show, _ = generators({"n": 1}, {"n": 2})
    response = client_of(show, response_model=list[Tick]).get("/")
    assert response.json == [{"n": 1}, {"n": 2}]


def test_document_says_that_a_stream_is_a_string():
    for view in views():
        app = client_of(view, media_type=JSONL).application
        described = operation(app, "GET /")["responses"]["200"]
        assert described["content"] == {JSONL: {"schema": {"type": "string"}}}
