"""What was enforced for one call of a view is not taken for another one."""

from __future__ import annotations

import asyncio
import functools
import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor

import flask
import pytest
from flask import abort, request
from flask.views import MethodView
from senders import ANN, TOKEN, guarded, plain, show
from view_classes import OwnDispatch, OwnLoop
from werkzeug.test import run_wsgi_app

from flask_signature import Blueprint, Depends, Flask


def test_guard_is_evaluated_for_what_a_wrapper_passes(app, client):
    """A wrapper calls the view with something else than the URL has."""

    def own_item(item_id: int) -> str:
        return f"item {item_id}" if item_id != 2 else abort(403)

    @app.get("/items/<int:item_id>", dependencies=[own_item])
    def show(item_id: int, item: str = Depends(own_item)) -> str:
        return f"{item_id}: {item}"

    view = app.view_functions["show"]
    app.view_functions["show"] = lambda item_id: view(
        item_id=int(request.args.get("id", item_id))
    )

    assert client.get("/items/1").text == "1: item 1"
    assert client.get("/items/1?id=3").text == "3: item 3"
    assert client.get("/items/1?id=2").status_code == 403
    assert client.get("/items/2?id=1").status_code == 403


def test_refusal_that_a_dispatch_request_answers_is_no_second_check():
    class App(OwnDispatch):
        def dispatch_request(self, ctx=None):
            try:
                return super().dispatch_request(ctx)
            except Exception as error:
                return {"mine": error.code}, error.code

    ran = []

    def guard() -> None:
        ran.append(request.path)
        abort(403)

    app = App(__name__)
    app.get("/", dependencies=[guard])(show)

    response = app.test_client().get("/")
    assert (response.status_code, response.json) == (403, {"mine": 403})
    assert ran == ["/"]


def test_options_that_a_dispatch_request_gives_to_a_view_are_guarded():
    class App(Flask):
        def dispatch_request(self, ctx=None):
            return self.view_functions[request.endpoint](**request.view_args)

    app = App(__name__)
    app.register_blueprint(guarded(plain()))
    client = app.test_client()

    for method in ("GET", "OPTIONS"):
        assert client.open("/plain", method=method).status_code == 401
        assert client.open("/plain", method=method, headers=ANN).text == "shown"


def test_options_of_a_view_are_flasks_under_a_dispatch_request():
    app = OwnDispatch(__name__)
    app.get("/", security=TOKEN)(show)

    response = app.test_client().options("/")
    assert response.status_code == 200
    assert {*response.allow} == {"GET", "HEAD", "OPTIONS"}


def test_classes_that_are_called_in_threads_of_one_request(app, client):
    ran, barrier = [], threading.Barrier(2)

    class Items(MethodView):
        def get(self) -> str:
            return "items"

    for name in ("a", "b"):
        guards = [functools.partial(ran.append, name)]
        view = Items.as_view(name)
        app.add_url_rule(f"/{name}", view_func=view, dependencies=guards)

    @app.get("/")
    def both() -> t.Any:
        def call(name):
            barrier.wait(5)
            return app.view_functions[name]()

        with ThreadPoolExecutor(2) as pool:
            calls = [
                pool.submit(flask.copy_current_request_context(call), name)
                for name in ("a", "b")
            ]
            return [item.result() for item in calls]

    for _ in range(5):
        ran.clear()
        assert client.get("/").json == ["items", "items"]
        assert sorted(ran) == ["a", "b"]


def test_request_in_a_request_with_the_same_environ(app, client):
    """It takes nothing of the outer one, and leaves that as it was."""
    ran = []

    def guard(n: int) -> None:
        ran.append(n)
        if n == 2:
            abort(403)

    def again(view):
        @functools.wraps(view)
        def call(**kwargs):
            if kwargs["n"] == 1:
                environ = request.environ
                environ["PATH_INFO"] = "/2"
                assert run_wsgi_app(app.wsgi_app, environ)[1] == "403 FORBIDDEN"
            return view(**kwargs)

        return call

    class Items(MethodView):
        decorators: t.ClassVar = [again]

        def get(self, n: int) -> str:
            return f"{n}"

    app.add_url_rule("/<int:n>", view_func=Items.as_view("v"), dependencies=[guard])

    assert client.get("/1").text == "1"
    assert ran == [1, 2]


def stop(**kwargs: t.Any) -> t.Any:
    return next(iter(()))


class TestThreads:
    """What is called in a thread beside the loop of asynchronous guards."""

    def app(self, make: t.Any, *, barrier: threading.Barrier | None = None) -> Flask:
        async def guard() -> None:
            await asyncio.sleep(0)

        class Stops(MethodView):
            decorators: t.ClassVar = [lambda view: stop]

            async def get(self) -> str:
                return "never"

        class Meets(MethodView):
            async def get(self) -> str:
                await asyncio.to_thread(barrier.wait, 10)
                return "met"

        def meet() -> str:
            barrier.wait(10)
            return "met"

        app = make(__name__)
        bp = Blueprint("bp", __name__, dependencies=[guard])
        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/plain/stop", view_func=stop)
        plain.add_url_rule("/plain/meet", view_func=meet)
        bp.register_blueprint(plain)
        bp.add_url_rule("/class/stop", view_func=Stops.as_view("stops"))
        bp.add_url_rule("/class/meet", view_func=Meets.as_view("meets"))
        app.register_blueprint(bp)
        return t.cast("Flask", app)

    @pytest.mark.parametrize("url", ["/plain/stop", "/class/stop"])
    def test_exception_that_no_future_holds_is_an_error(self, url):
        assert self.app(Flask).test_client().get(url).status_code == 500

    @pytest.mark.parametrize("url", ["/plain/meet", "/class/meet"])
    def test_requests_do_not_wait_for_each_other(self, url):
        app = self.app(OwnLoop, barrier=threading.Barrier(2))

        with ThreadPoolExecutor(2) as pool:
            send = [pool.submit(lambda: app.test_client().get(url)) for _ in range(2)]
            assert [item.result().text for item in send] == ["met", "met"]


def test_class_that_calls_its_own_endpoint_is_guarded_again(any_app):
    def own(number: int) -> None:
        if number == 2:
            abort(403)

    class Show(MethodView):
        def get(self, number: int) -> str:
            again = flask.current_app.view_functions["bp.show"]
            return f"{number}" if "again" not in request.args else again(number=2)

    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/<int:number>", view_func=Show.as_view("show"), dependencies=[own])
    any_app.register_blueprint(bp)
    client = any_app.test_client()

    assert client.get("/1").text == "1"
    assert client.get("/1?again").status_code == 403
