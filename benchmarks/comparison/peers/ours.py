"""flask_signature."""

from collections.abc import Iterator
from typing import Annotated

from flask.views import MethodView

from flask_signature import (
    Blueprint,
    Cookie,
    Depends,
    Event,
    Flask,
    Form,
    Header,
    Query,
    UploadFile,
)
from flask_signature.security import HTTPBearer

from ... import shop
from ...gateway import WSGI
from ..values import EXTRA, GONE, WRONG, Item, Problem, find_user

TITLE = "**flask_signature**"
DISTRIBUTION = "flask-signature"
INPUT = "arguments"
MODELS = "Pydantic"
CONTENDER = "ours"
GATEWAY = WSGI
DOCUMENT = "/openapi.json"
PAGE = "/docs"

TOKEN = HTTPBearer("token", verify=find_user)


def build():
    app = Flask("ours")
    add_inputs(app)
    add_outputs(app)
    add_needs(app)
    app.add_url_rule("/class", view_func=Shelf.as_view("shelf"))
    app.register_blueprint(build_shops())
    app.init_app()
    return app


def add_inputs(app):
    @app.post("/orders", status_code=200)
    def add_order(
        item: Item, page: int = Query(), x_count: int = Header(), size: int = Cookie()
    ):
        return {"page": page, "count": x_count, "size": size, "name": item.name}

    @app.post("/notes", status_code=200)
    def add_note(n: int = Form()):
        return {"n": n}

    @app.post("/photos", status_code=200)
    def add_photo(photo: UploadFile):
        return {"filename": photo.filename}

    @app.get("/async")
    async def wait(page: int = Query()):
        return {"page": page}


def add_outputs(app):
    @app.get("/extra")
    def extra() -> Item:
        return EXTRA

    @app.get("/wrong")
    def wrong() -> Item:
        return WRONG

    @app.get("/gone", responses={404: Problem})
    def gone() -> Item:
        return GONE, 404

    @app.get("/events")
    def events() -> Iterator[Event[Item]]:
        yield Event(Item(name="Chair", price=2.5))


def add_needs(app):
    @app.get("/session")
    def count(session: Annotated[shop.Session, Depends(shop.open_session)]):
        return {"opened": session.opened}

    @app.get("/private")
    def private(user: Annotated[str, TOKEN]):
        return {"user": user}


class Shelf(MethodView):
    def get(self, page: int = Query()):
        return {"page": page}


def build_shops():
    shops = Blueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    items = Blueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id: int, item_id: int):
        return {"shop_id": shop_id, "item_id": item_id}

    shops.register_blueprint(items)
    return shops


def build_mistake():
    app = Flask("mistake")

    @app.get("/items/<int:item_id>")
    def show():
        return {"shown": True}

    app.init_app()
    return app


def override(app, value):
    app.dependency_overrides[shop.open_session] = lambda: value
