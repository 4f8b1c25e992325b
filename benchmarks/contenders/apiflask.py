"""APIFlask, with Pydantic models, which it takes since version 3."""

from apiflask import APIBlueprint, APIFlask, HTTPTokenAuth
from apiflask.fields import UploadFile
from pydantic import BaseModel, ConfigDict, Field

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "APIFlask"
DISTRIBUTIONS = ("APIFlask",)
IMPORT = "import apiflask"
GATEWAY = WSGI
UNABLE = {
    "guard": "decorators",
    "dependencies": "calls",
    "generator": "calls",
}
DOCUMENT = "/openapi.json"


class VisitQuery(BaseModel):
    page: int = Field(1, ge=1)
    size: int = Field(20, ge=1, le=100)
    q: str = Field(min_length=1, max_length=50)


class VisitHeader(BaseModel):
    x_token: str = Field(min_length=8)


class VisitCookie(BaseModel):
    session: str = Field(min_length=8)


class Photo(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    photo: UploadFile


auth = HTTPTokenAuth()
auth.verify_token(shop.find_user)


def build():
    app = APIFlask("apiflask")
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

    @app.get("/users/<int(min=1):user_id>/visits")
    @app.input(VisitQuery, location="query")
    @app.input(VisitHeader, location="headers")
    @app.input(VisitCookie, location="cookies")
    def visits(user_id, query_data, headers_data, cookies_data):
        return shop.show_visit(
            user_id,
            query_data.page,
            query_data.size,
            query_data.q,
            headers_data.x_token,
            cookies_data.session,
        )

    @app.get("/search")
    @app.input(shop.Search, location="query")
    def search(query_data):
        return shop.show_search(query_data)


def add_lists(app):
    @app.get("/rows")
    @app.output(list[shop.Item])
    def rows():
        return shop.ROWS

    @app.get("/items")
    @app.output(list[shop.Item])
    def items():
        return shop.ITEMS


def add_bodies(app):
    @app.post("/items")
    @app.post("/drafts")
    @app.input(shop.ItemIn)
    @app.output(shop.Item)
    def add_item(json_data):
        return shop.add_item(json_data)

    @app.post("/orders")
    @app.input(shop.Order)
    def add_order(json_data):
        return shop.add_order(json_data)

    @app.post("/notes")
    @app.input(shop.Note, location="form")
    def add_note(form_data):
        return shop.show_note(form_data)

    @app.post("/photos")
    @app.input(Photo, location="files")
    def add_photo(files_data):
        photo = files_data.photo
        return shop.show_upload(photo.filename, photo.read())


def add_pages(app):
    @app.get("/plain/<int:item_id>")
    @app.input(shop.Page, location="query")
    def plain(item_id, query_data):
        return shop.show_page(item_id, query_data.page)

    @app.get("/bearer/<int:item_id>")
    @app.auth_required(auth)
    @app.input(shop.Page, location="query")
    def bearer(item_id, query_data):
        return shop.show_page(item_id, query_data.page, user=auth.current_user)


def build_shops():
    shops = APIBlueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = APIBlueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = APIBlueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id, shelf_id, item_id):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.register_blueprint(items)
    shops.register_blueprint(shelves)
    return shops


def build_sections(count):
    app = APIFlask("apiflask")
    for n in range(count):

        def hello():
            return shop.GREETING

        app.get(section_path(n), endpoint=f"hello_{n}")(hello)
    return app


def build_catalogue(models):
    app = APIFlask("apiflask")
    for n, (ThingIn, Thing) in enumerate(models):

        @app.post(f"/things-{n}/<int:thing_id>", endpoint=f"add_thing_{n}")
        @app.input(ThingIn)
        @app.input(shop.Page, location="query")
        @app.output(Thing)
        def add_thing(thing_id, json_data, query_data):
            return {"id": thing_id, **json_data.model_dump()}

    return app
