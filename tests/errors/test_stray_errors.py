"""What Pydantic and Python raise for some values of a request, and is a refusal."""

import typing as t

import pytest
from client import client_of, taking
from pydantic import AfterValidator, Field, FilePath, JsonValue, create_model

from flask_signature import Query

CONSTRAINED = {
    "union": int | str,
    "optional": str | int | None,
    "any": t.Any,
    "json": JsonValue,
    "literal": t.Literal["a", 1],
    "list": list[t.Annotated[int | str, Field(ge=1)]],
    "dict": dict[str, t.Annotated[float | str | None, Field(ge=1)]],
}
VALUES: list[t.Any] = ["a", 3, None, [], {}, ["a"], {"k": "a"}, 1.5, True]


@pytest.mark.parametrize("annotation", CONSTRAINED.values(), ids=CONSTRAINED)
@pytest.mark.parametrize("constraint", ["ge", "max_length", "multiple_of"])
def test_constraint_that_a_member_has_no_use_for_is_a_refusal(annotation, constraint):
    constrained = t.Annotated[annotation, Field(**{constraint: 2})]
    view = taking(create_model("Model", x=(constrained, ...)))
    client = client_of(view, method="POST", config={})

    statuses = {client.post("/", json={"x": value}).status_code for value in VALUES}
    assert statuses <= {201, 422}


def test_error_of_a_validator_is_the_authors():
    def fail(value):
        raise TypeError("Unable to do it")

    def view(body: t.Annotated[int, AfterValidator(fail)], n: int = Query(1)): ...

    client = client_of(view, method="POST", config={})
    assert client.post("/", json={"body": 1}).status_code == 500


def test_name_of_a_file_that_is_too_long_is_refused():
    def view(body: FilePath, path: FilePath = Query(...)):
        return {}

    client = client_of(view, method="POST", config={})
    response = client.post(f"/?path={'x' * 300}", json={"body": "x" * 300})
    assert response.status_code == 422
