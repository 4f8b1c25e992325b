"""Tokens: made for the scripts of a user, found by what a script sends."""

from __future__ import annotations

import secrets
import typing as t
from datetime import timedelta

from sqlalchemy import Select, delete, select

from ..database import db, now
from . import schemas
from .logins import hash_token
from .tables import Token, User


def create_token(new: schemas.NewToken, user: User) -> schemas.CreatedToken:
    """A new token, whose secret is kept nowhere, once expired ones are swept out."""
    secret = secrets.token_urlsafe()
    row = Token(
        name=new.name,
        token_hash=hash_token(secret),
        user_id=user.id,
        expires_at=now() + timedelta(days=new.days),
    )
    db.session.execute(delete(Token).where(Token.expires_at <= now()))
    db.session.add(row)
    db.session.commit()
    return schemas.CreatedToken(
        id=row.id, name=row.name, expires_at=row.expires_at, token=secret
    )


def find_owner(token: str) -> User | None:
    """The user whose token this is, until it expires."""
    statement = select_valid().filter_by(token_hash=hash_token(token))
    row: Token | None = db.session.scalar(statement)
    return row.user if row else None


def list_tokens(user: User) -> list[Token]:
    """The tokens of a user, the newest first."""
    statement = select_valid().filter_by(user_id=user.id).order_by(Token.id.desc())
    return list(db.session.scalars(statement))


def select_valid() -> Select[t.Any]:
    """The statement that finds the tokens that have not expired."""
    return select(Token).where(Token.expires_at > now())


def remove_token(token_id: int, user: User) -> bool:
    """Make a token of the user worthless. Whether there was one."""
    statement = delete(Token).filter_by(id=token_id, user_id=user.id)
    removed = db.session.scalar(statement.returning(Token.id))
    db.session.commit()
    return removed is not None
