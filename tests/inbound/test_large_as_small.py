"""Large input is read as small input is, whatever code its type has."""

from __future__ import annotations

import re
import typing as t
from collections import Counter, OrderedDict, deque
from datetime import date
from decimal import Decimal
from enum import Enum

import pydantic
import pytest
from client import client_of, post_json, refusals, taking
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    Tag,
    create_model,
    model_validator,
)
from pydantic_core import core_schema

from flask_signature import Body, Form, Query

#: Spaces after a body, which make it a large one.
MUCH: t.Final = b" " * 600_000

#: A field of this type is looked through before it is validated, where a body is large.
Choice = list[int] | int | None


def turned(items: deque[int]) -> deque[int]:
    items.rotate(1)
    return items


class Turning(BaseModel):
    items: t.Annotated[deque[int], AfterValidator(turned)]
    counts: t.Annotated[Counter[str], AfterValidator(Counter.copy)] = Counter()
    order: t.Annotated[OrderedDict[str, int], AfterValidator(OrderedDict.copy)] = (
        OrderedDict()
    )
    choice: Choice = None

    @model_validator(mode="after")
    def turn(self) -> Turning:
        self.items.rotate(1)
        return self


class Typed(BaseModel):
    kind: str

    @model_validator(mode="before")
    @classmethod
    def read(cls, values: dict[str, t.Any]) -> dict[str, t.Any]:
        kind = cls.__name__.lower()
        if values.pop("type") != kind:
            raise ValueError(f"no {kind}")
        return {"kind": kind, **values}


class Book(Typed):
    pages: int


class Film(Typed):
    minutes: int


class Numbered(BaseModel):
    rows: t.Annotated[
        dict[int, str], pydantic.BeforeValidator(lambda value: dict(enumerate(value)))
    ] = Field(["a"], validate_default=True)
    choice: Choice = None


class User(BaseModel, from_attributes=True):
    name: str = "anonymous"


class Measured(BaseModel):
    length: float
    choice: Choice = None


class Keyed(BaseModel):
    values: t.Annotated[dict[str, int], Field(min_length=2)]
    choice: Choice = None


def as_text(value: str) -> str:
    return f"<{value}>"


class Ordered(BaseModel):
    a: t.Annotated[
        t.Annotated[int, pydantic.Strict()] | t.Annotated[str, AfterValidator(as_text)],
        Field(union_mode="left_to_right"),
    ]

    @model_validator(mode="after")
    def check(self) -> Ordered:
        if not isinstance(self.a, str):
            raise ValueError("no string")
        return self


class Equal(BaseModel):
    numbers: t.Annotated[
        set[t.Annotated[int, AfterValidator(abs)]], Field(max_length=1)
    ]
    rows: t.Annotated[
        set[t.Annotated[str, pydantic.BeforeValidator(lambda row: row["name"])]],
        Field(min_length=1),
    ]
    choice: Choice = None


class Color(Enum):
    RED = "red"


class Strictly(BaseModel, strict=True):
    data: bytes
    day: date | Color
    choice: Choice


class Written(BaseModel):
    number: Decimal | bytes
    text: bytes | str
    choice: Choice = None


class Stripped(BaseModel, extra="forbid"):
    code: t.Annotated[str, AfterValidator(str.strip), Field(pattern="^[A-Z]+$")]


TaggedBook = create_model("TaggedBook", pages=(int, ...))
TaggedFilm = create_model("TaggedFilm", minutes=(int, ...))
Tagged = t.Annotated[
    t.Annotated[TaggedBook, Tag("book")] | t.Annotated[TaggedFilm, Tag("film")],
    pydantic.Discriminator(lambda value: value.pop("kind")),
]


Number = create_model("Number", n=(int, ...))


def or_none(value: t.Any, handler: t.Any) -> t.Any:
    try:
        return handler(value)
    except pydantic.ValidationError as error:
        if [item["type"] for item in error.errors()] != ["missing"]:
            raise
        return None


class Holding(BaseModel):
    first: Number
    second: t.Annotated[Number, pydantic.WrapValidator(or_none)]


class Calling:
    """A type that is made by a call with any arguments."""

    def __init__(self, **numbers: int) -> None:
        self.numbers = numbers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calling) and self.numbers == other.numbers

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: t.Any) -> t.Any:
        numbers = core_schema.int_schema()
        arguments = core_schema.arguments_schema([], var_kwargs_schema=numbers)
        return core_schema.call_schema(arguments, cls)


KindA = create_model("KindA", kind=(t.Literal["a"], ...))
KindB = create_model("KindB", kind=(t.Literal["b"], ...))


class WithContext(BaseModel):
    found: t.Annotated[
        t.Annotated[KindA, Tag("a")] | t.Annotated[KindB, Tag("b")],
        pydantic.Discriminator(
            lambda value: value["kind"],
            custom_error_type="no_kind",
            custom_error_message="No kind.",
            custom_error_context={"type": "model"},
        ),
    ]
    numbers: list[int]


READ: dict[str, tuple[t.Any, bytes]] = {
    "collections": (
        Turning,
        b'{"items":[1,2,3],"counts":{"a":2},"order":{"b":1,"a":2}}',
    ),
    "union": (list[Book | Film], b'[{"type":"film","minutes":5}]'),
    "keys": (Numbered, b'{"rows":["a","b"]}'),
    "default": (Numbered, b"{}"),
    "strict-bytes": (Strictly, b'{"data":"abc","day":"2020-01-01","choice":null}'),
    "number": (Written, b'{"number":1.0,"text":"x"}'),
    "pattern": (list[Stripped], b'[{"code":" A "}]'),
    "discriminator": (list[Tagged] | int, b'[{"kind":"book","pages":1}]'),
    "definition": (Holding, b'{"first":{"n":1},"second":{}}'),
    "deque": (list[deque[int] | list[int]], b"[[1]]"),
    "arguments": (
        t.Annotated[Calling, Body(embed=False)],
        b"{%s}" % b",".join(b'"k%d":1' % number for number in range(150)),
    ),
    "context": (
        WithContext,
        b'{"found":{"kind":"a"},"numbers":[%s1]}' % (b"1," * 3_000),
    ),
    "long-keys": (
        Keyed,
        b'{"values":{"%s":1,"%s":2}}' % (b"k" * 10_000 + b"a", b"k" * 10_000 + b"b"),
    ),
    "strict": (Ordered, b'{"a":"1"}'),
    "equal-items": (Equal, b'{"numbers":[1,-1],"rows":[{"name":"a"}]}'),
}


@pytest.mark.parametrize(("tp", "body"), READ.values(), ids=READ)
def test_large_body_is_read_as_a_small_one(tp: t.Any, body: bytes) -> None:
    small, large = post_json(tp, body), post_json(tp, body + MUCH)

    assert not isinstance(small, int), small
    assert small == large


REFUSED: dict[str, tuple[t.Any, bytes, t.Any]] = {
    "collections": (
        Turning,
        b'{"items":[%s1],"choice":"x"}' % (b"1," * 5_000),
        ["body", "choice", "list[int]"],
    ),
    "no-number": (Numbered, b'{"rows":[%s1]}' % (b"1," * 9_000), ["body", "rows", 0]),
    "from-attributes": (
        create_model("Order", user=(User, ...), ids=(list[int], ...)),
        b'{"ids":[%s1]}' % (b"1," * 9_000),
        ["body", "user"],
    ),
    "below-code": (
        t.Annotated[Measured, pydantic.BeforeValidator(lambda value: value)],
        b'{"x":[%s1]}' % (b"1," * 90_000),
        ["body", "length"],
    ),
}


@pytest.mark.parametrize(("tp", "body", "loc"), REFUSED.values(), ids=REFUSED)
def test_large_body_is_refused_as_a_small_one(
    tp: t.Any, body: bytes, loc: t.Any
) -> None:
    assert post_json(tp, body)[0][0] == loc


class Address(BaseModel, extra="allow"):
    zip: int
    street: str = ""

    @model_validator(mode="before")
    @classmethod
    def rename(cls, values: dict[str, t.Any]) -> dict[str, t.Any]:
        values["zip"] = values.pop("plz")
        return values


@pytest.mark.parametrize("street", ["", "x" * 200, "x" * 30_000])
def test_validator_may_change_a_form_whatever_its_size(street: str) -> None:
    def view(value: t.Annotated[Address, Form()], other: t.Annotated[str, Form()]):
        return f"{value.zip} {len(value.street)}"

    client = client_of(view, method="POST")
    form = {"street": street, "other": "y" * 5_000}
    assert refusals(client.post("/", data={"plz": "x", **form})) == [
        (["form", "zip"], "int_parsing")
    ]
    assert client.post("/", data={"plz": "7", **form}).text == f"7 {len(street)}"


class Login(BaseModel, extra="allow"):
    note: str = ""

    @model_validator(mode="before")
    @classmethod
    def take(cls, values: dict[str, t.Any]) -> dict[str, t.Any]:
        raise ValueError(f"bad password {values.pop('password')}")


@pytest.mark.parametrize("note", ["", "x" * 600, "x" * 200_000])
@pytest.mark.parametrize("place", ["json", "data", "query_string"])
def test_what_a_validator_takes_away_is_not_sent_back(place: str, note: str) -> None:
    marker = {"json": Body(), "data": Form(), "query_string": Query()}[place]
    client = client_of(taking(t.Annotated[Login, marker]), method="POST")
    response = client.post("/", **{place: {"password": "hunter2", "note": note}})

    assert response.status_code == 422
    assert "hunter2" not in response.text


@pytest.mark.parametrize("count", [1, 3_000])
def test_variable_of_the_url_is_not_sent_back(count: int) -> None:
    def refuse(value: str) -> str:
        raise ValueError(f"{value} is taken")

    def view(name, n: list[int] = Query([])): ...

    view.__annotations__["name"] = t.Annotated[str, AfterValidator(refuse)]
    response = client_of(view, "/<name>").get("/hunter2?" + "n=1&" * count)
    assert response.status_code == 422
    assert "hunter2" not in response.text


def test_pattern_that_is_compiled_is_said() -> None:
    view = taking(str, Query(pattern=re.compile("^(red|blue)$")))
    (entry,) = client_of(view).get("/?x=Red").json["detail"]

    assert entry["ctx"] == {"pattern": "^(red|blue)$"}
    assert entry["msg"] == "String should match pattern '^(red|blue)$'"
