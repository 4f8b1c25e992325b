"""Tags: the nearest win, and those of a registration are added."""

from __future__ import annotations

from enum import Enum

from document import describe

from flask_signature import Blueprint, Flask


class Shelf(Enum):
    """What operations are listed under."""

    BOOKS = "Books"
    FILMS = "Films"


def tags_in(app: Flask) -> dict[str, list[str]]:
    """The tags of the GET operations of an application, by their paths."""
    paths = describe(app)["paths"]
    return {path: item["get"].get("tags", []) for path, item in paths.items()}


def test_tags_of_an_inner_blueprint_replace_those_around_it(app):
    outer = Blueprint("outer", __name__, tags=["Outer"])
    inner = Blueprint("inner", __name__, tags=["Inner"])
    bare = Blueprint("bare", __name__)
    for bp in (outer, inner, bare):
        bp.get(f"/{bp.name}", endpoint="x")(lambda: "")
    inner.get("/route", endpoint="route", tags=["Route", "Other"])(lambda: "")
    inner.get("/empty", endpoint="empty", tags=[])(lambda: "")
    outer.register_blueprint(inner)
    outer.register_blueprint(bare)
    app.register_blueprint(outer)

    assert tags_in(app) == {
        "/outer": ["Outer"],
        "/inner": ["Inner"],
        "/route": ["Route", "Other"],
        "/empty": [],
        "/bare": ["Outer"],
    }


def test_tags_of_a_registration_are_added(app):
    outer = Blueprint("outer", __name__, tags=["Outer"])
    inner = Blueprint("inner", __name__)
    for bp in (outer, inner):
        bp.get(f"/{bp.name}", endpoint="x")(lambda: "")
        bp.get(f"/{bp.name}/own", endpoint="own", tags=["Own", "v1"])(lambda: "")
    outer.register_blueprint(inner, tags=["More"])
    app.register_blueprint(outer, tags=["v1"])
    app.register_blueprint(outer, name="again", url_prefix="/again")

    assert tags_in(app) == {
        "/outer": ["v1", "Outer"],
        "/outer/own": ["v1", "Own"],
        "/inner": ["v1", "More", "Outer"],
        "/inner/own": ["v1", "More", "Own"],
        "/again/outer": ["Outer"],
        "/again/outer/own": ["Own", "v1"],
        "/again/inner": ["More", "Outer"],
        "/again/inner/own": ["More", "Own", "v1"],
    }


def test_tag_may_be_a_member_of_an_enum(app):
    app.config["SIGNATURE_TAGS"] = [{"name": Shelf.FILMS, "description": "To watch"}]
    app.config["SIGNATURE_DOCUMENTS"] = {"books": {"tags": [Shelf.BOOKS]}}
    bp = Blueprint("bp", __name__, tags=[Shelf.BOOKS])
    bp.get("/books", endpoint="books")(lambda: "")
    bp.get("/films", endpoint="films", tags=[Shelf.FILMS])(lambda: "")
    app.register_blueprint(bp, tags=["All"])

    assert tags_in(app) == {"/books": ["All", "Books"], "/films": ["All", "Films"]}
    films = {"name": "Films", "description": "To watch"}
    assert describe(app)["tags"] == [films, {"name": "All"}, {"name": "Books"}]
    assert list(describe(app, "/books/openapi.json")["paths"]) == ["/books"]


def test_tags_are_listed_as_declared_and_then_as_used(app):
    bees = {"name": "B", "description": "Bees"}
    app.config["SIGNATURE_TAGS"] = [bees]
    app.get("/a", endpoint="a", tags=["C"])(lambda: "")
    app.get("/b", endpoint="b", tags=["A", "B"])(lambda: "")

    assert describe(app)["tags"] == [bees, {"name": "C"}, {"name": "A"}]
