"""A small shop: its annotations name statuses and headers."""

from __future__ import annotations

import datetime
import typing as t
from http import HTTPStatus

from flask import abort
from werkzeug.exceptions import NotFound

from flask_signature import Blueprint, Body, Form, RequestValidationError, SetCookie

from .models import (
    Book,
    BookChange,
    Busy,
    Colour,
    Created,
    LoggedIn,
    NewBook,
    PageHeaders,
    Problem,
    SoldOut,
    Tag,
)

#: When the first book was added.
OPENED: t.Final = datetime.datetime(2026, 5, 17, 12, 30, tzinfo=datetime.timezone.utc)


def make_shop() -> Blueprint:
    """Books that are kept while the application runs; the first one always is."""
    bp = Blueprint("shop", __name__, tags=[Tag.BOOKS], security=None)
    books = {1: Book(id=1, title="Emma", year=1815)}
    add_readers(bp, books)
    add_writers(bp, books)

    @bp.post("/login")
    def log_in(name: str = Form()) -> tuple[None, t.Literal[204], LoggedIn]:
        cookie = SetCookie("sid", "d2f9", max_age=60, httponly=True, samesite="Lax")
        return None, 204, {"set_cookie": [cookie]}

    @bp.errorhandler(OutOfStock)
    def sold_out(error: OutOfStock) -> tuple[SoldOut, t.Literal[409], Busy]:
        return SoldOut(sold_out=str(error)), 409, {"retry_after": 3600}

    @bp.post("/<int:book_id>/order", raises=[OutOfStock, NotFound])
    def order_book(book_id: int, copies: int = Body(1, ge=1, embed=True)) -> Book:
        if book_id not in books:
            raise NotFound
        if copies > 1:
            raise OutOfStock(books[book_id].title)
        return books[book_id]

    return bp


class OutOfStock(Exception):
    """There are fewer copies than were ordered."""


def add_readers(bp: Blueprint, books: dict[int, Book]) -> None:
    """The operations that change nothing."""

    @bp.get("/")
    def find_books(
        title: str = "",
    ) -> list[Book] | tuple[list[Book], t.Literal[206], PageHeaders]:
        found = [book for book in books.values() if title in book.title]
        headers: PageHeaders = {
            "total": len(found),
            "x_complete": False,
            "x_colours": [Colour.RED, Colour.BLUE],
            "link": None if title else '</books/?title=E>; rel="next"',
        }
        return (found[:1], 206, headers) if len(found) > 1 else found

    @bp.get("/<int:book_id>")
    def show_book(book_id: int) -> Book | tuple[Problem, t.Literal[404]]:
        if book_id not in books:
            return Problem(reason="There is no such book."), 404
        return books[book_id]


def add_writers(bp: Blueprint, books: dict[int, Book]) -> None:
    """The operations that add, change and remove."""

    @bp.post("/")
    def add_book(
        new: NewBook,
    ) -> (
        tuple[Book, t.Literal[201], Created]
        | tuple[Problem, t.Literal[HTTPStatus.CONFLICT]]
        | tuple[Problem, t.Literal[429], Busy]
    ):
        if new.title in {book.title for book in books.values()}:
            return Problem(reason="There is one."), HTTPStatus.CONFLICT
        if len(books) > 9:
            return Problem(reason="The shop is full."), 429, {"retry_after": 60}
        if new.title == "Untitled":
            raise RequestValidationError.of(("body", "title"), "is no title")
        book = Book(id=max(books) + 1, title=new.title, year=new.year)
        books[book.id] = book
        headers: Created = {"location": f"/books/{book.id}", "last_modified": OPENED}
        return book, 201, headers

    @bp.patch("/<int:book_id>", responses=[404])
    def change_book(book_id: int, change: BookChange) -> Book:
        if book_id not in books:
            abort(404)
        changes = change.model_dump()
        # Requests come in any order, and this one is there for all of them.
        book = books[book_id].model_copy(update=changes)
        books.update({} if book_id == 1 else {book_id: book})
        return book

    @bp.delete("/<int:book_id>")
    def remove_book(
        book_id: int,
    ) -> tuple[None, t.Literal[204]] | tuple[Problem, t.Literal[404, 409]]:
        if book_id not in books:
            return Problem(reason="There is no such book."), 404
        if book_id == 1:
            return Problem(reason="The first book stays."), 409
        del books[book_id]
        return None, 204
