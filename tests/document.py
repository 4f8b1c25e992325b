"""What the tests of the description share."""

from __future__ import annotations

import json
import typing as t

from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate
from werkzeug.test import TestResponse

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


def describe_all(app: Flask) -> dict[str, Document]:
    """Every document of an application by its name, as the command prints it.

    All are valid. An application that has run without a document has one by now.
    """
    if "openapi" not in app.cli.commands:
        # Flask refuses routes after the first request, those of the documents too.
        app._got_first_request = False
        app.init_app()
    documents: dict[str, Document] = {}
    for name in ("", *app.config.get("SIGNATURE_DOCUMENTS", ())):
        arguments = ["openapi", "--document", name]
        result = app.test_cli_runner().invoke(args=arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        documents[name] = json.loads(result.stdout)
        validate(documents[name])
    return documents


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
    response = operation(app, name)["responses"][str(status)]
    return t.cast(Document, response["content"]["application/json"]["schema"])


def security_of(app: Flask, url: str) -> list[dict[str, list[str]]]:
    """What the document says of who may call a view for GET."""
    document = describe(app)
    described = document["paths"][url]["get"].get("security")
    found = document.get("security", []) if described is None else described
    return t.cast("list[dict[str, list[str]]]", found)


def check_response(document: Document, path: str, response: TestResponse) -> None:
    """Hold a response against what the document says of its status.

    :param path: of the operation, as the document has it.
    """
    method, status = response.request.method.lower(), str(response.status_code)
    responses = document["paths"][path][method]["responses"]
    names = (status, f"{status[0]}XX", "default")
    described = next((responses[name] for name in names if name in responses), None)
    assert described is not None, f"{status} of {[*responses]}"
    for name, header in described.get("headers", {}).items():
        values = response.headers.getlist(name)
        assert values or not header.get("required"), name
        for value in values:
            _check_value(document, header["schema"], _readings(value))
    if response.data == b"":
        # None is sent so, also by a view that may return something else.
        return
    content = described.get("content", {})
    assert response.mimetype in content, f"{response.mimetype!r} of {[*content]}"
    schema = content[response.mimetype].get("schema", {})
    text = response.data.decode(errors="replace")
    is_json = response.mimetype.endswith(("/json", "+json"))
    # A model is written as JSON, whatever the media type says.
    _check_value(document, schema, [json.loads(text)] if is_json else _readings(text))


def _check_value(document: Document, schema: Document, values: list[t.Any]) -> None:
    """Assert that one of the readings of a value fits a schema."""
    components = document.get("components", {})
    validator = OAS31Validator({**schema, "components": components})
    assert any(validator.is_valid(value) for value in values), (values, schema)


def _readings(text: str) -> list[t.Any]:
    """What a text or the value of a header may stand for."""
    try:
        return [text, json.loads(text)]
    except ValueError:
        return [text]
