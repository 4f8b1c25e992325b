"""Flask's source distribution, unpacked, and an environment that can run its tests."""

from __future__ import annotations

import collections.abc as cabc
import os
import shutil
import subprocess
import sys
import tarfile
import typing as t
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SERIES = ("3.0", "3.1")
COUNTS = pytest.StashKey[list[str]]()


class Outcome(t.NamedTuple):
    """How one run of Flask's suite ended."""

    returncode: int
    passed: int
    failed: int
    skipped: int
    listed: int
    output: str


@dataclass(frozen=True)
class Suite:
    """Flask's tests in one series of Flask, and the Python that runs them."""

    series: str
    source: Path
    python: Path

    def run(self, name: str, *options: str) -> Outcome:
        """The outcome of all of Flask's tests, as pytest's own report counts them.

        :param name: what the report is called.
        :param options: further arguments of pytest.
        """
        report = self.source.parent / f"{name}.xml"
        command = [
            *(str(self.python), "-m", "pytest", "--tb=short", "-q", "-rfEX"),
            *("-p", "no:cacheprovider", f"--junitxml={report}", *options),
        ]
        result = subprocess.run(
            command, cwd=self.source, env=clean_environ(), **CAPTURED
        )
        return read_report(report, result)


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


def clean_environ() -> dict[str, str]:
    """The environment of Flask's tests: our plugin on the path, nobody else's."""
    dropped = ("FLASK_", "PYTEST_", "PYTHONPATH", "COV")
    environ = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    return environ | {
        "PYTHONPATH": str(HERE / "swap"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def read_report(report: Path, result: subprocess.CompletedProcess[str]) -> Outcome:
    """The counts of a JUnit report.

    pytest writes a test that was expected to fail, and did, as skipped, with the type
    ``pytest.xfail``.
    """
    assert report.exists(), result.stdout
    cases = ElementTree.parse(report).getroot().findall(".//testcase")
    failed = [c for c in cases if c.find("failure") is not None or has_error(c)]
    skips = [skip.get("type") for c in cases for skip in c.findall("skipped")]
    listed = skips.count("pytest.xfail")
    return Outcome(
        returncode=result.returncode,
        passed=len(cases) - len(failed) - len(skips),
        failed=len(failed),
        skipped=len(skips) - listed,
        listed=listed,
        output=result.stdout,
    )


def has_error(case: ElementTree.Element) -> bool:
    """Whether a test failed outside of its own code, in a fixture."""
    return case.find("error") is not None


def run(*command: str, cwd: Path) -> None:
    """Run a command, and fail with what it printed."""
    result = subprocess.run(command, cwd=cwd, **CAPTURED)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}"


def pinned_flask(requirements: Path) -> str:
    """The line that pins Flask: ``flask==3.1.3``."""
    lines = requirements.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("flask=="))


def fetch_source(requirement: str, folder: Path) -> Path:
    """Flask's source distribution, fetched with pip and unpacked into a folder.

    Without build isolation pip needs nothing from the index but the archive itself.
    """
    options = ("--no-binary", ":all:", "--no-deps", "--no-build-isolation")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "download", *options, requirement, cwd=folder)
    (archive,) = folder.glob("flask-*.tar.gz")
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
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    wanted = ("-r", str(requirements), package)
    run(*pip, "--python", str(python), "install", "-q", *wanted, cwd=folder)
    return python


@pytest.fixture(scope="session", params=SERIES)
def suite(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Suite:
    """Flask's suite, once per series of Flask."""
    folder = tmp_path_factory.mktemp(f"flask-{request.param}-")
    requirements = HERE / f"flask-{request.param}.txt"
    source = fetch_source(pinned_flask(requirements), folder)
    package = package_under_test(request.config.rootpath, folder)
    return Suite(request.param, source, make_environment(folder, requirements, package))


@pytest.fixture(scope="session")
def with_flasks_own_classes(suite: Suite) -> Outcome:
    """Flask's suite as Flask's authors run it."""
    return suite.run("flasks-own")


@pytest.fixture
def count(request: pytest.FixtureRequest) -> cabc.Callable[[str], None]:
    """Print a line at the end of the run."""
    return request.config.stash[COUNTS].append


def pytest_configure(config: pytest.Config) -> None:
    """Begin with no lines."""
    config.stash[COUNTS] = []


def pytest_terminal_summary(
    terminalreporter: t.Any,
    config: pytest.Config,
) -> None:
    """Print the counts of Flask's own tests."""
    for line in config.stash[COUNTS]:
        terminalreporter.write_line(line)
