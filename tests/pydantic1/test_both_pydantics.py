"""The entries of the older form beside those of a real Pydantic 1.

``PYDANTIC1_PATH`` names a folder that holds it; ``tox -e pydantic1`` makes one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from client import client_of
from pydantic1.answers import ask_pydantic2, build_model
from pydantic1.cases import DIFFERENT, ELSEWHERE, EQUAL, INFINITY, UNSAID, UNSEEN
from pydantic_core import to_jsonable_python

from flask_signature._errors.pydantic1 import to_pydantic1

FOLDER = os.environ.get("PYDANTIC1_PATH")

pytestmark = [
    pytest.mark.skipif(FOLDER is None, reason="PYDANTIC1_PATH names no Pydantic 1"),
    # Two types that Pydantic 2 has handed on to another package.
    pytest.mark.filterwarnings("ignore:The `Color` class is deprecated"),
    pytest.mark.filterwarnings("ignore:The `PaymentCardNumber` class is deprecated"),
]

ELSEWHERE_CASES = [case for cases in ELSEWHERE.values() for case in cases]
DIFFERENT_CASES = [case for cases in DIFFERENT.values() for case in cases]
CASES = [*EQUAL, *ELSEWHERE_CASES, *DIFFERENT_CASES]
#: Infinity is a value to Python's JSON, and no JSON to us.
SENDABLE = [case for case in EQUAL if case.value != INFINITY]
MODES = ("python", "json")


@pytest.fixture(scope="session")
def pydantic1():
    """What Pydantic 1 says: its version, its error types, and its entries by case."""
    answer = subprocess.run(
        [sys.executable, "-m", "pydantic1.answers"],
        input=json.dumps([[case.older, case.value] for case in CASES]),
        env={
            **os.environ,
            "PYTHONPATH": f"{FOLDER}{os.pathsep}{Path(__file__).parents[1]}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    said = json.loads(answer.stdout)
    said["entries"] = dict(zip(map(str, CASES), said["entries"], strict=True))
    return said


def expected(pydantic1, case):
    """The entries of Pydantic 1 without the value that was sent, sets in order."""
    entries = pydantic1["entries"][str(case)]
    for ctx in (entry.get("ctx", {}) for entry in entries):
        ctx.pop("given", None)
        if "allowed_schemes" in ctx:
            ctx["allowed_schemes"].sort()
    return entries


def ours(case, mode="python"):
    """Our entries, as they stand in a JSON answer."""
    entries = ask_pydantic2(case.newer, case.value, mode)
    return to_jsonable_python([to_pydantic1(entry) for entry in entries])


def ours_blindly(case):
    """Our entries for an error that does not say what was sent."""
    entries = ask_pydantic2(case.newer, case.value, "python")
    for entry in entries:
        del entry["input"]
    return to_jsonable_python([to_pydantic1(entry) for entry in entries])


def without_loc(entries):
    """Entries by what they say, wherever it is."""
    return [{**entry, "loc": None} for entry in entries]


def test_pydantic1_is_the_last_of_its_line(pydantic1):
    assert pydantic1["version"].startswith("1.10.")


def test_no_question_is_asked_twice():
    assert len({str(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", EQUAL, ids=str)
def test_an_entry_is_that_of_pydantic1(pydantic1, case, mode):
    assert ours(case, mode) == expected(pydantic1, case) != []


@pytest.mark.parametrize("case", SENDABLE, ids=str)
def test_an_answer_to_a_json_body_is_made_of_entries_of_pydantic1(pydantic1, case):
    def view(body): ...

    view.__annotations__ = {"body": build_model(case.newer)}
    config = {"SIGNATURE_ERROR_FORMAT": "pydantic1"}
    client = client_of(view, method="POST", config=config)

    response = client.post("/", json={"value": case.value})

    assert response.status_code == 400
    assert response.json["detail"] == answered(expected(pydantic1, case))


def answered(entries):
    """Entries as an answer has them: located in the body, long texts cut."""
    return [
        {**entry, "loc": ["body", *entry["loc"]], "msg": entry["msg"][:200]}
        for entry in entries
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", ELSEWHERE_CASES, ids=str)
def test_a_listed_entry_differs_in_its_loc_alone(pydantic1, case, mode):
    entries = ours(case, mode)
    assert entries != expected(pydantic1, case)
    assert without_loc(entries) == without_loc(expected(pydantic1, case))


@pytest.mark.parametrize("case", DIFFERENT_CASES, ids=str)
def test_a_listed_difference_is_one(pydantic1, case):
    assert any(ours(case, mode) != expected(pydantic1, case) for mode in MODES)


def test_only_nulls_and_strict_booleans_are_told_by_what_was_sent(pydantic1):
    told = [case for case in EQUAL if ours_blindly(case) != expected(pydantic1, case)]
    assert told
    assert all("None" in str(case) or "StrictBool" in str(case) for case in told)


def test_the_cases_bring_about_every_type_of_pydantic1(pydantic1):
    entries = [entry for answer in pydantic1["entries"].values() for entry in answer]
    seen = {entry.get("type") for entry in entries}
    assert set(pydantic1["types"]) - seen == set(UNSEEN)


def test_our_answers_have_every_type_of_pydantic1(pydantic1):
    said = {
        entry["type"] for case in CASES for mode in MODES for entry in ours(case, mode)
    }
    assert set(pydantic1["types"]) - said == set(UNSAID)
