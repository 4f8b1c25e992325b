"""Flask's commands and servers, and copies of an application, on both classes alike."""

from __future__ import annotations

import copy
import gc
import os
import re
import socket
import subprocess
import sys
import time
import typing as t
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException

import flask
import pytest
from view_classes import dispatching_class

import flask_signature

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BOTH = ("flask", "flask_signature")

PROGRAM = """
import sys

from {package} import Blueprint, Flask

app = Flask(__name__)
bp = Blueprint("items", __name__, url_prefix="/items")


@app.route("/")
def index():
    return "{text}"


@app.route("/<int:number>", methods=["GET", "PUT"])
def show(number):
    return str(number)


@bp.get("/")
def items():
    return "items"


app.register_blueprint(bp)

if __name__ == "__main__":
    app.run(port=int(sys.argv[1]), threaded=False, processes=2)
"""


def write(folder: Path, package: str, *, text: str = "one", more: str = "") -> None:
    """Write the program, with something at its end, at once: a server may read it."""
    program, draft = PROGRAM.format(package=package, text=text), folder / "draft"
    draft.write_text(program + more, encoding="utf-8")
    draft.replace(folder / "app.py")


def environ() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FLASK_")}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}


@contextmanager
def running(folder: Path, *command: str) -> Iterator[None]:
    """A process, which is stopped with all that it has started."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=folder,
        env=environ(),
        # A pipe that nobody reads stops a server that writes a traceback each time.
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, 9)
        process.wait()


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


def fetch(port: int, path: str = "/") -> tuple[int, str]:
    """The answer to a request, ``(0, "")`` if nothing listens."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()
    except (OSError, HTTPException):
        return 0, ""
    finally:
        connection.close()


def wait_for(port: int, expected: Callable[[tuple[int, str]], bool]) -> int:
    """The status of the first answer that is as expected, within half a minute."""
    deadline = time.monotonic() + 30
    while not expected(found := fetch(port)):
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found[0]


def output(folder: Path, *command: str, given: str = "") -> str:
    result = subprocess.run(
        [sys.executable, "-m", "flask", *command],
        cwd=folder,
        env=environ(),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


def test_routes_are_printed_alike(tmp_path):
    printed = []
    for package in BOTH:
        write(tmp_path, package)
        printed.append(output(tmp_path, "routes", "--all-methods"))

    assert printed[0] == printed[1]
    assert "items.items" in printed[0]


def test_shell_has_the_application(tmp_path):
    printed = []
    for package in BOTH:
        write(tmp_path, package)
        code = "print(app.name, sorted(app.view_functions), g, sep='|')\n"
        text = output(tmp_path, "shell", given=code)
        printed.append(re.findall(r"app\|.*", text))

    assert printed[0] == printed[1]
    assert "['index', 'items.items', 'show', 'static']" in printed[0][0]


@pytest.mark.once
@pytest.mark.parametrize("package", BOTH)
def test_program_is_loaded_again_when_it_is_mended(tmp_path, package):
    write(tmp_path, package)
    port = free_port()
    with running(tmp_path, "-m", "flask", "run", "--debug", "--port", str(port)):
        assert wait_for(port, lambda found: found[1] == "one") == 200
        # An error is shown on a page until the program is mended.
        write(tmp_path, package, more="broken(\n")
        assert wait_for(port, lambda found: "SyntaxError" in found[1]) == 500
        write(tmp_path, package, text="two")
        assert wait_for(port, lambda found: found[1] == "two") == 200
        write(tmp_path, package, more="raise LookupError('missing')\n")
        assert wait_for(port, lambda found: "LookupError" in found[1]) == 500
        write(tmp_path, package, text="three")
        assert wait_for(port, lambda found: found[1] == "three") == 200
        assert fetch(port, "/items/") == (200, "items")


@pytest.mark.once
@pytest.mark.parametrize("package", BOTH)
def test_server_with_processes(tmp_path, package):
    write(tmp_path, package)
    port = free_port()
    with running(tmp_path, "app.py", str(port)):
        assert wait_for(port, lambda found: found[1] == "one") == 200
        found = [fetch(port, f"/{number}") for number in range(6)]

    assert found == [(200, str(number)) for number in range(6)]


@pytest.mark.parametrize("app_class", [flask.Flask, flask_signature.Flask])
@pytest.mark.parametrize("is_subclass", [False, True])
def test_copy_of_an_application_is_one(app_class, is_subclass):
    cls = dispatching_class(app_class) if is_subclass else app_class
    app = cls(__name__)

    @app.get("/")
    def index(n=1):
        return flask.current_app.name

    other = copy.copy(app)
    other.name = "other"
    assert other.dispatch_request.__self__ in (other, app)
    found = [made.test_client().get("/").text for made in (app, other, app)]
    assert found == [app.name, "other", app.name]

    # What is left is served without the one that it was copied from.
    del app, index
    gc.collect()
    assert [other.test_client().get("/").text for _ in "ab"] == ["other"] * 2
