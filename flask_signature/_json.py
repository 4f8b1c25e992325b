"""JSON that every parser reads: no ``NaN``, no infinities, no lone surrogates."""

from __future__ import annotations

import re
import typing as t

from flask.json.provider import DefaultJSONProvider

if t.TYPE_CHECKING:
    from flask import Response

#: A text, or a constant that is JavaScript's and not JSON's.
TEXT_OR_CONSTANT: t.Final = re.compile(rb'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')

#: Half of a character beyond the first 65,536. It has no form in UTF-8.
SURROGATE: t.Final = re.compile("[\ud800-\udfff]")


def without_constants(text: bytes) -> bytes:
    """A JSON text with ``null`` for ``NaN``, ``Infinity`` and ``-Infinity``.

    Source: RFC 8259, 6.
    """
    if b"NaN" not in text and b"Infinity" not in text:
        return text
    return TEXT_OR_CONSTANT.sub(_null_for_constant, text)


def _null_for_constant(match: re.Match[bytes]) -> bytes:
    found = match[0]
    return found if found.startswith(b'"') else b"null"


def without_surrogates(text: str) -> str:
    """A JSON text with the escapes of JSON for lone surrogates.

    Source: RFC 8259, 7.
    """
    return SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class JSONProvider(DefaultJSONProvider):
    """Flask's own JSON, byte for byte, save for what would be no JSON at all."""

    def dumps(self, obj: t.Any, **kwargs: t.Any) -> str:
        """The JSON text of a value, which can be encoded whatever is in it."""
        text = super().dumps(obj, **kwargs)
        # Python knows it without a look at the text; it is the rule, too.
        return text if text.isascii() else without_surrogates(text)

    def response(self, *args: t.Any, **kwargs: t.Any) -> Response:
        """A response with ``null`` where Python writes ``NaN`` and infinities.

        Only responses: a session may hold them, and Python reads them back.
        """
        response = t.cast("Response", super().response(*args, **kwargs))
        text = response.get_data()
        plain = without_constants(text)
        if plain is not text:
            response.set_data(plain)
        return response
