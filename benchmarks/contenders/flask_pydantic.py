"""Flask-Pydantic: a decorator over plain Flask; headers, cookies, files by hand."""

from flask import Blueprint, Flask
from flask_pydantic import validate
from pydantic import TypeAdapter

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "Flask-Pydantic"
DISTRIBUTIONS = ("Flask-Pydantic",)
IMPORT = "import flask_pydantic"
GATEWAY = WSGI
UNABLE = {
    "scalars": "headers",
    "upload": "files",
    "guard": "decorators",
    "dependencies": "calls",
    "generator": "calls",
    "bearer": "decorators",
}
DOCUMENT = None
build_catalogue = None

ITEMS = TypeAdapter(list[shop.Item])


def build():
    app = Flask("pydantic")
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

    @app.get("/search")
    @validate()
    def search(query: shop.Search):
        return shop.show_search(query)


def add_lists(app):
    @app.get("/rows")
    @validate(response_many=True)
    def rows():
        return ITEMS.validate_python(shop.ROWS)

    @app.get("/items")
    @validate(response_many=True)
    def items():
        return shop.ITEMS


def add_bodies(app):
    @app.post("/items")
    @app.post("/drafts")
    @validate()
    def add_item(body: shop.ItemIn):
        return shop.Item.model_validate(shop.add_item(body))

    @app.post("/orders")
    @validate()
    def add_order(body: shop.Order):
        return shop.add_order(body)

    @app.post("/notes")
    @validate()
    def add_note(form: shop.Note):
        return shop.show_note(form)


def add_pages(app):
    @app.get("/plain/<int:item_id>")
    @validate()
    def plain(item_id, query: shop.Page):
        return shop.show_page(item_id, query.page)


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = Blueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    # Annotated arguments would cost a new TypeAdapter each, in every request.
    @items.get("/<int:item_id>")
    @validate()
    def place(shop_id, shelf_id, item_id):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.register_blueprint(items)
    shops.register_blueprint(shelves)
    return shops


def build_sections(count):
    app = Flask("pydantic")
    for n in range(count):
        app.add_url_rule(section_path(n), f"hello_{n}", lambda: shop.GREETING)
    return app
