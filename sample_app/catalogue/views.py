"""The catalogue: everybody reads it, the staff adds to it."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

from flask import url_for

from flask_signature import Blueprint, Query
from flask_signature.errors import HTTPErrorMessage

from ..database import Conflict, commit_or_conflict, db
from ..fields import Located
from ..paging import Page, read_page
from ..session import STAFF
from . import queries, schemas, tables

bp = Blueprint("catalogue", __name__, tags=["Catalogue"])


@bp.get("/books")
def list_books(
    filters: t.Annotated[schemas.BookFilter, Query()],
) -> Page[schemas.BookSummary]:
    """List the books, filtered and sorted, a page at a time.

    Every filter narrows the list. Repeat `tag` to ask for books that have several.
    """
    return read_page(queries.select_books(filters), filters, Page[schemas.BookSummary])


@bp.post("/books", security=STAFF)
def add_book(
    book: schemas.NewBook,
) -> (
    tuple[schemas.Book, t.Literal[201], Located]
    | tuple[HTTPErrorMessage, t.Literal[404, 409]]
):
    """Add a book to the catalogue."""
    author = db.session.get(tables.Author, book.author_id)
    if author is None:
        problem = f"There is no author {book.author_id}."
        return HTTPErrorMessage(message=problem), 404
    columns = book.model_dump(exclude={"tags", "author_id"})
    row = tables.Book(**columns, author=author)
    row.tag_rows = [tables.BookTag(name=name) for name in sorted(book.tags)]
    db.session.add(row)
    if conflict := commit_or_conflict("The shop has this book of this author already."):
        return conflict
    location = url_for(".show_book", book_id=row.id)
    return schemas.Book.model_validate(row), 201, {"location": location}


@bp.get("/books/export", media_type="application/jsonl")
def export_books() -> Iterator[schemas.Book]:
    """Export the whole catalogue, a book to a line."""
    return queries.read_books(db.engine)


# Who has shown the book before asks whether it has changed, and often gets a 304.
@bp.get("/books/<int:book_id>", response_model=schemas.Book, etag=True)
def show_book(book: queries.TheBook) -> tables.Book:
    """Show a book."""
    return book


@bp.get("/authors")
def list_authors(
    filters: t.Annotated[schemas.AuthorFilter, Query()],
) -> Page[schemas.AuthorName]:
    """List the authors by name, a page at a time."""
    return read_page(queries.select_authors(filters), filters, Page[schemas.AuthorName])


@bp.post("/authors", security=STAFF)
def add_author(
    author: schemas.NewAuthor,
) -> tuple[schemas.Author, t.Literal[201], Located] | Conflict:
    """Add an author, whose books can be added then."""
    row = tables.Author(**author.model_dump())
    db.session.add(row)
    if conflict := commit_or_conflict("The shop has this author already."):
        return conflict
    location = url_for(".show_author", author_id=row.id)
    return schemas.Author.model_validate(row), 201, {"location": location}


@bp.get("/authors/<int:author_id>", response_model=schemas.Author)
def show_author(author: queries.TheAuthor) -> tables.Author:
    """Show an author and their books, the oldest first."""
    return author


@bp.get("/tags")
def list_tags() -> list[schemas.TagCount]:
    """List the tags, those of the most books first."""
    return queries.count_tags()
