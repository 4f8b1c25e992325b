"""Flask and Pydantic by hand, as somebody who knows both well writes it."""

import typing as t
from contextlib import contextmanager
from functools import wraps

from flask import Blueprint, Flask, Response, abort, request
from pydantic import Field, TypeAdapter, ValidationError
from werkzeug.datastructures import WWWAuthenticate

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "hand-written"
DISTRIBUTIONS = ("Flask", "Pydantic")
IMPORT = "import flask; from pydantic import BaseModel, TypeAdapter, ValidationError"
GATEWAY = WSGI
UNABLE: dict[str, str] = {}
DOCUMENT = None
build_catalogue = None

ITEMS = TypeAdapter(list[shop.Item])
KEY = TypeAdapter(t.Annotated[str, Field(min_length=8)])
REGION = TypeAdapter(t.Annotated[str, Field(min_length=2)])
CHALLENGE = WWWAuthenticate("bearer")


class Refused(Exception):
    """The request does not fit the model; an answer that does not is no such thing."""


def read(model, values):
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise Refused(error.json(include_url=False, include_input=False)) from error


def read_json(model):
    if not request.is_json:
        abort(415)
    try:
        return model.model_validate_json(request.get_data())
    except ValidationError as error:
        raise Refused(error.json(include_url=False, include_input=False)) from error


def read_header(name, adapter):
    try:
        return adapter.validate_python(request.headers.get(name))
    except ValidationError as error:
        raise Refused(error.json(include_url=False, include_input=False)) from error


def guarded(view):
    @wraps(view)
    def check(*args, **kwargs):
        if not shop.is_known_key(read_header("X-Key", KEY)):
            abort(403)
        return view(*args, **kwargs)

    return check


def authenticated(view):
    @wraps(view)
    def check(*args, **kwargs):
        sent = request.authorization
        if sent is None or sent.type != "bearer" or sent.token is None:
            abort(401, www_authenticate=CHALLENGE)
        user = shop.find_user(sent.token)
        if user is None:
            abort(401, www_authenticate=CHALLENGE)
        return view(*args, user=user, **kwargs)

    return check


def get_region():
    return read_header("X-Region", REGION)


def get_rate():
    return shop.choose_rate(get_region(), shop.find_rates())


open_session = contextmanager(shop.open_session)


def refuse(refused):
    return reply(f'{{"detail":{refused}}}', 422)


def reply(json, status=200):
    return Response(json, status, mimetype="application/json")


def build():
    app = Flask("handwritten")
    app.register_error_handler(Refused, refuse)
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
    def visits(user_id):
        values = request.args.to_dict()
        values["user_id"] = user_id
        if "X-Token" in request.headers:
            values["x_token"] = request.headers["X-Token"]
        if "session" in request.cookies:
            values["session"] = request.cookies["session"]
        visit = read(shop.Visit, values)
        return shop.show_visit(
            visit.user_id,
            visit.page,
            visit.size,
            visit.q,
            visit.x_token,
            visit.session,
        )

    @app.get("/search")
    def search():
        return shop.show_search(read(shop.Search, request.args.to_dict()))


def add_lists(app):
    @app.get("/rows")
    def rows():
        return reply(ITEMS.dump_json(ITEMS.validate_python(shop.ROWS)))

    @app.get("/items")
    def items():
        return reply(ITEMS.dump_json(shop.ITEMS))


def add_bodies(app):
    @app.post("/items")
    @app.post("/drafts")
    def add_item():
        row = shop.add_item(read_json(shop.ItemIn))
        return reply(shop.Item.model_validate(row).model_dump_json())

    @app.post("/orders")
    def add_order():
        return shop.add_order(read_json(shop.Order))

    @app.post("/notes")
    def add_note():
        return shop.show_note(read(shop.Note, request.form.to_dict()))

    @app.post("/photos")
    def add_photo():
        if "photo" not in request.files:
            abort(422)
        photo = request.files["photo"]
        return shop.show_upload(photo.filename, photo.read())


def add_pages(app):
    @app.get("/plain/<int:item_id>")
    def plain(item_id):
        return shop.show_page(item_id, read_page())

    @app.get("/guard/<int:item_id>")
    @guarded
    def guard(item_id):
        return shop.show_page(item_id, read_page())

    @app.get("/dependencies/<int:item_id>")
    def dependencies(item_id):
        return shop.show_page(item_id, read_page(), rate=get_rate())

    @app.get("/generator/<int:item_id>")
    def generator(item_id):
        page = read_page()
        with open_session() as session:
            return shop.show_page(item_id, page, opened=session.opened)

    @app.get("/bearer/<int:item_id>")
    @authenticated
    def bearer(item_id, user):
        return shop.show_page(item_id, read_page(), user=user)


def read_page():
    return read(shop.Page, request.args.to_dict()).page


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
    app = Flask("handwritten")
    for n in range(count):
        app.add_url_rule(section_path(n), f"hello_{n}", lambda: shop.GREETING)
    return app
