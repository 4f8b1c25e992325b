"""A refused request is answered without what the client sent."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import io
import ipaddress
import json
import sys
import typing as t
import uuid
from collections import deque
from urllib.parse import urlsplit

import pytest
from client import client_of
from flask.testing import FlaskClient
from pydantic import (
    AfterValidator,
    AnyUrl,
    BaseModel,
    BeforeValidator,
    Field,
    Json,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError, PydanticKnownError
from werkzeug.datastructures import FileStorage

from flask_signature import Body, Form, Query
from flask_signature._errors.entries import without_input

GENERIC = "Value error, The value is not valid."


class Color(enum.Enum):
    RED = "red"


def refuse(value: t.Any) -> t.Any:
    raise ValueError(f"{value} is not allowed")


def refuse_in_quotes(value: t.Any) -> t.Any:
    raise ValueError(f"unknown value {value!r}")


def assert_in_words(value: t.Any) -> t.Any:
    raise AssertionError(f"'{str(value).strip().upper()}' is taken")


def read_decimal(value: str) -> decimal.Decimal:
    try:
        return decimal.Decimal(value)
    except decimal.InvalidOperation as error:
        # The message shows a class of Python.
        raise ValueError(error) from error


def asking(annotation: t.Any, **options: t.Any) -> FlaskClient:
    def view(x):
        raise AssertionError

    view.__annotations__ = {"x": annotation}
    return client_of(view, **options)


REPEATED: dict[str, tuple[t.Any, str]] = {
    "int": (t.Annotated[t.Any, BeforeValidator(int)], "hunter2"),
    "float": (t.Annotated[t.Any, BeforeValidator(float)], " hunter2 "),
    "escapes": (t.Annotated[t.Any, BeforeValidator(int)], "h'un\"ter\n2\\\u00e9"),
    "cut-by-python": (t.Annotated[t.Any, BeforeValidator(int)], "hunter2" * 100),
    "enum": (
        t.Annotated[t.Any, BeforeValidator(lambda value: Color(value))],
        "hunter2",
    ),
    "strptime": (
        t.Annotated[
            t.Any, BeforeValidator(lambda x: datetime.datetime.strptime(x, "%Y"))
        ],
        "hunter2",
    ),
    "strptime-remains": (
        t.Annotated[
            t.Any, BeforeValidator(lambda x: datetime.datetime.strptime(x, "%Y"))
        ],
        "2020hunter2",
    ),
    "class": (t.Annotated[t.Any, BeforeValidator(read_decimal)], "hunter2"),
    "isoformat": (
        t.Annotated[t.Any, BeforeValidator(datetime.date.fromisoformat)],
        "hunter2",
    ),
    "author": (t.Annotated[str, AfterValidator(refuse)], "hunter2"),
    "quotes": (t.Annotated[str, AfterValidator(refuse_in_quotes)], "hunter2"),
    "two-words": (t.Annotated[str, AfterValidator(refuse)], "hunter two"),
    "converted": (t.Annotated[int, AfterValidator(refuse)], "0713"),
    "number": (t.Annotated[float, AfterValidator(refuse)], "7.13e2"),
    "uuid": (
        t.Annotated[uuid.UUID, AfterValidator(refuse)],
        "6fa459ea-ee8a-3ca4-894e-db77e160355e",
    ),
    "one-character": (t.Annotated[str, AfterValidator(refuse_in_quotes)], "h"),
}


@pytest.mark.parametrize(("annotation", "sent"), REPEATED.values(), ids=REPEATED)
def test_message_that_repeats_the_input_is_the_generic_one(annotation, sent):
    response = asking(annotation).get("/", query_string={"x": sent})

    assert response.status_code == 422
    assert response.json == {
        "detail": [
            {
                "loc": ["query", "x"],
                "msg": GENERIC,
                "type": "value_error",
                "ctx": {"error": "The value is not valid."},
            }
        ]
    }


def test_case_and_spaces_make_no_difference():
    client = asking(t.Annotated[str, AfterValidator(assert_in_words)])

    [entry] = client.get("/", query_string={"x": " hunter2"}).json["detail"]
    assert entry["msg"] == "Assertion failed, The value is not valid."


def refuse_part(value: t.Any) -> t.Any:
    raise ValueError(f"no room for {[*value][-1] if value else value!r}")


class Order(BaseModel):
    start: str
    end: list[str] = []

    @model_validator(mode="after")
    def check(self) -> Order:
        if self.end:
            raise ValueError(f"start is before end: {self.end[-1]}")
        raise ValueError("start and end must not be empty")


INSIDE: dict[str, tuple[t.Any, t.Any]] = {
    "list": (t.Annotated[list[str], AfterValidator(refuse_part)], ["a", "hunter2"]),
    "whole-list": (t.Annotated[list[str], AfterValidator(refuse)], ["hunter2"]),
    "dict": (t.Annotated[dict[str, str], AfterValidator(refuse)], {"a": "hunter2"}),
    "model": (Order, {"start": "x", "end": ["hunter2"]}),
    "many": (
        t.Annotated[list[t.Any], AfterValidator(refuse_part)],
        [*range(2000), "hunter2"],
    ),
}


@pytest.mark.parametrize(("annotation", "sent"), INSIDE.values(), ids=INSIDE)
def test_value_inside_of_the_input_is_not_repeated(annotation, sent):
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


def test_name_of_a_field_is_no_value():
    client = asking(t.Annotated[Order, Body()], method="POST")

    [entry] = client.post("/", json={"start": "x"}).json["detail"]
    assert entry["msg"] == "Value error, start and end must not be empty"


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
    def check(value: t.Any) -> t.Any:
        raise ValueError(message)

    client = asking(t.Annotated[str, AfterValidator(check)])

    [entry] = client.get("/", query_string={"x": sent}).json["detail"]
    assert (entry["msg"], entry["ctx"]) == (
        f"Value error, {message}",
        {"error": message},
    )


def test_message_of_pydantic_that_has_the_same_word_is_kept():
    client = asking(t.Annotated[t.Literal["a b", 5], Query()])

    [entry] = client.get("/?x=a").json["detail"]
    assert entry["msg"] == "Input should be 'a b' or 5"


@pytest.mark.parametrize("kind", ["own_error", "value_error"])
def test_custom_error_has_neither_message_nor_context_of_the_input(kind):
    def check(value: str) -> str:
        context = {"given": value, "all": [value], "limit": 3, "hint": "use a color"}
        raise PydanticCustomError(kind, "{given} is none of {limit}", context)  # type: ignore[arg-type]

    client = asking(t.Annotated[str, AfterValidator(check)])

    [entry] = client.get("/?x=hunter2").json["detail"]
    assert entry == {
        "loc": ["query", "x"],
        "msg": "The value is not valid.",
        "type": kind,
        "ctx": {"limit": 3, "hint": "use a color"},
    }


def test_character_that_a_uuid_can_not_have_is_not_repeated():
    [entry] = asking(uuid.UUID).get("/?x=%23").json["detail"]

    assert "#" not in json.dumps(entry)
    assert entry["type"] == "uuid_parsing"
    assert entry["msg"].startswith("Input should be a valid UUID, invalid character")


def test_name_of_a_file_is_not_repeated():
    class Upload(BaseModel):
        name: str

    def check(file: FileStorage) -> FileStorage:
        raise ValueError(f"{file.filename} is no image, but {file.mimetype}")

    client = asking(t.Annotated[FileStorage, AfterValidator(check)], method="POST")
    response = client.post("/", data={"x": (io.BytesIO(b"x"), "hunter2.txt")})

    assert response.status_code == 422
    assert response.json["detail"][0]["msg"] == GENERIC


def test_bytes_are_not_repeated():
    def check(value: bytes) -> bytes:
        raise ValueError(f"{value!r} has no header")

    client = asking(
        t.Annotated[bytes, AfterValidator(check), Body(media_type="image/png")],
        method="POST",
    )
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
    def check(value: str) -> str:
        raise error(value)

    client = asking(
        t.Annotated[str, AfterValidator(check)],
        config={"SIGNATURE_ERROR_FORMAT": "pydantic1"},
    )
    response = client.get("/?x=hunter2")

    assert response.status_code == 400
    assert response.json == {
        "detail": [
            {"loc": ["query", "x"], "msg": "The value is not valid.", "type": kind}
        ]
    }


def test_exception_has_none_of_it():
    class Named(BaseModel):
        name: str

        @field_validator("name")
        @classmethod
        def check(cls, value: str) -> str:
            raise ValueError(f"{value} is taken")

    client = asking(t.Annotated[Named, Body()], method="POST")
    found: list[t.Any] = []
    client.application.register_error_handler(
        422, lambda error: found.append(error) or ("", 422)
    )
    client.post("/", json={"name": "hunter2"})

    assert "hunter2" not in str(found[0].errors)


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

    known = sys.gettrace()
    sys.settrace(count)
    try:
        found = without_input(error)
    finally:
        sys.settrace(known)

    assert found == error
    assert len(lines) < 500 * len(values)


def test_value_at_the_end_of_what_is_answered_is_found():
    def check(value: str) -> str:
        raise ValueError("." * 180 + " " + value)

    client = asking(t.Annotated[str, AfterValidator(check)])

    [entry] = client.get("/", query_string={"x": "hunter2" * 30}).json["detail"]
    assert entry["msg"] == GENERIC


def test_long_list_of_a_context_is_left_out():
    def check(value: str) -> str:
        context = {"all": ["b" * 50] * 50, "limits": ["b"] * 50}
        raise PydanticCustomError("own_error", "no", context)

    client = asking(t.Annotated[str, AfterValidator(check)])

    [entry] = client.get("/?x=hunter2").json["detail"]
    assert entry["ctx"] == {"limits": ["b"] * 50}


#: Functions of Python that are called with a part of the value.
PARTS: dict[str, tuple[t.Callable[[str], t.Any], str]] = {
    "int": (lambda x: int(x.split(":")[1]), "a:hunter2"),
    "float": (lambda x: float(x.split(":")[1]), "a:hunter2"),
    "fraction": (lambda x: fractions.Fraction(x[2:]), "a:hunter2"),
    "port": (lambda x: urlsplit(x).port, "http://example.org:hunter2"),
    "address": (lambda x: ipaddress.ip_address(x[2:]), "a:hunter2"),
    "network": (ipaddress.IPv4Network, "1.2.3.hunter2"),
    "octets": (lambda x: ipaddress.IPv4Address(x[2:]), "a:hunter2"),
    "hextets": (ipaddress.IPv6Address, "1:2:3:4:5:6:7:hunter2"),
    "date": (lambda x: datetime.date.fromisoformat(x.split("/")[0]), "hunter2/b"),
    "strptime": (lambda x: datetime.datetime.strptime(x[2:], "%Y"), "a:hunter2"),
    "enum": (lambda x: Color(x[2:]), "a:hunter2"),
    "long": (lambda x: Color(x[2:]), "a:" + "hunter2" * 1000),
}


@pytest.mark.parametrize(("function", "sent"), PARTS.values(), ids=PARTS)
def test_message_of_python_that_repeats_a_part_is_the_generic_one(function, sent):
    client = asking(t.Annotated[t.Any, BeforeValidator(function)])
    response = client.get("/", query_string={"x": sent})

    assert response.status_code == 422
    assert "hunter2" not in response.text
    assert response.json["detail"][0]["msg"] == GENERIC


def test_value_that_is_not_in_a_list_is_not_repeated():
    # Python 3.14 does not repeat it either, and that message is kept.
    index = BeforeValidator(lambda x: ["a"].index(x[2:]))
    response = asking(t.Annotated[t.Any, index]).get("/?x=a:hunter2")

    assert response.status_code == 422
    assert "hunter2" not in response.text


def test_message_of_python_that_repeats_nothing_is_kept():
    client = asking(t.Annotated[t.Any, BeforeValidator(lambda x: uuid.UUID(x))])

    [entry] = client.get("/?x=hunter2").json["detail"]
    assert entry["msg"] == "Value error, badly formed hexadecimal UUID string"


KEYS: dict[str, t.Callable[[dict[str, t.Any]], str]] = {
    "list": lambda value: f"unknown keys {list(value)}",
    "whole": lambda value: f"bad {value}",
    "quotes": lambda value: f"unknown key {list(value)[-1]!r}",
    "json": lambda value: f"bad {json.dumps(value)}",
    "no-name": lambda value: f"unknown key {next(iter(value))}",
}


@pytest.mark.parametrize("message", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("inside", [False, True])
def test_key_is_not_repeated(message, inside):
    def check(value: t.Any) -> t.Any:
        raise ValueError(message(value[0] if inside else value))

    kind: t.Any = list[dict[str, t.Any]] if inside else dict[str, t.Any]
    client = asking(t.Annotated[kind, AfterValidator(check), Body()], method="POST")
    sent = {"ann@example.org": True, "hunter2": False}
    response = client.post("/", json=[sent] if inside else sent)

    assert response.json["detail"][0]["msg"] == GENERIC


@pytest.mark.parametrize("kind", ["string_type", "missing", "uuid_parsing", "enum"])
def test_type_of_pydantic_does_not_make_a_message_its_own(kind):
    def check(value: str) -> str:
        raise PydanticCustomError(kind, "bad {v}", {"v": value})  # type: ignore[arg-type]

    [entry] = (
        asking(t.Annotated[str, AfterValidator(check)]).get("/?x=k9").json["detail"]
    )
    assert (entry["msg"], entry.get("ctx")) == ("The value is not valid.", None)


def test_words_of_pydantic_for_json_are_its_own():
    client = asking(t.Annotated[Order, Body()], method="POST")

    [entry] = client.post("/", json={"start": "x", "end": "array"}).json["detail"]
    assert entry["msg"] in (
        "Input should be a valid array",
        "Input should be a valid list",
    )


def overflow(value: str) -> t.Any:
    raise decimal.Overflow(value)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (decimal.Decimal, "The value can't be read."),
        (lambda value: decimal.Decimal("NaN") < 1, "The value is out of range."),
        (overflow, "The value is out of range."),
        (lambda value: int(float("inf")), "The value is out of range."),
    ],
    ids=["no-number", "comparison", "overflow", "infinite"],
)
def test_arithmetic_error_says_whether_the_value_is_a_number(function, message):
    client = asking(t.Annotated[t.Any, BeforeValidator(function)])

    [entry] = client.get("/?x=hunter2").json["detail"]
    assert entry["msg"] == f"Value error, {message}"


def test_limit_of_a_decimal_is_answered_as_pydantic_writes_it() -> None:
    client = asking(t.Annotated[decimal.Decimal, Field(gt=decimal.Decimal("1.50"))])

    (entry,) = client.get("/?x=1").get_json()["detail"]

    assert entry["msg"] == "Input should be greater than 1.50"


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
    def check(value: str) -> str:
        raise error(value)

    tp = t.Annotated[str, AfterValidator(check)]
    sources: t.Any = {"query": Query(), "body": Body(embed=True), "form": Form()}
    config = {"SIGNATURE_ERROR_FORMAT": name}
    client = asking(t.Annotated[tp, sources[place]], method="POST", config=config)
    sent: t.Any = {"query": "query_string", "body": "json", "form": "data"}[place]
    response = client.post("/", **{sent: {"x": "8675309"}})

    assert response.status_code == (400 if name == "pydantic1" else 422)
    assert "8675309" not in response.text


@pytest.mark.parametrize("kind", ["8675309", "no.8675309"])
def test_type_that_repeats_the_input_is_the_usual_one(kind):
    def check(value: str) -> str:
        raise PydanticCustomError(kind, "Taken.")  # type: ignore[arg-type]

    client = asking(t.Annotated[str, AfterValidator(check)])

    [entry] = client.get("/?x=8675309").json["detail"]
    assert (entry["type"], entry["msg"]) == ("value_error", "Taken.")


class Cat(BaseModel):
    kind: t.Literal["cat", "cats"]


class Dog(BaseModel):
    kind: t.Literal["dog"]


CONSTANT: dict[str, tuple[t.Any, t.Any]] = {
    "limit": (t.Annotated[int, Field(gt=5)], 5),
    "decimal": (
        t.Annotated[decimal.Decimal, Field(gt=decimal.Decimal("1.50"))],
        "1.50",
    ),
    "date": (
        t.Annotated[datetime.date, Field(gt=datetime.date(2020, 1, 1))],
        "2020-01-01",
    ),
    "datetime": (
        t.Annotated[datetime.datetime, Field(gt=datetime.datetime(2020, 1, 1))],
        "2020-01-01T00:00:00",
    ),
    "duration-limit": (
        t.Annotated[datetime.timedelta, Field(gt=datetime.timedelta(seconds=5))],
        5,
    ),
    "time-limit": (
        t.Annotated[datetime.time, Field(gt=datetime.time(12, 30))],
        "12:30:00",
    ),
    "float": (t.Annotated[float, Field(gt=0)], 0),
    "fraction": (t.Annotated[fractions.Fraction, Field(gt=5)], "5"),
    "literal": (t.Literal["a b", 5], "5"),
    "words": (t.Literal["a", "b", "c"], "or"),
    "enum": (Color, "RED"),
    "pattern": (t.Annotated[str, Field(pattern="^a.c$")], "a"),
    "length": (t.Annotated[list[int], Field(max_length=3)], [5, 5, 5, 5, 5]),
    "kind-of-list": (t.Annotated[list[str], Field(max_length=3)], ["list"] * 4),
    "set-of-equals": (t.Annotated[set[int], Field(min_length=3)], [1, 1]),
    "set": (t.Annotated[set[int], Field(min_length=3)], [2, 1]),
    "deque": (t.Annotated[deque[int], Field(max_length=3)], [5] * 5),
    "many": (t.Annotated[list[int], Field(max_length=1200)], [4] * 1201),
    "date-words": (datetime.date, "invalid"),
    "datetime-words": (datetime.datetime, "input"),
    "duration": (datetime.timedelta, "invalid"),
    "url": (AnyUrl, "base"),
    "json": (Json, "value"),
    "model": (Cat, "Cat"),
}


@pytest.mark.parametrize(("annotation", "sent"), CONSTANT.values(), ids=CONSTANT)
def test_what_the_type_says_is_kept_whatever_was_sent(annotation, sent):
    with pytest.raises(ValidationError) as error:
        TypeAdapter(annotation).validate_json(json.dumps(sent))

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


def test_number_of_items_of_a_tuple_is_said() -> None:
    def view(value: t.Annotated[tuple[int, str], Body(embed=True)]) -> None: ...

    response = client_of(view, method="POST").post("/", json={"value": [1, 2, 3]})

    message = "Tuple should have at most 2 items after validation, not 3"
    assert response.json["detail"][0]["msg"] == message
