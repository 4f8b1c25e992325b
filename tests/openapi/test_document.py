"""What the description is made of, and when."""

from __future__ import annotations

import inspect
import typing as t

from document import describe
from models import Item
from programs import printed_by

from flask_signature import Flask, Form, Query


def make_app() -> Flask:
    app = Flask("shop")

    @app.get("/items/<int:n>")
    def show(n: int, tag: list[str] = Query([])) -> Item: ...

    @app.post("/items")
    def create(item: Item) -> Item: ...

    @app.put("/items")
    def replace(item: t.Annotated[Item, Form()]) -> list[Item]: ...

    app.init_app()
    return app


def test_nothing_is_analysed_for_the_document(monkeypatch):
    describe(make_app())
    app = make_app()

    def refuse(*args: t.Any, **kwargs: t.Any) -> t.NoReturn:
        raise AssertionError("a view was analysed")

    monkeypatch.setattr(inspect, "signature", refuse)
    monkeypatch.setattr(t, "get_type_hints", refuse)
    assert list(describe(app)["paths"]) == ["/items/{n}", "/items"]


def test_description_is_imported_when_it_is_asked_for():
    source = """
import sys
from flask_signature import Flask

def loaded():
    names = ("openapi", "openapi.document", "openapi.routes")
    return [name for name in names if f"flask_signature.{name}" in sys.modules]

app = Flask("shop")
app.config["SIGNATURE_OPENAPI"] = False
app.init_app()
assert loaded() == [], loaded()
assert "yaml" not in sys.modules
assert "flask_swagger_ui" not in sys.modules
Flask("shop").init_app()
assert "openapi" in loaded()
assert "yaml" not in sys.modules
"""
    printed_by("-c", source)
