"""Types that refer to themselves by their names."""

from __future__ import annotations

import typing as t
from decimal import Decimal

import pytest
from pydantic import BaseModel
from returned import holder, sent
from typing_extensions import TypeAliasType


class B(BaseModel):
    n: str = "b"


class More(B):
    password: str = "hunter2"


Tree = TypeAliasType("Tree", "dict[str, Tree] | B")
Nest = TypeAliasType("Nest", t.Union[list["Nest"], B, None])


class Rec(BaseModel):
    # Python 3.10 leaves the name in a list as it is.
    kids: list["Rec"] = []
    by_name: dict[str, list["Rec"]] = {}


class Sub(Rec):
    password: str = "hunter2"


KID = {"kids": [], "by_name": {}}

ROW = {"n": "x"}
SENT: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "leaf": (Tree, ROW, ROW),
    "tree": (Tree, {"a": ROW}, {"a": ROW}),
    "deep": (Tree, {"a": {"b": ROW, "c": B()}}, {"a": {"b": ROW, "c": {"n": "b"}}}),
    "tree-of-subclass": (Tree, {"a": More()}, {"a": {"n": "b"}}),
    "trees": (list[Tree], [{"a": ROW}], [{"a": ROW}]),
    "nest": (Nest, [[ROW], None, More()], [[ROW], None, {"n": "b"}]),
    "model": (Rec, {"kids": [{}]}, {"kids": [KID], "by_name": {}}),
    "model-inside": (
        *(Rec, {"by_name": {"a": [Sub()]}}),
        {"kids": [], "by_name": {"a": [KID]}},
    ),
}


@pytest.mark.parametrize("price", [int, Decimal], ids=["fits", "unfit"])
@pytest.mark.parametrize(("tp", "value", "expected"), SENT.values(), ids=SENT)
def test_type_that_refers_to_itself_is_filtered(tp, value, expected, price):
    found = sent(holder(tp, price=(price, 0)), {"found": value})
    assert found["found"] == expected


def test_model_of_a_function_may_refer_to_itself():
    class Local(BaseModel):
        kids: list["Local"] = []

    assert sent(Local, {"kids": [{}]}) == {"kids": [{"kids": []}]}
