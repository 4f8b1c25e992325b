"""Flask's own test suite, run with our classes in the place of Flask's."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DIFFERENCES: dict[str, str] = runpy.run_path(str(HERE / "swap" / "differences.py"))[
    "DIFFERENCES"
]


def test_suite_passes_with_flasks_own_classes(with_flasks_own_classes):
    outcome = with_flasks_own_classes

    assert outcome.returncode == 0, outcome.output
    assert outcome.passed > 450
    assert (outcome.failed, outcome.skipped, outcome.listed) == (0, 0, 0)


@pytest.mark.parametrize(
    "plugins",
    [(), ("-p", "from_first_request"), ("-p", "plain_statuses")],
    ids=["usual", "first", "plain"],
)
def test_suite_differs_with_ours_only_where_the_contract_says_so(
    suite, with_flasks_own_classes, plugins, count
):
    outcome = suite.run("ours", *plugins, "-p", "swap_flask")

    count(
        f"{suite.source.name}: of {with_flasks_own_classes.passed} tests"
        f" {outcome.passed} pass with our classes, {outcome.listed} differ by contract,"
        f" {outcome.failed} fail {' '.join(plugins)}"
    )
    assert outcome.returncode == 0, outcome.output
    # With status_code=200 there is no difference left.
    assert outcome.listed == (0 if "plain_statuses" in plugins else len(DIFFERENCES))
    assert outcome.passed + outcome.listed == with_flasks_own_classes.passed
    assert (outcome.failed, outcome.skipped) == (0, 0)
