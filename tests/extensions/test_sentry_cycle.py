"""What Sentry reports of our request cycle is what it reports of Flask's.

It replaces ``Flask.__call__`` once for a process, so each moment has a process.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import typing as t
from pathlib import Path

import flask
import pytest
import sentry_sdk
from sentry_sdk.envelope import Envelope
from sentry_sdk.integrations.flask import FlaskIntegration
from sentry_sdk.transport import Transport

FOLDER: t.Final = Path(__file__).parent

REQUESTS: t.Final[list[tuple[str, str, dict[str, t.Any]]]] = [
    ("GET", "/items/3?a=1", {}),
    ("POST", "/add", {"json": {"name": "pen"}}),
    ("POST", "/add", {"data": {"name": "pen"}}),
    ("GET", "/missing", {}),
    ("DELETE", "/items/3", {}),
    ("GET", "/refused", {}),
    ("GET", "/broken?token=x", {"headers": {"X-Client": "test"}}),
    ("POST", "/broken", {"json": {"a": [1, 2]}}),
    ("GET", "/reported", {}),
    ("HEAD", "/items/3", {}),
]


class Kept(Transport):
    """Keeps what would be sent."""

    def __init__(self, options: dict[str, t.Any] | None = None) -> None:
        super().__init__(options)
        self.events: list[dict[str, t.Any]] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        """Keep the events and transactions of an envelope."""
        payloads = [item.payload.json for item in envelope.items]
        self.events += [payload for payload in payloads if payload is not None]


def make_app(cls: type[flask.Flask]) -> flask.Flask:
    """The program."""
    app = cls("shop", static_folder=None)
    app.secret_key = "a key long enough for every signature"

    @app.get("/items/<int:number>")
    def item(number: int) -> str:
        flask.session["last"] = number
        return str(number)

    @app.post("/add")
    def add() -> tuple[dict[str, t.Any], int]:
        sent = flask.request.get_json(silent=True) or flask.request.form.to_dict()
        return sent, 202

    @app.get("/refused")
    def refused() -> tuple[str, int]:
        return "refused", 422

    @app.route("/broken", methods=["GET", "POST"])
    def broken() -> str:
        logging.getLogger("shop").warning("about to divide")
        amount = 1
        return str(amount / 0)

    @app.get("/reported")
    def reported() -> str:
        with sentry_sdk.start_span(op="count", name="count items"):
            if sentry_sdk.is_initialized():
                sentry_sdk.set_tag("item", "pen")
            sentry_sdk.capture_message("seen")
        return "reported"

    return app


def send(app: flask.Flask) -> list[t.Any]:
    """What is answered."""
    client = app.test_client()
    sent = []
    for method, path, options in REQUESTS:
        response = client.open(path, method=method, **options)
        sent.append([response.status, response.text])
    return sent


def reported(event: dict[str, t.Any]) -> dict[str, t.Any]:
    """What an event says, without times, ids and the frames of Flask."""
    said = {
        key: event.get(key)
        for key in ("type", "level", "transaction", "transaction_info", "tags")
    }
    said |= {key: event.get(key) for key in ("logentry", "message", "request")}
    crumbs = (event.get("breadcrumbs") or {}).get("values", [])
    said["breadcrumbs"] = [
        [crumb.get("category"), crumb.get("level"), crumb.get("message")]
        for crumb in crumbs
    ]
    contexts = event.get("contexts") or {}
    said["response"] = contexts.get("response")
    said["trace"] = [contexts.get("trace", {}).get(key) for key in ("op", "status")]
    said["spans"] = [
        [span.get("op"), span.get("description")] for span in event.get("spans", [])
    ]
    values = (event.get("exception") or {}).get("values", [])
    said["exceptions"] = [
        [value["type"], value["value"], value["mechanism"], own_frames(value)]
        for value in values
    ]
    return said


def own_frames(exception: dict[str, t.Any]) -> list[t.Any]:
    """The frames of the program, as they are shown."""
    keys = ("function", "lineno", "context_line", "in_app", "vars")
    return [
        [frame.get(key) for key in keys]
        for frame in exception["stacktrace"]["frames"]
        if frame["abs_path"] == __file__
    ]


def init() -> Kept:
    """Start reporting."""
    kept = Kept()
    sentry_sdk.init(
        dsn="https://key@sentry.invalid/1",
        transport=kept,
        traces_sample_rate=1.0,
        send_default_pii=True,
        auto_enabling_integrations=False,
        integrations=[FlaskIntegration(transaction_style="url")],
    )
    return kept


def observe(moment: str) -> dict[str, t.Any]:
    """What is sent and reported, on plain Flask and on ours."""
    kept = init() if moment == "before-import" else None
    from patches import Fast

    classes = (flask.Flask, Fast)
    apps = [make_app(cls) for cls in classes]
    if moment == "after-first-request":
        for app in apps:
            send(app)
    kept = kept or init()
    seen = {}
    for app, name in zip(apps, ("plain", "ours"), strict=True):
        kept.events.clear()
        sent = send(app)
        seen[name] = [sent, [reported(event) for event in kept.events]]
    return seen


@pytest.mark.parametrize(
    "moment", ["before-import", "after-import", "after-first-request"]
)
def test_reports_of_errors_and_transactions(moment):
    program = (
        "import json, sys; sys.path[:0] = sys.argv[2:];"
        "import test_sentry_cycle as program;"
        "print(json.dumps(program.observe(sys.argv[1])))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, moment, str(FOLDER), str(FOLDER.parent)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert result.returncode == 0, result.stderr
    seen = json.loads(result.stdout)
    assert seen["ours"] == seen["plain"]
    events = seen["ours"][1]
    transactions = [event for event in events if event["type"] == "transaction"]
    errors = [event for event in events if event["exceptions"]]
    # Sentry makes none of HEAD.
    assert len(transactions) == len(REQUESTS) - 1
    assert [error["exceptions"][0][0] for error in errors] == ["ZeroDivisionError"] * 2
    assert [error["transaction"] for error in errors] == ["/broken"] * 2
    for error in errors:
        ((_, _, _, (frame,)),) = error["exceptions"]
        assert frame[0] == "broken"
        assert "about to divide" in [crumb[2] for crumb in error["breadcrumbs"]]
