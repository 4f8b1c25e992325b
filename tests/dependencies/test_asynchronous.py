"""Asynchronous dependencies and views run in one coroutine, on one event loop."""

import asyncio
import typing as t
from contextvars import ContextVar

import flask
import pytest
from client import client_of

from flask_signature import Blueprint, Depends


@pytest.fixture
def loops():
    """The loop and the task that each asynchronous function has run in."""
    return []


def note(loops):
    # Kept, so that no other one gets its identity.
    loops.append((asyncio.get_running_loop(), asyncio.current_task()))


def is_one(loops):
    return len({(id(loop), id(task)) for loop, task in loops}) == 1


def dependencies(loops):
    """An asynchronous generator, and a coroutine function that depends on it."""

    async def get_db():
        note(loops)
        await asyncio.sleep(0)
        yield "db"
        await asyncio.sleep(0)
        note(loops)

    async def get_book(n: int = 1, db=Depends(get_db)) -> str:
        note(loops)
        await asyncio.sleep(0)
        return f"book {n} of {db}"

    return get_db, get_book


def test_dependencies_and_view_share_one_loop_and_one_task(any_app, loops, written):
    get_db, get_book = dependencies(loops)
    bp = Blueprint("bp", __name__, dependencies=[get_book])

    def show(book=Depends(get_book), db=Depends(get_db)) -> str:
        note(loops)
        return f"{book} {db}"

    bp.get("/")(written(show))
    any_app.register_blueprint(bp)

    assert any_app.test_client().get("/?n=7").text == "book 7 of db db"
    assert len(loops) == 4
    assert is_one(loops)


def test_an_asynchronous_view_needs_no_loop_for_plain_dependencies(loops, log):
    async def show(db=Depends(log.opening("db"))) -> str:
        note(loops)
        await asyncio.sleep(0)
        log.append("view")
        return db

    assert client_of(show).get("/").text == "db"
    assert log == ["open db", "view", "commit db", "close db"]
    assert len(loops) == 1


def test_new_loops_are_counted(loops, monkeypatch):
    made = []
    new = asyncio.new_event_loop

    def count():
        made.append(1)
        return new()

    async def show(book=Depends(dependencies(loops)[1])) -> str:
        return book

    client = client_of(show)
    monkeypatch.setattr(asyncio, "new_event_loop", count)
    monkeypatch.setattr(asyncio.events, "new_event_loop", count)
    client.get("/")

    assert len(made) <= 1
    assert is_one(loops)


def test_an_asynchronous_guard_of_a_plain_view(app, client, loops):
    get_db, _ = dependencies(loops)
    bp = Blueprint("bp", __name__, dependencies=[get_db])
    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/sync", "sync", lambda: "sync")

    @plain.get("/async")
    async def show_async():
        note(loops)
        return "async"

    bp.register_blueprint(plain)
    app.register_blueprint(bp)

    assert client.get("/sync").text == "sync"
    assert is_one(loops)
    loops.clear()
    assert client.get("/async").text == "async"
    assert len(loops) == 3
    assert is_one(loops)


def test_a_context_variable_of_a_dependency_is_there_in_the_view():
    variable: ContextVar[str] = ContextVar("variable", default="nothing")

    async def set_async():
        token = variable.set("set")
        yield
        variable.reset(token)

    def set_plain():
        token = variable.set("set")
        yield
        variable.reset(token)

    async def show(x=Depends(set_async)) -> str:
        return variable.get()

    def show_plain(x=Depends(set_plain)) -> str:
        return variable.get()

    assert client_of(show).get("/").text == "set"
    assert client_of(show_plain).get("/").text == "set"
    assert variable.get() == "nothing"


def test_a_cancelled_task_rolls_back(written, log):
    async def get_db():
        try:
            yield "db"
        except BaseException as error:
            log.append(type(error).__name__)
            raise

    def show(db=Depends(get_db)):
        raise asyncio.CancelledError

    # It is no Exception, so that Flask makes no response of it.
    with pytest.raises(BaseException) as error:  # noqa: PT011
        client_of(written(show)).get("/")

    assert "CancelledError" in type(error.value).__name__
    assert log == ["CancelledError"]


def test_a_decorator_that_passes_its_own_loop_is_left_alone():
    async def get_db() -> str:
        return "db"

    async def show(n: int, db: t.Annotated[str, Depends(get_db)]) -> str:
        return f"{n} {db}"

    client = client_of(show, decorators=[lambda view: lambda **values: view(**values)])

    assert client.get("/?n=1").text == "1 db"
