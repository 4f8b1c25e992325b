"""The models that several tests share."""

from __future__ import annotations

import dataclasses
import typing as t
from enum import Enum

from pydantic import BaseModel, Field, RootModel
from typing_extensions import TypeAliasType, TypedDict

try:
    from pydantic import MISSING as MISSING
except ImportError:
    # Pydantic before 2.14.
    from pydantic.experimental.missing_sentinel import MISSING as MISSING

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


def containers_of(tp: t.Any) -> dict[str, t.Any]:
    """A type in all that may hold a value of it, called ``value`` in a model."""

    class Model(BaseModel):
        value: tp

    class Models(BaseModel):
        models: dict[str, list[Model]]
        more: Models | None = None

    class First(Model):
        kind: t.Literal["first"]

    class Second(BaseModel):
        kind: t.Literal["second"]

    return {
        "alone": tp,
        "optional": tp | None,
        "alias": TypeAliasType("Alias", tp),  # type: ignore[misc]
        "root-model": RootModel[tp],
        "list": list[tp],
        "dict": dict[str, tp],
        "model": Model,
        "models": Models,
        "dataclass": dataclasses.make_dataclass("Row", [("value", tp)]),
        "typed-dict": TypedDict("Entry", {"value": tp}),  # type: ignore[misc]
        "named-tuple": t.NamedTuple("Pair", [("value", tp)]),  # type: ignore[misc]
        "union": First | Second,
        "tagged-union": t.Annotated[First | Second, Field(discriminator="kind")],
    }
