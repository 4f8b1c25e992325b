from __future__ import annotations

import ast
from pathlib import Path

import pytest
from openapi_spec_validator import validate

import sample_app

pytestmark = pytest.mark.once


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


def test_the_description_is_valid(document):
    validate(document)
    assert document["info"] == {
        "title": "Bookshop",
        "version": "1.0.0",
        "description": document["info"]["description"],
        "license": {"name": "MIT", "identifier": "MIT"},
    }


def test_every_operation_and_status_is_described(operations):
    described = {
        name: " ".join(sorted(operation["responses"]))
        for name, operation in operations.items()
    }

    assert described == STATUSES


#: The views that say more than their signatures do: what is sent of a row, which errors
#: are raised far inside, and which pictures a row may hold.
MORE_THAN_A_SIGNATURE = {
    "response_model": {
        *("show_book", "show_author", "show_review", "show_cover_details"),
        *("show_order", "change_order", "list_tokens"),
    },
    "responses": {"show_cover", "place_order"},
    "openapi_extra": set(),
    "status_code": set(),
}


def test_of_most_views_the_signature_is_the_whole_contract(operations):
    options: dict[str, set[str | None]] = {}
    for path in Path(sample_app.__path__[0]).glob("*/views.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                (route,) = node.decorator_list
                assert isinstance(route, ast.Call)
                options[node.name] = {keyword.arg for keyword in route.keywords}

    assert len(options) == len(operations) == 29
    for option, names in MORE_THAN_A_SIGNATURE.items():
        assert {name for name, given in options.items() if option in given} == names


def test_headers_of_responses_are_described(operations):
    placed = operations["POST /orders"]["responses"]
    login = operations["POST /session"]["responses"]["201"]
    logout = operations["DELETE /session"]["responses"]["204"]

    for status in ("200", "201"):
        assert placed[status]["headers"]["Location"]["schema"] == {"type": "string"}
    assert [*login["headers"], *logout["headers"]] == ["Set-Cookie", "Set-Cookie"]


def test_pictures_are_described_as_what_they_are(operations):
    types = ["image/gif", "image/jpeg", "image/png", "image/webp"]
    body = operations["PUT /books/{book_id}/cover"]["requestBody"]["content"]
    shown = operations["GET /books/{book_id}/cover"]["responses"]["200"]

    encoding = {"image": {"contentType": ", ".join(types)}}
    assert body["multipart/form-data"]["encoding"] == encoding
    assert list(shown["content"]) == types


def test_every_operation_has_a_name_a_tag_and_a_summary(document, operations):
    tags = {tag["name"] for tag in document["tags"]}

    assert len({operation["operationId"] for operation in operations.values()}) == 29
    used = {tag for operation in operations.values() for tag in operation["tags"]}
    assert used == tags
    assert all(operation["summary"] for operation in operations.values())


def test_the_seven_locations_are_used(operations):
    used = set()
    for operation in operations.values():
        used |= {parameter["in"] for parameter in operation.get("parameters", [])}
        used |= {*operation.get("requestBody", {}).get("content", {})}

    forms = {"application/x-www-form-urlencoded", "multipart/form-data"}
    assert used >= {"path", "query", "header", "cookie", "application/json"} | forms


def test_the_bare_host_leads_to_the_page(client):
    response = client.get("/", follow_redirects=True)

    assert (response.status_code, response.request.path) == (200, "/docs")
    assert response.mimetype == "text/html"
