"""The generators that stay open until the body of a response has been sent.

The WSGI application goes in, one that closes them comes out. Werkzeug's
``call_on_close()`` does not do: nobody calls it for a file that is passed through, or
where another response is sent.
"""

from __future__ import annotations

import typing as t
from http import HTTPStatus

from .generators import OpenGenerator
from .generators import run_now
from .generators import throw_into

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from logging import Logger

    from _typeshed.wsgi import StartResponse
    from _typeshed.wsgi import WSGIApplication
    from _typeshed.wsgi import WSGIEnvironment
    from flask import Flask

#: The key in the environ of a request.
KEY: t.Final = "flask_signature.request_scope"

#: The statuses of a response without a body. Source: RFC 9110, 6.4.1.
WITHOUT_BODY: t.Final = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})


class RequestScope:
    """The generators of one request that are closed at its end, each once."""

    __slots__ = ("_generators", "_logger")

    def __init__(self, logger: Logger) -> None:
        self._generators: list[OpenGenerator] = []
        self._logger = logger

    @property
    def is_open(self) -> bool:
        """Whether a generator is."""
        return bool(self._generators)

    def add(self, generators: Iterable[OpenGenerator]) -> None:
        """Keep generators that have yielded, in the order in which they were opened."""
        self._generators += generators

    def finish(self) -> None:
        """Close the generators: the response has been sent."""
        while self._generators:
            opened = self._generators.pop()
            try:
                run_now(opened.finish())
            except Exception as error:
                self._log(opened)
                self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Raise an exception in the generators: the response has broken off."""
        while self._generators:
            opened = self._generators.pop()
            left = run_now(throw_into([opened], error))
            try:
                if left:
                    error = left[0]
                    raise left.pop()
            except Exception:
                self._log(opened)
        del error

    def leave(self) -> None:
        """Raise ``GeneratorExit`` in the generators: the client has left."""
        while self._generators:
            opened = self._generators.pop()
            self._logger.info("The client left before %s was finished.", opened.name)
            try:
                opened.leave()
            except Exception:
                self._log(opened)

    def _log(self, opened: OpenGenerator) -> None:
        self._logger.exception("%s failed while it was closed.", opened.name)


class ScopedBody:
    """The body of a response, at whose end a scope is closed.

    The last byte or the last chunk ends it: a client need not ask for more.

    :param length: the bytes of the body, ``None`` where that is not known.
    :param chunks: its chunks, likewise.
    """

    def __init__(
        self,
        body: Iterable[bytes],
        scope: RequestScope,
        *,
        length: int | None,
        chunks: int | None,
    ) -> None:
        self._body = body
        self._iterator = iter(body)
        self._scope = scope
        self._length = length
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            chunk = next(self._iterator)
        except StopIteration:
            self._scope.finish()
            raise
        except BaseException as error:
            self._scope.fail(error)
            raise
        if self._length is not None:
            self._length -= len(chunk)
        if self._chunks is not None:
            self._chunks -= 1
        if self._is_sent:
            self._scope.finish()
        return chunk

    @property
    def _is_sent(self) -> bool:
        """Whether there is nothing left to send."""
        rest = [left for left in (self._length, self._chunks) if left is not None]
        return any(left <= 0 for left in rest)

    def close(self) -> None:
        """Close the body, and the scope if the client has not taken all of it."""
        try:
            close: Callable[[], t.Any] | None = getattr(self._body, "close", None)
            if close is not None:
                close()
        except BaseException as error:
            self._scope.fail(error)
            raise
        if self._is_sent:
            self._scope.finish()
        self._scope.leave()


class ScopedApplication:
    """A WSGI application that closes the generators of a request at its end.

    :param app: logs what fails.
    :param wsgi_app: what is called.
    """

    def __init__(self, app: Flask, wsgi_app: WSGIApplication) -> None:
        self._app = app
        self._wsgi_app = wsgi_app

    def __call__(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """The body, which closes the generators that the request has opened."""
        scope, before = RequestScope(self._app.logger), environ.get(KEY)
        lengths: list[int | None] = []

        def start(status: str, headers: t.Any, *exc_info: t.Any) -> t.Any:
            lengths[:] = [_length_of(status, headers)]
            return start_response(status, headers, *exc_info)

        environ[KEY] = scope
        try:
            body = self._wsgi_app(environ, t.cast("t.Any", start))
        except BaseException as error:
            scope.fail(error)
            raise
        finally:
            environ[KEY] = before
        if not scope.is_open:
            return body
        length = 0 if environ["REQUEST_METHOD"] == "HEAD" else next(iter(lengths), None)
        chunks = len(body) if isinstance(body, (list, tuple)) else None
        return ScopedBody(body, scope, length=length, chunks=chunks)


def _length_of(status: str, headers: Iterable[tuple[str, str]]) -> int | None:
    """The bytes of a body, ``None`` where that is not known."""
    if status[:3] in {str(code.value) for code in WITHOUT_BODY}:
        return 0
    values = {name.lower(): value for name, value in headers}
    length = values.get("content-length", "")
    return int(length) if length.isdecimal() else None
