"""What the applications of the comparison read, return and know."""

from __future__ import annotations

import typing as t

from pydantic import BaseModel, Field


class Item(BaseModel):
    """What every application reads and sends."""

    name: str = Field(min_length=1)
    price: float = Field(gt=0)


class Problem(BaseModel):
    """What is sent with a status of its own."""

    message: str


class Paged(BaseModel):
    """The query, where it is read into a model."""

    page: int


class Noted(BaseModel):
    """The form, where it is read into a model."""

    n: int


class Stored(Item):
    """An item with a field that no client may see."""

    secret: str = "s-57c1e0a9"


SECRET: t.Final = "s-57c1e0a9"
TOKEN: t.Final = "t-f3a9c1d2e4"
EXTRA: t.Final[t.Any] = {"name": "Chair", "price": 2.5, "secret": SECRET}
WRONG: t.Final[t.Any] = {"name": "Chair", "price": -1}
GONE: t.Final[t.Any] = {"message": "No such item", "secret": SECRET}


def find_user(token: str) -> str | None:
    """The name behind a token."""
    return "Ada" if token == TOKEN else None
