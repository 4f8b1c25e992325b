"""Iterables in a request, whose items Pydantic would validate during the view."""

from __future__ import annotations

import dataclasses
import typing as t
from collections import abc

import pytest
from client import client_of, taking
from pydantic import AfterValidator, BaseModel, RootModel
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Body, Form, Header, Query, SignatureError

Numbers = TypeAliasType("Numbers", abc.Iterable[int])


class Batch(BaseModel):
    numbers: abc.Iterable[int] = ()


class Batches(BaseModel):
    batches: dict[str, list[Batch]]
    more: Batches | None = None


class Root(RootModel[abc.Iterable[int]]):
    """A model that is an iterable."""


@dataclasses.dataclass
class Row:
    numbers: abc.Iterable[int]


class Entry(TypedDict):
    numbers: t.Generator[int, None, None]


class Tuple(t.NamedTuple):
    numbers: abc.Iterable[int]


class First(BaseModel):
    kind: t.Literal["metadata"]
    numbers: abc.Iterable[int]


class Second(BaseModel):
    kind: t.Literal["second"]


TYPES = {
    "iterable": abc.Iterable[int],
    "typing": t.Iterable[int],
    "generator": abc.Generator[int, None, None],
    "optional": abc.Iterable[int] | None,
    "list": list[abc.Iterable[int]],
    "dict": dict[str, abc.Iterable[int]],
    "alias": Numbers,
    "annotated": t.Annotated[abc.Iterable[int], AfterValidator(list)],
    "model": Batch,
    "model-in-a-model": Batches,
    "root-model": Root,
    "dataclass": Row,
    "typed-dict": Entry,
    "named-tuple": Tuple,
    "union": First | Second,
    "tagged-union": t.Annotated[First | Second, Body(discriminator="kind")],
    "raw": bytes | abc.Iterable[int],
    "query": t.Annotated[abc.Iterable[int], Query()],
    "query-model": t.Annotated[Batch, Query()],
    "header": t.Annotated[abc.Iterable[int], Header()],
    "form": t.Annotated[abc.Iterable[int], Form()],
    "form-model": t.Annotated[Batch, Form()],
    "json-of-a-form": t.Annotated[Row, Form()],
}


@pytest.mark.parametrize("annotation", TYPES.values(), ids=TYPES)
def test_iterable_is_refused(annotation):
    with pytest.raises(SignatureError) as error:
        client_of(taking(annotation), method="POST")

    assert "is an Iterable or a Generator" in str(error.value)


def test_sequence_is_validated_before_the_view():
    client = client_of(taking(abc.Sequence[int]), method="POST")

    assert client.post("/", json=["a"]).status_code == 422
