"""Defaults: each request gets its own of what could be changed."""

import dataclasses
import datetime
import decimal
import enum
import pathlib
import re
import threading
import typing as t
import uuid
from collections import namedtuple

import pytest
from client import client_of, taking
from document import operation
from pydantic import BaseModel, Field

from flask_signature import Body, Cookie, Form, Header, Query


class Basket:
    """A class of an author's own, which has a hash as any class has."""

    def __init__(self, *items: t.Any) -> None:
        self.items = list(items)


class Slotted:
    __slots__ = ("items",)

    def __init__(self, *items: t.Any) -> None:
        self.items = list(items)


@dataclasses.dataclass(eq=False)
class Changeable:
    items: list[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Holder:
    items: list[int] = dataclasses.field(default_factory=list, hash=False)


class FrozenModel(BaseModel, frozen=True, arbitrary_types_allowed=True):
    basket: t.Any = None


Pair = namedtuple("Pair", "left right")


def defaults_of(annotation: t.Any, default: t.Any, method: str = "GET") -> t.Any:
    """What a view is given by two requests that say nothing."""
    given: list[t.Any] = []
    client = client_of(taking(annotation, default, given=given), "/", method)
    for _ in range(2):
        assert client.open("/", method=method).status_code < 300
    return given


MUTABLE = [
    *([1], {1}, {"a": [1]}, iter([1, 2])),
    *(Basket(1), Slotted(1), Changeable([1]), Holder([1])),
    *(FrozenModel(basket=Basket(1)), (1, Basket(2)), frozenset([Basket(1)])),
    Pair(1, Basket(2)),
]


@pytest.mark.parametrize("default", MUTABLE, ids=lambda item: type(item).__name__)
def test_what_has_a_hash_and_can_be_changed_is_not_shared(default):
    one, two = defaults_of(t.Annotated[t.Any, Query()], default)

    assert type(one) is type(two) is type(default)
    assert one is not default
    assert two is not default
    assert one is not two


PLACES = {
    "query": (t.Any, Query(Basket(1))),
    "header": (t.Any, Header(Basket(1))),
    "cookie": (t.Any, Cookie(Basket(1))),
    "form": (t.Any, Form(Basket(1))),
    "body": (t.Any, Body(Basket(1))),
    "key-of-a-body": (t.Any, Body(Basket(1), embed=True)),
    "after-annotated": (t.Annotated[t.Any, Query()], Basket(1)),
    "in-annotated": (t.Annotated[t.Any, Query(Basket(1))], ...),
    "field-in-annotated": (t.Annotated[t.Any, Field(default=Basket(1))], ...),
    "raw-body": (bytes, Body(Basket(1))),
}


@pytest.mark.parametrize(("annotation", "default"), PLACES.values(), ids=PLACES)
def test_it_is_not_shared_wherever_it_is_written(annotation, default):
    for _ in range(2):
        for basket in defaults_of(annotation, default, "POST"):
            assert basket.items == [1]
            basket.items.append(2)


class Color(enum.Enum):
    RED = 1


class Unset:
    """What says that nothing was given, and is compared with ``is``."""


IMMUTABLE = [
    *(1, "a", None, len, Color.RED, Unset(), object()),
    *((1, ("a", None)), frozenset([1]), Pair(1, 2), FrozenModel(basket=(1, 2))),
    *(decimal.Decimal(1), datetime.date(2020, 1, 1), datetime.timezone.utc),
    *(uuid.UUID(int=1), pathlib.PurePath("a"), re.compile("a")),
    *(threading.Lock(), [threading.Lock()], {"lock": threading.Lock()}),
]


@pytest.mark.parametrize("default", IMMUTABLE, ids=lambda item: type(item).__name__)
def test_what_can_not_be_changed_or_copied_is_given_as_it_is(default):
    one, two = defaults_of(t.Any, Query(default))

    assert one is two is default


def test_it_is_described_as_any_default(app):
    class Point(BaseModel, frozen=True):
        x: int = 0
        extra: t.Any = Field(None, exclude=True)

    app.post("/")(taking(Point, Point(x=1, extra=Basket())))
    body = operation(app, "POST /")["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert schema["default"] == {"x": 1}
