"""SpecTree: a decorator over plain Flask, a model per location."""

import logging

from flask import Blueprint, Flask
from pydantic import BaseModel, Field, TypeAdapter
from spectree import Response as Declared
from spectree import SpecTree
from spectree.model_adapter.pydantic_adapter import BaseFile

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "SpecTree"
DISTRIBUTIONS = ("spectree",)
IMPORT = "import spectree, spectree.plugins.flask_plugin"
GATEWAY = WSGI
UNABLE = {
    "guard": "decorators",
    "dependencies": "calls",
    "generator": "calls",
    "bearer": "decorators",
}
DOCUMENT = "/apidoc/openapi.json"

# It writes a line for every client error; the others write none.
logging.getLogger("spectree").setLevel(logging.CRITICAL)

ITEMS = TypeAdapter(list[shop.Item])


class VisitQuery(BaseModel):
    page: int = Field(1, ge=1)
    size: int = Field(20, ge=1, le=100)
    q: str = Field(min_length=1, max_length=50)


class VisitHeader(BaseModel):
    x_token: str = Field(min_length=8, alias="X-Token")


class VisitCookie(BaseModel):
    session: str = Field(min_length=8)


class Photo(BaseModel):
    photo: BaseFile


def build():
    app = Flask("spectree")
    spec = SpecTree("flask")
    add_parameters(app, spec)
    add_lists(app, spec)
    add_bodies(app, spec)
    add_pages(app, spec)
    app.register_blueprint(build_shops(spec))
    spec.register(app)
    return app


def add_parameters(app, spec):
    @app.get("/hello")
    def hello():
        return shop.GREETING

    @app.get("/users/<int(min=1):user_id>/visits")
    @spec.validate()
    def visits(user_id, query: VisitQuery, headers: VisitHeader, cookies: VisitCookie):
        return shop.show_visit(
            user_id,
            query.page,
            query.size,
            query.q,
            headers.x_token,
            cookies.session,
        )

    @app.get("/search")
    @spec.validate()
    def search(query: shop.Search):
        return shop.show_search(query)


def add_lists(app, spec):
    @app.get("/rows")
    @spec.validate(resp=Declared(HTTP_200=list[shop.Item]), force_resp_serialize=True)
    def rows():
        return shop.ROWS

    @app.get("/items")
    @spec.validate(resp=Declared(HTTP_200=list[shop.Item]))
    def items():
        return shop.ITEMS


def add_bodies(app, spec):
    # A dict is checked by the declared model and then sent as it is, with what the
    # model does not have; force_resp_serialize sends what the model made of it.
    @app.post("/items")
    @app.post("/drafts")
    @spec.validate(resp=Declared(HTTP_200=shop.Item), force_resp_serialize=True)
    def add_item(json: shop.ItemIn):
        return shop.add_item(json)

    @app.post("/orders")
    @spec.validate()
    def add_order(json: shop.Order):
        return shop.add_order(json)

    @app.post("/notes")
    @spec.validate()
    def add_note(form: shop.Note):
        return shop.show_note(form)

    @app.post("/photos")
    @spec.validate()
    def add_photo(form: Photo):
        return shop.show_upload(form.photo.filename, form.photo.read())


def add_pages(app, spec):
    @app.get("/plain/<int:item_id>")
    @spec.validate()
    def plain(item_id, query: shop.Page):
        return shop.show_page(item_id, query.page)


def build_shops(spec):
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = Blueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    @spec.validate()
    def place(shop_id, shelf_id, item_id):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.register_blueprint(items)
    shops.register_blueprint(shelves)
    return shops


def build_sections(count):
    app = Flask("spectree")
    for n in range(count):
        app.add_url_rule(section_path(n), f"hello_{n}", lambda: shop.GREETING)
    SpecTree("flask", app=app)
    return app


def build_catalogue(models):
    app = Flask("spectree")
    spec = SpecTree("flask")
    for n, (ThingIn, Thing) in enumerate(models):

        @app.post(f"/things-{n}/<int:thing_id>", endpoint=f"add_thing_{n}")
        @spec.validate(resp=Declared(HTTP_200=Thing))
        def add_thing(thing_id, query: shop.Page, json: ThingIn):
            return {"id": thing_id, **json.model_dump()}

    spec.register(app)
    return app
