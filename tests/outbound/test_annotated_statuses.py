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
from returned import ANSWER, JSONL, cases, refused, responses_of, returning
from typing_extensions import TypeAliasType

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

FAILED = ANSWER.decode()

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


TITLE, REASON = '{"title":"Emma"}', '{"reason":"gone"}'
CREATED = tuple[Book, t.Literal[201]] | NOT_FOUND
TEXTS = str | tuple[str, t.Literal[404]]
OF_ANY_STATUS = EITHER | tuple[Book, int]
TWO_OF_404 = Book | tuple[Book, t.Literal[404]] | tuple[Problem, t.Literal[404, 409]]
TWO_OF_200 = Book | tuple[Problem, t.Literal[200]]
KINDS = (
    Book
    | tuple[str, t.Literal[202]]
    | tuple[None, t.Literal[204]]
    | tuple[dict[str, t.Any], t.Literal[404]]
)
ACCOUNT = '{"at":{"title":"a","password":"hunter2"}}'
STREAM = tuple[abc.Iterator[Book], t.Literal[203]] | Missing
OWN_MODEL = Account | NOT_FOUND
ARRAY = '[{"title":"Emma"},{"reason":"gone"}]'

#: What an annotation, a value and options of the route make: a status and a text.
SENT: dict[str, tuple[t.Any, t.Any, dict[str, t.Any], int, str]] = {
    "status-of-the-route": (EITHER, EMMA, {"status_code": 203}, 203, TITLE),
    "every-member-has-one": (BOTH, (EMMA, 200), {"method": "POST"}, 200, TITLE),
    "left-out-and-annotated": (CREATED, EMMA, {"method": "POST"}, 201, TITLE),
    "left-out-and-not-annotated": (CREATED, EMMA, {}, 500, FAILED),
    **{
        f"without-a-number-{status!r}": (EITHER, (EMMA, status), {}, 500, FAILED)
        for status in ("abc", "", " ")
    },
    "text": (TEXTS, ("gone", 404), {}, 404, "gone"),
    "text-that-is-not-annotated": (TEXTS, ("gone", 410), {}, 500, FAILED),
    **{
        f"declared-{key}": (
            EITHER,
            (GONE, 410),
            {"responses": {key: Problem}},
            410,
            REASON,
        )
        for key in (410, "4XX", "default")
    },
    "any-status": (OF_ANY_STATUS, (EMMA, 202), {}, 202, TITLE),
    "beside-any-status": (OF_ANY_STATUS, (GONE, 404), {}, 404, REASON),
    "response": (Response | NOT_FOUND, Response("x", 418), {}, 418, "x"),
    "kind-model": (KINDS, EMMA, {}, 200, TITLE),
    "kind-text-without-its-status": (KINDS, "Emma", {}, 500, FAILED),
    "kind-text": (KINDS, ("soon", 202), {}, 202, "soon"),
    "kind-nothing": (KINDS, (None, 204), {}, 204, ""),
    "kind-dict": (KINDS, ({"at": Account(title="a")}, 404), {}, 404, ACCOUNT),
    "none-with-content": (Book | tuple[None, t.Literal[404]], (None, 404), {}, 404, ""),
    "stream": (STREAM, ([EMMA], 203), {"media_type": JSONL}, 203, f"{TITLE}\n"),
    "two-models-first": (TWO_OF_404, (EMMA, 404), {}, 404, TITLE),
    "two-models-last": (TWO_OF_404, (GONE, 404), {}, 404, REASON),
    "one-of-two-models": (TWO_OF_404, (EMMA, 409), {}, 500, FAILED),
    "two-models-of-success": (TWO_OF_200, EMMA, {}, 200, TITLE),
    "named-success": (TWO_OF_200, (GONE, 200), {}, 200, REASON),
    "response-model": (OWN_MODEL, EMMA, {"response_model": Book}, 200, TITLE),
    "beside-it": (OWN_MODEL, (GONE, 404), {"response_model": Book}, 404, REASON),
    "unread": (EITHER, ({"a": 1}, 410), {"response_model": None}, 410, '{"a":1}\n'),
    "array": (tuple[Book, Problem], (EMMA, GONE), {}, 200, ARRAY),
    "array-of-numbers": (tuple[int, t.Literal[1]], (5, 1), {}, 200, "[5,1]"),
    "integer": (tuple[int, t.Literal[202]], (5, 202), {}, 202, "5"),
}


@cases("annotation value options status text", SENT)
def test_status_is_sent_with_the_model_that_it_is_annotated_with(
    annotation, value, options, status, text
):
    response = returning(annotation, value, **options)
    assert (response.status_code, response.text) == (status, text)


def test_default_is_not_described_where_it_is_never_sent():
    assert [*responses_of(EITHER, status_code=203)] == ["203", "404"]
    assert "201" not in responses_of(BOTH, method="POST")


def test_status_that_is_not_annotated_is_a_failed_response(caplog):
    response = returning(EITHER, (GONE, 410))

    assert (response.status_code, response.data) == (500, ANSWER)
    (record,) = (item for item in caplog.records if item.levelno == logging.ERROR)
    assert record.getMessage().startswith(
        "GET /: show() returned the status 410, which its annotation does not name. Add"
        " tuple[..., Literal[410]] to it."
    )


def test_each_status_has_its_own_kind_of_content():
    assert returning(KINDS, ("soon", 202)).mimetype == "text/html"
    described = responses_of(KINDS)
    assert [*described["202"]["content"]] == ["text/html"]
    assert "content" not in described["204"]
    schema = described["404"]["content"]["application/json"]["schema"]
    assert schema["anyOf"][0] == {"type": "object"}


@pytest.mark.parametrize(
    ("annotation", "status", "names"),
    [
        (TWO_OF_404, "404", ["Book", "Problem", "HTTPErrorMessage"]),
        (TWO_OF_200, "200", ["Book", "Problem"]),
    ],
)
def test_one_status_may_have_two_models(annotation, status, names):
    content = responses_of(annotation)[status]["content"]
    references = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    assert content["application/json"]["schema"] == {"anyOf": references}


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
    described = responses_of(OWN_MODEL, response_model=Book)
    assert schema_name(described["200"]) == "Book"


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
    declared = {200: Problem}

    assert returning(TWO_OF_200, EMMA, responses=declared).json == {"title": "Emma"}
    gone = returning(TWO_OF_200, (GONE, 200), responses=declared)
    assert gone.json == {"reason": "gone"}
    content = responses_of(TWO_OF_200, responses=declared)["200"]["content"]
    assert [*content["application/json"]["schema"]] == ["anyOf"]


def test_examples_of_an_annotated_status_are_written_by_its_model():
    declared = {404: {"examples": {"gone": {"value": GONE}}}}

    described = responses_of(EITHER, responses=declared)["404"]

    content = described["content"]["application/json"]
    assert content["examples"] == {"gone": {"value": {"reason": "gone"}}}


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
    "inside": (
        tuple[Book | NOT_FOUND, int],
        {},
        (
            "the return annotation of show() has 'tuple[Problem, Literal[404]]' as the"
            " body of 'tuple[Book | tuple[Problem, Literal[404]], int]'. A body has one"
            " status: name both tuples in a union."
        ),
    ),
    "inside, with a status": (
        tuple[Book | NOT_FOUND, t.Literal[201]],
        {},
        (
            "the return annotation of show() has 'tuple[Problem, Literal[404]]' as the"
            " body of 'tuple[Book | tuple[Problem, Literal[404]], Literal[201]]'. A"
            " body has one status: name both tuples in a union."
        ),
    ),
}


@cases("annotation options problem", REFUSED)
def test_annotation_that_contradicts_itself_is_refused(annotation, options, problem):
    assert refused(annotation, **options).startswith(f"GET /: {problem} (")


@pytest.mark.parametrize("annotation", [..., tuple[tuple[str, int], int]])
def test_response_model_may_be_an_array_of_arrays(annotation):
    value = [["a", 1], 2]
    nested = tuple[tuple[str, int], int]
    response = returning(annotation, value, response_model=nested)
    assert response.json == value
