"""What the tests of the description share."""

from __future__ import annotations

import typing as t

from openapi_spec_validator import validate

from flask_signature import Flask

Document: t.TypeAlias = dict[str, t.Any]


def describe(app: Flask, path: str = "/openapi.json") -> Document:
    """The description of an application, which is a valid one."""
    if "flask_signature" not in app.blueprints:
        app.init_app()
    response = app.test_client().get(path)
    assert response.status_code == 200, response.text
    document = t.cast(Document, response.get_json())
    validate(document)
    return document


def operation(app: Flask, name: str) -> Document:
    """One operation of the description: ``operation(app, "GET /items")``."""
    method, _, path = name.partition(" ")
    return t.cast(Document, describe(app)["paths"][path][method.lower()])


def parameters(app: Flask, name: str) -> dict[str, Document]:
    """The parameters of an operation by their names."""
    found = operation(app, name).get("parameters", [])
    assert len({(item["in"], item["name"]) for item in found}) == len(found)
    return {item["name"]: item for item in found}


def schema_of(app: Flask, name: str) -> Document:
    """The schema of the one parameter of an operation."""
    (parameter,) = parameters(app, name).values()
    return t.cast(Document, parameter["schema"])


def response_schema(app: Flask, name: str, status: int = 200) -> Document:
    """The schema of a JSON response."""
    response = operation(app, name)["responses"][str(status)]
    return t.cast(Document, response["content"]["application/json"]["schema"])


def security_of(app: Flask, url: str) -> list[dict[str, list[str]]]:
    """What the document says of who may call a view for GET."""
    document = describe(app)
    described = document["paths"][url]["get"].get("security")
    found = document.get("security", []) if described is None else described
    return t.cast("list[dict[str, list[str]]]", found)
