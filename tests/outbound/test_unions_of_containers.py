"""Unions of lists, dicts and generic dataclasses that differ in their items alone."""

from __future__ import annotations

import dataclasses
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import pytest
from pydantic import BaseModel, Field
from returned import holder, returning, sent
from typing_extensions import TypedDict

T = t.TypeVar("T")


class A(BaseModel):
    k: int = 1
    n: str = "a"


class B(BaseModel):
    n: str = "b"


class More(A):
    password: str = "hunter2"


class DictA(TypedDict):
    k: int
    n: str


class DictB(TypedDict):
    n: str


@dataclasses.dataclass
class Page(t.Generic[T]):
    items: list[T] = dataclasses.field(default_factory=list)


ROW = {"k": 5, "n": "q"}

SENT: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "sequence": (Sequence[A] | Sequence[B], [ROW], [ROW]),
    "sequence-last": (Sequence[B] | Sequence[A], [ROW], [ROW]),
    "sequence-of-instances": (Sequence[A] | Sequence[B], [B(n="q")], [{"n": "q"}]),
    "sequence-of-subclass": (Sequence[B] | Sequence[A], [More(**ROW)], [ROW]),
    "list": (list[A] | list[B], [ROW], [ROW]),
    "list-of-instances": (list[A] | list[B], [B(n="q")], [{"n": "q"}]),
    "list-of-subclass": (list[A] | list[B], [More(**ROW)], [ROW]),
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
    "subclass-last": (list[B] | list[More] | list[A], [A(**ROW)], [ROW]),
    "page-of-subclass": (Page[A] | Page[B], Page([More(**ROW)]), {"items": [ROW]}),
}


@pytest.mark.parametrize("price", [int, Decimal], ids=["fits", "unfit"])
@pytest.mark.parametrize(("tp", "value", "expected"), SENT.values(), ids=SENT)
def test_member_of_the_items_is_chosen(tp, value, expected, price):
    # A default of another type takes the way through the filter.
    found = sent(holder(tp, price=(price, Field(0))), {"found": value})
    assert found["found"] == expected


@pytest.mark.parametrize(
    ("tp", "value"),
    [(Iterable[A] | Iterable[B], [ROW]), (Iterable[A] | Iterable[int], [5])],
    ids=["first", "fits"],
)
def test_iterator_is_taken_by_the_first_member_that_it_fits(tp, value):
    assert sent(holder(tp), lambda: {"found": iter(value)}) == {"found": value}


def test_annotation_of_two_sequences():
    assert returning(Sequence[A] | Sequence[B], [ROW]).json == [ROW]
