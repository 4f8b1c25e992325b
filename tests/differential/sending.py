"""Sends the requests of a description to an application, and keeps what comes back."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import unquote_to_bytes

import flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import EnvironBuilder

from .cookies import COOKIE, COOKIES, timeless_headers
from .description import Request
from .patches import TAKES_CONTEXT
from .recording import Recorder, attempt, look, shown, shown_error

Record: t.TypeAlias = "dict[str, t.Any]"


class Sender:
    """Sends requests to one application, and keeps its cookies as a browser does."""

    def __init__(self, app: flask.Flask, recorder: Recorder) -> None:
        self.app = app
        self.recorder = recorder
        self.client = app.test_client()
        self.jar: dict[str, str] = {}
        self.environ: dict[str, t.Any] = {}
        self.record: Record = {}

    def send(self, request: Request) -> Record:
        """What can be seen of a request, by what it is."""
        self.record, self.environ = {}, self.environ_of(request)
        self.recorder.hit("way", request.way)
        self.recorder.hit("within", request.within)
        for name in request.cookies:
            self.recorder.hit("cookie", name)
        try:
            with self.within(request):
                WAYS[request.way](self, request)
        except BaseException as error:
            self.record["raised"] = shown_error(error)
            self.recorder.hit("raised", type(error).__name__)
        self.recorder.close_streams()
        self.record["events"] = self.recorder.take()
        self.record["after"] = (
            flask.has_app_context(),
            flask.has_request_context(),
            shown(type(self.environ.get("werkzeug.request", "absent"))),
            sorted(self.environ),
        )
        return self.record

    @contextmanager
    def within(self, request: Request) -> Iterator[None]:
        """The contexts that are there when the request comes."""
        with ExitStack() as stack:
            if request.within == "app context":
                stack.enter_context(self.app.app_context())
            elif request.within == "request context":
                stack.enter_context(self.app.test_request_context("/plain?outer=1"))
            elif request.within == "other app":
                stack.enter_context(flask.Flask("other").app_context())
            if request.within:
                flask.g.outer = True
            yield
            if request.within:
                self.recorder.event("outside", [*flask.g])

    def environ_of(self, request: Request) -> dict[str, t.Any]:
        """The WSGI environment of a request, which may be an odd one."""
        builder = EnvironBuilder(
            path="/",
            method=request.method,
            base_url=request.base_url,
            query_string=request.query,
            headers=list(request.headers),
            data=request.data,
        )
        environ = builder.get_environ()
        environ["PATH_INFO"] = unquote_to_bytes(request.path).decode("latin-1")
        cookies = [COOKIES[name]() for name in request.cookies]
        cookies += [f"{name}={value}" for name, value in self.jar.items()]
        if cookies:
            environ["HTTP_COOKIE"] = "; ".join(cookies)
        environ.update(request.environ)
        for key in request.without:
            environ.pop(key, None)
        return environ

    def keep_cookies(self, headers: t.Iterable[tuple[str, str]]) -> None:
        for name, line in headers:
            if name.lower() == "set-cookie":
                key, value = COOKIE.match(line).groups()  # type: ignore[union-attr]
                if value:
                    self.jar[key] = value
                else:
                    self.jar.pop(key, None)

    def call(self, application: t.Any, request: Request) -> None:
        """Call a WSGI application as a server does."""
        starts: list[t.Any] = []

        def start_response(status: str, headers: t.Any, *rest: t.Any) -> t.Any:
            starts.append((status, timeless_headers(headers), rest))
            self.recorder.hit("status", status.partition(" ")[0])
            self.keep_cookies(headers)
            return starts.append

        self.record["start_response"] = starts
        chunks = application(self.environ, start_response)
        self.recorder.plain_event("returned to the server")
        try:
            self.record["body"] = read(chunks, request.reads)
        finally:
            self.recorder.plain_event("sent")
            if hasattr(chunks, "close"):
                chunks.close()
            self.recorder.plain_event("closed")

    def keep(self, response: t.Any) -> None:
        self.recorder.hit("status", response.status_code)
        self.record["status"] = response.status
        self.record["headers"] = timeless_headers(response.headers)
        self.record["body"] = response.data
        self.record["history"] = [item.status for item in response.history]


def read(chunks: t.Any, reads: str) -> list[bytes]:
    """What is read of a body: all of it, its start, or nothing."""
    if reads == "nothing":
        return []
    iterator = iter(chunks)
    return [*iterator] if reads == "all" else [next(iterator, b"")]


def send_raw(sender: Sender, request: Request) -> None:
    sender.call(sender.app, request)


def send_mounted(sender: Sender, request: Request) -> None:
    def outside(environ: t.Any, start_response: t.Any) -> list[bytes]:
        start_response("404 OUTSIDE", [])
        return [b"outside"]

    sender.environ["PATH_INFO"] = "/mount" + sender.environ["PATH_INFO"]
    sender.call(DispatcherMiddleware(outside, {"/mount": sender.app}), request)


def options_of(request: Request) -> dict[str, t.Any]:
    """The arguments of the test client, which sends no odd environment."""
    return {
        "path": request.path or "/",
        "method": request.method,
        "base_url": request.base_url,
        "query_string": request.query,
        "headers": list(request.headers),
        "data": request.data,
    }


def opening(**more: t.Any) -> Callable[[Sender, Request], None]:
    def send(sender: Sender, request: Request) -> None:
        sender.keep(sender.client.open(**options_of(request), **more))

    return send


def send_in_block(sender: Sender, request: Request) -> None:
    with sender.client as client:
        response = client.open(**options_of(request))
        sender.recorder.event("in the block", attempt(lambda: look("session")))
        sender.keep(response)
    sender.recorder.event("after the block")


def send_in_transaction(sender: Sender, request: Request) -> None:
    with sender.client.session_transaction() as session:
        session["count"] = 40
    opening()(sender, request)


def call_directly(sender: Sender, request: Request) -> None:
    """Call what Flask calls for a request, in a context that the caller pushed."""
    app: t.Any = sender.app
    with app.test_request_context(**options_of(request)) as context:
        sender.recorder.event("in the context")
        arguments = (context,) if TAKES_CONTEXT else ()
        response = app.full_dispatch_request(*arguments)
        sender.recorder.event("response")
        sender.keep_cookies(response.headers)
        sender.record["status"] = response.status
        sender.record["headers"] = timeless_headers(response.headers)
    sender.recorder.event("after the context")


def dispatch_directly(sender: Sender, request: Request) -> None:
    app: t.Any = sender.app
    with app.test_request_context(**options_of(request)) as context:
        arguments = (context,) if TAKES_CONTEXT else ()
        value = app.preprocess_request(*arguments)
        if value is None:
            value = app.dispatch_request(*arguments)
        response = app.make_response(value)
        response = app.process_response(*arguments, response)
        sender.record["status"] = response.status


WAYS: dict[str, Callable[[Sender, Request], None]] = {
    "wsgi": send_raw,
    "mounted": send_mounted,
    "client": opening(),
    "following": opening(follow_redirects=True),
    "buffered": opening(buffered=True),
    "with client": send_in_block,
    "transaction": send_in_transaction,
    "direct": call_directly,
    "dispatch": dispatch_directly,
}
