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

from flask_signature import Blueprint, Cookie, Flask, Form, Header, Query


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


REQUESTS = {
    "parameters": (
        {
            "path": "/1/parameters/a?tag=b&tag=c%20d",
            "headers": {"X-Token": "t", "Cookie": "theme=dark"},
        },
        200,
    ),
    "refused": ({"path": "/1/parameters/a"}, 422),
    "model": ({"path": "/1/filter?limit=3"}, 200),
    "body": ({"path": "/1/items", "method": "POST", "json": {"name": "a"}}, 201),
    "embedded": (
        {
            "path": "/1/embedded",
            "method": "POST",
            "json": {"item": {"name": "a"}, "count": 2},
        },
        201,
    ),
    "form": ({"path": "/1/form", "method": "POST", "data": {"name": "a"}}, 201),
    "upload": (
        {
            "path": "/1/upload",
            "method": "POST",
            "data": {"photo": (io.BytesIO(b"x"), "x.png")},
        },
        201,
    ),
    "raw": (
        {"path": "/1/raw", "method": "POST", "data": b"x", "content_type": "text/x"},
        201,
    ),
    "failed response": ({"path": "/1/wrong"}, 500),
    "unknown path": ({"path": "/nowhere"}, 404),
    "media type": ({"path": "/1/items", "method": "POST", "data": "x"}, 415),
}


def refuse(*args: object, **kwargs: object) -> None:
    raise AssertionError("a signature or a type was read during a request")


ANALYSIS = (
    (inspect, "signature"),
    (typing, "get_type_hints"),
    (pydantic.TypeAdapter, "__init__"),
    (pydantic, "create_model"),
)


@pytest.mark.parametrize(("sent", "status"), REQUESTS.values(), ids=REQUESTS)
def test_a_request_reads_no_signature(sent, status):
    app = Flask(__name__)
    app.register_blueprint(bp)
    app.init_app()
    client = app.test_client()

    with pytest.MonkeyPatch.context() as patch:
        for owner, name in ANALYSIS:
            patch.setattr(owner, name, refuse)
        response = client.open(**sent)

    assert response.status_code == status, response.text
