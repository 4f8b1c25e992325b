"""Requests made up from the description get the answers that it promises.

All checks of Schemathesis run, those of ``LEFT_OUT`` excepted.
"""

from __future__ import annotations

import json
import os
import tempfile
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import schemathesis
from contract.features import make_app
from contract.features.schemes import GOOD
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from openapi_schema_validator import OAS31Validator
from schemathesis.checks import CHECKS

from flask_signature import Flask
from sample_app import create_app
from sample_app.session.logins import COOKIE

FOLDER = tempfile.TemporaryDirectory(prefix="bookshop-")
EXAMPLES = int(os.environ.get("EXAMPLES", "100"))

#: The checks that are left out of all operations, or of those named, and why.
LEFT_OUT: dict[str, dict[str, str]] = {
    "negative_data_rejection": {
        "*": "asks for a refusal of every value of another type, where Pydantic makes a"
        " number of a string and of a boolean"
    },
    "positive_data_acceptance": {
        "PUT /files/": "has no regard to contentSchema, for which JSON text is made up",
        "POST /files/any": "sends what any type but JSON is for, */*, as JSON",
    },
    "response_schema_conformance": {
        "GET /streams/events": "takes the schema of a stream for that of each event",
        "GET /streams/trees": "takes the schema of a stream for that of each event",
    },
}

made_up = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

#: The first bytes of pictures, which the bookshop looks at.
PICTURES = {
    "image/gif": b"GIF89a",
    "image/jpeg": b"\xff\xd8\xff",
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/webp": b"RIFF\0\0\0\0WEBP",
}
for media_type, signature in PICTURES.items():
    schemathesis.openapi.media_type(media_type, st.just(signature))

bookshop = create_app(
    {"SQLALCHEMY_DATABASE_URI": f"sqlite:///{Path(FOLDER.name) / 'books.sqlite'}"}
)
features = make_app(routes=1, SIGNATURE_SERVERS=None)


def read_schema(app: Flask) -> t.Any:
    """What is made up from the description of an application."""
    return schemathesis.openapi.from_wsgi("/openapi.json", app)


def checks_left_out(case: t.Any) -> list[Callable[..., t.Any]]:
    """The checks that an operation is not held to."""
    return [
        CHECKS.get_one(name)
        for name, operations in LEFT_OUT.items()
        if "*" in operations or case.operation.label in operations
    ]


def check_items(context: t.Any, response: t.Any, case: t.Any) -> None:
    """Hold the items of a stream against the schema of an item."""
    responses = case.operation.definition.raw["responses"]
    described = responses.get(str(response.status_code), {}).get("content", {})
    for media_type, content in described.items():
        schema = content.get("schema", {}).get("contentSchema")
        if schema is not None and media_type in response.headers["content-type"][0]:
            components = case.operation.schema.raw_schema["components"]
            validator = OAS31Validator({**schema, "components": components})
            for readings in items_of(response.text):
                assert any(map(validator.is_valid, readings)), readings


def items_of(text: str) -> Iterator[list[t.Any]]:
    """What each line of a stream, or each line of data, may stand for."""
    for line in text.split("\n"):
        name, _, data = line.partition(": ")
        if line.startswith("{"):
            yield [json.loads(line)]
        elif name == "data":
            yield [data, json.loads(data)] if data.startswith("{") else [data]


def check(case: t.Any) -> None:
    case.call_and_validate(
        additional_checks=[check_items], excluded_checks=checks_left_out(case)
    )


bookshop_of_strangers = read_schema(bookshop)
bookshop_of_staff = read_schema(bookshop)
features_of_strangers = read_schema(features)
features_of_users = read_schema(features)


# Logging out would end it for all that follows.
@bookshop_of_staff.auth().skip_for(path="/session")
class BookshopLogin:
    """The cookie of the bookseller, who may do everything."""

    def get(self, case: t.Any, context: t.Any) -> str:
        client = bookshop.test_client()
        form = {"username": "bookseller", "password": "it-was-the-best-of-times"}
        assert client.post("/session", data=form).status_code == 201
        cookie = client.get_cookie(COOKIE)
        assert cookie is not None
        return cookie.value

    def set(self, case: t.Any, cookie: str, context: t.Any) -> None:
        case.cookies[COOKIE] = cookie


@features_of_users.auth()
class FeaturesLogin:
    """A token and a key, which together are all that anything requires."""

    def get(self, case: t.Any, context: t.Any) -> str:
        return GOOD

    def set(self, case: t.Any, credential: str, context: t.Any) -> None:
        case.headers["Authorization"] = f"Bearer {credential}"
        case.headers["X-Key"] = credential


@bookshop_of_strangers.parametrize()
@made_up
def test_strangers_get_the_answers_of_the_bookshop(case: t.Any) -> None:
    check(case)


@bookshop_of_staff.parametrize()
@made_up
def test_the_staff_gets_the_answers_of_the_bookshop(case: t.Any) -> None:
    check(case)


@features_of_strangers.parametrize()
@made_up
def test_strangers_get_the_answers_of_every_feature(case: t.Any) -> None:
    check(case)


@features_of_users.parametrize()
@made_up
def test_users_get_the_answers_of_every_feature(case: t.Any) -> None:
    check(case)


@pytest.mark.parametrize("operations", LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_left_out_is_there(operations: dict[str, str]) -> None:
    labels = {
        f"{method.upper()} {path}"
        for path, item in read_schema(features).raw_schema["paths"].items()
        for method in item
    }
    assert {*operations} - {"*"} <= labels
