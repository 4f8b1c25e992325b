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

import typing as t

from .requirement import (
    MALFORMED,
    AllOf,
    Credentials,
    Malformed,
    Requirement,
    SecurityScheme,
    as_requirement,
    read_security,
)
from .schemes import (
    APIKey,
    HTTPBasic,
    HTTPBearer,
    KeyLocation,
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
    "PasswordForm",
    "Requirement",
    "Scopes",
    "SecurityScheme",
    "as_requirement",
    "read_security",
    "split_scopes",
]

if t.TYPE_CHECKING:
    from .forms import PasswordForm as PasswordForm

else:

    def __getattr__(name):
        """The form of a log-in: Pydantic takes its time to make a model."""
        if name != "PasswordForm":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from .forms import PasswordForm

        return PasswordForm
