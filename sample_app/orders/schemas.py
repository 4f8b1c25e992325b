"""What the orders' operations read and answer."""

from __future__ import annotations

import typing as t
from datetime import datetime
from enum import Enum

from pydantic import BaseModel, ConfigDict, Field

from ..fields import NO_NUL, DatabaseId, Line
from ..paging import Paging

#: ISO 3166.
Country = t.Annotated[str, Field(min_length=2, max_length=2, pattern="^[A-Z]{2}$")]

GiftNote = t.Annotated[str, Field(max_length=200, pattern=NO_NUL)]

#: What a client makes up for each order, and repeats when it repeats the request.
IdempotencyKey = t.Annotated[
    str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]{1,64}$")
]


class Status(str, Enum):
    """How far an order has come."""

    OPEN = "open"
    SHIPPED = "shipped"


class Address(BaseModel):
    """Where an order goes."""

    name: Line
    street: Line
    postcode: t.Annotated[str, Field(min_length=1, max_length=12, pattern=NO_NUL)]
    city: Line
    country: Country = Field(description="ISO 3166, two letters.")


class NewLine(BaseModel):
    """How many copies of which book to order."""

    book_id: DatabaseId
    quantity: int = Field(1, ge=1, le=99)


class NewOrder(BaseModel):
    """What to order. Lines for the same book are added up."""

    lines: list[NewLine] = Field(min_length=1, max_length=50)
    address: Address
    gift_note: GiftNote | None = None


class OrderChange(BaseModel):
    """What to change in an order: what is left out stays as it is."""

    address: Address | None = Field(None, description="`null` changes nothing.")
    gift_note: GiftNote | None = Field(None, description="`null` removes the note.")


class OrderLine(BaseModel):
    """One book of an order, at the price that it had then."""

    model_config = ConfigDict(from_attributes=True)

    book_id: int
    title: str
    quantity: int
    price_cents: int


class Order(BaseModel):
    """An order, as its customer sees it."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    status: Status
    placed_at: datetime
    address: Address
    gift_note: str | None
    lines: list[OrderLine]
    total_cents: int


class OrderFilter(Paging):
    """Which of one's orders to list."""

    status: Status | None = None
