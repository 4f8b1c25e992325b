"""Logins: made from credentials, found by the token that the cookie holds."""

from __future__ import annotations

import functools
import hashlib
import secrets
from datetime import timedelta

from flask import current_app
from sqlalchemy import delete, select
from werkzeug.security import check_password_hash, generate_password_hash

from flask_signature import SetCookie

from ..database import db, now
from .schemas import Credentials
from .tables import Login, User

#: The name of the cookie.
COOKIE = "bookshop_session"


def check_credentials(credentials: Credentials) -> User | None:
    """The user whose name and password these are."""
    user = db.session.scalar(select(User).filter_by(username=credentials.username))
    # An unknown name takes as long as a wrong password, and so isn't told by the clock.
    expected = user.password_hash if user else nobodys_password_hash()
    password = credentials.password.get_secret_value()
    return user if check_password_hash(expected, password) else None


@functools.cache
def nobodys_password_hash() -> str:
    """A hash that costs as much to check as a user's, and matches nothing."""
    return generate_password_hash(secrets.token_urlsafe())


def create_login(user: User) -> str:
    """The token of a new login, once expired ones are swept out."""
    token = secrets.token_urlsafe()
    lifetime = timedelta(seconds=current_app.config["LOGIN_LIFETIME"])
    db.session.execute(delete(Login).where(Login.expires_at <= now()))
    db.session.add(
        Login(
            token_hash=hash_token(token), user_id=user.id, expires_at=now() + lifetime
        )
    )
    db.session.commit()
    return token


def find_user(token: str) -> User | None:
    """The user whose login this is, while it lasts."""
    login = db.session.get(Login, hash_token(token))
    return login.user if login and login.expires_at > now() else None


def remove_login(token: str) -> None:
    """Make the token worthless."""
    db.session.execute(delete(Login).where(Login.token_hash == hash_token(token)))
    db.session.commit()


def hash_token(token: str) -> str:
    """What the database keeps of a token. Random tokens need no salt.

    Tokens are found by it, and so nobody learns one from how long a comparison takes.
    """
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def cookie_of(token: str, *, max_age: int) -> SetCookie:
    """The cookie that keeps the token, or removes it at age 0.

    ``SameSite=Lax`` keeps forms of other sites from acting as the user.
    """
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    return SetCookie(
        COOKIE, token, max_age=max_age, secure=secure, httponly=True, samesite="Lax"
    )
