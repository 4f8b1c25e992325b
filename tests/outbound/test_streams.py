"""Responses that are sent item by item."""

from __future__ import annotations

import logging
import traceback
import typing as t
from types import CodeType

import pytest
from client import client_of
from flask import Flask as PlainFlask
from flask import Response, request, stream_with_context
from models import Problem
from pydantic import BaseModel

from flask_signature import Event, Flask, ResponseValidationError, SignatureError


class Item(BaseModel):
    n: int


class Marked(Item):
    secret: str = "secret"


class Source:
    """Items, and what became of the one who reads them."""

    def __init__(self, *items: t.Any) -> None:
        self.items = items
        self.said: list[str] = []

    def __iter__(self) -> t.Iterator[t.Any]:
        try:
            for item in self.items:
                self.said.append("sent")
                yield item
        finally:
            self.said.append("closed")

    def close(self) -> None:
        self.said.append("released")


def streaming(
    annotation: t.Any, value: t.Any, media_type: str | None, **options: t.Any
) -> t.Any:
    """A client of a view that returns a stream."""

    def show():
        return value() if callable(value) and not isinstance(value, Response) else value

    show.__annotations__ = {"return": annotation}
    return client_of(show, media_type=media_type, **options)


def line_of_show() -> int:
    """Where the view of :func:`streaming` is written."""
    codes = streaming.__code__.co_consts
    return next(code.co_firstlineno for code in codes if isinstance(code, CodeType))


FORMATS = {
    "application/jsonl": (b'{"n":1}\n{"n":2}\n', "application/jsonl"),
    "application/x-ndjson": (b'{"n":1}\n{"n":2}\n', "application/x-ndjson"),
    "application/json-seq": (b'\x1e{"n":1}\n\x1e{"n":2}\n', "application/json-seq"),
    "text/event-stream": (
        b'data: {"n":1}\n\ndata: {"n":2}\n\n',
        "text/event-stream; charset=utf-8",
    ),
}

ANNOTATIONS = [t.Iterator[Item], t.Iterable[Item], t.Generator[Item, None, None]]


@pytest.mark.parametrize("media_type", FORMATS)
@pytest.mark.parametrize(
    "annotation", ANNOTATIONS, ids=["iterator", "iterable", "generator"]
)
def test_items_are_written_one_by_one(annotation, media_type):
    body, content_type = FORMATS[media_type]

    response = streaming(annotation, [{"n": "1"}, Marked(n=2)], media_type).get("/")

    assert response.status_code == 200
    assert response.content_type == content_type
    assert response.data == body
    assert "Content-Length" not in response.headers


def test_view_may_be_a_generator_itself():
    def show(count: int) -> t.Iterator[Item]:
        for n in range(count):
            yield Item(n=n)

    client = client_of(show, media_type="application/jsonl")

    assert client.get("/?count=2").data == b'{"n":0}\n{"n":1}\n'


def test_items_are_made_when_they_are_sent():
    source = Source(Item(n=1), Item(n=2))
    response = streaming(t.Iterator[Item], source, "application/jsonl").get("/")

    # The test client looks at the first one to see that there is a response.
    assert source.said == ["sent"]
    assert next(iter(response.response)) == b'{"n":1}\n'
    assert source.said == ["sent"]
    response.close()


def test_generator_is_closed_when_the_client_leaves():
    source = Source(Item(n=1), Item(n=2))
    response = streaming(t.Iterator[Item], source, "application/jsonl").get("/")

    next(iter(response.response))
    response.close()

    assert source.said == ["sent", "closed", "released"]


def test_generator_that_never_started_is_closed():
    said = []

    class Rows:
        def __iter__(self):
            return self

        def __next__(self):
            raise AssertionError("nobody asked")

        def close(self):
            said.append("closed")

    client = streaming(t.Iterator[Item], Rows(), "text/event-stream")
    response = client.head("/")
    response.close()

    assert (response.status_code, response.data, said) == (200, b"", ["closed"])


def test_stream_with_context_keeps_the_request():
    def show() -> t.Iterator[Item]:
        def items():
            for n in request.args.getlist("n"):
                yield {"n": n}

        return stream_with_context(items())

    client = client_of(show, media_type="application/jsonl")

    assert client.get("/?n=1&n=2").data == b'{"n":1}\n{"n":2}\n'


def test_stream_with_context_as_a_decorator():
    @stream_with_context
    def show() -> t.Iterator[Item]:
        yield Item(n=len(request.path))

    client = client_of(show, media_type="application/jsonl")

    assert client.get("/").data == b'{"n":1}\n'


def test_tuple_gives_status_and_headers_to_a_stream():
    def show() -> tuple[t.Iterator[Item], int, dict[str, str]]:
        return iter([Item(n=1)]), 202, {"Cache-Control": "no-store"}

    response = client_of(show, media_type="application/jsonl").get("/")

    assert (response.status_code, response.data) == (202, b'{"n":1}\n')
    assert response.headers["Cache-Control"] == "no-store"


def test_response_model_says_that_it_is_a_stream():
    def show():
        return [{"n": 1}]

    client = client_of(
        show, media_type="application/jsonl", response_model=t.Iterator[Item]
    )

    assert client.get("/").data == b'{"n":1}\n'


BESIDE_A_STREAM = {
    "stream": ([{"n": 1}], 200, b'{"n":1}\n'),
    "model": ({"reason": "x"}, 200, b'{"reason":"x"}'),
    "model-of-a-status": (({"reason": "x", "z": 1}, 404), 404, b'{"reason":"x"}'),
    "response": (Response("a", 202), 202, b"a"),
}


@pytest.mark.parametrize(
    ("value", "status", "body"), BESIDE_A_STREAM.values(), ids=BESIDE_A_STREAM
)
def test_stream_or(value, status, body):
    client = streaming(
        t.Iterator[Item] | Problem | tuple[Problem, int] | Response,
        value,
        "application/jsonl",
        responses={404: Problem},
    )
    response = client.get("/")

    assert (response.status_code, response.data) == (status, body)


def test_error_instead_of_a_stream():
    def show() -> t.Iterator[Item]:
        return {"reason": "x", "more": 1}, 404  # type: ignore[return-value]

    client = client_of(show, media_type="application/jsonl", responses={404: Problem})
    response = client.get("/")

    assert response.status_code == 404
    assert response.content_type == "application/json"
    assert response.data == b'{"reason":"x"}'


def test_text_is_sent_as_it_is_yielded():
    def show() -> t.Iterator[str]:
        yield "event: tick\n"
        yield "data: 1\n\n"

    response = client_of(show, media_type="text/event-stream").get("/")

    assert response.content_type == "text/event-stream; charset=utf-8"
    assert response.data == b"event: tick\ndata: 1\n\n"


def test_dicts_are_items_too():
    client = streaming(t.Iterator[dict[str, t.Any]], [{"a": 1}], "application/jsonl")

    assert client.get("/").data == b'{"a":1}\n'


def test_iterator_without_a_format_is_flasks_own():
    response = streaming(t.Iterator[str], lambda: iter(["a", "b"]), None).get("/")

    assert response.data == b"ab"


OPTIONS = {
    "exclude": ({"response_model_exclude": {"n"}}, b"{}\n"),
}


@pytest.mark.parametrize(("options", "body"), OPTIONS.values(), ids=OPTIONS)
def test_option_of_a_stream(options, body):
    items = [{"n": 1, "secret": "s"}]

    assert (
        streaming(t.Iterator[Item], items, "application/jsonl", **options).get("/").data
        == body
    )


def test_item_that_its_model_refuses_ends_the_stream_and_is_logged(caplog):
    response = streaming(
        t.Iterator[Item], [{"n": 1}, {"n": "secret"}, {"n": 3}], "application/jsonl"
    ).get("/")
    sent = []

    with pytest.raises(ResponseValidationError, match="its response model") as caught:
        sent.extend(response.response)
    # A server logs the exception that ends a stream.
    assert "secret" not in "".join(traceback.format_exception(caught.value))

    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned what its response model refuses: int_parsing at ['n']"
        f" (tests/outbound/test_streams.py, line {line_of_show()})"
    )
    assert response.status_code == 200


def test_exception_of_the_view_ends_the_stream_and_is_logged(caplog):
    def show() -> t.Iterator[Item]:
        yield Item(n=1)
        raise RuntimeError("no more")

    response = client_of(show, media_type="application/jsonl").get("/")
    items = iter(response.response)

    assert next(items) == b'{"n":1}\n'
    with pytest.raises(RuntimeError, match="no more"):
        next(items)
    [record] = caplog.records
    assert record.getMessage() == (
        "GET /: show() failed while its items were sent."
        f" (tests/outbound/test_streams.py, line {show.__code__.co_firstlineno})"
    )
    assert record.levelno == logging.ERROR
    assert record.exc_info[0] is RuntimeError


@pytest.mark.parametrize("value", [5, None, {"n": 1}, Item(n=1)])
def test_what_is_no_stream_is_an_error(value, caplog):
    response = streaming(t.Iterator[Item], value, "application/jsonl").get("/")

    assert response.status_code == 500
    assert response.json == {"message": "An internal error occurred."}
    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned no stream of items."
        f" (tests/outbound/test_streams.py, line {line_of_show()})"
    )


def test_model_without_a_format_is_refused():
    with pytest.raises(SignatureError) as caught:
        streaming(t.Iterator[Item], [], None)

    assert str(caught.value).startswith(
        "GET /: the view yields 'Item', but its media_type= does not say how to write a"
        " stream of them. Use one of 'application/jsonl', 'application/x-ndjson',"
        " 'application/json-seq', 'text/event-stream'."
        " (tests/outbound/test_streams.py, line "
    )


def test_plain_generator_is_flasks_own():
    app, plain = Flask(__name__), PlainFlask(__name__)

    def show():
        yield "a"
        yield "b"

    for one in (app, plain):
        one.get("/")(show)

    answers = [one.test_client().get("/") for one in (app, plain)]
    assert [answer.data for answer in answers] == [b"ab", b"ab"]
    assert dict(answers[0].headers) == dict(answers[1].headers)
    assert app.view_functions["show"] is show


STATUSES = {
    "models": (t.Iterator[Item], "application/jsonl", [{"n": 1}], '{"n":1}\n'),
    "strings": (t.Iterator[str], None, ["a", "b"], "ab"),
    "events": (t.Iterator[Event[int]], None, [Event(1)], "data: 1\n\n"),
}


@pytest.mark.parametrize(
    ("annotation", "media_type", "items", "text"), STATUSES.values(), ids=STATUSES
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_stream_is_sent_and_described_with_200(
    annotation, media_type, items, text, method
):
    client = streaming(
        annotation, lambda: iter(items), media_type, method=method, config={}
    )
    response = client.open("/", method=method)

    assert (response.status_code, response.text) == (200, text)
    (operation,) = client.get("/openapi.json").json["paths"]["/"].values()
    assert [*operation["responses"]] == ["200"]


@pytest.mark.parametrize("place", ["route", "application"])
def test_stream_has_the_status_that_is_said(place):
    options = {place: {"status_code": 202}}
    app = Flask(__name__, **options.get("application", {}))

    @app.post("/", **options.get("route", {}))
    def show() -> t.Iterator[str]:
        return iter("ab")

    assert app.test_client().post("/").status_code == 202


def test_model_beside_a_stream_has_the_status_of_its_method():
    app = Flask(__name__)

    @app.post("/", media_type="application/jsonl")
    def show() -> Item | t.Iterator[str]:
        return Item(n=1)

    assert app.test_client().post("/").status_code == 201
