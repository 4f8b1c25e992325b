"""What a request sends to say who it is from, and the challenge where it does not.

Source: RFC 9110, 11.
"""

from __future__ import annotations

import re
import typing as t
from base64 import b64decode, b64encode
from enum import Enum
from inspect import iscoroutinefunction
from urllib.parse import quote

from werkzeug.datastructures import WWWAuthenticate
from werkzeug.http import quote_header_value

from .._common import TOKEN
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.wrappers import Request


class Malformed(Enum):
    """The type of :data:`MALFORMED`, for type checkers.

    .. versionadded:: 0.2
    """

    MALFORMED = "malformed"


#: Something was sent that can't be a credential.
MALFORMED: t.Final = Malformed.MALFORMED

#: ``("abc",)``, for Basic ``("user", "password")``, ``None`` where nothing was sent.
Credentials: t.TypeAlias = "tuple[str, ...] | Malformed | None"

#: Where an API key is sent. Source: OpenAPI 3.1, Security Scheme Object ``in``.
KeyLocation: t.TypeAlias = t.Literal["header", "query", "cookie"]

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


def read_bearer(request: Request) -> Credentials:
    """The token of ``Authorization: Bearer``. Source: RFC 6750, 2.1."""
    token = _read_authorization(request, "bearer")
    if not isinstance(token, str):
        return token
    return (token,) if BEARER_TOKEN.fullmatch(token) else MALFORMED


def read_basic(request: Request) -> Credentials:
    """The user name and the password of ``Authorization: Basic``.

    Source: RFC 7617, 2 and 2.1.
    """
    encoded = _read_authorization(request, "basic")
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
    if not colon or CONTROL_CHARACTERS.search(text):
        return MALFORMED
    return username, password


def read_key(request: Request, key: str, location: KeyLocation) -> Credentials:
    """The API key of a header, of the query or of a cookie."""
    if location == "cookie" and MANY_BLANKS.search(request.headers.get("Cookie", "")):
        return MALFORMED
    try:
        sent = _read_values(request, key, location)
    except UnicodeError:
        # The query is not UTF-8, so that what is in it is unknown.
        return MALFORMED
    if not sent:
        return None
    value, *more = sent
    if more or not API_KEY.fullmatch(value):
        return MALFORMED
    return (value,)


def _read_values(request: Request, key: str, location: KeyLocation) -> list[str]:
    if location == "header":
        header = request.headers.get(key)
        return [] if header is None else [header]
    values = request.args if location == "query" else request.cookies
    return values.getlist(key)


def _read_authorization(request: Request, scheme: str) -> str | Malformed | None:
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
        name = CHALLENGE_NAMES[self.type]
        values = [
            f"{key}={quote_header_value(value, allow_token=False)}"
            for key, value in self.parameters.items()
        ]
        return f"{name} {', '.join(values)}"


#: The names of the authentication schemes, as they are written.
CHALLENGE_NAMES: t.Final = {"apikey": "APIKey", "basic": "Basic", "bearer": "Bearer"}


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


def bearer_challenge(
    realm: str, error: str | None, scopes: Sequence[str]
) -> WWWAuthenticate:
    """``Bearer realm="token", error="insufficient_scope", scope="a b"``.

    There is always a realm: the scheme has to be followed by a parameter.

    Source: RFC 6750, 3 and 3.1.
    """
    parameters = {"realm": realm}
    if error is not None:
        parameters["error"] = error
    if scopes:
        parameters["scope"] = " ".join(scopes)
    return make_challenge("Bearer", parameters)


EXAMPLES: t.Final = {
    "verify": "verify=find_user, with 'def find_user({})'",
    "get_scopes": "get_scopes=lambda user: user.scopes",
    "authenticate": "authenticate=find_user, with 'def find_user()'",
}


class Scheme(t.Protocol):
    """What is read of a security scheme."""

    @property
    def name(self) -> str:
        """The name in the document."""

    @property
    def responses(self) -> t.Any:
        """What its functions abort with, by status."""


def check_functions(scheme: Scheme, credentials: str) -> None:
    """Refuse what can't be called, and what can't be combined.

    :param credentials: the first arguments of ``verify=``: ``"username, password"``.
    :raises SignatureError: if there is something to refuse.
    """
    given = {name: getattr(scheme, name) for name in EXAMPLES}
    examples = {name: text.format(credentials) for name, text in EXAMPLES.items()}
    problem = (
        _find_misplaced(vars(scheme), examples)
        or _find_wrong_type(given, examples)
        or _find_conflict(given, examples)
        or _find_unused(given, scheme.responses)
    )
    if problem:
        raise scheme_error(scheme, problem)


def scheme_error(scheme: Scheme, problem: str) -> SignatureError:
    """The error that names a scheme: ``HTTPBearer('token'): ...``."""
    return SignatureError(f"{type(scheme).__name__}({scheme.name!r}): {problem}")


def _find_misplaced(
    options: Mapping[str, t.Any], examples: Mapping[str, str]
) -> str | None:
    """A function without its keyword, which would check nothing."""
    for name, value in options.items():
        if name not in examples and callable(value):
            return f"{name}= is a function. Write {examples['verify']}."
    return None


def _find_wrong_type(
    given: Mapping[str, t.Any], examples: Mapping[str, str]
) -> str | None:
    for name, value in given.items():
        if value is not None and not callable(value):
            # The value itself may be a secret that was meant for something else.
            return (
                f"{name}= is of type {type(value).__name__!r}, which can't be called."
                f" Give a function: {examples[name]}."
            )
    if iscoroutinefunction(given["get_scopes"]):
        return (
            "get_scopes= is a coroutine function. Write it with 'def', and load what"
            " it needs in verify=."
        )
    return None


def _find_unused(given: Mapping[str, t.Any], responses: t.Any) -> str | None:
    if not responses or given["verify"] or given["authenticate"]:
        return None
    return (
        "responses= describes what verify= aborts with, which is not there. Add it, or"
        " declare these on the routes."
    )


def _find_conflict(
    given: Mapping[str, t.Any], examples: Mapping[str, str]
) -> str | None:
    has_verify = given["verify"] is not None
    has_authenticate = given["authenticate"] is not None
    if has_verify and has_authenticate:
        return (
            "there are both verify= and authenticate=. Give verify= to check the"
            " credentials that are read for you, or authenticate= to read the request"
            " yourself."
        )
    if given["get_scopes"] is not None and not (has_verify or has_authenticate):
        return (
            "there is get_scopes=, but nothing that finds whose scopes they are. Add"
            f" {examples['verify']}."
        )
    return None
