"""Server-sent events."""

from __future__ import annotations

import json
import typing as t
from collections.abc import AsyncIterator, Iterator

import pytest
from client import client_of
from document import operation
from flask import Response, after_this_request
from pydantic import BaseModel, Field, PlainSerializer

from flask_signature import Event, Flask, ResponseValidationError, SignatureError

MEDIA_TYPE = "text/event-stream"
ANSWER = b'{"message":"An internal error occurred."}\n'


class Price(BaseModel):
    cents: int


class Quote(Price):
    margin: int = 5


class Closed(BaseModel):
    reason: str


def sent(annotation: t.Any, *items: t.Any, **options: t.Any) -> str:
    """What is sent of some items."""

    def show():
        yield from items

    show.__annotations__ = {"return": annotation}
    response = client_of(show, **options).get("/")
    assert response.content_type == "text/event-stream; charset=utf-8"
    return response.text


EVENTS = {
    "data": (Event(Price(cents=1)), 'data: {"cents":1}\n\n'),
    "id": (Event(Price(cents=1), id="a:1"), 'id: a:1\ndata: {"cents":1}\n\n'),
    "id-of-a-row": (Event(Price(cents=1), id=7), 'id: 7\ndata: {"cents":1}\n\n'),
    "id-is-reset": (Event(id=""), "id: \n\n"),
    "event": (Event({"cents": 1}, event="q"), 'event: q\ndata: {"cents":1}\n\n'),
    "retry": (Event(retry=0), "retry: 0\n\n"),
    "comment": (Event(comment="one"), ": one\n\n"),
    "comment-of-lines": (Event(comment="a\r\nb\rc\n"), ": a\n: b\n: c\n: \n\n"),
    "heartbeat": (Event(), ": \n\n"),
    "all": (
        Event(Price(cents=1), id="1", event="e", retry=10, comment="c"),
        ': c\nid: 1\nevent: e\nretry: 10\ndata: {"cents":1}\n\n',
    ),
    "data-of-a-class-below": (Event(Quote(cents=1)), 'data: {"cents":1}\n\n'),
    "plain": (Quote(cents=1), 'data: {"cents":1}\n\n'),
    "generic": (Event[Price](comment="x"), ": x\n\n"),
    "half-a-character": (Event(event="\ud800"), "event: ?\n\n"),
}


@pytest.mark.parametrize(("event", "expected"), EVENTS.values(), ids=EVENTS)
@pytest.mark.parametrize(
    "annotation",
    [Iterator[Event[Price]], Iterator[Event[Price] | Price], t.Iterable[Event[Price]]],
    ids=["iterator", "mixed", "iterable"],
)
def test_event_is_sent(annotation, event, expected):
    assert sent(annotation, event) == expected


STRINGS = {
    "line": ("on", "data: on\n\n"),
    "empty": ("", "data: \n\n"),
    "lines": ("a\nb\r\nc\rd", "data: a\ndata: b\ndata: c\ndata: d\n\n"),
    "end-of-line": ("a\n", "data: a\ndata: \n\n"),
    "no-line-breaks-of-html": ("a\u2028b\x0bc\x85", "data: a\u2028b\x0bc\x85\n\n"),
    "quoted": ('{"a": "\\n"}', 'data: {"a": "\\n"}\n\n'),
    "injected": ("a\n\nevent: b", "data: a\ndata: \ndata: event: b\n\n"),
    "half-a-character": ("\ud800", "data: ?\n\n"),
}


@pytest.mark.parametrize(("raw", "expected"), STRINGS.values(), ids=STRINGS)
def test_raw_string_is_sent_as_it_is(raw, expected):
    assert sent(Iterator[Event[Price]], Event(raw=raw)) == expected
    assert sent(Iterator[Event], Event(raw=raw, id="1")) == f"id: 1\n{expected}"


@pytest.mark.parametrize("data", [text for text, _ in STRINGS.values()])
def test_string_of_data_is_json(data):
    assert data == "\ud800" or sent(Iterator[Event[str]], Event(data)) == (
        f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
    )


def test_string_beside_events_is_json_too():
    expected = 'data: "a\\n\\nb"\n\n'

    assert sent(Iterator[Event[str] | str], "a\n\nb") == expected
    assert sent(Iterator[Event[Price | str]], Event("a\n\nb")) == expected


@pytest.mark.parametrize("fields", [{"data": 1, "raw": "a"}, {"raw": 1}, {"raw": b""}])
def test_raw_is_a_string_in_place_of_data(fields):
    with pytest.raises(ValueError, match="raw= of an Event takes a string, in place"):
        Event(**fields)


def test_raw_string_stands_among_models():
    found = sent(
        Iterator[Event[Price]],
        Event(Price(cents=1)),
        Event(raw="[DONE]"),
    )

    assert found == 'data: {"cents":1}\n\ndata: [DONE]\n\n'


def test_none_is_data_where_its_type_says_so():
    annotation = Iterator[Event[Price | None]]

    assert sent(annotation, Event(None), Event()) == "data: null\n\n: \n\n"


def test_events_of_several_types_have_data_of_either():
    annotation = Iterator[Event[Price] | Event[Closed]]

    assert sent(annotation, Event(Closed(reason="x")), Event(Quote(cents=1))) == (
        'data: {"reason":"x"}\n\ndata: {"cents":1}\n\n'
    )


def test_data_may_have_a_discriminator():
    class Up(BaseModel):
        kind: t.Literal["up"] = "up"

    class Down(BaseModel):
        kind: t.Literal["down"] = "down"

    either = t.Annotated[Up | Down, Field(discriminator="kind")]

    assert sent(Iterator[Event[either]], Event({"kind": "down"}), Event(Up())) == (
        'data: {"kind":"down"}\n\ndata: {"kind":"up"}\n\n'
    )


def test_plain_item_has_the_fields_of_its_own_type_alone():
    # Event[Price] says nothing of quotes, nor Price of the data of an event.
    annotation = Iterator[Event[Price] | Quote]
    quote = Quote(cents=1, margin=9)

    assert sent(annotation, Event(quote), quote) == (
        'data: {"cents":1}\n\ndata: {"cents":1,"margin":9}\n\n'
    )


@pytest.mark.parametrize("data", [Closed(reason="x"), "x", None, {"cents": "x"}])
def test_data_that_does_not_fit_ends_the_stream(data, caplog):
    def show() -> Iterator[Event[Price]]:
        yield Event(data)  # type: ignore[arg-type]

    with pytest.raises(ResponseValidationError, match="its response model refuses"):
        client_of(show).get("/")

    [message] = caplog.messages
    assert "returned what its response model refuses" in message


def test_option_of_the_response_model_is_that_of_data():
    found = sent(
        Iterator[Event[Quote]],
        Event(Quote(cents=1)),
        response_model_exclude={"margin"},
    )

    assert found == 'data: {"cents":1}\n\n'


def test_response_model_says_that_it_is_a_stream_of_events():
    def show() -> t.Any:
        yield Event({"cents": 1, "more": 1})

    response = client_of(show, response_model=Iterator[Event[Price]]).get("/")

    assert response.text == 'data: {"cents":1}\n\n'
    assert response.mimetype == MEDIA_TYPE


FIELDS = {
    "id": [{"id": "a\nb"}, {"id": "a\r"}, {"id": "\0"}],
    "event": [{"event": "a\nb"}, {"event": "\r"}],
    "retry": [{"retry": -1}, {"retry": True}, {"retry": 1.5}, {"retry": "1"}],
}
CASES = [(name, fields) for name, found in FIELDS.items() for fields in found]


@pytest.mark.parametrize(("name", "fields"), CASES)
def test_field_that_would_be_another_is_refused(name, fields):
    with pytest.raises(ValueError, match=f"{name}= of an Event "):
        Event("a", **fields)


def test_events_are_compared_by_their_fields():
    assert Event(Price(cents=1), id="1") == Event(Price(cents=1), id="1")
    assert Event("a") != Event("a", id="1")
    assert Event("a") != "a"
    assert repr(Event("a", id="1")) == (
        "Event(data='a', id='1', event=None, retry=None, comment=None, raw=None)"
    )


def test_event_stream_is_neither_cached_nor_buffered():
    def show() -> Iterator[Event[Price]]:
        yield Event(Price(cents=1))

    headers = client_of(show).get("/").headers

    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Accel-Buffering"] == "no"


@pytest.mark.parametrize("item", [Price, str])
def test_other_event_streams_are_neither(item):
    def show():
        yield "data: 1\n\n" if item is str else Price(cents=1)

    show.__annotations__ = {"return": Iterator[item]}
    headers = client_of(show, media_type=MEDIA_TYPE).get("/").headers

    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Accel-Buffering"] == "no"


def test_other_streams_have_no_such_headers():
    def show() -> Iterator[Price]:
        yield Price(cents=1)

    headers = client_of(show, media_type="application/jsonl").get("/").headers

    assert "Cache-Control" not in headers
    assert "X-Accel-Buffering" not in headers


def test_headers_of_the_view_win():
    def events() -> Iterator[Event[Price]]:
        yield Event(Price(cents=1))

    def show() -> tuple[Iterator[Event[Price]], dict[str, str]]:
        return events(), {"cache-control": "no-store", "x-accel-buffering": "yes"}

    headers = client_of(show).get("/").headers

    assert headers.getlist("Cache-Control") == ["no-store"]
    assert headers.getlist("X-Accel-Buffering") == ["yes"]


def test_after_this_request_wins():
    def show() -> Iterator[Event[Price]]:
        @after_this_request
        def store(response: Response) -> Response:
            response.headers["Cache-Control"] = "no-store"
            return response

        return iter([Event(Price(cents=1))])

    response = client_of(show).get("/")

    assert response.headers.getlist("Cache-Control") == ["no-store"]


def test_status_may_stand_beside_events():
    def show(found: bool) -> Iterator[Event[Price]] | tuple[Closed, int]:
        return iter([Event(Price(cents=1))]) if found else (Closed(reason="x"), 404)

    client = client_of(
        show, responses={404: Closed}, response_model=Iterator[Event[Price]]
    )

    assert client.get("/?found=1").text == 'data: {"cents":1}\n\n'
    response = client.get("/?found=0")
    assert (response.status_code, response.json) == (404, {"reason": "x"})
    assert "X-Accel-Buffering" not in response.headers


def test_annotated_status_may_be_one_of_events():
    def show(
        n: int,
    ) -> (
        Iterator[Event[Price] | Quote]
        | tuple[Iterator[Event[Closed]], t.Literal[202]]
        | tuple[Closed, t.Literal[404]]
    ):
        if n == 404:
            return Closed(reason="x"), 404
        if n == 202:
            return iter([Event(Closed(reason="y"))]), 202
        return iter([Quote(cents=n)])

    client = client_of(show)

    responses = [client.get(f"/?n={n}") for n in (1, 202, 404)]
    assert [response.status_code for response in responses] == [200, 202, 404]
    assert responses[0].text == 'data: {"cents":1,"margin":5}\n\n'
    assert responses[1].text == 'data: {"reason":"y"}\n\n'
    assert responses[1].headers["Cache-Control"] == "no-cache"
    assert responses[1].mimetype == MEDIA_TYPE
    assert responses[2].json == {"reason": "x"}


@pytest.mark.parametrize(
    ("annotation", "status", "options"),
    [
        (tuple[Iterator[Event[Price]], t.Literal[404]], 404, {}),
        (tuple[AsyncIterator[Event[Price]], t.Literal[404]], 404, {}),
        (Iterator[Event[Price]], 503, {"status_code": 503}),
    ],
    ids=["annotated", "asynchronous", "usual"],
)
def test_events_may_have_a_status_of_errors(annotation, status, options):
    async def yield_events():
        yield Event(Quote(cents=1))

    def show():
        events = iter([Event(Quote(cents=1))])
        if "Async" in str(annotation):
            events = yield_events()
        return (events, status)

    show.__annotations__ = {"return": annotation}
    client = client_of(show, **options)

    described = operation(client.application, "GET /")["responses"]
    response = client.get("/")
    assert (response.status_code, response.mimetype) == (status, MEDIA_TYPE)
    assert response.text == 'data: {"cents":1}\n\n'
    assert MEDIA_TYPE in described[str(status)]["content"]


@pytest.mark.parametrize("plain", [dict, dict[str, t.Any]])
def test_dict_may_be_returned_in_place_of_events(plain):
    def show(streamed: bool = False):
        return iter([Event(Price(cents=1))]) if streamed else {"a": 1}

    show.__annotations__["return"] = plain | Iterator[Event[Price]]
    client = client_of(show)

    assert client.get("/").json == {"a": 1}
    assert client.get("/?streamed=1").mimetype == MEDIA_TYPE
    assert client.get("/?streamed=1").text.startswith("data: ")


def test_string_that_its_type_writes_as_something_else_is_json():
    Length = t.Annotated[str, PlainSerializer(len, return_type=int)]

    def show():
        yield Event("abc")

    show.__annotations__["return"] = Iterator[Event[Length]]

    assert client_of(show).get("/").text == "data: 3\n\n"


def test_events_are_of_one_content_type():
    def show() -> Iterator[Event[Price]]: ...

    with pytest.raises(SignatureError) as caught:
        client_of(show, media_type="application/jsonl")

    assert str(caught.value).startswith(
        "GET /: the view yields events, but declares media_type='application/jsonl'."
        " Remove it, or write 'text/event-stream'. (tests/outbound/test_events.py, line"
    )


def test_content_type_of_events_may_be_said():
    annotation, item = Iterator[Event[Price]], Event(Price(cents=1))

    assert sent(annotation, item, media_type=MEDIA_TYPE) == 'data: {"cents":1}\n\n'


@pytest.mark.parametrize(
    "annotation", [Event[Price], list[Event[Price]], Event, dict[str, Event[Price]]]
)
def test_event_out_of_a_stream_is_refused(annotation):
    def show(): ...

    show.__annotations__ = {"return": annotation}

    with pytest.raises(SignatureError) as caught:
        client_of(show)

    assert "an Event is an item of a stream" in str(caught.value)
    assert "Annotate the view 'Iterator[Event[...]]'" in str(caught.value)


def test_event_that_no_annotation_names_is_no_item_of_lines():
    def show() -> Iterator[Price]:
        yield Event(Price(cents=1))  # type: ignore[misc]

    response = client_of(show, media_type="application/jsonl").get("/")

    assert (response.status_code, response.data) == (500, ANSWER)


def described(annotation: t.Any) -> t.Any:
    """The schema of a stream, in a document."""
    app = Flask(__name__)

    def show(): ...

    show.__annotations__ = {"return": annotation}
    app.get("/")(show)
    content = operation(app, "GET /")["responses"]["200"]["content"]
    assert list(content) == [MEDIA_TYPE]
    schema = content[MEDIA_TYPE]["schema"]
    assert schema["type"] == "string"
    assert schema["contentMediaType"] == MEDIA_TYPE
    return schema["contentSchema"]


PRICE = {"$ref": "#/components/schemas/Price"}
CLOSED = {"$ref": "#/components/schemas/Closed"}
SCHEMAS = {
    "event": (Event[Price], PRICE),
    "same-beside": (Event[Price] | Price, PRICE),
    "other-beside": (Event[Price] | Closed, {"anyOf": [PRICE, CLOSED]}),
    "several": (Event[Price] | Event[Closed], {"anyOf": [PRICE, CLOSED]}),
    "string": (Event[str], {"type": "string"}),
}


@pytest.mark.parametrize(("item", "schema"), SCHEMAS.values(), ids=SCHEMAS)
def test_document_has_the_schema_of_the_data(item, schema):
    assert described(Iterator[item]) == schema
