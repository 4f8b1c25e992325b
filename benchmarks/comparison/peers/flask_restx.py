"""Flask-RESTX: resources, request parsers, and models of fields."""

from flask import Flask
from flask_restx import Api, Resource, fields, reqparse
from werkzeug.datastructures import FileStorage

from ...gateway import WSGI
from ..values import EXTRA, GONE, WRONG

TITLE = "Flask-RESTX"
DISTRIBUTION = "flask-restx"
INPUT = "parsers"
MODELS = "its own"
CONTENDER = None
GATEWAY = WSGI
DOCUMENT = "/swagger.json"
PAGE = "/"


def build():
    app = Flask("restx")
    auth = {"token": {"type": "apiKey", "in": "header", "name": "Authorization"}}
    api = Api(app, authorizations=auth)
    item = api.model(
        "Item",
        {
            "name": fields.String(required=True, min_length=1),
            "price": fields.Float(required=True, exclusiveMin=True, min=0),
        },
    )
    add_inputs(api, item)
    add_outputs(api, item)
    add_places(api)
    return app


def make_parser(name, location, type=int):
    parser = reqparse.RequestParser()
    parser.add_argument(name, type=type, location=location, required=True)
    return parser


def add_inputs(api, item):
    parser = make_parser("page", "args")
    parser.add_argument("X-Count", type=int, location="headers", required=True)
    parser.add_argument("size", type=int, location="cookies", required=True)
    form = make_parser("n", "form")
    upload = make_parser("photo", "files", FileStorage)

    @api.route("/orders")
    class Orders(Resource):
        @api.expect(parser, item, validate=True)
        def post(self):
            sent = parser.parse_args()
            name = api.payload["name"]
            return {
                "page": sent["page"],
                "count": sent["X-Count"],
                "size": sent["size"],
                "name": name,
            }

    @api.route("/notes")
    class Notes(Resource):
        @api.expect(form, validate=True)
        def post(self):
            return {"n": form.parse_args()["n"]}

    @api.route("/photos")
    class Photos(Resource):
        @api.expect(upload, validate=True)
        def post(self):
            return {"filename": upload.parse_args()["photo"].filename}


def add_outputs(api, item):
    problem = api.model("Problem", {"message": fields.String(required=True)})

    @api.route("/extra")
    class Extra(Resource):
        @api.marshal_with(item)
        def get(self):
            return EXTRA

    @api.route("/wrong")
    class Wrong(Resource):
        @api.marshal_with(item)
        def get(self):
            return WRONG

    @api.route("/gone")
    class Gone(Resource):
        @api.marshal_with(item)
        @api.response(404, "Gone", problem)
        def get(self):
            return GONE, 404


def add_places(api):
    parser = make_parser("page", "args")

    @api.route("/class")
    class Shelf(Resource):
        @api.expect(parser)
        def get(self):
            return {"page": parser.parse_args()["page"]}

    @api.route("/async")
    class Wait(Resource):
        @api.expect(parser)
        async def get(self):
            return {"page": parser.parse_args()["page"]}

    @api.route("/private")
    class Private(Resource):
        @api.doc(security="token")
        def get(self):
            return {"user": "anybody"}

    # Its namespaces do not nest: a path is one string.
    shops = api.namespace("shops", path="/shops/<int:shop_id>")

    @shops.route("/items/<int:item_id>")
    class Place(Resource):
        def get(self, shop_id, item_id):
            return {"shop_id": shop_id, "item_id": item_id}


def build_mistake():
    app = Flask("mistake")
    api = Api(app)

    @api.route("/items/<int:item_id>")
    class Show(Resource):
        def get(self):
            return {"shown": True}

    return app
