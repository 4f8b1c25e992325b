"""Return annotations that name statuses: ``Book | tuple[Problem, Literal[404]]``."""

from __future__ import annotations

import logging
import typing as t
from collections import abc
from http import HTTPStatus

import flask
import pytest
from document import operation
from flask import Response
from flask.views import MethodView
from models import Cat, Dog, Problem
from pydantic import BaseModel, Field
from returned import ANSWER, JSONL, refused, responses_of, returning
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Blueprint, Flask, SignatureError
from flask_signature import operation as operation_options


class Book(BaseModel):
    title: str


class Account(Book):
    password: str = "hunter2"


NOT_FOUND = tuple[Problem, t.Literal[404]]
EITHER = Book | NOT_FOUND
BOTH = tuple[Book, t.Literal[200]] | NOT_FOUND
Missing = TypeAliasType("Missing", NOT_FOUND)

EMMA = {"title": "Emma", "password": "hunter2"}
GONE = {"reason": "gone", "searched": "ldap://internal"}


def schema_name(response: dict[str, t.Any]) -> str:
    schema = response["content"]["application/json"]["schema"]
    # An error may be one of abort(), too.
    schema = schema.get("anyOf", [schema])[0]
    return t.cast("str", schema["$ref"]).rpartition("/")[2]


NAMED = {
    "literal": EITHER,
    "enum": Book | tuple[Problem, t.Literal[HTTPStatus.NOT_FOUND]],
    "string": Book | tuple[Problem, t.Literal["404 NOT FOUND"]],
    "headers": Book | tuple[Problem, t.Literal[404], dict[str, str]],
    "first": NOT_FOUND | Book,
    "alias": Book | Missing,
    "annotated": t.Annotated[EITHER, "note"],
    "several": Book | tuple[Problem, t.Literal[404, 409]],
    "union": Book | tuple[Problem, t.Literal[404] | t.Literal[409]],
    "both": BOTH,
    "no-model": Response | NOT_FOUND,
    "text": str | NOT_FOUND,
    "response": Book | Response | NOT_FOUND,
    "none": None | NOT_FOUND,
    "stream": abc.Iterator[Book] | NOT_FOUND,
    "dict": dict[str, t.Any] | NOT_FOUND,
    "anything": t.Any | NOT_FOUND,
}


@pytest.mark.parametrize("name", NAMED)
def test_tuple_with_a_status_is_validated_filtered_and_described(name):
    annotation = NAMED[name]
    options: t.Any = {"media_type": JSONL} if name == "stream" else {}

    response = returning(annotation, (GONE, 404), **options)
    assert (response.status_code, response.json) == (404, {"reason": "gone"})
    response = returning(annotation, ({"reason": ["gone"]}, 404), **options)
    assert response.status_code == 500
    assert "404" in responses_of(annotation, **options)


@pytest.mark.parametrize(
    ("method", "status"), [("GET", 200), ("POST", 201), ("PUT", 201), ("PATCH", 200)]
)
def test_member_without_a_status_has_that_of_the_method(method, status):
    response = returning(EITHER, EMMA, method=method)
    assert (response.status_code, response.json) == (status, {"title": "Emma"})
    described = responses_of(EITHER, method=method)
    assert schema_name(described[str(status)]) == "Book"


def test_member_without_a_status_has_that_of_the_route():
    assert returning(EITHER, EMMA, status_code=203).status_code == 203
    assert [*responses_of(EITHER, status_code=203)] == ["203", "404"]


def test_default_is_not_described_where_every_member_has_a_status():
    assert "201" not in responses_of(BOTH, method="POST")
    assert returning(BOTH, (EMMA, 200), method="POST").json == {"title": "Emma"}


def test_status_left_out_is_that_of_the_method_where_it_is_annotated():
    annotation = tuple[Book, t.Literal[201]] | NOT_FOUND

    assert returning(annotation, EMMA, method="POST").status_code == 201
    assert returning(annotation, EMMA).status_code == 500


def test_status_that_is_not_annotated_is_a_failed_response(caplog):
    response = returning(EITHER, (GONE, 410))

    assert (response.status_code, response.data) == (500, ANSWER)
    (record,) = (item for item in caplog.records if item.levelno == logging.ERROR)
    assert record.getMessage().startswith(
        "GET /: show() returned the status 410, which its annotation does not name. Add"
        " tuple[..., Literal[410]] to it."
    )


@pytest.mark.parametrize("status", ["abc", "", " "])
def test_status_without_a_number_is_a_failed_response(status):
    assert returning(EITHER, (EMMA, status)).status_code == 500


def test_status_of_text_that_is_not_annotated_is_a_failed_response():
    annotation = str | tuple[str, t.Literal[404]]

    assert returning(annotation, ("gone", 404)).text == "gone"
    assert returning(annotation, ("gone", 410)).status_code == 500


@pytest.mark.parametrize("key", [410, "4XX", "default"])
def test_status_that_is_declared_may_be_returned_beside_annotated_ones(key):
    response = returning(EITHER, (GONE, 410), responses={key: Problem})

    assert (response.status_code, response.json) == (410, {"reason": "gone"})


def test_member_with_any_status_lets_every_status_pass():
    annotation = EITHER | tuple[Book, int]

    assert returning(annotation, (EMMA, 202)).json == {"title": "Emma"}
    assert returning(annotation, (GONE, 404)).json == {"reason": "gone"}


def test_response_passes_with_any_status():
    response = returning(Response | NOT_FOUND, Response("x", 418))

    assert response.status_code == 418


def test_each_status_has_its_own_kind_of_content():
    annotation = (
        Book
        | tuple[str, t.Literal[202]]
        | tuple[None, t.Literal[204]]
        | tuple[dict[str, t.Any], t.Literal[404]]
    )

    assert returning(annotation, EMMA).json == {"title": "Emma"}
    assert returning(annotation, "Emma").status_code == 500
    response = returning(annotation, ("soon", 202))
    assert (response.mimetype, response.text) == ("text/html", "soon")
    assert returning(annotation, (None, 204)).data == b""
    assert returning(annotation, ({"at": Account(title="a")}, 404)).json == {
        "at": {"title": "a", "password": "hunter2"}
    }
    described = responses_of(annotation)
    assert [*described["202"]["content"]] == ["text/html"]
    assert "content" not in described["204"]
    schema = described["404"]["content"]["application/json"]["schema"]
    assert schema["anyOf"][0] == {"type": "object"}


def test_none_with_a_status_that_has_content_is_empty():
    response = returning(Book | tuple[None, t.Literal[404]], (None, 404))

    assert (response.status_code, response.data) == (404, b"")


def test_stream_may_have_a_status():
    annotation = tuple[abc.Iterator[Book], t.Literal[203]] | Missing
    response = returning(annotation, (iter([EMMA, EMMA]), 203), media_type=JSONL)

    assert response.status_code == 203
    assert response.data == b'{"title":"Emma"}\n' * 2


def test_one_status_may_have_two_models():
    annotation = (
        Book | tuple[Book, t.Literal[404]] | tuple[Problem, t.Literal[404, 409]]
    )

    assert returning(annotation, (GONE, 404)).json == {"reason": "gone"}
    assert returning(annotation, (EMMA, 404)).json == {"title": "Emma"}
    assert returning(annotation, (EMMA, 409)).status_code == 500
    schema = responses_of(annotation)["404"]["content"]["application/json"]["schema"]
    names = [item["$ref"].rpartition("/")[2] for item in schema["anyOf"]]
    assert names == ["Book", "Problem", "HTTPErrorMessage"]


def test_status_of_the_method_may_be_annotated_beside_a_member_without_one():
    annotation = Book | tuple[Problem, t.Literal[200]]

    assert returning(annotation, EMMA).json == {"title": "Emma"}
    assert returning(annotation, (GONE, 200)).json == {"reason": "gone"}
    schema = responses_of(annotation)["200"]["content"]["application/json"]["schema"]
    assert schema == {
        "anyOf": [
            {"$ref": "#/components/schemas/Book"},
            {"$ref": "#/components/schemas/Problem"},
        ]
    }


def test_discriminated_union_stays_whole():
    Pet = t.Annotated[Cat | Dog, Field(discriminator="kind")]

    described = responses_of(Pet | NOT_FOUND)

    schema = described["200"]["content"]["application/json"]["schema"]
    assert schema["discriminator"]["propertyName"] == "kind"


def test_options_of_the_response_model_are_about_success():
    class Note(BaseModel):
        text: str | None = None

    annotation = tuple[Note, t.Literal[202]] | tuple[Note, t.Literal[404]]
    options: t.Any = {"response_model_exclude_none": True}

    assert returning(annotation, ({}, 202), **options).json == {}
    assert returning(annotation, ({}, 404), **options).json == {"text": None}


def test_response_model_stands_for_the_member_without_a_status():
    annotation, options = Account | NOT_FOUND, {"response_model": Book}

    assert returning(annotation, EMMA, **options).json == {"title": "Emma"}
    assert returning(annotation, (GONE, 404), **options).json == {"reason": "gone"}
    assert schema_name(responses_of(annotation, **options)["200"]) == "Book"


def test_no_response_model_leaves_the_whole_annotation_unread():
    response = returning(EITHER, ({"a": 1}, 410), response_model=None)

    assert (response.status_code, response.json) == (410, {"a": 1})


def test_description_of_the_response_is_that_of_success():
    annotation = NOT_FOUND | tuple[Book, t.Literal[202]]
    described = responses_of(annotation, response_description="A book")

    assert described["202"]["description"] == "A book"
    assert described["404"]["description"] == "Not Found"


def test_declaration_of_an_annotated_status_adds_what_the_annotation_does_not_say():
    declared = {404: {"description": "No such book", "headers": {"X-Why": str}}}

    described = responses_of(EITHER, responses=declared)["404"]

    assert described["description"] == "No such book"
    assert [*described["headers"]] == ["X-Why"]
    assert schema_name(described) == "Problem"


def test_declaration_of_an_annotated_status_is_not_that_of_a_member_without_one():
    annotation, declared = Book | tuple[Problem, t.Literal[200]], {200: Problem}

    assert returning(annotation, EMMA, responses=declared).json == {"title": "Emma"}
    gone = returning(annotation, (GONE, 200), responses=declared)
    assert gone.json == {"reason": "gone"}
    content = responses_of(annotation, responses=declared)["200"]["content"]
    assert [*content["application/json"]["schema"]] == ["anyOf"]


def test_examples_of_an_annotated_status_are_written_by_its_model():
    declared = {404: {"examples": {"gone": {"value": GONE}}}}

    described = responses_of(EITHER, responses=declared)["404"]

    content = described["content"]["application/json"]
    assert content["examples"] == {"gone": {"value": {"reason": "gone"}}}


def test_headers_of_the_annotation_and_of_the_declaration_are_described():
    class Created(TypedDict):
        location: str

    annotation = tuple[Book, t.Literal[201], Created]
    described = responses_of(annotation, responses={201: {"headers": {"X-A": int}}})

    assert [*described["201"]["headers"]] == ["Location", "X-A"]


def test_annotation_replaces_what_a_blueprint_declares(app, client):
    class Refusal(BaseModel):
        code: int

    books = Blueprint("books", __name__, responses={404: Refusal, 409: Refusal})

    @books.get("/")
    def show() -> Book | tuple[Problem, t.Literal[404]]:
        return Problem(reason="gone"), 404

    app.register_blueprint(books)
    described = operation(app, "GET /")["responses"]

    assert client.get("/").json == {"reason": "gone"}
    assert schema_name(described["409"]) == "Refusal"
    assert "Refusal" not in str(described["404"])


@pytest.mark.parametrize("make_app", [Flask, flask.Flask], ids=["ours", "plain"])
def test_asynchronous_view_and_view_on_plain_flask(make_app):
    app, books = make_app(__name__), Blueprint("books", __name__)

    @books.get("/")
    def show() -> Book | tuple[Problem, t.Literal[404]]:
        return Problem(reason="gone"), 404

    @books.get("/later")
    async def show_later() -> Book | tuple[Problem, t.Literal[404]]:
        return show()

    app.register_blueprint(books)
    assert show() == (Problem(reason="gone"), 404)
    for url in ("/", "/later"):
        response = app.test_client().get(url)
        assert (response.status_code, response.json) == (404, {"reason": "gone"})


def test_json_array_is_no_response_tuple():
    assert returning(tuple[Book, Problem], (EMMA, GONE)).json == [
        {"title": "Emma"},
        {"reason": "gone"},
    ]
    assert returning(tuple[int, t.Literal[1]], (5, 1)).json == [5, 1]


def test_integer_with_a_status_is_a_response():
    response = returning(tuple[int, t.Literal[202]], (5, 202))

    assert (response.status_code, response.json) == (202, 5)


@pytest.mark.parametrize("status", [404, "404", HTTPStatus.NOT_FOUND])
def test_status_may_not_be_declared_differently(status):
    message = refused(EITHER, responses={status: Book})

    assert message.startswith(
        "GET /: show() is annotated with 'Problem' for status 404, but responses="
        " declares 'Book'. Keep one of them. ("
    )


def test_status_of_a_method_may_not_be_declared_differently(app):
    class Books(MethodView):
        @operation_options(responses={404: Book})
        def get(self) -> Book | tuple[Problem, t.Literal[404]]:
            raise AssertionError

    with pytest.raises(SignatureError, match="but responses= declares 'Book'"):
        app.add_url_rule("/", view_func=Books.as_view("books"))


class Row:
    """A class of which Pydantic knows nothing, as that of an ORM."""


UNREADABLE = (
    "the return annotation of show() is no response model: Pydantic can't serialize"
    " 'list[Row]', since it knows no fields of 'Row'. Name a BaseModel or a dataclass"
    " instead, and return one."
)

#: An annotation, options of the route, and what is said of them.
REFUSED: dict[str, tuple[t.Any, dict[str, t.Any], str]] = {
    "status-code": (
        BOTH,
        {"status_code": 201},
        (
            "status_code=201 is not among the statuses that show() is annotated with:"
            " 200, 404. Remove it, or annotate it."
        ),
    ),
    "response-model": (
        BOTH,
        {"response_model": Book},
        (
            "response_model= is for what show() returns without a status, but each"
            " member of its annotation has one: 200, 404. Remove it, and name its model"
            " in the annotation."
        ),
    ),
    "unreadable": (tuple[list[Row], t.Literal[200]], {}, UNREADABLE),
    "unreadable-error": (tuple[list[Row], t.Literal[404]], {}, UNREADABLE),
    "no-status": (
        Book | tuple[Problem, t.Literal[4040]],
        {},
        (
            "the return annotation of show() says 'tuple[Problem, Literal[4040]]', and"
            " 4040 is no HTTP status. Use 100 to 599, or give response_model= for a"
            " JSON array."
        ),
    ),
    "no-content": (
        tuple[Book, t.Literal[204]],
        {},
        (
            "show() is annotated with 'Book' for status 204, but a 204 response has no"
            " content. Write tuple[None, Literal[204]]."
        ),
    ),
    "tuple": (
        tuple[int, str] | NOT_FOUND,
        {},
        (
            "show() may return 'tuple[int, str]', which can't be told from a body with"
            " a status. Annotate it with its status as well."
        ),
    ),
}


@pytest.mark.parametrize(
    ("annotation", "options", "problem"), REFUSED.values(), ids=REFUSED
)
def test_annotation_that_contradicts_itself_is_refused(annotation, options, problem):
    assert refused(annotation, **options).startswith(f"GET /: {problem} (")
