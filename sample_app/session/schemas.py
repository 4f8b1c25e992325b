"""What the session's operations read and answer."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import Field
from pydantic import SecretStr

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
