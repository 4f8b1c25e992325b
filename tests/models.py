"""The models that several tests share."""

from __future__ import annotations

import typing as t
from enum import Enum

from pydantic import BaseModel, RootModel

T = t.TypeVar("T")


# What most views read and return.
class Item(BaseModel):
    name: str


# A generic model.
class Page(BaseModel, t.Generic[T]):
    items: list[T]
    total: int


# What a view returns when it fails.
class Problem(BaseModel):
    reason: str


# A second model beside an item.
class User(BaseModel):
    username: str


# An item of a stream.
class Tick(BaseModel):
    n: int


# The two members of a union that their ``kind`` tells apart.
class Cat(BaseModel):
    kind: t.Literal["cat"]


class Dog(BaseModel):
    kind: t.Literal["dog"]


class Names(RootModel[list[str]]): ...


class Color(Enum):
    RED = "red"
    BLUE = "blue"
