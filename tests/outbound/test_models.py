"""What a response model makes of what a view returns."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import typing as t
from decimal import Decimal
from enum import Enum

import pytest
from client import client_of
from flask import Response
from flask import typing as ft
from models import Names, Page
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    Json,
    computed_field,
    field_serializer,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from typing_extensions import TypedDict

from flask_signature import Flask

T = t.TypeVar("T")


class UserIn(BaseModel):
    name: str
    password: str


class UserOut(BaseModel):
    name: str


class Line(BaseModel):
    sku: str
    quantity: int = 1
    price: float = 0


class Account(UserOut):
    password: str = "secret"


class Cat(BaseModel):
    kind: t.Literal["cat"] = "cat"
    lives: int


class Dog(BaseModel):
    kind: t.Literal["dog"] = "dog"
    tricks: list[str]


class Color(Enum):
    RED = "red"


class Triangle(BaseModel):
    sides: tuple[int, int, int]

    @computed_field
    @property
    def perimeter(self) -> int:
        return sum(self.sides)


class Priced(BaseModel):
    price: Decimal

    @field_serializer("price")
    def in_words(self, price: Decimal) -> str:
        return f"{price} €"


class Aliased(BaseModel):
    full_name: str = Field(alias="fullName")
    model_config = ConfigDict(populate_by_name=True)


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Entry(TypedDict):
    title: str
    pages: int


class Pair(t.NamedTuple):
    left: int
    right: str


class Base(DeclarativeBase):
    pass


class Row(Base):
    __tablename__ = "user"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    password_hash: Mapped[str]


def answer_of(model: t.Any, value: t.Any, **options: t.Any) -> t.Any:
    """The JSON that a view with a response model answers for a value."""

    def show():
        return value

    show.__annotations__ = {"return": model}
    response = client_of(show, **options).get("/")
    assert response.status_code == 200
    assert response.content_type == "application/json"
    assert response.content_length == len(response.data)
    return response.json


def test_row_63_a_model_leaves_out_what_another_model_knows():
    def add(u: UserIn) -> UserOut:
        # What is returned is another model, which knows the name too.
        return u  # type: ignore[return-value]

    response = client_of(add, method="POST").post(
        "/", json={"name": "a", "password": "p"}
    )

    assert response.status_code == 201
    assert response.data == b'{"name":"a"}'


def test_row_64_items_of_a_subclass_are_items_of_the_model():
    def show() -> list[UserOut]:
        return [Account(name="a"), Account(name="b")]

    response = client_of(show).get("/")

    assert response.status_code == 200
    assert response.data == b'[{"name":"a"},{"name":"b"}]'


def test_row_66_a_response_passes_untouched():
    def show():
        return Response(
            '{"x": 1}', status=202, mimetype="text/x-own", headers={"X-A": "b"}
        )

    response = client_of(show, response_model=UserOut).get("/")

    assert response.status_code == 202
    assert response.data == b'{"x": 1}'
    assert response.content_type == "text/x-own; charset=utf-8"
    assert response.headers["X-A"] == "b"


def test_row_67_response_model_none_turns_the_annotation_off():
    def show() -> UserOut:
        return {"name": "a", "password": "p"}  # type: ignore[return-value]

    response = client_of(show, response_model=None).get("/")

    assert response.status_code == 200
    assert response.data == b'{"name":"a","password":"p"}\n'


def test_row_68_exclude_unset_sends_what_was_set():
    def show() -> Line:
        return Line(sku="abc", price=0)

    client = client_of(show, response_model_exclude_unset=True)

    assert client.get("/").json == {"sku": "abc", "price": 0.0}


NAMED_VALUES = {
    "dict": {"name": "a"},
    "dict-with-more": {"name": "a", "password": "p"},
    "instance": UserOut(name="a"),
    "subclass": Account(name="a"),
    "another-model": UserIn(name="a", password="p"),
    "row": Row(id=1, name="a", password_hash="p"),
    "dataclass": dataclasses.make_dataclass("User", ["name", "password"])("a", "p"),
    "object": type("User", (), {"name": "a", "password": "p"})(),
}


@pytest.mark.parametrize("value", NAMED_VALUES.values(), ids=NAMED_VALUES)
def test_model_is_made_of(value):
    found = answer_of(UserOut, value)

    assert found == {"name": "a"}


MODELS = {
    "defaults-are-filled": (
        Line,
        {"sku": "a"},
        {"sku": "a", "quantity": 1, "price": 0.0},
    ),
    "types-are-coerced": (
        Line,
        {"sku": "a", "quantity": "2", "price": 3},
        {"sku": "a", "quantity": 2, "price": 3.0},
    ),
    "list": (
        list[UserOut],
        [{"name": "a"}, UserOut(name="b")],
        [{"name": "a"}, {"name": "b"}],
    ),
    "dict": (dict[str, UserOut], {"x": Account(name="a")}, {"x": {"name": "a"}}),
    "set": (set[int], {1}, [1]),
    "tuple": (tuple[int, str], (1, "a"), [1, "a"]),
    "tuple-of-many": (tuple[int, ...], [1, 2, 3], [1, 2, 3]),
    "sequence": (t.Sequence[UserOut], [Account(name="a")], [{"name": "a"}]),
    "optional-value": (UserOut | None, {"name": "a"}, {"name": "a"}),
    "optional-none": (UserOut | None, None, None),
    "union-first": (Cat | Dog, {"lives": 9}, {"kind": "cat", "lives": 9}),
    "union-second": (
        Cat | Dog,
        Dog(tricks=["sit"]),
        {"kind": "dog", "tricks": ["sit"]},
    ),
    "union-by-discriminator": (
        t.Annotated[Cat | Dog, Field(discriminator="kind")],
        {"kind": "dog", "tricks": []},
        {"kind": "dog", "tricks": []},
    ),
    "union-with-response": (UserOut | Response, {"name": "a"}, {"name": "a"}),
    "discriminator-beside-response": (
        t.Annotated[Cat | Dog, Field(discriminator="kind")] | Response,
        {"kind": "dog", "tricks": []},
        {"kind": "dog", "tricks": []},
    ),
    "generic": (
        Page[UserOut],
        {"items": [Account(name="a")], "total": "1"},
        {"items": [{"name": "a"}], "total": 1},
    ),
    "dataclass": (Point, Point(1), {"x": 1, "y": 0}),
    "dataclass-from-dict": (Point, {"x": "1", "z": 2}, {"x": 1, "y": 0}),
    "typed-dict": (
        Entry,
        {"title": "a", "pages": "1", "z": 2},
        {"title": "a", "pages": 1},
    ),
    "named-tuple": (Pair, Pair(1, "a"), [1, "a"]),
    "root-model": (Names, ["a"], ["a"]),
    "root-model-instance": (Names, Names(["a"]), ["a"]),
    "json": (Json[list[int]], "[1, 2]", [1, 2]),
    "computed-field": (
        Triangle,
        {"sides": (3, 4, 5)},
        {"sides": [3, 4, 5], "perimeter": 12},
    ),
    "serializer": (Priced, {"price": "1.50"}, {"price": "1.50 €"}),
    "alias": (Aliased, {"full_name": "a"}, {"fullName": "a"}),
    "int": (int, "5", 5),
    "bool": (bool, True, True),
    "enum": (Color, Color.RED, "red"),
    "date": (datetime.date, datetime.date(2020, 2, 29), "2020-02-29"),
    "list-of-dicts": (list[dict[str, int]], [{"a": 1}], [{"a": 1}]),
}


@pytest.mark.parametrize(("model", "value", "expected"), MODELS.values(), ids=MODELS)
def test_model_answers(model, value, expected):
    assert answer_of(model, value) == expected


def test_list_may_come_from_a_generator():
    assert answer_of(list[int], (n for n in (1, 2))) == [1, 2]


def test_text_of_a_response_model_is_json():
    def show():
        return "a"

    assert client_of(show, response_model=str).get("/").data == b'"a"'


def test_response_model_wins_over_the_annotation():
    def show() -> Account:
        return Account(name="a")

    assert client_of(show, response_model=UserOut).get("/").json == {"name": "a"}


def test_answer_by_a_model_is_pydantics_json():
    def show() -> dict[str, datetime.datetime | str]:
        return {"z": "é", "a": datetime.datetime(2020, 2, 29, 12)}

    assert (
        client_of(show).get("/").data == '{"z":"é","a":"2020-02-29T12:00:00"}'.encode()
    )


def test_dict_without_a_model_is_flasks_json():
    value = {"z": "é", "a": datetime.datetime(2020, 2, 29, 12)}

    def show():
        return value

    expected = b'{"a":"Sat, 29 Feb 2020 12:00:00 GMT","z":"\\u00e9"}\n'
    assert client_of(show).get("/").data == expected


FLASKS_OWN = {
    "str": (str, "a", "text/html; charset=utf-8", b"a"),
    "bytes": (bytes, b"a", "text/html; charset=utf-8", b"a"),
    "dict": (dict, {"a": 1}, "application/json", b'{"a":1}\n'),
    "dict-of-anything": (dict[str, t.Any], {"a": 1}, "application/json", b'{"a":1}\n'),
    "list": (list, [1], "application/json", b"[1]\n"),
    "any": (t.Any, [1], "application/json", b"[1]\n"),
    "response": (Response, Response("a"), "text/html; charset=utf-8", b"a"),
    "iterator": (t.Iterator[str], iter(["a", "b"]), "text/html; charset=utf-8", b"ab"),
    "text-with-status": (tuple[str, int], ("a", 200), "text/html; charset=utf-8", b"a"),
    "text-and-response": (str | Response, "a", "text/html; charset=utf-8", b"a"),
    "none": (None, None, "text/html; charset=utf-8", b""),
}


@pytest.mark.parametrize(
    ("annotation", "value", "content_type", "body"), FLASKS_OWN.values(), ids=FLASKS_OWN
)
def test_flask_sends_as_it_is(annotation, value, content_type, body):
    def show():
        # The iterator of the table would be used up for who runs the tests again.
        return copy.copy(value)

    show.__annotations__ = {"return": annotation}
    response = client_of(show).get("/")

    assert response.status_code == 200
    assert response.content_type == content_type
    assert response.data == body


@pytest.mark.parametrize("name", ["ResponseValue", "ResponseReturnValue"])
def test_alias_of_flask_is_no_model(name):
    def show():
        return {"z": 1, "a": 2}

    show.__annotations__ = {"return": getattr(ft, name)}

    assert client_of(show).get("/").data == b'{"a":2,"z":1}\n'


def test_alias_of_flask_is_no_model_in_a_module_that_imports_nothing_else():
    source = """
from flask.typing import ResponseReturnValue
def show() -> ResponseReturnValue:
    return {"z": 1, "a": 2}
"""
    module: dict[str, t.Any] = {"__name__": "elsewhere"}
    exec(source, module)

    assert client_of(module["show"]).get("/").data == b'{"a":2,"z":1}\n'


def test_text_beside_a_model_is_text():
    def show() -> UserOut | str:
        return "none"

    response = client_of(show).get("/")

    assert (response.data, response.content_type) == (
        b"none",
        "text/html; charset=utf-8",
    )


def test_stream_beside_a_model_is_a_stream():
    def show() -> UserOut | t.Iterator[str]:
        return iter(["a", "b"])

    assert client_of(show).get("/").data == b"ab"


def test_view_that_needs_nothing_is_flasks_own():
    app = Flask(__name__)

    @app.get("/")
    def ping() -> dict[str, t.Any]:
        return {}

    assert app.view_functions["ping"] is ping


def test_options_of_the_serializer():
    def show() -> Aliased:
        return Aliased(full_name="a")

    client = client_of(show, response_model_by_alias=False)
    assert client.get("/").json == {"full_name": "a"}


OPTIONS = {
    "exclude_defaults": (True, {"sku": "a", "quantity": 2}),
    "exclude_unset": (True, {"sku": "a", "quantity": 2, "price": 0.0}),
    "include": ({"sku"}, {"sku": "a"}),
    "exclude": ({"price", "note"}, {"sku": "a", "quantity": 2}),
    "exclude_none": (True, {"sku": "a", "quantity": 2, "price": 0.0}),
}


class Noted(Line):
    note: str | None = None


@pytest.mark.parametrize(
    "value",
    [
        {"sku": "a", "quantity": 2, "price": 0.0},
        Noted(sku="a", quantity=2, price=0.0),
    ],
    ids=["dict", "instance"],
)
@pytest.mark.parametrize("option", OPTIONS)
def test_option(option, value):
    given, expected = OPTIONS[option]
    options = {f"response_model_{option}": given}

    assert answer_of(Noted, value, **options) == expected


class Careless(BaseModel):
    """Defaults that Pydantic does not look at, and the field it does."""

    price: Decimal = 0  # type: ignore[assignment]
    color: Color = "red"  # type: ignore[assignment]
    home: HttpUrl = "http://example.com"  # type: ignore[assignment]
    tags: list[str] = ()  # type: ignore[assignment]
    name: str = "é"


@pytest.mark.parametrize("value", [{}, Careless()], ids=["dict", "instance"])
def test_default_of_another_type_is_sent_as_the_author_wrote_it(value):
    assert answer_of(Careless, value) == {
        "price": 0,
        "color": "red",
        "home": "http://example.com",
        "tags": [],
        "name": "é",
    }
