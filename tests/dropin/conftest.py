"""Flask's source distribution, unpacked, and an environment that can run its tests."""

from __future__ import annotations

import subprocess
import typing as t
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import pytest
from distributions import (
    CAPTURED,
    clean_environ,
    fetch_source,
    make_environment,
    package_under_test,
)
from distributions import count as count
from distributions import pytest_configure as pytest_configure
from distributions import pytest_terminal_summary as pytest_terminal_summary

HERE = Path(__file__).parent
SERIES = ("3.0", "3.1")
#: Without build isolation pip needs nothing from the index but the archive itself.
ARCHIVE = ("--no-binary", ":all:", "--no-build-isolation")


class Outcome(t.NamedTuple):
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
        environ = clean_environ(HERE / "swap", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        result = subprocess.run(command, cwd=self.source, env=environ, **CAPTURED)
        return read_report(report, result)


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


def pinned_flask(requirements: Path) -> str:
    """The line that pins Flask: ``flask==3.1.3``."""
    lines = requirements.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("flask=="))


@pytest.fixture(scope="session", params=SERIES)
def suite(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Suite:
    folder = tmp_path_factory.mktemp(f"flask-{request.param}-")
    requirements = HERE / f"flask-{request.param}.txt"
    source = fetch_source(pinned_flask(requirements), folder, *ARCHIVE)
    package = package_under_test(request.config.rootpath, folder)
    return Suite(request.param, source, make_environment(folder, requirements, package))


@pytest.fixture(scope="session")
def with_flasks_own_classes(suite: Suite) -> Outcome:
    return suite.run("flasks-own")
