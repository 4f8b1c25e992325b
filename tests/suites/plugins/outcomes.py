"""A pytest plugin: how each test ended, as JSON in the file that OUTCOMES names.

``{"tests/test_form.py::test_hidden": ["failed", "assert 201 == 200"], ...}``: the words
are ``passed``, ``skipped`` and ``failed``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

OUTCOMES: dict[str, tuple[str, str]] = {}


def last_error(report: pytest.TestReport | pytest.CollectReport) -> str:
    """What pytest marks as the error in its report of a failure, cut short."""
    lines = report.longreprtext.splitlines()
    marked = (line[1:].strip() for line in lines if line.startswith("E  "))
    return " ".join(marked)[:300]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the outcome of a test, its set-up and its tear-down."""
    known = OUTCOMES.get(report.nodeid, ("passed", ""))
    if report.failed:
        OUTCOMES[report.nodeid] = ("failed", last_error(report))
    elif report.skipped and known[0] == "passed":
        OUTCOMES[report.nodeid] = ("skipped", "")
    else:
        OUTCOMES[report.nodeid] = known


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Keep a module that can't be imported."""
    if report.failed:
        OUTCOMES[report.nodeid] = ("failed", last_error(report))


def pytest_sessionfinish() -> None:
    path = Path(os.environ["OUTCOMES"])
    path.write_text(json.dumps(OUTCOMES, indent=0), encoding="utf-8")
