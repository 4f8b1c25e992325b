"""Views that only our classes have: they are compared on two of our applications."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator

import flask
from pydantic import BaseModel

from flask_signature import Body, Cookie, Depends, Form, Header

from .errors import Custom
from .recording import Recorder

View: t.TypeAlias = "Callable[..., t.Any]"


class Item(BaseModel):
    name: str
    price: float = 1.5


def query(recorder: Recorder) -> View:
    def view(n: int, q: int = 1, r: list[str] | None = None) -> dict[str, t.Any]:
        recorder.event("typed", n, q, r)
        return {"n": n, "q": q}

    return view


def body(recorder: Recorder) -> View:
    def view(n: int, item: Item = Body(Item(name="default"))) -> Item:
        recorder.event("typed", n, item)
        return item

    return view


def form(recorder: Recorder) -> View:
    def view(n: int, a: int = Form(0), session: str = Cookie("")) -> tuple[str, int]:
        recorder.event("typed", n, a, bool(session))
        return str(a), 202

    return view


def models(recorder: Recorder) -> View:
    def view(n: int, x_count: int = Header(0)) -> list[Item]:
        recorder.event("typed", n, x_count)
        flask.session["n"] = n
        return [Item(name="a"), Item(name="b", price=n)]

    return view


def failing(recorder: Recorder) -> View:
    def view(n: int, q: int = 1) -> Item:
        recorder.event("typed", n, q)
        return {"price": "x"}  # type: ignore[return-value]

    return view


def raising(recorder: Recorder) -> View:
    def view(n: int, q: int = 1) -> Item:
        raise Custom(q)

    return view


def stream(recorder: Recorder) -> View:
    def view(n: int) -> Iterator[Item]:
        yield Item(name="a")
        recorder.event("typed", flask.request.path)
        yield Item(name="b", price=n)

    return view


def depending(recorder: Recorder) -> View:
    def connection(q: int = 1) -> Iterator[int]:
        recorder.event("typed", "opened")
        try:
            yield q
        finally:
            recorder.event("typed", "closed")

    def view(n: int, opened: int = Depends(connection)) -> dict[str, int]:
        recorder.event("typed", n, opened)
        return {"n": n, "opened": opened}

    return view


def asynchronous(recorder: Recorder) -> View:
    async def view(n: int, q: int = 1) -> Item:
        recorder.event("typed", n, q)
        return Item(name=flask.request.path)

    return view


#: The views, by the end of the rule that each has.
TYPED: dict[str, Callable[[Recorder], View]] = {
    "query": query,
    "body": body,
    "form": form,
    "models": models,
    "failing": failing,
    "raising": raising,
    "stream": stream,
    "depending": depending,
    "asynchronous": asynchronous,
}

#: The options of the routes that are not for GET alone.
TYPED_OPTIONS: dict[str, dict[str, t.Any]] = {
    "body": {"methods": ["POST", "PUT"]},
    "form": {"methods": ["POST"]},
    "models": {"methods": ["GET", "DELETE"], "status_code": 200},
    "stream": {"media_type": "application/jsonl"},
    "depending": {"methods": ["GET", "POST"]},
}
