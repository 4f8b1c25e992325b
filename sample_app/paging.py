"""Long lists, answered a page at a time."""

from __future__ import annotations

import typing as t

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Select, func, select

from .database import db

Item = t.TypeVar("Item")


class Paging(BaseModel):
    """Which page of a list to answer; the base of the query models."""

    # A misspelled filter is refused, where ignoring it would answer too much.
    model_config = ConfigDict(extra="forbid")

    page: int = Field(1, ge=1, le=100_000, description="Counted from 1.")
    per_page: int = Field(20, ge=1, le=100)


class Page(BaseModel, t.Generic[Item]):
    """A part of a list, and how long the list is."""

    items: list[Item]
    total: int = Field(description="The length of the whole list.")
    page: int
    per_page: int


AnyPage = t.TypeVar("AnyPage", bound=Page[t.Any])


def read_page(
    statement: Select[t.Any], paging: Paging, page_type: type[AnyPage]
) -> AnyPage:
    """The part of the statement's rows that is asked for, as a ``Page[...]``."""
    rows = statement.order_by(None).subquery()
    start = (paging.page - 1) * paging.per_page
    part = statement.limit(paging.per_page).offset(start)
    return page_type.model_validate(
        {
            "items": db.session.scalars(part).all(),
            "total": db.session.scalar(select(func.count()).select_from(rows)),
            "page": paging.page,
            "per_page": paging.per_page,
        }
    )
