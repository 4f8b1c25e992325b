"""A function that receives a finished document, and may change it."""

from __future__ import annotations

import datetime
import json
import typing as t

import pytest
from document import Document, describe
from returned import place_of

from flask_signature import Blueprint, Flask, SignatureError


def add_logo(document: Document) -> None:
    document["info"]["x-logo"] = {"url": "/logo.svg"}


def without_servers(document: Document) -> Document:
    return {key: value for key, value in document.items() if key != "servers"}


def app_with(hook: t.Any, **documents: t.Any) -> Flask:
    app = Flask("shop")
    app.config["SIGNATURE_DOCUMENT_HOOK"] = hook
    app.config["SIGNATURE_DOCUMENTS"] = documents
    app.config["SIGNATURE_CONTACT"] = {"name": "Shop"}
    app.get("/items", endpoint="list_items", tags=["Items"])(lambda: "")
    bp = Blueprint("staff", __name__, url_prefix="/staff")
    bp.get("/", endpoint="show")(lambda: "")
    app.register_blueprint(bp)
    app.init_app()
    return app


def printed(app: Flask, *args: str) -> Document:
    result = app.test_cli_runner().invoke(args=["openapi", *args])
    assert result.exit_code == 0, result.output
    return t.cast(Document, json.loads(result.output))


def message_of(app: Flask, path: str = "/openapi.json") -> str:
    app.testing = True
    with pytest.raises(SignatureError) as caught:
        app.test_client().get(path)
    return str(caught.value)


def test_hook_receives_the_finished_document():
    seen: list[Document] = []
    described = describe(app_with(seen.append))
    assert seen == [described]
    assert list(described["paths"]) == ["/items", "/staff/"]


def test_hook_changes_the_document_in_place_or_returns_another():
    described = describe(app_with(add_logo))
    assert described["info"]["x-logo"] == {"url": "/logo.svg"}
    assert "servers" not in describe(app_with(without_servers))


def test_command_and_etag_follow():
    def tag(app: Flask) -> str:
        return app.test_client().get("/openapi.json").headers["ETag"]

    app = app_with(add_logo)
    assert printed(app) == describe(app)
    assert "x-logo" in printed(app)["info"]
    assert tag(app) == tag(app) == tag(app_with(add_logo)) != tag(app_with(None))


def test_what_a_hook_changes_is_the_document_alone():
    def rename(document: Document) -> None:
        document["info"]["contact"]["name"] += "!"
        document["paths"]["/items"]["get"]["tags"].append("More")

    app = app_with(rename)

    for _ in range(2):
        document = printed(app)
        assert document["info"]["contact"] == {"name": "Shop!"}
        assert document["paths"]["/items"]["get"]["tags"] == ["Items", "More"]
    assert app.config["SIGNATURE_CONTACT"] == {"name": "Shop"}


def test_document_may_have_a_hook_of_its_own():
    app = app_with(
        add_logo,
        same={"tags": ["Items"]},
        own={"blueprints": ["staff"], "hook": without_servers},
        none={"hook": None},
    )

    assert "x-logo" in describe(app, "/same/openapi.json")["info"]
    own = describe(app, "/own/openapi.json")
    assert "x-logo" not in own["info"]
    assert "servers" not in own
    assert list(own["paths"]) == ["/staff/"]
    assert printed(app, "--document", "own") == own
    none = describe(app, "/none/openapi.json")
    assert "x-logo" not in none["info"]
    assert "servers" in none


def test_what_a_hook_puts_in_becomes_json():
    def add(document: Document) -> None:
        responses = document["paths"]["/items"]["get"]["responses"]
        responses[404] = {"description": "Not Found", "x-seen": ("a", 1)}

    app = app_with(add)
    found = describe(app)["paths"]["/items"]["get"]["responses"]["404"]
    assert found == {"description": "Not Found", "x-seen": ["a", 1]}
    assert printed(app) == describe(app)


def return_text(document: Document) -> str:
    return "x"


def return_nothing_of_it(document: Document) -> Document:
    return {"paths": document["paths"]}


def add_date(document: Document) -> None:
    document["info"]["x-date"] = datetime.date(2031, 1, 31)


def add_infinity(document: Document) -> None:
    document["info"]["x-limit"] = float("inf")


def add_itself(document: Document) -> None:
    document["x-document"] = document


NO_JSON = "left what can't be written as JSON: "
PROBLEMS = {
    return_text: (
        "returned 'x'. Return the document, or None if it was changed in place."
    ),
    return_nothing_of_it: "left a document without 'openapi'. Keep it.",
    add_date: f"{NO_JSON}an object of date.",
    add_infinity: f"{NO_JSON}Out of range float values are not JSON compliant",
    add_itself: f"{NO_JSON}Circular reference detected.",
}


@pytest.mark.parametrize(
    ("hook", "problem"), PROBLEMS.items(), ids=[hook.__name__ for hook in PROBLEMS]
)
def test_hook_that_leaves_no_document_is_an_error(hook, problem):
    message = message_of(app_with(hook))
    assert message.startswith(f"SIGNATURE_DOCUMENT_HOOK: {hook.__name__}() {problem}")
    assert message.endswith(place_of(hook))


def test_error_names_the_document_of_the_hook():
    app = app_with(None, own={"hook": return_text})
    message = message_of(app, "/own/openapi.json")
    assert message.startswith("SIGNATURE_DOCUMENTS: own: hook: return")
    assert describe(app)["info"]["title"] == "shop"


def test_hook_that_can_not_be_called_is_refused():
    with pytest.raises(SignatureError, match=r"_HOOK=3: .*callable"):
        app_with(3)
    with pytest.raises(SignatureError, match=r"_DOCUMENTS=.*callable"):
        app_with(None, own={"hook": 3})
