"""Streams that keep the context of the request to their end."""

import inspect
import typing as t
from collections.abc import AsyncIterator, Iterator

import flask
import pytest
from flask import g, request
from messages import message_of
from pydantic import BaseModel, computed_field
from returned import EVENTS, JSONL, served

from flask_signature import Event, Flask, SignatureError, stream_with_context


class Item(BaseModel):
    n: int

    @computed_field
    def link(self) -> str:
        """Made while an item is serialized."""
        return f"{request.path}{g.user}/{self.n}"


def decorated(items: t.Callable[[], Iterator[t.Any]]) -> t.Any:
    @stream_with_context
    def show():
        yield from items()

    return show


WAYS = {
    "decorated": decorated,
    "inside": lambda items: lambda: stream_with_context(items)(),
    "called": lambda items: lambda: stream_with_context(items()),
}


def annotated(view: t.Any, annotation: t.Any) -> t.Any:
    for function in (view, inspect.unwrap(view)):
        function.__annotations__["return"] = annotation
    return view


def app_with(view: t.Any, media_type: str | None) -> tuple[Flask, list[str]]:
    """An application and what its teardown functions say."""
    app, said = Flask(__name__), list[str]()
    app.get("/", media_type=media_type)(view)
    app.before_request(lambda: setattr(g, "user", "ann"))
    app.teardown_appcontext(lambda error: said.append("torn down"))
    return app, said


STREAMS = {
    "lines": (JSONL, Iterator[Item], Item, b"%s\n"),
    "event-stream": (EVENTS, Iterator[Item], Item, b"data: %s\n\n"),
    "events": (
        *(None, Iterator[Event[Item]]),
        *(lambda **fields: Event(Item(**fields)), b"data: %s\n\n"),
    ),
}


@pytest.mark.parametrize("wrap", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("take", [None, 1])
def test_items_are_made_and_serialized_in_the_context(wrap, stream, take):
    media_type, annotation, make, frame = stream
    made = []

    def items() -> Iterator[t.Any]:
        for n in range(2):
            made.append(f"{request.path}{g.user}")
            yield make(n=n)

    view = annotated(wrap(items), annotation)
    app, said = app_with(view, media_type)

    sent = [frame % b'{"n":%d,"link":"/ann/%d"}' % (n, n) for n in range(2)]
    assert served(app, take=take) == b"".join(sent[:take])
    assert made == ["/ann"] * (take or 2)
    # Flask 3.1 tears down twice where the stream starts after the request.
    assert set(said) == {"torn down"}
    assert not flask.has_app_context()


@pytest.mark.parametrize("wrap", WAYS.values(), ids=WAYS)
def test_teardown_comes_at_the_end_of_the_stream(wrap):
    said = list[str]()

    def items() -> Iterator[t.Any]:
        for n in range(2):
            said.append(f"item {n}")
            yield Item(n=n)

    app, _ = app_with(annotated(wrap(items), Iterator[Item]), JSONL)
    app.teardown_appcontext(lambda error: said.append("torn down"))
    served(app)

    assert said == ["item 0", "item 1", "torn down"]


def test_strings_are_sent_as_with_flask():
    @stream_with_context
    def show() -> Iterator[str]:
        yield request.path

    assert served(app_with(show, None)[0]) == b"/"


def test_arguments_of_a_decorated_view_are_read():
    @stream_with_context
    def show(n: int) -> Iterator[Item]:
        yield Item(n=n)

    client = app_with(show, JSONL)[0].test_client()

    assert client.get("/?n=3").data == b'{"n":3,"link":"/ann/3"}\n'
    assert client.get("/?n=x").status_code == 422


def test_asynchronous_generator_needs_none():
    async def items() -> AsyncIterator[Item]:
        yield Item(n=1)

    message = "given an asynchronous generator, which has the context of the request"
    for wrapped in (items, items()):
        with pytest.raises(SignatureError, match=message):
            stream_with_context(wrapped)

    async def show() -> AsyncIterator[Item]:
        for n in range(2):
            yield Item(n=n)

    for media_type in (JSONL, EVENTS):
        assert served(app_with(show, media_type)[0]).count(b'"link":"/ann/') == 2
    assert not flask.has_app_context()


def test_coroutine_function_calls_it():
    async def show() -> Iterator[Item]:
        return iter([])

    assert message_of(lambda: stream_with_context(show)) == (
        "stream_with_context() decorates show(), which is a coroutine function. Call it"
        " with the generator that is returned."
    )
