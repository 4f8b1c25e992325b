"""What a request sends to say who it is from, and the challenge where it does not.

Source: RFC 9110, 11.
"""

from __future__ import annotations

import re
import typing as t
from enum import Enum
from urllib.parse import quote

from werkzeug.datastructures import WWWAuthenticate
from werkzeug.http import quote_header_value

from .._common import TOKEN

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
