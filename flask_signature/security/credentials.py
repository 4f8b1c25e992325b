"""What a request sends for a scheme: strings, nothing, or what can't be a credential.

Requests go in; the schemes call it. Nothing here raises an exception, whatever was
sent, and nothing keeps what was sent.
"""

from __future__ import annotations

import re
import typing as t
from base64 import b64decode, b64encode
from enum import Enum

from .._tokens import TOKEN

if t.TYPE_CHECKING:
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
        # The query is not UTF-8, so that nobody can say what is in it.
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
