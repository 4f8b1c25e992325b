"""The shop that every contender publishes: its models, its stock, its answers.

A contender reads the request, calls one of these functions and sends what it returns,
so that two contenders differ in nothing but how they read and how they send.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping

from pydantic import BaseModel, Field, create_model

GREETING = "Hello, World!"

# For the two applications that keep sessions, or send back the number of a request.
SECRET_KEY = "2b7e151628aed2a6abf7158809cf4f3c"
ID_HEADER = "X-Request-Id"


class Visit(BaseModel):
    """Six scalars of one request, for whoever reads them with one model."""

    user_id: int = Field(ge=1)
    page: int = Field(1, ge=1)
    size: int = Field(20, ge=1, le=100)
    q: str = Field(min_length=1, max_length=50)
    x_token: str = Field(min_length=8)
    session: str = Field(min_length=8)


class Search(BaseModel):
    """A query string."""

    q: str = Field(min_length=1, max_length=50)
    page: int = Field(1, ge=1)
    size: int = Field(20, ge=1, le=100)
    order: t.Literal["name", "price"] = "name"
    in_stock: bool = False


class ItemIn(BaseModel):
    """A small JSON body."""

    name: str = Field(min_length=1, max_length=80)
    price: float = Field(gt=0)
    quantity: int = Field(ge=0)
    tags: list[str] = Field(default=[], max_length=10)


class Item(ItemIn):
    """What is said about an item: ``supplier``, which every row holds, is not."""

    id: int


class Line(BaseModel):
    """One line of an order."""

    sku: str = Field(min_length=3, max_length=20)
    quantity: int = Field(ge=1)
    price: float = Field(ge=0)
    gift: bool = False


class Order(BaseModel):
    """A JSON body of 60 KB."""

    customer: str = Field(min_length=1)
    lines: list[Line] = Field(min_length=1)


class Note(BaseModel):
    """A form."""

    title: str = Field(min_length=1, max_length=80)
    pages: int = Field(ge=1)
    price: float = Field(gt=0)
    public: bool = False


def stock(n: int) -> dict[str, t.Any]:
    """Row ``n`` of the stock, with the supplier that no answer may show."""
    return {
        "id": n,
        "name": f"Chair {n}",
        "price": n + 0.5,
        "quantity": n % 7,
        "tags": ["wood", "new"],
        "supplier": "a secret",
    }


ROWS = [stock(n) for n in range(1, 201)]
ITEMS = [Item.model_validate(row) for row in ROWS]


def show_visit(
    user_id: int, page: int, size: int, q: str, x_token: str, session: str
) -> dict[str, t.Any]:
    """The six scalars as they were understood."""
    return {
        "user_id": user_id,
        "page": page,
        "size": size,
        "q": q,
        "x_token": x_token,
        "session": session,
    }


def show_search(search: Search) -> dict[str, t.Any]:
    """The query as it was understood."""
    return {
        "q": search.q,
        "page": search.page,
        "size": search.size,
        "order": search.order,
        "in_stock": search.in_stock,
    }


def add_item(item: ItemIn) -> dict[str, t.Any]:
    """The row of a new item; the answer is an :class:`Item` made of it."""
    return {
        "id": 1,
        "name": item.name,
        "price": item.price,
        "quantity": item.quantity,
        "tags": item.tags,
        "supplier": "a secret",
    }


def add_order(order: Order) -> dict[str, t.Any]:
    """What an order comes to."""
    return {
        "customer": order.customer,
        "lines": len(order.lines),
        "last": order.lines[-1].sku,
    }


def show_note(note: Note) -> dict[str, t.Any]:
    """The form as it was understood."""
    return {
        "title": note.title,
        "pages": note.pages,
        "price": note.price,
        "public": note.public,
    }


def show_upload(filename: str | None, content: bytes) -> dict[str, t.Any]:
    """The name and the length of an uploaded file."""
    return {"filename": filename, "size": len(content)}


class Session:
    """Stands for the session of a database, and knows how many are open."""

    opened: t.ClassVar = 0

    def __init__(self) -> None:
        Session.opened += 1

    def commit(self) -> None:
        """Stands for the end of a transaction."""

    def close(self) -> None:
        """Close it."""
        Session.opened -= 1


def open_session() -> Iterator[Session]:
    """A session that is committed after what has used it, and always closed."""
    session = Session()
    try:
        yield session
        session.commit()
    finally:
        session.close()


KEYS = {"k-57c1e0a9"}
USERS = {"t-f3a9c1d2e4": "Ada"}
RATES = {"DE": 1.19, "FR": 1.2}


def is_known_key(key: str) -> bool:
    """Whether somebody has that key."""
    return key in KEYS


def find_user(token: str) -> str | None:
    """Whose token it is."""
    return USERS.get(token)


def find_rates() -> dict[str, float]:
    """The rates of all regions."""
    return RATES


def choose_rate(region: str, rates: Mapping[str, float]) -> float:
    """The rate of a region."""
    return rates.get(region, 1.0)


def show_page(item_id: int, page: int, **found: t.Any) -> dict[str, t.Any]:
    """A page of what belongs to an item, and what was found out before."""
    return {"item_id": item_id, "page": page, **found}


def show_place(shop_id: int, shelf_id: int, item_id: int) -> dict[str, t.Any]:
    """The three variables of a nested URL."""
    return {"shop_id": shop_id, "shelf_id": shelf_id, "item_id": item_id}


class Page(BaseModel):
    """The query of the start-up, for whoever reads a query with a model."""

    page: int = Field(1, ge=1)


def define_models(n: int) -> tuple[type[BaseModel], type[BaseModel]]:
    """Two new models, ``ThingIn`` and ``Thing`` of number ``n``, for the start-up."""
    fields: dict[str, t.Any] = {"name": (str, ...), "price": (float, Field(gt=0))}
    inbound = create_model(f"ThingIn{n}", **fields)
    outbound = create_model(f"Thing{n}", id=(int, ...), **fields)
    return inbound, outbound
