"""The keys of dictionaries: those that the type accepts."""

from __future__ import annotations

import typing as t

import pytest
from models import Color
from returned import holder, sent

ACCEPTED: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "literal": (dict[t.Literal["a"], int], {"a": 1}, {"a": 1}),
    "enumeration": (dict[Color, int], {Color.RED: 1}, {"red": 1}),
    "value": (dict[Color, int], {"red": 1}, {"red": 1}),
    "number": (dict[int, int], {1: 1}, {"1": 1}),
    "string": (dict[str, int], {"a": 1}, {"a": 1}),
    "anything": (dict[t.Any, int], {"a": 1}, {"a": 1}),
    "bare": (dict, {"a": 1}, {"a": 1}),
}

REFUSED: dict[str, tuple[t.Any, t.Any]] = {
    "literal": (dict[t.Literal["a"], int], {"a": 1, "hunter2": 2}),
    "enumeration": (dict[Color, int], {"hunter2": 1}),
    "inside": (dict[str, dict[Color, int]], {"a": {"hunter2": 1}}),
    "number": (dict[int, int], {"hunter2": 1}),
}


@pytest.mark.parametrize(("tp", "value", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_key_of_its_type_is_sent(tp, value, expected):
    assert sent(holder(tp), {"found": value}) == {"found": expected}


@pytest.mark.parametrize(("tp", "value"), REFUSED.values(), ids=REFUSED)
def test_key_of_another_type_is_a_failed_response(tp, value, caplog):
    assert sent(holder(tp), {"found": value}) is None
    assert "hunter2" not in caplog.text
