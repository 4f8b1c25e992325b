"""flask_signature."""

import typing as t

from flask import abort

from flask_signature import (
    Blueprint,
    Cookie,
    Depends,
    Flask,
    Form,
    Header,
    Path,
    Query,
    UploadFile,
)
from flask_signature.security import HTTPBearer

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "**flask_signature**"
DISTRIBUTIONS = ("flask-signature",)
IMPORT = "import flask_signature"
GATEWAY = WSGI
UNABLE: dict[str, str] = {}
DOCUMENT = "/openapi.json"


TOKEN = HTTPBearer("token", verify=shop.find_user)


def check_key(x_key: str = Header(min_length=8)):
    if not shop.is_known_key(x_key):
        abort(403)


def get_region(x_region: str = Header(min_length=2)):
    return x_region


def get_rate(
    region: t.Annotated[str, Depends(get_region)],
    rates: t.Annotated[dict[str, float], Depends(shop.find_rates)],
):
    return shop.choose_rate(region, rates)


def build(flask_class=Flask):
    app = flask_class("ours")
    add_parameters(app)
    add_lists(app)
    add_bodies(app)
    add_pages(app)
    app.register_blueprint(build_shops())
    app.init_app()
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
    def add_note(note: t.Annotated[shop.Note, Form()]):
        return shop.show_note(note)

    @app.post("/photos", status_code=200)
    def add_photo(photo: UploadFile):
        return shop.show_upload(photo.filename, photo.read())


def add_pages(app):
    @app.get("/plain/<int:item_id>")
    def plain(item_id: int, page: int = Query(1, ge=1)):
        return shop.show_page(item_id, page)

    @app.get("/guard/<int:item_id>", dependencies=[check_key])
    def guard(item_id: int, page: int = Query(1, ge=1)):
        return shop.show_page(item_id, page)

    @app.get("/dependencies/<int:item_id>")
    def dependencies(
        item_id: int,
        rate: t.Annotated[float, Depends(get_rate)],
        page: int = Query(1, ge=1),
    ):
        return shop.show_page(item_id, page, rate=rate)

    @app.get("/generator/<int:item_id>")
    def generator(
        item_id: int,
        session: t.Annotated[shop.Session, Depends(shop.open_session)],
        page: int = Query(1, ge=1),
    ):
        return shop.show_page(item_id, page, opened=session.opened)

    @app.get("/bearer/<int:item_id>")
    def bearer(item_id: int, user: t.Annotated[str, TOKEN], page: int = Query(1, ge=1)):
        return shop.show_page(item_id, page, user=user)


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = Blueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id: int, shelf_id: int, item_id: int):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.register_blueprint(items)
    shops.register_blueprint(shelves)
    return shops


def build_sections(count, flask_class=Flask):
    app = flask_class("ours")
    for n in range(count):

        def hello():
            return shop.GREETING

        app.get(section_path(n), endpoint=f"hello_{n}")(hello)
    app.init_app()
    return app


def build_catalogue(models):
    app = Flask("ours")
    for n, (ThingIn, Thing) in enumerate(models):

        @app.post(f"/things-{n}/<int:thing_id>", endpoint=f"add_thing_{n}")
        def add_thing(
            thing_id: int, thing: ThingIn, page: int = Query(1, ge=1)
        ) -> Thing:
            return {"id": thing_id, **thing.model_dump()}

    app.init_app()
    return app
