"""Security schemes, and what an operation requires of them.

A scheme is an object with a name. Operators combine schemes: ``token & key`` needs
both, ``token | key`` one of them, and ``token | None`` none at all::

    token = HTTPBearer("token", bearer_format="JWT")
    key = APIKey("key", "X-Key", location="header")

    @app.get("/orders", security=token | key)
    def list_orders() -> list[Order]: ...

They describe what the application does; the check itself is a decorator's.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field

from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Requirement:
    """Alternatives, of which a request satisfies one, each with all of its schemes.

    :param alternatives: scheme and scopes by name: ``token | None`` is
        ``({"token": (token, ())}, {})``.

    Source: OpenAPI 3.1, Security Requirement Object.

    .. versionadded:: 0.1
    """

    alternatives: tuple[
        Mapping[str, tuple[SecurityScheme | None, tuple[str, ...]]], ...
    ]

    def __or__(self, other: Requirement | SecurityScheme | None) -> Requirement:
        more = as_requirement(other)
        return Requirement(self.alternatives + more.alternatives)

    def __ror__(self, other: None) -> Requirement:
        return as_requirement(other) | self

    def __and__(self, other: Requirement | SecurityScheme) -> Requirement:
        more = as_requirement(other)
        return Requirement(
            tuple(
                _both(one, another)
                for one in self.alternatives
                for another in more.alternatives
            )
        )


def _both(one: Mapping[str, t.Any], other: Mapping[str, t.Any]) -> dict[str, t.Any]:
    joined = {**one, **other}
    for name in one.keys() & other.keys():
        scopes = dict.fromkeys(one[name][1] + other[name][1])
        joined[name] = (other[name][0], tuple(scopes))
    return joined


@dataclass(frozen=True)
class SecurityScheme:
    """What is common to all schemes.

    :param name: of the scheme in the document.

    .. versionadded:: 0.1
    """

    name: str
    description: str | None = field(default=None, kw_only=True)

    def __or__(self, other: Requirement | SecurityScheme | None) -> Requirement:
        return as_requirement(self) | other

    def __ror__(self, other: None) -> Requirement:
        return as_requirement(other) | self

    def __and__(self, other: Requirement | SecurityScheme) -> Requirement:
        return as_requirement(self) & other

    def scopes(self, *scopes: str) -> Requirement:
        """The scheme with scopes or roles: ``login.scopes("orders:read")``."""
        return Requirement(({self.name: (self, scopes)},))

    def describe(self) -> dict[str, t.Any]:
        """The Security Scheme Object."""
        described = {"description": self.description, **self._members()}
        return {key: value for key, value in described.items() if value is not None}

    def _members(self) -> dict[str, t.Any]:
        raise NotImplementedError


#: Where an API key is sent. Source: OpenAPI 3.1, Security Scheme Object ``in``.
KeyLocation: t.TypeAlias = t.Literal["header", "query", "cookie"]


@dataclass(frozen=True)
class APIKey(SecurityScheme):
    """A key in a header, the query or a cookie.

    :param key: the name of the header, of the key in the query, or of the cookie.
    :raises SignatureError: if a key can't be sent in the location.

    .. versionadded:: 0.1
    """

    key: str
    location: KeyLocation = "header"

    def __post_init__(self) -> None:
        known = t.get_args(KeyLocation)
        if self.location not in known:
            names = ", ".join(map(repr, known))
            raise SignatureError(
                f"APIKey({self.name!r}, {self.key!r}): there is no location"
                f" {self.location!r}. Use one of {names}."
            )

    def _members(self) -> dict[str, t.Any]:
        return {"type": "apiKey", "name": self.key, "in": self.location}


@dataclass(frozen=True)
class HTTPBasic(SecurityScheme):
    """A user name and a password. Source: RFC 7617.

    .. versionadded:: 0.1
    """

    def _members(self) -> dict[str, t.Any]:
        return {"type": "http", "scheme": "basic"}


@dataclass(frozen=True)
class HTTPBearer(SecurityScheme):
    """A token in the ``Authorization`` header. Source: RFC 6750.

    :param bearer_format: what the token looks like, for readers: ``"JWT"``.

    .. versionadded:: 0.1
    """

    bearer_format: str | None = None

    def _members(self) -> dict[str, t.Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": self.bearer_format}


@dataclass(frozen=True)
class OpenIDConnect(SecurityScheme):
    """OpenID Connect, found through its discovery document.

    :param url: of the discovery document.

    .. versionadded:: 0.1
    """

    url: str

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


@dataclass(frozen=True)
class OAuth2(SecurityScheme):
    """OAuth 2 in one or more of its flows.

    :raises SignatureError: if there is no flow, or a flow has not the URLs it needs.

    Source: OpenAPI 3.1, OAuth Flows Object.

    .. versionadded:: 0.1
    """

    authorization_code: OAuthFlow | None = field(default=None, kw_only=True)
    client_credentials: OAuthFlow | None = field(default=None, kw_only=True)
    password: OAuthFlow | None = field(default=None, kw_only=True)
    implicit: OAuthFlow | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
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


def as_requirement(value: t.Any) -> Requirement:
    """The requirement that an option says, in any of its spellings.

    A scheme, schemes that are combined, ``None`` for nothing, the name of one of the
    configuration's schemes, a list of alternatives, or OpenAPI's ``[{"token": []}]``.

    :raises SignatureError: if it is none of these.
    """
    if isinstance(value, Requirement):
        return value
    if isinstance(value, SecurityScheme):
        return value.scopes()
    if isinstance(value, str):
        return Requirement(({value: (None, ())},))
    if value is None:
        return Requirement(({},))
    if isinstance(value, Mapping):
        return Requirement(
            ({str(name): (None, tuple(scopes)) for name, scopes in value.items()},)
        )
    if isinstance(value, (list, tuple)):
        return _any_of(value)
    raise SignatureError(
        f"security={value!r} is no security requirement. Use a scheme such as"
        " HTTPBearer('token'), schemes joined with '&' and '|', or the name of one."
    )


def _any_of(values: Sequence[t.Any]) -> Requirement:
    alternatives: list[t.Any] = []
    for value in values:
        alternatives += as_requirement(value).alternatives
    return Requirement(tuple(alternatives))


def read_security(value: t.Any) -> Requirement:
    """The requirement of the option ``security=``. ``None`` removes that of the scope.

    :raises SignatureError: if it is no security requirement.
    """
    return Requirement(()) if value is None else as_requirement(value)
