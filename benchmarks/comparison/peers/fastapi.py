"""FastAPI."""

from collections.abc import AsyncIterable
from typing import Annotated

from fastapi import (
    APIRouter,
    Cookie,
    Depends,
    FastAPI,
    Form,
    Header,
    HTTPException,
    Query,
    UploadFile,
    WebSocket,
)
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.sse import EventSourceResponse

from ... import shop
from ...gateway import ASGI
from ..values import EXTRA, GONE, WRONG, Item, Problem, find_user

TITLE = "FastAPI"
DISTRIBUTION = "fastapi"
INPUT = "arguments"
MODELS = "Pydantic"
CONTENDER = "fastapi"
GATEWAY = ASGI
DOCUMENT = "/openapi.json"
PAGE = "/docs"


def build():
    app = FastAPI()
    add_inputs(app)
    add_outputs(app)
    add_needs(app)
    app.include_router(build_shops())

    @app.websocket("/socket")
    async def socket(connection: WebSocket):
        await connection.accept()
        await connection.close()

    return app


def add_inputs(app):
    @app.post("/orders")
    def add_order(
        item: Item,
        page: Annotated[int, Query()],
        x_count: Annotated[int, Header()],
        size: Annotated[int, Cookie()],
    ):
        return {"page": page, "count": x_count, "size": size, "name": item.name}

    @app.post("/notes")
    def add_note(n: Annotated[int, Form()]):
        return {"n": n}

    @app.post("/photos")
    def add_photo(photo: UploadFile):
        return {"filename": photo.filename}

    @app.get("/async")
    async def wait(page: int):
        return {"page": page}


def add_outputs(app):
    @app.get("/extra")
    def extra() -> Item:
        return EXTRA

    @app.get("/wrong")
    def wrong() -> Item:
        return WRONG

    @app.get("/gone", responses={404: {"model": Problem}})
    def gone() -> Item:
        return JSONResponse(GONE, 404)

    @app.get("/events", response_class=EventSourceResponse)
    async def events() -> AsyncIterable[Item]:
        yield Item(name="Chair", price=2.5)


def get_user(sent: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]):
    user = find_user(sent.credentials)
    if user is None:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    return user


def add_needs(app):
    @app.get("/session")
    def count(session: Annotated[shop.Session, Depends(shop.open_session)]):
        return {"opened": session.opened}

    @app.get("/private")
    def private(user: Annotated[str, Depends(get_user)]):
        return {"user": user}


def build_shops():
    shops = APIRouter(prefix="/shops/{shop_id}")
    items = APIRouter(prefix="/items")

    @items.get("/{item_id}")
    def place(shop_id: int, item_id: int):
        return {"shop_id": shop_id, "item_id": item_id}

    shops.include_router(items)
    return shops


def build_mistake():
    app = FastAPI()

    @app.get("/items/{item_id}")
    def show():
        return {"shown": True}

    return app


def override(app, value):
    app.dependency_overrides[shop.open_session] = lambda: value
