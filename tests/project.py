"""A page that is followed literally, from an empty folder.

A block that begins with the name of a file, ``# shop/books.py``, is that file. One of
the language ``diff`` that begins so changes the file: it has lines that are there,
removed (``-``) or added (``+``), in one place of it.

The commands of a ``console`` block are run in the folder, and what the page shows below
a command is what it prints, where ``...`` stands for anything. A server that a command
starts runs until another is started, or the page ends.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import typing as t
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

FENCE: t.Final = re.compile(r"^(```+)([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
FILE: t.Final = re.compile(
    r"\A(?:#|//|<!--) (\.?[\w./-]+\.\w+|Dockerfile|\.\w+)(?: -->)?\n"
)

#: What is run in the background.
SERVERS: t.Final = ("flask run", "flask --app", "gunicorn", "granian", "waitress-serve")

#: What sets up the machine: the environment of the tests stands for it.
SETUP: t.Final = ("pip ", "python -m venv ", ". .venv/", "source ", "cd ", "mkdir ")

#: The addresses that pages show. The tests use free ports.
PORTS: t.Final = ("5000", "8000")


@dataclass
class Project:
    """An empty folder in which pages are followed."""

    folder: Path
    server: subprocess.Popen[bytes] | None = None
    ports: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ports = {port: str(_free_port()) for port in PORTS}

    def follow(self, page: Path) -> None:
        """Do what each block of a page says, in turn."""
        for language, text in blocks_of(page):
            named = FILE.match(text)
            if language == "console":
                self._run_all(text)
            elif named:
                self._write(named, language, text)
            else:
                assert language != "python", f"a block without a file: {text}"

    def stop(self) -> None:
        """End the server, if one runs, and kill what is left of it after a while."""
        if self.server is not None:
            # Its workers are its own business: some hang if they get a signal as well.
            self.server.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.server.wait(10)
            with suppress(ProcessLookupError):
                os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait()
            self.server = None

    def _write(self, named: re.Match[str], language: str, text: str) -> None:
        path = self.folder / named[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        if language == "diff":
            text = _patch(path.read_text(encoding="utf-8"), text[named.end() :])
        path.write_text(text, encoding="utf-8")

    def _run_all(self, text: str) -> None:
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, shown = _split_command(part)
            if command.startswith(SETUP):
                self._make_folders(command)
            elif _is_server(command):
                self._serve(command)
            else:
                self._run(command, shown)

    def _make_folders(self, command: str) -> None:
        if command.startswith("mkdir "):
            for name in shlex.split(command)[1:]:
                (self.folder / name).mkdir(exist_ok=True)

    def _run(self, command: str, shown: str) -> None:
        ran = subprocess.run(
            ["bash", "-c", self._with_ports(command).replace("curl ", "curl -sS ")],
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        printed = "\n".join(line.rstrip() for line in ran.stdout.strip().split("\n"))
        found = is_shown(printed, self._with_ports(shown))
        assert found, f"$ {command}\n{printed}\n--- and the page shows\n{shown}"

    def _serve(self, command: str) -> None:
        self.stop()
        self.server = subprocess.Popen(
            ["bash", "-c", f"exec env {self._with_ports(command)}"],
            cwd=self.folder,
            env=self._environment(),
            start_new_session=True,
        )
        port = "5000" if "flask " in command else "8000"
        _wait_for(int(self.ports[port]), self.server)

    def _with_ports(self, text: str) -> str:
        for port, free in self.ports.items():
            text = re.sub(rf"(?<=:){port}\b", free, text)
        return text

    def _environment(self) -> dict[str, str]:
        programs = Path(sys.executable).parent
        return {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "FLASK_RUN_PORT": self.ports["5000"],
            "GRANIAN_PORT": self.ports["8000"],
            "GUNICORN_CMD_ARGS": f"--bind 127.0.0.1:{self.ports['8000']}",
            "PYTHONPATH": str(self.folder),
            # pytest's own output is not that of a terminal.
            "COLUMNS": "80",
            "NO_COLOR": "1",
        }


def is_shown(printed: str, shown: str) -> bool:
    """Whether a text is what a page shows, where ``...`` stands for anything.

    Each piece is looked for once, after the one before it: a regular expression would
    try all of their places, which takes minutes where a test prints its dots.
    """
    first, *pieces = shown.split("...")
    if not pieces:
        return printed == shown
    *pieces, last = pieces
    if not printed.startswith(first):
        return False
    place = len(first)
    for piece in pieces:
        place = printed.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return printed[place:].endswith(last)


def blocks_of(page: Path) -> t.Iterator[tuple[str, str]]:
    """The language and the text of each block of code; directives are none."""
    for _, language, text in FENCE.findall(page.read_text(encoding="utf-8")):
        if not language.startswith("{"):
            yield language, text


def _patch(before: str, diff: str) -> str:
    """A file in which the lines of a diff that are not added are the others."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] or "\n" for line in lines if not line.startswith("+"))
    new = "".join(line[1:] or "\n" for line in lines if not line.startswith("-"))
    assert before.count(old) == 1, f"not in one place of the file: {old}"
    return before.replace(old, new)


def _split_command(part: str) -> tuple[str, str]:
    """A command, which may go on after a backslash, and what is shown below it."""
    lines = part.rstrip().split("\n")
    count = 1
    while lines[count - 1].endswith("\\"):
        count += 1
    return "\n".join(lines[:count]), "\n".join(lines[count:])


def _is_server(command: str) -> bool:
    command = re.sub(r"\A(\w+=\S* (\\\n\s*)?)+", "", command)
    return command.startswith(SERVERS) and (
        not command.startswith("flask") or " run" in command
    )


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Return as soon as a server listens.

    :raises AssertionError: if it ends, or does not within half a minute.
    """
    end = time.monotonic() + 30
    while time.monotonic() < end:
        assert server.poll() is None, "the server has ended"
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")
