"""A program that a library monitors: what that records of the same requests, as JSON.

``python monitored.py sentry before flask``: the library, when it begins, and whose
classes are used, ``flask`` or ``flask_signature``. It begins ``before`` Flask is
imported or ``after``, ``late``, when requests were answered, or ``again``, twice.
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

#: What a view calls to report something of its own.
REPORTS: list[Callable[[], t.Any]] = []


def begin_sentry() -> None:
    import sentry_sdk
    from sentry_sdk.integrations.flask import FlaskIntegration
    from sentry_sdk.transport import Transport

    class Kept(Transport):
        def capture_envelope(self, envelope: t.Any) -> None:
            RECORDED.extend(reported(item.payload.json or {}) for item in envelope)

    def report() -> None:
        with sentry_sdk.start_span(op="count", name="count items"):
            sentry_sdk.set_tag("item", "pen")
            sentry_sdk.capture_message("seen")

    REPORTS.append(report)
    sentry_sdk.init(
        dsn="https://key@sentry.invalid/1",
        transport=Kept,
        traces_sample_rate=1.0,
        send_default_pii=True,
        auto_enabling_integrations=False,
        integrations=[FlaskIntegration(transaction_style="url")],
    )


def reported(event: dict[str, t.Any]) -> dict[str, t.Any]:
    """What an event of Sentry says, without times, ids and the frames of Flask."""
    keys = ("type", "level", "transaction", "transaction_info", "tags", "logentry")
    said = {key: event.get(key) for key in (*keys, "message", "request")}
    contexts = event.get("contexts") or {}
    trace = contexts.get("trace", {})
    return said | {
        "breadcrumbs": [
            [crumb.get("category"), crumb.get("level"), crumb.get("message")]
            for crumb in (event.get("breadcrumbs") or {}).get("values", [])
        ],
        "response": contexts.get("response"),
        "trace": [trace.get("op"), trace.get("status")],
        "spans": [[x.get("op"), x.get("description")] for x in event.get("spans", [])],
        "exceptions": [
            [value["type"], value["value"], value["mechanism"], own_frames(value)]
            for value in (event.get("exception") or {}).get("values", [])
        ],
    }


def own_frames(exception: dict[str, t.Any]) -> list[t.Any]:
    """The frames of the program, as Sentry shows them."""
    keys = ("function", "lineno", "context_line", "in_app", "vars")
    return [
        [frame.get(key) for key in keys]
        for frame in exception["stacktrace"]["frames"]
        if frame["abs_path"] == __file__
    ]


def begin_opentelemetry() -> None:
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
                events = [(item.name, about(item.attributes)) for item in span.events]
                status = str(span.status.status_code), span.status.description
                attributes = dict(span.attributes)
                RECORDED.append([span.name, str(span.kind), attributes, events, status])
            return SpanExportResult.SUCCESS

    def report() -> bool:
        span = trace.get_current_span()
        span.add_event("counted", {"number": 1})
        return bool(span.is_recording())

    def instrument(app: t.Any) -> None:
        FlaskInstrumentor.uninstrument_app(app)
        try:
            FlaskInstrumentor.instrument_app(app)
        except AssertionError as error:
            RECORDED.append(str(error))

    REPORTS.append(report)
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(Kept()))
    trace.set_tracer_provider(provider)
    if "flask" in sys.modules:
        # The classes that a program has imported are not replaced.
        INSTRUMENTS.append(instrument)
    else:
        FlaskInstrumentor().instrument()


def about(attributes: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """The attributes of an event, with the program's own lines of a traceback."""
    known = dict(attributes)
    lines = str(known.pop("exception.stacktrace", "")).splitlines()
    return known | {"frames": [line for line in lines if __file__ in line]}


def begin_ddtrace() -> None:
    names = "TRACE_STARTUP_LOGS REMOTE_CONFIG_ENABLED INSTRUMENTATION_TELEMETRY_ENABLED"
    os.environ |= {f"DD_{name}": "false" for name in names.split()}
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


#: The requests, which are sent twice.
REQUESTS: t.Final[list[tuple[str, str, dict[str, t.Any]]]] = [
    ("GET", "/?a=1", {}),
    ("GET", "/items/7", {}),
    ("HEAD", "/items/7", {}),
    ("OPTIONS", "/items/7", {}),
    ("DELETE", "/items/7", {}),
    ("GET", "/items/x", {}),
    ("GET", "/items/7/", {}),
    ("POST", "/add", {"json": {"name": "pen"}}),
    ("POST", "/add", {"data": {"name": "pen"}}),
    ("GET", "/broken?token=x", {"headers": {"X-Client": "test", "Cookie": "a=b"}}),
    ("POST", "/broken", {"json": {"a": [1, 2]}}),
    ("GET", "/gone", {}),
    ("GET", "/refused", {}),
    ("GET", "/missing", {}),
    ("GET", "/away", {}),
    ("GET", "/folder", {}),
    ("GET", "/pages", {}),
    ("GET", "/reported", {}),
]


def make_app(flask_class: t.Any, blueprint_class: t.Any) -> t.Any:
    import flask
    from flask.views import MethodView

    app = flask_class("shop", static_folder=None)
    app.secret_key = "a key long enough for every signature"
    bp = blueprint_class("items", "items", url_prefix="/items")

    @app.route("/")
    def index() -> t.Any:
        flask.session["last"] = "index"
        return "index"

    @app.post("/add")
    def add() -> t.Any:
        sent = flask.request.get_json(silent=True) or flask.request.form.to_dict()
        return sent, 202

    @app.route("/broken", methods=["GET", "POST"])
    def broken() -> t.Any:
        logging.getLogger("shop").warning("about to divide")
        amount = 1
        return str(amount / 0)

    @app.get("/reported")
    def reported() -> t.Any:
        return str([report() for report in REPORTS])

    @bp.get("/<int:number>")
    def show(number: int) -> t.Any:
        return {"number": number}

    class Pages(MethodView):
        def get(self) -> t.Any:
            return "pages"

    app.get("/gone")(lambda: flask.abort(410))
    app.get("/refused", endpoint="refused")(lambda: ("refused", 422))
    app.get("/away", endpoint="away")(lambda: flask.redirect(flask.url_for("index")))
    app.get("/folder/", endpoint="folder")(lambda: "folder")
    app.add_url_rule("/pages", view_func=Pages.as_view("pages"))
    app.register_blueprint(bp)
    app.before_request(lambda: None)
    app.errorhandler(410)(lambda error: ("gone", 410))
    return app


def send(app: t.Any) -> list[t.Any]:
    """What is answered, but for the session, which is signed with the time."""
    client = app.test_client(use_cookies=False)
    responses = [
        client.open(path, method=method, buffered=True, **options)
        for _ in range(2)
        for method, path, options in REQUESTS
    ]
    for response in responses:
        response.headers.pop("Set-Cookie", None)
    return [[item.status, item.headers.to_wsgi_list(), item.text] for item in responses]


def main(library: str, order: str, package: str) -> None:
    """Send the requests, and print what was answered and recorded."""
    if order == "before":
        BEGIN[library]()
    module = importlib.import_module(package)
    app = make_app(module.Flask, module.Blueprint)
    if order == "late":
        send(app)
    if order != "before":
        BEGIN[library]()
    for instrument in INSTRUMENTS * (2 if order == "again" else 1):
        instrument(app)
    sent = send(app)
    if library == "ddtrace":
        from ddtrace.trace import tracer

        tracer.flush()
    sys.stdout.write(json.dumps([sent, RECORDED], default=str))


if __name__ == "__main__":
    main(*sys.argv[1:])
