"""Who may call an operation: users, by the login of a browser or a script's token."""

from __future__ import annotations

import typing as t

from flask_signature.security import APIKey, HTTPBearer

from .logins import COOKIE, find_user
from .tables import User
from .tokens import find_owner


def roles_of(user: User) -> list[str]:
    """The scopes that a user has."""
    return ["staff"] if user.is_staff else []


LOGIN = APIKey("login", COOKIE, "cookie", verify=find_user, get_scopes=roles_of)
TOKEN = HTTPBearer("token", verify=find_owner, get_scopes=roles_of)

#: For ``security=``: it refuses others before the body of a request is read.
USER = LOGIN | TOKEN
STAFF = LOGIN.scopes("staff") | TOKEN.scopes("staff")

#: For an argument: who sends the request. Others are refused in the same way.
CurrentUser = t.Annotated[User, USER]
