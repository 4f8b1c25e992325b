"""The ``SIGNATURE_*`` keys of the configuration."""

from __future__ import annotations

import typing as t

import pytest
from messages import message_of

from flask_signature import Flask, SignatureError


def refusal_of(key: str, value: t.Any) -> str:
    """Why ``init_app()`` refuses a setting."""
    app = Flask("shop")
    app.config[key] = value
    with pytest.raises(SignatureError) as caught:
        app.init_app()
    return str(caught.value)


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
    assert refusal_of("SIGNATURE_DOC_PATH", "/x") == (
        "SIGNATURE_DOC_PATH='/x': Unknown option 'SIGNATURE_DOC_PATH' of the"
        " configuration. Did you mean 'SIGNATURE_DOCS_PATH'?"
    )


def test_validation_of_responses_is_no_key():
    assert refusal_of("SIGNATURE_VALIDATE_RESPONSES", False) == (
        "SIGNATURE_VALIDATE_RESPONSES=False: Unknown option"
        " 'SIGNATURE_VALIDATE_RESPONSES' of the configuration. A response is always"
        " validated; response_model=None sends what a view returns as it is."
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
    ],
)
def test_value_of_another_type_is_refused(key, value, reason):
    message = refusal_of(f"SIGNATURE_{key}", value)

    assert message.startswith(f"SIGNATURE_{key}={value!r}: ")
    assert reason in message


def test_init_app_is_called_once(app):
    app.init_app()
    assert message_of(lambda: app.init_app()) == (
        "init_app() was called twice on the application 'shop'. Call it once, when the"
        " configuration is loaded."
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [("SIGNATURE_LICENSE", {"url": "x"}), ("SIGNATURE_EXTERNAL_DOCS", {})],
)
def test_an_object_without_what_openapi_requires_is_refused(app, key, value):
    app.config[key] = value

    with pytest.raises(SignatureError, match=f"^{key}="):
        app.init_app()
