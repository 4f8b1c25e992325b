"""flask-openapi3: a model per location, in arguments of fixed names."""

from flask import Response
from flask_openapi3 import APIBlueprint, FileStorage, Info, OpenAPI
from pydantic import BaseModel, Field, TypeAdapter

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "flask-openapi3"
DISTRIBUTIONS = ("flask-openapi3",)
IMPORT = "import flask_openapi3"
GATEWAY = WSGI
UNABLE = {
    "guard": "decorators",
    "dependencies": "calls",
    "generator": "calls",
    "bearer": "decorators",
}
DOCUMENT = "/openapi/openapi.json"

ITEMS = TypeAdapter(list[shop.Item])


class UserPath(BaseModel):
    user_id: int = Field(ge=1)


class VisitQuery(BaseModel):
    page: int = Field(1, ge=1)
    size: int = Field(20, ge=1, le=100)
    q: str = Field(min_length=1, max_length=50)


class VisitHeader(BaseModel):
    x_token: str = Field(min_length=8, alias="X-Token")


class VisitCookie(BaseModel):
    session: str = Field(min_length=8)


class PhotoForm(BaseModel):
    photo: FileStorage


class ItemPath(BaseModel):
    item_id: int


class PlacePath(BaseModel):
    shop_id: int
    shelf_id: int
    item_id: int


def reply(json):
    return Response(json, mimetype="application/json")


def build():
    app = OpenAPI("openapi3", info=Info(title="shop", version="1"))
    add_parameters(app)
    add_lists(app)
    add_bodies(app)
    add_pages(app)
    app.register_api(build_shops())
    return app


def add_parameters(app):
    @app.get("/hello")
    def hello():
        return shop.GREETING

    @app.get("/users/<int:user_id>/visits")
    def visits(
        path: UserPath, query: VisitQuery, header: VisitHeader, cookie: VisitCookie
    ):
        return shop.show_visit(
            path.user_id,
            query.page,
            query.size,
            query.q,
            header.x_token,
            cookie.session,
        )

    @app.get("/search")
    def search(query: shop.Search):
        return shop.show_search(query)


def add_lists(app):
    @app.get("/rows")
    def rows():
        return reply(ITEMS.dump_json(ITEMS.validate_python(shop.ROWS)))

    @app.get("/items")
    def items():
        return reply(ITEMS.dump_json(shop.ITEMS))


def add_bodies(app):
    # Its response models describe; they may also check, but never filter.
    @app.post("/items", responses={200: shop.Item})
    @app.post("/drafts", responses={200: shop.Item})
    def add_item(body: shop.ItemIn):
        row = shop.add_item(body)
        return reply(shop.Item.model_validate(row).model_dump_json())

    @app.post("/orders")
    def add_order(body: shop.Order):
        return shop.add_order(body)

    @app.post("/notes")
    def add_note(form: shop.Note):
        return shop.show_note(form)

    @app.post("/photos")
    def add_photo(form: PhotoForm):
        return shop.show_upload(form.photo.filename, form.photo.read())


def add_pages(app):
    @app.get("/plain/<int:item_id>")
    def plain(path: ItemPath, query: shop.Page):
        return shop.show_page(path.item_id, query.page)


def build_shops():
    shops = APIBlueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = APIBlueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = APIBlueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(path: PlacePath):
        return shop.show_place(path.shop_id, path.shelf_id, path.item_id)

    shelves.register_api(items)
    shops.register_api(shelves)
    return shops


def build_sections(count):
    app = OpenAPI("openapi3", info=Info(title="shop", version="1"))
    for n in range(count):

        def hello():
            return shop.GREETING

        app.get(section_path(n), endpoint=f"hello_{n}")(hello)
    return app


def build_catalogue(models):
    class ThingPath(BaseModel):
        thing_id: int

    app = OpenAPI("openapi3", info=Info(title="shop", version="1"))
    for n, (ThingIn, Thing) in enumerate(models):

        def add_thing(path: ThingPath, query: shop.Page, body: ThingIn):
            return body.model_dump()

        rule = f"/things-{n}/<int:thing_id>"
        app.post(rule, endpoint=f"add_thing_{n}", responses={200: Thing})(add_thing)
    return app
