"""flask-openapi3: a model per location, in arguments of fixed names."""

from flask_openapi3 import APIBlueprint, APIView, FileStorage, Info, OpenAPI
from pydantic import BaseModel, Field

from ...gateway import WSGI
from ..values import EXTRA, GONE, WRONG, Item, Noted, Paged, Problem

TITLE = "flask-openapi3"
DISTRIBUTION = "flask-openapi3"
INPUT = "models"
MODELS = "Pydantic"
CONTENDER = "flask_openapi3"
GATEWAY = WSGI
DOCUMENT = "/openapi/openapi.json"
PAGE = "/openapi/"

SCHEMES = {"token": {"type": "http", "scheme": "bearer"}}


class Counted(BaseModel):
    x_count: int = Field(alias="X-Count")


class Sized(BaseModel):
    size: int


class Photo(BaseModel):
    photo: FileStorage


class Place(BaseModel):
    shop_id: int
    item_id: int


def build():
    app = OpenAPI(
        "openapi3", info=Info(title="s", version="1"), security_schemes=SCHEMES
    )
    add_inputs(app)
    add_outputs(app)
    add_checked_outputs(app)
    app.register_api_view(build_shelf())
    app.register_api(build_shops())

    @app.get("/private", security=[{"token": []}])
    def private():
        return {"user": "anybody"}

    return app


def add_inputs(app):
    @app.post("/orders")
    def add_order(query: Paged, header: Counted, cookie: Sized, body: Item):
        return {
            "page": query.page,
            "count": header.x_count,
            "size": cookie.size,
            "name": body.name,
        }

    @app.post("/notes")
    def add_note(form: Noted):
        return {"n": form.n}

    @app.post("/photos")
    def add_photo(form: Photo):
        return {"filename": form.photo.filename}

    @app.get("/async")
    async def wait(query: Paged):
        return {"page": query.page}


def add_outputs(app):
    @app.get("/extra", responses={200: Item})
    def extra():
        return EXTRA

    @app.get("/wrong", responses={200: Item})
    def wrong():
        return WRONG

    @app.get("/gone", responses={200: Item, 404: Problem})
    def gone():
        return GONE, 404


def add_checked_outputs(app):
    @app.get("/opted/extra", responses={200: Item}, validate_response=True)
    def checked_extra():
        return EXTRA

    @app.get("/opted/wrong", responses={200: Item}, validate_response=True)
    def checked_wrong():
        return WRONG

    @app.get("/opted/gone", responses={404: Problem}, validate_response=True)
    def checked_gone():
        return GONE, 404


def build_shelf():
    view = APIView()

    @view.route("/class")
    class Shelf:
        @view.doc(summary="a shelf")
        def get(self, query: Paged):
            return {"page": query.page}

    return view


def build_shops():
    shops = APIBlueprint("shops", __name__, url_prefix="/shops/<int:shop_id>")
    items = APIBlueprint("items", __name__, url_prefix="/items")

    @items.get("/<int:item_id>")
    def place(path: Place):
        return path.model_dump()

    shops.register_api(items)
    return shops


def build_mistake():
    app = OpenAPI("mistake", info=Info(title="s", version="1"))

    @app.get("/items/<int:item_id>")
    def show():
        return {"shown": True}

    return app
