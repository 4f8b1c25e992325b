"""Reviews live below their book: the prefix of the blueprint has a path parameter."""

from __future__ import annotations

import typing as t

from flask import url_for
from sqlalchemy import delete

from flask_signature import Blueprint, Query

from ..catalogue import TheBook
from ..database import Conflict, commit_or_conflict, db
from ..fields import Located
from ..paging import Page, read_page
from ..session import CurrentUser
from . import queries, schemas, tables

bp = Blueprint(
    "reviews",
    __name__,
    url_prefix="/books/<int:book_id>/reviews",
    tags=["Reviews"],
)


@bp.get("")
def list_reviews(
    book: TheBook, filters: t.Annotated[schemas.ReviewFilter, Query()]
) -> Page[schemas.Review]:
    """List the reviews of a book, a page at a time."""
    statement = queries.select_reviews(book.id, filters)
    return read_page(statement, filters, Page[schemas.Review])


@bp.post("")
def write_review(
    book: TheBook, review: schemas.NewReview, user: CurrentUser
) -> tuple[schemas.Review, t.Literal[201], Located] | Conflict:
    """Review a book. Each customer has one review of each book."""
    row = tables.Review(book_id=book.id, user_id=user.id, **review.model_dump())
    db.session.add(row)
    if conflict := commit_or_conflict("You have reviewed this book already."):
        return conflict
    location = url_for(".show_review", book_id=book.id, review_id=row.id)
    return schemas.Review.model_validate(row), 201, {"location": location}


@bp.get("/<int:review_id>", response_model=schemas.Review)
def show_review(review: queries.TheReview) -> tables.Review:
    """Show a review."""
    return review


@bp.put("/<int:review_id>")
def rewrite_review(
    review: queries.OwnReview, new: schemas.NewReview
) -> tuple[schemas.Review, t.Literal[200]] | Conflict:
    """Replace a review of one's own."""
    review.rating = new.rating
    review.text = new.text
    if conflict := commit_or_conflict("The review was removed at the same moment."):
        return conflict
    return schemas.Review.model_validate(review), 200


@bp.delete("/<int:review_id>")
def remove_review(review: queries.OwnReview) -> None:
    """Remove a review of one's own."""
    # By statement: that another request was faster is no error then.
    db.session.execute(delete(tables.Review).where(tables.Review.id == review.id))
    db.session.commit()
