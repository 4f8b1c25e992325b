"""The catalogue's questions to the database."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

from flask import abort
from sqlalchemy import ColumnElement, Engine, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from flask_signature import Depends

from ..database import db
from ..fields import DatabaseId
from . import schemas
from .tables import Author, Book, BookTag

#: The columns that lists of books can be sorted by.
SORT_COLUMNS: dict[str, InstrumentedAttribute[str] | InstrumentedAttribute[int]] = {
    "title": Book.title,
    "year": Book.year,
    "price": Book.price_cents,
}


def find_book(book_id: DatabaseId) -> Book:
    """The book, or 404."""
    book = db.session.get(Book, book_id)
    if book is None:
        abort(404, f"There is no book {book_id}.")
    return book


#: The book that the URL names.
TheBook = t.Annotated[Book, Depends(find_book, responses=[404])]


def find_author(author_id: DatabaseId) -> Author:
    """The author, or 404."""
    author = db.session.get(Author, author_id)
    if author is None:
        abort(404, f"There is no author {author_id}.")
    return author


#: The author whom the URL names.
TheAuthor = t.Annotated[Author, Depends(find_author, responses=[404])]


def select_books(filters: schemas.BookFilter) -> Select[t.Any]:
    """The statement that finds the books, in the order that is asked for."""
    column = SORT_COLUMNS[filters.sort.removeprefix("-")]
    order = column.desc() if filters.sort.startswith("-") else column.asc()
    # Books of the same year stay in one order, or paging would skip some.
    return select(Book).where(*book_conditions(filters)).order_by(order, Book.id)


def read_books(engine: Engine) -> Iterator[schemas.Book]:
    """The books in the order of their ids, without keeping them all in memory.

    They are read while they are sent. By then the request has ended and closed its
    database session, which is why they have one of their own.
    """
    statement = select(Book).order_by(Book.id).execution_options(yield_per=100)
    with Session(engine) as session:
        for book in session.scalars(statement):
            yield schemas.Book.model_validate(book)


def book_conditions(filters: schemas.BookFilter) -> Iterator[ColumnElement[bool]]:
    """The conditions for the filters that are set."""
    if filters.q is not None:
        yield Book.title.icontains(filters.q, autoescape=True)
    if filters.author_id is not None:
        yield Book.author_id == filters.author_id
    if filters.language is not None:
        yield Book.language == filters.language
    if filters.year_from is not None:
        yield Book.year >= filters.year_from
    if filters.year_to is not None:
        yield Book.year <= filters.year_to
    if filters.max_price_cents is not None:
        yield Book.price_cents <= filters.max_price_cents
    if filters.in_stock:
        yield Book.stock > 0
    for tag in filters.tag:
        yield Book.tag_rows.any(BookTag.name == tag)


def select_authors(filters: schemas.AuthorFilter) -> Select[t.Any]:
    """The statement that finds the authors, by name."""
    statement = select(Author).order_by(Author.name)
    if filters.q is None:
        return statement
    return statement.where(Author.name.icontains(filters.q, autoescape=True))


def count_tags() -> list[schemas.TagCount]:
    """Every tag, those of the most books first."""
    books = func.count()
    rows = db.session.execute(
        select(BookTag.name, books)
        .group_by(BookTag.name)
        .order_by(books.desc(), BookTag.name)
    )
    return [schemas.TagCount(name=name, books=number) for name, number in rows]
