"""What monitoring records of an application is the same on both classes."""

from __future__ import annotations

import json
import subprocess
import sys
import typing as t
from functools import cache
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("monitored.py")

#: How many records there are of the requests, at least.
LEAST = {"sentry": 14, "opentelemetry": 14, "ddtrace": 100, "newrelic": 14}


@cache
def recorded(*arguments: str) -> t.Any:
    """What a library records, in a process of its own."""
    command = [sys.executable, str(PROGRAM), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    # What is named after the class of the application has its module.
    records = result.stdout.splitlines()[-1]
    return json.loads(records.replace("flask_signature.app:", "flask.app:"))


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("library", LEAST)
def test_same_is_recorded_on_both_classes(library, order):
    plain = recorded(library, order, "flask")
    ours = recorded(library, order, "flask_signature")

    assert ours == plain
    assert len(plain) >= LEAST[library]
