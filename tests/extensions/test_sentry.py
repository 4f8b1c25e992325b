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

from flask_signature import Blueprint, Flask


class Kept(Transport):
    """Keeps what would be sent."""

    def __init__(self, options: dict[str, t.Any] | None = None) -> None:
        super().__init__(options)
        self.events: list[dict[str, t.Any]] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        for item in envelope.items:
            payload = item.payload.json
            if payload is not None:
                self.events.append(payload)


class Item(BaseModel):
    """An item."""

    id: int


@pytest.fixture
def kept() -> cabc.Iterator[Kept]:
    """The reports of one test."""
    transport = Kept()
    sentry_sdk.init(
        dsn="https://key@sentry.invalid/1",
        transport=transport,
        traces_sample_rate=1.0,
        default_integrations=True,
        auto_enabling_integrations=False,
        integrations=[FlaskIntegration(transaction_style="url")],
    )
    yield transport
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(None)


@pytest.fixture(autouse=True)
def pages(app: Flask, kept: Kept) -> None:
    """A view that fails, and a view that returns what its model refuses."""
    app.testing = False
    bp = Blueprint("items", __name__)

    @bp.get("/divide/<int:a>")
    def divide(a: int, by: int) -> dict[str, float]:
        return {"result": a / by}

    @bp.get("/broken")
    def broken() -> Item:
        return {"id": "none"}

    app.register_blueprint(bp)
    app.init_app()


def test_exception_of_a_typed_view_is_reported(client, kept):
    response = client.get("/divide/1?by=0")

    (event,) = [event for event in kept.events if "exception" in event]
    assert response.status_code == 500
    assert event["transaction"] == "/divide/<int:a>"
    assert event["exception"]["values"][-1]["type"] == "ZeroDivisionError"


def test_refused_request_is_a_transaction_and_no_error(client, kept):
    response = client.get("/divide/1?by=x")

    assert response.status_code == 422
    assert [event.get("type") for event in kept.events] == ["transaction"]
    assert kept.events[0]["transaction"] == "/divide/<int:a>"


def test_response_that_its_model_refuses_is_reported(client, kept):
    response = client.get("/broken")

    errors = [event for event in kept.events if event.get("type") != "transaction"]
    assert response.status_code == 500
    assert len(errors) == 1
    assert errors[0]["level"] == "error"
