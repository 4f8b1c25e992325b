"""flask-smorest: marshmallow schemas in decorators of its blueprint."""

from types import SimpleNamespace

from flask import Flask
from flask_smorest import Api, Blueprint
from flask_smorest.fields import Upload
from marshmallow import EXCLUDE, Schema, fields
from marshmallow.validate import Length, OneOf, Range

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "flask-smorest"
DISTRIBUTIONS = ("flask-smorest", "marshmallow")
IMPORT = "import flask_smorest"
GATEWAY = WSGI
UNABLE = {
    "guard": "decorators",
    "dependencies": "calls",
    "generator": "calls",
    "bearer": "decorators",
}
DOCUMENT = "/openapi.json"

CONFIG = {
    "API_TITLE": "shop",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "OPENAPI_URL_PREFIX": "/",
}
POSITIVE = Range(min=0, min_inclusive=False)

# Plain objects: marshmallow is slow on Pydantic's, which none of its users would have.
ITEMS = [SimpleNamespace(**row) for row in shop.ROWS]


class Page(Schema):
    page = fields.Integer(load_default=1, validate=Range(min=1))


class VisitQuery(Schema):
    page = fields.Integer(load_default=1, validate=Range(min=1))
    size = fields.Integer(load_default=20, validate=Range(min=1, max=100))
    q = fields.String(required=True, validate=Length(1, 50))


class VisitHeader(Schema):
    class Meta:
        unknown = EXCLUDE

    x_token = fields.String(required=True, data_key="X-Token", validate=Length(8))


class VisitCookie(Schema):
    class Meta:
        unknown = EXCLUDE

    session = fields.String(required=True, validate=Length(8))


class Search(VisitQuery):
    order = fields.String(load_default="name", validate=OneOf(["name", "price"]))
    in_stock = fields.Boolean(load_default=False)


class ItemIn(Schema):
    name = fields.String(required=True, validate=Length(1, 80))
    price = fields.Float(required=True, validate=POSITIVE)
    quantity = fields.Integer(required=True, validate=Range(min=0))
    tags = fields.List(fields.String(), load_default=list, validate=Length(max=10))


class Item(ItemIn):
    id = fields.Integer(required=True)


class Line(Schema):
    sku = fields.String(required=True, validate=Length(3, 20))
    quantity = fields.Integer(required=True, validate=Range(min=1))
    price = fields.Float(required=True, validate=Range(min=0))
    gift = fields.Boolean(load_default=False)


class Order(Schema):
    customer = fields.String(required=True, validate=Length(1))
    lines = fields.List(fields.Nested(Line), required=True, validate=Length(1))


class Note(Schema):
    title = fields.String(required=True, validate=Length(1, 80))
    pages = fields.Integer(required=True, validate=Range(min=1))
    price = fields.Float(required=True, validate=POSITIVE)
    public = fields.Boolean(load_default=False)


class Photo(Schema):
    photo = Upload(required=True)


def build():
    app = Flask("smorest")
    app.config.update(CONFIG)
    api = Api(app)
    bp = Blueprint("shop", __name__)
    add_parameters(bp)
    add_lists(bp)
    add_bodies(bp)
    add_pages(bp)
    api.register_blueprint(bp)
    api.register_blueprint(build_shops())
    return app


def add_parameters(bp):
    @bp.get("/hello")
    def hello():
        return shop.GREETING

    @bp.get("/users/<int(min=1):user_id>/visits")
    @bp.arguments(VisitQuery, location="query")
    @bp.arguments(VisitHeader, location="headers")
    @bp.arguments(VisitCookie, location="cookies")
    def visits(query, header, cookie, user_id):
        return shop.show_visit(
            user_id,
            query["page"],
            query["size"],
            query["q"],
            header["x_token"],
            cookie["session"],
        )

    @bp.get("/search")
    @bp.arguments(Search, location="query")
    def search(query):
        return shop.show_search(SimpleNamespace(**query))


def add_lists(bp):
    @bp.get("/rows")
    @bp.response(200, Item(many=True))
    def rows():
        return shop.ROWS

    @bp.get("/items")
    @bp.response(200, Item(many=True))
    def items():
        return ITEMS


def add_bodies(bp):
    @bp.post("/items")
    @bp.arguments(ItemIn)
    @bp.response(200, Item)
    def add_item(item):
        return shop.add_item(SimpleNamespace(**item))

    @bp.post("/drafts")
    @bp.arguments(ItemIn)
    @bp.response(200, Item)
    def add_draft(item):
        return shop.add_item(SimpleNamespace(**item))

    @bp.post("/orders")
    @bp.arguments(Order)
    def add_order(order):
        lines = order["lines"]
        last = SimpleNamespace(**lines[-1])
        return shop.add_order(
            SimpleNamespace(customer=order["customer"], lines=[*lines[:-1], last])
        )

    @bp.post("/notes")
    @bp.arguments(Note, location="form")
    def add_note(note):
        return shop.show_note(SimpleNamespace(**note))

    @bp.post("/photos")
    @bp.arguments(Photo, location="files")
    def add_photo(files):
        photo = files["photo"]
        return shop.show_upload(photo.filename, photo.read())


def add_pages(bp):
    @bp.get("/plain/<int:item_id>")
    @bp.arguments(Page, location="query")
    def plain(query, item_id):
        return shop.show_page(item_id, query["page"])


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    shelves = Blueprint("shelves", __name__, url_prefix="/shelves/<int:shelf_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id, shelf_id, item_id):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.register_blueprint(items)
    shops.register_blueprint(shelves)
    return shops


def build_sections(count):
    app = Flask("smorest")
    app.config.update(CONFIG)
    api = Api(app)
    bp = Blueprint("shop", __name__)
    for n in range(count):

        def hello():
            return shop.GREETING

        bp.get(section_path(n), endpoint=f"hello_{n}")(hello)
    api.register_blueprint(bp)
    return app


def define_models(n):
    inbound = {
        "name": fields.String(required=True),
        "price": fields.Float(required=True, validate=POSITIVE),
    }
    outbound = {"id": fields.Integer(required=True), **inbound}
    return (
        Schema.from_dict(inbound, name=f"ThingIn{n}"),
        Schema.from_dict(outbound, name=f"Thing{n}"),
    )


def build_catalogue(models):
    app = Flask("smorest")
    app.config.update(CONFIG)
    api = Api(app)
    bp = Blueprint("shop", __name__)
    for n, (ThingIn, Thing) in enumerate(models):

        @bp.post(f"/things-{n}/<int:thing_id>", endpoint=f"add_thing_{n}")
        @bp.arguments(ThingIn)
        @bp.arguments(Page, location="query")
        @bp.response(200, Thing)
        def add_thing(thing, query, thing_id):
            return {"id": thing_id, **thing}

    api.register_blueprint(bp)
    return app
