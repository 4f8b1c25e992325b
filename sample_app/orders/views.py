"""Orders. The blueprint answers 401 to whoever is unknown to the shop."""

from __future__ import annotations

import typing as t

from flask import abort, url_for
from sqlalchemy.exc import IntegrityError

from flask_signature import Blueprint, Header, Query

from ..database import db
from ..fields import Located
from ..paging import Page, read_page
from ..session import STAFF, USER, CurrentUser
from . import ordering, schemas, tables

bp = Blueprint("orders", __name__, url_prefix="/orders", tags=["Orders"], security=USER)

#: An order that was placed now, or by an earlier request of the same key.
Placed: t.TypeAlias = tuple[schemas.Order, t.Literal[200, 201], Located]


@bp.get("")
def list_orders(
    filters: t.Annotated[schemas.OrderFilter, Query()], user: CurrentUser
) -> Page[schemas.Order]:
    """List one's orders, the newest first, a page at a time."""
    statement = ordering.select_orders(user.id, filters)
    return read_page(statement, filters, Page[schemas.Order])


@bp.post("", responses=[404, 409])
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


def answer_order(order: tables.Order, status: t.Literal[200, 201]) -> Placed:
    """The order with its status and its place."""
    location = url_for(".show_order", order_id=order.id)
    return schemas.Order.model_validate(order), status, {"location": location}


@bp.get("/<int:order_id>", response_model=schemas.Order)
def show_order(order: ordering.TheOrder) -> tables.Order:
    """Show an order of one's own."""
    return order


@bp.patch("/<int:order_id>", response_model=schemas.Order)
def change_order(
    order: ordering.OpenOrder, change: schemas.OrderChange
) -> tables.Order:
    """Change where an open order goes, or the note that goes with it."""
    if change.address is not None:
        order.address = change.address.model_dump()
    if "gift_note" in change.model_fields_set:
        order.gift_note = change.gift_note
    db.session.commit()
    return order


@bp.delete("/<int:order_id>")
def withdraw_order(order: ordering.OpenOrder) -> None:
    """Withdraw an open order."""
    ordering.withdraw_order(order)
    db.session.commit()


@bp.post("/<int:order_id>/shipment", security=STAFF)
def ship_order(order: ordering.OrderToShip) -> tuple[None, t.Literal[204]]:
    """Ship an open order, of whichever customer."""
    order.status = schemas.Status.SHIPPED.value
    db.session.commit()
    return None, 204
