"""Falcon, WSGI, and Pydantic by hand: resources without contexts or sessions."""

import typing as t
from contextlib import contextmanager

import falcon
from pydantic import Field, TypeAdapter, ValidationError

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

TITLE = "Falcon, by hand"
DISTRIBUTIONS = ("Falcon",)
IMPORT = "import falcon; from pydantic import BaseModel, TypeAdapter, ValidationError"
GATEWAY = WSGI
UNABLE: dict[str, str] = {"secret": "none"}
DOCUMENT = None
build_catalogue = None

ITEMS = TypeAdapter(list[shop.Item])
KEY = TypeAdapter(t.Annotated[str, Field(min_length=8)])
REGION = TypeAdapter(t.Annotated[str, Field(min_length=2)])


class Refused(Exception):
    """The request does not fit the model; an answer that does not is no such thing."""


def read(model, values):
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise Refused(error.json(include_url=False, include_input=False)) from error


def read_json(model, req):
    if (req.content_type or "").partition(";")[0] != falcon.MEDIA_JSON:
        raise falcon.HTTPUnsupportedMediaType
    try:
        return model.model_validate_json(req.bounded_stream.read())
    except ValidationError as error:
        raise Refused(error.json(include_url=False, include_input=False)) from error


def read_header(req, name, adapter):
    try:
        return adapter.validate_python(req.get_header(name))
    except ValidationError as error:
        raise Refused(error.json(include_url=False, include_input=False)) from error


def read_page(req):
    return read(shop.Page, req.params).page


def refuse(req, resp, refused, params):
    resp.status = falcon.HTTP_422
    resp.text = f'{{"detail":{refused}}}'


class Hello:
    def on_get(self, req, resp):
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = shop.GREETING


class Visits:
    def on_get(self, req, resp, user_id):
        values = {**req.params, "user_id": user_id}
        token = req.get_header("X-Token")
        if token is not None:
            values["x_token"] = token
        sessions = req.get_cookie_values("session")
        if sessions:
            values["session"] = sessions[0]
        visit = read(shop.Visit, values)
        resp.media = shop.show_visit(
            visit.user_id,
            visit.page,
            visit.size,
            visit.q,
            visit.x_token,
            visit.session,
        )


class Search:
    def on_get(self, req, resp):
        resp.media = shop.show_search(read(shop.Search, req.params))


class Rows:
    def on_get(self, req, resp):
        resp.data = ITEMS.dump_json(ITEMS.validate_python(shop.ROWS))


class Items:
    def on_get(self, req, resp):
        resp.data = ITEMS.dump_json(shop.ITEMS)

    def on_post(self, req, resp):
        row = shop.add_item(read_json(shop.ItemIn, req))
        resp.text = shop.Item.model_validate(row).model_dump_json()


class Orders:
    def on_post(self, req, resp):
        resp.media = shop.add_order(read_json(shop.Order, req))


class Notes:
    def on_post(self, req, resp):
        resp.media = shop.show_note(read(shop.Note, req.get_media()))


class Photos:
    def on_post(self, req, resp):
        for part in req.get_media():
            if part.name == "photo":
                resp.media = shop.show_upload(part.filename, part.get_data())
                return
        raise falcon.HTTPUnprocessableEntity


class Plain:
    def on_get(self, req, resp, item_id):
        resp.media = shop.show_page(item_id, read_page(req))


def check_key(req, resp, resource, params):
    if not shop.is_known_key(read_header(req, "X-Key", KEY)):
        raise falcon.HTTPForbidden


class Guard:
    @falcon.before(check_key)
    def on_get(self, req, resp, item_id):
        resp.media = shop.show_page(item_id, read_page(req))


def get_region(req):
    return read_header(req, "X-Region", REGION)


def get_rate(req):
    return shop.choose_rate(get_region(req), shop.find_rates())


class Dependencies:
    def on_get(self, req, resp, item_id):
        resp.media = shop.show_page(item_id, read_page(req), rate=get_rate(req))


open_session = contextmanager(shop.open_session)


class Generator:
    def on_get(self, req, resp, item_id):
        page = read_page(req)
        with open_session() as session:
            resp.media = shop.show_page(item_id, page, opened=session.opened)


def authenticate(req, resp, resource, params):
    scheme, _, token = (req.auth or "").partition(" ")
    user = shop.find_user(token) if scheme.lower() == "bearer" else None
    if user is None:
        raise falcon.HTTPUnauthorized(challenges=["Bearer"])
    params["user"] = user


class Bearer:
    @falcon.before(authenticate)
    def on_get(self, req, resp, item_id, user):
        resp.media = shop.show_page(item_id, read_page(req), user=user)


class Place:
    def on_get(self, req, resp, shop_id, shelf_id, item_id):
        resp.media = shop.show_place(shop_id, shelf_id, item_id)


ROUTES = {
    "/hello": Hello,
    "/users/{user_id:int}/visits": Visits,
    "/search": Search,
    "/rows": Rows,
    "/items": Items,
    "/drafts": Items,
    "/orders": Orders,
    "/notes": Notes,
    "/photos": Photos,
    "/plain/{item_id:int}": Plain,
    "/guard/{item_id:int}": Guard,
    "/dependencies/{item_id:int}": Dependencies,
    "/generator/{item_id:int}": Generator,
    "/bearer/{item_id:int}": Bearer,
    "/shops/{shop_id:int}/shelves/{shelf_id:int}/items/{item_id:int}": Place,
}


def build():
    app = falcon.App()
    app.add_error_handler(Refused, refuse)
    for path, resource in ROUTES.items():
        app.add_route(path, resource())
    return app


class SendId:
    def process_request(self, req, resp):
        req.context.request_id = req.get_header(shop.ID_HEADER, default="")

    def process_response(self, req, resp, resource, req_succeeded):
        resp.set_header(shop.ID_HEADER, req.context.request_id)


def build_with_hooks():
    app = build()
    app.add_middleware(SendId())
    return app


def build_sections(count):
    app = falcon.App()
    for n in range(count):
        app.add_route(section_path(n), Hello())
    return app
