"""The summary and the description of operations, and those of the document."""

from __future__ import annotations

import functools

import pytest
from document import describe, operation
from flask.views import MethodView, View

from flask_signature import Blueprint


def test_summary_and_description_are_those_of_the_docstring(app):
    @app.get("/items")
    def show() -> None:
        """Show the items.

        All of them:

            indented
        \f
        Not for clients.
        """  # noqa: D301

    found = operation(app, "GET /items")
    assert found["summary"] == "Show the items."
    assert found["description"] == "All of them:\n\n    indented"


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

    found = operation(app, "GET /items")
    assert found == {
        "tags": ["A", "B"],
        "summary": "Short",
        "description": "Long",
        "operationId": "items",
        "deprecated": True,
        "responses": {"200": {"description": "OK"}},
    }


def test_first_paragraph_is_the_summary_in_one_line(app):
    @app.get("/items")
    def show() -> None:
        """Show the items of a shop
        that are not sold.
        \t
        All of them:
            indented

        and the rest.
        """  # noqa: D301, D400, D415

    found = operation(app, "GET /items")
    assert found["summary"] == "Show the items of a shop that are not sold."
    assert found["description"] == "All of them:\n    indented\n\nand the rest."


def test_whole_docstring_is_kept_beside_a_summary(app):
    @app.get("/items", summary="Items")
    def show() -> None:
        """Show the items of a shop
        that are not sold.

        All of them.
        \f
        Not for clients.
        """  # noqa: D301

    found = operation(app, "GET /items")
    assert found["summary"] == "Items"
    assert found["description"] == (
        "Show the items of a shop\nthat are not sold.\n\nAll of them."
    )


def test_docstring_is_the_summary_beside_a_description(app):
    @app.get("/items", description="All of them.")
    def show() -> None:
        """Show the items.

        Left out.
        """

    found = operation(app, "GET /items")
    assert (found["summary"], found["description"]) == (
        "Show the items.",
        "All of them.",
    )


def test_empty_text_says_that_there_is_none(app):
    @app.get("/items", summary="", description="")
    def show() -> None:
        """Show the items."""

    assert operation(app, "GET /items").keys() == {"operationId", "responses"}


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
