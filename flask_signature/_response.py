"""The response of a plain text, made and sent without work that nobody asks for."""

from __future__ import annotations

import typing as t
from functools import lru_cache

import flask
from werkzeug.datastructures import Headers
from werkzeug.utils import get_content_type

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable

    import werkzeug.wrappers
    from _typeshed.wsgi import WSGIEnvironment

#: Answers the same for a type, and is asked for every response.
content_type_of: t.Final = lru_cache(maxsize=64)(get_content_type)


class _Known(Headers):
    """Headers that keep the constructor from looking for a content type."""

    def __contains__(self, key: object) -> bool:
        return True


_KNOWN: t.Final = _Known()


def _fill(lines: list[tuple[str, str]]) -> Headers:
    """Headers of lines that need not be looked at.

    There is no public way to say so: each line would be taken apart and compared.
    """
    headers = Headers()
    headers._list = lines
    return headers


#: Whether that is how headers keep their lines.
_CAN_FILL: t.Final = [*_fill([("A", "b")])] == [*Headers([("A", "b")])]


class Response(flask.Response):
    """A :class:`flask.Response`, quick where it holds one text.

    Most responses are a text, a status and a content type until they are sent, with
    headers that are known then: they are neither looked through nor copied.

    A subclass has nothing of this; whatever it changes is asked for as it is in Flask.
    """

    #: What is sent, if nothing is changed until then.
    _lines: list[tuple[str, str]] | None = None
    _body = b""

    def __init__(
        self,
        response: t.Any = None,
        status: t.Any = None,
        headers: t.Any = None,
        mimetype: str | None = None,
        content_type: str | None = None,
        direct_passthrough: bool = False,
    ) -> None:
        body = response.encode() if type(response) is str else response
        sent = content_type
        if sent is None:
            given = self.default_mimetype if mimetype is None else mimetype
            sent = given and content_type_of(given, "utf-8")
        if (
            type(body) is not bytes
            or headers is not None
            or direct_passthrough
            or type(self) is not Response
            or not self.automatically_set_content_length
            or type(sent) is not str
            or not _is_plain(sent)
        ):
            super().__init__(
                response, status, headers, mimetype, content_type, direct_passthrough
            )
            return
        super().__init__(status=status, headers=_KNOWN)
        self._lines = [("Content-Type", sent), ("Content-Length", str(len(body)))]
        self._body = body
        self.headers = _fill([*self._lines])
        self.response = [body]

    @classmethod
    def force_type(
        cls,
        response: werkzeug.wrappers.Response,
        environ: WSGIEnvironment | None = None,
    ) -> Response:
        """The response itself if it is one of Flask's: its class is the author's."""
        if cls is Response and isinstance(response, flask.Response):
            return t.cast("Response", response)
        return t.cast("Response", super().force_type(response, environ))

    def call_on_close(self, func: Callable[[], t.Any]) -> Callable[[], t.Any]:
        """Add a function that is called when the response has been sent."""
        self._lines = None
        return super().call_on_close(func)

    def get_wsgi_response(
        self, environ: WSGIEnvironment
    ) -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        """What a server sends: the body, the status and the headers."""
        lines = self._lines
        if lines and self._is_as_made(lines) and environ["REQUEST_METHOD"] != "HEAD":
            return [self._body], self.status, [*lines]
        return super().get_wsgi_response(environ)

    def _is_as_made(self, lines: list[tuple[str, str]]) -> bool:
        """Whether there is nothing to send but what the constructor was given."""
        if [*self.headers] != lines:
            return False
        chunks, code = self.response, self.status_code
        is_whole = type(chunks) is list and len(chunks) == 1 and chunks[0] is self._body
        return is_whole and code >= 200 and code not in (204, 304)


@lru_cache(maxsize=64)
def _is_plain(content_type: str) -> bool:
    """Whether a content type is sent as it is; Werkzeug refuses one with two lines."""
    is_line = "\n" not in content_type and "\r" not in content_type
    return _CAN_FILL and content_type != "" and is_line
