"""What the tests of responses share: views that return a value, by their annotation."""

from __future__ import annotations

import asyncio
import functools
import itertools
import typing as t
from collections.abc import Callable, Mapping

import flask
import pytest
from client import client_of
from document import operation
from messages import message_of
from messages import place_of as place_of
from models import Tick
from pydantic import BaseModel, create_model
from werkzeug.test import EnvironBuilder, TestResponse

#: The body of a failed response.
ANSWER: t.Final = b'{"message":"An internal error occurred."}\n'

JSONL: t.Final = "application/jsonl"
EVENTS: t.Final = "text/event-stream"

#: What a client may not see of a value.
SECRET: t.Final = b"hunter2"


def cases(names: str, table: Mapping[str, tuple[t.Any, ...]]) -> pytest.MarkDecorator:
    """A test for each row of a table, under the name of the row.

    :param names: of the arguments, separated by spaces.
    """
    return pytest.mark.parametrize(names.split(), table.values(), ids=table)


def view_of(annotation: t.Any, value: t.Any = None) -> Callable[[], t.Any]:
    """A view that is annotated so, and returns the value.

    :param annotation: ``...`` for none.
    """

    def show():
        return value

    if annotation is not ...:
        show.__annotations__ = {"return": annotation}
    return show


class Source:
    """Items of a stream, and what became of the one who reads them."""

    def __init__(self, *items: t.Any) -> None:
        self.items = items
        self.said: list[str] = []

    def __iter__(self) -> t.Iterator[t.Any]:
        try:
            for item in self.items:
                self.said.append("sent")
                yield item
        except GeneratorExit:
            self.said.append("left")
            raise
        finally:
            self.said.append("closed")

    def close(self) -> None:
        self.said.append("released")


class AsyncSource:
    """The same of an asynchronous stream."""

    def __init__(self, *items: t.Any) -> None:
        self.source = Source(*items)
        self.said = self.source.said

    async def __aiter__(self) -> t.AsyncIterator[t.Any]:
        rows = iter(self.source)
        try:
            for row in rows:
                await asyncio.sleep(0)
                yield row
        finally:
            await asyncio.sleep(0)
            rows.close()  # type: ignore[attr-defined]

    async def aclose(self) -> None:
        self.source.close()


#: The kinds of streams: an annotation, and what makes the items.
EACH_KIND: t.Final = pytest.mark.parametrize(
    ("annotation", "make"),
    [(t.Iterator[Tick], Source), (t.AsyncIterable[Tick], AsyncSource)],
    ids=["sync", "async"],
)

#: What a source says that is left after its first item.
LEFT: t.Final = ["sent", "left", "closed", "released"]


def through(make: Callable[[t.Any], t.Any]) -> t.Any:
    """A decorator that makes a response of what the view has returned."""

    def decorate(view: t.Any) -> t.Any:
        @functools.wraps(view)
        def wrapper(*args: t.Any, **view_args: t.Any) -> t.Any:
            return make(view(*args, **view_args))

        return wrapper

    return decorate


def returning(
    annotation: t.Any, value: t.Any, *, method: str = "GET", **options: t.Any
) -> TestResponse:
    """The response of a view that is annotated so, and returns the value."""
    client = client_of(view_of(annotation, value), method=method, **options)
    return client.open("/", method=method)


def sent(model: t.Any, value: t.Any) -> t.Any:
    """What a client gets of a value by a model, ``None`` of a failed response.

    :param value: or what returns it.
    """

    def show():
        return value() if callable(value) else value

    response = client_of(show, response_model=model).get("/")
    assert SECRET not in response.data
    assert response.status_code in (200, 500)
    return response.json if response.status_code == 200 else None


def holder(tp: t.Any, **others: t.Any) -> type[BaseModel]:
    """A model with the field ``found`` of a type, and further ones."""
    return create_model("Holder", found=(tp, ...), **others)


def check_failed(response: TestResponse, caplog: t.Any, message: str) -> None:
    """Assert that a response failed, and that the log says why, and nothing else."""
    assert (response.status_code, response.data) == (500, ANSWER)
    assert response.content_type == "application/json"
    assert caplog.messages == [message]


def refused(annotation: t.Any, **options: t.Any) -> str:
    """What the registration of a view that is annotated so is refused with."""
    return message_of(lambda: client_of(view_of(annotation), **options))


def responses_of(
    annotation: t.Any, *, method: str = "GET", **options: t.Any
) -> dict[str, t.Any]:
    """The responses that a document has of a view that is annotated so, by status."""
    app = client_of(view_of(annotation), method=method, **options).application
    described = operation(app, f"{method} /")["responses"]
    return t.cast("dict[str, t.Any]", described)


def chunks_of(
    app: t.Any, path: str = "/", take: int | None = None, **options: t.Any
) -> list[bytes]:
    """The body of a real WSGI call, so many chunks of which are taken."""
    environ = EnvironBuilder(path, **options).get_environ()
    body = app(environ, lambda *args: lambda data: None)
    try:
        return [*itertools.islice(body, take)]
    finally:
        body.close()


def served(app: flask.Flask, method: str = "GET", take: int | None = None) -> bytes:
    """The same of a request to the root, as one string."""
    return b"".join(chunks_of(app, take=take, method=method))
