"""Litestar, with Pydantic models and asynchronous views."""

import typing as t
from collections.abc import AsyncIterator
from types import SimpleNamespace

from litestar import Litestar, MediaType, Request, Router, get, post
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders, UploadFile
from litestar.di import NamedDependency, Provide
from litestar.enums import RequestEncodingType
from litestar.exceptions import (
    NotAuthorizedException,
    PermissionDeniedException,
    ValidationException,
)
from litestar.handlers import BaseRouteHandler
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult
from litestar.middleware.session.client_side import CookieBackendConfig
from litestar.params import Body, Parameter
from litestar.types import Message, Scope
from pydantic import TypeAdapter

from .. import shop
from ..gateway import ASGI
from ..scenario import section_path

TITLE = "Litestar"
DISTRIBUTIONS = ("Litestar", "msgspec")
IMPORT = "import litestar"
GATEWAY = ASGI
UNABLE: dict[str, str] = {}
DOCUMENT = "/schema/openapi.json"

ITEMS = TypeAdapter(list[shop.Item])
FORM = Body(media_type=RequestEncodingType.URL_ENCODED)
MULTIPART = Body(media_type=RequestEncodingType.MULTI_PART)


@get("/hello", media_type=MediaType.TEXT)
async def hello() -> str:
    return shop.GREETING


@get("/users/{user_id:int}/visits")
async def visits(
    user_id: t.Annotated[int, Parameter(ge=1)],
    q: t.Annotated[str, Parameter(min_length=1, max_length=50)],
    x_token: t.Annotated[str, Parameter(min_length=8, header="X-Token")],
    session: t.Annotated[str, Parameter(min_length=8, cookie="session")],
    page: t.Annotated[int, Parameter(ge=1)] = 1,
    size: t.Annotated[int, Parameter(ge=1, le=100)] = 20,
) -> dict[str, t.Any]:
    return shop.show_visit(user_id, page, size, q, x_token, session)


# It reads no query string into a model, so the view takes each argument of it.
@get("/search")
async def search(
    q: t.Annotated[str, Parameter(min_length=1, max_length=50)],
    page: t.Annotated[int, Parameter(ge=1)] = 1,
    size: t.Annotated[int, Parameter(ge=1, le=100)] = 20,
    order: t.Literal["name", "price"] = "name",
    in_stock: bool = False,
) -> dict[str, t.Any]:
    search = SimpleNamespace(q=q, page=page, size=size, order=order, in_stock=in_stock)
    return shop.show_search(search)


# It sends what a view returns: making a model of it is the view's own work.
@post(["/items", "/drafts"], status_code=200)
async def add_item(data: shop.ItemIn) -> shop.Item:
    return shop.Item.model_validate(shop.add_item(data))


@post("/orders", status_code=200)
async def add_order(data: shop.Order) -> dict[str, t.Any]:
    return shop.add_order(data)


@get("/rows")
async def rows() -> list[shop.Item]:
    return ITEMS.validate_python(shop.ROWS)


@get("/items")
async def items() -> list[shop.Item]:
    return shop.ITEMS


@post("/notes", status_code=200)
async def add_note(data: t.Annotated[shop.Note, FORM]) -> dict[str, t.Any]:
    return shop.show_note(data)


@post("/photos", status_code=200)
async def add_photo(
    data: t.Annotated[dict[str, UploadFile], MULTIPART],
) -> dict[str, t.Any]:
    photo = data["photo"]
    return shop.show_upload(photo.filename, await photo.read())


@get("/{item_id:int}")
async def place(shop_id: int, shelf_id: int, item_id: int) -> dict[str, t.Any]:
    return shop.show_place(shop_id, shelf_id, item_id)


Page = t.Annotated[int, Parameter(ge=1)]


@get("/plain/{item_id:int}")
async def plain(item_id: int, page: Page = 1) -> dict[str, t.Any]:
    return shop.show_page(item_id, page)


# A guard has no arguments of its own: it reads and checks the request by hand.
async def check_key(connection: ASGIConnection, handler: BaseRouteHandler) -> None:
    key = connection.headers.get("X-Key", "")
    if len(key) < 8:
        raise ValidationException
    if not shop.is_known_key(key):
        raise PermissionDeniedException


@get("/guard/{item_id:int}", guards=[check_key])
async def guard(item_id: int, page: Page = 1) -> dict[str, t.Any]:
    return shop.show_page(item_id, page)


async def get_region(
    x_region: t.Annotated[str, Parameter(min_length=2, header="X-Region")],
) -> str:
    return x_region


async def get_rates() -> dict[str, float]:
    return shop.find_rates()


async def get_rate(
    region: NamedDependency[str], rates: NamedDependency[dict[str, float]]
) -> float:
    return shop.choose_rate(region, rates)


@get(
    "/dependencies/{item_id:int}",
    dependencies={
        "region": Provide(get_region),
        "rates": Provide(get_rates),
        "rate": Provide(get_rate),
    },
)
async def dependencies(
    item_id: int, rate: NamedDependency[float], page: Page = 1
) -> dict[str, t.Any]:
    return shop.show_page(item_id, page, rate=rate)


# It closes a generator that is not asynchronous in a thread.
async def open_session() -> AsyncIterator[shop.Session]:
    session = shop.Session()
    try:
        yield session
        session.commit()
    finally:
        session.close()


@get("/generator/{item_id:int}", dependencies={"session": Provide(open_session)})
async def generator(
    item_id: int, session: NamedDependency[shop.Session], page: Page = 1
) -> dict[str, t.Any]:
    return shop.show_page(item_id, page, opened=session.opened)


class Authentication(AbstractAuthenticationMiddleware):
    async def authenticate_request(self, connection):
        scheme, _, token = connection.headers.get("Authorization", "").partition(" ")
        user = shop.find_user(token) if scheme.lower() == "bearer" else None
        if user is None:
            raise NotAuthorizedException(headers={"WWW-Authenticate": "Bearer"})
        return AuthenticationResult(user=user, auth=token)


@get("/bearer/{item_id:int}", middleware=[Authentication])
async def bearer(
    request: Request[str, str, t.Any], item_id: int, page: Page = 1
) -> dict[str, t.Any]:
    return shop.show_page(item_id, page, user=request.user)


# What it calls after a view has no request; what it calls before it sends has one.
async def read_id(request: Request) -> None:
    request.state.request_id = request.headers.get(shop.ID_HEADER, "")


async def send_id(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        headers[shop.ID_HEADER] = scope["state"]["request_id"]


def build_with_hooks():
    return build(before_request=read_id, before_send=[send_id])


# Its sessions are encrypted, not signed.
def build_with_secret_key():
    sessions = CookieBackendConfig(secret=bytes.fromhex(shop.SECRET_KEY))
    return build(middleware=[sessions.middleware])


def build(**options):
    return Litestar(
        [
            hello,
            visits,
            search,
            add_item,
            add_order,
            rows,
            items,
            add_note,
            add_photo,
            plain,
            guard,
            dependencies,
            generator,
            bearer,
            build_shops(),
        ],
        **options,
    )


def build_shops():
    items = Router("/items", route_handlers=[place])
    shelves = Router("/shelves/{shelf_id:int}", route_handlers=[items])
    return Router("/shops/{shop_id:int}", route_handlers=[shelves])


def build_sections(count):
    paths = [section_path(n) for n in range(count)]
    return Litestar([get(path, media_type=MediaType.TEXT)(greet) for path in paths])


async def greet() -> str:
    return shop.GREETING


def build_catalogue(models):
    return Litestar([build_thing(n, *pair) for n, pair in enumerate(models)])


def build_thing(n, ThingIn, Thing):
    @post(f"/things-{n}/{{thing_id:int}}", operation_id=f"add_thing_{n}")
    async def add_thing(
        thing_id: int, data: ThingIn, page: t.Annotated[int, Parameter(ge=1)] = 1
    ) -> Thing:
        return Thing(id=thing_id, **data.model_dump())

    return add_thing
