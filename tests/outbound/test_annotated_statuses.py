"""Return annotations that name statuses: ``Book | tuple[Problem, Literal[404]]``."""

from __future__ import annotations

import logging
import typing as t
from collections import abc
from http import HTTPStatus

import pytest
from document import operation
from flask import Response, abort
from flask.views import MethodView
from pydantic import BaseModel, Field
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Blueprint, Flask, SignatureError
from flask_signature import operation as operation_options


class Book(BaseModel):
    title: str


class Problem(BaseModel):
    reason: str


class Account(Book):
    password: str = "hunter2"


Missing = TypeAliasType("Missing", tuple[Problem, t.Literal[404]])

EMMA = {"title": "Emma", "password": "hunter2"}
GONE = {"reason": "gone", "searched": "ldap://internal"}


def app_of(
    annotation: t.Any, value: t.Any = None, *, method: str = "GET", **options: t.Any
) -> Flask:
    """An application whose view is annotated so, and returns the value."""
    app = Flask(__name__)

    def show():
        return value

    show.__annotations__ = {"return": annotation}
    app.route("/", methods=[method], **options)(show)
    return app


def returning(annotation: t.Any, value: t.Any, **options: t.Any) -> t.Any:
    method = options.get("method", "GET")
    client = app_of(annotation, value, **options).test_client()
    return client.open("/", method=method)


def responses_of(annotation: t.Any, **options: t.Any) -> dict[str, t.Any]:
    """The responses that a document has, by status."""
    name = f"{options.get('method', 'GET')} /"
    return t.cast(
        "dict[str, t.Any]", operation(app_of(annotation, **options), name)["responses"]
    )


def schema_name(response: dict[str, t.Any]) -> str:
    schema = response["content"]["application/json"]["schema"]
    # An error may be one of abort(), too.
    schema = schema.get("anyOf", [schema])[0]
    return t.cast("str", schema["$ref"]).rpartition("/")[2]


def refused(annotation: t.Any, **options: t.Any) -> str:
    with pytest.raises(SignatureError) as error:
        app_of(annotation, **options)
    return str(error.value)


NAMED = {
    "literal": Book | tuple[Problem, t.Literal[404]],
    "enum": Book | tuple[Problem, t.Literal[HTTPStatus.NOT_FOUND]],
    "string": Book | tuple[Problem, t.Literal["404 NOT FOUND"]],
    "headers": Book | tuple[Problem, t.Literal[404], dict[str, str]],
    "first": tuple[Problem, t.Literal[404]] | Book,
    "alias": Book | Missing,
    "annotated": t.Annotated[Book | tuple[Problem, t.Literal[404]], "note"],
    "several": Book | tuple[Problem, t.Literal[404, 409]],
    "union": Book | tuple[Problem, t.Literal[404] | t.Literal[409]],
    "both": tuple[Book, t.Literal[200]] | tuple[Problem, t.Literal[404]],
    "no-model": Response | tuple[Problem, t.Literal[404]],
    "text": str | tuple[Problem, t.Literal[404]],
    "response": Book | Response | tuple[Problem, t.Literal[404]],
    "none": None | tuple[Problem, t.Literal[404]],
    "stream": abc.Iterator[Book] | tuple[Problem, t.Literal[404]],
    "dict": dict[str, t.Any] | tuple[Problem, t.Literal[404]],
    "anything": t.Any | tuple[Problem, t.Literal[404]],
}


@pytest.mark.parametrize("annotation", NAMED.values(), ids=NAMED)
def test_tuple_with_a_status_is_validated_filtered_and_described(annotation):
    options: t.Any = (
        {"media_type": "application/jsonl"} if annotation is NAMED["stream"] else {}
    )
    response = returning(annotation, (GONE, 404), **options)
    assert (response.status_code, response.json) == (404, {"reason": "gone"})
    response = returning(annotation, ({"reason": ["gone"]}, 404), **options)
    assert response.status_code == 500

    assert "404" in responses_of(annotation, **options)


def test_member_without_a_status_has_that_of_the_method():
    annotation = Book | tuple[Problem, t.Literal[404]]
    for method, status in {"GET": 200, "POST": 201, "PUT": 201, "PATCH": 200}.items():
        response = returning(annotation, EMMA, method=method)
        assert (response.status_code, response.json) == (status, {"title": "Emma"})
        described = responses_of(annotation, method=method)
        assert schema_name(described[str(status)]) == "Book"

    response = returning(annotation, EMMA, status_code=203)
    assert response.status_code == 203
    assert "200" not in responses_of(annotation, status_code=203)


def test_default_is_not_described_where_every_member_has_a_status():
    annotation = tuple[Book, t.Literal[200]] | tuple[Problem, t.Literal[404]]

    assert "201" not in responses_of(annotation, method="POST")
    assert returning(annotation, (EMMA, 200), method="POST").json == {"title": "Emma"}


def test_status_left_out_is_that_of_the_method_where_it_is_annotated():
    annotation = tuple[Book, t.Literal[201]] | tuple[Problem, t.Literal[404]]

    assert returning(annotation, EMMA, method="POST").status_code == 201
    assert returning(annotation, EMMA).status_code == 500


def test_status_that_is_not_annotated_is_a_failed_response(caplog):
    annotation = Book | tuple[Problem, t.Literal[404]]

    response = returning(annotation, (GONE, 410))

    assert response.status_code == 500
    assert response.json == {"message": "An internal error occurred."}
    (record,) = (item for item in caplog.records if item.levelno == logging.ERROR)
    message = record.getMessage()
    assert message.startswith(
        "GET /: show() returned the status 410, which its annotation does not name. Add"
        " tuple[..., Literal[410]] to it."
    )


@pytest.mark.parametrize("status", ["abc", "", " "])
def test_status_without_a_number_is_a_failed_response(status):
    annotation = Book | tuple[Problem, t.Literal[404]]

    assert returning(annotation, (EMMA, status)).status_code == 500


def test_status_of_text_that_is_not_annotated_is_a_failed_response():
    annotation = str | tuple[str, t.Literal[404]]

    assert returning(annotation, ("gone", 404)).text == "gone"
    assert returning(annotation, ("gone", 410)).status_code == 500


@pytest.mark.parametrize("key", [410, "4XX", "default"])
def test_status_that_is_declared_may_be_returned_beside_annotated_ones(key):
    annotation = Book | tuple[Problem, t.Literal[404]]

    response = returning(annotation, (GONE, 410), responses={key: Problem})

    assert (response.status_code, response.json) == (410, {"reason": "gone"})


def test_member_with_any_status_lets_every_status_pass():
    annotation = Book | tuple[Book, int] | tuple[Problem, t.Literal[404]]

    assert returning(annotation, (EMMA, 202)).json == {"title": "Emma"}
    assert returning(annotation, (GONE, 404)).json == {"reason": "gone"}


def test_response_passes_with_any_status():
    annotation = Response | tuple[Problem, t.Literal[404]]

    assert returning(annotation, Response("x", 418)).status_code == 418


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

    response = returning(
        annotation, (iter([EMMA, EMMA]), 203), media_type="application/jsonl"
    )

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
    class Cat(BaseModel):
        kind: t.Literal["cat"] = "cat"

    class Dog(BaseModel):
        kind: t.Literal["dog"] = "dog"

    Pet = t.Annotated[Cat | Dog, Field(discriminator="kind")]

    described = responses_of(Pet | tuple[Problem, t.Literal[404]])

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
    annotation = Account | tuple[Problem, t.Literal[404]]
    options: t.Any = {"response_model": Book}

    assert returning(annotation, EMMA, **options).json == {"title": "Emma"}
    assert returning(annotation, (GONE, 404), **options).json == {"reason": "gone"}
    assert schema_name(responses_of(annotation, **options)["200"]) == "Book"


def test_no_response_model_leaves_the_whole_annotation_unread():
    response = returning(
        Book | tuple[Problem, t.Literal[404]], ({"a": 1}, 410), response_model=None
    )

    assert (response.status_code, response.json) == (410, {"a": 1})


def test_description_of_the_response_is_that_of_success():
    annotation = tuple[Problem, t.Literal[404]] | tuple[Book, t.Literal[202]]
    described = responses_of(annotation, response_description="A book")

    assert described["202"]["description"] == "A book"
    assert described["404"]["description"] == "Not Found"


def test_declaration_of_an_annotated_status_adds_what_the_annotation_does_not_say():
    declared = {404: {"description": "No such book", "headers": {"X-Why": str}}}
    annotation = Book | tuple[Problem, t.Literal[404]]

    described = responses_of(annotation, responses=declared)["404"]

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
    examples = {"gone": {"value": {"reason": "gone", "searched": "ldap://internal"}}}
    annotation = Book | tuple[Problem, t.Literal[404]]

    described = responses_of(annotation, responses={404: {"examples": examples}})

    content = described["404"]["content"]["application/json"]
    assert content["examples"] == {"gone": {"value": {"reason": "gone"}}}


def test_headers_of_the_annotation_and_of_the_declaration_are_described():
    class Created(TypedDict):
        location: str

    annotation = tuple[Book, t.Literal[201], Created]
    described = responses_of(annotation, responses={201: {"headers": {"X-A": int}}})

    assert [*described["201"]["headers"]] == ["Location", "X-A"]


def test_annotation_replaces_what_a_blueprint_declares():
    class Refusal(BaseModel):
        code: int

    app = Flask(__name__)
    books = Blueprint("books", __name__, responses={404: Refusal, 409: Refusal})

    @books.get("/<int:n>")
    def show(n: int) -> Book | tuple[Problem, t.Literal[404]]:
        if n == 1:
            abort(404)
        return Problem(reason="gone"), 404

    app.register_blueprint(books)
    described = operation(app, "GET /{n}")["responses"]

    assert app.test_client().get("/2").json == {"reason": "gone"}
    assert schema_name(described["409"]) == "Refusal"
    assert "Refusal" not in str(described["404"])


def test_asynchronous_view_and_view_on_plain_flask():
    import flask

    def show() -> Book | tuple[Problem, t.Literal[404]]:
        return Problem(reason="gone"), 404

    async def show_later() -> Book | tuple[Problem, t.Literal[404]]:
        return Problem(reason="gone"), 404

    for app in (Flask(__name__), flask.Flask(__name__)):
        books = Blueprint("books", __name__)
        books.get("/")(show)
        books.get("/later")(show_later)
        app.register_blueprint(books)
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


def test_view_that_is_called_as_a_function_returns_what_it_returns():
    app = Flask(__name__)

    @app.get("/")
    def show() -> Book | tuple[Problem, t.Literal[404]]:
        return Problem(reason="gone"), 404

    assert show() == (Problem(reason="gone"), 404)


BOOK_OR_PROBLEM = Book | tuple[Problem, t.Literal[404]]
BOTH = tuple[Book, t.Literal[200]] | tuple[Problem, t.Literal[404]]


@pytest.mark.parametrize("status", [404, "404", HTTPStatus.NOT_FOUND])
def test_status_may_not_be_declared_differently(status):
    message = refused(BOOK_OR_PROBLEM, responses={status: Book})

    assert message.startswith(
        "GET /: show() is annotated with 'Problem' for status 404, but responses="
        " declares 'Book'. Keep one of them. ("
    )


def test_status_of_a_method_may_not_be_declared_differently():
    class Books(MethodView):
        @operation_options(responses={404: Book})
        def get(self) -> Book | tuple[Problem, t.Literal[404]]:
            raise AssertionError

    with pytest.raises(SignatureError, match="but responses= declares 'Book'"):
        Flask(__name__).add_url_rule("/", view_func=Books.as_view("books"))


def test_status_code_must_be_annotated_where_every_member_has_a_status():
    message = refused(BOTH, status_code=201)

    assert message.startswith(
        "GET /: status_code=201 is not among the statuses that show() is annotated"
        " with: 200, 404. Remove it, or annotate it. ("
    )


def test_response_model_needs_a_member_without_a_status():
    message = refused(BOTH, response_model=Book)

    assert message.startswith(
        "GET /: response_model= is for what show() returns without a status, but"
        " each member of its annotation has one: 200, 404. Remove it, and name its"
        " model in the annotation. ("
    )


class Row:
    """A class of which Pydantic knows nothing, as that of an ORM."""


@pytest.mark.parametrize("status", [200, 404])
def test_class_that_pydantic_cannot_read_is_refused_with_its_status(status):
    message = refused(tuple[list[Row], t.Literal[status]])  # type: ignore[valid-type]

    assert message.startswith(
        "GET /: the return annotation of show() is no response model: Pydantic can't"
        " serialize 'list[Row]', since it knows no fields of 'Row'. Name a BaseModel or"
        " a dataclass instead, and return one. ("
    )


def test_number_that_is_no_status_is_refused():
    message = refused(Book | tuple[Problem, t.Literal[4040]])

    assert message.startswith(
        "GET /: the return annotation of show() says 'tuple[Problem, Literal[4040]]',"
        " and 4040 is no HTTP status. Use 100 to 599, or give response_model= for a"
        " JSON array. ("
    )


def test_model_of_a_status_without_content_is_refused():
    message = refused(tuple[Book, t.Literal[204]])

    assert message.startswith(
        "GET /: show() is annotated with 'Book' for status 204, but a 204 response has"
        " no content. Write tuple[None, Literal[204]]. ("
    )


def test_tuple_beside_a_status_is_refused():
    message = refused(tuple[int, str] | tuple[Problem, t.Literal[404]])

    assert message.startswith(
        "GET /: show() may return 'tuple[int, str]', which can't be told from a body"
        " with a status. Annotate it with its status as well. ("
    )
