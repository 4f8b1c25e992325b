"""The generators of a request: they are opened, closed, and told of an exception.

What may have something to await is a coroutine: that of a request without anything
asynchronous is run to its end without an event loop.

Some stay open until the body of a response has been sent: a WSGI application goes in,
one that closes them comes out. Werkzeug's ``call_on_close()`` does not do: it is not
called for a file that is passed through, or where another response is sent.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial
from math import inf

from .._common import UNSET

if t.TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator
    from contextvars import Context
    from logging import Logger

    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Flask

T = t.TypeVar("T")


@dataclass(slots=True, eq=False)
class OpenGenerator:
    """A generator that has yielded its value.

    :param name: of its function, as messages show it: ``"get_db()"``.
    :param context: in which it runs if it is closed when the body has been sent.
        ``None`` is that of whoever closes it.
    """

    name: str
    generator: t.Any
    is_asynchronous: bool
    context: Context | None = None

    async def advance(self) -> t.Any:
        """What the generator yields next, ``UNSET`` where it ends.

        :raises Exception: what it raises.
        """
        try:
            if self.is_asynchronous:
                return await self.generator.__anext__()
            return self._bind(next)(self.generator)
        except (StopIteration, StopAsyncIteration):
            return UNSET

    async def finish(self) -> None:
        """Run the rest of the generator.

        :raises Exception: what it raises.
        :raises RuntimeError: if it yields again.
        """
        if await self.advance() is not UNSET:
            raise await self._refuse_second()

    async def throw(self, error: BaseException) -> BaseException:
        """Raise an exception where the generator yields.

        :return: the exception that is raised from there: the same one, or another.
        """
        try:
            if self.is_asynchronous:
                await self.generator.athrow(error)
            else:
                self._bind(type(self.generator).throw)(self.generator, error)
        except (StopIteration, StopAsyncIteration) as stop:
            return error if stop is error else self._refuse_silence(error)
        except BaseException as raised:
            # Python wraps a StopIteration that leaves a generator.
            is_wrapped = isinstance(raised, RuntimeError) and raised.__cause__ is error
            is_stop = isinstance(error, (StopIteration, StopAsyncIteration))
            return error if is_wrapped and is_stop else raised
        finally:
            # Its traceback refers to this function, which is not to refer to it.
            del error
        return await self._refuse_second()

    def leave(self) -> None:
        """Raise ``GeneratorExit`` where the generator yields.

        :raises Exception: what it raises instead.
        """
        self._bind(type(self.generator).close)(self.generator)

    def _bind(self, function: t.Callable[..., t.Any]) -> t.Callable[..., t.Any]:
        """A function that is called in the context of the generator."""
        return function if self.context is None else partial(self.context.run, function)

    def _refuse_silence(self, error: BaseException) -> BaseException:
        """The error of a generator that has swallowed an exception."""
        if not isinstance(error, Exception):
            return error
        silent = RuntimeError(
            f"{self.name} has swallowed {type(error).__name__}, which was raised where"
            " it yields. Raise it again, or raise another exception, such as that of"
            " abort()."
        )
        silent.__cause__ = error
        return silent

    async def _refuse_second(self) -> BaseException:
        """The error of a generator that yields twice, which is closed."""
        second = RuntimeError(
            f"{self.name} has yielded a second value. A dependency yields one."
        )
        try:
            if self.is_asynchronous:
                await self.generator.aclose()
            else:
                self.leave()
        except Exception as error:
            second.__cause__ = error
        return second


async def close_all(generators: list[OpenGenerator]) -> None:
    """Close generators, the last one first, but those that wait for the body.

    :param generators: in the order in which they were opened. They are removed.
    :raises BaseException: what one raises, of which the others are not yet told.
    """
    for opened in [item for item in reversed(generators) if item.context is None]:
        generators.remove(opened)
        await opened.finish()


async def throw_into(
    generators: list[OpenGenerator], error: BaseException
) -> list[BaseException]:
    """Raise an exception in generators, the last one first.

    :return: the exception that is left, if it is another one. Whoever raises it takes
        it out: its traceback refers to the list.
    """
    left = error
    try:
        while generators:
            left = await generators.pop().throw(left)
        return [] if left is error else [left]
    finally:
        del error, left


def run_now(running: Coroutine[t.Any, t.Any, T]) -> T:
    """The result of what has nothing to await."""
    try:
        running.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    raise AssertionError("There is nothing to await.")


#: The key in the environ of a request.
SCOPE_KEY: t.Final = "flask_signature.request_scope"

#: The statuses of a response without a body. Source: RFC 9110, 6.4.1.
EMPTY_STATUSES: t.Final = ("204", "304")


class RequestScope:
    """The generators of one request that are closed at its end, each once.

    It is the body of the response as well, of which the last byte or the last chunk is
    the end: a client need not ask for more.

    :ivar length: the bytes of the body that are left, as far as that is known.
    """

    __slots__ = ("_body", "_chunks", "_generators", "_iterator", "_logger", "length")

    def __init__(self, logger: Logger, length: float) -> None:
        self._generators: list[OpenGenerator] = []
        self._logger = logger
        self.length = length

    def add(self, generators: Iterable[OpenGenerator]) -> None:
        """Keep generators that have yielded, in the order in which they were opened."""
        self._generators += generators

    def around(self, body: Iterable[bytes]) -> Iterable[bytes]:
        """The body of the response, which closes the generators."""
        if not self._generators:
            return body
        self._body, self._iterator = body, iter(body)
        self._chunks = len(body) if isinstance(body, (list, tuple)) else inf
        return self

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            chunk = next(self._iterator)
        except StopIteration:
            self.finish()
            raise
        except BaseException as error:
            self.fail(error)
            raise
        self.length -= len(chunk)
        self._chunks -= 1
        if self._is_sent:
            self.finish()
        return chunk

    @property
    def _is_sent(self) -> bool:
        """Whether there is nothing left to send."""
        return self.length <= 0 or self._chunks <= 0

    def close(self) -> None:
        """Close the body, and the generators if the client has not taken all of it."""
        try:
            close: Callable[[], t.Any] | None = getattr(self._body, "close", None)
            if close is not None:
                close()
        except BaseException as error:
            self.fail(error)
            raise
        if self._is_sent:
            self.finish()
        self.leave()

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
        is_head, before = environ["REQUEST_METHOD"] == "HEAD", environ.get(SCOPE_KEY)
        scope = RequestScope(self._app.logger, 0 if is_head else inf)

        def start(status: str, headers: t.Any, *exc_info: t.Any) -> t.Any:
            if not is_head:
                scope.length = _length_of(status, headers)
            return start_response(status, headers, *exc_info)

        environ[SCOPE_KEY] = scope
        try:
            body = self._wsgi_app(environ, t.cast("t.Any", start))
        except BaseException as error:
            scope.fail(error)
            raise
        finally:
            environ[SCOPE_KEY] = before
        return scope.around(body)


def _length_of(status: str, headers: Iterable[tuple[str, str]]) -> float:
    """The bytes of a body, infinitely many where that is not known."""
    if status.startswith(EMPTY_STATUSES):
        return 0
    values = {name.lower(): value for name, value in headers}
    length = values.get("content-length", "")
    return int(length) if length.isdecimal() else inf
