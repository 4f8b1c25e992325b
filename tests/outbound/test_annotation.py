"""Return annotations from which no response model can be read, and their neighbours."""

from __future__ import annotations

import dataclasses
import typing as t
import uuid
from collections import abc
from enum import Enum
from http import HTTPStatus

import pytest
import typing_extensions as te
from client import client_of
from flask import Response
from models import Names, Problem
from pydantic import BaseModel, JsonValue, RootModel
from returned import JSONL, cases, refused, returning, view_of
from typing_extensions import TypeAliasType


class Book(BaseModel):
    title: str


Code = RootModel[str]


class Pages(BaseModel):
    """A model that is an iterator as well."""

    count: int

    def __next__(self) -> str:
        raise StopIteration


@dataclasses.dataclass
class Row:
    title: str


class Named(te.TypedDict):
    title: str


class Account(Book):
    password: str


BOOK = {"title": "Emma", "password": "hunter2"}
Either = TypeAliasType("Either", Book | abc.Iterable[str])


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


@pytest.mark.parametrize(
    ("annotation", "options", "said"),
    [
        (Book, {"response_model": list[Book]}, "'list[Book]' or 'Iterator'"),
        (Book, {"responses": {404: list[str]}}, "may return 'list[str]' or 'Iterator'"),
    ],
    ids=["route", "status"],
)
def test_what_is_passed_on_must_not_match_a_declared_model(annotation, options, said):
    assert said in refused(annotation | abc.Iterator[str], **options)


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


UNKNOWN_STATUSES = {
    "any-status": Book | tuple[Problem, int],
    "text": Book | tuple[Problem, str],
    "enum": Book | tuple[Problem, HTTPStatus],
    "anything": Book | tuple[Problem, t.Any],
    "first": tuple[Problem, int] | Book,
    "two-tuples": tuple[Book, int] | tuple[Problem, int],
    "one-of-two": Book | tuple[Book | Problem, int],
    "list": list[Book] | tuple[list[Problem], int],
    "dict": Book | tuple[dict[str, str], int],
    "stream": abc.Iterator[Book] | tuple[Problem, int],
    "annotated": t.Annotated[Book | tuple[Problem, int], "note"],
}


@pytest.mark.parametrize("annotation", UNKNOWN_STATUSES.values(), ids=UNKNOWN_STATUSES)
def test_model_of_an_unknown_status_is_refused(annotation):
    message = refused(annotation, media_type=JSONL)
    assert "which does not name the status of" in message


T = t.TypeVar("T")
Bound = t.TypeVar("Bound", bound=Book)
Constrained = t.TypeVar("Constrained", Book, Row)
Defaulted = te.TypeVar("Defaulted", default=Book)
Whatever = TypeAliasType("Whatever", Book | t.Any)
Tree = TypeAliasType("Tree", "dict[str, Tree | int] | list[Book | t.Any]")

OPEN = {
    "dict": Book | dict[str, str],
    "mapping": Book | abc.Mapping[str, str],
    "ordered-dict": Book | t.OrderedDict[str, t.Any],
    "dict-of-object": list[Book | dict[str, object]],
    "dataclass": Row | dict[str, str],
    "list": list[Book | dict[str, str]],
    "lists": list[Book] | list[dict[str, str]],
    "list-and-bare-list": list[Book] | tuple[dict, ...],
    "dicts": dict[str, Book] | dict[str, dict[str, str]],
    "list-of-any": list[Book | t.Any],
    "dict-of-any": dict[str, Book | t.Any],
    "dict-of-dict-of-any": list[Book | dict[str, t.Any]],
    "list-or-anything": dict[str, list[Book] | t.Any],
    "tuple": tuple[int, Book | dict[str, str]],
    "root-model": RootModel[Book | t.Any],
    "alias": list[Whatever],
    "hashable": list[Book | abc.Hashable],
    "typevar": list[Book | T],
    "deep": dict[str, list[dict[str, Book | dict[str, int]]]],
}


@pytest.mark.parametrize("annotation", OPEN.values(), ids=OPEN)
def test_what_takes_the_values_of_a_model_is_refused_beside_it(annotation):
    assert "with fields that are not declared" in refused(annotation)
    if not isinstance(annotation, TypeAliasType):
        assert "are not declared" in refused(t.Any, response_model=annotation)
        assert "are not declared" in refused(t.Any, responses={404: annotation})
    stream = abc.Iterator[annotation]  # type: ignore[valid-type]
    assert "are not declared" in refused(stream, media_type=JSONL)


def test_message_names_what_takes_the_values_of_a_model():
    assert refused(list[Book | dict[str, str]]).startswith(
        "GET /: 'list[Book | dict[str, str]]' has 'dict[str, str]' beside 'Book', and"
        " the former takes whatever does not fit the latter, with fields that are"
        " not declared. Name its fields in a model, or declare it with responses= and"
        " its status. (tests"
    )


CLOSED = {
    "two-models": Book | Problem,
    "lists-of-models": list[Book] | list[Problem],
    "model-or-list": Book | list[dict[str, str]],
    "dict-or-list": dict[str, str] | list[Book],
    "fixed-tuple": tuple[Book, dict[str, str], int, int],
    "typed-dict": Book | Named,
    "scalar": list[Book | int | str | None],
    "dict-alone": dict[str, str],
    "json": JsonValue,
    "bound": Bound,
    "constrained": Constrained,
    "defaulted": Defaulted,
    "other-spelling": list[Book] | tuple[t.List[Book], int],
}


@pytest.mark.parametrize("annotation", CLOSED.values(), ids=CLOSED)
def test_what_takes_other_values_may_stand_beside_a_model(annotation):
    client_of(view_of(annotation))


EMMA = Account(title="Emma", password="hunter2")
ANYTHING_ALONE = {
    "any": (t.Any, EMMA),
    "object": (object, EMMA),
    "typevar": (T, EMMA),
    "list": (list[T], [EMMA]),
    "list-of-object": (list[object], [EMMA]),
    "dict": (dict[str, T], {"a": EMMA}),
}


@cases("annotation value", ANYTHING_ALONE)
def test_model_is_no_value_of_anything(annotation, value):
    response = returning(annotation, value)
    assert response.status_code == 500
    assert "hunter2" not in response.text


TUPLES = {
    "bare": tuple,
    "typing": t.Tuple,
    "of-anything": tuple[t.Any, ...],
    "typing-of-anything": t.Tuple[t.Any, ...],
    "typing-two-of-anything": t.Tuple[t.Any, t.Any],
    "two-of-anything": tuple[t.Any, t.Any],
    "beside-a-model": Book | tuple,
}


@pytest.mark.parametrize("annotation", TUPLES.values(), ids=TUPLES)
def test_tuple_of_anything_is_flasks(annotation):
    response = returning(annotation, ({"title": "gone"}, 410, {"X-A": "b"}))
    assert (response.status_code, response.json) == (410, {"title": "gone"})
    assert response.headers["X-A"] == "b"

    response = returning(annotation, ("gone", 410))
    assert (response.status_code, response.text) == (410, "gone")
    assert response.mimetype == "text/html"


class Word(str):
    """A class of strings."""


class Size(str, Enum):
    SMALL = "small"


Text = t.TypeVar("Text", bound=str)
TextOrBytes = t.TypeVar("TextOrBytes", bound=str | bytes)
OneOf = t.TypeVar("OneOf", bound=t.Literal["small", "large"])

STRINGS = {
    "literal": t.Literal["small"],
    "literals": t.Literal["small", "large"],
    "literal-of-an-enum": t.Literal[Size.SMALL],
    "literal-or-none": t.Literal["small"] | None,
    "literal-of-two-kinds": t.Literal["small", b"small"],
    "two-literals": t.Literal["small"] | t.Literal[b"small"],
    "annotated": t.Annotated[t.Literal["small"], "note"],
    "alias": TypeAliasType("Sizes", t.Literal["small"]),
    "bound": Text,
    "bound-to-a-class": t.TypeVar("Words", bound=Word),
    "bound-to-a-union": TextOrBytes,
    "bound-to-a-literal": OneOf,
    "bound-to-a-new-type": t.TypeVar("Slug", bound=t.NewType("Key", str)),
    "any-string": t.AnyStr,
    "literal-string": te.LiteralString,
}


@pytest.mark.parametrize("annotation", STRINGS.values(), ids=STRINGS)
def test_string_by_another_name_is_sent_as_flask_sends_it(annotation):
    for tp, value, status in (
        (annotation, "small", 200),
        (tuple[annotation, int], ("small", 410), 410),
    ):
        response = returning(tp, value)
        assert (response.status_code, response.text) == (status, "small")
        assert response.mimetype == "text/html"


BESIDE = {name: tp for name, tp in STRINGS.items() if name != "bound-to-a-class"}


@pytest.mark.parametrize("annotation", BESIDE.values(), ids=BESIDE)
def test_string_by_another_name_stands_beside_a_model(annotation):
    for beside in (Book | annotation, Book | tuple[annotation, int]):
        assert returning(beside, BOOK).json == {"title": "Emma"}
        response = returning(beside, ("small", 410))
        assert (response.status_code, response.text) == (410, "small")
    assert returning(Book | annotation, "small").mimetype == "text/html"
    assert "is sent as it is" in refused(uuid.UUID | annotation)


ITEMS = {name: tp for name, tp in STRINGS.items() if t.get_origin(tp) is not t.Union}


@pytest.mark.parametrize("annotation", ITEMS.values(), ids=ITEMS)
def test_items_of_strings_by_another_name_are_sent_as_they_are(annotation):
    stream = {"media_type": "text/event-stream"}
    response = returning(abc.Iterator[annotation], iter(["data: a\n\n"]), **stream)
    assert response.text == "data: a\n\n"
    assert returning(abc.Iterator[str] | abc.Iterator[annotation], "a").text == "a"


@pytest.mark.parametrize("annotation", [t.Literal["a", 1], t.Literal[True]])
def test_literal_that_is_not_only_strings_is_a_model(annotation):
    value = t.get_args(annotation)[0]
    response = returning(annotation, value)
    assert (response.mimetype, response.json) == ("application/json", value)


@pytest.mark.parametrize(
    "model", [t.Literal["small"], Book | t.Literal["small"], int | str], ids=str
)
def test_string_of_the_response_model_is_json(model):
    response = returning(model, "small", response_model=model)
    assert (response.data, response.mimetype) == (b'"small"', "application/json")


def test_string_of_any_json_is_json():
    assert returning(JsonValue, "a").data == b'"a"'


@pytest.mark.parametrize(
    ("annotation", "value", "found"),
    [(BaseModel, EMMA, {}), (list[BaseModel], [EMMA], [{}])],
)
def test_base_of_all_models_has_no_fields(annotation, value, found):
    assert returning(annotation, value).json == found


def test_tuple_beside_a_model_is_filtered():
    assert returning(Book | tuple, (BOOK, 200)).json == {"title": "Emma"}
    assert returning(tuple[Book, t.Any], (BOOK, 201)).json == {"title": "Emma"}


def test_two_streams_are_refused():
    annotation = abc.Iterator[str] | abc.Iterator[Book]

    assert refused(annotation, media_type=JSONL).startswith(
        "GET /: the return annotation of show() has two streams, 'Iterator[str]' and"
        " 'Iterator[Book]', which can't be told apart. Keep one, or yield items of a"
        " union. (tests"
    )


@pytest.mark.parametrize(
    "media_type",
    [JSONL, "application/x-ndjson", "application/json-seq", "text/event-stream"],
)
def test_the_content_type_of_a_stream_is_refused_for_what_is_none(media_type):
    assert refused(list[Book], media_type=media_type).startswith(
        "GET /: show() returns 'list[Book]', which is sent as JSON, but declares"
        f" media_type={media_type!r}, which is that of a stream. Yield the items, and"
        " annotate it 'Iterator[Book]', or remove media_type=. (tests"
    )


NO_STREAMS = {
    "model": (Book, {}),
    "status": (tuple[list[Book], t.Literal[202]], {}),
    "response-model": (dict, {"response_model": Book}),
    "in-its-place": (abc.Iterator[Book], {"response_model": list[Book]}),
}


@cases("annotation options", NO_STREAMS)
def test_what_is_no_stream_has_no_content_type_of_one(annotation, options):
    message = refused(annotation, media_type=JSONL, **options)
    assert "annotate it 'Iterator[Book]', or remove media_type=." in message


STREAM_TYPED = {
    "strings-beside": (Book | abc.Iterator[str], {}),
    "text-beside": (Book | str, {}),
    "dict": (dict, {}),
    "none": (list[Book], {"response_model": None}),
    "error": (abc.Iterator[Book] | tuple[Problem, t.Literal[404]], {}),
    "another-success": (abc.Iterator[Book] | tuple[Book, t.Literal[202]], {}),
}


@cases("annotation options", STREAM_TYPED)
def test_the_content_type_of_a_stream_may_be_that_of(annotation, options):
    client_of(view_of(annotation), media_type=JSONL, **options)


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
def test_what_can_be_reported_apart_is_filtered(annotation):
    assert returning(annotation, BOOK).json == {"title": "Emma"}


def test_model_of_another_status_may_be_declared_beside_such_an_annotation():
    declared = {"response_model": Book, "responses": {404: Problem}}
    value = ({"reason": "gone", "searched": "ldap://internal"}, 404)
    response = returning(Book | tuple[Problem, t.Literal[404]], value, **declared)
    assert (response.status_code, response.json) == (404, {"reason": "gone"})
