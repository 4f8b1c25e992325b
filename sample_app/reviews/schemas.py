"""What the reviews' operations read and answer."""

from __future__ import annotations

import typing as t
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from ..fields import Prose
from ..paging import Paging

#: From one star to five.
Rating = t.Annotated[int, Field(ge=1, le=5)]


class NewReview(BaseModel):
    """What a customer thinks of a book."""

    rating: Rating
    text: Prose


class Review(NewReview):
    """What somebody thinks of a book."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    reviewer: str
    written_at: datetime


class ReviewFilter(Paging):
    """Which reviews to list, and in which order."""

    min_rating: Rating = 1
    sort: t.Literal["newest", "oldest", "best", "worst"] = "newest"
