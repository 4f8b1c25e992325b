"""Valid JSON for responses: no ``NaN``, no infinities, no lone surrogates."""

from __future__ import annotations

import json
import re
import typing as t

import flask
from flask.json.provider import DefaultJSONProvider

from .originals import find_original

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response
    from flask.sansio.app import App

#: Returns the JSON text of a value.
Encode: t.TypeAlias = "Callable[[t.Any], str]"

#: The content type of JSON. Source: RFC 8259, 11.
JSON: t.Final = "application/json"

#: Flask's methods that write JSON. One that was replaced is called.
FLASKS_DUMPS: t.Final = find_original(flask, DefaultJSONProvider, "dumps")
FLASKS_RESPONSE: t.Final = find_original(flask, DefaultJSONProvider, "response")

#: What JSONEncoder.encode() makes anew for each value. Nothing public keeps one.
MAKE_ENCODER: t.Final = getattr(json.encoder, "c_make_encoder", None)

#: A JSON string, or a constant that is JavaScript's and not JSON's.
STRING_OR_CONSTANT: t.Final = re.compile(rb'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')

#: Half of a character beyond the first 65,536. It has no form in UTF-8.
SURROGATE: t.Final = re.compile("[\ud800-\udfff]")


def without_constants(text: bytes) -> bytes:
    """A JSON text with ``null`` for ``NaN``, ``Infinity`` and ``-Infinity``.

    Source: RFC 8259, 6.
    """
    if b"NaN" not in text and b"Infinity" not in text:
        return text
    return STRING_OR_CONSTANT.sub(_null_for_constant, text)


def _null_for_constant(match: re.Match[bytes]) -> bytes:
    found = match[0]
    return found if found.startswith(b'"') else b"null"


def without_surrogates(text: str) -> str:
    """A JSON text with the escapes of JSON for lone surrogates.

    Source: RFC 8259, 7.
    """
    return SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class JSONProvider(DefaultJSONProvider):
    """Flask's own JSON, byte for byte, except where that would not be valid JSON.

    .. versionadded:: 0.1
    """

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._encoder: tuple[t.Any, t.Any, Encode] = (object(), None, str)

    def dumps(self, obj: t.Any, **kwargs: t.Any) -> str:
        """The JSON text of a value, which can always be encoded as UTF-8."""
        text = super().dumps(obj, **kwargs)
        # isascii() takes constant time, and most texts are ASCII.
        return text if text.isascii() else without_surrogates(text)

    def response(self, *args: t.Any, **kwargs: t.Any) -> Response:
        """A response with ``null`` where Python writes ``NaN`` and infinities.

        Only responses: a session may hold them, and Python reads them back.
        """
        if len(args) == 1 and not kwargs and (encode := self._find_encode()):
            try:
                encoded = encode(args[0])
            except (ValueError, RecursionError):
                # NaN, an infinity, or a value that contains itself.
                pass
            else:
                # Flask keeps the reference to the application for its providers.
                make: t.Any = self._app.response_class
                made: Response = make(f"{encoded}\n", mimetype=self.mimetype)
                return made
        response = t.cast("Response", super().response(*args, **kwargs))
        text = response.get_data()
        valid = without_constants(text)
        if valid is not text:
            response.set_data(valid)
        return response

    def _find_encode(self) -> Encode | None:
        """What ``dumps()`` returns, from an encoder that is kept between calls.

        ``None`` where the JSON is not compact ASCII, or no method of Flask's writes it.
        The encoder raises :exc:`RecursionError` if a value contains itself.
        """
        compact = not self._app.debug if self.compact is None else self.compact
        if (
            not compact
            or not self.ensure_ascii
            or "dumps" in self.__dict__
            or type(self).dumps is not DUMPS
            or DefaultJSONProvider.dumps is not FLASKS_DUMPS
            or DefaultJSONProvider.response is not FLASKS_RESPONSE
        ):
            return None
        default, sort_keys, encode = self._encoder
        if default != self.default or sort_keys != self.sort_keys:
            default, sort_keys = self.default, self.sort_keys
            encode = make_encode(default, sort_keys)
            self._encoder = (default, sort_keys, encode)
        return encode


def make_encode(default: Callable[[t.Any], t.Any] | None, sort_keys: bool) -> Encode:
    """A function that returns the compact JSON text of a value.

    It raises :exc:`ValueError` for ``NaN`` and infinities.
    """
    if MAKE_ENCODER is None:
        return json.JSONEncoder(
            default=default,
            sort_keys=sort_keys,
            separators=(",", ":"),
            check_circular=False,
            allow_nan=False,
        ).encode
    if default is None:
        default = json.JSONEncoder().default
    encode = MAKE_ENCODER(
        *(None, default, json.encoder.encode_basestring_ascii, None),
        *(":", ",", sort_keys, False, False),
    )
    return lambda value: "".join(encode(value, 0))


#: Ours. A wrapper that is put into the class later is another function.
DUMPS: t.Final = JSONProvider.dumps
