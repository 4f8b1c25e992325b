"""What a response model makes of what a view returns."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import typing as t
from decimal import Decimal

import pytest
from client import client_of
from flask import Response
from flask import typing as ft
from models import Cat, Color, Dog, Names, Page
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    Json,
    computed_field,
    field_serializer,
)
from returned import cases, returning, view_of
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from typing_extensions import TypedDict

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


class Square(BaseModel):
    side: int

    @computed_field
    @property
    def perimeter(self) -> int:
        return 4 * self.side


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
    pages: int


class Pair(t.NamedTuple):
    left: int
    right: str


class Base(DeclarativeBase): ...


class Row(Base):
    __tablename__ = "user"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    password_hash: Mapped[str]


def answer_of(model: t.Any, value: t.Any, **options: t.Any) -> t.Any:
    """The JSON that a view with a response model answers for a value."""
    response = returning(model, value, **options)
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
    response = returning(list[UserOut], [Account(name="a"), Account(name="b")])
    assert response.status_code == 200
    assert response.data == b'[{"name":"a"},{"name":"b"}]'


def test_row_66_a_response_passes_untouched():
    headers = {"X-A": "b"}
    value = Response('{"x": 1}', status=202, mimetype="text/x-own", headers=headers)
    response = returning(..., value, response_model=UserOut)

    assert (response.status_code, response.data) == (202, b'{"x": 1}')
    assert response.content_type == "text/x-own; charset=utf-8"
    assert response.headers["X-A"] == "b"


def test_row_67_response_model_none_turns_the_annotation_off():
    value = {"name": "a", "password": "p"}
    response = returning(UserOut, value, response_model=None)
    assert response.status_code == 200
    assert response.data == b'{"name":"a","password":"p"}\n'


def test_row_68_exclude_unset_sends_what_was_set():
    line = Line(sku="abc", price=0)
    found = answer_of(Line, line, response_model_exclude_unset=True)
    assert found == {"sku": "abc", "price": 0.0}


#: What is sent of a user.
A = {"name": "a"}
BOTH = {"name": "a", "password": "p"}
PET = t.Annotated[Cat | Dog, Field(discriminator="kind")]
DOG = {"kind": "dog"}
MODELS = {
    **{
        f"made-of-{name}": (UserOut, value, A)
        for name, value in {
            "dict": A,
            "dict-with-more": BOTH,
            "instance": UserOut(name="a"),
            "subclass": Account(name="a"),
            "another-model": UserIn(**BOTH),
            "row": Row(id=1, name="a", password_hash="p"),
            "dataclass": dataclasses.make_dataclass("User", [*BOTH])(**BOTH),
            "object": type("User", (), BOTH)(),
        }.items()
    },
    "defaults-are-filled": (
        *(Line, {"sku": "a"}),
        {"sku": "a", "quantity": 1, "price": 0.0},
    ),
    "types-are-coerced": (
        *(Line, {"sku": "a", "quantity": "2", "price": 3}),
        {"sku": "a", "quantity": 2, "price": 3.0},
    ),
    "list": (list[UserOut], [{"name": "a"}, UserOut(name="b")], [A, {"name": "b"}]),
    "dict": (dict[str, UserOut], {"x": Account(name="a")}, {"x": A}),
    "set": (set[int], {1}, [1]),
    "tuple": (tuple[int, str], (1, "a"), [1, "a"]),
    "tuple-of-many": (tuple[int, ...], [1, 2, 3], [1, 2, 3]),
    "generator": (list[int], iter((1, 2)), [1, 2]),
    "sequence": (t.Sequence[UserOut], [Account(name="a")], [A]),
    "optional-value": (UserOut | None, A, A),
    "optional-none": (UserOut | None, None, None),
    "union-first": (Cat | Dog, {"kind": "cat", "lives": 9}, {"kind": "cat"}),
    "union-second": (Cat | Dog, Dog(kind="dog"), DOG),
    "union-by-discriminator": (PET, DOG, DOG),
    "union-with-response": (UserOut | Response, A, A),
    "discriminator-beside-response": (PET | Response, DOG, DOG),
    "generic": (
        *(Page[UserOut], {"items": [Account(name="a")], "total": "1"}),
        {"items": [A], "total": 1},
    ),
    "dataclass": (Point, Point(1), {"x": 1, "y": 0}),
    "dataclass-from-dict": (Point, {"x": "1", "z": 2}, {"x": 1, "y": 0}),
    "typed-dict": (Entry, {"pages": "1", "z": 2}, {"pages": 1}),
    "named-tuple": (Pair, Pair(1, "a"), [1, "a"]),
    "root-model": (Names, ["a"], ["a"]),
    "root-model-instance": (Names, Names(["a"]), ["a"]),
    "json": (Json[list[int]], "[1, 2]", [1, 2]),
    "computed-field": (Square, {"side": 3}, {"side": 3, "perimeter": 12}),
    "serializer": (Priced, {"price": "1.50"}, {"price": "1.50 €"}),
    "alias": (Aliased, {"full_name": "a"}, {"fullName": "a"}),
    "int": (int, "5", 5),
    "bool": (bool, True, True),
    "enum": (Color, Color.RED, "red"),
    "date": (datetime.date, datetime.date(2020, 2, 29), "2020-02-29"),
    "list-of-dicts": (list[dict[str, int]], [{"a": 1}], [{"a": 1}]),
}


@cases("model value expected", MODELS)
def test_model_answers(model, value, expected):
    assert answer_of(model, value) == expected


def test_text_of_a_response_model_is_json():
    assert returning(..., "a", response_model=str).data == b'"a"'


def test_response_model_wins_over_the_annotation():
    assert answer_of(Account, Account(name="a"), response_model=UserOut) == A


NOON = {"z": "é", "a": datetime.datetime(2020, 2, 29, 12)}


def test_answer_by_a_model_is_pydantics_json():
    response = returning(dict[str, datetime.datetime | str], NOON)
    assert response.data == '{"z":"é","a":"2020-02-29T12:00:00"}'.encode()


def test_dict_without_a_model_is_flasks_json():
    expected = b'{"a":"Sat, 29 Feb 2020 12:00:00 GMT","z":"\\u00e9"}\n'
    assert returning(..., NOON).data == expected


HTML = "text/html; charset=utf-8"
JSON = "application/json"
FLASKS_OWN = {
    "str": (str, "a", HTML, b"a"),
    "bytes": (bytes, b"a", HTML, b"a"),
    "dict": (dict, {"a": 1}, JSON, b'{"a":1}\n'),
    "dict-of-anything": (dict[str, t.Any], {"a": 1}, JSON, b'{"a":1}\n'),
    "list": (list, [1], JSON, b"[1]\n"),
    "any": (t.Any, [1], JSON, b"[1]\n"),
    "response": (Response, Response("a"), HTML, b"a"),
    "iterator": (t.Iterator[str], iter(["a", "b"]), HTML, b"ab"),
    "text-with-status": (tuple[str, int], ("a", 200), HTML, b"a"),
    "text-and-response": (str | Response, "a", HTML, b"a"),
    "text-beside-a-model": (UserOut | str, "none", HTML, b"none"),
    "stream-beside-a-model": (UserOut | t.Iterator[str], iter("ab"), HTML, b"ab"),
    "none": (None, None, HTML, b""),
    "value-of-flask": (ft.ResponseValue, {"z": 1, "a": 2}, JSON, b'{"a":2,"z":1}\n'),
    "alias-of-flask": (ft.ResponseReturnValue, {"z": 1}, JSON, b'{"z":1}\n'),
}


@cases("annotation value content_type body", FLASKS_OWN)
def test_flask_sends_as_it_is(annotation, value, content_type, body):
    # The iterator of the table would be used up for who runs the tests again.
    response = returning(annotation, copy.copy(value))
    assert (response.status_code, response.data) == (200, body)
    assert response.content_type == content_type


def test_alias_of_flask_is_no_model_in_a_module_that_imports_nothing_else():
    source = """
from flask.typing import ResponseReturnValue
def show() -> ResponseReturnValue:
    return {"z": 1, "a": 2}
"""
    module: dict[str, t.Any] = {"__name__": "elsewhere"}
    exec(source, module)

    assert client_of(module["show"]).get("/").data == b'{"a":2,"z":1}\n'


def test_view_that_needs_nothing_is_flasks_own(app):
    view = view_of(dict[str, t.Any], {})
    app.get("/")(view)
    assert app.view_functions["show"] is view


def test_options_of_the_serializer():
    aliased = Aliased(full_name="a")
    found = answer_of(Aliased, aliased, response_model_by_alias=False)
    assert found == {"full_name": "a"}


OPTIONS = {
    "exclude_defaults": (True, {"sku": "a", "quantity": 2}),
    "exclude_unset": (True, {"sku": "a", "quantity": 2, "price": 0.0}),
    "include": ({"sku"}, {"sku": "a"}),
    "exclude": ({"price", "note"}, {"sku": "a", "quantity": 2}),
    "exclude_none": (True, {"sku": "a", "quantity": 2, "price": 0.0}),
}


class Noted(Line):
    note: str | None = None


NOTED = {"sku": "a", "quantity": 2, "price": 0.0}


@pytest.mark.parametrize("value", [NOTED, Noted(**NOTED)], ids=["dict", "instance"])
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
