"""What the session's operations read and answer."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from typing_extensions import TypedDict

from flask_signature import SetCookie

from ..fields import Line


class Credentials(BaseModel):
    """The fields of the login form."""

    username: Line
    # Not stored, and therefore not bound to what a database can keep.
    password: SecretStr = Field(min_length=1, max_length=200)


class User(BaseModel):
    """Somebody who can log in."""

    model_config = ConfigDict(from_attributes=True)

    username: str
    is_staff: bool


class Session(BaseModel):
    """Who is logged in, if anybody is."""

    user: User | None


class LoginCookie(TypedDict):
    """The headers of a response that sets the cookie of a login, or removes it."""

    set_cookie: list[SetCookie]


class NewToken(BaseModel):
    """What a token is for, and how long it lasts."""

    name: Line = Field(examples=["nightly stock report"])
    days: int = Field(90, ge=1, le=366)


class Token(BaseModel):
    """A token, without what a script sends."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    name: str
    expires_at: datetime


class CreatedToken(Token):
    """A token that was just made."""

    token: str = Field(description="What a script sends. It is not shown again.")
