"""Unions of lists, dicts and generic dataclasses that differ in their items alone."""

from __future__ import annotations

import dataclasses
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import pytest
from client import client_of
from pydantic import BaseModel, Field, create_model
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
    model = create_model("Model", price=(price, Field(0)), found=(tp, ...))

    response = client_of(lambda: {"found": value}, response_model=model).get("/")

    assert response.status_code == 200
    assert response.json["found"] == expected


def test_first_of_two_iterables_is_taken():
    model = create_model("Model", found=(Iterable[A] | Iterable[B], ...))

    response = client_of(
        lambda: {"found": iter([ROW])},
        response_model=model,
    ).get("/")

    assert response.json == {"found": [ROW]}


def test_iterator_is_taken_by_the_member_that_it_fits():
    model = create_model("Model", found=(Iterable[A] | Iterable[int], ...))

    response = client_of(lambda: {"found": iter([5])}, response_model=model).get("/")

    assert response.json == {"found": [5]}


def test_annotation_of_two_sequences():
    def show() -> Sequence[A] | Sequence[B]:
        return [ROW]  # type: ignore[list-item]

    assert client_of(show).get("/").json == [ROW]
