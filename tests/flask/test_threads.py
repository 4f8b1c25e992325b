"""Fresh applications whose first requests come all at once."""

from __future__ import annotations

import collections.abc as cabc
import sys
import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor

import pytest
from draws import draws
from programs import printed_by
from pydantic import BaseModel, Field

from flask_signature import Blueprint, Flask, Header, Query
from flask_signature._operations.registry import Registry

APPLICATIONS = draws(200)
THREADS = 8


class Line(BaseModel):
    article: str
    count: int = Field(1, ge=1)


class Order(BaseModel):
    number: int
    lines: list[Line]
    total: float = 0


def make_application() -> Flask:
    """A fresh application, with a view for every kind of plan."""
    bp = Blueprint("orders", __name__, url_prefix="/shops/<int:shop>")

    @bp.get("/orders")
    def search(
        shop: int, page: int = Query(1, ge=1), tag: list[str] = Query([])
    ) -> dict[str, t.Any]:
        return {"shop": shop, "page": page, "tags": tag}

    @bp.post("/orders/<int:number>")
    def create(
        shop: int, number: int, lines: list[Line], x_user: str = Header("nobody")
    ) -> Order:
        total = sum(line.count for line in lines)
        return Order(number=number, lines=lines, total=total)

    app = Flask(__name__)
    app.register_blueprint(bp)
    app.init_app()
    return app


def ask(app: Flask, n: int) -> dict[int, tuple[int, t.Any]]:
    """The answers to one thread's requests, the description among them."""
    client = app.test_client()
    requests: list[cabc.Callable[[], t.Any]] = [
        lambda: client.get(f"/shops/{n}/orders?page={n + 1}&tag=a&tag={n}"),
        lambda: client.get(f"/shops/{n}/orders?page=x{n}"),
        lambda: client.post(
            f"/shops/{n}/orders/{n}", json=[{"article": f"a{n}"}] * (n + 1)
        ),
        lambda: client.get("/openapi.json"),
    ]
    # Each thread begins with another one.
    order = [(n + turn) % 4 for turn in range(4)]
    answers = {number: requests[number]() for number in order}
    return {k: (answer.status_code, answer.json) for k, answer in answers.items()}


def expected(n: int, document: t.Any) -> dict[int, tuple[int, t.Any]]:
    """The answers that a thread must get."""
    entry = {
        "loc": ["query", "page"],
        "msg": "Input should be a valid integer, unable to parse string as an integer",
        "type": "int_parsing",
    }
    lines = [{"article": f"a{n}", "count": 1}] * (n + 1)
    return {
        0: (200, {"shop": n, "page": n + 1, "tags": ["a", str(n)]}),
        1: (422, {"detail": [entry]}),
        2: (201, {"number": n, "lines": lines, "total": float(n + 1)}),
        3: (200, document),
    }


@pytest.fixture
def short_turns() -> cabc.Iterator[None]:
    """Threads that take turns as often as Python allows."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.drawn
@pytest.mark.usefixtures("short_turns")
def test_fresh_applications_answer_eight_threads_at_once():
    document = make_application().test_client().get("/openapi.json").json
    start = threading.Barrier(THREADS)

    def run(app: Flask, n: int) -> list[tuple[int, t.Any]]:
        start.wait(timeout=60)
        return ask(app, n)

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(APPLICATIONS):
            app = make_application()
            answers = list(pool.map(lambda n, app=app: run(app, n), range(THREADS)))
            assert answers == [expected(n, document) for n in range(THREADS)]


def test_documents_are_written_at_the_same_time():
    # In a process of its own, where nothing has been described before.
    source = """
import sys
import threading
from flask_signature import Flask

sys.setswitchinterval(1e-4)
app = Flask("shop")
names = [f"d{n}" for n in range(8)]
app.config["SIGNATURE_DOCUMENTS"] = {name: {"tags": ["a"]} for name in names}

@app.get("/", tags=["a"])
def show(n: int) -> str:
    return ""

app.init_app()
start, found = threading.Barrier(len(names)), []

def ask(name):
    client = app.test_client()
    start.wait()
    found.append(client.get(f"/{name}/openapi.json").status_code)

threads = [threading.Thread(target=ask, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*found)
"""
    for _ in range(3):
        assert printed_by("-c", source).split() == ["200"] * 8


@pytest.mark.usefixtures("short_turns")
def test_operations_may_be_asked_for_while_others_are_registered(app):
    registry = Registry.of(app)

    def register() -> None:
        for number in range(300):
            app.get(f"/{number}", endpoint=f"e{number}")(lambda: "x")

    thread = threading.Thread(target=register)
    thread.start()
    while thread.is_alive():
        assert len([*registry.operations]) <= 300
    thread.join()

    assert len([*registry.operations]) == 300
