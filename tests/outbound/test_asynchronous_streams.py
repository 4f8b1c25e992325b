"""Streams of asynchronous generators."""

import asyncio
import gc
import os
import threading
import typing as t
import weakref
from collections.abc import AsyncIterable, AsyncIterator
from contextvars import ContextVar

import flask
import pytest
from client import client_of
from document import operation
from flask import request
from flask.views import MethodView
from models import Tick
from returned import (
    EVENTS,
    JSONL,
    LEFT,
    AsyncSource,
    refused,
    returning,
    served,
    view_of,
)

from flask_signature import Depends, Flask, SignatureError

VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="outside")


def app_with(view: t.Callable[..., t.Any], media_type: str | None = JSONL) -> Flask:
    app = Flask(__name__)
    app.get("/", media_type=media_type)(view)
    return app


def sent_by(view: t.Callable[..., t.Any]) -> bytes:
    """The lines of a view that yields items."""
    return client_of(view, media_type=JSONL).get("/").data


def test_view_may_return_an_asynchronous_generator():
    def show() -> AsyncIterable[Tick]:
        return AsyncSource(Tick(n=1))

    async def show_later() -> AsyncIterator[Tick]:
        await asyncio.sleep(0)
        return aiter(AsyncSource(Tick(n=1)))

    assert sent_by(show) == sent_by(show_later) == b'{"n":1}\n'


def test_method_view_may_have_one(app, client):
    class View(MethodView):
        async def get(self) -> AsyncIterator[Tick]:
            yield Tick(n=1)

    app.add_url_rule("/", view_func=View.as_view("view"), media_type=JSONL)

    assert client.get("/").data == b'{"n":1}\n'


@pytest.mark.parametrize("media_type", [None, "text/plain", EVENTS])
def test_strings_are_sent_as_they_are_yielded(media_type):
    async def show() -> AsyncIterator[str]:
        yield "a"
        yield "ä"

    response = client_of(show, media_type=media_type).get("/")

    mimetype = media_type or "text/html"
    assert (response.mimetype, response.text) == (mimetype, "aä")
    found = operation(app_with(show, media_type), "GET /")["responses"]["200"]
    assert found["content"] == {mimetype: {"schema": {"type": "string"}}}


LINES = AsyncIterable[Tick]


def test_stream_is_closed_when_another_response_is_sent():
    source = AsyncSource(Tick(n=1), Tick(n=2))
    app = app_with(view_of(LINES, source))
    app.after_request(lambda response: flask.Response("other"))

    assert served(app) == b"other"
    assert source.said == LEFT


def test_one_task_on_one_loop_makes_all_items():
    found = set[t.Any]()

    async def show() -> AsyncIterator[Tick]:
        token = VARIABLE.set("inside")
        try:
            for n in range(3):
                found.add((asyncio.current_task(), asyncio.get_running_loop()))
                assert VARIABLE.get() == "inside"
                yield Tick(n=n)
        finally:
            found.add((asyncio.current_task(), asyncio.get_running_loop()))
            VARIABLE.reset(token)

    app = app_with(show)

    assert served(app).count(b"\n") == 3
    [(_, loop)] = found
    assert loop.is_closed()
    assert served(app, take=1).count(b"\n") == 1
    assert len(found) == 2
    assert VARIABLE.get() == "outside"


def test_tasks_of_a_generator_end_with_it():
    ended = []

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def show() -> AsyncIterator[Tick]:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        yield Tick(n=len([task]))

    assert sent_by(show) == b'{"n":1}\n'
    assert ended == [True]


def test_neither_threads_nor_files_nor_items_are_left():
    sizes = []

    async def show() -> AsyncIterator[Tick]:
        made = list[weakref.ref[Tick]]()
        for n in range(100):
            item = Tick(n=n)
            made.append(weakref.ref(item))
            yield item
            del item
            sizes.append(sum(found() is not None for found in made))

    async def in_a_thread() -> AsyncIterator[Tick]:
        yield Tick(n=await asyncio.to_thread(len, "a"))
        yield Tick(n=2)

    apps = [app_with(view) for view in (show, in_a_thread)]
    for app in apps:
        served(app)
    before = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for app in apps * 5:
        served(app)
        served(app, take=1)

    assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == before
    assert max(sizes) <= 2


def test_stream_that_is_thrown_away_is_closed():
    source = AsyncSource(Tick(n=1), Tick(n=2))
    response = returning(LINES, source, media_type=JSONL)
    assert source.said == ["sent"]
    del response
    gc.collect()

    assert source.said == LEFT


@pytest.mark.parametrize("media_type", [JSONL, EVENTS])
def test_view_may_have_an_asynchronous_dependency(media_type):
    async def supply(n: int) -> int:
        await asyncio.sleep(0)
        return n

    async def show(number: t.Annotated[int, Depends(supply)]) -> AsyncIterator[Tick]:
        for n in range(2):
            await asyncio.sleep(0)
            yield Tick(n=number + n + len(request.path))

    data = client_of(show, media_type=media_type).get("/?n=3").data

    assert [data.count(b'{"n":%d}' % n) for n in (4, 5)] == [1, 1]


def test_generator_that_is_closed_before_is_refused():
    def get_db() -> t.Iterator[str]:
        yield "db"

    async def show(db: t.Annotated[str, Depends(get_db)]) -> AsyncIterator[Tick]:
        yield Tick(n=1)

    with pytest.raises(
        SignatureError, match=r"show\(\) sends a stream, but get_db\(\)"
    ):
        client_of(show, media_type=JSONL)


@pytest.mark.parametrize("item", [Tick, dict[str, int]])
def test_stream_without_a_format_is_refused(item):
    assert "its media_type= does not say how" in refused(AsyncIterator[item])
