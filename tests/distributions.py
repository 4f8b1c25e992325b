"""Source distributions of other projects, and environments that run their tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


class Captured(t.TypedDict):
    stdout: int
    stderr: int
    text: bool
    timeout: float


CAPTURED: Captured = {
    "stdout": subprocess.PIPE,
    "stderr": subprocess.STDOUT,
    "text": True,
    "timeout": 420,
}


def run(*command: str, cwd: Path) -> None:
    """Run a command, and fail with what it printed."""
    result = subprocess.run(command, cwd=cwd, **CAPTURED)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}"


def clean_environ(plugins: Path, **added: str) -> dict[str, str]:
    """The environment of another project's tests: our plugins on the path, no others.

    :param plugins: the folder of the plugins, besides that of ``from_first_request``.
    :param added: further variables.
    """
    dropped = ("FLASK_", "PYTEST_", "PYTHONPATH", "COV")
    environ = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    path = os.pathsep.join(map(str, (plugins, Path(__file__).parent / "first")))
    own = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return environ | own | added


def fetch_source(requirement: str, folder: Path, *options: str) -> Path:
    """A source distribution, fetched with pip and unpacked into a folder.

    :param requirement: with its version: ``flask==3.1.3``.
    :param options: further arguments of ``pip download``.
    """
    run(*PIP, "download", "-q", "--no-deps", *options, requirement, cwd=folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def package_under_test(root: Path, folder: Path) -> str:
    """The package that tox built; where there is no tox, a copy of what it builds from.

    A copy, since building leaves files beside the source that a later build would pack.
    """
    built = os.environ.get("TOX_PACKAGE")
    if built:
        return built
    left_out = shutil.ignore_patterns(".*", "build", "docs", "tests", "*.egg-info")
    return str(shutil.copytree(root, folder / "package", ignore=left_out))


def make_environment(folder: Path, requirements: Path, package: str) -> Path:
    """The Python of a fresh environment with the requirements and our package."""
    run(sys.executable, "-m", "virtualenv", "--no-seed", "-q", "env", cwd=folder)
    python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = ("-r", str(requirements), package)
    run(*PIP, "--python", str(python), "install", "-q", *wanted, cwd=folder)
    return python


COUNTS = pytest.StashKey[list[str]]()


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Print a line at the end of the run: for a ``conftest.py``, with its hooks."""
    return request.config.stash[COUNTS].append


def pytest_configure(config: pytest.Config) -> None:
    """Begin with no lines."""
    config.stash[COUNTS] = []


def pytest_terminal_summary(terminalreporter: t.Any, config: pytest.Config) -> None:
    """Print the lines."""
    for line in config.stash[COUNTS]:
        terminalreporter.write_line(line)
