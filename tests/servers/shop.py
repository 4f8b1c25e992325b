"""The application that every server runs. Its views print what they do."""

from __future__ import annotations

import asyncio
import collections.abc as cabc
import hashlib
import os
import sys
import threading
import time

from pydantic import BaseModel

from flask_signature import Blueprint, Event, File, Flask, Form, UploadFile

bp = Blueprint("shop", __name__, url_prefix="/shops/<int:shop_id>")


class Order(BaseModel):
    article: str
    count: int = 1


class Receipt(Order):
    shop_id: int


def note(text: str) -> None:
    """Print a line where the tests can see it at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@bp.get("/double")
def double(shop_id: int, n: int) -> dict[str, int]:
    return {"shop": shop_id, "twice": 2 * n}


@bp.post("/orders")
def order(shop_id: int, item: Order) -> Receipt:
    note(f"order of {item.article}")
    return {"shop_id": shop_id, **item.model_dump()}


@bp.query("/orders")
def find_orders(shop_id: int, item: Order) -> Receipt:
    return Receipt(shop_id=shop_id, **item.model_dump())


@bp.post("/photos")
def upload(
    shop_id: int, title: str = Form(), photo: UploadFile = File()
) -> dict[str, object]:
    digest = hashlib.sha256(photo.read()).hexdigest()
    return {"shop": shop_id, "title": title, "name": photo.filename, "sha256": digest}


@bp.get("/report")
def report(shop_id: int, lines: int) -> cabc.Iterator[str]:
    for line in range(lines):
        yield f"{shop_id}/{line}\n"
        time.sleep(1)


@bp.get("/arrivals")
async def arrivals(shop_id: int, count: int) -> cabc.AsyncIterator[Event[Order]]:
    try:
        for number in range(count):
            yield Event(Order(article="lamp", count=shop_id), id=number)
            await asyncio.sleep(1)
    finally:
        note("arrivals end")


@bp.get("/loop")
async def show_loop(shop_id: int) -> dict[str, int]:
    await asyncio.sleep(0.01)
    loop = asyncio.get_running_loop()
    return {
        "shop": shop_id,
        "process": os.getpid(),
        "thread": threading.get_ident(),
        "loop": id(loop),
    }


@bp.get("/slow")
def slow(shop_id: int, seconds: float) -> dict[str, float]:
    note("slow begins")
    time.sleep(seconds)
    return {"slept": seconds}


@bp.post("/notes")
def add_note(shop_id: int, article: str = Form()) -> dict[str, int]:
    note("note of lamp")
    return {"length": len(article)}


app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 8_000_000
app.config["SIGNATURE_ASYNC_LOOP"] = "thread"
app.config["SIGNATURE_OPENAPI_VERSION"] = "3.2"
app.register_blueprint(bp)
app.init_app()
note("ready")
