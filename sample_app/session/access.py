"""Who may call an operation: a browser that has logged in, or a script with a token.

``security=`` of a route or a blueprint refuses others before the body is read.
"""

from __future__ import annotations

import typing as t

from flask_signature.security import APIKey
from flask_signature.security import HTTPBearer

from .logins import COOKIE
from .logins import find_user
from .tables import User
from .tokens import find_owner


def roles_of(user: User) -> list[str]:
    """The roles that an operation may ask for as scopes."""
    return ["staff"] if user.is_staff else []


LOGIN = APIKey(
    "login",
    COOKIE,
    "cookie",
    verify=find_user,
    get_scopes=roles_of,
    description="What `POST /session` sets. A browser sends it by itself.",
)
TOKEN = HTTPBearer(
    "token",
    verify=find_owner,
    get_scopes=roles_of,
    description="What `POST /session/tokens` answers, for scripts.",
)

#: For ``security=`` of what everybody may do who is known to the shop.
USER = LOGIN | TOKEN

#: For ``security=`` of what is left to the staff.
STAFF = LOGIN.scopes("staff") | TOKEN.scopes("staff")

#: The argument of a view, or of a dependency, that is who sends the request.
CurrentUser = t.Annotated[User, USER]
