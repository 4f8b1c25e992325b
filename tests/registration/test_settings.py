"""The ``SIGNATURE_*`` keys of the configuration."""

from __future__ import annotations

import typing as t

import pytest
from messages import message_of

from flask_signature import Flask


def refusal_of(key: str, value: t.Any) -> str:
    """Why ``init_app()`` refuses a setting, after the setting itself."""
    app = Flask("shop")
    app.config[f"SIGNATURE_{key}"] = value
    told = message_of(app.init_app)
    setting = f"SIGNATURE_{key}={value!r}: "
    assert told.startswith(setting)
    return told.removeprefix(setting)


def test_defaults_are_accepted(app):
    app.init_app()

    assert "/docs" in {rule.rule for rule in app.url_map.iter_rules()}


def test_settings_of_the_environment_are_read(app, client, monkeypatch):
    monkeypatch.setenv("FLASK_SIGNATURE_DOCS_PATH", "null")
    monkeypatch.setenv("FLASK_SIGNATURE_TITLE", "Shop")
    app.config.from_prefixed_env()
    app.init_app()

    assert client.get("/docs").status_code == 404
    assert (client.get("/openapi.json").json or {})["info"]["title"] == "Shop"


def test_unknown_key_names_the_nearest_known_one():
    assert refusal_of("DOC_PATH", "/x") == (
        "Unknown option 'SIGNATURE_DOC_PATH' of the configuration. Did you mean"
        " 'SIGNATURE_DOCS_PATH'?"
    )


def test_validation_of_responses_is_no_key():
    assert refusal_of("VALIDATE_RESPONSES", False) == (
        "Unknown option 'SIGNATURE_VALIDATE_RESPONSES' of the configuration. A response"
        " is always validated; response_model=None sends what a view returns as it is."
    )


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("OPENAPI", "maybe", "unable to interpret input"),
        ("DOCS_PATH", 3, "valid string"),
        ("DOCS_PATH", "docs", "pattern '^/'"),
        ("OPENAPI_PATH", "openapi.json", "pattern '^/'"),
        ("VERSION", 1, "valid string"),
        ("ERROR_FORMAT", "pydantic3", "'pydantic1', 'problem' or 'fastapi'"),
        ("DOCS_DECORATORS", [3], "callable"),
        ("DOCS_PARAMETERS", {"a": object()}, "valid JSON value"),
        ("DOCUMENTS", {"a b": {}}, "pattern"),
        ("DOCUMENTS", {"a": {"openapi_path": "x"}}, "pattern '^/'"),
        ("OPERATION_ID", "x", "callable"),
        ("STRICT_CONTENT_TYPE", "perhaps", "unable to interpret input"),
        ("SECURITY", 3, "is no security requirement"),
        ("SECURITY_SCHEMES", {"a": 3}, "a security scheme is an object"),
        ("SERVERS", "https://shop.test", "valid list"),
        ("SERVERS", [{"description": "x"}], "Field required"),
        ("TAGS", [{"nam": "x"}], "Field required"),
        ("LICENSE", {"url": "x"}, "Field required"),
        ("EXTERNAL_DOCS", {}, "Field required"),
    ],
)
def test_value_of_another_type_is_refused(key, value, reason):
    assert reason in refusal_of(key, value)


def test_init_app_is_called_once(app):
    app.init_app()
    assert message_of(app.init_app) == (
        "init_app() was called twice on the application 'shop'. Call it once, when the"
        " configuration is loaded."
    )
