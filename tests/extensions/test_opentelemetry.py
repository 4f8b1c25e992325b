"""OpenTelemetry's Flask instrumentation: a span for each request of a typed view."""

from __future__ import annotations

import pytest
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from flask_signature import Blueprint


@pytest.mark.parametrize(
    ("query", "status"), [("?n=1", 200), ("?n=x", 422)], ids=["read", "refused"]
)
def test_span_names_the_full_rule_and_the_status(app, client, query, status):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    FlaskInstrumentor.instrument_app(app, tracer_provider=provider)
    bp = Blueprint("items", __name__, url_prefix="/shops/<int:shop>")

    @bp.get("/items")
    def items(shop: int, n: int) -> dict[str, int]:
        return {"shop": shop, "n": n}

    app.register_blueprint(bp)
    app.init_app()

    assert client.get(f"/shops/3/items{query}").status_code == status
    (span,) = exporter.get_finished_spans()
    assert span.attributes is not None
    assert span.name == "GET /shops/<int:shop>/items"
    assert span.attributes["http.route"] == "/shops/<int:shop>/items"
    assert span.attributes["http.status_code"] == status
