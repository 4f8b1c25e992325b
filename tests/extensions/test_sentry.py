"""sentry-sdk: failures of a typed view are reported, failures of a client are not."""

from __future__ import annotations

import collections.abc as cabc
import typing as t

import pytest
import sentry_sdk
from pydantic import BaseModel
from sentry_sdk.envelope import Envelope
from sentry_sdk.integrations.flask import FlaskIntegration
from sentry_sdk.transport import Transport

from flask_signature import Flask

#: What would be sent.
EVENTS: list[dict[str, t.Any]] = []


class Kept(Transport):
    def capture_envelope(self, envelope: Envelope) -> None:
        payloads = [item.payload.json for item in envelope.items]
        EVENTS.extend(payload for payload in payloads if payload is not None)


class Item(BaseModel):
    id: int


@pytest.fixture(autouse=True)
def reporting() -> cabc.Iterator[None]:
    EVENTS.clear()
    sentry_sdk.init(
        dsn="https://key@sentry.invalid/1",
        transport=Kept,
        traces_sample_rate=1.0,
        auto_enabling_integrations=False,
        integrations=[FlaskIntegration(transaction_style="url")],
    )
    yield
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(None)


@pytest.fixture(autouse=True)
def pages(app: Flask, reporting: None) -> None:
    """A view that fails, and a view that returns what its model refuses."""
    app.testing = False

    @app.get("/divide/<int:a>")
    def divide(a: int, by: int) -> dict[str, float]:
        return {"result": a / by}

    @app.get("/broken")
    def broken() -> Item:
        return {"id": "none"}


def test_exception_of_a_typed_view_is_reported(client):
    assert client.get("/divide/1?by=0").status_code == 500

    (event,) = [event for event in EVENTS if "exception" in event]
    assert event["transaction"] == "/divide/<int:a>"
    assert event["exception"]["values"][-1]["type"] == "ZeroDivisionError"


def test_refused_request_is_a_transaction_and_no_error(client):
    assert client.get("/divide/1?by=x").status_code == 422

    (event,) = EVENTS
    assert event["type"] == "transaction"
    assert event["transaction"] == "/divide/<int:a>"


def test_response_that_its_model_refuses_is_reported(client):
    assert client.get("/broken").status_code == 500

    (event,) = [event for event in EVENTS if event.get("type") != "transaction"]
    assert event["level"] == "error"
