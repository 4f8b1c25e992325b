"""The reviews' questions to the database."""

from __future__ import annotations

import typing as t

from flask import abort
from sqlalchemy import Select, select

from flask_signature import Depends

from ..database import db
from ..fields import DatabaseId
from ..session import CurrentUser
from .schemas import ReviewFilter
from .tables import Review

SORT_ORDERS: dict[str, tuple[t.Any, ...]] = {
    "newest": (Review.id.desc(),),
    "oldest": (Review.id,),
    "best": (Review.rating.desc(), Review.id.desc()),
    "worst": (Review.rating, Review.id.desc()),
}


def select_reviews(book_id: int, filters: ReviewFilter) -> Select[t.Any]:
    """The statement that finds the book's reviews, in the order that is asked for."""
    return (
        select(Review)
        .where(Review.book_id == book_id, Review.rating >= filters.min_rating)
        .order_by(*SORT_ORDERS[filters.sort])
    )


def find_review(book_id: DatabaseId, review_id: DatabaseId) -> Review:
    """The review, or 404 where the book has no such review."""
    review = db.session.get(Review, review_id)
    if review is None or review.book_id != book_id:
        abort(404, f"Book {book_id} has no review {review_id}.")
    return review


#: The review that the URL names.
TheReview = t.Annotated[Review, Depends(find_review, responses=[404])]


def find_own_review(review: TheReview, user: CurrentUser) -> Review:
    """The review, or 403 where somebody else wrote it."""
    if review.user_id != user.id:
        abort(403, f"Only {review.reviewer} may change this review.")
    return review


#: The same where its reviewer sends the request.
OwnReview = t.Annotated[Review, Depends(find_own_review, responses=[403])]
