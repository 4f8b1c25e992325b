"""Nothing is analysed while requests are answered."""

from __future__ import annotations

import inspect
import io
import typing
from typing import Annotated

import pydantic
import pytest
from pydantic import BaseModel
from werkzeug.datastructures import FileStorage

from flask_signature import Blueprint, Cookie, Form, Header, Query


class Item(BaseModel):
    name: str
    price: float = 1.0


class Filter(BaseModel):
    limit: int = 10


bp = Blueprint("b", __name__, url_prefix="/<int:shop>")


@bp.get("/parameters/<name>")
def parameters(
    shop: int,
    name: str,
    tag: list[str] = Query([]),
    x_token: str = Header(),
    theme: Annotated[str, Cookie()] = "light",
) -> list[str]:
    return [str(shop), name, *tag, x_token, theme]


@bp.get("/filter")
def filtered(shop: int, limits: Filter) -> Filter:
    return limits


@bp.post("/items")
def create(shop: int, item: Item) -> Item:
    return item


@bp.post("/embedded")
def embedded(shop: int, item: Item, count: int) -> list[Item]:
    return [item] * count


@bp.post("/form")
def form(shop: int, name: str = Form(), price: float = Form(2.0)) -> Item:
    return {"name": name, "price": price}


@bp.post("/upload")
def upload(shop: int, photo: FileStorage, note: str = Form("")) -> Item:
    return Item(name=photo.filename or "", price=2)


@bp.post("/raw")
def raw(shop: int, content: bytes) -> str:
    return str(len(content))


@bp.get("/wrong")
def wrong(shop: int) -> Item:
    return {}


SENT = {"X-Token": "t", "Cookie": "theme=dark"}
ITEM = {"name": "a"}

REQUESTS = [
    ("GET /1/parameters/a?tag=b&tag=c%20d", {"headers": SENT}, 200),
    ("GET /1/parameters/a", {}, 422),
    ("GET /1/filter?limit=3", {}, 200),
    ("POST /1/items", {"json": ITEM}, 201),
    ("POST /1/embedded", {"json": {"item": ITEM, "count": 2}}, 201),
    ("POST /1/form", {"data": ITEM}, 201),
    ("POST /1/upload", {"data": {"photo": (io.BytesIO(b"x"), "x.png")}}, 201),
    ("POST /1/raw", {"data": b"x", "content_type": "text/x"}, 201),
    ("GET /1/wrong", {}, 500),
    ("GET /nowhere", {}, 404),
    ("POST /1/items", {"data": "x"}, 415),
]


def refuse(*args: object, **kwargs: object) -> None:
    raise AssertionError("a signature or a type was read during a request")


ANALYSIS = (
    (inspect, "signature"),
    (typing, "get_type_hints"),
    (pydantic.TypeAdapter, "__init__"),
    (pydantic, "create_model"),
)


@pytest.mark.parametrize(("request_", "sent", "status"), REQUESTS)
def test_a_request_reads_no_signature(app, client, request_, sent, status):
    app.register_blueprint(bp)
    app.init_app()
    method, path = request_.split()

    with pytest.MonkeyPatch.context() as patch:
        for owner, name in ANALYSIS:
            patch.setattr(owner, name, refuse)
        response = client.open(path, method=method, **sent)

    assert response.status_code == status, response.text
