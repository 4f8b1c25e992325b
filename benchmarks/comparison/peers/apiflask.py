"""APIFlask, with Pydantic models."""

from apiflask import APIBlueprint, APIFlask, HTTPTokenAuth
from apiflask.fields import UploadFile
from flask.views import MethodView
from pydantic import BaseModel, ConfigDict

from ...gateway import WSGI
from ..values import EXTRA, GONE, WRONG, Item, Noted, Paged, Problem, find_user

TITLE = "APIFlask"
DISTRIBUTION = "APIFlask"
INPUT = "decorators"
MODELS = "both"
CONTENDER = "apiflask"
GATEWAY = WSGI
DOCUMENT = "/openapi.json"
PAGE = "/docs"

auth = HTTPTokenAuth()
auth.verify_token(find_user)


class Counted(BaseModel):
    x_count: int


class Sized(BaseModel):
    size: int


class Photo(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    photo: UploadFile


def build():
    app = APIFlask("apiflask")
    add_inputs(app)
    add_outputs(app)
    app.register_blueprint(build_shops())
    app.add_url_rule("/class", view_func=build_shelf(app).as_view("shelf"))

    @app.get("/private")
    @app.auth_required(auth)
    def private():
        return {"user": auth.current_user}

    return app


def add_inputs(app):
    @app.post("/orders")
    @app.input(Item)
    @app.input(Paged, location="query")
    @app.input(Counted, location="headers")
    @app.input(Sized, location="cookies")
    def add_order(json_data, query_data, headers_data, cookies_data):
        return {
            "page": query_data.page,
            "count": headers_data.x_count,
            "size": cookies_data.size,
            "name": json_data.name,
        }

    @app.post("/notes")
    @app.input(Noted, location="form")
    def add_note(form_data):
        return {"n": form_data.n}

    @app.post("/photos")
    @app.input(Photo, location="files")
    def add_photo(files_data):
        return {"filename": files_data.photo.filename}

    @app.get("/async")
    @app.input(Paged, location="query")
    async def wait(query_data):
        return {"page": query_data.page}


def add_outputs(app):
    @app.get("/extra")
    @app.output(Item)
    def extra():
        return EXTRA

    @app.get("/wrong")
    @app.output(Item)
    def wrong():
        return WRONG

    # With a model for its 200, what is returned with another status must fit it too.
    @app.get("/gone")
    @app.doc(responses={404: {"description": "Gone", "content": PROBLEM}})
    def gone():
        return GONE, 404


PROBLEM = {"application/json": {"schema": Problem.model_json_schema()}}


def build_shelf(app):
    class Shelf(MethodView):
        @app.input(Paged, location="query")
        def get(self, query_data):
            return {"page": query_data.page}

    return Shelf


def build_shops():
    shops = APIBlueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    items = APIBlueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(shop_id, item_id):
        return {"shop_id": shop_id, "item_id": item_id}

    shops.register_blueprint(items)
    return shops


def build_mistake():
    app = APIFlask("mistake")

    @app.get("/items/<int:item_id>")
    def show():
        return {"shown": True}

    return app
