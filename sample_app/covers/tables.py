"""Covers, one for each book at most."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from ..catalogue.tables import Book
from ..database import Base


class Cover(Base):
    """A picture. It lives in the database, where every worker and host finds it."""

    __tablename__ = "covers"

    book_id: Mapped[int] = mapped_column(ForeignKey(Book.id), primary_key=True)
    media_type: Mapped[str] = mapped_column(String(20))
    caption: Mapped[str] = mapped_column(String(200))
    size: Mapped[int]
    #: Read only where the picture itself is asked for.
    content: Mapped[bytes] = mapped_column(deferred=True)
