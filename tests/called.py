"""Whose functions a request goes through: those of Flask, or those of the cycle."""

from __future__ import annotations

import functools
import sys
import typing as t
from pathlib import Path

import flask
from flask.ctx import AppContext
from flask.sessions import SecureCookieSessionInterface
from patches import environ, make_app, run, send
from pydantic import BaseModel
from werkzeug.routing import Map, MapAdapter

import flask_signature

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

CYCLE: t.Final = Path(flask_signature.__file__).parent / "_cycle"

#: What every request calls on plain Flask, where there is a session and no hook.
OF_FLASK: t.Final[list[t.Any]] = [
    flask.Flask.wsgi_app,
    flask.Flask.full_dispatch_request,
    flask.Flask.preprocess_request,
    flask.Flask.dispatch_request,
    flask.Flask.finalize_request,
    flask.Flask.process_response,
    flask.Flask.create_url_adapter,
    flask.Flask.do_teardown_request,
    flask.Flask.do_teardown_appcontext,
    AppContext.push,
    AppContext.pop,
    Map.bind_to_environ,
    MapAdapter.match,
    SecureCookieSessionInterface.get_signing_serializer,
    SecureCookieSessionInterface.open_session,
    SecureCookieSessionInterface.save_session,
]

#: The methods of ours that ask whether they may act, and then call Flask's, and those
#: that note what is set.
ASKING: t.Final = {
    ("application.py", "wsgi_app"),
    ("application.py", "__setattr__"),
    ("matching.py", "__setattr__"),
    ("contexts.py", "get_signing_serializer"),
}


class Item(BaseModel):
    name: str
    price: float = 1.0


def make_typed_app(cls: t.Any, **options: t.Any) -> flask.Flask:
    """The program of ``patches`` with a few typed views."""
    app: t.Any = make_app(lambda *args, **rest: cls(*args, **rest, **options))

    @app.get("/typed/<int:number>")
    def show(number: int, size: int = 1) -> dict[str, int]:
        return {"number": number, "size": size}

    @app.post("/typed")
    def create(item: Item) -> Item:
        flask.session["last"] = item.name
        return item

    @app.get("/stray")
    def stray():  # type: ignore[no-untyped-def]
        return Item(name="a model that no annotation names")

    return t.cast("flask.Flask", app)


def run_typed(app: flask.Flask) -> list[tuple[t.Any, ...]]:
    """What is sent for requests to plain views and to typed ones."""
    requests = (
        environ("/typed/3?size=2"),
        environ("/typed/3?size=x"),
        environ("/typed/x"),
        environ("/typed", "POST", json={"name": "lamp"}),
        environ("/typed", "POST", json={}),
        environ("/stray"),
    )
    sent = run(app) + [send(app, request) for request in requests]
    return [(*map(in_order, answer),) for answer in sent]


def in_order(value: t.Any) -> t.Any:
    """Headers with the methods of ``Allow``, a set, as every process sends them."""
    if not isinstance(value, list):
        return value
    return [
        (item[0], sorted(item[1].split(", "))) if item[0] == "Allow" else item
        for item in value
    ]


def codes_called(function: Callable[..., object], *args: object) -> set[CodeType]:
    """The code of each Python function that runs meanwhile."""
    codes: set[CodeType] = set()

    def keep(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    watched(functools.partial(function, *args), keep)
    return codes


def watched(
    function: Callable[[], t.Any], watch: t.Any, *, lines: bool = False
) -> t.Any:
    """What a function returns, of which each call is watched, or each line."""
    get, put = sys.getprofile, sys.setprofile
    if lines:
        get, put = sys.gettrace, sys.settrace
    held = get()
    put(watch)
    try:
        return function()
    finally:
        put(held)


def requests_to(app: flask.Flask) -> Callable[[], None]:
    """Sends two requests: a first one is Flask's in any case."""
    run_typed(app)

    def send_two() -> None:
        send(app, environ("/", headers={"Cookie": "session=x"}))
        send(app, environ("/items/3/"))

    return send_two


def missing_of_flask(app: flask.Flask) -> list[str]:
    """The methods of Flask that no request went through."""
    called = codes_called(requests_to(app))
    return [method.__qualname__ for method in OF_FLASK if method.__code__ not in called]


def called_of_cycle(app: flask.Flask) -> set[tuple[str, str]]:
    """The functions of the cycle that ran, by file and name, but those that ask."""
    return {
        (Path(code.co_filename).name, code.co_name)
        for code in codes_called(requests_to(app))
        if Path(code.co_filename).parent == CYCLE
    } - ASKING
