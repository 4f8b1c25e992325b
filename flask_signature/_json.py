"""JSON that every parser reads: no ``NaN``, no infinities, no lone surrogates."""

from __future__ import annotations

import json
import re
import typing as t

from flask.json.provider import DefaultJSONProvider

if t.TYPE_CHECKING:
    from flask import Response
    from flask.sansio.app import App

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

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._encoder: tuple[t.Any, json.JSONEncoder] = (None, json.JSONEncoder())

    def dumps(self, obj: t.Any, **kwargs: t.Any) -> str:
        """The JSON text of a value, which can be encoded whatever is in it."""
        text = super().dumps(obj, **kwargs)
        # Python knows it without a look at the text; it is the rule, too.
        return text if text.isascii() else without_surrogates(text)

    def response(self, *args: t.Any, **kwargs: t.Any) -> Response:
        """A response with ``null`` where Python writes ``NaN`` and infinities.

        Only responses: a session may hold them, and Python reads them back.
        """
        if len(args) == 1 and not kwargs and self._is_usual():
            try:
                text = self._encode(args[0])
            except ValueError:
                # A number that is none of JSON's, or a loop.
                pass
            else:
                # The reference to the application is Flask's, for providers of its own.
                make = self._app.response_class
                return t.cast("Response", make(f"{text}\n", mimetype=self.mimetype))
        response = t.cast("Response", super().response(*args, **kwargs))
        response.set_data(without_constants(response.get_data()))
        return response

    def _is_usual(self) -> bool:
        """Whether the text has no whitespace, and no subclass writes another."""
        compact = not self._app.debug if self.compact is None else self.compact
        return compact and self.ensure_ascii and type(self).dumps is JSONProvider.dumps

    def _encode(self, obj: t.Any) -> str:
        """What ``dumps()`` writes, by an encoder that is not made anew each time."""
        told = (self.default, self.sort_keys)
        known, encoder = self._encoder
        if known != told:
            encoder = json.JSONEncoder(
                default=self.default,
                sort_keys=self.sort_keys,
                separators=(",", ":"),
                allow_nan=False,
            )
            self._encoder = (told, encoder)
        return encoder.encode(obj)
