"""Reviews, one for each book and customer at most."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from ..catalogue.tables import Book
from ..database import Base, Moment, now
from ..session.tables import User


class Review(Base):
    """A customer's opinion of a book."""

    __tablename__ = "reviews"
    __table_args__ = (UniqueConstraint("book_id", "user_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    book_id: Mapped[int] = mapped_column(ForeignKey(Book.id))
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id))
    rating: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    written_at: Mapped[Moment] = mapped_column(default=now)

    user: Mapped[User] = relationship(lazy="joined")

    @property
    def reviewer(self) -> str:
        """The name of the customer."""
        return self.user.username
