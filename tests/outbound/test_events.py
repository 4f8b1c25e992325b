"""Server-sent events."""

from __future__ import annotations

import json
import typing as t
from collections.abc import AsyncIterator, Iterator

import pytest
from client import client_of
from flask import Response, after_this_request
from models import Cat, Dog, Problem
from pydantic import BaseModel, Field, PlainSerializer
from returned import ANSWER, EVENTS, JSONL, cases, refused, responses_of, returning

from flask_signature import Event, ResponseValidationError


class Price(BaseModel):
    cents: int


class Quote(Price):
    margin: int = 5


#: A stream of events of one type.
ONE = Iterator[Event[Price]]


def sent(annotation: t.Any, *items: t.Any, **options: t.Any) -> str:
    """What is sent of some items."""
    response = returning(annotation, iter(items), **options)
    assert response.content_type == "text/event-stream; charset=utf-8"
    return response.text


#: Events, and what is sent of them.
SENT = {
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


@pytest.mark.parametrize(("event", "expected"), SENT.values(), ids=SENT)
@pytest.mark.parametrize(
    "annotation",
    [ONE, Iterator[Event[Price] | Price], t.Iterable[Event[Price]]],
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
    assert sent(ONE, Event(raw=raw)) == expected
    assert sent(Iterator[Event], Event(raw=raw, id="1")) == f"id: 1\n{expected}"


@pytest.mark.parametrize("data", [text for text, _ in STRINGS.values()])
def test_string_of_data_is_json(data):
    assert data == "\ud800" or sent(Iterator[Event[str]], Event(data)) == (
        f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
    )


ABOVE, BELOW = Event(Price(cents=1)), Event(Quote(cents=1))
REASON = Event(Problem(reason="x"))
QUOTE = Quote(cents=1, margin=9)
PET = t.Annotated[Cat | Dog, Field(discriminator="kind")]
LENGTH = t.Annotated[str, PlainSerializer(len, return_type=int)]
CENTS, QUOTED = 'data: {"cents":1}\n\n', 'data: "a\\n\\nb"\n\n'

#: What is yielded in a stream of a type, with options of the route, and what is sent.
TYPED: dict[str, tuple[t.Any, list[t.Any], dict[str, t.Any], str]] = {
    "string-beside": (Event[str] | str, ["a\n\nb"], {}, QUOTED),
    "string-of-a-union": (Event[Price | str], [Event("a\n\nb")], {}, QUOTED),
    "raw-among-models": (
        *(Event[Price], [ABOVE, Event(raw="[DONE]")], {}),
        f"{CENTS}data: [DONE]\n\n",
    ),
    "none": (Event[Price | None], [Event(None), Event()], {}, "data: null\n\n: \n\n"),
    "either": (
        *(Event[Price] | Event[Problem], [REASON, BELOW], {}),
        f'data: {{"reason":"x"}}\n\n{CENTS}',
    ),
    "discriminator": (
        *(Event[PET], [Event({"kind": "dog"}), Event(Dog(kind="dog"))], {}),
        'data: {"kind":"dog"}\n\n' * 2,
    ),
    # Event[Price] says nothing of quotes, nor Price of the data of an event.
    "plain": (
        *(Event[Price] | Quote, [Event(QUOTE), QUOTE], {}),
        f'{CENTS}data: {{"cents":1,"margin":9}}\n\n',
    ),
    "option": (Event[Quote], [BELOW], {"response_model_exclude": {"margin"}}, CENTS),
    "media-type": (Event[Price], [ABOVE], {"media_type": EVENTS}, CENTS),
    "serializer": (Event[LENGTH], [Event("abc")], {}, "data: 3\n\n"),
}


@cases("item events options text", TYPED)
def test_data_is_that_of_the_type(item, events, options, text):
    assert sent(Iterator[item], *events, **options) == text


@pytest.mark.parametrize("fields", [{"data": 1, "raw": "a"}, {"raw": 1}, {"raw": b""}])
def test_raw_is_a_string_in_place_of_data(fields):
    with pytest.raises(ValueError, match="raw= of an Event takes a string, in place"):
        Event(**fields)


@pytest.mark.parametrize("data", [Problem(reason="x"), "x", None, {"cents": "x"}])
def test_data_that_does_not_fit_ends_the_stream(data, caplog):
    with pytest.raises(ResponseValidationError, match="its response model refuses"):
        returning(ONE, iter([Event(data)]))
    [message] = caplog.messages
    assert "returned what its response model refuses" in message


def test_response_model_says_that_it_is_a_stream_of_events():
    event = Event({"cents": 1, "more": 1})
    assert sent(t.Any, event, response_model=ONE) == 'data: {"cents":1}\n\n'


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


@pytest.mark.parametrize(
    ("annotation", "item"),
    [
        (ONE, Event(Price(cents=1))),
        (Iterator[Price], Price(cents=1)),
        (Iterator[str], "data: 1\n\n"),
    ],
)
def test_event_stream_is_neither_cached_nor_buffered(annotation, item):
    headers = returning(annotation, iter([item]), media_type=EVENTS).headers
    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Accel-Buffering"] == "no"


def test_other_streams_have_no_such_headers():
    headers = returning(Iterator[Price], [Price(cents=1)], media_type=JSONL).headers
    assert "Cache-Control" not in headers
    assert "X-Accel-Buffering" not in headers


def test_headers_of_the_view_win():
    own = {"cache-control": "no-store", "x-accel-buffering": "yes"}
    value = (iter([Event(Price(cents=1))]), own)

    headers = returning(tuple[ONE, dict[str, str]], value).headers

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


NAMED = (
    Iterator[Event[Price] | Quote]
    | tuple[Iterator[Event[Problem]], t.Literal[202]]
    | tuple[Problem, t.Literal[404]]
)


async def yield_events():
    yield Event(Quote(cents=1))


ANY = ONE | tuple[Problem, int]
OPTIONS = {"responses": {404: Problem}, "response_model": ONE}
LATER = tuple[AsyncIterator[Event[Price]], t.Literal[503]]
UNAVAILABLE = ([BELOW], 503)
JSON, GONE = "application/json", '{"reason":"x"}'

#: An annotation, a value, options of the route, and the response.
STATUSES: dict[str, tuple[t.Any, t.Any, dict[str, t.Any], int, str, str]] = {
    "usual": (ANY, [ABOVE], OPTIONS, 200, EVENTS, CENTS),
    "beside": (ANY, (Problem(reason="x"), 404), OPTIONS, 404, JSON, GONE),
    "annotated-usual": (
        *(NAMED, [Quote(cents=1)], {}, 200, EVENTS),
        'data: {"cents":1,"margin":5}\n\n',
    ),
    "annotated": (
        *(NAMED, ([Event(Problem(reason="y"))], 202), {}, 202, EVENTS),
        'data: {"reason":"y"}\n\n',
    ),
    "annotated-beside": (NAMED, (Problem(reason="x"), 404), {}, 404, JSON, GONE),
    "error": (tuple[ONE, t.Literal[503]], UNAVAILABLE, {}, 503, EVENTS, CENTS),
    "error-later": (LATER, (yield_events(), 503), {}, 503, EVENTS, CENTS),
    "error-by-option": (ONE, UNAVAILABLE, {"status_code": 503}, 503, EVENTS, CENTS),
}


@cases("annotation value options status mimetype text", STATUSES)
def test_events_may_have_any_status_and_stand_beside_others(
    annotation, value, options, status, mimetype, text
):
    response = returning(annotation, value, **options)
    assert (response.status_code, response.mimetype) == (status, mimetype)
    assert response.text == text
    for name in ("Cache-Control", "X-Accel-Buffering"):
        assert (name in response.headers) == (mimetype == EVENTS)
    assert mimetype in responses_of(annotation, **options)[str(status)]["content"]


@pytest.mark.parametrize("plain", [dict, dict[str, t.Any]])
def test_dict_may_be_returned_in_place_of_events(plain):
    assert returning(plain | ONE, {"a": 1}).json == {"a": 1}
    assert sent(plain | ONE, Event(Price(cents=1))).startswith("data: ")


def test_events_are_of_one_content_type():
    assert refused(ONE, media_type=JSONL).startswith(
        "GET /: the view yields events, but declares media_type='application/jsonl'."
        " Remove it, or write 'text/event-stream'. (tests"
    )


@pytest.mark.parametrize(
    "annotation", [Event[Price], list[Event[Price]], Event, dict[str, Event[Price]]]
)
def test_event_out_of_a_stream_is_refused(annotation):
    message = refused(annotation)
    assert "an Event is an item of a stream" in message
    assert "Annotate the view 'Iterator[Event[...]]'" in message


def test_event_that_no_annotation_names_is_no_item_of_lines():
    value = [Event(Price(cents=1))]
    response = returning(Iterator[Price], value, media_type=JSONL)
    assert (response.status_code, response.data) == (500, ANSWER)


PRICE = {"$ref": "#/components/schemas/Price"}
PROBLEM = {"$ref": "#/components/schemas/Problem"}
SCHEMAS = {
    "event": (Event[Price], PRICE),
    "same-beside": (Event[Price] | Price, PRICE),
    "other-beside": (Event[Price] | Problem, {"anyOf": [PRICE, PROBLEM]}),
    "several": (Event[Price] | Event[Problem], {"anyOf": [PRICE, PROBLEM]}),
    "string": (Event[str], {"type": "string"}),
}


@pytest.mark.parametrize(("item", "schema"), SCHEMAS.values(), ids=SCHEMAS)
def test_document_has_the_schema_of_the_data(item, schema):
    content = responses_of(Iterator[item])["200"]["content"]  # type: ignore[valid-type]
    described = {"type": "string", "contentMediaType": EVENTS, "contentSchema": schema}
    assert content == {EVENTS: {"schema": described}}
