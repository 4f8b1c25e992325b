"""Types that refer to themselves by their names."""

from __future__ import annotations

import typing as t
from decimal import Decimal

import pytest
from client import client_of
from pydantic import BaseModel, create_model
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

SENT: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "leaf": (Tree, {"n": "x"}, {"n": "x"}),
    "tree": (Tree, {"a": {"n": "x"}}, {"a": {"n": "x"}}),
    "deep": (
        Tree,
        {"a": {"b": {"n": "x"}, "c": B()}},
        {"a": {"b": {"n": "x"}, "c": {"n": "b"}}},
    ),
    "tree-of-subclass": (Tree, {"a": More()}, {"a": {"n": "b"}}),
    "trees": (list[Tree], [{"a": {"n": "x"}}], [{"a": {"n": "x"}}]),
    "nest": (Nest, [[{"n": "x"}], None, More()], [[{"n": "x"}], None, {"n": "b"}]),
    "model": (Rec, {"kids": [{}]}, {"kids": [KID], "by_name": {}}),
    "model-inside": (
        Rec,
        {"by_name": {"a": [Sub()]}},
        {"kids": [], "by_name": {"a": [KID]}},
    ),
}


@pytest.mark.parametrize("price", [int, Decimal], ids=["fits", "unfit"])
@pytest.mark.parametrize(("tp", "value", "expected"), SENT.values(), ids=SENT)
def test_type_that_refers_to_itself_is_filtered(tp, value, expected, price):
    model = create_model("Model", price=(price, 0), found=(tp, ...))

    response = client_of(lambda: {"found": value}, response_model=model).get("/")

    assert response.status_code == 200
    assert response.json["found"] == expected


def test_model_of_a_function_may_refer_to_itself():
    class Local(BaseModel):
        kids: list["Local"] = []

    response = client_of(lambda: {"kids": [{}]}, response_model=Local).get("/")

    assert response.json == {"kids": [{"kids": []}]}
