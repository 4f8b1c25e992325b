"""FastAPI, with asynchronous views."""

import typing as t

from fastapi import (
    APIRouter,
    Cookie,
    Depends,
    FastAPI,
    Form,
    Header,
    HTTPException,
    Path,
    Query,
    Request,
    UploadFile,
)
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.middleware.sessions import SessionMiddleware

from .. import shop
from ..gateway import ASGI
from ..scenario import section_path

TITLE = "FastAPI"
DISTRIBUTIONS = ("FastAPI", "Starlette")
IMPORT = "import fastapi"
GATEWAY = ASGI
UNABLE: dict[str, str] = {}
DOCUMENT = "/openapi.json"


TOKEN = HTTPBearer()


async def get_user(sent: t.Annotated[HTTPAuthorizationCredentials, Depends(TOKEN)]):
    user = shop.find_user(sent.credentials)
    if user is None:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    return user


async def check_key(x_key: t.Annotated[str, Header(min_length=8)]):
    if not shop.is_known_key(x_key):
        raise HTTPException(403)


async def get_region(x_region: t.Annotated[str, Header(min_length=2)]):
    return x_region


async def get_rates():
    return shop.find_rates()


async def get_rate(
    region: t.Annotated[str, Depends(get_region)],
    rates: t.Annotated[dict[str, float], Depends(get_rates)],
):
    return shop.choose_rate(region, rates)


# It runs a generator that is not asynchronous in a thread.
async def open_session():
    session = shop.Session()
    try:
        yield session
        session.commit()
    finally:
        session.close()


def build():
    app = FastAPI()
    add_parameters(app)
    add_lists(app)
    add_bodies(app)
    add_pages(app)
    app.include_router(build_shops())
    return app


def build_with_secret_key():
    app = build()
    app.add_middleware(SessionMiddleware, secret_key=shop.SECRET_KEY)
    return app


def build_with_hooks():
    app = build()

    @app.middleware("http")
    async def send_id(request: Request, call_next):
        request_id = request.headers.get(shop.ID_HEADER, "")
        response = await call_next(request)
        response.headers[shop.ID_HEADER] = request_id
        return response

    return app


def add_parameters(app):
    @app.get("/hello", response_class=PlainTextResponse)
    async def hello():
        return shop.GREETING

    @app.get("/users/{user_id}/visits")
    async def visits(
        user_id: t.Annotated[int, Path(ge=1)],
        q: t.Annotated[str, Query(min_length=1, max_length=50)],
        x_token: t.Annotated[str, Header(min_length=8)],
        session: t.Annotated[str, Cookie(min_length=8)],
        page: t.Annotated[int, Query(ge=1)] = 1,
        size: t.Annotated[int, Query(ge=1, le=100)] = 20,
    ):
        return shop.show_visit(user_id, page, size, q, x_token, session)

    @app.get("/search")
    async def search(search: t.Annotated[shop.Search, Query()]):
        return shop.show_search(search)


def add_lists(app):
    @app.get("/rows")
    async def rows() -> list[shop.Item]:
        return shop.ROWS

    @app.get("/items")
    async def items() -> list[shop.Item]:
        return shop.ITEMS


def add_bodies(app):
    @app.post("/items")
    @app.post("/drafts")
    async def add_item(item: shop.ItemIn) -> shop.Item:
        return shop.add_item(item)

    @app.post("/orders")
    async def add_order(order: shop.Order):
        return shop.add_order(order)

    @app.post("/notes")
    async def add_note(note: t.Annotated[shop.Note, Form()]):
        return shop.show_note(note)

    @app.post("/photos")
    async def add_photo(photo: UploadFile):
        return shop.show_upload(photo.filename, await photo.read())


def add_pages(app):
    @app.get("/plain/{item_id}")
    async def plain(item_id: int, page: t.Annotated[int, Query(ge=1)] = 1):
        return shop.show_page(item_id, page)

    @app.get("/guard/{item_id}", dependencies=[Depends(check_key)])
    async def guard(item_id: int, page: t.Annotated[int, Query(ge=1)] = 1):
        return shop.show_page(item_id, page)

    @app.get("/dependencies/{item_id}")
    async def dependencies(
        item_id: int,
        rate: t.Annotated[float, Depends(get_rate)],
        page: t.Annotated[int, Query(ge=1)] = 1,
    ):
        return shop.show_page(item_id, page, rate=rate)

    @app.get("/generator/{item_id}")
    async def generator(
        item_id: int,
        session: t.Annotated[shop.Session, Depends(open_session)],
        page: t.Annotated[int, Query(ge=1)] = 1,
    ):
        return shop.show_page(item_id, page, opened=session.opened)

    @app.get("/bearer/{item_id}")
    async def bearer(
        item_id: int,
        user: t.Annotated[str, Depends(get_user)],
        page: t.Annotated[int, Query(ge=1)] = 1,
    ):
        return shop.show_page(item_id, page, user=user)


def build_shops():
    shops = APIRouter(prefix="/shops/{shop_id}")
    shelves = APIRouter(prefix="/shelves/{shelf_id}")
    items = APIRouter(prefix="/items")

    @items.get("/{item_id}")
    async def place(shop_id: int, shelf_id: int, item_id: int):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.include_router(items)
    shops.include_router(shelves)
    return shops


def build_sections(count):
    app = FastAPI()
    for n in range(count):

        async def hello():
            return shop.GREETING

        app.get(section_path(n), response_class=PlainTextResponse)(hello)
    return app


def build_catalogue(models):
    app = FastAPI()
    for n, (ThingIn, Thing) in enumerate(models):

        @app.post(f"/things-{n}/{{thing_id}}")
        async def add_thing(
            thing_id: int, thing: ThingIn, page: t.Annotated[int, Query(ge=1)] = 1
        ) -> Thing:
            return {"id": thing_id, **thing.model_dump()}

    return app
