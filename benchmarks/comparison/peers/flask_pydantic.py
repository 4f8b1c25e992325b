"""Flask-Pydantic: a decorator over views of plain Flask."""

from flask import Blueprint, Flask
from flask.views import MethodView
from flask_pydantic import validate

from ...gateway import WSGI
from ..values import EXTRA, GONE, WRONG, Item, Noted, Paged

TITLE = "Flask-Pydantic"
DISTRIBUTION = "Flask-Pydantic"
INPUT = "models"
MODELS = "Pydantic"
CONTENDER = "flask_pydantic"
GATEWAY = WSGI
DOCUMENT = None
PAGE = None


def build():
    app = Flask("pydantic")
    add_inputs(app)
    add_outputs(app)
    app.add_url_rule("/class", view_func=Shelf.as_view("shelf"))
    app.register_blueprint(build_shops())
    return app


def add_inputs(app):
    @app.post("/orders")
    @validate()
    def add_order(query: Paged, body: Item):
        return {"page": query.page, "name": body.name}

    @app.post("/notes")
    @validate()
    def add_note(form: Noted):
        return {"n": form.n}

    @app.get("/async")
    @validate()
    async def wait(query: Paged):
        return {"page": query.page}


# What a view returns is sent: the view itself makes a model of it.
def add_outputs(app):
    @app.get("/extra")
    @validate()
    def extra() -> Item:
        return EXTRA

    @app.get("/wrong")
    @validate()
    def wrong() -> Item:
        return WRONG

    @app.get("/gone")
    @validate()
    def gone():
        return GONE, 404


class Shelf(MethodView):
    @validate()
    def get(self, query: Paged):
        return {"page": query.page}


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    @validate()
    def place(shop_id: int, item_id: int):
        return {"shop_id": shop_id, "item_id": item_id}

    shops.register_blueprint(items)
    return shops


def build_mistake():
    app = Flask("mistake")

    @app.get("/items/<int:item_id>")
    @validate()
    def show():
        return {"shown": True}

    return app
