"""Who may call the large application: whoever sends ``GOOD``."""

from __future__ import annotations

import typing as t

from flask_signature.security import (
    APIKey,
    HTTPBasic,
    HTTPBearer,
    OAuth2,
    OAuthFlow,
    OpenIDConnect,
)

GOOD: t.Final = "good"


def find_user(credential: str) -> str | None:
    """The user who sends a token or a key."""
    return "ann" if credential == GOOD else None


def check_password(username: str, password: str) -> str | None:
    """The user who sends a name and a password."""
    return username if password == GOOD else None


TOKEN = HTTPBearer("token", bearer_format="JWT", verify=find_user)
KEY = APIKey("key", "X-Key", verify=find_user)
BASIC = HTTPBasic("basic", verify=check_password)
OPEN_ID = OpenIDConnect("open_id", "https://login.test/openid")
LOGIN = OAuth2(
    "login",
    authorization_code=OAuthFlow(
        authorization_url="https://login.test/a",
        token_url="https://login.test/t",
        scopes={"read": "Read."},
    ),
    verify=find_user,
    get_scopes=lambda user: "read",
)
