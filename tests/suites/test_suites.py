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


def describe(tests: cabc.Iterable[str], with_ours: t.Any, with_plain: t.Any) -> str:
    """A paragraph for each test that fails: its name, its error, and what helps."""
    return "\n\n".join(
        f"{test}\n  {with_ours.failed.get(test, 'it did not run')}"
        + ("\n  It passes with plain statuses." if test in with_plain.passed else "")
        for test in sorted(tests)
    )


def test_suite_passes_with_flasks_own_classes(
    suite: t.Any, with_flasks_own_classes: t.Any
) -> None:
    outcome = with_flasks_own_classes

    assert len(outcome.passed) >= LEAST[suite.name], outcome.failed


def test_same_tests_pass_with_our_classes_but_for_the_listed(
    suite: t.Any,
    different: set[str],
    with_our_classes: t.Any,
    with_plain_statuses: t.Any,
    count: cabc.Callable[[str], None],
) -> None:
    listed = set().union(*differences(suite.name).values())
    unlisted = different - listed

    count(
        f"{suite.source.name}: {len(with_our_classes.passed)} tests pass with our"
        f" classes, {len(different & listed)} differ by contract, {len(unlisted)} fail"
    )
    if unlisted:
        pytest.fail(
            describe(unlisted, with_our_classes, with_plain_statuses), pytrace=False
        )
    assert different == listed


def test_what_is_listed_by_status_fails_for_its_status_alone(
    suite: t.Any, with_our_classes: t.Any, with_plain_statuses: t.Any
) -> None:
    by_status = differences(suite.name)[BY_STATUS]
    errors = {test: with_our_classes.failed.get(test, "") for test in by_status}

    others = {k: e for k, e in errors.items() if not e.lower().startswith("assert")}
    assert others == {}
    assert by_status - with_plain_statuses.passed == set()
