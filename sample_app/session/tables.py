"""People, and what they are known by: logins and tokens."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from ..database import Base, Moment


class User(Base):
    """Somebody who can log in."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    username: Mapped[str] = mapped_column(String(200), unique=True)
    password_hash: Mapped[str]
    is_staff: Mapped[bool] = mapped_column(default=False)


class Login(Base):
    """One browser of one user, until it logs out or the login expires."""

    __tablename__ = "logins"

    #: Of the token in the cookie. Who reads the table can't act as its users.
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id))
    expires_at: Mapped[Moment] = mapped_column(index=True)

    user: Mapped[User] = relationship(lazy="joined")


class Token(Base):
    """What a script acts as its user with, until it is revoked or expires."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    #: What it is for, in the words of the user.
    name: Mapped[str] = mapped_column(String(200))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id))
    expires_at: Mapped[Moment] = mapped_column(index=True)

    user: Mapped[User] = relationship(lazy="joined")
