"""A request that is refused takes hardly more memory than one that is accepted."""

from __future__ import annotations

import json
import sys
import typing as t
from pathlib import Path

import pytest
from programs import printed_by

ROOT = Path(__file__).parents[2]
CASES = [
    "50 required fields, a long list beside them",
    "the same, 10 KB",
    "the same, 1 MB, fields of many types",
    "a list of models with 50 required fields",
    "the same, 10 KB, of items",
    "a model in itself, 90 deep",
    "a list of models in themselves",
    "a union of 6 models",
    "one of 6 models, a long list beside it",
    "two lists",
    "a dict of models with 50 required fields",
    "the same, a key of 1 MB",
    "a union of 20 models with 30 fields in two lists, 3 KB",
    "a form of a model that keeps other names",
    "18 levels of models, two references each",
]

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the peak is read from /proc"
)


@pytest.fixture(scope="module")
def measured() -> t.Any:
    """What the requests of ``benchmarks.refusals`` take, each in its own process."""
    command = ("-m", "benchmarks.refusals", "--json")
    return json.loads(printed_by(*command, PYTHONPATH=str(ROOT)))


@pytest.mark.parametrize("case", CASES)
def test_refusal_takes_at_most_20_megabytes_more(measured: t.Any, case: str) -> None:
    accepted, refused = measured[case]["accepted"], measured[case]["refused"]

    assert (accepted["status"], refused["status"]) == (201, 422)
    allowed = 20 if accepted["KB"] > 100 else 5
    assert refused["MB"] - accepted["MB"] < allowed
