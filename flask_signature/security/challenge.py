"""The value of a ``WWW-Authenticate`` header, for each kind of scheme."""

from __future__ import annotations

import typing as t
from urllib.parse import quote

from werkzeug.datastructures import WWWAuthenticate
from werkzeug.http import quote_header_value

if t.TYPE_CHECKING:
    from collections.abc import Sequence

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
