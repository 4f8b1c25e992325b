"""Valid JSON for responses: no ``NaN``, no infinities, no lone surrogates."""

from __future__ import annotations

import json
import re
import typing as t

import flask
from flask.json.provider import DefaultJSONProvider

from .originals import compile_question, originals
from .response import WrittenBody, start_of

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response
    from flask.sansio.app import App

    from .originals import Original

#: Returns the JSON text of a value.
Encode: t.TypeAlias = "Callable[[t.Any], str]"

#: The content type of JSON. Source: RFC 8259, 11.
JSON: t.Final = "application/json"

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
    return STRING_OR_CONSTANT.sub(
        lambda match: match[0] if match[0].startswith(b'"') else b"null", text
    )


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
        if len(args) == 1 and not kwargs:
            # Flask keeps the reference to the application for its providers.
            app: t.Any = self._app
            cls = app.response_class
            body = self.write(args[0], cls.default_status, is_debug=app.debug)
            if body is not None:
                return body.response(cls)
        response = t.cast("Response", super().response(*args, **kwargs))
        text = response.get_data()
        valid = without_constants(text)
        if valid is not text:
            response.set_data(valid)
        return response

    def write(
        self, value: t.Any, status: int | str, *, is_debug: bool
    ) -> WrittenBody | None:
        """The body of a response, ``None`` where :meth:`response` has to write it.

        That is another JSON than Flask's usual one, ``NaN``, infinities, a value that
        contains itself, and where a method that writes JSON has been replaced.

        :raises TypeError: if there is no JSON for the value.
        """
        compact, default, sort_keys = self.compact, self.default, self.sort_keys
        own = self.__dict__
        if (
            not self.ensure_ascii
            or not (compact or (compact is None and not is_debug))
            or "dumps" in own
            or "response" in own
            or not writes_as_flask(type(self))
        ):
            return None
        known, is_sorted, encode = self._encoder
        if known != default or is_sorted != sort_keys:
            encode = make_encode(default, sort_keys)
            self._encoder = (default, sort_keys, encode)
        try:
            data = f"{encode(value)}\n".encode()
        except (ValueError, RecursionError):
            return None
        start = start_of(status, self.mimetype)
        return None if start is None else WrittenBody(data, start)


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


#: The methods that write JSON: Flask's, and that of the class of a provider.
WRITING: t.Final[list[Original]] = [
    *originals(flask, DefaultJSONProvider, "dumps response"),
    (None, "dumps", JSONProvider.dumps),
]

#: Asks of the class of a provider whether they are in place.
writes_as_flask: t.Final = compile_question(WRITING)
