"""A request that is read in fewer steps, equal to what Werkzeug reads.

It goes in, the bytes of its body come out, and ``(name, value)`` of its query, cookies
and form. What is not plain, and all of a subclass of ``flask.Request``, is Werkzeug's.
"""

from __future__ import annotations

import re
import sys
import typing as t
from contextvars import ContextVar
from functools import lru_cache
from io import BytesIO
from itertools import chain
from urllib.parse import unquote

import flask
from flask import Request
from werkzeug.datastructures import EnvironHeaders
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestEntityTooLarge
from werkzeug.wsgi import LimitedStream

from .._common import TOKEN
from .originals import find_original

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from werkzeug.datastructures import FileStorage, MultiDict

#: The variable of the context with the current application.
# Nothing public reads it without the proxy, which takes four times as long.
APP: t.Final[ContextVar[t.Any]] = vars(flask.globals).get("_cv_app", ContextVar("app"))
get_app: t.Final = APP.get

#: The property that returns what is configured, unless a request has a limit of its
#: own. From Flask 3.1 it may, and keeps it in an attribute.
MAX_CONTENT_LENGTH: t.Final = find_original(flask, Request, "max_content_length")

#: A body of at most so many bytes is asked for at once. Some servers' streams allocate
#: what they are asked for, before the client has sent it.
AT_ONCE: t.Final = 1 << 20
MOST_DIGITS: t.Final = len(str(AT_ONCE))


class lazy:
    """An attribute that is made when it is first read, and may be set.

    :param make: returns it for an instance, which keeps it.
    :param noted: an attribute that is true from then on.
    """

    def __init__(
        self, name: str, make: Callable[[t.Any], t.Any], noted: str = ""
    ) -> None:
        self._name, self._make, self._noted = name, make, noted

    def __get__(self, instance: t.Any, owner: type | None = None) -> t.Any:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._make(instance)
        if self._noted:
            setattr(instance, self._noted, True)
        return value


class LazyRequest(Request):
    """A :class:`flask.Request` whose attributes are set when they are read.

    :ivar _start: what the environ has for :data:`START` when the request begins, the
        JSON of the application, and the server name of its URL adapter.
    """

    shallow = False
    _start: tuple[t.Any, ...]


#: What a request is made of, but for its headers.
START: t.Final = (
    *("REQUEST_METHOD", "wsgi.url_scheme", "SERVER_NAME", "SERVER_PORT"),
    *("SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "HTTP_HOST", "REMOTE_ADDR"),
)


def _parse(request: LazyRequest) -> Request:
    """The same as Werkzeug constructs it, but for its headers."""
    return Request(dict(zip(START, request._start, strict=False)))


#: What Werkzeug's constructors set, from strings that are all ASCII.
MADE: t.Final[dict[str, Callable[[t.Any], t.Any]]] = {
    "method": lambda request: request._start[0].upper(),
    "scheme": lambda request: request._start[1],
    "server": lambda request: _parse(request).server,
    "root_path": lambda request: request._start[4].rstrip("/"),
    "path": lambda request: f"/{request._start[5].lstrip('/')}",
    "query_string": lambda request: request._start[6].encode(),
    "headers": lambda request: EnvironHeaders(request.environ),
    "remote_addr": lambda request: request._start[8],
    # Flask's context sets it.
    "json_module": lambda request: request._start[9],
}

#: Since Flask 3.1 the host of a request is known when its URL adapter is made.
SETS_HOST: t.Final = "TRUSTED_HOSTS" in flask.Flask.default_config

if SETS_HOST:
    MADE["host"] = lambda request: _parse(request).host

#: Whether these are the attributes in this version of Werkzeug.
REQUEST_IS_KNOWN: t.Final = {"host", "json_module", *vars(Request({}))} == {
    *("host", "environ", "shallow", *MADE)
}

for _name, _make in MADE.items():
    setattr(LazyRequest, _name, lazy(_name, _make))

LazyRequest.__name__ = LazyRequest.__qualname__ = Request.__name__
LazyRequest.__module__ = Request.__module__


#: The classes whose requests are read here. Another one may do so in its own way.
READABLE: t.Final = frozenset({Request, LazyRequest})


def max_content_length(request: t.Any) -> int | None:
    """What the property of a request returns, but without Flask's proxies."""
    limit: int | None
    if (
        type(request).max_content_length is MAX_CONTENT_LENGTH
        and getattr(request, "_max_content_length", None) is None
        and (context := get_app(None)) is not None
    ):
        limit = context.app.config["MAX_CONTENT_LENGTH"]
    else:
        limit = request.max_content_length
    return limit


# A client may send any.
@lru_cache(maxsize=256)
def _plain_length(digits: str) -> int | None:
    """The length of a body, ``None`` where Werkzeug has to read it."""
    is_plain = digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS
    return int(digits) if is_plain else None


def read_data(request: Request) -> bytes:
    """The bytes of ``request.get_data()``, which can still be called afterwards.

    A body whose length is known is read at once, without Werkzeug's limited stream. The
    environ then holds it as ``wsgi.input`` for whoever reads it next.

    :raises ClientDisconnected: if the body is shorter than its length.
    :raises RequestEntityTooLarge: if it is longer than ``MAX_CONTENT_LENGTH``.
    """
    environ = request.environ
    length = _plain_length(environ.get("CONTENT_LENGTH") or "")
    if (
        length is None
        or length > AT_ONCE
        # The stream may be longer than its length.
        or "HTTP_TRANSFER_ENCODING" in environ
        or "wsgi.input_terminated" in environ
        # A cached property is among the attributes once it was used.
        or "stream" in request.__dict__
        # The body of such a request is not to be read.
        or request.shallow
        or type(request) not in READABLE
        or ((limit := max_content_length(request)) is not None and length > limit)
    ):
        return _read_by_werkzeug(request)
    stream = environ["wsgi.input"]
    try:
        data: bytes = stream.read(length)
        while (missing := length - len(data)) > 0 and (more := stream.read(missing)):
            data += more
    except (OSError, ValueError) as error:
        # What the stream of some servers raises when the client is gone, and one that
        # is closed, which Werkzeug treats as a disconnected client.
        raise ClientDisconnected() from error
    environ["wsgi.input"] = BytesIO(data)
    if missing > 0:
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
    if type(request) not in READABLE or isinstance(request.stream, LimitedStream):
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
    length = _plain_length(environ.get("CONTENT_LENGTH", ""))
    if length is None or "HTTP_TRANSFER_ENCODING" in environ:
        return request.content_length
    return length


def has_body(request: Request) -> bool:
    """Whether the headers announce a body. A chunked one has no length."""
    return "HTTP_TRANSFER_ENCODING" in request.environ or bool(length_of(request))


def mimetype_of(request: Request) -> str:
    """The content type of a request without its parameters: ``request.mimetype``.

    Source: RFC 9110, 8.3.1 and 5.6.3.
    """
    content_type: str = request.environ.get("CONTENT_TYPE") or ""
    return content_type.partition(";")[0].strip(" \t").lower()


URLENCODED: t.Final = "application/x-www-form-urlencoded"

#: A Cookie header without anything to unquote or to strip.
#: Source: RFC 6265, 4.1.1 (``cookie-octet``) and 4.2.1.
PLAIN_COOKIES: t.Final = re.compile(
    r"{pair}(?:;[ ]{pair})*".replace("{pair}", TOKEN + r"=[!#-+\--:<-\[\]-~]*")
)

#: Names and values that are strings.
Strings: t.TypeAlias = "Iterable[tuple[str, str]]"


def query_items(request: Request) -> Strings:
    """The items of ``request.args``."""
    # What was asked for before, or set, is among the attributes.
    if "args" not in request.__dict__ and type(request) in READABLE:
        items = split_urlencoded(request.environ.get("QUERY_STRING", ""))
        if items is not None:
            return items
    try:
        return request.args.items(multi=True)
    except UnicodeDecodeError:
        raise BadRequest("The query string is not encoded as UTF-8.") from None


def query_parts(request: Request) -> list[str] | None:
    """The parts of a query string, such as ``"page=2"``, with nothing to unescape.

    ``None`` where :func:`query_items` has to read it. An empty part is none.
    """
    string: str = request.environ.get("QUERY_STRING", "")
    if "%" in string or not string.isascii():
        return None
    if "args" in request.__dict__ or type(request) not in READABLE:
        return None
    return string.replace("+", " ").split("&")


def cookie_items(request: Request) -> Strings:
    """The items of ``request.cookies``."""
    parts = cookie_parts(request)
    return request.cookies.items(multi=True) if parts is None else _split_pairs(parts)


def cookie_parts(request: Request) -> list[str] | None:
    """The parts of a ``Cookie`` header, such as ``"theme=dark"``: see above."""
    if "cookies" in request.__dict__ or type(request) not in READABLE:
        return None
    string: str = request.environ.get("HTTP_COOKIE", "")
    is_plain = not string or PLAIN_COOKIES.fullmatch(string)
    return string.split("; ") if is_plain else None


def form_items(request: Request) -> Iterable[tuple[str, str | FileStorage]]:
    """The items of ``request.form`` and ``request.files``, without empty inputs."""
    items = _urlencoded_items(request)
    if items is not None:
        return items
    files = read_files(request).items(multi=True)
    check_body_limit(request)
    sent = [(name, file) for name, file in files if not is_empty(file)]
    return chain(request.form.items(multi=True), sent)


def file_items(request: Request) -> Iterable[tuple[str, str | FileStorage]]:
    """The items of :func:`form_items`, files before strings."""
    return sorted(form_items(request), key=lambda pair: isinstance(pair[1], str))


def split_urlencoded(string: str) -> list[tuple[str, str]] | None:
    """The items of an urlencoded string, ``None`` where its bytes are not all UTF-8.

    Source: WHATWG URL, 5.1 (application/x-www-form-urlencoded parsing).
    """
    if not string.isascii():
        return None
    # A plus is a space in every place, an escaped one is none.
    parts = string.replace("+", " ").split("&")
    pairs = _split_pairs(parts)
    if "%" not in string:
        return pairs
    try:
        return [(_unescape(name), _unescape(value)) for name, value in pairs]
    except UnicodeDecodeError:
        return None


def _split_pairs(parts: Iterable[str]) -> list[tuple[str, str]]:
    """The names and values of parts such as ``"page=2"``, without empty ones."""
    # The innermost loop is an assignment.
    return [
        (name, value)
        for part in parts
        if part
        for name, _, value in (part.partition("="),)
    ]


def _unescape(string: str) -> str:
    return unquote(string, errors="strict") if "%" in string else string


def _urlencoded_items(request: Request) -> list[tuple[str, str]] | None:
    """The items of an urlencoded form, ``None`` where Werkzeug has to parse it.

    The request keeps the data, so that ``request.form`` can still be used.
    """
    limit = request.max_form_memory_size
    if (
        request.environ.get("CONTENT_TYPE") != URLENCODED
        # A form that was read before is among the attributes.
        or "form" in vars(request)
        or type(request) not in READABLE
        or (limit is not None and (length_of(request) or 0) > limit)
    ):
        return None
    # Latin-1 keeps all bytes apart, and those above ASCII are Werkzeug's to judge.
    return split_urlencoded(read_data(request).decode("latin-1"))


def is_empty(file: FileStorage) -> bool:
    """Whether a file input of a form was left alone by the user."""
    if file.filename:
        return False
    start = file.stream.tell()
    content = file.stream.read(1)
    file.stream.seek(start)
    return not content
