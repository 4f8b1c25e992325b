"""The summary and the description of operations, and those of the document."""

from __future__ import annotations

import functools

import pytest
from document import describe, operation
from flask.views import MethodView, View

from flask_signature import Blueprint

ONE_LINE = """Show the items.

        All of them:

            indented
        \f
        Not for clients.
        """
TWO_LINES = """Show the items of a shop
        that are not sold.
        \t
        All of them:
            indented

        and the rest.
        """
#: The second, as it is written.
TEXT = (
    "Show the items of a shop\nthat are not sold.\n\n"
    "All of them:\n    indented\n\nand the rest."
)


@pytest.mark.parametrize(
    ("docstring", "options", "summary", "description"),
    [
        (ONE_LINE, {}, "Show the items.", "All of them:\n\n    indented"),
        (
            TWO_LINES,
            {},
            "Show the items of a shop that are not sold.",
            "All of them:\n    indented\n\nand the rest.",
        ),
        (
            ONE_LINE,
            {"summary": "Items"},
            "Items",
            "Show the items.\n\nAll of them:\n\n    indented",
        ),
        (
            TWO_LINES,
            {"summary": "Items"},
            "Items",
            TEXT,
        ),
        (ONE_LINE, {"description": "All."}, "Show the items.", "All."),
        (ONE_LINE, {"summary": "", "description": ""}, None, None),
    ],
    ids=[
        *("docstring", "two-lines", "summary", "two-lines-and-summary"),
        *("description", "empty"),
    ],
)
def test_docstring_says_what_the_options_leave_out(
    app, docstring, options, summary, description
):
    def show() -> None: ...

    show.__doc__ = docstring
    app.get("/items", **options)(show)

    said = {"summary": summary, "description": description}
    assert operation(app, "GET /items") == {
        **{key: text for key, text in said.items() if text is not None},
        "operationId": "show",
        "responses": {"200": {"description": "OK"}},
    }


def test_options_win_over_the_docstring(app):
    @app.get(
        "/items",
        summary="Short",
        description="Long",
        operation_id="items",
        deprecated=True,
        tags=["A", "B"],
    )
    def show() -> None:
        """Something else."""

    assert operation(app, "GET /items") == {
        "tags": ["A", "B"],
        "summary": "Short",
        "description": "Long",
        "operationId": "items",
        "deprecated": True,
        "responses": {"200": {"description": "OK"}},
    }


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("list_items", "List items"),
        ("_show_URL", "Show URL"),
        ("items", "Items"),
        ("<lambda>", "Endpoint of it"),
    ],
)
def test_summary_is_made_of_the_name_of_a_view(app, name, summary):
    def show() -> None: ...

    show.__name__ = name
    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/items", endpoint="endpoint_of_it", view_func=show)
    app.register_blueprint(bp)

    found = operation(app, "GET /items")
    assert found["summary"] == summary
    assert "description" not in found


def test_summary_is_made_of_the_name_inside_of_wrappers(app):
    def list_items(page: int) -> None: ...

    app.add_url_rule("/", "first", functools.partial(list_items, page=1))
    assert operation(app, "GET /")["summary"] == "List items"


def test_summary_of_a_class_is_made_of_method_and_endpoint(app):
    class Items(MethodView):
        def get(self) -> None: ...

        def post(self) -> None:
            """Add an item."""

    class Page(View):
        def dispatch_request(self) -> str:
            return ""

    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/items", view_func=Items.as_view("item_list"))
    bp.add_url_rule("/page", view_func=Page.as_view("page"))
    app.register_blueprint(bp)

    assert operation(app, "GET /items")["summary"] == "Get item list"
    assert operation(app, "POST /items")["summary"] == "Add an item."
    assert operation(app, "GET /page")["summary"] == "Get page"


def test_document_has_a_summary(app):
    app.config["SIGNATURE_SUMMARY"] = "What is sold"
    app.config["SIGNATURE_DOCUMENTS"] = {
        "own": {"summary": "What is new"},
        "same": {"title": "The same"},
    }

    assert describe(app)["info"]["summary"] == "What is sold"
    assert describe(app, "/own/openapi.json")["info"]["summary"] == "What is new"
    assert describe(app, "/same/openapi.json")["info"]["summary"] == "What is sold"
