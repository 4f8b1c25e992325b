"""Every shortcut is taken in an ordinary program, and counted.

One that never runs would be noticed by no other test: what it does is the same as what
it saves. Those of the request cycle are in ``tests/cycle/test_pieces.py``.
"""

from __future__ import annotations

import re
import sys
import typing as t
from collections import Counter
from contextvars import Context
from importlib import import_module
from inspect import getattr_static
from pathlib import Path

import flask
import pytest
from called import watched
from flask import Request
from flask.json.provider import DefaultJSONProvider
from models import Item
from pydantic import BaseModel
from pydantic_core import SchemaValidator
from werkzeug.formparser import FormDataParser
from werkzeug.routing.matcher import StateMachineMatcher
from werkzeug.test import create_environ, run_wsgi_app
from werkzeug.wrappers import Response as WerkzeugResponse

import flask_signature
from flask_signature import Cookie, Flask, Form, Header, Query

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


class Preferences(BaseModel, extra="allow"): ...


def getter(name: str) -> t.Any:
    """The function of a property of requests."""
    return getattr_static(Request, name).fget


def counted(function: Callable[[], t.Any]) -> Counter[t.Any]:
    """How often each Python function is called meanwhile, and each validator.

    A function of the package is counted by its file and its name, since those inside of
    others are made anew for each view. A validator is counted by its title.
    """
    calls: Counter[t.Any] = Counter()

    def count(frame: FrameType, event: str, called: t.Any) -> None:
        if event == "call":
            code = frame.f_code
            calls.update([code, f"{Path(code.co_filename).stem}.{code.co_name}"])
        elif event == "c_call" and isinstance(called.__self__, SchemaValidator):
            calls[called.__self__.title] += 1

    watched(function, count)
    return calls


def search(q: str = "") -> str:
    return q


def list_tags(tag: list[str] = Query([])) -> str:
    return ",".join(tag)


def show_theme(theme: t.Annotated[str, Cookie()]) -> str:
    return theme


def list_cookies(cookies: t.Annotated[Preferences, Cookie()]) -> str:
    return str(cookies.model_extra)


def show_token(x_token: t.Annotated[str, Header()]) -> str:
    return x_token


def read_form(name: t.Annotated[str, Form()]) -> str:
    return name


def add(item: Item) -> str:
    return item.name


def add_signed(item: Item, x_token: t.Annotated[str, Header()]) -> str:
    return item.name + x_token


def show_item() -> Item:
    return {"name": "lamp"}  # type: ignore[return-value]


def list_items() -> list[Item]:
    return [{"name": "lamp"}]  # type: ignore[list-item]


def plain():  # type: ignore[no-untyped-def]
    return {"name": "lamp"}


GET: t.Final = (
    *(search, list_tags, show_theme, list_cookies, show_token),
    *(show_item, list_items, plain),
)
POST: t.Final = (read_form, add, add_signed)


def make_app() -> Flask:
    app = Flask("shortcuts")
    for view in GET:
        app.get(f"/{view.__name__}")(view)
    for view in POST:
        app.post(f"/{view.__name__}")(view)
    return app


#: The functions that respond to a value in Flask's own way.
RESPONDING: t.Final = (
    WerkzeugResponse.__init__,
    WerkzeugResponse.get_wsgi_headers,
    WerkzeugResponse.get_wsgi_response,
    WerkzeugResponse.get_app_iter,
)

#: The functions that read a body in Flask's own way.
READING: t.Final = (Request.get_data, getter("stream"), getter("mimetype"))

LAMP: t.Final = {"name": "lamp"}
POSTED: t.Final = {"method": "POST"}
CHARSET: t.Final = {"content_type": "application/json; charset=utf-8"}

#: A request, the functions of the package that a shortcut consists of, each called
#: once, and those that it saves.
SHORTCUTS: t.Final[dict[str, tuple[t.Any, ...]]] = {
    "plain query": (
        {"path": "/search?q=a+lamp"},
        ["request.query_parts", "readers.read_parts", "plan.read"],
        [getter("args"), "readers.add", "limits._build"],
    ),
    "any query": (
        {"path": "/list_tags?tag=%20&tag=%C3%A9"},
        ["request.query_items", "request.split_urlencoded", "plan.read"],
        [getter("args"), "limits._build"],
    ),
    "plain cookie": (
        {"path": "/show_theme", "headers": {"Cookie": "theme=dark; a=b"}},
        ["request.cookie_parts", "readers.read_parts", "plan.read"],
        [getter("cookies"), "readers.add"],
    ),
    "all cookies": (
        {"path": "/list_cookies", "headers": {"Cookie": "theme=dark; a=b"}},
        ["request.cookie_items", "request._split_pairs"],
        [getter("cookies")],
    ),
    "header": (
        {"path": "/show_token", "headers": {"X-Token": "a"}},
        ["plan.read", "limits.validate_parts"],
        ["limits._build"],
    ),
    "urlencoded form": (
        {"path": "/read_form", **POSTED, "data": LAMP},
        ["request._urlencoded_items", "request.read_data"],
        [Request._load_form_data, FormDataParser.parse, Request.get_data],
    ),
    "JSON alone": (
        {"path": "/add", **POSTED, "json": LAMP},
        ["plan.read", "request.read_data", "body.read_json"],
        [*READING, "limits._build"],
    ),
    "JSON and a header": (
        {"path": "/add_signed", **POSTED, "json": LAMP, "headers": {"X-Token": "a"}},
        ["plan.read", "request.read_data", "body.read_json"],
        [*READING, "limits._build"],
    ),
    "JSON with a charset": (
        {"path": "/add", **POSTED, "data": b'{"name": "lamp"}', **CHARSET},
        ["request.read_data", "request.mimetype_of"],
        READING,
    ),
    "response model": (
        {"path": "/show_item"},
        ["responding._dispatch_in", "cycle._send"],
        [*RESPONDING, "serializer._write_unusual", "response.response"],
    ),
    "list of models": (
        {"path": "/list_items"},
        ["responding._dispatch_in", "list[typed-dict]"],
        [*RESPONDING, "list[Item]", "response.response"],
    ),
    "dict": (
        {"path": "/plain"},
        ["json.write", "cycle._send"],
        [*RESPONDING, DefaultJSONProvider.response, DefaultJSONProvider.dumps],
    ),
    "path without variables": (
        {"path": "/plain"},
        ["matching.find"],
        ["matching._walk", StateMachineMatcher.match],
    ),
}


def sent(app: flask.Flask, request: dict[str, t.Any]) -> int:
    # A client for tests makes a response of its own.
    # Another test may have left a context.
    _, status, _ = Context().run(run_wsgi_app, app, create_environ(**request))
    return int(status.partition(" ")[0])


@pytest.mark.parametrize(
    ("request_of", "own", "saved"), SHORTCUTS.values(), ids=SHORTCUTS
)
def test_shortcut_is_taken_once(request_of, own, saved):
    app = make_app()
    assert all(sent(app, request_of) in (200, 201) for _ in range(2))

    calls = counted(lambda: sent(app, request_of))

    assert {name: calls[name] for name in own} == dict.fromkeys(own, 1)
    keys = [getattr(item, "__code__", item) for item in saved]
    assert [key for key in keys if calls[key]] == []


def register(default: int) -> None:
    app = Flask("registered")

    @app.get("/")
    def view(q: str, n: int = default) -> str:
        raise AssertionError

    @app.post("/")
    def add(item: Item) -> str:
        raise AssertionError


def test_types_that_are_alike_are_read_once():
    # No other test has such a default.
    register(56_011)

    again = counted(lambda: register(56_011))
    other = counted(lambda: register(56_012))

    assert (again["compile.parts_of"], again["compile._compile_adapter"]) == (2, 0)
    assert again["body._typed_dict"] == 0
    # The default alone is another one.
    assert other["body._typed_dict"] == 1


FOLDER: t.Final = Path(flask_signature.__file__).parent

#: A method of Flask or Werkzeug that a shortcut asks for.
ORIGINAL: t.Final = re.compile(r"(?m)^(\w+): t\.Final = find_original\(")

#: The methods, by the modules that do not belong to another version of Flask.
ORIGINALS: t.Final = [
    (module, name)
    for path in sorted(FOLDER.rglob("*.py"))
    for module in [".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)]
    for name in ORIGINAL.findall(path.read_text())
    if "_context" not in module or module in sys.modules
]


@pytest.mark.parametrize(("module", "name"), ORIGINALS)
def test_what_a_shortcut_stands_for_is_found(module, name):
    """A method that is not found equals nothing, so that a shortcut is never taken."""
    assert type(getattr(import_module(module), name)) is not object
