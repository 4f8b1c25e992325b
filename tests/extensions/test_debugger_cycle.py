"""``flask run --debug`` with our request cycle: debugger, console and reloader.

The development server runs in a process of its own, on loopback.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import typing as t
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

PROGRAM: t.Final = """
import flask
import flask_signature

app = {name}("shop")
app.secret_key = "a key long enough for every signature"


def divide(number):
    return number / 0


@app.get("/broken/<int:number>")
def broken(number):
    flask.g.seen = "in g"
    return str(divide(number))


@app.get("/fine")
def fine():
    return "first version"
"""

#: The same program on plain Flask, and on ours with its request cycle.
PROGRAMS: t.Final = {
    "plain": PROGRAM.format(name="flask.Flask"),
    "ours": PROGRAM.format(name="flask_signature.Flask"),
}

#: The frames on the page of the debugger: number, file, line and function.
FRAME: t.Final = re.compile(
    r'<div class="frame" id="frame-(\d+)">\s*<h4>File <cite class="filename">"([^"]+)"'
    r'</cite>,\s*line <em class="line">(\d+)</em>,\s*'
    r'in <code class="function">(\w+)</code>'
)
SECRET: t.Final = re.compile(r'SECRET = "(\w+)"')
TAG: t.Final = re.compile("<[^>]+>")

#: What is asked of the console, in the frame of the function that failed.
COMMANDS: t.Final = [
    "number",
    "flask.request.path",
    "flask.request.view_args",
    "flask.g.seen",
    "flask.current_app.name",
    "flask.url_for('fine')",
]


@contextmanager
def served(folder: Path, *options: str) -> t.Iterator[str]:
    """The address of the development server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    flask_run = [sys.executable, "-m", "flask", "--app", "shop", "run", "--debug"]
    process = subprocess.Popen(
        [*flask_run, "--port", str(port), *options],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTHONDONTWRITEBYTECODE": "1",
            "WERKZEUG_DEBUG_PIN": "off",
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # The reloader has a child, which is to end with it.
        start_new_session=True,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(lambda: read(f"{address}/fine")[0] == 200)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)


def wait_for(condition: t.Callable[[], bool]) -> None:
    """Wait until the server does what is asked for."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if condition():
                return
        except (URLError, ConnectionError, HTTPException):
            # Not there yet, or on its way to another version of the program.
            pass
        time.sleep(0.1)
    pytest.fail("the server does not do it")


def read(address: str) -> tuple[int, str]:
    try:
        with urlopen(address, timeout=10) as response:
            return response.status, response.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def debugged(folder: Path, *options: str) -> dict[str, t.Any]:
    """What the debugger and its console show of a view that fails."""
    with served(folder, *options) as address:
        status, page = read(f"{address}/broken/4")
        (secret,) = SECRET.findall(page)
        own = [frame for frame in FRAME.findall(page) if frame[1].endswith("shop.py")]
        said = {}
        for command in COMMANDS:
            query = {"__debugger__": "yes", "cmd": command, "frm": own[-1][0]}
            answer = read(f"{address}/?{urlencode({**query, 's': secret})}")
            said[command] = answer[0], TAG.sub("", answer[1])
    assert "ZeroDivisionError: division by zero" in page
    return {"status": status, "frames": [frame[2:] for frame in own], "said": said}


@pytest.mark.parametrize("options", [["--no-reload"], []], ids=["no-reload", "reload"])
def test_debugger_shows_the_frames_of_the_program(tmp_path, options):
    shown = []
    for name, program in PROGRAMS.items():
        folder = tmp_path / name
        folder.mkdir()
        # Both have the same lines.
        (folder / "shop.py").write_text(program, encoding="utf-8")
        shown.append(debugged(folder, *options))

    plain, ours = shown
    assert ours == plain
    assert [function for _, function in ours["frames"]] == ["broken", "divide"]
    assert ours["status"] == 500
    assert "/broken/4" in ours["said"]["flask.request.path"][1]
    assert "in g" in ours["said"]["flask.g.seen"][1]


def test_reloader_serves_the_program_that_was_changed(tmp_path):
    file = tmp_path / "shop.py"
    file.write_text(PROGRAMS["ours"], encoding="utf-8")
    with served(tmp_path) as address:
        text = PROGRAMS["ours"].replace("first version", "second version")
        file.write_text(text, encoding="utf-8")

        wait_for(lambda: read(f"{address}/fine") == (200, "second version"))
