"""How a request reaches an application without a server: WSGI and ASGI, in process.

Both gateways prepare everything a server would, outside the time that is taken, and
then do the least that a server has to do: call, and take the answer to its end.

The clock is that of the processor: nothing here waits for anything, and what other
programs do with the machine in the meantime is no part of it.
"""

from __future__ import annotations

import asyncio
import io
import sys
import typing as t
from time import process_time_ns

from .answer import Answer
from .scenario import Request

_HEADERS = (
    ("Host", "localhost"),
    ("User-Agent", "benchmarks"),
    ("Accept", "*/*"),
    ("Accept-Encoding", "gzip, deflate"),
)

App = t.Any
Clock = t.Callable[[], int]


class Gateway(t.Protocol):
    """The one boundary between the clock and the applications."""

    def ask(self, app: App, request: Request) -> Answer:
        """The answer to one request."""

    def time(
        self,
        app: App,
        request: Request,
        count: int,
        *,
        clock: Clock = process_time_ns,
    ) -> int:
        """The nanoseconds of the processor that ``count`` requests take, in turn."""


class Wsgi:
    """Calls a WSGI application over prepared environs."""

    def ask(self, app: App, request: Request) -> Answer:
        status, sent = 0, ()

        def start_response(line: str, headers: t.Any, exc_info: t.Any = None) -> None:
            nonlocal status, sent
            status, sent = int(line.split(" ", 1)[0]), tuple(headers)

        chunks = app(make_environ(request), start_response)
        try:
            body = b"".join(chunks)
        finally:
            getattr(chunks, "close", lambda: None)()
        return Answer(status, body, sent)

    def time(
        self,
        app: App,
        request: Request,
        count: int,
        *,
        clock: Clock = process_time_ns,
    ) -> int:
        environs = [make_environ(request) for _ in range(count)]
        start = clock()
        for environ in environs:
            chunks = app(environ, _start_response)
            for _ in chunks:
                pass
            close = getattr(chunks, "close", None)
            if close is not None:
                close()
        return clock() - start


def _start_response(line: str, headers: t.Any, exc_info: t.Any = None) -> None:
    """Take the status and the headers, as every server does, and drop them."""


def make_environ(request: Request) -> dict[str, t.Any]:
    """The request as a WSGI server would hand it over."""
    environ: dict[str, t.Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path,
        "QUERY_STRING": request.query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if request.content_type:
        environ["CONTENT_TYPE"] = request.content_type
        environ["CONTENT_LENGTH"] = str(len(request.body))
    for name, value in (*_HEADERS, *request.headers):
        environ["HTTP_" + name.upper().replace("-", "_")] = value
    return environ


class Asgi:
    """Calls an ASGI application over prepared scopes, in one run of one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()

    def ask(self, app: App, request: Request) -> Answer:
        sent: list[dict[str, t.Any]] = []

        async def send(message: dict[str, t.Any]) -> None:
            sent.append(message)

        call = app(_scope(request), _Receive(request.body), send)
        self._loop.run_until_complete(call)
        body = b"".join(message.get("body", b"") for message in sent)
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in sent[0].get("headers", ())
        )
        return Answer(sent[0]["status"], body, headers)

    def time(
        self,
        app: App,
        request: Request,
        count: int,
        *,
        clock: Clock = process_time_ns,
    ) -> int:
        calls = [(_scope(request), _Receive(request.body)) for _ in range(count)]

        async def run() -> int:
            start = clock()
            for scope, receive in calls:
                await app(scope, receive, _send)
            return clock() - start

        return self._loop.run_until_complete(run())


async def _send(message: t.Any) -> None:
    """Take a message, as every server does, and drop it."""


class _Receive:
    """The body in one message, and after it the end of the connection."""

    __slots__ = ("_messages",)

    def __init__(self, body: bytes) -> None:
        self._messages: list[dict[str, t.Any]] = [
            {"type": "http.disconnect"},
            {"type": "http.request", "body": body, "more_body": False},
        ]

    async def __call__(self) -> dict[str, t.Any]:
        return self._messages.pop() if len(self._messages) > 1 else self._messages[0]


def _scope(request: Request) -> dict[str, t.Any]:
    headers = [*_HEADERS, *request.headers]
    if request.content_type:
        headers.append(("Content-Type", request.content_type))
        headers.append(("Content-Length", str(len(request.body))))
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "root_path": "",
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
        "client": ("127.0.0.1", 50000),
        "server": ("localhost", 80),
        "state": {},
        "extensions": {},
    }


WSGI: Gateway = Wsgi()
ASGI: Gateway = Asgi()
