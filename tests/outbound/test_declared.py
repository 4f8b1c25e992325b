"""What ``responses=`` says of a status besides its model."""

from __future__ import annotations

import pytest
from models import Item, Problem
from returned import place_of, refused, returning, view_of


class Thing:
    """A class of which Pydantic knows nothing."""


def message_of(declared, annotation=..., status=409, **options):
    """What is said of a mistake, without the operation and the place."""
    message = refused(annotation, responses={status: declared}, **options)
    place = f" {place_of(view_of(...))}"
    assert message.startswith("GET /: ")
    assert message.endswith(place)
    return message.removeprefix("GET /: ").removesuffix(place)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        pytest.param(
            {"modle": Problem},
            "responses= says 'modle' of 409. Use 'model', 'summary', 'description',"
            " 'headers', 'content' or 'examples'.",
            id="key",
        ),
        pytest.param(
            {"content": ["image/png"]},
            "responses= says ['image/png'] for 'content' of 409, which takes a"
            " dictionary.",
            id="content",
        ),
        pytest.param(
            {"description": 5},
            "responses= says 5 for 'description' of 409, which takes a string.",
            id="description",
        ),
        pytest.param(
            {"content": {"png": {}}},
            "responses= has the media type 'png' in the content of 409. Write one such"
            " as 'image/png'.",
            id="media-type",
        ),
        pytest.param(
            {"content": {"text/csv": "a,b"}},
            "responses= says 'a,b' of 'text/csv' of 409. Write a dictionary of"
            " 'schema', 'example' or 'examples'.",
            id="media-type-object",
        ),
        pytest.param(
            {"content": {"text/csv": {"schma": str}}},
            "responses= says 'schma' of 'text/csv' of 409. Use 'schema', 'example' or"
            " 'examples'.",
            id="key-of-a-media-type",
        ),
        pytest.param(
            {"content": {"text/csv": {"example": "a", "examples": {}}}},
            "responses= says 'example' and 'examples' of 'text/csv' of 409. Remove one"
            " of them.",
            id="example-and-examples",
        ),
        pytest.param(
            {"content": {"text/csv": {"schema": Thing}}},
            "Pydantic can't serialize 'Thing', since it knows no fields of 'Thing'."
            " Name a BaseModel or a dataclass instead.",
            id="schema",
        ),
        pytest.param(
            {"model": Problem, "examples": {"sold_out": {"reason": "none left"}}},
            "responses= says 'reason' of the example 'sold_out' of 409. Use 'value',"
            " 'externalValue', 'summary' or 'description'.",
            id="example-without-value",
        ),
        pytest.param(
            {"content": {"text/csv": {"examples": {"two": "a,b"}}}},
            "responses= says 'a,b' of the example 'two' of 'text/csv' of 409. Write a"
            " dictionary of 'value', 'externalValue', 'summary' or 'description'.",
            id="example-of-a-media-type",
        ),
        pytest.param(
            {"examples": {"none": {"value": 1}}},
            "responses= has examples of 409, which has no model. Write them in"
            " 'content', in the object of their media type.",
            id="examples-without-model",
        ),
        pytest.param(
            {"model": Problem, "examples": {"none": {"value": {"cause": "x"}}}},
            "responses= has the example 'none' of 409, which 'Problem' refuses: reason:"
            " Field required. Write what the view would return with that status.",
            id="example-that-does-not-fit",
        ),
        pytest.param(
            {"model": Problem, "content": {"application/json": {"schema": Item}}},
            "responses= has a schema for 'application/json' of 409, which is sent by"
            " the model 'Problem'. Remove one of them.",
            id="model-and-schema",
        ),
        pytest.param(
            {
                "model": Problem,
                "examples": {"a": {"value": {"reason": "a"}}},
                "content": {"application/json": {"example": {"reason": "b"}}},
            },
            "responses= has examples of 409, and of 'application/json' in its content."
            " Write them in one place.",
            id="examples-in-two-places",
        ),
    ],
)
def test_mistake_in_what_is_said_of_a_status_is_refused(declared, message):
    assert message_of(declared) == message


@pytest.mark.parametrize("key", ["content", "examples"])
def test_status_without_content_has_none_to_describe(key):
    declared = {key: {"text/plain": {}}}
    assert message_of(declared, status=304) == (
        f"responses= says {key!r} of 304, but a 304 response has no content. Remove it."
    )


def test_schema_beside_the_annotation_is_refused():
    hal = "application/hal+json"
    declared = {"content": {hal: {"schema": {"type": "object"}}}}
    assert message_of(declared, Item, 200, media_type=hal) == (
        "responses= has a schema for 'application/hal+json' of 200, which is sent by"
        " the model 'Item'. Remove one of them."
    )


def test_example_of_the_annotation_is_validated():
    assert message_of({"examples": {"pen": {"value": {}}}}, Item, 200) == (
        "responses= has the example 'pen' of 200, which 'Item' refuses: name: Field"
        " required. Write what the view would return with that status."
    )


def test_content_changes_nothing_of_what_is_sent():
    value = (b"PNG", {"Content-Type": "image/png"})
    declared = {200: {"content": {"image/png": {}}}}
    response = returning(..., value, responses=declared)
    assert (response.data, response.mimetype) == (b"PNG", "image/png")
