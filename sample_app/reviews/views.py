"""Reviews live below their book: the prefix of the blueprint has a path parameter."""

from __future__ import annotations

import typing as t

from flask import url_for
from sqlalchemy import delete

from flask_signature import Blueprint
from flask_signature import Query

from ..catalogue import find_book
from ..database import commit_or_conflict
from ..database import db
from ..fields import DatabaseId
from ..fields import Problem
from ..paging import Page
from ..paging import read_page
from ..session import LOGIN
from ..session import current_user
from ..session import login_required
from . import queries
from . import schemas
from . import tables

bp = Blueprint(
    "reviews",
    __name__,
    url_prefix="/books/<int:book_id>/reviews",
    tags=["Reviews"],
    responses={404: Problem},
)


@bp.get("")
def list_reviews(
    book_id: DatabaseId, filters: t.Annotated[schemas.ReviewFilter, Query()]
) -> Page[schemas.Review]:
    """List the reviews of a book, a page at a time."""
    book = find_book(book_id)
    statement = queries.select_reviews(book.id, filters)
    return read_page(statement, filters, Page[schemas.Review])


@bp.post(
    "",
    response_model=schemas.Review,
    responses={401: Problem, 409: Problem},
    decorators=[login_required],
    security=LOGIN,
)
def write_review(
    book_id: DatabaseId, review: schemas.NewReview
) -> tuple[tables.Review, dict[str, str]]:
    """Review a book. Each customer has one review of each book."""
    book = find_book(book_id)
    row = tables.Review(
        book_id=book.id, user_id=current_user().id, **review.model_dump()
    )
    db.session.add(row)
    commit_or_conflict("You have reviewed this book already.")
    location = url_for(".show_review", book_id=book_id, review_id=row.id)
    return row, {"Location": location}


@bp.get("/<int:review_id>", response_model=schemas.Review)
def show_review(book_id: DatabaseId, review_id: DatabaseId) -> tables.Review:
    """Show a review."""
    return queries.find_review(book_id, review_id)


@bp.put(
    "/<int:review_id>",
    # A review is replaced here and never created, which 201 would say.
    status_code=200,
    response_model=schemas.Review,
    responses={401: Problem, 403: Problem, 409: Problem},
    decorators=[login_required],
    security=LOGIN,
)
def rewrite_review(
    book_id: DatabaseId, review_id: DatabaseId, review: schemas.NewReview
) -> tables.Review:
    """Replace a review of one's own."""
    row = queries.find_own_review(book_id, review_id)
    row.rating = review.rating
    row.text = review.text
    commit_or_conflict("The review was removed at the same moment.")
    return row


@bp.delete(
    "/<int:review_id>",
    responses={401: Problem, 403: Problem},
    decorators=[login_required],
    security=LOGIN,
)
def remove_review(book_id: DatabaseId, review_id: DatabaseId) -> None:
    """Remove a review of one's own."""
    row = queries.find_own_review(book_id, review_id)
    # By statement: that another request was faster is no error then.
    db.session.execute(delete(tables.Review).where(tables.Review.id == row.id))
    db.session.commit()
