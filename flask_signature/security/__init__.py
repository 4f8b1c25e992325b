"""Security schemes, and what an operation requires of them.

A scheme is an object with a name. Operators combine schemes: ``token & key`` needs
both, ``token | key`` one of them, and ``token | None`` none at all::

    token = HTTPBearer("token", verify=find_user)
    key = APIKey("key", "X-Key", location="header", verify=find_client)

    @app.get("/orders", security=token | key)
    def list_orders() -> list[Order]: ...

A scheme with ``verify=`` or ``authenticate=`` checks requests. One without describes
what a decorator checks: ``SIGNATURE_SECURITY_SCHEMES`` has it, and ``security="token"``
its name.
"""

from __future__ import annotations

from .credentials import MALFORMED, Credentials, KeyLocation, Malformed
from .requirement import (
    AllOf,
    Requirement,
    SecurityScheme,
    as_requirement,
    read_security,
)
from .schemes import (
    APIKey,
    HTTPBasic,
    HTTPBearer,
    OAuth2,
    OAuthFlow,
    OpenIDConnect,
    Scopes,
    split_scopes,
)

__all__ = [
    "MALFORMED",
    "APIKey",
    "AllOf",
    "Credentials",
    "HTTPBasic",
    "HTTPBearer",
    "KeyLocation",
    "Malformed",
    "OAuth2",
    "OAuthFlow",
    "OpenIDConnect",
    "Requirement",
    "Scopes",
    "SecurityScheme",
    "as_requirement",
    "read_security",
    "split_scopes",
]
