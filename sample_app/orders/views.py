"""Orders. The blueprint answers 401 to whoever is unknown to the shop."""

from __future__ import annotations

import typing as t

from flask import abort
from flask import url_for
from sqlalchemy.exc import IntegrityError

from flask_signature import Blueprint
from flask_signature import Header
from flask_signature import Query

from ..database import db
from ..fields import DatabaseId
from ..fields import Problem
from ..paging import Page
from ..paging import read_page
from ..session import STAFF
from ..session import USER
from ..session import CurrentUser
from . import ordering
from . import schemas
from . import tables

bp = Blueprint("orders", __name__, url_prefix="/orders", tags=["Orders"], security=USER)

#: An order with its status, and a ``Location`` header.
Placed: t.TypeAlias = tuple[tables.Order, int, dict[str, str]]


@bp.get("")
def list_orders(
    filters: t.Annotated[schemas.OrderFilter, Query()], user: CurrentUser
) -> Page[schemas.Order]:
    """List one's orders, the newest first, a page at a time."""
    statement = ordering.select_orders(user.id, filters)
    return read_page(statement, filters, Page[schemas.Order])


@bp.post(
    "",
    response_model=schemas.Order,
    responses={200: schemas.Order, 404: Problem, 409: Problem},
)
def place_order(
    order: schemas.NewOrder,
    user: CurrentUser,
    idempotency_key: t.Annotated[schemas.IdempotencyKey | None, Header()] = None,
) -> Placed:
    """Place an order.

    A client that got no answer may repeat the request with the same `Idempotency-Key`.
    It is answered 200 and the order that the first request placed.
    """
    earlier = ordering.find_by_key(user.id, idempotency_key)
    if earlier is not None:
        return repeat_answer(earlier, order)
    try:
        row = ordering.place_order(order, user_id=user.id, key=idempotency_key)
        db.session.commit()
    except IntegrityError:
        # The same request came in twice at once, and the other one was faster.
        db.session.rollback()
        return repeat_answer(ordering.find_by_key(user.id, idempotency_key), order)
    return answer_order(row, 201)


def repeat_answer(earlier: tables.Order | None, order: schemas.NewOrder) -> Placed:
    """The answer to a request whose idempotency key was used before."""
    if earlier is None:
        abort(409, "An order with this Idempotency-Key was just withdrawn.")
    if earlier.fingerprint != ordering.fingerprint(order):
        abort(409, "This Idempotency-Key belongs to another order.")
    return answer_order(earlier, 200)


def answer_order(order: tables.Order, status: int) -> Placed:
    """The order with its status and its place."""
    return order, status, {"Location": url_for(".show_order", order_id=order.id)}


@bp.get("/<int:order_id>", response_model=schemas.Order, responses={404: Problem})
def show_order(order_id: DatabaseId, user: CurrentUser) -> tables.Order:
    """Show an order of one's own."""
    return ordering.find_order(order_id, user_id=user.id)


@bp.patch(
    "/<int:order_id>",
    response_model=schemas.Order,
    responses={404: Problem, 409: Problem},
)
def change_order(
    order_id: DatabaseId, change: schemas.OrderChange, user: CurrentUser
) -> tables.Order:
    """Change where an open order goes, or the note that goes with it."""
    order = ordering.find_open_order(order_id, user_id=user.id)
    if change.address is not None:
        order.address = change.address.model_dump()
    if "gift_note" in change.model_fields_set:
        order.gift_note = change.gift_note
    db.session.commit()
    return order


@bp.delete("/<int:order_id>", responses={404: Problem, 409: Problem})
def withdraw_order(order_id: DatabaseId, user: CurrentUser) -> None:
    """Withdraw an open order."""
    order = ordering.find_open_order(order_id, user_id=user.id)
    ordering.withdraw_order(order)
    db.session.commit()


@bp.post(
    "/<int:order_id>/shipment",
    status_code=204,
    responses={404: Problem, 409: Problem},
    security=STAFF,
)
def ship_order(order_id: DatabaseId) -> None:
    """Ship an open order, of whichever customer."""
    is_open = ordering.lock_open_order(order_id)
    order = db.session.get(tables.Order, order_id)
    if order is None:
        abort(404, f"There is no order {order_id}.")
    if not is_open:
        abort(409, f"Order {order_id} is shipped already.")
    order.status = schemas.Status.SHIPPED.value
    db.session.commit()
