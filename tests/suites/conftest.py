"""The suites of extensions, each unpacked beside an environment that can run it."""

from __future__ import annotations

import json
import shutil
import subprocess
import typing as t
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

#: Our classes in the place of Flask's.
SWAPPED = ("-p", "swap_flask")

#: The same with Flask's default statuses, and our cycle from the first request on.
PLAIN = ("-p", "from_first_request", "-p", "plain_statuses", *SWAPPED)

#: The folder of a suite -> the options that pytest needs for it.
SUITES: dict[str, tuple[str, ...]] = {
    "flask_caching": ("-o", "asyncio_default_fixture_loop_scope=function"),
    "flask_cors": (),
    "flask_restful": ("-p", "flask_signals"),
    "flask_restx": (
        *("-p", "restx_fixtures", "--benchmark-disable"),
        # It reads a file that the source distribution leaves out.
        "--ignore=tests/test_postman.py",
        # These ask a name server.
        "--deselect=tests/test_inputs.py::URLTest::test_check",
        "--deselect=tests/test_inputs.py::EmailTest::test_valid_value_check",
    ),
    "flask_security": (),
    "flask_smorest": (),
    "flask_wtf": (),
    "opentelemetry_flask": (),
    # It has options of a plug-in that counts lines.
    "sentry_sdk": ("-o", "addopts="),
}

#: Where the tests are that are run, for those that have others.
FOLDERS = {"sentry_sdk": "tests/integrations/flask"}


class Outcome(t.NamedTuple):
    passed: frozenset[str]
    #: Test -> the error.
    failed: dict[str, str]


@dataclass(frozen=True)
class Suite:
    """The tests of an extension, and the Python that runs them."""

    name: str
    source: Path
    python: Path

    def run(self, *options: str) -> Outcome:
        """The outcome of the tests.

        :param options: further arguments of pytest.
        """
        report = self.source.parent / "outcomes.json"
        report.unlink(missing_ok=True)
        command = (str(self.python), "-m", "pytest", "-q", "-p", "outcomes", *options)
        tests = FOLDERS.get(self.name, "tests")
        environ = clean_environ(HERE / "plugins", OUTCOMES=str(report))
        captured = {**CAPTURED, "timeout": 1200}
        result = subprocess.run(
            [*command, *SUITES[self.name], tests],
            cwd=self.source,
            env=environ,
            **captured,
        )
        assert report.exists(), result.stdout
        outcomes = json.loads(report.read_text(encoding="utf-8"))
        return Outcome(
            passed=frozenset(
                k for k, (word, _) in outcomes.items() if word == "passed"
            ),
            failed={
                k: error for k, (word, error) in outcomes.items() if word == "failed"
            },
        )


def keep_tests(source: Path) -> None:
    """Remove the folders of a source distribution but its tests.

    Its package would be imported in the place of the one that is installed.
    """
    for folder in source.iterdir():
        if folder.is_dir() and folder.name != "tests":
            shutil.rmtree(folder)


@pytest.fixture(scope="session", params=SUITES)
def suite(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Suite:
    folder = tmp_path_factory.mktemp(request.param)
    requirements = HERE / request.param / "requirements.txt"
    pinned = requirements.read_text(encoding="utf-8").splitlines()[0]
    no_wheel = ("--no-binary", pinned.partition("==")[0])
    source = fetch_source(pinned, folder, *no_wheel)
    keep_tests(source)
    package = package_under_test(request.config.rootpath, folder)
    return Suite(request.param, source, make_environment(folder, requirements, package))


@pytest.fixture(scope="session")
def with_flasks_own_classes(suite: Suite) -> Outcome:
    """The suite as the authors of the extension run it."""
    return suite.run()


@pytest.fixture(scope="session")
def with_our_classes(suite: Suite) -> Outcome:
    """The suite with our classes in the place of Flask's."""
    return suite.run(*SWAPPED)


@pytest.fixture(scope="session")
def with_plain_statuses(suite: Suite) -> Outcome:
    return suite.run(*PLAIN)
