"""What monitoring records of an application is the same on both classes.

A library replaces methods of Flask's classes once for a process, so each program has a
process.
"""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
from programs import printed_by

PROGRAM = Path(__file__).with_name("monitored.py")

#: When a library begins, and how many records it then makes of 36 requests.
CASES = [
    # Sentry makes none of HEAD and OPTIONS, and one more of each error and message.
    *(("sentry", order, [38]) for order in ("before", "after", "late")),
    *(("opentelemetry", order, [36]) for order in ("before", "after", "again")),
    # Flask takes no hook after the first request: what it says is recorded.
    ("opentelemetry", "late", [1]),
    *(("ddtrace", order, range(300, 600)) for order in ("before", "after")),
    *(("newrelic", order, [36]) for order in ("before", "after")),
]


def recorded(*arguments: str) -> t.Any:
    """What a program answers, and what a library records of that."""
    # "Allow" lists a set.
    printed = printed_by(str(PROGRAM), *arguments, PYTHONHASHSEED="0")
    # What is named after the class of the application has its module.
    records = printed.splitlines()[-1]
    return json.loads(records.replace("flask_signature.app:", "flask.app:"))


@pytest.mark.parametrize(("library", "order", "counts"), CASES)
def test_same_is_recorded_on_both_classes(library, order, counts):
    plain = recorded(library, order, "flask")
    ours = recorded(library, order, "flask_signature")

    assert ours == plain
    assert len(plain[1]) in counts


def test_reports_of_sentry_have_the_frames_and_the_log_of_a_failure():
    _, events = recorded("sentry", "after", "flask_signature")

    errors = [event for event in events if event["exceptions"]]
    assert [error["transaction"] for error in errors] == ["/broken"] * 4
    for error in errors:
        ((kind, _, _, (frame,)),) = error["exceptions"]
        assert (kind, frame[0]) == ("ZeroDivisionError", "broken")
        assert "about to divide" in [crumb[2] for crumb in error["breadcrumbs"]]
