"""A program that a library monitors: what that records of the same requests, as JSON.

``python monitored.py sentry before flask``: the library, whether it begins before Flask
is imported or after, and whose classes are used, ``flask`` or ``flask_signature``.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Callable

#: What is recorded, in order.
RECORDED: list[t.Any] = []

#: What is called with the application.
INSTRUMENTS: list[Callable[[t.Any], t.Any]] = []

logging.disable()


def begin_sentry() -> None:
    """Record the events and transactions of sentry-sdk."""
    import sentry_sdk
    from sentry_sdk.integrations.flask import FlaskIntegration
    from sentry_sdk.transport import Transport

    class Kept(Transport):
        def capture_envelope(self, envelope: t.Any) -> None:
            for item in envelope.items:
                event = item.payload.json or {}
                values = event.get("exception", {}).get("values", ())
                request = event.get("request", {})
                RECORDED.append(
                    [
                        *(event.get("type"), event.get("transaction")),
                        *(event.get("transaction_info"), request.get("url")),
                        *(request.get("method"), request.get("query_string")),
                        [(x["type"], x["value"], x["mechanism"]) for x in values],
                        [x["op"] for x in event.get("spans", ())],
                        event.get("contexts", {}).get("trace", {}).get("status"),
                    ]
                )

    sentry_sdk.init(
        dsn="https://key@sentry.invalid/1",
        transport=Kept,
        traces_sample_rate=1.0,
        auto_enabling_integrations=False,
        integrations=[FlaskIntegration()],
    )


def begin_opentelemetry() -> None:
    """Record the spans of OpenTelemetry."""
    from opentelemetry import trace
    from opentelemetry.instrumentation.flask import FlaskInstrumentor
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import (
        SimpleSpanProcessor,
        SpanExporter,
        SpanExportResult,
    )

    class Kept(SpanExporter):
        def export(self, spans: t.Any) -> SpanExportResult:
            for span in spans:
                events = [(event.name, len(event.attributes)) for event in span.events]
                status = str(span.status.status_code)
                attributes = dict(span.attributes)
                RECORDED.append([span.name, str(span.kind), attributes, status, events])
            return SpanExportResult.SUCCESS

    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(Kept()))
    trace.set_tracer_provider(provider)
    if "flask" in sys.modules:
        # The classes that a program has imported are not replaced.
        INSTRUMENTS.append(FlaskInstrumentor().instrument_app)
    else:
        FlaskInstrumentor().instrument()


def begin_ddtrace() -> None:
    """Record the spans of ddtrace."""
    os.environ |= {
        "DD_TRACE_STARTUP_LOGS": "false",
        "DD_REMOTE_CONFIG_ENABLED": "false",
    }
    os.environ |= {"DD_INSTRUMENTATION_TELEMETRY_ENABLED": "false"}
    from ddtrace import patch
    from ddtrace.trace import TraceFilter, tracer

    class Kept(TraceFilter):
        def process_trace(self, trace: t.Any) -> None:
            for span in trace:
                tags = {
                    key: str(value)
                    for key, value in span.get_tags().items()
                    if key.startswith(("flask.", "http.", "error.t", "error.m"))
                }
                RECORDED.append([span.name, span.resource, span.error, tags])

    tracer.configure(trace_processors=[Kept()])
    patch(flask=True)


def begin_newrelic() -> None:
    """Record the transactions of New Relic."""
    os.environ["NEW_RELIC_DEVELOPER_MODE"] = "true"
    os.environ["NEW_RELIC_LOG"] = os.devnull
    import newrelic.agent
    from newrelic.core.agent import Agent

    newrelic.agent.initialize()

    def record(self: t.Any, app_name: str, data: t.Any) -> None:
        def names_in(node: t.Any) -> t.Any:
            return [getattr(node, "name", ""), [names_in(x) for x in node.children]]

        errors = [(error.type, error.message) for error in data.errors]
        RECORDED.append([data.name, data.group, errors, names_in(data.root)])

    Agent.record_transaction = record
    newrelic.agent.register_application(timeout=5.0)


BEGIN: dict[str, Callable[[], None]] = {
    "sentry": begin_sentry,
    "opentelemetry": begin_opentelemetry,
    "ddtrace": begin_ddtrace,
    "newrelic": begin_newrelic,
}


def make_app(flask_class: t.Any, blueprint_class: t.Any) -> t.Any:
    """An application with views of each kind."""
    import flask
    from flask.views import MethodView

    app = flask_class("shop", static_folder=None)
    bp = blueprint_class("items", "items", url_prefix="/items")

    @app.route("/")
    def index() -> t.Any:
        return "index"

    @app.post("/things")
    def add() -> t.Any:
        return {"a": 1}, 201

    @app.get("/broken")
    def broken() -> t.Any:
        raise ValueError("broken")

    @app.get("/gone")
    def gone() -> t.Any:
        flask.abort(410)

    @bp.get("/<int:number>")
    def show(number: int) -> t.Any:
        return {"number": number}

    class Pages(MethodView):
        def get(self) -> t.Any:
            return "pages"

    app.add_url_rule("/pages", view_func=Pages.as_view("pages"))
    app.register_blueprint(bp)
    app.before_request(lambda: None)
    app.errorhandler(410)(lambda error: ("gone", 410))
    return app


def main(library: str, order: str, package: str) -> None:
    """Send each request twice, and print what was recorded."""
    if order == "before":
        BEGIN[library]()
    module = importlib.import_module(package)
    classes = module.Flask, module.Blueprint
    if order == "after":
        BEGIN[library]()
    app = make_app(*classes)
    for instrument in INSTRUMENTS:
        instrument(app)
    client = app.test_client()
    for _ in range(2):
        for path in ("/?a=1", "/items/7", "/broken", "/gone", "/none", "/pages"):
            client.get(path).get_data()
        client.post("/things", json={}).get_data()
    if library == "ddtrace":
        from ddtrace.trace import tracer

        tracer.flush()
    sys.stdout.write(json.dumps(RECORDED, default=str))


if __name__ == "__main__":
    main(*sys.argv[1:])
