"""Coroutine functions in the event loop that a thread keeps."""

from __future__ import annotations

import asyncio
import gc
import os
import socketserver
import subprocess
import sys
import threading
import typing as t
import weakref
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from http.server import BaseHTTPRequestHandler

import anyio
import flask
import httpx
import pytest
from asgiref.sync import sync_to_async
from flask import abort, g, request
from flask.views import MethodView

from flask_signature import Blueprint, Depends, Flask, SignatureError
from flask_signature.security import HTTPBearer

VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="none")

BEARER = {"Authorization": "Bearer ann"}


def make_app(kept: str = "thread", cls: type[Flask] = Flask) -> Flask:
    app = cls(__name__)
    app.config["SIGNATURE_ASYNC_LOOP"] = kept
    app.init_app()
    return app


@pytest.fixture
def app() -> Flask:
    return make_app()


async def show_loop() -> str:
    return str(id(asyncio.get_running_loop()))


@pytest.mark.parametrize(("kept", "count"), [("thread", 1), ("request", 3)])
def test_loop_is_that_of_the_thread_or_of_the_request(kept, count):
    app, loops = make_app(kept), []

    @app.get("/")
    async def show() -> str:
        loops.append(asyncio.get_running_loop())
        return threading.current_thread().name

    texts = [app.test_client().get("/").text for _ in "abc"]

    assert len({*map(id, loops)}) == count
    assert (texts[0] == threading.current_thread().name) == (kept == "thread")


def test_setting_is_one_of_two():
    with pytest.raises(SignatureError, match="SIGNATURE_ASYNC_LOOP='process'"):
        make_app("process")


def test_each_thread_has_a_loop_of_its_own_which_ends_with_it(app):
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []
    closed = []

    @app.get("/")
    async def show() -> str:
        loop = asyncio.get_running_loop()
        loops.append(weakref.ref(loop))
        weakref.finalize(loop, lambda: closed.append(1))
        return ""

    def send() -> None:
        for _ in "ab":
            app.test_client().get("/")

    for _ in "abc":
        thread = threading.Thread(target=send)
        thread.start()
        thread.join()

    gc.collect()
    assert len(loops) == 6
    assert [loop() for loop in loops] == [None] * 6
    assert len(closed) == 6


def test_context_variables_that_a_view_sets_are_seen_after_it(app, client):
    seen = []

    @app.before_request
    async def before():
        VARIABLE.set("before")

    @app.after_request
    def after(response):
        seen.append(VARIABLE.get())
        return response

    @app.get("/")
    async def show() -> str:
        seen.append(VARIABLE.get())
        VARIABLE.set("view")
        g.user = "ann"
        return request.path

    app.teardown_request(lambda error: seen.append(g.user))

    assert client.get("/").text == "/"
    assert seen == ["before", "view", "ann"]
    VARIABLE.set("none")


def test_what_a_view_raises_is_raised(app, client):
    @app.get("/<int:status>")
    async def show(status: int):
        await asyncio.sleep(0)
        VARIABLE.set(str(status))
        if status == 500:
            raise LookupError
        if status == 501:
            raise asyncio.CancelledError
        abort(status)

    assert client.get("/404").status_code == 404
    assert VARIABLE.get() == "404"
    assert client.get("/500").status_code == 500
    with pytest.raises(asyncio.CancelledError):
        client.get("/501")
    assert client.get("/409").status_code == 409
    VARIABLE.set("none")


@pytest.mark.parametrize("raises", [False, True])
def test_loop_keeps_nothing_of_a_request(app, client, raises):
    freed: list[weakref.ref[t.Any]] = []

    class Kept:
        pass

    # The records of the log have the exception.
    app.logger.disabled = True

    @app.get("/")
    async def show():
        g.kept = Kept()
        freed.append(weakref.ref(g.kept))
        if raises:
            raise LookupError
        return ""

    status = client.get("/").status_code
    gc.collect()

    assert status == (500 if raises else 200)
    assert freed[0]() is None


def test_tasks_that_are_left_are_cancelled(app, client, caplog):
    ends = []

    async def wait(name: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ends.append(name)
            if name == "failing":
                raise LookupError(name)

    @app.get("/")
    async def show() -> str:
        app.extensions["tasks"] = [
            asyncio.create_task(wait(name)) for name in ("failing", "other")
        ]
        await asyncio.sleep(0)
        return ""

    assert client.get("/").status_code == 200
    assert sorted(ends) == ["failing", "other"]
    assert "left over after a view" in caplog.text
    assert "LookupError: failing" in caplog.text


def test_asynchronous_generators_that_are_left_are_closed(app, client, caplog):
    ends = []

    async def count() -> AsyncIterator[int]:
        try:
            for number in range(9):
                yield number
        finally:
            await asyncio.sleep(0)
            ends.append("closed")

    @app.get("/")
    async def show() -> str:
        kept = app.extensions["kept"] = count()
        return str(await anext(aiter(kept)))

    for times in (1, 2, 3):
        assert client.get("/").text == "0"
        assert ends == ["closed"] * times
    assert caplog.text == ""


def test_asgiref_runs_it_where_a_loop_runs_already(app):
    app.get("/")(show_loop)

    async def send() -> str:
        return app.test_client().get("/").text

    app.config["PROPAGATE_EXCEPTIONS"] = True
    with pytest.raises(RuntimeError, match="You cannot use AsyncToSync in the same"):
        asyncio.run(send())


def test_asgiref_runs_a_coroutine_function_inside_of_another(app):
    @app.get("/inner")
    async def inner() -> str:
        return await show_loop()

    @app.get("/")
    async def show() -> str:
        send = sync_to_async(app.test_client().get, thread_sensitive=False)
        response = await send("/inner")
        return str(response.text != await show_loop())

    assert app.test_client().get("/").text == "True"


def test_overridden_method_wins():
    ran = []

    class App(Flask):
        def async_to_sync(self, func):
            def run(*args, **options):
                ran.append(func.__name__)
                return asyncio.run(func(*args, **options))

            return run

    app = make_app(cls=App)
    app.get("/")(show_loop)

    assert len({app.test_client().get("/").text for _ in "ab"}) > 0
    assert ran == ["show_loop"] * 2


async def find_user(token: str) -> str:
    return f"{token} {await show_loop()}"


async def open_session() -> AsyncIterator[str]:
    yield await show_loop()
    opened.append(await show_loop())


async def guard() -> None:
    opened.append(await show_loop())


opened: list[str] = []
TOKEN = HTTPBearer("token", verify=find_user)
Session = t.Annotated[str, Depends(open_session)]


async def shown(user: t.Annotated[str, TOKEN], session: Session) -> list[str]:
    return [user.split()[1], session, await show_loop()]


def shown_at_once(user: t.Annotated[str, TOKEN], session: Session) -> list[str]:
    return [user.split()[1], session]


class Shown(MethodView):
    get = staticmethod(shown)


@pytest.mark.parametrize(
    "view",
    [shown, shown_at_once, Shown.as_view("shown")],
    ids=["asynchronous", "plain", "class"],
)
def test_guards_dependencies_and_view_of_a_request_share_the_loop(app, client, view):
    bp = Blueprint("bp", __name__, dependencies=[guard], url_prefix="/bp")
    bp.add_url_rule("/", "shown", view)
    app.register_blueprint(bp)
    app.get("/")(show_loop)
    kept = client.get("/").text
    opened.clear()

    for _ in "ab":
        found = client.get("/bp/", headers=BEARER).json
        assert {*found, *opened} == {kept}
        assert len(opened) == 2
        opened.clear()


def test_plain_application_has_the_loop_of_flask():
    plain, bp = flask.Flask(__name__), Blueprint("bp", __name__)
    bp.get("/")(show_loop)
    plain.register_blueprint(bp)

    assert [plain.test_client().get("/").status_code for _ in "ab"] == [200, 200]


async def by_anyio(work):
    with anyio.move_on_after(9):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
    await anyio.to_thread.run_sync(lambda: None)


async def waiting(work):
    await asyncio.wait_for(work(), 9)


@pytest.mark.parametrize("run", [by_anyio, waiting])
def test_what_needs_a_task_works(app, client, run):
    @app.get("/")
    async def show() -> list[str]:
        done = []

        async def work() -> None:
            await asyncio.sleep(0)
            done.append("done")

        await run(work)
        return done

    assert [client.get("/").json for _ in "ab"] == [["done"]] * 2


class Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    connections: t.ClassVar[set[t.Any]] = set()

    def do_GET(self) -> None:
        self.connections.add(self.client_address)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args: t.Any) -> None: ...


@pytest.fixture
def other_service() -> Iterator[str]:
    Hello.connections.clear()
    socketserver.ThreadingTCPServer.daemon_threads = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Hello) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_client_of_httpx_keeps_its_connection_over_requests(app, client, other_service):
    other = httpx.AsyncClient(trust_env=False)

    @app.get("/")
    async def show() -> str:
        return (await other.get(other_service)).text

    app.get("/close")(other.aclose)

    assert [client.get("/").text for _ in range(5)] == ["ok"] * 5
    assert len(Hello.connections) == 1
    client.get("/close")


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="Linux only")
def test_a_thousand_requests_leave_no_descriptor(app, client):
    app.get("/")(show_loop)
    client.get("/")
    before = descriptors()

    for _ in range(1_000):
        client.get("/")
    with ThreadPoolExecutor(8) as threads:
        [*threads.map(lambda _: app.test_client().get("/").text, range(100))]

    gc.collect()
    assert descriptors() == before


PROGRAM = """
import asyncio, os, signal, sys, threading
from flask_signature import Flask

app = Flask("app")
app.config.update(SIGNATURE_ASYNC_LOOP="thread", TESTING=True)
app.init_app()
client = app.test_client()
"""

FORKING = """
@app.get("/")
async def show() -> str:
    await asyncio.sleep(0.001)
    await asyncio.to_thread(lambda: None)
    return str(id(asyncio.get_running_loop()))

def send():
    return app.test_client().get("/").text

def send_and_wait():
    send(); ready.set(); ended.wait()

ready, ended = threading.Event(), threading.Event()
thread = threading.Thread(target=send_and_wait)
thread.start(); ready.wait()
before = send()
child = os.fork()
if child == 0:
    os._exit(0 if send() != before and send() == send() else 1)
_, status = os.waitpid(child, 0)
ended.set(); thread.join()
assert send() == before
sys.exit(os.waitstatus_to_exitcode(status))
"""

PATCHING = """
from gevent import monkey
monkey.patch_all()
"""

GEVENT = """
loops = set()

@app.get("/")
async def show() -> str:
    loops.add(asyncio.get_running_loop())
    return "ok"

texts = [client.get("/").text for _ in range(3)]
assert texts == ["ok"] * 3, texts
assert len(loops) == 3, loops
"""

STOPPED = """
ends = []

@app.get("/<int:stops>")
async def show(stops: int) -> str:
    try:
        if stops:
            os.kill(os.getpid(), signal.SIGUSR1)
            await asyncio.sleep(60)
    finally:
        ends.append(stops)
    return "ok"

def stop(*args):
    raise SystemExit(3)

signal.signal(signal.SIGUSR1, stop)
assert client.get("/0").text == "ok"
try:
    client.get("/1")
except SystemExit:
    ends.append("left")
assert client.get("/0").text == "ok"
assert sorted(map(str, ends)) == ["0", "0", "1", "left"], ends
"""

PROGRAMS = {
    "fork": PROGRAM + FORKING,
    "gevent": PATCHING + PROGRAM + GEVENT,
    "stopped": PROGRAM + STOPPED,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_programs_end_well(program):
    # Python 3.12 warns of each fork while there are threads.
    options = ["-W", "default::ResourceWarning", "-W", "ignore::DeprecationWarning"]
    command = [sys.executable, *options, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert (ended.returncode, ended.stderr) == (0, "")
