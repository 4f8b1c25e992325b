"""The bytes of a request's body, and what they are."""

from __future__ import annotations

import typing as t
from io import BytesIO

from werkzeug.exceptions import ClientDisconnected
from werkzeug.wrappers import Request

if t.TYPE_CHECKING:
    import flask

#: A body of at most so many bytes is asked for at once. Some servers' streams allocate
#: what they are asked for, before the client has sent it.
AT_ONCE: t.Final = 1 << 20
MOST_DIGITS: t.Final = len(str(AT_ONCE))


def read_data(request: flask.Request) -> bytes:
    """The data of ``request.get_data()``, which can still be called.

    A body whose length is known is read as a whole, not through the streams that keep
    others from being read too far; the environment then holds it for whoever asks next.

    :raises ClientDisconnected: if the body is shorter than its length.
    :raises RequestEntityTooLarge: if it is longer than ``MAX_CONTENT_LENGTH``.
    """
    length = _length_at_once(request)
    if length is None:
        return request.get_data()
    stream = request.environ["wsgi.input"]
    try:
        data: bytes = stream.read(length)
        while len(data) < length and (more := stream.read(length - len(data))):
            data += more
    except (OSError, ValueError) as error:
        raise ClientDisconnected() from error
    request.environ["wsgi.input"] = BytesIO(data)
    # What is too short is Werkzeug's to judge: it depends on the server.
    return data if len(data) == length else request.get_data()


def _length_at_once(request: flask.Request) -> int | None:
    """The length of a body that nobody has touched, ``None`` where Werkzeug decides."""
    environ = request.environ
    text: str = environ.get("CONTENT_LENGTH", "")
    if len(text) > MOST_DIGITS or not (text.isascii() and text.isdigit()):
        return None
    length, limit = int(text), request.max_content_length
    if length > AT_ONCE or (limit is not None and length > limit):
        return None
    # The stream is among the attributes once it was asked for, by whatever way.
    if "stream" in vars(request) or "HTTP_TRANSFER_ENCODING" in environ:
        return None
    cls = type(request)
    as_usual = cls.get_data is Request.get_data and cls.stream is Request.stream
    return length if as_usual else None


def mimetype_of(request: flask.Request) -> str:
    """The content type of a request without its parameters: ``request.mimetype``.

    Source: RFC 9110, 8.3.1 and 5.6.3.
    """
    content_type: str = request.environ.get("CONTENT_TYPE", "")
    return content_type.partition(";")[0].strip(" \t").lower()
