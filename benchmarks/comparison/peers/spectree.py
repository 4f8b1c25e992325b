"""SpecTree: a decorator over views of plain Flask, a model per location."""

import logging

from flask import Blueprint, Flask
from flask.views import MethodView
from pydantic import BaseModel, Field
from spectree import Response, SecurityScheme, SpecTree
from spectree.model_adapter.pydantic_adapter import BaseFile
from spectree.models import SecureType, SecuritySchemeData

from ...gateway import WSGI
from ..values import EXTRA, GONE, WRONG, Item, Noted, Paged, Problem

TITLE = "spectree"
DISTRIBUTION = "spectree"
EXTRAS = ("flask", "pydantic")
INPUT = "models"
MODELS = "Pydantic"
CONTENDER = "spectree"
GATEWAY = WSGI
DOCUMENT = "/apidoc/openapi.json"
PAGE = "/apidoc/swagger/"

SCHEME = SecurityScheme(
    name="token",
    data=SecuritySchemeData(type=SecureType.HTTP, scheme="bearer"),
)

# It writes a line for every client error; the others write none.
logging.getLogger("spectree").setLevel(logging.CRITICAL)


class Counted(BaseModel):
    x_count: int = Field(alias="X-Count")


class Sized(BaseModel):
    size: int


class Photo(BaseModel):
    photo: BaseFile


def build():
    app = Flask("spectree")
    spec = SpecTree("flask", security_schemes=[SCHEME])
    add_inputs(app, spec)
    add_outputs(app, spec)
    add_serialized_outputs(app, spec)
    app.add_url_rule("/class", view_func=build_shelf(spec).as_view("shelf"))
    app.register_blueprint(build_shops(spec))

    @app.get("/private")
    @spec.validate(security={"token": []})
    def private():
        return {"user": "anybody"}

    spec.register(app)
    return app


def add_inputs(app, spec):
    @app.post("/orders")
    @spec.validate()
    def add_order(query: Paged, headers: Counted, cookies: Sized, json: Item):
        return {
            "page": query.page,
            "count": headers.x_count,
            "size": cookies.size,
            "name": json.name,
        }

    @app.post("/notes")
    @spec.validate()
    def add_note(form: Noted):
        return {"n": form.n}

    @app.post("/photos")
    @spec.validate()
    def add_photo(form: Photo):
        return {"filename": form.photo.filename}

    @app.get("/async")
    @spec.validate()
    async def wait(query: Paged):
        return {"page": query.page}


def add_outputs(app, spec):
    @app.get("/extra")
    @spec.validate(resp=Response(HTTP_200=Item))
    def extra():
        return EXTRA

    @app.get("/wrong")
    @spec.validate(resp=Response(HTTP_200=Item))
    def wrong():
        return WRONG

    @app.get("/gone")
    @spec.validate(resp=Response(HTTP_200=Item, HTTP_404=Problem))
    def gone():
        return GONE, 404


def add_serialized_outputs(app, spec):
    @app.get("/opted/extra")
    @spec.validate(resp=Response(HTTP_200=Item), force_resp_serialize=True)
    def made_extra():
        return EXTRA

    @app.get("/opted/gone")
    @spec.validate(resp=Response(HTTP_404=Problem), force_resp_serialize=True)
    def made_gone():
        return GONE, 404


def build_shelf(spec):
    class Shelf(MethodView):
        @spec.validate()
        def get(self, query: Paged):
            return {"page": query.page}

    return Shelf


def build_shops(spec):
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    @spec.validate()
    def place(shop_id, item_id):
        return {"shop_id": shop_id, "item_id": item_id}

    shops.register_blueprint(items)
    return shops


def build_mistake():
    app = Flask("mistake")
    spec = SpecTree("flask")

    @app.get("/items/<int:item_id>")
    @spec.validate()
    def show():
        return {"shown": True}

    spec.register(app)
    return app
