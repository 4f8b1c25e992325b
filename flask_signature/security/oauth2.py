"""The schemes of OAuth 2 and of OpenID Connect, which stands on it."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from typing_extensions import TypeVar

from ..exceptions import SignatureError
from .http import TokenScheme

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from .options import LaterTokenOptions, TokenOptions

T = TypeVar("T", default=t.Any)


@dataclass(frozen=True, eq=False)
class OpenIDConnect(TokenScheme[T]):
    """OpenID Connect, found through its discovery document: ``verify(token)``.

    :param url: of the discovery document.

    .. versionadded:: 0.1
    """

    url: str

    if t.TYPE_CHECKING:

        @t.overload
        def __init__(
            self, name: str, url: str, **options: Unpack[LaterTokenOptions[T]]
        ) -> None: ...
        @t.overload
        def __init__(
            self, name: str, url: str, **options: Unpack[TokenOptions[T]]
        ) -> None: ...
        def __init__(self, name: str, url: str, **options: t.Any) -> None: ...

    def _members(self) -> dict[str, t.Any]:
        return {"type": "openIdConnect", "openIdConnectUrl": self.url}


@dataclass(frozen=True, kw_only=True)
class OAuthFlow:
    """One of the flows of OAuth 2.

    :param scopes: what each scope allows, by its name.

    Source: OpenAPI 3.1, OAuth Flow Object.

    .. versionadded:: 0.1
    """

    authorization_url: str | None = None
    token_url: str | None = None
    refresh_url: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> dict[str, t.Any]:
        """The OAuth Flow Object."""
        urls = {
            "authorizationUrl": self.authorization_url,
            "tokenUrl": self.token_url,
            "refreshUrl": self.refresh_url,
        }
        given = {key: url for key, url in urls.items() if url is not None}
        return {**given, "scopes": dict(self.scopes)}


#: The URLs that a flow needs, by its name in the document.
FLOWS: t.Final[dict[str, frozenset[str]]] = {
    "implicit": frozenset({"authorization_url"}),
    "password": frozenset({"token_url"}),
    "client_credentials": frozenset({"token_url"}),
    "authorization_code": frozenset({"authorization_url", "token_url"}),
}


@dataclass(frozen=True, eq=False)
class OAuth2(TokenScheme[T]):
    """OAuth 2 in one or more of its flows: ``verify(token)``.

    :raises SignatureError: if there is no flow, or a flow has not the URLs it needs.

    Source: OpenAPI 3.1, OAuth Flows Object.

    .. versionadded:: 0.1
    """

    authorization_code: OAuthFlow | None = field(default=None, kw_only=True)
    client_credentials: OAuthFlow | None = field(default=None, kw_only=True)
    password: OAuthFlow | None = field(default=None, kw_only=True)
    implicit: OAuthFlow | None = field(default=None, kw_only=True)

    if t.TYPE_CHECKING:

        @t.overload
        def __init__(
            self,
            name: str,
            *,
            authorization_code: OAuthFlow | None = None,
            client_credentials: OAuthFlow | None = None,
            password: OAuthFlow | None = None,
            implicit: OAuthFlow | None = None,
            **options: Unpack[LaterTokenOptions[T]],
        ) -> None: ...
        @t.overload
        def __init__(
            self,
            name: str,
            *,
            authorization_code: OAuthFlow | None = None,
            client_credentials: OAuthFlow | None = None,
            password: OAuthFlow | None = None,
            implicit: OAuthFlow | None = None,
            **options: Unpack[TokenOptions[T]],
        ) -> None: ...
        def __init__(self, name: str, **options: t.Any) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.flows:
            flows = ", ".join(sorted(FLOWS))
            raise SignatureError(
                f"OAuth2({self.name!r}) has no flow. Give one of {flows}."
            )
        for name, flow in self.flows.items():
            for url in ("authorization_url", "token_url"):
                if (getattr(flow, url) is not None) != (url in FLOWS[name]):
                    verb = "needs" if url in FLOWS[name] else "has no"
                    raise SignatureError(f"OAuth2({self.name!r}): {name} {verb} {url}.")

    @property
    def flows(self) -> dict[str, OAuthFlow]:
        """The flows by their names."""
        found = {name: getattr(self, name) for name in FLOWS}
        return {name: flow for name, flow in found.items() if flow is not None}

    def _members(self) -> dict[str, t.Any]:
        flows = {_camel(name): flow.describe() for name, flow in self.flows.items()}
        return {"type": "oauth2", "flows": flows}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
