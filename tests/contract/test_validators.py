"""The description is valid to those who know."""

from __future__ import annotations

import typing as t

import pytest
from contract.features import make_app
from openapi_spec_validator import validate

from flask_signature import Flask

pytestmark = [
    pytest.mark.parametrize("name", ["features", "bookshop"]),
    pytest.mark.parametrize("version", ["3.1", "3.2"]),
]


@pytest.fixture
def app(name: str, version: str, request: pytest.FixtureRequest) -> Flask:
    """One of the two, described with one of the versions."""
    if name == "bookshop":
        return t.cast("Flask", request.getfixturevalue(name))
    return make_app(SIGNATURE_OPENAPI_VERSION=version)


def test_document_is_valid(app: Flask, version: str) -> None:
    document = app.test_client().get("/openapi.json").get_json()

    validate(document)
    assert len(document["paths"]) > 10
    assert document["openapi"] == f"{version}.0"


def test_redocly_has_nothing_to_say(app, write_document, npx):
    output = npx("redocly", "lint", "--extends=spec", write_document(app))

    assert "Your API description is valid" in output
    assert "warning" not in output.lower().replace("deprecation warning", "")
