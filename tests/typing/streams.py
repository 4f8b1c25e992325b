"""The items of a stream are of the type that the view is annotated with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from pydantic import BaseModel
from typing_extensions import assert_type

from flask_signature import Event, Flask, stream_with_context

app = Flask(__name__)


class Price(BaseModel):
    cents: int


class Closed(BaseModel):
    reason: str


@app.get("/events")
def events() -> Iterator[Event[Price]]:
    yield Event(Price(cents=1), id="a", event="price", retry=10, comment="one")
    yield Event(id=2)
    yield Event()
    yield Event[Price](comment="beat")


@app.get("/mixed", media_type="text/event-stream")
def mixed() -> Iterator[Event[Price] | Price]:
    yield Event(Price(cents=1))
    yield Price(cents=1)


@app.get("/several")
def several() -> Iterator[Event[str] | Event[Closed]]:
    yield Event(Closed(reason="holiday"))
    yield Event("line")
    beat = Event(comment="beat")
    yield beat


@app.get("/union")
def union() -> Iterator[Event[Price | Closed]]:
    closed = Event(Closed(reason="holiday"))
    assert_type(closed, Event[Closed])
    yield closed


@app.get("/later", media_type="application/jsonl")
async def later() -> AsyncIterator[Price]:
    yield Price(cents=1)


@app.get("/context", media_type="application/jsonl")
@stream_with_context
def context(cents: int) -> Iterator[Price]:
    yield Price(cents=cents)


assert_type(context(1), Iterator[Price])
assert_type(stream_with_context(context(1)), Iterator[Price])
assert_type(stream_with_context(iter(["a"])), Iterator[str])


@app.get("/other")
def other() -> Iterator[Event[Price]]:
    yield Event("line")  # type: ignore[arg-type]  # pyright: ignore[reportReturnType]
    yield Closed(reason="x")  # type: ignore[misc]  # pyright: ignore[reportReturnType]


context("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
stream_with_context(later())  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
Event("line", "id")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
Event("line", retry="1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
