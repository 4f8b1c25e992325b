"""The suites of extensions, run with our classes in the place of Flask's."""

from __future__ import annotations

import collections.abc as cabc
import typing as t
from pathlib import Path

import pytest

HERE = Path(__file__).parent

#: The heading of the tests that differ because the contract gives a POST, a PUT and a
#: DELETE other default statuses than Flask.
BY_STATUS = "[status by method]"

#: As many tests pass with Flask's own classes, at least.
LEAST = {
    "flask_caching": 200,
    "flask_cors": 90,
    "flask_restful": 250,
    "flask_restx": 1100,
    "flask_security": 900,
    "flask_smorest": 500,
    "flask_wtf": 80,
    "opentelemetry_flask": 55,
    "sentry_sdk": 130,
}


def differences(name: str) -> dict[str, set[str]]:
    """The tests of a suite that differ by contract, by the reason for it.

    :param name: the folder of the suite, which may hold a ``differences.txt``.
    """
    path = HERE / name / "differences.txt"
    found: dict[str, set[str]] = {BY_STATUS: set()}
    if not path.exists():
        return found
    heading = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            heading = line
        elif line and not line.startswith("#"):
            found.setdefault(heading, set()).add(line)
    return found


def describe(tests: cabc.Iterable[str], outcome: t.Any) -> str:
    """A paragraph for each test that fails: its name and its error."""
    return "\n\n".join(
        f"{test}\n  {outcome.failed.get(test, 'it did not run')}"
        for test in sorted(tests)
    )


def test_suite_passes_with_flasks_own_classes(suite, with_flasks_own_classes):
    outcome = with_flasks_own_classes

    assert len(outcome.passed) >= LEAST[suite.name], outcome.failed


@pytest.mark.parametrize("has_plain_statuses", [True, False])
def test_same_tests_pass_with_our_classes_but_for_the_listed(
    request, suite, with_flasks_own_classes, has_plain_statuses, count
):
    name = "with_plain_statuses" if has_plain_statuses else "with_our_classes"
    outcome = request.getfixturevalue(name)
    listed = differences(suite.name)
    if has_plain_statuses:
        # What differs by the default status alone differs no more.
        del listed[BY_STATUS]
    expected = set().union(*listed.values())
    different = {*with_flasks_own_classes.passed} - outcome.passed
    unlisted = different - expected

    count(
        f"{suite.source.name}, {name.replace('_', ' ')}: {len(outcome.passed)} tests"
        f" pass, {len(different & expected)} differ by contract, {len(unlisted)} fail"
    )
    if unlisted:
        pytest.fail(describe(unlisted, outcome), pytrace=False)
    assert different == expected
