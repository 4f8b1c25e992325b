"""A response with one string or bytes, built and sent in fewer steps than Flask's."""

from __future__ import annotations

import typing as t
from functools import lru_cache

import werkzeug
from flask import Response as FlaskResponse
from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException
from werkzeug.sansio.response import Response as SansIOResponse
from werkzeug.utils import get_content_type
from werkzeug.wrappers import Response as WerkzeugResponse

from .originals import find_original

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable

    from _typeshed.wsgi import WSGIEnvironment

    #: The status line, its number and the first header.
    Start: t.TypeAlias = tuple[str, int, tuple[str, str]]

#: Cached: every response needs it, and it depends on its arguments alone.
content_type_of: t.Final = lru_cache(maxsize=64)(get_content_type)


#: What is a response already, with a status of its own.
RESPONSES: t.Final = (WerkzeugResponse, HTTPException)

#: The statuses of responses without a body that are no informational ones.
WITHOUT_BODY: t.Final = (204, 304)

#: The methods that Werkzeug sends a response with. One that was replaced is called.
CLOSE: t.Final = find_original(werkzeug, WerkzeugResponse, "close")
CALL: t.Final = find_original(werkzeug, WerkzeugResponse, "__call__")
GET_APP_ITER: t.Final = find_original(werkzeug, WerkzeugResponse, "get_app_iter")
GET_WSGI_HEADERS: t.Final = find_original(
    werkzeug, WerkzeugResponse, "get_wsgi_headers"
)
GET_WSGI_RESPONSE: t.Final = find_original(
    werkzeug, WerkzeugResponse, "get_wsgi_response"
)
ITER_ENCODED: t.Final = find_original(werkzeug, WerkzeugResponse, "iter_encoded")

#: Werkzeug's constructors, and the method that they give a string or bytes to.
CONSTRUCTOR: t.Final = find_original(werkzeug, WerkzeugResponse, "__init__")
SANSIO_CONSTRUCTOR: t.Final = find_original(werkzeug, SansIOResponse, "__init__")
SET_DATA: t.Final = find_original(werkzeug, WerkzeugResponse, "set_data")

#: What Werkzeug's constructors set, and what ours sets beside it.
WERKZEUGS: t.Final = frozenset(
    {"_on_close", "_status", "_status_code"}
    | {"direct_passthrough", "headers", "response"}
)
OURS: t.Final = frozenset({"_body", "_lines"})

#: The methods that somebody may set on a response itself.
METHODS: t.Final = frozenset(
    {"close", "get_app_iter", "get_wsgi_headers", "get_wsgi_response", "iter_encoded"}
)

#: Whether these are the attributes in this version of Werkzeug.
HAS_KNOWN_ATTRIBUTES: t.Final = vars(WerkzeugResponse()).keys() == WERKZEUGS and vars(
    Headers([("A", "b")])
) == {"_list": [("A", "b")]}

#: How many attributes a response has to which nobody has added any.
COUNT: t.Final = len(WERKZEUGS | OURS)


class ClosingList(list[bytes]):
    """The body of a response, which a server closes when it has been sent."""

    __slots__ = ("close",)

    close: Callable[[], None]


class Response(FlaskResponse):
    """A :class:`flask.Response` that is faster where its body is one string or bytes.

    Most responses are sent with the body, the status and the content type that they
    were constructed with. Their two headers are known then, and are neither searched
    nor copied. Any change, and any subclass, leads to Flask's own way.

    .. versionadded:: 0.1
    """

    #: The headers and the body to send, unless the response is changed until then. No
    #: response has them that is begun in Flask's own way.
    _lines: tuple[tuple[str, str], ...] | None
    _body: bytes

    def __init__(
        self,
        response: t.Any = None,
        status: t.Any = None,
        headers: t.Any = None,
        mimetype: str | None = None,
        content_type: str | None = None,
        direct_passthrough: bool = False,
    ) -> None:
        line = self.default_status if status is None else status
        kind = self.default_mimetype if mimetype is None else mimetype
        if (
            not (type(response) is str or type(response) is bytes)
            or headers is not None
            or direct_passthrough
            or type(self) is not Response
            or not self.automatically_set_content_length
            or FlaskResponse.__init__ is not CONSTRUCTOR
            or SansIOResponse.__init__ is not SANSIO_CONSTRUCTOR
            or Response.set_data is not SET_DATA
            or not (type(line) is int or type(line) is str)
            or not (content_type is None or type(content_type) is str)
            or (start := _start_of(line, kind, content_type)) is None
        ):
            super().__init__(
                response, status, headers, mimetype, content_type, direct_passthrough
            )
            return
        body: t.Any = response.encode() if type(response) is str else response
        _begin(self, body, start)

    @classmethod
    def force_type(
        cls,
        response: werkzeug.wrappers.Response,
        environ: WSGIEnvironment | None = None,
    ) -> Response:
        """A ``flask.Response`` itself, since its author chose the class."""
        if cls is Response and isinstance(response, FlaskResponse):
            return t.cast("Response", response)
        return t.cast("Response", super().force_type(response, environ))

    def get_wsgi_response(
        self, environ: WSGIEnvironment
    ) -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        """What a server sends: the body, the status and the headers."""
        parts = find_parts(self, environ)
        if parts is None:
            return super().get_wsgi_response(environ)
        chunks = ClosingList(parts[0])
        chunks.close = self.close
        return chunks, parts[1], parts[2]


#: Ours. One that is put into the class later is called.
OUR_CONSTRUCTOR: t.Final = Response.__init__
OUR_GET_WSGI_RESPONSE: t.Final = Response.get_wsgi_response


def find_parts(
    response: t.Any, environ: WSGIEnvironment
) -> tuple[list[bytes], str, list[tuple[str, str]]] | None:
    """The body, the status and the headers of a response that nobody has changed.

    Whoever sends them has to close the response: a function may be added until then.

    :return: ``None`` where Werkzeug has to find them.
    """
    if type(response) is not Response:
        return None
    own, chunks, headers = response.__dict__, response.response, response.headers
    lines = own.get("_lines")
    if (
        lines is not None
        and type(headers) is Headers
        and headers._list == (sent := [*lines])
        and type(chunks) is list
        and len(chunks) == 1
        and chunks[0] is response._body
        and (code := response.status_code) >= 200
        and code not in WITHOUT_BODY
        and environ["REQUEST_METHOD"] != "HEAD"
        and (len(own) == COUNT or own.keys().isdisjoint(METHODS))
        and Response.__call__ is CALL
        and Response.close is CLOSE
        and Response.get_wsgi_response is OUR_GET_WSGI_RESPONSE
        and FlaskResponse.get_wsgi_response is GET_WSGI_RESPONSE
        and Response.get_app_iter is GET_APP_ITER
        and Response.get_wsgi_headers is GET_WSGI_HEADERS
        and Response.iter_encoded is ITER_ENCODED
    ):
        return [response._body], response.status, sent
    return None


@lru_cache(maxsize=128)
def compile_constructor(
    status: int, content_type: str
) -> Callable[[bytes], FlaskResponse]:
    """The constructor of responses that differ in their bodies alone."""
    start = _start_of(status, None, content_type)

    def construct(body: bytes) -> FlaskResponse:
        if (
            start is None
            or not Response.automatically_set_content_length
            or Response.__init__ is not OUR_CONSTRUCTOR
            or FlaskResponse.__init__ is not CONSTRUCTOR
            or SansIOResponse.__init__ is not SANSIO_CONSTRUCTOR
            or Response.set_data is not SET_DATA
        ):
            return Response(body, status=status, content_type=content_type)
        response = Response.__new__(Response)
        _begin(response, body, start)
        return response

    return construct


def _begin(response: Response, body: bytes, start: Start) -> None:
    """Set what Werkzeug's constructor sets."""
    status, code, sent = start
    lines = (sent, ("Content-Length", str(len(body))))
    # Nothing public skips the validation of headers, which reads each value.
    headers = Headers.__new__(Headers)
    headers._list = [*lines]
    # In one step, since the dictionary is asked for when the response is sent.
    response.__dict__ = {
        "_status": status,
        "_status_code": code,
        "_on_close": [],
        "direct_passthrough": False,
        "headers": headers,
        "response": [body],
        "_body": body,
        "_lines": lines,
    }


# Neither a status nor a content type that is equal to another is of another class.
@lru_cache(maxsize=128)
def _start_of(
    status: int | str, mimetype: str | None, content_type: str | None
) -> Start | None:
    """The status line, its number and the first header, as Werkzeug reads them.

    ``None`` where Werkzeug has to decide about the content type.
    """
    if content_type is None and mimetype is not None:
        content_type = get_content_type(mimetype, "utf-8")
    if not _is_valid(content_type):
        return None
    response = WerkzeugResponse(status=status)
    return response.status, response.status_code, ("Content-Type", content_type)


def _is_valid(content_type: object) -> t.TypeGuard[str]:
    """Whether a content type has no line break, which Werkzeug refuses."""
    if type(content_type) is not str or content_type == "":
        return False
    if not HAS_KNOWN_ATTRIBUTES:
        return False
    return "\n" not in content_type and "\r" not in content_type


def split_response_tuple(value: tuple[t.Any, ...]) -> tuple[t.Any, t.Any, t.Any] | None:
    """The body, status and headers of a tuple, ``None`` where Flask will refuse it.

    ``(body, headers)`` has no status, ``(body, status)`` no headers.
    """
    if len(value) == 3:
        return value
    if len(value) != 2:
        return None
    body, second = value
    if isinstance(second, (Headers, dict, tuple, list)):
        return body, None, second
    return body, second, None
