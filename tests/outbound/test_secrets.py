"""Secrets of Pydantic, sent as asterisks."""

from __future__ import annotations

import datetime
import typing as t

import pytest
from models import Item
from pydantic import Secret, SecretBytes, SecretStr
from returned import holder, sent


class SecretDate(Secret[datetime.date]):
    def _display(self) -> str:
        return f"{self.get_secret_value().year}"


HIDDEN = "**********"

SENT: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "str": (SecretStr, "hunter2", HIDDEN),
    "bytes": (SecretBytes, b"hunter2", HIDDEN),
    "empty": (SecretStr, "", ""),
    "optional": (SecretStr | None, "hunter2", HIDDEN),
    "none": (SecretStr | None, None, None),
    "list": (list[SecretStr], ["hunter2"], [HIDDEN]),
    "dict": (dict[str, SecretStr], {"a": "hunter2"}, {"a": HIDDEN}),
    "generic": (Secret[str], "hunter2", HIDDEN),
    "generic-none": (Secret[str | None], None, ""),
    "generic-dict": (Secret[dict[str, str]], {"a": "hunter2"}, HIDDEN),
    "subclass": (SecretDate, "2024-05-06", "2024"),
    "union": (SecretStr | int, "hunter2", HIDDEN),
    "union-of-generic": (int | Secret[str] | None, "hunter2", HIDDEN),
    "other-member": (SecretStr | int, 5, 5),
    "union-in-a-dict": (dict[str, SecretStr | int], {"a": "hunter2"}, {"a": HIDDEN}),
    "beside-a-model": (SecretStr | Item, "hunter2", HIDDEN),
    "model-beside": (Item | Secret[str], {"name": "x"}, {"name": "x"}),
    "made": (SecretStr, SecretStr("hunter2"), HIDDEN),
    "made-in-a-union": (Secret[str] | int, Secret[str]("hunter2"), HIDDEN),
}


@pytest.mark.parametrize(("tp", "value", "expected"), SENT.values(), ids=SENT)
def test_secret_is_sent_as_asterisks(tp, value, expected):
    assert sent(holder(tp), {"found": value}) == {"found": expected}


@pytest.mark.parametrize("tp", [SecretStr | int, Secret[int], SecretStr], ids=str)
def test_value_that_is_no_secret_of_its_type_is_a_failed_response(tp, caplog):
    assert sent(holder(tp), {"found": ["hunter2"]}) is None
    assert "hunter2" not in caplog.text
