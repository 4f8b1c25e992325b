"""The database: the base of its tables, and what every concern does with it."""

from __future__ import annotations

import typing as t
from datetime import datetime, timezone

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import DateTime, Dialect, TypeDecorator
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.orm.exc import StaleDataError

from flask_signature.errors import HTTPErrorMessage

#: The response where another request was faster.
Conflict: t.TypeAlias = tuple[HTTPErrorMessage, t.Literal[409]]


class UTCDateTime(TypeDecorator[datetime]):
    """A moment, which SQLite would return without its time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        """The moment in UTC, on its way to the database."""
        return None if value is None else value.astimezone(timezone.utc)

    def process_result_value(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        """The moment in UTC, as the database gave it."""
        if value is None or value.tzinfo is not None:
            return value and value.astimezone(timezone.utc)
        return value.replace(tzinfo=timezone.utc)


#: The type of a column that holds a moment: ``Mapped[Moment]``.
Moment = t.Annotated[datetime, mapped_column(UTCDateTime)]


class Base(DeclarativeBase):
    """What every table of the shop inherits."""


# Rows keep their values after a commit: the answer is what this request wrote, and not
# what another one made of it meanwhile.
db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})


def now() -> datetime:
    """The current moment, with its time zone."""
    return datetime.now(timezone.utc)


def commit_or_conflict(message: str) -> Conflict | None:
    """Commit, or roll back and return 409 where another request was faster.

    It created the same thing, or removed what this one changes. To look first would not
    do: two requests may look at the same time.
    """
    try:
        db.session.commit()
    except (IntegrityError, StaleDataError):
        db.session.rollback()
        return {"message": message}, 409
    return None
