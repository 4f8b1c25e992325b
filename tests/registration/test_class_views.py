"""Class-based views: their decorators stand around the reading of the request."""

from __future__ import annotations

import functools
import typing as t
import warnings

import flask
import pytest
from flask import abort
from flask import request
from flask.views import MethodView
from flask.views import View
from pydantic import BaseModel

from flask_signature import Blueprint
from flask_signature import Flask
from flask_signature import SignatureWarning


class Item(BaseModel):
    """What is received and sent."""

    name: str


SECRET = {"name": "chair", "password": "secret"}


def login(view):
    """A login, that also tells what it got."""

    @functools.wraps(view)
    def wrapper(**view_args):
        if "Authorization" not in request.headers:
            abort(401)
        seen.append(view(**view_args))
        return seen[-1]

    seen = wrapper.seen = []
    return wrapper


class Items(MethodView):
    decorators: t.ClassVar = [login]

    def get(self, n: int, page: int = 1) -> Item:
        return {**SECRET, "name": f"{n} {page}"}

    def post(self, n: int, item: Item) -> Item:
        return {**SECRET, "name": f"{n} {item.name}"}

    def delete(self, n: int):
        return f"deleted {n}"


class Page(View):
    decorators: t.ClassVar = [login]
    methods: t.ClassVar = ["GET", "POST"]

    def dispatch_request(self, n: int, page: int = 1) -> Item:
        return {**SECRET, "name": f"{n} {page}"}


class Once(Items):
    init_every_request = False


class Inherited(Items):
    """A class that overrides nothing."""


def client_of(view_class, *, base=Flask, decorators=()):
    app = base(__name__)
    app.config["SIGNATURE_OPENAPI"] = False
    bp = Blueprint("bp", __name__, decorators=decorators)
    bp.add_url_rule("/<int:n>", view_func=view_class.as_view("items"))
    app.register_blueprint(bp)
    return app.test_client()


USER = {"Authorization": "Bearer x"}


@pytest.mark.parametrize("view_class", [Items, Once, Inherited])
class TestMethodView:
    def test_decorators_run_before_a_request_is_refused(self, view_class):
        client = client_of(view_class)
        assert client.get("/7?page=x").status_code == 401
        assert client.get("/7?page=x", headers=USER).status_code == 422
        assert client.post("/7", data=b"{").status_code == 401
        assert client.post("/7", data=b"{").status_code == 401

    def test_methods_read_the_request_and_respond(self, view_class):
        client = client_of(view_class)
        got = client.get("/7?page=2", headers=USER)
        assert (got.status_code, got.json) == (200, {"name": "7 2"})
        posted = client.post("/7", json={"name": "a"}, headers=USER)
        assert (posted.status_code, posted.json) == (201, {"name": "7 a"})
        deleted = client.delete("/7", headers=USER)
        assert (deleted.status_code, deleted.data) == (204, b"")
        assert client.head("/7?page=x", headers=USER).status_code == 422
        assert client.head("/7?page=2", headers=USER).status_code == 200

    def test_decorators_of_route_and_blueprint_stand_outside(self, view_class):
        order = []

        def note(view):
            @functools.wraps(view)
            def wrapper(**view_args):
                order.append(sorted(view_args))
                return view(**view_args)

            return wrapper

        client = client_of(view_class, decorators=[note])
        assert client.get("/7?page=x").status_code == 401
        assert order == [["n"]]


def test_view_reads_the_request_inside_of_its_decorators():
    client = client_of(Page)
    assert client.get("/7?page=x").status_code == 401
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}
    assert client.get("/7?page=x", headers=USER).status_code == 422


def test_async_method_reads_the_request_inside_of_the_decorators():
    class Async(MethodView):
        decorators: t.ClassVar = [login]

        async def get(self, n: int, page: int = 1) -> Item:
            return {**SECRET, "name": f"{n} {page}"}

    client = client_of(Async)
    assert client.get("/7?page=x").status_code == 401
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}


def test_static_and_class_methods():
    class Methods(MethodView):
        decorators: t.ClassVar = [login]

        @staticmethod
        def get(n: int, page: int = 1) -> Item:
            return {**SECRET, "name": f"{n} {page}"}

        @classmethod
        def post(cls, n: int, item: Item) -> Item:
            return {**SECRET, "name": item.name}

    client = client_of(Methods)
    assert client.get("/7?page=x").status_code == 401
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}
    assert client.post("/7", json={"name": "a"}, headers=USER).json == {"name": "a"}


def test_method_that_an_instance_replaces_is_parsed_and_filtered():
    class Replaced(MethodView):
        def __init__(self):
            self.get = functools.partial(self.get)

        def get(self, n: int, page: int = 1) -> Item:
            return {**SECRET, "name": f"{n} {page}"}

    client = client_of(Replaced)
    assert client.get("/7?page=2").json == {"name": "7 2"}
    assert client.get("/7?page=x").status_code == 422


def test_method_that_calls_another_one_calls_it_as_it_is():
    class Calls(MethodView):
        def get(self, n: int, page: int = 1) -> Item:
            return {"name": f"{n} {page}"}

        def post(self, n: int) -> Item:
            ensured = flask.current_app.ensure_sync(self.get)(n=n, page="as it is")
            return {"name": ensured["name"]}

    client = client_of(Calls)
    assert client.post("/7?page=2").json == {"name": "7 as it is"}


def test_view_that_is_called_in_the_request_of_another_one():
    app = Flask(__name__)
    app.add_url_rule("/items/<int:n>", view_func=Items.as_view("items"))

    @app.get("/")
    def index():
        return app.view_functions["items"](n=9)

    client = app.test_client()
    assert client.get("/?page=2", headers=USER).json == {"name": "9 2"}
    assert client.get("/?page=x", headers=USER).status_code == 422


def test_dispatch_request_that_calls_the_method_by_itself():
    class Direct(MethodView):
        def dispatch_request(self, **view_args):
            return getattr(self, request.method.lower())(**view_args)

        def get(self, n: int, page: int = 1) -> Item:
            return {**SECRET, "name": f"{n} {page}"}

    client = client_of(Direct)
    assert client.get("/7?page=2").json == {"name": "7 2"}
    assert client.get("/7?page=x").status_code == 422


def test_application_that_overrides_ensure_sync():
    class Own(Flask):
        def ensure_sync(self, func):
            return func

    with pytest.warns(SignatureWarning, match="reads the request before"):
        client = client_of(Items, base=Own)
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}
    assert client.get("/7?page=x", headers=USER).status_code == 422


def test_plain_application_warns_of_decorators_that_run_too_late():
    with pytest.warns(SignatureWarning) as caught:
        client = client_of(Page, base=flask.Flask)
    line = Page.dispatch_request.__code__.co_firstlineno
    assert str(caught[0].message) == (
        "GET /{n}: Page.dispatch_request() reads the request before the decorators of"
        " its class run, since nothing here asks for the method to call. Give the"
        " decorators to the route, with decorators=."
        f" (tests/registration/test_class_views.py, line {line})"
    )
    assert client.get("/7?page=x").status_code == 422


def test_plain_application_is_silent_where_nothing_is_read():
    class Plain(MethodView):
        decorators: t.ClassVar = [login]

        def get(self, n):
            return str(n)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        client = client_of(Plain, base=flask.Flask)
    assert client.get("/7", headers=USER).text == "7"


def test_decorators_get_the_response():
    app = Flask(__name__)
    view = Items.as_view("items")
    app.add_url_rule("/<int:n>", view_func=view)
    app.test_client().get("/7", headers=USER)
    assert [response.json for response in view.seen] == [{"name": "7 1"}]
