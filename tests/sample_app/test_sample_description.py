from __future__ import annotations

import typing as t

import pytest
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from sample_app import create_app
from sample_app.database import db

Operation: t.TypeAlias = dict[str, t.Any]


@pytest.fixture(scope="module")
def client() -> t.Iterator[FlaskClient]:
    app = create_app({"SQLALCHEMY_DATABASE_URI": "sqlite://"})
    yield app.test_client()
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(scope="module")
def document(client: FlaskClient) -> dict[str, t.Any]:
    return t.cast("dict[str, t.Any]", client.get("/openapi.json").get_json())


@pytest.fixture(scope="module")
def operations(document: dict[str, t.Any]) -> dict[str, Operation]:
    """The operations as ``{"GET /books": {...}}``."""
    return {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }


STATUSES = {
    "GET /books": "200 422",
    "POST /books": "201 401 403 404 409 413 415 422",
    "GET /books/export": "200",
    "GET /books/{book_id}": "200 304 404 422",
    "GET /authors": "200 422",
    "POST /authors": "201 401 403 409 413 415 422",
    "GET /authors/{author_id}": "200 404 422",
    "GET /tags": "200",
    "GET /books/{book_id}/reviews": "200 404 422",
    "POST /books/{book_id}/reviews": "201 401 404 409 413 415 422",
    "GET /books/{book_id}/reviews/{review_id}": "200 404 422",
    "PUT /books/{book_id}/reviews/{review_id}": "200 401 403 404 409 413 415 422",
    "DELETE /books/{book_id}/reviews/{review_id}": "204 401 403 404 422",
    "GET /books/{book_id}/cover": "200 304 404 422",
    "PUT /books/{book_id}/cover": "200 201 401 403 404 409 413 415 422",
    "DELETE /books/{book_id}/cover": "204 401 403 404 422",
    "GET /books/{book_id}/cover/details": "200 404 422",
    "GET /orders": "200 401 422",
    "POST /orders": "200 201 401 404 409 413 415 422",
    "GET /orders/{order_id}": "200 401 404 422",
    "PATCH /orders/{order_id}": "200 401 404 409 413 415 422",
    "DELETE /orders/{order_id}": "204 401 404 409 422",
    "POST /orders/{order_id}/shipment": "204 401 403 404 409 422",
    "POST /session": "201 401 413 415 422",
    "GET /session": "200",
    "DELETE /session": "204",
    "POST /session/tokens": "201 401 413 415 422",
    "GET /session/tokens": "200 401",
    "DELETE /session/tokens/{token_id}": "204 401 404 422",
}


def test_the_description_is_valid(document: dict[str, t.Any]) -> None:
    validate(document)
    assert document["info"] == {
        "title": "Bookshop",
        "version": "1.0.0",
        "description": document["info"]["description"],
        "license": {"name": "MIT", "identifier": "MIT"},
    }


def test_every_operation_and_status_is_described(
    operations: dict[str, Operation],
) -> None:
    described = {
        name: " ".join(sorted(operation["responses"]))
        for name, operation in operations.items()
    }

    assert described == STATUSES


def test_every_operation_has_a_name_a_tag_and_a_summary(
    document: dict[str, t.Any], operations: dict[str, Operation]
) -> None:
    tags = {tag["name"] for tag in document["tags"]}

    assert len({operation["operationId"] for operation in operations.values()}) == 29
    assert {tag for operation in operations.values() for tag in operation["tags"]} == (
        tags
    )
    assert all(operation["summary"] for operation in operations.values())


def test_the_seven_locations_are_used(operations: dict[str, Operation]) -> None:
    parameters = {
        parameter["in"]
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
    }
    bodies = {
        media_type
        for operation in operations.values()
        for media_type in operation.get("requestBody", {}).get("content", {})
    }

    assert parameters == {"path", "query", "header", "cookie"}
    assert bodies >= {
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    }


def test_the_bare_host_leads_to_the_page(client: FlaskClient) -> None:
    response = client.get("/", follow_redirects=True)

    assert (response.status_code, response.request.path) == (200, "/docs")
    assert response.mimetype == "text/html"
