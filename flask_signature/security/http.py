"""Schemes of HTTP itself, whose credentials are in the ``Authorization`` header."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from typing_extensions import TypeVar

from .challenge import bearer_challenge, make_challenge
from .credentials import read_basic, read_bearer
from .requirement import SecurityScheme

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack
    from werkzeug.datastructures import WWWAuthenticate
    from werkzeug.wrappers import Request

    from .credentials import Credentials
    from .options import (
        LaterPasswordOptions,
        LaterTokenOptions,
        PasswordOptions,
        TokenOptions,
    )

T = TypeVar("T", default=t.Any)


@dataclass(frozen=True, eq=False)
class HTTPBasic(SecurityScheme[T]):
    """A user name and a password: ``verify(username, password)``. Source: RFC 7617.

    .. versionadded:: 0.1
    """

    credentials: t.ClassVar[str] = "username, password"

    if t.TYPE_CHECKING:

        @t.overload
        def __init__(
            self, name: str, **options: Unpack[LaterPasswordOptions[T]]
        ) -> None: ...
        @t.overload
        def __init__(
            self, name: str, **options: Unpack[PasswordOptions[T]]
        ) -> None: ...
        def __init__(self, name: str, **options: t.Any) -> None: ...

    def read_credentials(self, request: Request) -> Credentials:
        """The user name and the password. Source: RFC 7617, 2."""
        return read_basic(request)

    def challenge(
        self, error: str | None = None, scopes: Sequence[str] = ()
    ) -> WWWAuthenticate:
        """``Basic realm="basic", charset="UTF-8"``. Source: RFC 7617, 2 and 2.1."""
        return make_challenge("Basic", {"realm": self.name, "charset": "UTF-8"})

    def _members(self) -> dict[str, t.Any]:
        return {"type": "http", "scheme": "basic"}


@dataclass(frozen=True, eq=False)
class TokenScheme(SecurityScheme[T]):
    """What is common to the schemes with a bearer token. Source: RFC 6750.

    .. versionadded:: 0.2
    """

    def read_credentials(self, request: Request) -> Credentials:
        """The token. Source: RFC 6750, 2.1."""
        return read_bearer(request)

    def challenge(
        self, error: str | None = None, scopes: Sequence[str] = ()
    ) -> WWWAuthenticate:
        """``Bearer realm="token", error="invalid_token"``. Source: RFC 6750, 3."""
        return bearer_challenge(self.name, error, scopes)


@dataclass(frozen=True, eq=False)
class HTTPBearer(TokenScheme[T]):
    """A token in the ``Authorization`` header: ``verify(token)``. Source: RFC 6750.

    :param bearer_format: what the token looks like, for readers: ``"JWT"``.

    .. versionadded:: 0.1
    """

    bearer_format: str | None = None

    if t.TYPE_CHECKING:

        @t.overload
        def __init__(
            self,
            name: str,
            bearer_format: str | None = None,
            **options: Unpack[LaterTokenOptions[T]],
        ) -> None: ...
        @t.overload
        def __init__(
            self,
            name: str,
            bearer_format: str | None = None,
            **options: Unpack[TokenOptions[T]],
        ) -> None: ...
        def __init__(
            self, name: str, bearer_format: str | None = None, **options: t.Any
        ) -> None: ...

    def _members(self) -> dict[str, t.Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": self.bearer_format}
