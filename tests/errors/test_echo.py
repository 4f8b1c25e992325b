"""A refused request is answered without what the client sent."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import io
import ipaddress
import json
import typing as t
import uuid
from collections import deque
from urllib.parse import urlsplit

import pydantic
import pytest
from called import watched
from client import client_of
from flask.testing import FlaskClient
from pydantic import AfterValidator, AnyUrl, BaseModel, BeforeValidator, Field, Json
from pydantic_core import PydanticCustomError, PydanticKnownError
from werkzeug.datastructures import FileStorage

from flask_signature import Body, Form, Query
from flask_signature._errors.entries import without_input

INVALID = "The value is not valid."
GENERIC = f"Value error, {INVALID}"


class Color(enum.Enum):
    RED = "red"


def asking(annotation: t.Any, **options: t.Any) -> FlaskClient:
    def view(x):
        raise AssertionError

    view.__annotations__ = {"x": annotation}
    return client_of(view, **options)


def before(function: t.Callable[..., t.Any]) -> t.Any:
    """Anything that a function reads."""
    return t.Annotated[t.Any, BeforeValidator(function)]


def raising(make: t.Callable[[t.Any], Exception], tp: t.Any = str) -> t.Any:
    """A type whose validator raises what it makes of the value."""

    def check(value: t.Any) -> t.Any:
        raise make(value)

    return t.Annotated[tp, AfterValidator(check)]


def saying(write: t.Callable[[t.Any], str], tp: t.Any = str) -> t.Any:
    """A type whose validator raises an error with the message that it writes."""
    return raising(lambda value: ValueError(write(value)), tp)


def entry_of(annotation: t.Any, sent: str = "hunter2") -> dict[str, t.Any]:
    """The one entry about a key of the query."""
    response = asking(annotation).get("/", query_string={"x": sent})
    assert response.status_code == 422
    (entry,) = response.json["detail"]
    assert entry["loc"] == ["query", "x"]
    return t.cast("dict[str, t.Any]", entry)


def not_allowed(value: t.Any) -> str:
    return f"{value} is not allowed"


def unknown(value: t.Any) -> str:
    return f"unknown value {value!r}"


def read_decimal(value: str) -> decimal.Decimal:
    try:
        return decimal.Decimal(value)
    except decimal.InvalidOperation as error:
        # The message shows a class of Python.
        raise ValueError(error) from error


REPEATED: dict[str, tuple[t.Any, str]] = {
    "int": (before(int), "hunter2"),
    "float": (before(float), " hunter2 "),
    "escapes": (before(int), "h'un\"ter\n2\\\u00e9"),
    "cut-by-python": (before(int), "hunter2" * 100),
    "enum": (before(lambda x: Color(x)), "hunter2"),
    "strptime": (before(lambda x: datetime.datetime.strptime(x, "%Y")), "hunter2"),
    "strptime-remains": (
        before(lambda x: datetime.datetime.strptime(x, "%Y")),
        "2020hunter2",
    ),
    "class": (before(read_decimal), "hunter2"),
    "isoformat": (before(datetime.date.fromisoformat), "hunter2"),
    "author": (saying(not_allowed), "hunter2"),
    "quotes": (saying(unknown), "hunter2"),
    "two-words": (saying(not_allowed), "hunter two"),
    "converted": (saying(not_allowed, int), "0713"),
    "number": (saying(not_allowed, float), "7.13e2"),
    "uuid": (saying(not_allowed, uuid.UUID), "6fa459ea-ee8a-3ca4-894e-db77e160355e"),
    "one-character": (saying(unknown), "h"),
    "end-of-a-long-message": (saying(lambda x: "." * 180 + " " + x), "hunter2" * 30),
    # Functions of Python that are called with a part of the value.
    "part-int": (before(lambda x: int(x.split(":")[1])), "a:hunter2"),
    "part-float": (before(lambda x: float(x.split(":")[1])), "a:hunter2"),
    "fraction": (before(lambda x: fractions.Fraction(x[2:])), "a:hunter2"),
    "port": (before(lambda x: urlsplit(x).port), "http://example.org:hunter2"),
    "address": (before(lambda x: ipaddress.ip_address(x[2:])), "a:hunter2"),
    "network": (before(ipaddress.IPv4Network), "1.2.3.hunter2"),
    "octets": (before(lambda x: ipaddress.IPv4Address(x[2:])), "a:hunter2"),
    "hextets": (before(ipaddress.IPv6Address), "1:2:3:4:5:6:7:hunter2"),
    "date": (before(lambda x: datetime.date.fromisoformat(x[:7])), "hunter2/b"),
    "year": (before(lambda x: datetime.datetime.strptime(x[2:], "%Y")), "a:hunter2"),
    "part-enum": (before(lambda x: Color(x[2:])), "a:hunter2"),
    "long": (before(lambda x: Color(x[2:])), "a:" + "hunter2" * 1000),
}


@pytest.mark.parametrize(("annotation", "sent"), REPEATED.values(), ids=REPEATED)
def test_message_that_repeats_the_input_is_the_generic_one(annotation, sent):
    assert entry_of(annotation, sent) == {
        "loc": ["query", "x"],
        "msg": GENERIC,
        "type": "value_error",
        "ctx": {"error": INVALID},
    }


def test_case_and_spaces_make_no_difference():
    taken = raising(lambda x: AssertionError(f"'{x.strip().upper()}' is taken"))

    assert entry_of(taken, " hunter2")["msg"] == f"Assertion failed, {INVALID}"


def last_of(value: t.Any) -> str:
    return f"no room for {[*value][-1]}"


class Order(BaseModel):
    start: str
    end: list[str] = []

    @pydantic.model_validator(mode="after")
    def check(self) -> Order:
        if self.end:
            raise ValueError(f"start is before end: {self.end[-1]}")
        raise ValueError("start and end must not be empty")


KEYS = {"ann@example.org": True, "hunter2": False}
KEY_ERRORS: dict[str, t.Callable[[dict[str, t.Any]], str]] = {
    "keys": lambda value: f"unknown keys {list(value)}",
    "whole-dict": lambda value: f"bad {value}",
    "key-in-quotes": lambda value: f"unknown key {list(value)[-1]!r}",
    "json": lambda value: f"bad {json.dumps(value)}",
    "no-name": lambda value: f"unknown key {next(iter(value))}",
}

INSIDE: dict[str, tuple[t.Any, t.Any]] = {
    "list": (saying(last_of, list[str]), ["a", "hunter2"]),
    "whole-list": (saying(not_allowed, list[str]), ["hunter2"]),
    "dict": (saying(not_allowed, dict[str, str]), {"a": "hunter2"}),
    "model": (Order, {"start": "x", "end": ["hunter2"]}),
    "many": (saying(last_of, list[t.Any]), [*range(2000), "hunter2"]),
    **{name: (saying(f, dict[str, t.Any]), KEYS) for name, f in KEY_ERRORS.items()},
    **{
        f"{name}-in-a-list": (
            saying(lambda value, f=f: f(value[0]), list[t.Any]),
            [KEYS],
        )
        for name, f in KEY_ERRORS.items()
    },
}


@pytest.mark.parametrize(("annotation", "sent"), INSIDE.values(), ids=INSIDE)
def test_what_is_inside_of_the_input_is_not_repeated(annotation, sent):
    client = asking(t.Annotated[annotation, Body()], method="POST")
    response = client.post("/", json=sent)

    assert response.status_code == 422
    assert "hunter2" not in response.text
    assert response.json["detail"][0]["msg"] == GENERIC


class Unwritable:
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("value", [Unwritable(), 10**5000], ids=["object", "number"])
def test_input_that_is_no_string_makes_no_difference(value):
    details = {"type": "value_error", "loc": (), "msg": "Value error, no", "ctx": {}}
    error = {**details, "input": [value, "x"]}

    assert without_input(error) == error


KEPT = {
    "part-of-a-word": ("a", "not valid, start again"),
    "another-value": ("hunter2", "must not contain digits"),
    "longer-word": ("hunter", "see hunters.example"),
    "empty": ("", "must not be empty"),
    "words-of-python": ("x", "this is not a valid color, and time data is missing"),
    "longer-number": ("5", "at least 50 characters"),
}


@pytest.mark.parametrize(("sent", "message"), KEPT.values(), ids=KEPT)
def test_message_without_the_input_is_kept(sent, message):
    entry = entry_of(saying(lambda value: message), sent)

    assert entry["msg"] == f"Value error, {message}"
    assert entry["ctx"] == {"error": message}


@pytest.mark.parametrize("kind", ["own_error", "value_error"])
def test_custom_error_has_neither_message_nor_context_of_the_input(kind):
    def make(value: str) -> Exception:
        context = {"given": value, "all": [value], "limit": 3, "hint": "use a color"}
        return PydanticCustomError(kind, "{given} is none of {limit}", context)  # type: ignore[arg-type]

    assert entry_of(raising(make)) == {
        "loc": ["query", "x"],
        "msg": INVALID,
        "type": kind,
        "ctx": {"limit": 3, "hint": "use a color"},
    }


def test_character_that_a_uuid_can_not_have_is_not_repeated():
    entry = entry_of(uuid.UUID, "#")

    assert "#" not in json.dumps(entry)
    assert entry["type"] == "uuid_parsing"
    assert entry["msg"].startswith("Input should be a valid UUID, invalid character")


def test_name_of_a_file_is_not_repeated():
    tp = saying(lambda file: f"{file.filename} is no image", FileStorage)
    client = asking(tp, method="POST")
    response = client.post("/", data={"x": (io.BytesIO(b"x"), "hunter2.txt")})

    assert response.status_code == 422
    assert response.json["detail"][0]["msg"] == GENERIC


def test_bytes_are_not_repeated():
    tp = saying(lambda value: f"{value!r} has no header", bytes)
    client = asking(t.Annotated[tp, Body(media_type="image/png")], method="POST")
    response = client.post("/", data=b"hunter2", content_type="image/png")

    assert response.json["detail"][0]["msg"] == GENERIC


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (lambda x: ValueError(f"no {x}"), "value_error"),
        (lambda x: json.JSONDecodeError(f"no {x}", x, 0), "value_error.jsondecode"),
        (lambda x: UnicodeEncodeError("ascii", x, 0, 1, x), "value_error"),
    ],
    ids=["plain", "subclass", "without-args"],
)
def test_format_of_pydantic_1_does_not_repeat_it_either(error, kind):
    client = asking(raising(error), config={"SIGNATURE_ERROR_FORMAT": "pydantic1"})
    response = client.get("/?x=hunter2")

    assert response.status_code == 400
    assert response.json == {
        "detail": [{"loc": ["query", "x"], "msg": INVALID, "type": kind}]
    }


def test_exception_has_none_of_it():
    client = asking(saying(lambda value: f"{value} is taken"))
    found: list[t.Any] = []
    client.application.register_error_handler(
        422, lambda error: found.append(error) or ("", 422)
    )
    client.get("/?x=hunter2")

    assert "hunter2" not in f"{found[0]} {found[0].errors}"


ALIKE: dict[str, tuple[str, list[str]]] = {
    "one-letter": ("not a path: " + "a" * 1_000_000, ["a" * 40 + "b"] * 999),
    "parts-of-words": (
        "q" + "a" * 240,
        ["a" * n + "b" * m for n in range(1, 32) for m in range(32)],
    ),
    "quotes": ("'" * 1_000_000, ["x"]),
    "many-words": ("a " * 500_000, ["a" * 2 + str(n) for n in range(999)]),
}


@pytest.mark.parametrize(("message", "values"), ALIKE.values(), ids=ALIKE)
def test_long_message_and_many_values_cost_little(message, values):
    error = {
        "type": "value_error",
        "loc": (),
        "msg": f"Value error, {message}",
        "ctx": {"error": ValueError(message)},
        "input": values,
    }
    lines: list[None] = []

    def count(*_: object) -> t.Any:
        lines.append(None)
        return count

    assert watched(lambda: without_input(error), count, lines=True) == error
    assert len(lines) < 500 * len(values)


def test_long_list_of_a_context_is_left_out():
    context = {"all": ["b" * 50] * 50, "limits": ["b"] * 50}
    tp = raising(lambda value: PydanticCustomError("own_error", "no", context))

    assert entry_of(tp)["ctx"] == {"limits": ["b"] * 50}


def test_value_that_is_not_in_a_list_is_not_repeated():
    # Python 3.14 does not repeat it either, and that message is kept.
    entry = entry_of(before(lambda x: ["a"].index(x[2:])), "a:hunter2")

    assert "hunter2" not in str(entry)


@pytest.mark.parametrize("kind", ["string_type", "missing", "uuid_parsing", "enum"])
def test_type_of_pydantic_does_not_make_a_message_its_own(kind):
    entry = entry_of(raising(lambda x: PydanticCustomError(kind, "bad {v}", {"v": x})))

    assert (entry["msg"], entry.get("ctx")) == (INVALID, None)


def overflow(value: str) -> t.Any:
    raise decimal.Overflow(value)


OUT_OF_RANGE = "Value error, The value is out of range."

SAID: dict[str, tuple[t.Any, str, str]] = {
    "no-number": (
        before(decimal.Decimal),
        "hunter2",
        "Value error, The value can't be read.",
    ),
    "comparison": (before(lambda _: decimal.Decimal("NaN") < 1), "x", OUT_OF_RANGE),
    "overflow": (before(overflow), "hunter2", OUT_OF_RANGE),
    "infinite": (before(lambda value: int(float("inf"))), "x", OUT_OF_RANGE),
    "word-of-pydantic": (t.Literal["a b", 5], "a", "Input should be 'a b' or 5"),
    "nothing-repeated": (
        before(lambda x: uuid.UUID(x)),
        "hunter2",
        "Value error, badly formed hexadecimal UUID string",
    ),
}


@pytest.mark.parametrize(("annotation", "sent", "message"), SAID.values(), ids=SAID)
def test_message_that_repeats_nothing_says_what_is_wrong(annotation, sent, message):
    assert entry_of(annotation, sent)["msg"] == message


RAISED: dict[str, t.Callable[[str], Exception]] = {
    "expected": lambda x: PydanticKnownError("literal_error", {"expected": x}),
    "in-a-sentence": lambda x: PydanticKnownError("enum", {"expected": f"no {x}"}),
    "pattern": lambda x: PydanticKnownError("string_pattern_mismatch", {"pattern": x}),
    "number": lambda x: PydanticKnownError("greater_than", {"gt": int(x)}),
    "attribute": lambda x: PydanticKnownError("no_such_attribute", {"attribute": x}),
    "json": lambda x: PydanticKnownError("json_invalid", {"error": x}),
    "uuid": lambda x: PydanticKnownError("uuid_parsing", {"error": x}),
    "date": lambda x: PydanticKnownError("date_parsing", {"error": x}),
    "tags": lambda x: PydanticKnownError(
        "union_tag_invalid", {"discriminator": "'a'", "tag": "b", "expected_tags": x}
    ),
    "type": lambda x: PydanticCustomError(x, "Taken."),  # type: ignore[arg-type]
    "in-a-type": lambda x: PydanticCustomError(f"no.{x}", "Taken."),  # type: ignore[arg-type]
    "key": lambda x: PydanticCustomError("taken", "Taken.", {x: 1}),
    "words-of-pydantic": lambda x: PydanticCustomError(
        "literal_error", "Input should be {expected}", {"expected": x}
    ),
    "beside-words-of-pydantic": lambda x: PydanticCustomError(
        "missing", "Field required", {"value": x}
    ),
    "type-without-its-context": lambda x: PydanticCustomError(
        "union_tag_invalid", f"No {x}."
    ),
}


@pytest.mark.parametrize("name", ["pydantic2", "pydantic1", "problem", "fastapi"])
@pytest.mark.parametrize("place", ["query", "body", "form"])
@pytest.mark.parametrize("error", RAISED.values(), ids=RAISED)
def test_error_of_the_author_has_none_of_it_anywhere(error, place, name):
    sources: t.Any = {"query": Query(), "body": Body(embed=True), "form": Form()}
    config = {"SIGNATURE_ERROR_FORMAT": name}
    client = asking(
        t.Annotated[raising(error), sources[place]], method="POST", config=config
    )
    sent: t.Any = {"query": "query_string", "body": "json", "form": "data"}[place]
    response = client.post("/", **{sent: {"x": "8675309"}})

    assert response.status_code == (400 if name == "pydantic1" else 422)
    assert "8675309" not in response.text


@pytest.mark.parametrize("kind", ["8675309", "no.8675309"])
def test_type_that_repeats_the_input_is_the_usual_one(kind):
    entry = entry_of(raising(lambda x: PydanticCustomError(kind, "Taken.")), "8675309")

    assert (entry["type"], entry["msg"]) == ("value_error", "Taken.")


class Cat(BaseModel):
    kind: t.Literal["cat", "cats"]


class Dog(BaseModel):
    kind: t.Literal["dog"]


def limited(tp: t.Any, **limits: t.Any) -> t.Any:
    return t.Annotated[tp, Field(**limits)]


NOON = datetime.time(12, 30)

CONSTANT: dict[str, tuple[t.Any, t.Any]] = {
    "limit": (limited(int, gt=5), 5),
    "decimal": (limited(decimal.Decimal, gt=decimal.Decimal("1.50")), "1.50"),
    "date": (limited(datetime.date, gt=datetime.date(2020, 1, 1)), "2020-01-01"),
    "datetime": (
        limited(datetime.datetime, gt=datetime.datetime(2020, 1, 1)),
        "2020-01-01T00:00:00",
    ),
    "duration-limit": (
        limited(datetime.timedelta, gt=datetime.timedelta(seconds=5)),
        5,
    ),
    "time-limit": (limited(datetime.time, gt=NOON), "12:30:00"),
    "float": (limited(float, gt=0), 0),
    "fraction": (limited(fractions.Fraction, gt=5), "5"),
    "literal": (t.Literal["a b", 5], "5"),
    "words": (t.Literal["a", "b", "c"], "or"),
    "enum": (Color, "RED"),
    "pattern": (limited(str, pattern="^a.c$"), "a"),
    "length": (limited(list[int], max_length=3), [5, 5, 5, 5, 5]),
    "kind-of-list": (limited(list[str], max_length=3), ["list"] * 4),
    "set-of-equals": (limited(set[int], min_length=3), [1, 1]),
    "set": (limited(set[int], min_length=3), [2, 1]),
    "tuple": (tuple[int, str], [1, 2, 3]),
    "deque": (limited(deque[int], max_length=3), [5] * 5),
    "many": (limited(list[int], max_length=1200), [4] * 1201),
    "date-words": (datetime.date, "invalid"),
    "datetime-words": (datetime.datetime, "input"),
    "duration": (datetime.timedelta, "invalid"),
    "url": (AnyUrl, "base"),
    "json": (Json, "value"),
    "list-words": (list[str], "array"),
    "model": (Cat, "Cat"),
    "field": (Order, {"start": "x"}),
}


@pytest.mark.parametrize(("annotation", "sent"), CONSTANT.values(), ids=CONSTANT)
def test_what_the_type_says_is_kept_whatever_was_sent(annotation, sent):
    with pytest.raises(pydantic.ValidationError) as error:
        pydantic.TypeAdapter(annotation).validate_json(json.dumps(sent))
    client = asking(t.Annotated[annotation, Body(embed=True)], method="POST")
    entries = client.post("/", json={"x": sent}).json["detail"]

    assert [entry["msg"] for entry in entries] == [
        item["msg"] for item in error.value.errors()
    ]


def test_tags_of_a_union_are_kept():
    pets = t.Annotated[Cat | Dog, Field(discriminator="kind"), Body()]
    client = asking(pets, method="POST")
    [entry] = client.post("/", json={"kind": "kind"}).json["detail"]

    assert entry["ctx"] == {
        "discriminator": "'kind'",
        "expected_tags": "'cat', 'cats', 'dog'",
    }
