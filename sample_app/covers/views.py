"""Covers: everybody sees them, the staff uploads them."""

from __future__ import annotations

import typing as t

from flask import Response, url_for
from sqlalchemy import delete

from flask_signature import Blueprint, Form, RequestValidationError

from ..catalogue import TheBook
from ..database import Conflict, commit_or_conflict, db
from ..fields import Located
from ..session import STAFF
from . import queries, schemas, tables
from .pictures import media_type_of

bp = Blueprint(
    "covers", __name__, url_prefix="/books/<int:book_id>/cover", tags=["Covers"]
)


@bp.put("", security=STAFF)
def upload_cover(
    book: TheBook,
    image: schemas.Image,
    caption: t.Annotated[schemas.Caption, Form()] = "",
) -> tuple[schemas.Cover, t.Literal[200, 201], Located] | Conflict:
    """Upload the cover of a book, in place of the one that it has."""
    content = image.read()
    media_type = media_type_of(content)
    if media_type is None:
        problem = "The file should be a GIF, JPEG, PNG or WebP picture"
        raise RequestValidationError.of(("file", "image"), problem)
    cover = db.session.get(tables.Cover, book.id)
    status: t.Literal[200, 201] = 200 if cover else 201
    cover = cover or tables.Cover(book_id=book.id)
    cover.media_type, cover.caption = media_type, caption
    cover.content, cover.size = content, len(content)
    db.session.add(cover)
    changed = "The cover of this book was changed at the same moment."
    if conflict := commit_or_conflict(changed):
        return conflict
    location = url_for(".show_cover", book_id=book.id)
    return schemas.Cover.model_validate(cover), status, {"location": location}


@bp.get("", etag=True, responses=schemas.PICTURE)
def show_cover(cover: queries.ThePicture) -> Response:
    """Show the cover of a book: the picture itself."""
    response = Response(cover.content, mimetype=cover.media_type)
    # Somebody uploaded these bytes. The browser is not to find a script in them.
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@bp.get("/details", response_model=schemas.Cover)
def show_cover_details(cover: queries.TheCover) -> tables.Cover:
    """Show what there is to know about the cover of a book."""
    return cover


@bp.delete("", security=STAFF)
def remove_cover(cover: queries.TheCover) -> None:
    """Remove the cover of a book."""
    # By statement: that another request was faster is no error then.
    db.session.execute(
        delete(tables.Cover).where(tables.Cover.book_id == cover.book_id)
    )
    db.session.commit()
