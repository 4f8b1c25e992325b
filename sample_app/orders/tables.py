"""Orders and their lines."""

from __future__ import annotations

import typing as t

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from ..catalogue.tables import Book
from ..database import Base, Moment, now
from ..session.tables import User


class Order(Base):
    """What a customer ordered, and where it goes."""

    __tablename__ = "orders"
    __table_args__ = (UniqueConstraint("user_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id))
    status: Mapped[str] = mapped_column(String(10), default="open")
    address: Mapped[dict[str, t.Any]] = mapped_column(JSON)
    gift_note: Mapped[str | None] = mapped_column(String(200))
    placed_at: Mapped[Moment] = mapped_column(default=now)
    idempotency_key: Mapped[str | None] = mapped_column(String(64))
    #: Of the request that placed the order, to tell a retry from another order.
    fingerprint: Mapped[str] = mapped_column(String(64))

    lines: Mapped[list[OrderLine]] = relationship(
        cascade="all, delete-orphan",
        passive_deletes=True,
        lazy="selectin",
        order_by="OrderLine.book_id",
    )

    @property
    def total_cents(self) -> int:
        """The price of all lines."""
        return sum(line.quantity * line.price_cents for line in self.lines)


class OrderLine(Base):
    """One book of an order, at the price that it had then."""

    __tablename__ = "order_lines"

    order_id: Mapped[int] = mapped_column(
        ForeignKey(Order.id, ondelete="CASCADE"), primary_key=True
    )
    book_id: Mapped[int] = mapped_column(ForeignKey(Book.id), primary_key=True)
    quantity: Mapped[int]
    price_cents: Mapped[int]

    book: Mapped[Book] = relationship(lazy="joined")

    @property
    def title(self) -> str:
        """The title of the book."""
        return self.book.title
