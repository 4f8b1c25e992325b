"""Books, their authors and their tags."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from ..database import Base


class Author(Base):
    """Somebody who wrote books. Years before the common era are negative."""

    __tablename__ = "authors"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    born: Mapped[int | None]
    died: Mapped[int | None]

    books: Mapped[list[Book]] = relationship(
        back_populates="author", order_by="Book.year, Book.id"
    )


class Book(Base):
    """A title that the shop sells, and how many copies it has."""

    __tablename__ = "books"
    __table_args__ = (UniqueConstraint("author_id", "title"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(200), index=True)
    author_id: Mapped[int] = mapped_column(ForeignKey(Author.id))
    year: Mapped[int] = mapped_column(index=True)
    language: Mapped[str] = mapped_column(String(3))
    price_cents: Mapped[int]
    stock: Mapped[int]

    author: Mapped[Author] = relationship(back_populates="books", lazy="joined")
    tag_rows: Mapped[list[BookTag]] = relationship(
        cascade="all, delete-orphan", lazy="selectin", order_by="BookTag.name"
    )

    @property
    def tags(self) -> list[str]:
        """The names of the book's tags, in alphabetical order."""
        return [row.name for row in self.tag_rows]


class BookTag(Base):
    """One tag of one book. A tag exists as long as a book has it."""

    __tablename__ = "book_tags"

    book_id: Mapped[int] = mapped_column(ForeignKey(Book.id), primary_key=True)
    name: Mapped[str] = mapped_column(String(30), primary_key=True, index=True)
