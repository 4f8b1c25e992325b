"""The body of a request as bytes, and its content type.

Also tells what a subclass of ``flask.Request`` reads in its own way, which is then left
to it.
"""

from __future__ import annotations

import sys
import typing as t
from functools import lru_cache
from io import BytesIO

import flask
from flask import Request
from flask import current_app
from werkzeug.exceptions import ClientDisconnected
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wsgi import LimitedStream

from .originals import find_original

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.datastructures import FileStorage
    from werkzeug.datastructures import MultiDict

#: The current application.
# Documented by Werkzeug for LocalProxy, in spite of its name.
find_app: Callable[[], flask.Flask] = current_app._get_current_object  # type: ignore[attr-defined]

#: The property that returns what is configured, unless a request has a limit of its
#: own. From Flask 3.1 it may, and keeps it in an attribute.
MAX_CONTENT_LENGTH: t.Final = find_original(flask, Request, "max_content_length")
MAY_HAVE_OWN_LIMIT: t.Final = hasattr(Request, "_max_content_length")

#: A body of at most so many bytes is asked for at once. Some servers' streams allocate
#: what they are asked for, before the client has sent it.
AT_ONCE: t.Final = 1 << 20
MOST_DIGITS: t.Final = len(str(AT_ONCE))

#: The attributes that a subclass of Request may override, by what they decide.
OVERRIDABLE: t.Final = {
    "args": ("args", "parameter_storage_class"),
    "cookies": ("cookies", "dict_storage_class"),
    "data": ("get_data", "stream"),
    "form": (
        "form",
        "files",
        "form_data_parser_class",
        "make_form_data_parser",
        "parameter_storage_class",
        "want_form_data_parsed",
        "_load_form_data",
    ),
}


def find_overridden(request_class: type[Request]) -> frozenset[str]:
    """What a class of requests reads in its own way: ``{"args"}``, empty for most."""
    return frozenset(
        read
        for read, names in OVERRIDABLE.items()
        for name in names
        if getattr(request_class, name, None) is not getattr(Request, name, None)
    )


#: The same, cached. Requests have no hash, but their class has one.
overridden_by: t.Final[Callable[[type[Request]], frozenset[str]]] = lru_cache(  # type: ignore[assignment]
    find_overridden
)


def overrides(request: Request, read: str) -> bool:
    """Whether the class of a request reads something in its own way.

    :param read: one of the keys of :data:`OVERRIDABLE`.
    """
    cls = type(request)
    return cls is not Request and read in overridden_by(cls)


def max_content_length(request: t.Any) -> int | None:
    """What the property of a request returns, but without Flask's proxies."""
    limit: int | None
    if type(request).max_content_length is MAX_CONTENT_LENGTH and not (
        MAY_HAVE_OWN_LIMIT and request._max_content_length is not None
    ):
        try:
            limit = find_app().config["MAX_CONTENT_LENGTH"]
            return limit
        except RuntimeError:
            # There is no application.
            pass
    limit = request.max_content_length
    return limit


def read_data(request: Request) -> bytes:
    """The bytes of ``request.get_data()``, which can still be called afterwards.

    A body whose length is known is read at once, without Werkzeug's limited stream. The
    environ then holds it as ``wsgi.input`` for whoever reads it next.

    :raises ClientDisconnected: if the body is shorter than its length.
    :raises RequestEntityTooLarge: if it is longer than ``MAX_CONTENT_LENGTH``.
    """
    environ, cls = request.environ, type(request)
    digits: str = environ.get("CONTENT_LENGTH") or ""
    if not (
        len(digits) <= MOST_DIGITS
        and digits.isascii()
        and digits.isdigit()
        # The stream may be longer than its length.
        and "HTTP_TRANSFER_ENCODING" not in environ
        and "wsgi.input_terminated" not in environ
        # A cached property is among the attributes once it was used.
        and "stream" not in request.__dict__
        # The body of such a request is not to be read.
        and not request.shallow
        and (cls is Request or "data" not in overridden_by(cls))
        and (length := int(digits)) <= AT_ONCE
        and ((limit := max_content_length(request)) is None or length <= limit)
    ):
        return _read_by_werkzeug(request)
    stream = environ["wsgi.input"]
    try:
        data: bytes = stream.read(length)
        while len(data) < length and (more := stream.read(length - len(data))):
            data += more
    except (OSError, ValueError) as error:
        # What the stream of some servers raises when the client is gone, and one that
        # is closed, which Werkzeug treats as a disconnected client.
        raise ClientDisconnected() from error
    environ["wsgi.input"] = BytesIO(data)
    if len(data) < length:
        # Werkzeug refuses it.
        return _read_by_werkzeug(request)
    # Where get_data() keeps what forms are parsed from; nothing public sets it.
    request._cached_data = data
    return data


def _read_by_werkzeug(request: Request) -> bytes:
    try:
        data = request.get_data()
        check_body_limit(request)
        return data
    except OSError as error:
        raise ClientDisconnected() from error


def read_files(request: Request) -> MultiDict[str, FileStorage]:
    """The files of ``request.files``, for which Werkzeug parses the form.

    A stream that a server ends may raise errors of its own, which are told here from
    those of the files that Werkzeug writes.

    :raises ClientDisconnected: if the stream breaks.
    """
    # A class may have a stream of its own, and what Werkzeug limits raises this itself.
    if overrides(request, "data") or isinstance(request.stream, LimitedStream):
        return request.files
    stream = request.stream
    request.stream = limited = t.cast("t.IO[bytes]", unlimited(stream))
    try:
        return request.files
    finally:
        # Data that was read before is parsed from a stream of its own.
        if request.stream is limited:
            request.stream = stream


def unlimited(stream: t.IO[bytes]) -> LimitedStream:
    """A stream that raises ``ClientDisconnected`` where it breaks."""
    return LimitedStream(stream, sys.maxsize, is_max=True)


def check_body_limit(request: Request) -> None:
    """Refuse a body that was read as far as ``MAX_CONTENT_LENGTH``, and goes on.

    Werkzeug stops there, and takes what it has for the body.

    :raises RequestEntityTooLarge: if there is more of it.

    Source: RFC 9110, 15.5.14 (413).
    """
    environ, limit = request.environ, max_content_length(request)
    # A stream that does not end by itself has a length, which was checked before.
    if limit is None or "wsgi.input_terminated" not in environ:
        return
    stream = request.stream
    if isinstance(stream, LimitedStream):
        is_at_limit = stream.is_exhausted
    else:
        is_at_limit = len(request.get_data()) >= limit
    if is_at_limit and unlimited(environ["wsgi.input"]).read(1):
        raise RequestEntityTooLarge()


def length_of(request: Request) -> int | None:
    """The length of a body: ``request.content_length``, ``None`` for a chunked one."""
    environ = request.environ
    digits: str = environ.get("CONTENT_LENGTH", "")
    is_plain = digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS
    if is_plain and "HTTP_TRANSFER_ENCODING" not in environ:
        return int(digits)
    return request.content_length


def has_body(request: Request) -> bool:
    """Whether the headers announce a body. A chunked one has no length."""
    return "HTTP_TRANSFER_ENCODING" in request.environ or bool(length_of(request))


def mimetype_of(request: Request) -> str:
    """The content type of a request without its parameters: ``request.mimetype``.

    Source: RFC 9110, 8.3.1 and 5.6.3.
    """
    content_type: str = request.environ.get("CONTENT_TYPE") or ""
    return content_type.partition(";")[0].strip(" \t").lower()
