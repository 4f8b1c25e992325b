"""A response with one string or bytes, sent in fewer steps than Flask's."""

from __future__ import annotations

import typing as t
from functools import lru_cache

import werkzeug
from flask import Response as FlaskResponse
from werkzeug.datastructures import Headers
from werkzeug.sansio.response import Response as SansIOResponse
from werkzeug.utils import get_content_type
from werkzeug.wrappers import Response as WerkzeugResponse

from .originals import compile_question, originals

if t.TYPE_CHECKING:
    #: The status line, its number and the first header.
    Start: t.TypeAlias = tuple[str, int, tuple[str, str]]

#: The statuses of responses without a body that are no informational ones.
WITHOUT_BODY: t.Final = (204, 304)

#: The headers that Werkzeug may change when a response is sent.
CHANGED: t.Final = frozenset({"location", "content-location"})

#: The methods that may be set on a response itself.
RESPONSE_METHODS: t.Final = frozenset(
    {"close", "get_app_iter", "get_wsgi_headers", "get_wsgi_response", "iter_encoded"}
)

#: Whether these are the attributes in this version of Werkzeug.
RESPONSE_IS_KNOWN: t.Final = vars(WerkzeugResponse()).keys() == {
    *("_on_close", "_status", "_status_code", "direct_passthrough"),
    *("headers", "response"),
} and vars(Headers([("A", "b")])) == {"_list": [("A", "b")]}

#: Werkzeug's constructors, and the method that they give a string or bytes to.
CONSTRUCTORS: t.Final = [
    *originals(werkzeug, FlaskResponse, "__init__ set_data"),
    *originals(werkzeug, SansIOResponse, "__init__"),
]

has_own_constructors: t.Final = compile_question(CONSTRUCTORS)


class WrittenBody:
    """What a response is made of: the data, the status line and the content type.

    It is sent as it is where nothing asks for the response.
    """

    __slots__ = ("data", "start")

    def __init__(self, data: bytes, start: Start) -> None:
        self.data = data
        self.start = start

    def response(self, cls: type[FlaskResponse] = FlaskResponse) -> FlaskResponse:
        """The same as a response of a class."""
        status, code, content_type = self.start
        if (
            cls is not FlaskResponse
            or not RESPONSE_IS_KNOWN
            or not FlaskResponse.automatically_set_content_length
            or not has_own_constructors(None)
        ):
            return cls(self.data, status=status, content_type=content_type[1])
        # What Werkzeug's constructors set. Nothing public skips the validation of
        # headers, which reads each value.
        headers = Headers.__new__(Headers)
        headers._list = [content_type, ("Content-Length", str(len(self.data)))]
        response = FlaskResponse.__new__(FlaskResponse)
        response._status = status
        response._status_code = code
        response._on_close = []
        response.direct_passthrough = False
        response.headers = headers
        response.response = [self.data]
        return response


def find_parts(
    response: t.Any,
) -> tuple[list[bytes], str, list[tuple[str, str]]] | None:
    """The body, the status and the headers of a response with one string of bytes.

    ``None`` where Werkzeug has to find them. It is to be closed in any case.
    """
    if type(response) is not FlaskResponse:
        return None
    chunks, headers = response.response, response.headers
    if (
        type(chunks) is list
        and len(chunks) == 1
        and type(chunks[0]) is bytes
        and type(headers) is Headers
        and not response.direct_passthrough
        and (code := response.status_code) >= 200
        and code not in WITHOUT_BODY
        and RESPONSE_METHODS.isdisjoint(response.__dict__)
    ):
        names = {name.lower() for name, _ in headers._list}
        if "content-length" in names and names.isdisjoint(CHANGED):
            return chunks, response.status, [*headers._list]
    return None


# Neither a status nor a content type that is equal to another is of another class.
@lru_cache(maxsize=128)
def start_of(
    status: int | str, mimetype: str | None, content_type: str | None = None
) -> Start | None:
    """The status line, its number and the first header, as Werkzeug reads them.

    ``None`` where Werkzeug has to decide about the content type, or there is no body.
    """
    if content_type is None and mimetype is not None:
        content_type = get_content_type(mimetype, "utf-8")
    # Werkzeug refuses line breaks.
    if not content_type or "\n" in content_type or "\r" in content_type:
        return None
    response = WerkzeugResponse(status=status)
    code = response.status_code
    if code < 200 or code in WITHOUT_BODY:
        return None
    return response.status, code, ("Content-Type", content_type)
