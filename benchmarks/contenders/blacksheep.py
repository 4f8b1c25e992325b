"""BlackSheep, with its binders, Pydantic models and asynchronous views."""

import logging
from contextlib import suppress

from blacksheep import (
    Application,
    FromCookie,
    FromFiles,
    FromForm,
    FromHeader,
    FromJSON,
    Request,
    Router,
)
from blacksheep.exceptions import BadRequest, Forbidden, Unauthorized
from blacksheep.server.bindings import Binder, BoundValue
from blacksheep.server.openapi.v3 import OpenAPIHandler
from openapidocs.v3 import Info
from pydantic import TypeAdapter

from .. import shop
from ..gateway import ASGI
from ..scenario import section_path

TITLE = "BlackSheep"
DISTRIBUTIONS = ("BlackSheep",)
IMPORT = "import blacksheep"
GATEWAY = ASGI
UNABLE = {"generator": "binders"}
DOCUMENT = "/openapi.json"

ID_HEADER = shop.ID_HEADER.encode()
ITEMS = TypeAdapter(list[shop.Item])


class Token(FromHeader[str]):
    name = "X-Token"


class SessionCookie(FromCookie[str]):
    name = "session"


# Binders convert and check no constraint, and none reads a query into a model. What a
# request supplies besides the values it sends is a binder of one's own.
class Key(BoundValue[str]):
    """The key of a request that has a known one."""


class KeyBinder(Binder):
    handle = Key

    async def get_value(self, request: Request) -> str:
        key = read_header(request, b"X-Key")
        if len(key) < 8:
            raise BadRequest
        if not shop.is_known_key(key):
            raise Forbidden
        return key


class Rate(BoundValue[float]):
    """The rate of the region that the request names."""


class RateBinder(Binder):
    handle = Rate

    async def get_value(self, request: Request) -> float:
        region = read_header(request, b"X-Region")
        if len(region) < 2:
            raise BadRequest
        return shop.choose_rate(region, shop.find_rates())


class User(BoundValue[str]):
    """The user of the bearer token."""


class UserBinder(Binder):
    handle = User

    async def get_value(self, request: Request) -> str:
        scheme, _, token = read_header(request, b"Authorization").partition(" ")
        user = shop.find_user(token) if scheme.lower() == "bearer" else None
        if user is None:
            raise Unauthorized
        return user


def read_header(request, name):
    value = request.headers.get_first(name)
    return "" if value is None else value.decode("latin-1")


def check_page(page):
    return shop.Page(page=page).page


def build():
    return start(build_unstarted())


def build_with_secret_key():
    app = build_unstarted()
    app.use_sessions(shop.SECRET_KEY)
    return start(app)


def build_with_hooks():
    app = build_unstarted()

    @app.middlewares.append
    async def send_id(request, handler):
        request_id = request.headers.get_first(ID_HEADER) or b""
        response = await handler(request)
        response.headers.set(ID_HEADER, request_id)
        return response

    return start(app)


def build_unstarted():
    router = Router(sub_routers=[build_shops()])
    add_parameters(router)
    add_lists(router)
    add_bodies(router)
    add_pages(router)
    return Application(router=router)


def start(app):
    """Start it as a server does with ``lifespan.startup``; nothing in it waits."""
    with suppress(StopIteration):
        app.start().send(None)
    # It writes a line for every client error; the others write none.
    app.logger.setLevel(logging.WARNING)
    return app


def add_parameters(router):
    @router.get("/hello")
    async def hello():
        return shop.GREETING

    @router.get("/users/{int:user_id}/visits")
    async def visits(
        user_id: int,
        q: str,
        token: Token,
        session: SessionCookie,
        page: int = 1,
        size: int = 20,
    ):
        visit = shop.Visit(
            user_id=user_id,
            page=page,
            size=size,
            q=q,
            x_token=token.value,
            session=session.value,
        )
        return shop.show_visit(
            visit.user_id,
            visit.page,
            visit.size,
            visit.q,
            visit.x_token,
            visit.session,
        )

    @router.get("/search")
    async def search(request: Request):
        values = {name: values[0] for name, values in request.query.items()}
        return shop.show_search(shop.Search.model_validate(values))


# It sends what a view returns: making a model of it is the view's own work.
def add_lists(router):
    @router.get("/rows")
    async def rows():
        return ITEMS.validate_python(shop.ROWS)

    @router.get("/items")
    async def items():
        return shop.ITEMS


def add_bodies(router):
    @router.post("/items")
    async def add_item(item: FromJSON[shop.ItemIn]):
        return shop.Item.model_validate(shop.add_item(item.value))

    @router.post("/drafts")
    async def add_draft(item: FromJSON[shop.ItemIn]):
        return shop.Item.model_validate(shop.add_item(item.value))

    @router.post("/orders")
    async def add_order(order: FromJSON[shop.Order]):
        return shop.add_order(order.value)

    @router.post("/notes")
    async def add_note(note: FromForm[shop.Note]):
        return shop.show_note(note.value)

    @router.post("/photos")
    async def add_photo(files: FromFiles):
        for part in files.value:
            if part.name == b"photo":
                return shop.show_upload(part.file_name.decode(), part.data)
        raise BadRequest


def add_pages(router):
    @router.get("/plain/{int:item_id}")
    async def plain(item_id: int, page: int = 1):
        return shop.show_page(item_id, check_page(page))

    @router.get("/guard/{int:item_id}")
    async def guard(item_id: int, key: Key, page: int = 1):
        return shop.show_page(item_id, check_page(page))

    @router.get("/dependencies/{int:item_id}")
    async def dependencies(item_id: int, rate: Rate, page: int = 1):
        return shop.show_page(item_id, check_page(page), rate=rate.value)

    @router.get("/bearer/{int:item_id}")
    async def bearer(item_id: int, user: User, page: int = 1):
        return shop.show_page(item_id, check_page(page), user=user.value)


# The prefixes of routers do not add up: each holds the whole one.
def build_shops():
    router = Router(prefix="/shops/{int:shop_id}/shelves/{int:shelf_id}/items")

    @router.get("/{int:item_id}")
    async def place(shop_id: int, shelf_id: int, item_id: int):
        return shop.show_place(shop_id, shelf_id, item_id)

    return Router(sub_routers=[Router(sub_routers=[router])])


def build_sections(count):
    router = Router()
    for n in range(count):

        async def hello():
            return shop.GREETING

        router.get(section_path(n))(hello)
    return start(Application(router=router))


def build_catalogue(models):
    router = Router()
    for n, (ThingIn, Thing) in enumerate(models):
        add_thing(router, n, ThingIn, Thing)
    app = Application(router=router)
    OpenAPIHandler(info=Info("Things", "1")).bind_app(app)
    return start(app)


def add_thing(router, n, ThingIn, Thing):
    @router.post(f"/things-{n}/{{int:thing_id}}")
    async def add(thing_id: int, thing: FromJSON[ThingIn], page: int = 1) -> Thing:
        check_page(page)
        return Thing(id=thing_id, **thing.value.model_dump())
