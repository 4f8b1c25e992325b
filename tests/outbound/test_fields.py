"""What is sent of the field of a model, by its type."""

from __future__ import annotations

import dataclasses
import datetime
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import pytest
from models import Color, Item
from pydantic import BaseModel, Field, Secret, SecretBytes, SecretStr
from returned import cases, holder, returning, sent
from typing_extensions import TypeAliasType, TypedDict

T = t.TypeVar("T")


class A(BaseModel):
    k: int = 1
    n: str = "a"


class B(BaseModel):
    n: str = "b"


class MoreThanA(A):
    password: str = "hunter2"


class MoreThanB(B):
    password: str = "hunter2"


class DictA(TypedDict):
    k: int
    n: str


class DictB(TypedDict):
    n: str


@dataclasses.dataclass
class Page(t.Generic[T]):
    items: list[T] = dataclasses.field(default_factory=list)


# Types that refer to themselves by their names


Tree = TypeAliasType("Tree", "dict[str, Tree] | B")
Nest = TypeAliasType("Nest", t.Union[list["Nest"], B, None])


class Rec(BaseModel):
    # Python 3.10 leaves the name in a list as it is.
    kids: list["Rec"] = []
    by_name: dict[str, list["Rec"]] = {}


class MoreThanRec(Rec):
    password: str = "hunter2"


class SecretDate(Secret[datetime.date]):
    def _display(self) -> str:
        return f"{self.get_secret_value().year}"


ROW, X, KID = {"k": 5, "n": "q"}, {"n": "x"}, {"kids": [], "by_name": {}}
HIDDEN = "**********"

#: The type of a field, a value, and what is sent.
SENT: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    # Of containers that differ in their items alone, the one that the items fit.
    "sequence": (Sequence[A] | Sequence[B], [ROW], [ROW]),
    "sequence-last": (Sequence[B] | Sequence[A], [ROW], [ROW]),
    "sequence-of-instances": (Sequence[A] | Sequence[B], [B(n="q")], [{"n": "q"}]),
    "sequence-of-subclass": (Sequence[B] | Sequence[A], [MoreThanA(**ROW)], [ROW]),
    "list": (list[A] | list[B], [ROW], [ROW]),
    "list-of-instances": (list[A] | list[B], [B(n="q")], [{"n": "q"}]),
    "list-of-subclass": (list[A] | list[B], [MoreThanA(**ROW)], [ROW]),
    "list-of-scalars": (list[A] | list[int] | None, [ROW], [ROW]),
    "scalars": (list[A] | list[int] | None, [5], [5]),
    "empty": (list[A] | list[B], [], []),
    "dict": (dict[str, A] | dict[str, B], {"x": ROW}, {"x": ROW}),
    "dict-last": (dict[str, B] | dict[str, A], {"x": ROW}, {"x": ROW}),
    "dict-of-instances": (dict[str, A] | dict[str, B], {"x": B()}, {"x": {"n": "b"}}),
    "mapping": (Mapping[str, A] | Mapping[str, B], {"x": ROW}, {"x": ROW}),
    "typed-dicts": (list[DictA] | list[DictB], [ROW], [ROW]),
    "tuple": (tuple[A, int] | tuple[B, int], (ROW, 1), [ROW, 1]),
    "page": (Page[A] | Page[B], {"items": [ROW]}, {"items": [ROW]}),
    "page-last": (Page[B] | Page[A], {"items": [ROW]}, {"items": [ROW]}),
    "page-made": (Page[A] | Page[B], Page([B(n="q")]), {"items": [{"n": "q"}]}),
    "pages": (list[Page[A]] | list[Page[B]], [Page([B()])], [{"items": [{"n": "b"}]}]),
    "subclass-last": (list[B] | list[MoreThanA] | list[A], [A(**ROW)], [ROW]),
    "page-of-subclass": (Page[A] | Page[B], Page([MoreThanA(**ROW)]), {"items": [ROW]}),
    # A type that refers to itself.
    "leaf": (Tree, X, X),
    "tree": (Tree, {"a": X}, {"a": X}),
    "deep": (Tree, {"a": {"b": X, "c": B()}}, {"a": {"b": X, "c": {"n": "b"}}}),
    "tree-of-subclass": (Tree, {"a": MoreThanB()}, {"a": {"n": "b"}}),
    "trees": (list[Tree], [{"a": X}], [{"a": X}]),
    "nest": (Nest, [[X], None, MoreThanB()], [[X], None, {"n": "b"}]),
    "model": (Rec, {"kids": [{}]}, {"kids": [KID], "by_name": {}}),
    "model-inside": (
        *(Rec, {"by_name": {"a": [MoreThanRec()]}}),
        {"kids": [], "by_name": {"a": [KID]}},
    ),
    # A secret of Pydantic is sent as asterisks.
    "str": (SecretStr, "hunter2", HIDDEN),
    "bytes": (SecretBytes, b"hunter2", HIDDEN),
    "empty-secret": (SecretStr, "", ""),
    "optional": (SecretStr | None, "hunter2", HIDDEN),
    "none": (SecretStr | None, None, None),
    "list-of-secrets": (list[SecretStr], ["hunter2"], [HIDDEN]),
    "dict-of-secrets": (dict[str, SecretStr], {"a": "hunter2"}, {"a": HIDDEN}),
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
    # The keys of a dictionary are those that its type accepts.
    "literal": (dict[t.Literal["a"], int], {"a": 1}, {"a": 1}),
    "enumeration": (dict[Color, int], {Color.RED: 1}, {"red": 1}),
    "value": (dict[Color, int], {"red": 1}, {"red": 1}),
    "number": (dict[int, int], {1: 1}, {"1": 1}),
    "string": (dict[str, int], {"a": 1}, {"a": 1}),
    "anything": (dict[t.Any, int], {"a": 1}, {"a": 1}),
    "bare": (dict, {"a": 1}, {"a": 1}),
}


@pytest.mark.parametrize("price", [int, Decimal], ids=["fits", "unfit"])
@cases("tp value expected", SENT)
def test_value_of_its_type_is_sent(tp, value, expected, price):
    # A default of another type takes the way through the filter.
    found = sent(holder(tp, price=(price, Field(0))), {"found": value})
    assert found["found"] == expected


#: A type, and a value that has a secret and is none of the type.
UNFIT: dict[str, tuple[t.Any, t.Any]] = {
    "literal": (dict[t.Literal["a"], int], {"a": 1, "hunter2": 2}),
    "enumeration": (dict[Color, int], {"hunter2": 1}),
    "inside": (dict[str, dict[Color, int]], {"a": {"hunter2": 1}}),
    "number": (dict[int, int], {"hunter2": 1}),
    "secret": (SecretStr, ["hunter2"]),
    "generic": (Secret[int], ["hunter2"]),
    "union": (SecretStr | int, ["hunter2"]),
}


@cases("tp value", UNFIT)
def test_value_of_another_type_is_a_failed_response(tp, value, caplog):
    assert sent(holder(tp), {"found": value}) is None
    assert "hunter2" not in caplog.text


@pytest.mark.parametrize(
    ("tp", "value"),
    [(Iterable[A] | Iterable[B], [ROW]), (Iterable[A] | Iterable[int], [5])],
    ids=["first", "fits"],
)
def test_iterator_is_taken_by_the_first_member_that_it_fits(tp, value):
    assert sent(holder(tp), lambda: {"found": iter(value)}) == {"found": value}


def test_annotation_of_two_sequences():
    assert returning(Sequence[A] | Sequence[B], [ROW]).json == [ROW]


def test_model_of_a_function_may_refer_to_itself():
    class Local(BaseModel):
        kids: list["Local"] = []

    assert sent(Local, {"kids": [{}]}) == {"kids": [{"kids": []}]}
