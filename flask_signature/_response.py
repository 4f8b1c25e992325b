"""The response of a plain text, made and sent without work that nobody asks for."""

from __future__ import annotations

import typing as t
from functools import cached_property
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


class Response(flask.Response):
    """A :class:`flask.Response`, quick where it holds one text.

    Most responses are a text, a status and a content type until they are sent: the two
    headers are made when somebody asks for them, else they are sent as they are.
    """

    _content_type: str
    _body: bytes
    #: Whether somebody waits for the end of the response.
    _is_watched = False

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
        if (
            type(body) is not bytes
            or headers is not None
            or direct_passthrough
            or not self.automatically_set_content_length
        ):
            super().__init__(
                response, status, headers, mimetype, content_type, direct_passthrough
            )
            return
        super().__init__(status=status, headers=_KNOWN)
        del self.headers
        if content_type is None:
            content_type = content_type_of(mimetype or self.default_mimetype, "utf-8")
        self._content_type, self._body = content_type, body
        self.response = [body]

    @cached_property
    def headers(self) -> Headers:  # type: ignore[override]
        """The headers; what is done to them is sent."""
        return Headers(self._lines())

    def _lines(self) -> list[tuple[str, str]]:
        length = str(len(self._body))
        return [("Content-Type", self._content_type), ("Content-Length", length)]

    @classmethod
    def force_type(
        cls,
        response: werkzeug.wrappers.Response,
        environ: WSGIEnvironment | None = None,
    ) -> Response:
        """The response itself if it is one of Flask's: its class is the author's."""
        if isinstance(response, flask.Response):
            return t.cast("Response", response)
        return t.cast("Response", super().force_type(response, environ))

    def call_on_close(self, func: Callable[[], t.Any]) -> Callable[[], t.Any]:
        """Add a function that is called when the response has been sent."""
        self._is_watched = True
        return super().call_on_close(func)

    def get_wsgi_response(
        self, environ: WSGIEnvironment
    ) -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        """What a server sends: the body, the status and the headers."""
        if self._is_as_made() and environ["REQUEST_METHOD"] != "HEAD":
            return [self._body], self.status, self._lines()
        return super().get_wsgi_response(environ)

    def _is_as_made(self) -> bool:
        """Whether there is nothing to send but what the constructor was given."""
        # A subclass may send what it likes.
        if type(self) is not Response or "headers" in vars(self) or self._is_watched:
            return False
        chunks, code = self.response, self.status_code
        is_whole = type(chunks) is list and len(chunks) == 1 and chunks[0] is self._body
        return is_whole and code >= 200 and code not in (204, 304)
