"""Litestar, with Pydantic models."""

from collections.abc import AsyncIterator
from typing import Annotated

from litestar import (
    Controller,
    Litestar,
    Request,
    Response,
    Router,
    WebSocket,
    get,
    post,
    websocket,
)
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency, Provide
from litestar.enums import RequestEncodingType
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Body, Parameter
from litestar.plugins.pydantic import PydanticDTO
from litestar.response import ServerSentEvent
from litestar.security.jwt import JWTAuth

from ... import shop
from ...gateway import ASGI
from ..values import EXTRA, GONE, WRONG, Item, Noted, Problem, Stored

TITLE = "Litestar"
DISTRIBUTION = "litestar"
INPUT = "arguments"
MODELS = "several"
CONTENDER = "litestar"
GATEWAY = ASGI
DOCUMENT = "/schema/openapi.json"
PAGE = "/schema/swagger"

FORM = Body(media_type=RequestEncodingType.URL_ENCODED)
MULTIPART = Body(media_type=RequestEncodingType.MULTI_PART)


@post("/orders", status_code=200)
async def add_order(
    data: Item,
    page: int,
    x_count: Annotated[int, Parameter(header="X-Count")],
    size: Annotated[int, Parameter(cookie="size")],
) -> dict[str, int | str]:
    return {"page": page, "count": x_count, "size": size, "name": data.name}


@post("/notes", status_code=200)
async def add_note(data: Annotated[Noted, FORM]) -> dict[str, int]:
    return {"n": data.n}


@post("/photos", status_code=200)
async def add_photo(
    data: Annotated[dict[str, UploadFile], MULTIPART],
) -> dict[str, str]:
    return {"filename": data["photo"].filename}


@get("/async")
async def wait(page: int) -> dict[str, int]:
    return {"page": page}


class Shelf(Controller):
    path = "/class"

    @get()
    async def show(self, page: int) -> dict[str, int]:
        return {"page": page}


@get("/extra")
async def extra() -> Item:
    return EXTRA


@get("/opted/extra", return_dto=PydanticDTO[Item])
async def transferred_extra() -> Item:
    return Stored(name="Chair", price=2.5)


@get("/wrong")
async def wrong() -> Item:
    return WRONG


@get("/gone", responses={404: ResponseSpec(Problem)})
async def gone() -> Response[Item]:
    return Response(GONE, status_code=404)


async def send_events() -> AsyncIterator[str]:
    yield Item(name="Chair", price=2.5).model_dump_json()


@get("/events")
async def events() -> ServerSentEvent:
    return ServerSentEvent(send_events())


# It closes a generator that is not asynchronous in a thread.
async def open_session() -> AsyncIterator[shop.Session]:
    session = shop.Session()
    try:
        yield session
        session.commit()
    finally:
        session.close()


@get("/session", dependencies={"session": Provide(open_session)})
async def count(session: NamedDependency[shop.Session]) -> dict[str, int]:
    return {"opened": session.opened}


@get("/{item_id:int}")
async def place(shop_id: int, item_id: int) -> dict[str, int]:
    return {"shop_id": shop_id, "item_id": item_id}


@get("/private")
async def private(request: Request) -> dict[str, str]:
    return {"user": request.user}


@websocket("/socket")
async def socket(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close()


async def get_user(token, connection) -> str:
    return token.sub


AUTH = JWTAuth(
    retrieve_user_handler=get_user,
    token_secret=shop.SECRET_KEY,
    exclude=["^/(?!private)"],
)
CREDENTIALS = "Bearer " + AUTH.create_token("Ada")

VIEWS = [
    add_order,
    add_note,
    add_photo,
    wait,
    Shelf,
    extra,
    transferred_extra,
    wrong,
    gone,
    events,
    count,
    private,
    socket,
]


def build():
    items = Router("/items", route_handlers=[place])
    shops = Router("/shops/{shop_id:int}", route_handlers=[items])
    return Litestar([*VIEWS, shops], on_app_init=[AUTH.on_app_init])


def build_mistake():
    @get("/items/{item_id:int}")
    async def show() -> dict[str, bool]:
        return {"shown": True}

    return Litestar([show])
