"""Placing, finding and withdrawing orders.

Each function leaves the commit to the view. A no-op ``UPDATE`` is how a row is locked
here: it works in every database, where ``FOR UPDATE`` is unknown to SQLite.
"""

from __future__ import annotations

import hashlib
import typing as t
from collections import Counter

from flask import abort
from sqlalchemy import Select, delete, select, update

from flask_signature import Depends

from ..catalogue.tables import Book
from ..database import db
from ..fields import DatabaseId
from ..session import CurrentUser
from . import schemas
from .tables import Order, OrderLine


def place_order(new: schemas.NewOrder, *, user_id: int, key: str | None) -> Order:
    """A new order, the copies taken from the stock; 404 or 409 where there are none.

    :raises sqlalchemy.exc.IntegrityError: if the user placed an order with this key.
    """
    order = Order(
        user_id=user_id,
        address=new.address.model_dump(),
        gift_note=new.gift_note,
        idempotency_key=key,
        fingerprint=fingerprint(new),
    )
    db.session.add(order)
    # First of all, so that a retry stops here and not at a stock that is used up.
    db.session.flush()
    order.lines = take_lines(new)
    db.session.flush()
    return order


def take_lines(new: schemas.NewOrder) -> list[OrderLine]:
    """The lines of a new order, their copies taken from the stock."""
    quantities: Counter[int] = Counter()
    for line in new.lines:
        quantities[line.book_id] += line.quantity
    # Every order locks its books in the same sequence: two can't wait for each other.
    return [take_copies(book_id, quantities[book_id]) for book_id in sorted(quantities)]


def take_copies(book_id: int, quantity: int) -> OrderLine:
    """A line for copies of a book, which are taken from the stock."""
    taken = db.session.scalar(
        update(Book)
        .where(Book.id == book_id, Book.stock >= quantity)
        .values(stock=Book.stock - quantity)
        .returning(Book.id)
    )
    book = db.session.get(Book, book_id)
    if book is None:
        abort(404, f"There is no book {book_id}.")
    if taken is None:
        abort(409, f"Too few copies of {book.title}: {book.stock} in stock.")
    return OrderLine(book=book, quantity=quantity, price_cents=book.price_cents)


def fingerprint(new: schemas.NewOrder) -> str:
    """What two requests for the same order have in common."""
    return hashlib.sha256(new.model_dump_json().encode()).hexdigest()


def find_by_key(user_id: int, key: str | None) -> Order | None:
    """The order that the user has placed with this key."""
    if key is None:
        return None
    statement = select(Order).filter_by(user_id=user_id, idempotency_key=key)
    return db.session.scalar(statement)


def find_order(order_id: DatabaseId, user: CurrentUser) -> Order:
    """The order, or 404 where the user has no such order."""
    statement = select(Order).filter_by(id=order_id, user_id=user.id)
    order = db.session.scalar(statement)
    if order is None:
        abort(404, f"You have no order {order_id}.")
    return order


#: The order of the user that the URL names.
TheOrder = t.Annotated[Order, Depends(find_order, responses=[404])]


def lock_open_order(order_id: int) -> bool:
    """Whether the order is open, and then nobody else changes it until the commit."""
    statement = (
        update(Order)
        .where(Order.id == order_id, Order.status == schemas.Status.OPEN.value)
        .values(status=Order.status)
        .returning(Order.id)
    )
    return db.session.scalar(statement) is not None


def find_open_order(order_id: DatabaseId, user: CurrentUser) -> Order:
    """The order, locked; 404 where the user has none, 409 where it is shipped."""
    is_open = lock_open_order(order_id)
    order = find_order(order_id, user)
    if not is_open:
        abort(409, f"Order {order_id} is shipped, and can't be changed any more.")
    return order


#: The same where it can still be changed.
OpenOrder = t.Annotated[Order, Depends(find_open_order, responses=[404, 409])]


def find_order_to_ship(order_id: DatabaseId) -> Order:
    """Anybody's order, locked; 404 where there is none, 409 where it is shipped."""
    is_open = lock_open_order(order_id)
    order = db.session.get(Order, order_id)
    if order is None:
        abort(404, f"There is no order {order_id}.")
    if not is_open:
        abort(409, f"Order {order_id} is shipped already.")
    return order


#: The order that the URL names, whoever the customer is, to be shipped.
OrderToShip = t.Annotated[Order, Depends(find_order_to_ship, responses=[404, 409])]


def withdraw_order(order: Order) -> None:
    """Remove the order, and put its copies back into the stock."""
    for line in order.lines:
        db.session.execute(
            update(Book)
            .where(Book.id == line.book_id)
            .values(stock=Book.stock + line.quantity)
        )
    db.session.execute(delete(Order).where(Order.id == order.id))


def select_orders(user_id: int, filters: schemas.OrderFilter) -> Select[t.Any]:
    """The statement that finds the user's orders, the newest first."""
    statement = select(Order).filter_by(user_id=user_id).order_by(Order.id.desc())
    if filters.status is None:
        return statement
    return statement.where(Order.status == filters.status.value)
