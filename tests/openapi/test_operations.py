"""The description of operations, and the document around them."""

from __future__ import annotations

import logging
import re
import typing as t
from dataclasses import FrozenInstanceError

import flask
import pytest
from document import describe, operation
from flask.views import MethodView
from messages import message_of
from pydantic import BaseModel, Field
from returned import place_of

from flask_signature import Blueprint, Body, Flask, SignatureWarning
from flask_signature.typing import DescribedOperation


class Event(BaseModel):
    name: str


EVENT = {"$ref": "#/components/schemas/Event"}
EVENTS = {"type": "array", "items": EVENT}


def ids_of(app: Flask) -> list[str]:
    return [
        described["operationId"]
        for item in describe(app)["paths"].values()
        for described in item.values()
    ]


def nothing() -> None: ...


def test_methods_of_one_view_have_ids_of_their_own(app):
    class Shelf(MethodView):
        def get(self) -> None: ...

        def put(self) -> None: ...

    app.add_url_rule("/items", "items", nothing, methods=["GET", "POST"])
    app.add_url_rule("/shelf", view_func=Shelf.as_view("shelf"))
    assert ids_of(app) == ["items_get", "items_post", "shelf_get", "shelf_put"]


def test_ids_are_made_of_endpoints(app):
    bp = Blueprint("notes", __name__)
    bp.get("/", endpoint="show")(nothing)
    app.register_blueprint(bp, url_prefix="/u")
    app.register_blueprint(bp, url_prefix="/g", name="group-notes")
    assert ids_of(app) == ["notes_show", "group_notes_show"]


def test_ids_that_would_be_the_same_are_set_apart(app):
    bp, other = Blueprint("a", __name__), Blueprint("a_b", __name__)
    bp.get("/1", endpoint="b_c")(nothing)
    bp.get("/3", endpoint="three", operation_id="same")(nothing)
    bp.get("/4", endpoint="four", operation_id="same")(nothing)
    other.get("/2", endpoint="c")(nothing)
    app.register_blueprint(bp)
    app.register_blueprint(other)
    assert ids_of(app) == ["a_b_c", "same", "same_get", "a_b_c_get"]


def test_rules_of_one_view_have_ids_of_their_own(app):
    @app.get("/users/", defaults={"page": 1})
    @app.get("/users/page/<int:page>")
    def users(page: int) -> None: ...

    assert ids_of(app) == ["users_get", "users_get_users"]


def test_ids_may_be_made_by_a_hook(app):
    def make(operation: DescribedOperation) -> str | None:
        return None if operation.tags else f"{operation.method}:{operation.path}"

    app.config["SIGNATURE_OPERATION_ID"] = make
    app.get("/items/<n>", endpoint="show")(lambda n: "")
    app.get("/own", endpoint="own", operation_id="own")(nothing)
    app.get("/usual", endpoint="usual", tags=["A"])(nothing)

    assert ids_of(app) == ["GET:/items/{n}", "own", "usual"]


def test_hook_for_ids_receives_a_frozen_description(app):
    seen: list[DescribedOperation] = []

    app.config["SIGNATURE_OPERATION_ID"] = lambda operation: seen.append(operation)
    bp = Blueprint("items", __name__, url_prefix="/shops/<int:shop>", tags=["Items"])
    bp.post("/items/<name>", endpoint="add")(lambda shop, name: "")
    app.register_blueprint(bp, tags=["All"])

    assert ids_of(app) == ["items_add"]
    assert seen == [
        DescribedOperation(
            method="POST",
            rule="/shops/<int:shop>/items/<name>",
            path="/shops/{shop}/items/{name}",
            endpoint="items.add",
            tags=("All", "Items"),
        )
    ]
    with pytest.raises(FrozenInstanceError):
        seen[0].method = "GET"


def test_hook_for_ids_that_returns_something_else_is_an_error(app):
    def make(operation: DescribedOperation) -> t.Any:
        return 3

    app.config["SIGNATURE_OPERATION_ID"] = make
    app.get("/items/<int:n>", endpoint="x")(lambda n: "")
    app.testing = True

    assert message_of(lambda: describe(app)) == (
        "SIGNATURE_OPERATION_ID: make() returned 3 for GET /items/{n}. Return a string,"
        f" or None for the usual name. {place_of(make)}"
    )


def test_extra_is_merged_and_types_in_it_are_described(app):
    extra = {
        "tags": ["B"],
        "x-cost": 3,
        "x-schema": {"schema": t.Annotated[int, Field(ge=1)]},
        "responses": {
            "200": {"headers": {"X-Event": {"schema": Event}}},
            "418": {"description": "Tea"},
        },
    }
    app.get("/items", tags=["A"], openapi_extra=extra)(nothing)

    found = operation(app, "GET /items")
    assert found["tags"] == ["A", "B"]
    assert found["x-cost"] == 3
    assert found["x-schema"] == {"schema": {"type": "integer", "minimum": 1}}
    headers = {"X-Event": {"schema": EVENT}}
    assert found["responses"] == {
        "200": {"description": "OK", "headers": headers},
        "418": {"description": "Tea"},
    }


@pytest.mark.parametrize(
    ("schema", "described"),
    [
        ({"items": list[Event], "maxItems": 5}, {"items": EVENTS, "maxItems": 5}),
        (
            {"contentSchema": {"anyOf": [Event, {"type": "null"}]}},
            {"contentSchema": {"anyOf": [EVENT, {"type": "null"}]}},
        ),
    ],
)
def test_a_type_may_stand_for_any_schema_of_an_addition(app, schema, described):
    partial = {"description": "-", "content": {"application/json": {"schema": schema}}}

    app.get("/items", openapi_extra={"responses": {"206": partial}})(nothing)

    content = operation(app, "GET /items")["responses"]["206"]["content"]
    assert content == {"application/json": {"schema": described}}


LONG = {"type": "string", "minLength": 3, "maxLength": 9}


@pytest.mark.parametrize(
    ("given", "described"),
    [
        (Event, EVENT),
        (list[Event], EVENTS),
        ({"maxLength": 9}, LONG),
        (t.Annotated[str, Field(max_length=9)], LONG),
    ],
)
def test_a_schema_of_another_type_is_replaced(app, given, described):
    extra = {"requestBody": {"content": {"text/plain": {"schema": given}}}}

    @app.post("/items", openapi_extra=extra)
    def send(text: str = Body(min_length=3, media_type="text/plain")) -> None: ...

    content = operation(app, "POST /items")["requestBody"]["content"]
    assert content["text/plain"]["schema"] == described


CALL = {
    "post": {
        "requestBody": {"content": {"application/json": {"schema": list[Event]}}},
        "responses": {"204": {"description": "Thanks"}},
    }
}


def test_callbacks_and_webhooks_are_described_with_their_types(app):
    app.config["SIGNATURE_WEBHOOKS"] = {"happened": CALL}
    app.post("/hooks", callbacks={"on": {"{$request.query.url}": CALL}})(nothing)

    document = describe(app)
    callback = document["paths"]["/hooks"]["post"]["callbacks"]["on"]
    for item in (document["webhooks"]["happened"], callback["{$request.query.url}"]):
        content = item["post"]["requestBody"]["content"]
        assert content == {"application/json": {"schema": EVENTS}}
    assert "Event" in document["components"]["schemas"]


def test_what_is_not_to_be_described_is_absent_and_works(app, client):
    bp = Blueprint("hidden", __name__, include_in_schema=False)
    plain = flask.Blueprint("plain", __name__)
    bp.get("/a", endpoint="a")(lambda: "a")
    app.get("/b", endpoint="b", include_in_schema=False)(lambda: "b")
    plain.add_url_rule("/c", view_func=lambda: "c", endpoint="c")
    app.register_blueprint(bp)
    app.register_blueprint(plain)

    assert describe(app)["paths"] == {}
    assert [client.get(f"/{name}").text for name in "abc"] == ["a", "b", "c"]


def test_paths_that_differ_in_names_alone_are_one(app):
    app.get("/items/<int:n>", endpoint="show")(lambda n: "")
    app.delete("/items/<int:number>", endpoint="remove")(lambda number: "")

    item = describe(app)["paths"]["/items/{n}"]
    names = [described["parameters"][0]["name"] for described in item.values()]
    assert names == ["n", "n"]


def test_first_of_two_operations_on_one_path_is_described(app, caplog):
    app.get("/items/<int:n>", endpoint="by_number")(lambda n: "")
    app.get("/items/<name>", endpoint="by_name")(lambda name: "")

    with caplog.at_level(logging.WARNING):
        assert ids_of(app) == ["by_number"]
    (message,) = caplog.messages
    assert message == (
        "GET /items/<name> is left out of the OpenAPI document, which has such a path"
        " already."
    )


def test_rule_that_brings_no_request_is_absent(app):
    app.add_url_rule("/a", "a", nothing, build_only=True)
    app.add_url_rule("/b", "b", nothing, redirect_to="/c")
    app.add_url_rule("/c", "c", nothing)
    assert list(describe(app)["paths"]) == ["/c"]


def test_brace_in_a_rule_is_no_variable(app):
    with pytest.warns(SignatureWarning, match="the rule has '{b}'"):
        app.get("/a{b}/<c>")(lambda c: "")
    assert list(describe(app)["paths"]) == ["/a%7Bb%7D/{c}"]


def test_information_is_that_of_the_configuration(app):
    info = {
        "title": "Shop",
        "version": "2.0",
        "description": "Sells.",
        "termsOfService": "https://shop.test/terms",
        "contact": {"name": "Ann", "email": "ann@shop.test"},
        "license": {"name": "MIT", "identifier": "MIT"},
    }
    around = {
        "servers": [{"url": "https://api.shop.test"}],
        "externalDocs": {"url": "https://shop.test/docs"},
    }
    for name, value in {**info, **around}.items():
        setting = re.sub("([A-Z])", r"_\1", name).upper()
        app.config[f"SIGNATURE_{setting}"] = value

    assert describe(app) == {"openapi": "3.1.0", "info": info, "paths": {}, **around}


def test_document_of_an_empty_application(app):
    assert describe(app) == {
        "openapi": "3.1.0",
        "info": {"title": "shop", "version": "0.1.0"},
        "servers": [{"url": "."}],
        "paths": {},
    }


def test_server_is_relative_to_the_document(app):
    app.config["SIGNATURE_OPENAPI_PATH"] = "/api/v1/openapi.json"
    assert describe(app, "/api/v1/openapi.json")["servers"] == [{"url": "../.."}]


def test_documents_hold_what_is_selected(app):
    of_staff = {"openapi_path": "/staff.json", "docs_path": None}
    app.config.update(
        SIGNATURE_TITLE="All",
        SIGNATURE_TAGS=[{"name": "A"}, {"name": "B"}],
        SIGNATURE_DOCUMENTS={
            "public": {"tags": ["A"], "title": "Public"},
            "staff": {"blueprints": ["staff"], **of_staff},
        },
    )
    staff = Blueprint("staff", __name__, url_prefix="/staff", tags=["B"])
    inner = Blueprint("inner", __name__)
    app.get("/a", tags=["A"])(nothing)
    inner.get("/b")(nothing)
    staff.register_blueprint(inner)
    app.register_blueprint(staff)

    assert list(describe(app)["paths"]) == ["/a", "/staff/b"]
    public = describe(app, "/public/openapi.json")
    assert list(public["paths"]) == ["/a"]
    assert public["info"]["title"] == "Public"
    assert public["tags"] == [{"name": "A"}]
    assert public["servers"] == [{"url": ".."}]
    document = describe(app, "/staff.json")
    assert list(document["paths"]) == ["/staff/b"]
    assert document["info"]["title"] == "All"


class TestBlueprintsOfADocument:
    """Of ``SIGNATURE_DOCUMENTS``."""

    def test_one_that_is_not_registered_is_refused_by_init_app(self, app):
        outer = Blueprint("shop", __name__)
        outer.register_blueprint(Blueprint("items", __name__))
        app.register_blueprint(outer)
        app.config["SIGNATURE_DOCUMENTS"] = {"x": {"blueprints": ["shop", "items"]}}

        assert message_of(app.init_app) == (
            "SIGNATURE_DOCUMENTS: the document 'x' names the blueprint 'items', which"
            " is not registered. Did you mean 'shop.items'? Register it before"
            " init_app(), or remove the name."
        )

    def test_one_that_is_never_registered_is_refused_with_the_document(self, app):
        # As an extension does it, which comes before init_app().
        app.register_blueprint(flask.Blueprint("toolbar", __name__))
        app.config["SIGNATURE_DOCUMENTS"] = {"x": {"blueprints": ["none"]}}
        app.config["PROPAGATE_EXCEPTIONS"] = True
        app.init_app()
        app.register_blueprint(Blueprint("shop", __name__))

        assert message_of(lambda: describe(app, "/x/openapi.json")) == (
            "SIGNATURE_DOCUMENTS: the document 'x' names the blueprint 'none', which is"
            " not registered. Register it before init_app(), or remove the name."
        )

    def test_one_that_is_registered_after_init_app_is_accepted(self, app):
        app.config["SIGNATURE_DOCUMENTS"] = {"x": {"blueprints": ["late", "plain"]}}
        app.init_app()
        app.register_blueprint(Blueprint("late", __name__))
        app.register_blueprint(flask.Blueprint("plain", __name__))

        assert describe(app, "/x/openapi.json")["paths"] == {}


def test_unknown_key_of_a_document_is_refused(app):
    app.config["SIGNATURE_DOCUMENTS"] = {"x": {"blueprint": "a"}}

    assert message_of(app.init_app) == (
        "SIGNATURE_DOCUMENTS={'x': {'blueprint': 'a'}}: Unknown option 'blueprint' of"
        " the document 'x'. Did you mean 'blueprints'?"
    )
