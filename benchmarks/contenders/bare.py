"""Bare Flask: parses nothing and returns a constant. This is the unit."""

from flask import Blueprint, Flask

from .. import shop
from ..gateway import WSGI
from ..scenario import SCENARIOS, section_path

TITLE = "bare Flask"
DISTRIBUTIONS = ("Flask", "Werkzeug")
IMPORT = "import flask, pydantic"
GATEWAY = WSGI
UNABLE: dict[str, str] = {}
DOCUMENT = None

CONSTANTS = {
    scenario.name: scenario.expected.constant.body.decode() for scenario in SCENARIOS
}


def build(flask_class=Flask):
    app = flask_class("bare")
    add_parameters(app)
    add_lists(app)
    add_bodies(app)
    add_pages(app)
    app.register_blueprint(build_shops())
    return app


def add_parameters(app):
    @app.get("/hello")
    def hello():
        return shop.GREETING

    @app.get("/users/<int:user_id>/visits")
    def visits(user_id):
        return CONSTANTS["scalars"]

    @app.get("/search")
    def search():
        return CONSTANTS["query"]


def add_lists(app):
    @app.get("/rows")
    def rows():
        return CONSTANTS["dicts"]

    @app.get("/items")
    def items():
        return CONSTANTS["models"]


def add_bodies(app):
    @app.post("/items")
    def add_item():
        return CONSTANTS["json"]

    @app.post("/drafts")
    def add_draft():
        return CONSTANTS["refused"], 422

    @app.post("/orders")
    def add_order():
        return CONSTANTS["json-60k"]

    @app.post("/notes")
    def add_note():
        return CONSTANTS["form"]

    @app.post("/photos")
    def add_photo():
        return CONSTANTS["upload"]


def add_pages(app):
    for name in ("plain", "guard", "dependencies", "generator", "bearer"):

        def page(item_id, name=name):
            return CONSTANTS[name]

        app.add_url_rule(f"/{name}/<int:item_id>", name, page)


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = Blueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id, shelf_id, item_id):
        return CONSTANTS["nested"]

    shelves.register_blueprint(items)
    shops.register_blueprint(shelves)
    return shops


def build_sections(count, flask_class=Flask):
    app = flask_class("bare")
    for n in range(count):
        app.add_url_rule(section_path(n), f"hello_{n}", lambda: shop.GREETING)
    return app


def build_catalogue(models):
    app = Flask("bare")
    for n in range(len(models)):

        def add_thing(thing_id):
            return "added"

        rule = f"/things-{n}/<int:thing_id>"
        app.add_url_rule(rule, f"add_thing_{n}", add_thing, methods=["POST"])
    return app
