"""The summary and the description of operations, and those of the document."""

from __future__ import annotations

import functools

import pytest
from document import describe, operation
from flask.views import MethodView, View
from returned import cases, view_of

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


RESPONSES = {"200": {"description": "OK"}}
LONG = "All of them:\n\n    indented"
SAID = {
    "docstring": (ONE_LINE, {}, "Show the items.", LONG),
    "two-lines": (
        *(TWO_LINES, {}, "Show the items of a shop that are not sold."),
        "All of them:\n    indented\n\nand the rest.",
    ),
    "summary": (
        *(ONE_LINE, {"summary": "Items"}, "Items"),
        f"Show the items.\n\n{LONG}",
    ),
    "two-lines-and-summary": (TWO_LINES, {"summary": "Items"}, "Items", TEXT),
    "description": (ONE_LINE, {"description": "All."}, "Show the items.", "All."),
    "empty": (ONE_LINE, {"summary": "", "description": ""}, None, None),
}


@cases("docstring options summary description", SAID)
def test_docstring_says_what_the_options_leave_out(
    app, docstring, options, summary, description
):
    view = view_of(None)
    view.__doc__ = docstring
    app.get("/items", **options)(view)

    said = {"summary": summary, "description": description}
    assert operation(app, "GET /items") == {
        **{key: text for key, text in said.items() if text is not None},
        "operationId": "show",
        "responses": RESPONSES,
    }


def test_options_win_over_the_docstring(app):
    view = view_of(None)
    view.__doc__ = "Something else."
    said = {"summary": "Short", "description": "Long"}
    options = {"deprecated": True, "tags": ["A", "B"], **said}
    app.get("/items", operation_id="items", **options)(view)

    found = operation(app, "GET /items")
    assert found == {"operationId": "items", "responses": RESPONSES, **options}


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
    view = view_of(None)
    view.__name__ = name
    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/items", endpoint="endpoint_of_it", view_func=view)
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
    documents = {"own": {"summary": "What is new"}, "same": {"title": "The same"}}
    app.config["SIGNATURE_SUMMARY"] = "What is sold"
    app.config["SIGNATURE_DOCUMENTS"] = documents

    said = {"": "What is sold", "/own": "What is new", "/same": "What is sold"}
    for prefix, summary in said.items():
        assert describe(app, f"{prefix}/openapi.json")["info"]["summary"] == summary
