"""What the catalogue's operations read and answer."""

from __future__ import annotations

import typing as t

from pydantic import BaseModel, ConfigDict, Field

from ..fields import NO_NUL, Cents, DatabaseId, Line
from ..paging import Paging

#: Years before the common era are negative.
Year = t.Annotated[int, Field(ge=-3000, le=2100)]

#: ISO 639: two letters, or three where a language has no two.
Language = t.Annotated[str, Field(min_length=2, max_length=3, pattern="^[a-z]{2,3}$")]

Tag = t.Annotated[str, Field(min_length=1, max_length=30, pattern=NO_NUL)]

BookOrder: t.TypeAlias = t.Literal[
    "title", "-title", "year", "-year", "price", "-price"
]


class BookTitle(BaseModel):
    """A book, as one line of its author's works."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    title: str
    year: int


class AuthorName(BaseModel):
    """An author, as one line of a book."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    name: str


class BookSummary(BookTitle):
    """A book, as one item of a list."""

    author: AuthorName
    tags: list[str]
    price_cents: int


class Book(BookSummary):
    """A book, with all that the shop knows about it."""

    language: str
    stock: int = Field(description="The copies that can be ordered now.")


class Author(AuthorName):
    """An author, with all that the shop sells of theirs."""

    born: int | None
    died: int | None
    books: list[BookTitle]


class TagCount(BaseModel):
    """A tag, and how many books have it."""

    name: str
    books: int


class NewAuthor(BaseModel):
    """An author who is new to the shop."""

    name: Line
    born: Year | None = None
    died: Year | None = None


class NewBook(BaseModel):
    """A book that is new to the shop."""

    title: Line
    author_id: DatabaseId
    year: Year
    language: Language = "en"
    tags: set[Tag] = Field(set(), max_length=10)
    price_cents: Cents
    stock: int = Field(0, ge=0, le=10_000)


class BookFilter(Paging):
    """Which books to list, and in which order."""

    q: Line | None = Field(None, description="A part of the title.")
    author_id: DatabaseId | None = None
    tag: list[Tag] = Field([], max_length=5, description="All of which a book has.")
    language: Language | None = None
    year_from: Year | None = None
    year_to: Year | None = None
    max_price_cents: Cents | None = None
    in_stock: bool = Field(False, description="Only what can be ordered now.")
    sort: BookOrder = "title"


class AuthorFilter(Paging):
    """Which authors to list."""

    q: Line | None = Field(None, description="A part of the name.")
