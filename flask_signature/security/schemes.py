"""Security schemes: API keys, HTTP authentication, OAuth 2.0 and OpenID Connect.

What a request sends to say who it is from, and the challenge where it does not.
Source: OpenAPI 3.1, Security Scheme Object; RFC 9110, 11.
"""

from __future__ import annotations

import re
import typing as t
from base64 import b64decode, b64encode
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
)
from dataclasses import dataclass, field
from typing import Concatenate
from urllib.parse import quote

from typing_extensions import TypedDict, TypeVar
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.http import quote_header_value

from .._common import TOKEN
from ..exceptions import SignatureError
from .requirement import MALFORMED, SecurityScheme

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Self, Unpack
    from werkzeug.wrappers import Request

    from ..typing import ResponsesOption
    from .requirement import Credentials, Malformed


T = TypeVar("T", default=t.Any)

#: Where an API key is sent. Source: OpenAPI 3.1, Security Scheme Object ``in``.
KeyLocation: t.TypeAlias = t.Literal["header", "query", "cookie"]


@dataclass(frozen=True, eq=False)
class APIKey(SecurityScheme[T]):
    """A key in a header, the query or a cookie: ``verify(key)``.

    :param key: the name of the header, of the key in the query, or of the cookie.
    :raises SignatureError: if a key can't be sent in the location.

    .. versionadded:: 0.1
    """

    key: str
    location: KeyLocation = "header"

    credentials: t.ClassVar[str] = "key"

    if t.TYPE_CHECKING:

        @t.overload
        def __init__(
            self,
            name: str,
            key: str,
            location: KeyLocation = "header",
            **options: Unpack[LaterTokenOptions[T]],
        ) -> None: ...
        @t.overload
        def __init__(
            self,
            name: str,
            key: str,
            location: KeyLocation = "header",
            **options: Unpack[TokenOptions[T]],
        ) -> None: ...
        def __init__(
            self,
            name: str,
            key: str,
            location: KeyLocation = "header",
            **options: t.Any,
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        known = t.get_args(KeyLocation)
        if self.location not in known:
            names = ", ".join(map(repr, known))
            raise SignatureError(
                f"APIKey({self.name!r}, {self.key!r}): there is no location"
                f" {self.location!r}. Use one of {names}."
            )

    def read_credentials(self, request: Request) -> Credentials:
        """The key."""
        cookies = request.headers.get("Cookie", "")
        if self.location == "cookie" and MANY_BLANKS.search(cookies):
            return MALFORMED
        try:
            if self.location == "header":
                header = request.headers.get(self.key)
                sent = [] if header is None else [header]
            else:
                values = request.args if self.location == "query" else request.cookies
                sent = values.getlist(self.key)
        except UnicodeError:
            # The query is not UTF-8, so that what is in it is unknown.
            return MALFORMED
        if not sent:
            return None
        value, *more = sent
        return MALFORMED if more or not API_KEY.fullmatch(value) else (value,)

    def challenge(
        self, error: str | None = None, scopes: Sequence[str] = ()
    ) -> WWWAuthenticate:
        """``APIKey realm="key", name="X-Key", in="header"``, which no standard has."""
        parameters = {"realm": self.name, "name": self.key, "in": self.location}
        return make_challenge("APIKey", parameters)

    def _members(self) -> dict[str, t.Any]:
        return {"type": "apiKey", "name": self.key, "in": self.location}


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
        """The user name and the password. Source: RFC 7617, 2 and 2.1."""
        encoded = read_authorization(request, "basic")
        if not isinstance(encoded, str):
            return encoded
        try:
            decoded = b64decode(encoded, validate=True)
            text = decoded.decode()
        except ValueError:
            return MALFORMED
        # Releases of Python differ in what else they take for Base64.
        if b64encode(decoded) != encoded.encode():
            return MALFORMED
        username, colon, password = text.partition(":")
        is_valid = colon and not CONTROL_CHARACTERS.search(text)
        return (username, password) if is_valid else MALFORMED

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
        token = read_authorization(request, "bearer")
        if not isinstance(token, str):
            return token
        return (token,) if BEARER_TOKEN.fullmatch(token) else MALFORMED

    def challenge(
        self, error: str | None = None, scopes: Sequence[str] = ()
    ) -> WWWAuthenticate:
        """``Bearer realm="token", error="insufficient_scope", scope="a b"``.

        There is always a realm: the scheme has to be followed by a parameter.

        Source: RFC 6750, 3 and 3.1.
        """
        parameters = {"realm": self.name}
        if error is not None:
            parameters["error"] = error
        if scopes:
            parameters["scope"] = " ".join(scopes)
        return make_challenge("Bearer", parameters)


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


#: The URLs that a flow needs, by its name in the document.
FLOWS: t.Final[dict[str, frozenset[str]]] = {
    "implicit": frozenset({"authorization_url"}),
    "password": frozenset({"token_url"}),
    "client_credentials": frozenset({"token_url"}),
    "authorization_code": frozenset({"authorization_url", "token_url"}),
    "device_authorization": frozenset({"device_authorization_url", "token_url"}),
}

#: The URLs that a flow has where it needs them, and nowhere else.
URLS: t.Final = ("authorization_url", "device_authorization_url", "token_url")


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
    device_authorization_url: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> dict[str, t.Any]:
        """The OAuth Flow Object."""
        urls = {_camel(name): getattr(self, name) for name in (*URLS, "refresh_url")}
        given = {key: url for key, url in urls.items() if url is not None}
        return {**given, "scopes": dict(self.scopes)}


@dataclass(frozen=True, eq=False)
class OAuth2(TokenScheme[T]):
    """OAuth 2 in one or more of its flows: ``verify(token)``.

    :param device_authorization: the device flow, which OpenAPI 3.2 has. Source:
        RFC 8628.
    :param oauth2_metadata_url: of the metadata of the server, which OpenAPI 3.2 has.
        Source: RFC 8414.
    :raises SignatureError: if there is no flow, or a flow has not the URLs it needs.

    Source: OpenAPI 3.1, OAuth Flows Object.

    .. versionadded:: 0.1
    """

    authorization_code: OAuthFlow | None = field(default=None, kw_only=True)
    client_credentials: OAuthFlow | None = field(default=None, kw_only=True)
    password: OAuthFlow | None = field(default=None, kw_only=True)
    implicit: OAuthFlow | None = field(default=None, kw_only=True)
    device_authorization: OAuthFlow | None = field(default=None, kw_only=True)
    oauth2_metadata_url: str | None = field(default=None, kw_only=True)

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
            device_authorization: OAuthFlow | None = None,
            oauth2_metadata_url: str | None = None,
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
            device_authorization: OAuthFlow | None = None,
            oauth2_metadata_url: str | None = None,
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
            for url in URLS:
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
        url = self.oauth2_metadata_url
        return {"type": "oauth2", "flows": flows, "oauth2MetadataUrl": url}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


#: The scheme of an Authorization header, and what follows it.
#: Source: RFC 9110, 11.4.
AUTHORIZATION: t.Final = re.compile(f"({TOKEN})(?: +(.*))?", re.DOTALL)

#: Visible ASCII without quotes and commas, of which lists of values are made.
BEARER_TOKEN: t.Final = re.compile(r"[!#-+\--~]+")

#: Printable ASCII, not blank.
API_KEY: t.Final = re.compile(r"(?! *\Z)[ -~]+")

#: What makes Werkzeug's parser of cookies take a time that grows with its square.
MANY_BLANKS: t.Final = re.compile(r"[ \t]{100}")

#: Source: RFC 5234, B.1 (``CTL``).
CONTROL_CHARACTERS: t.Final = re.compile(r"[\x00-\x1f\x7f]")


def read_authorization(request: Request, scheme: str) -> str | Malformed | None:
    """What follows a scheme in the Authorization header, ``""`` where nothing does."""
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    # Blanks around the value of a header are no part of it: RFC 9110, 5.5.
    found = AUTHORIZATION.fullmatch(header.strip(" \t"))
    if found is None:
        return MALFORMED
    return found[2] or "" if found[1].lower() == scheme else None


#: The characters of a quoted string, without those that need no thought anyway.
#: Source: RFC 9110, 5.6.4.
PRINTABLE: t.Final = "".join(map(chr, range(0x20, 0x7F)))


class Challenge(WWWAuthenticate):
    """A challenge whose parameters are all quoted, and whose name keeps its case.

    Werkzeug writes ``Apikey`` for ``APIKey``, and ``realm=x`` without quotes, which
    RFC 9110, 11.5 forbids.
    """

    def to_header(self) -> str:
        name = "APIKey" if self.type == "apikey" else self.type.title()
        values = [
            f"{key}={quote_header_value(value, allow_token=False)}"
            for key, value in self.parameters.items()
        ]
        return f"{name} {', '.join(values)}"


def make_challenge(name: str, parameters: dict[str, str]) -> WWWAuthenticate:
    """A challenge such as ``Basic realm="shop"``.

    What a header can't hold is percent-encoded: a line break, or a letter with an
    accent.
    """
    values: dict[str, str | None] = {
        key: quote(value, safe=PRINTABLE, errors="replace")
        for key, value in parameters.items()
    }
    return Challenge(name, values)


#: What a function gives, which ``None`` and ``False`` refuse.
Found: t.TypeAlias = T | t.Literal[False] | None

#: What a coroutine function, a generator function or both at once gives.
Later: t.TypeAlias = Awaitable[Found[T]] | Iterator[Found[T]] | AsyncIterator[Found[T]]


class _Options(TypedDict, t.Generic[T], total=False):
    description: str | None
    get_scopes: Callable[[T], Iterable[str] | str] | None
    responses: ResponsesOption
    deprecated: bool


class TokenOptions(_Options[T], total=False):
    """The options of a scheme with one credential."""

    verify: Callable[Concatenate[str, ...], Found[T]] | None
    authenticate: Callable[..., Found[T]] | None


class LaterTokenOptions(_Options[T], total=False):
    """Those with coroutine functions and generator functions."""

    verify: Callable[Concatenate[str, ...], Later[T]]
    authenticate: Callable[..., Later[T]]


class PasswordOptions(_Options[T], total=False):
    """The options of a scheme with a user name and a password."""

    verify: Callable[Concatenate[str, str, ...], Found[T]] | None
    authenticate: Callable[..., Found[T]] | None


class LaterPasswordOptions(_Options[T], total=False):
    """Those with coroutine functions and generator functions."""

    verify: Callable[Concatenate[str, str, ...], Later[T]]
    authenticate: Callable[..., Later[T]]


class Scopes(tuple[str, ...]):
    """The scopes that an operation asks for, in their order.

    An argument of ``authenticate=`` with this annotation receives them. ``str()`` joins
    them by spaces, which is what OAuth 2 libraries read as "all of these".

    :param scopes: ``["orders:read", "orders:write"]``, or a string of them as in a
        token: ``"orders:read orders:write"``.

    Source: RFC 6749, 3.3.

    .. versionadded:: 0.2
    """

    __slots__ = ()

    def __new__(cls, scopes: Iterable[str] | str = ()) -> Self:
        return super().__new__(cls, _scopes_in(scopes))

    def __str__(self) -> str:
        return " ".join(self)


def split_scopes(value: Iterable[str] | str) -> frozenset[str]:
    """The scopes that ``get_scopes=`` returned: ``"a b"`` and ``["a", "b"]`` are two.

    :raises TypeError: if it returned anything else, such as ``None``.

    Source: RFC 6749, 3.3.
    """
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise TypeError(
            f"get_scopes= has returned {type(value).__name__!r}, which is no list of"
            " scopes. Return [] where there are none."
        )
    return frozenset(_scopes_in(value))


def _scopes_in(value: Iterable[str] | str) -> Iterable[str]:
    if isinstance(value, str):
        return [scope for scope in value.split(" ") if scope]
    return value
