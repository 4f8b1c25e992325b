"""The covers' questions to the database."""

from __future__ import annotations

import typing as t

from flask import abort
from sqlalchemy.orm import undefer
from sqlalchemy.orm.interfaces import ORMOption

from flask_signature import Depends

from ..database import db
from ..fields import DatabaseId
from .tables import Cover


def find_cover(book_id: DatabaseId, *options: ORMOption) -> Cover:
    """The cover, or 404 where the book has none."""
    cover = db.session.get(Cover, book_id, options=options)
    if cover is None:
        abort(404, f"Book {book_id} has no cover.")
    return cover


#: The cover of the book that the URL names.
TheCover = t.Annotated[Cover, Depends(find_cover, responses=[404])]


def find_picture(book_id: DatabaseId) -> Cover:
    """The same, its picture read at once."""
    return find_cover(book_id, undefer(Cover.content))


#: The same with its picture.
ThePicture = t.Annotated[Cover, Depends(find_picture, responses=[404])]
