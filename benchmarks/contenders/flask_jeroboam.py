"""Flask-Jeroboam: signatures over Flask, in the manner of FastAPI."""

from flask_jeroboam import Blueprint, Cookie, File, Form, Header, Jeroboam, Path, Query
from flask_jeroboam.datastructures import UploadFile

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "Flask-Jeroboam"
DISTRIBUTIONS = ("flask-jeroboam",)
IMPORT = "import flask_jeroboam"
GATEWAY = WSGI
UNABLE = {
    "guard": "decorators",
    "dependencies": "calls",
    "generator": "calls",
    "bearer": "decorators",
}
DOCUMENT = "/openapi.json"

FORM = Form(embed=False)
FILE = File()


def build():
    app = Jeroboam("jeroboam")
    app.init_app()
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
    def visits(
        user_id: int = Path(ge=1),
        page: int = Query(1, ge=1),
        size: int = Query(20, ge=1, le=100),
        q: str = Query(min_length=1, max_length=50),
        x_token: str = Header(min_length=8),
        session: str = Cookie(min_length=8),
    ):
        return shop.show_visit(user_id, page, size, q, x_token, session)

    @app.get("/search")
    def search(search: shop.Search):
        return shop.show_search(search)


def add_lists(app):
    @app.get("/rows")
    def rows() -> list[shop.Item]:
        return shop.ROWS

    @app.get("/items")
    def items() -> list[shop.Item]:
        return shop.ITEMS


def add_bodies(app):
    @app.post("/items", status_code=200)
    def add_item(item: shop.ItemIn) -> shop.Item:
        return shop.add_item(item)

    @app.post("/drafts", status_code=200)
    def add_draft(item: shop.ItemIn) -> shop.Item:
        return shop.add_item(item)

    @app.post("/orders", status_code=200)
    def add_order(order: shop.Order):
        return shop.add_order(order)

    @app.post("/notes", status_code=200)
    def add_note(note: shop.Note = FORM):
        return shop.show_note(note)

    @app.post("/photos", status_code=200)
    def add_photo(photo: UploadFile = FILE):
        return shop.show_upload(photo.filename, photo.read())


def add_pages(app):
    @app.get("/plain/<int:item_id>")
    def plain(item_id: int = Path(), page: int = Query(1, ge=1)):
        return shop.show_page(item_id, page)


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = Blueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id: int = Path(), shelf_id: int = Path(), item_id: int = Path()):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.register_blueprint(items)
    shops.register_blueprint(shelves)
    return shops


def build_sections(count):
    app = Jeroboam("jeroboam")
    app.init_app()
    for n in range(count):

        def hello():
            return shop.GREETING

        app.get(section_path(n), endpoint=f"hello_{n}")(hello)
    return app


def build_catalogue(models):
    app = Jeroboam("jeroboam")
    app.init_app()
    for n, (ThingIn, Thing) in enumerate(models):

        @app.post(f"/things-{n}/<int:thing_id>", endpoint=f"add_thing_{n}")
        def add_thing(
            thing_id: int, thing: ThingIn, page: int = Query(1, ge=1)
        ) -> Thing:
            return {"id": thing_id, **thing.model_dump()}

    return app
