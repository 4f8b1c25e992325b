"""Each server on a free port of the loopback interface, with a log to read."""

from __future__ import annotations

import collections.abc as cabc
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import typing as t
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PATIENCE = 20.0
APP = "shop:app"
GUNICORN = ("gunicorn", APP, "--bind", "127.0.0.1:{port}", "--workers", "2")


class Kind(t.NamedTuple):
    """How one kind of server is started, and asked to finish."""

    command: tuple[str, ...]
    workers: int = 1
    stop: signal.Signals = signal.SIGTERM


SERVERS = {
    "gunicorn-sync": Kind((*GUNICORN, "--worker-class", "sync"), workers=2),
    "gunicorn-gthread": Kind(
        (*GUNICORN, "--worker-class", "gthread", "--threads", "4"), workers=2
    ),
    "gunicorn-gevent": Kind((*GUNICORN, "--worker-class", "gevent"), workers=2),
    # Waitress knows no SIGTERM, and finishes its requests on an interrupt.
    "waitress": Kind(
        ("waitress", "--listen", "127.0.0.1:{port}", "--threads", "4", APP),
        stop=signal.SIGINT,
    ),
    "granian": Kind(
        (
            *("granian", "--interface", "wsgi", "--host", "127.0.0.1"),
            *("--port", "{port}", "--blocking-threads", "4", APP),
        )
    ),
}


class Answer(t.NamedTuple):
    status: int
    body: bytes

    @property
    def json(self) -> t.Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Server:
    kind: Kind
    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def connect(self) -> http.client.HTTPConnection:
        """A new connection. It waits for nothing longer than the tests' patience."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def request(self, method: str, path: str, **options: t.Any) -> Answer:
        """The answer to one request on a connection of its own.

        :param options: ``body`` and ``headers``, as ``http.client`` takes them.
        """
        connection = self.connect()
        try:
            connection.request(method, path, **options)
            response = connection.getresponse()
            return Answer(response.status, response.read())
        finally:
            connection.close()

    def post_json(self, path: str, value: object) -> Answer:
        """The answer to a JSON body."""
        headers = {"Content-Type": "application/json"}
        return self.request("POST", path, body=json.dumps(value), headers=headers)

    def printed(self) -> str:
        """What the server and the application have printed up to now."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, text: str) -> None:
        wait_until(lambda: text in self.printed(), f"{text!r} in {self.log}")

    def stop(self) -> int:
        """The exit status after the signal that asks the server to finish."""
        self.process.send_signal(self.kind.stop)
        return self.process.wait(PATIENCE)


def wait_until(condition: cabc.Callable[[], bool], what: str) -> None:
    """Wait for a condition, but not longer than the tests' patience."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"Waited in vain for {what}."
        time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> cabc.Iterator[Server]:
    """One server after the other, fresh for each test, with all of its workers."""
    kind, port, log = SERVERS[request.param], free_port(), tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *(part.format(port=port) for part in kind.command)],
            cwd=HERE,
            env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(HERE)},
            stdout=output,
            stderr=subprocess.STDOUT,
            # Whoever runs the tests may ignore it, and so would the server.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    server = Server(kind, port, process, log)
    try:
        wait_until(lambda: is_ready(server), f"{request.param}, which printed {log}")
        yield server
    finally:
        end(process)


def is_ready(server: Server) -> bool:
    """Whether each worker has imported the application, and the port is open.

    :raises AssertionError: if the server has ended.
    """
    assert server.process.poll() is None, server.printed()
    with socket.socket() as attempt:
        attempt.settimeout(1)
        is_open = attempt.connect_ex(("127.0.0.1", server.port)) == 0
    return is_open and server.printed().count("ready") == server.kind.workers


def end(process: subprocess.Popen[bytes]) -> None:
    """End a server and its workers, if it still runs."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
