"""Covers: everybody sees them, the staff uploads them."""

from __future__ import annotations

import typing as t

from flask import Response
from flask import abort
from flask import url_for
from sqlalchemy import delete
from sqlalchemy.orm import undefer
from sqlalchemy.orm.interfaces import ORMOption

from flask_signature import Blueprint
from flask_signature import File
from flask_signature import Form
from flask_signature import UploadFile

from ..catalogue import TheBook
from ..database import commit_or_conflict
from ..database import db
from ..fields import DatabaseId
from ..fields import Problem
from ..session import STAFF
from . import schemas
from . import tables
from .pictures import media_type_of

bp = Blueprint(
    "covers",
    __name__,
    url_prefix="/books/<int:book_id>/cover",
    tags=["Covers"],
    responses={404: Problem},
)


@bp.put(
    "",
    response_model=schemas.Cover,
    responses={200: schemas.Cover, 409: Problem, 415: Problem},
    security=STAFF,
    openapi_extra=schemas.PICTURE_UPLOAD,
)
def upload_cover(
    book: TheBook,
    image: t.Annotated[UploadFile, File(description="PNG, JPEG, GIF or WebP.")],
    caption: t.Annotated[schemas.Caption, Form()] = "",
) -> tuple[tables.Cover, int, dict[str, str]]:
    """Upload the cover of a book, in place of the one that it has."""
    content = image.read()
    media_type = media_type_of(content)
    if media_type is None:
        abort(415, "The image is no PNG, JPEG, GIF or WebP file.")
    cover = db.session.get(tables.Cover, book.id)
    status = 200 if cover else 201
    cover = cover or tables.Cover(book_id=book.id)
    cover.media_type, cover.caption = media_type, caption
    cover.content, cover.size = content, len(content)
    db.session.add(cover)
    commit_or_conflict("The cover of this book was changed at the same moment.")
    return cover, status, {"Location": url_for(".show_cover", book_id=book.id)}


@bp.get("", etag=True, responses=schemas.PICTURE_ANSWER)
def show_cover(book_id: DatabaseId) -> Response:
    """Show the cover of a book: the picture itself."""
    cover = find_cover(book_id, undefer(tables.Cover.content))
    response = Response(cover.content, mimetype=cover.media_type)
    # Somebody uploaded these bytes. The browser is not to find a script in them.
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@bp.get("/details", response_model=schemas.Cover)
def show_cover_details(book_id: DatabaseId) -> tables.Cover:
    """Show what there is to know about the cover of a book."""
    return find_cover(book_id)


@bp.delete("", security=STAFF)
def remove_cover(book_id: DatabaseId) -> None:
    """Remove the cover of a book."""
    cover = find_cover(book_id)
    db.session.execute(
        delete(tables.Cover).where(tables.Cover.book_id == cover.book_id)
    )
    db.session.commit()


def find_cover(book_id: int, *options: ORMOption) -> tables.Cover:
    """The cover, or 404 where the book has none."""
    cover = db.session.get(tables.Cover, book_id, options=options)
    if cover is None:
        abort(404, f"Book {book_id} has no cover.")
    return cover
