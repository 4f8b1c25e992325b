"""The description is valid to those who know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from contract.features import make_app
from openapi_spec_validator import validate

from flask_signature import Flask


@pytest.fixture
def features() -> Flask:
    return make_app()


@pytest.mark.parametrize("name", ["features", "bookshop"])
def test_document_is_valid(name: str, request: pytest.FixtureRequest) -> None:
    app: Flask = request.getfixturevalue(name)
    document = app.test_client().get("/openapi.json").get_json()

    validate(document)
    assert len(document["paths"]) > 10


@pytest.mark.parametrize("name", ["features", "bookshop"])
def test_redocly_has_nothing_to_say(
    name: str,
    request: pytest.FixtureRequest,
    write_document: Callable[[Flask], Path],
    npx: Callable[..., str],
) -> None:
    app: Flask = request.getfixturevalue(name)
    output = npx("redocly", "lint", "--extends=spec", write_document(app))

    assert "Your API description is valid" in output
    assert "warning" not in output.lower().replace("deprecation warning", "")
