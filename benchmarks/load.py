"""The load: ``wrk``, one thread of it, over connections that stay open."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from . import timing
from .scenario import Request
from .servers import HOST, on_core

CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Load:
    """What a server withstood for a while.

    ``busy`` is the share of that time in which the client used its core: near 1 it is
    the client that was measured, not the server.
    """

    per_second: float
    busy: float


@dataclass(frozen=True, slots=True)
class Rate:
    """Requests per second over the rounds, and how busy the client was at most."""

    median: float
    low: float
    high: float
    busy: float


def summarize(loads: list[Load]) -> Rate:
    """The quartiles of what was measured in each round."""
    low, median, high = timing.quartiles([each.per_second for each in loads])
    return Rate(median, low, high, max(each.busy for each in loads))


def version() -> str | None:
    """The version of ``wrk``; ``None`` where it is not installed."""
    if shutil.which("wrk") is None:
        return None
    # It prints its version with its usage, and calls that an error.
    said = subprocess.run(["wrk", "-v"], check=False, capture_output=True, text=True)
    found = re.search(r"wrk (\S+)", said.stdout + said.stderr)
    return found[1] if found else ""


def press(port: int, request: Request, *, seconds: int) -> Load:
    """The requests per second that are answered over sixteen connections.

    :raises RuntimeError: if an answer is no success, or ``wrk`` says something else.
    """
    with _script(request) as script, on_core(1):
        url = f"http://{HOST}:{port}{request.path}"
        shape = ["-t", "1", "-c", str(CONNECTIONS), "-d", f"{seconds}s"]
        used, start = _used(), time.monotonic()
        command = ["wrk", *shape, "-s", script, url]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        busy = (_used() - used) / (time.monotonic() - start)
    found = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    if found is None or re.search("Non-2xx|Socket errors", done.stdout):
        raise RuntimeError(done.stdout)
    return Load(float(found[1]), busy)


def _used() -> float:
    """The processor's seconds of the children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


@contextmanager
def _script(request: Request) -> Iterator[str]:
    """The path of a Lua program that says what is sent."""
    lines = [f'wrk.method = "{request.method}"']
    if request.content_type:
        lines.append(f'wrk.headers["Content-Type"] = "{request.content_type}"')
        lines.append(f"wrk.body = [==[{request.body.decode()}]==]")
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write("\n".join(lines))
        file.flush()
        yield file.name
