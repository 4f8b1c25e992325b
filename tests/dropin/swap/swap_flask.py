"""A pytest plugin: Flask's tests see our ``Flask`` and ``Blueprint``, not Flask's.

Load it with ``-p swap_flask``. Plugins are imported before any ``conftest.py``, and so
before the first ``from flask import Flask`` of a test, a test application or Flask's
own command line.
"""

from __future__ import annotations

import sys

import flask
import flask.app
import flask.blueprints
import pytest
from differences import DIFFERENCES

import flask_signature

if "plain_statuses" in sys.modules:
    # They differ by the default status alone.
    DIFFERENCES.clear()

for module, name, replacement in (
    (flask, "Flask", flask_signature.Flask),
    (flask.app, "Flask", flask_signature.Flask),
    (flask, "Blueprint", flask_signature.Blueprint),
    (flask.blueprints, "Blueprint", flask_signature.Blueprint),
):
    setattr(module, name, replacement)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect each listed test to fail, and to fail in an assertion of its own."""
    by_id = {item.nodeid: item for item in items}
    unknown = DIFFERENCES.keys() - by_id.keys()
    if unknown:
        message = f"Flask's suite has no such test: {', '.join(sorted(unknown))}"
        raise pytest.UsageError(message)
    for nodeid, sentence in DIFFERENCES.items():
        mark = pytest.mark.xfail(reason=sentence, raises=AssertionError, strict=True)
        by_id[nodeid].add_marker(mark)


def pytest_report_header() -> str:
    """Say which classes the suite ran with."""
    return f"flask.Flask: {flask.Flask.__module__}.{flask.Flask.__qualname__}"
