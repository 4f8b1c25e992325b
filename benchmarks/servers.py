"""Servers on loopback: one worker each, on a core that the client does not use."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
import typing as t
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata

from .answer import Answer
from .scenario import Request, Scenario

HOST = "127.0.0.1"
CONTENDER = "BENCHMARKS_CONTENDER"
APP = "benchmarks.served:app"
PATIENCE = 30

_ON_WSGI = ("bare", "bare_on_ours", "ours", "ours_plain_cycle", "falcon")
_ON_ASGI = ("fastapi", "litestar", "blacksheep")


@dataclass(frozen=True, slots=True)
class Server:
    """A way to serve, and the contenders that are served so.

    ``options`` end a command that says where to listen and what to serve.
    """

    name: str
    module: str
    bind: str
    options: tuple[str, ...]
    contenders: tuple[str, ...]

    @property
    def versions(self) -> dict[str, str]:
        """The version of its distribution; nothing where it is not installed."""
        try:
            return {self.module: metadata.version(self.module)}
        except metadata.PackageNotFoundError:
            return {}

    def command(self, port: int) -> list[str]:
        """What is run to listen at that port."""
        where = self.bind.format(host=HOST, port=port).split()
        return [sys.executable, "-m", self.module, *where, *self.options, APP]


def _granian(interface: str, *options: str) -> tuple[str, ...]:
    one = ("--workers", "1", "--runtime-threads", "1", *options)
    return ("--interface", interface, *one, "--no-ws", "--log-level", "warning")


def _gunicorn(worker: str, *options: str) -> tuple[str, ...]:
    return ("-k", worker, "-w", "1", *options, "--log-level", "warning")


_HOST_AND_PORT = "--host {host} --port {port}"
_GUNICORN_BIND = "-b {host}:{port}"

SERVERS = (
    Server(
        "granian",
        "granian",
        _HOST_AND_PORT,
        _granian("wsgi", "--blocking-threads", "1"),
        (*_ON_WSGI, "handwritten"),
    ),
    Server("granian ASGI", "granian", _HOST_AND_PORT, _granian("asgi"), _ON_ASGI),
    Server("gunicorn sync", "gunicorn", _GUNICORN_BIND, _gunicorn("sync"), _ON_WSGI),
    Server(
        "gunicorn gthread",
        "gunicorn",
        _GUNICORN_BIND,
        _gunicorn("gthread", "--threads", "4"),
        _ON_WSGI,
    ),
    Server(
        "uvicorn",
        "uvicorn",
        _HOST_AND_PORT,
        ("--workers", "1", "--no-access-log", "--log-level", "warning"),
        _ON_ASGI,
    ),
)


@contextmanager
def serve(server: Server, contender: str) -> Iterator[int]:
    """The port at which a contender is served meanwhile."""
    port = _free_port()
    environment = {**os.environ, CONTENDER: contender}
    with on_core(0):
        process = subprocess.Popen(server.command(port), env=environment)
    try:
        _wait(process, port)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return t.cast(int, probe.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection((HOST, port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    message = f"no server at port {port}: {process.args!r}"
    raise RuntimeError(message)


def check(port: int, scenario: Scenario) -> None:
    """Ask once, and compare with what is expected.

    :raises RuntimeError: if it is something else.
    """
    answer = ask(port, scenario.request)
    if not scenario.expected.is_met_by(answer):
        message = f"port {port} answers {scenario.name} with {answer!r}"
        raise RuntimeError(message)


def ask(port: int, request: Request) -> Answer:
    """The answer to one request over a connection of its own."""
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    headers = dict(request.headers)
    if request.content_type:
        headers["Content-Type"] = request.content_type
    try:
        connection.request(request.method, request.path, request.body, headers)
        response = connection.getresponse()
        return Answer(response.status, response.read())
    finally:
        connection.close()


@contextmanager
def on_core(number: int) -> Iterator[None]:
    """What is started meanwhile stays on that core, where there are two of them."""
    cores = usable_cores()
    if len(cores) < 2:
        yield
        return
    os.sched_setaffinity(0, {sorted(cores)[number]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def usable_cores() -> set[int]:
    """The cores that this process may use; none where that is not known."""
    if not hasattr(os, "sched_getaffinity"):
        return set()
    return os.sched_getaffinity(0)
