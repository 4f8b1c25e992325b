"""Return annotations from which no response model can be read, and their neighbours."""

from __future__ import annotations

import dataclasses
import typing as t
import uuid
from collections import abc
from http import HTTPStatus

import pytest
from asking import client_of
from flask import Response
from pydantic import BaseModel
from pydantic import RootModel
from typing_extensions import TypeAliasType

from flask_signature import SignatureError


class Book(BaseModel):
    title: str


class Problem(BaseModel):
    reason: str


class Names(RootModel[list[str]]):
    """A list of names."""


class Code(RootModel[str]):
    """A text."""


class Pages(BaseModel):
    """A model that is an iterator as well."""

    count: int

    def __next__(self) -> str:
        raise StopIteration


@dataclasses.dataclass
class Row:
    title: str


BOOK = {"title": "Emma", "password": "hunter2"}
Either = TypeAliasType("Either", Book | abc.Iterable[str])
Refused = TypeAliasType("Refused", tuple[Problem, t.Literal[404]])


def refused(annotation: t.Any, **options: t.Any) -> str:
    def show():
        raise AssertionError

    show.__annotations__ = {"return": annotation}
    with pytest.raises(SignatureError) as error:
        client_of(show, **options)
    return str(error.value)


def returning(annotation: t.Any, value: t.Any, **options: t.Any) -> t.Any:
    def show():
        return value

    show.__annotations__ = {"return": annotation}
    return client_of(show, config={}, **options).get("/")


PASSES = {
    "iterable": Book | abc.Iterable[str],
    "iterable-first": abc.Iterable[str] | Book,
    "bare-iterable": Book | abc.Iterable,
    "typing-iterable": t.Union[Book, t.Iterable[bytes]],
    "list": list[Book] | abc.Iterable[str],
    "dict": dict[str, Book] | abc.Iterable[str],
    "dataclass": Row | abc.Iterable[str],
    "optional": Book | abc.Iterable[str] | None,
    "alias": Either,
    "annotated": t.Annotated[Book | abc.Iterable[str], "note"],
    "tuple": tuple[Book, int] | abc.Iterable[str],
    "body-of-a-tuple": Book | tuple[abc.Iterable[str], int],
    "generator-of-a-list": list[Book] | abc.Iterator[str],
    "generator-of-a-set": set[str] | t.Generator[str, None, None],
    "generator-of-a-root-model": Names | abc.Iterator[str],
    "iterator-that-is-a-model": Pages | abc.Iterator[str],
    "text-of-a-root-model": Code | str,
    "text-of-an-identifier": uuid.UUID | str,
    "bytes-of-a-number": int | bytes,
    "text-of-a-literal": t.Literal["a", 1] | str,
}


@pytest.mark.parametrize("annotation", PASSES.values(), ids=PASSES)
def test_what_is_passed_on_must_not_match_the_model_beside_it(annotation):
    assert "is sent as it is, and a value for the former can be the latter" in refused(
        annotation
    )


def test_what_is_passed_on_must_not_match_the_model_of_the_route():
    annotation = Book | abc.Iterator[str]

    assert "'list[Book]' or 'Iterator'" in refused(
        annotation, response_model=list[Book]
    )


ANYTHING = {
    "any": Book | t.Any,
    "object": Book | object,
    "optional": t.Optional[t.Union[t.Any, Book]],
    "tuple": tuple[Book | t.Any, int],
    "status": Book | tuple[t.Any, int],
}


@pytest.mark.parametrize("annotation", ANYTHING.values(), ids=ANYTHING)
def test_anything_beside_a_model_is_refused(annotation):
    assert "so that anything could be sent" in refused(annotation)


def test_model_of_the_route_counts_beside_anything():
    response = returning(Book | t.Any, BOOK, response_model=Book)

    assert response.json == {"title": "Emma"}


STATUSES = {
    "literal": Book | tuple[Problem, t.Literal[404]],
    "any-status": Book | tuple[Problem, int],
    "text": Book | tuple[Problem, str],
    "enum": Book | tuple[Problem, HTTPStatus],
    "literal-enum": Book | tuple[Problem, t.Literal[HTTPStatus.NOT_FOUND]],
    "success": Book | tuple[Problem, t.Literal[202]],
    "headers": Book | tuple[Problem, t.Literal[404], dict[str, str]],
    "first": tuple[Problem, int] | Book,
    "two-tuples": tuple[Book, int] | tuple[Problem, int],
    "two-literals": tuple[Book, t.Literal[200]] | tuple[Problem, t.Literal[404]],
    "one-of-two": Book | tuple[Book | Problem, int],
    "alone": tuple[Problem, t.Literal[404]],
    "alone-and-the-same": Book | tuple[Book, t.Literal[404]],
    "alone-as-text": tuple[Problem, t.Literal["404 NOT FOUND"]],
    "one-status-of-two": tuple[Book, t.Literal[200, 404]],
    "list": list[Book] | tuple[list[Problem], int],
    "dict": Book | tuple[dict[str, str], int],
    "stream": abc.Iterator[Book] | tuple[Problem, int],
    "alias": Book | Refused,
    "annotated": t.Annotated[Book | tuple[Problem, int], "note"],
}


@pytest.mark.parametrize("annotation", STATUSES.values(), ids=STATUSES)
def test_model_of_another_status_is_refused(annotation):
    message = refused(annotation, media_type="application/jsonl")

    assert "but a model of another status is not read from there" in message


def test_model_of_another_status_may_be_declared_beside_such_an_annotation():
    response = returning(
        Book | tuple[Problem, t.Literal[404]],
        ({"reason": "gone", "searched": "ldap://internal"}, 404),
        response_model=Book,
        responses={404: Problem},
    )

    assert (response.status_code, response.json) == (404, {"reason": "gone"})


KNOWN = {
    "status": tuple[Book, int],
    "success": tuple[Book, t.Literal[200, 202]],
    "same": Book | tuple[Book, int],
    "same-twice": tuple[Book, int] | tuple[Book, int, dict[str, str]],
    "headers": Book | tuple[Problem, dict[str, str]],
    "text": Book | tuple[str, int],
    "any-dict": Book | tuple[dict[str, t.Any], int],
    "response": Book | tuple[Response, int],
    "both": Book | Problem | tuple[Problem, int],
    "text-beside": Book | str,
    "bytes-beside": Book | bytes,
    "stream-beside": Book | abc.Iterator[str],
    "literal-of-numbers": Book | t.Literal[1] | str,
    "any-dict-beside": Book | dict[str, t.Any],
    "response-beside": Book | Response,
}


@pytest.mark.parametrize("annotation", KNOWN.values(), ids=KNOWN)
def test_what_can_be_told_apart_is_filtered(annotation):
    assert returning(annotation, BOOK).json == {"title": "Emma"}
