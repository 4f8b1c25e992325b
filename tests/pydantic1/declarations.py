"""What the annotations of the cases name, declared alike under either Pydantic."""

# No "from __future__ import annotations": Pydantic 1 would look for the names of a
# NamedTuple or a TypedDict in the wrong place.

import collections
import datetime
import enum
import ipaddress
import json
import pathlib
import typing as t
import uuid
from dataclasses import dataclass
from decimal import Decimal

import pydantic
import typing_extensions as te
from pydantic import BaseModel, Field
from pydantic.color import Color
from pydantic.types import PaymentCardNumber

if pydantic.VERSION.startswith("1."):
    from pydantic import validator
else:
    from pydantic import field_validator as validator

#: What the annotations name beside the classes below.
NAMES = (
    Color,
    Decimal,
    Field,
    PaymentCardNumber,
    collections,
    datetime,
    enum,
    ipaddress,
    pathlib,
    uuid,
)


class Letter(enum.Enum):
    A = "a"
    ODD = "it's, or"
    ONE = 1


class Level(enum.IntEnum):
    LOW = 1
    HIGH = -2


class Point(t.NamedTuple):
    x: int
    y: int = 0


class Movie(te.TypedDict):
    year: int


@dataclass
class Parcel:
    weight: int


class Item(BaseModel):
    size: int
    note: t.Optional[str] = None


class Closed(BaseModel, extra="forbid"):
    size: int


class Cat(BaseModel):
    kind: te.Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: te.Literal["dog"]
    tail: int


class Foreign:
    """A class that Pydantic does not know."""


class Keeper(BaseModel, arbitrary_types_allowed=True):
    pet: Foreign


class TooSmallError(ValueError): ...


class Coded(ValueError):
    code = "by_code"


class Telling(ValueError):
    def __init__(self, value):
        super().__init__("it tells")
        self.value = value


RAISED = {
    "subclass": TooSmallError("too small"),
    "code": Coded("with a type"),
    "attributes": Telling("attributes"),
    "arguments": ValueError("a", "b"),
    "nothing": ValueError(),
    "braces": ValueError("too {odd}"),
}


def fail(how):
    """Raise what the validator of an author may raise."""
    assert how != "assertion", "not asserted"
    if how == "json":
        json.loads("{")
    raise RAISED.get(how, ValueError(""))


class Judged(BaseModel):
    how: str

    @validator("how")
    @classmethod
    def judge(cls, how):
        fail(how)
        return how
