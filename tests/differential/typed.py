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


def make_readers(recorder: Recorder) -> dict[str, View]:
    """Views that read what is sent, by the end of the rule that each has."""

    def query(n: int, q: int = 1, r: list[str] | None = None) -> dict[str, t.Any]:
        recorder.event("typed", n, q, r)
        return {"n": n, "q": q}

    def body(n: int, item: Item = Body(Item(name="default"))) -> Item:
        recorder.event("typed", n, item)
        return item

    def form(n: int, a: int = Form(0), session: str = Cookie("")) -> tuple[str, int]:
        recorder.event("typed", n, a, bool(session))
        return str(a), 202

    def models(n: int, x_count: int = Header(0)) -> list[Item]:
        recorder.event("typed", n, x_count)
        flask.session["n"] = n
        return [Item(name="a"), Item(name="b", price=n)]

    return {view.__name__: view for view in (query, body, form, models)}


def make_enders(recorder: Recorder) -> dict[str, View]:
    """Views that end in another way than with a value."""

    def failing(n: int, q: int = 1) -> Item:
        recorder.event("typed", n, q)
        return {"price": "x"}  # type: ignore[return-value]

    def raising(n: int, q: int = 1) -> Item:
        raise Custom(q)

    def stream(n: int) -> Iterator[Item]:
        yield Item(name="a")
        recorder.event("typed", flask.request.path)
        yield Item(name="b", price=n)

    def connection(q: int = 1) -> Iterator[int]:
        recorder.event("typed", "opened")
        try:
            yield q
        finally:
            recorder.event("typed", "closed")

    def depending(n: int, opened: int = Depends(connection)) -> dict[str, int]:
        recorder.event("typed", n, opened)
        return {"n": n, "opened": opened}

    async def asynchronous(n: int, q: int = 1) -> Item:
        recorder.event("typed", n, q)
        return Item(name=flask.request.path)

    views = (failing, raising, stream, depending, asynchronous)
    return {view.__name__: view for view in views}


def make_typed(recorder: Recorder) -> dict[str, View]:
    """All views."""
    return make_readers(recorder) | make_enders(recorder)


#: Their names.
TYPED = tuple(make_typed(Recorder(())))

#: The options of the routes that are not for GET alone.
TYPED_OPTIONS: dict[str, dict[str, t.Any]] = {
    "body": {"methods": ["POST", "PUT"]},
    "form": {"methods": ["POST"]},
    "models": {"methods": ["GET", "DELETE"], "status_code": 200},
    "stream": {"media_type": "application/jsonl"},
    "depending": {"methods": ["GET", "POST"]},
}
