"""flask-smorest, with marshmallow schemas."""

from flask import Flask
from flask.views import MethodView
from flask_smorest import Api, Blueprint
from flask_smorest.fields import Upload
from marshmallow import EXCLUDE, Schema, fields
from marshmallow.validate import Length, Range

from ...gateway import WSGI
from ..values import EXTRA, GONE, WRONG

TITLE = "flask-smorest"
DISTRIBUTION = "flask-smorest"
INPUT = "decorators"
MODELS = "marshmallow"
CONTENDER = "flask_smorest"
GATEWAY = WSGI
DOCUMENT = "/openapi.json"
PAGE = "/docs"

CONFIG = {
    "API_TITLE": "shop",
    "API_VERSION": "1",
    "API_SPEC_OPTIONS": {
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}
        }
    },
    "OPENAPI_VERSION": "3.1.0",
    "OPENAPI_URL_PREFIX": "/",
    "OPENAPI_SWAGGER_UI_PATH": "/docs",
    "OPENAPI_SWAGGER_UI_URL": "https://cdn.jsdelivr.net/npm/swagger-ui-dist/",
}


class Item(Schema):
    name = fields.String(required=True, validate=Length(1))
    price = fields.Float(required=True, validate=Range(min=0, min_inclusive=False))


class Problem(Schema):
    message = fields.String(required=True)


class Paged(Schema):
    page = fields.Integer(required=True)


class Counted(Schema):
    class Meta:
        unknown = EXCLUDE

    x_count = fields.Integer(required=True, data_key="X-Count")


class Sized(Schema):
    size = fields.Integer(required=True)


class Noted(Schema):
    n = fields.Integer(required=True)


class Photo(Schema):
    photo = Upload(required=True)


def build():
    app = Flask("smorest")
    app.config.update(CONFIG)
    api = Api(app)
    bp = Blueprint("shop", __name__)
    add_inputs(bp)
    add_outputs(bp)
    add_class(bp)
    api.register_blueprint(bp)
    api.register_blueprint(build_shops())
    return app


def add_inputs(bp):
    @bp.post("/orders")
    @bp.arguments(Item)
    @bp.arguments(Paged, location="query")
    @bp.arguments(Counted, location="headers")
    @bp.arguments(Sized, location="cookies")
    def add_order(item, query, header, cookie):
        return {
            "page": query["page"],
            "count": header["x_count"],
            "size": cookie["size"],
            "name": item["name"],
        }

    @bp.post("/notes")
    @bp.arguments(Noted, location="form")
    def add_note(note):
        return note

    @bp.post("/photos")
    @bp.arguments(Photo, location="files")
    def add_photo(files):
        return {"filename": files["photo"].filename}

    @bp.get("/async")
    @bp.arguments(Paged, location="query")
    async def wait(query):
        return query


def add_outputs(bp):
    @bp.get("/extra")
    @bp.response(200, Item)
    def extra():
        return EXTRA

    @bp.get("/wrong")
    @bp.response(200, Item)
    def wrong():
        return WRONG

    @bp.get("/gone")
    @bp.response(200, Item)
    @bp.alt_response(404, schema=Problem)
    def gone():
        return GONE, 404


def add_class(bp):
    @bp.route("/class")
    class Shelf(MethodView):
        @bp.arguments(Paged, location="query")
        def get(self, query):
            return query

    # The description names a scheme; whether somebody may call the view is Flask's.
    @bp.get("/private")
    @bp.doc(security=[{"token": []}])
    def private():
        return {"user": "anybody"}


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id, item_id):
        return {"shop_id": shop_id, "item_id": item_id}

    shops.register_blueprint(items)
    return shops


def build_mistake():
    app = Flask("mistake")
    app.config.update(CONFIG)
    api = Api(app)
    bp = Blueprint("shop", __name__)

    @bp.get("/items/<int:item_id>")
    def show():
        return {"shown": True}

    api.register_blueprint(bp)
    return app
