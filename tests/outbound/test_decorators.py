"""What decorators below the route make a response of has to fit the response model."""

from __future__ import annotations

import functools
import sys
import typing as t
from concurrent.futures import ThreadPoolExecutor

import flask
import pytest
from flask import current_app, jsonify, make_response
from flask.views import MethodView
from pydantic import BaseModel

from flask_signature import Blueprint, Depends, Flask

SECRET = {"name": "chair", "password": "secret"}


class Item(BaseModel):
    name: str


class Envelope(BaseModel):
    data: Item


class Note(BaseModel):
    text: str = ""


class Problem(BaseModel):
    reason: str


def json_response(*args, **kwargs):
    return current_app.json.response(*args, **kwargs)


with_both = pytest.mark.parametrize("make", [jsonify, json_response])


def shown(name):
    """A decorator, as messages show it."""
    return f"{name}()" if sys.version_info >= (3, 11) else "wrapper()"


def through(make):
    """A decorator that makes a response of what the view has returned."""

    def decorate(view):
        @functools.wraps(view)
        def wrapper(*args, **view_args):
            return make(view(*args, **view_args))

        return wrapper

    return decorate


def envelope(view):
    @functools.wraps(view)
    def wrapper(**view_args):
        return jsonify(data=view(**view_args))

    return wrapper


def show() -> Item:
    return SECRET


def show_with_argument(page: int = 1) -> Item:
    return SECRET


def show_with_dependency(page: int = Depends(lambda: 1)) -> Item:
    return SECRET


async def show_asynchronously() -> Item:
    return SECRET


def in_thread(make):
    """A decorator that calls the view and makes the response in another thread."""

    def decorate(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            run = flask.copy_current_request_context(lambda: make(view(**view_args)))
            with ThreadPoolExecutor(1) as pool:
                return pool.submit(run).result()

        return wrapper

    return decorate


class Through:
    """A decorator that is an object, around what it is given by an attribute."""

    def __init__(self, make, view):
        functools.update_wrapper(self, view)
        self.make, self.view = make, view

    def __call__(self, **view_args):
        return self.make(self.view(**view_args))


def asynchronously(make):
    def decorate(view):
        @functools.wraps(view)
        async def wrapper(**view_args):
            return make(await view(**view_args))

        return wrapper

    return decorate


class TestValueOfTheView:
    @with_both
    @pytest.mark.parametrize("view", [show, show_with_argument, show_with_dependency])
    @pytest.mark.parametrize(
        "decorate",
        [through, in_thread, lambda make: functools.partial(Through, make)],
        ids=["function", "thread", "object"],
    )
    def test_model_filters_it(self, make, view, decorate):
        app = Flask(__name__)
        app.post("/")(decorate(make)(view))

        response = app.test_client().post("/", json={})

        assert (response.status_code, response.json) == (201, {"name": "chair"})

    @with_both
    def test_model_filters_it_in_async_decorators(self, make):
        app = Flask(__name__)
        app.get("/")(asynchronously(make)(show_asynchronously))

        assert app.test_client().get("/").json == {"name": "chair"}

    @with_both
    def test_model_filters_it_of_a_method_and_in_a_blueprint(self, make):
        class Items(MethodView):
            @through(make)
            def get(self) -> Item:
                return SECRET

        app, bp = Flask(__name__), Blueprint("bp", __name__)
        bp.add_url_rule("/", view_func=Items.as_view("items"))
        app.register_blueprint(bp)

        assert app.test_client().get("/").json == {"name": "chair"}

    @with_both
    def test_model_filters_it_in_each_of_several_decorators(self, make):
        app = Flask(__name__)
        app.get("/")(through(make_response)(through(make)(show)))

        assert app.test_client().get("/").json == {"name": "chair"}

    def test_a_model_may_be_given_to_jsonify(self):
        app = Flask(__name__)

        @app.get("/")
        @through(jsonify)
        def view() -> Item:
            return Item(name="chair")

        assert app.test_client().get("/").json == {"name": "chair"}

    def test_what_the_decorator_reads_of_the_response_is_filtered(self):
        kept = []

        def keep(view):
            @functools.wraps(view)
            def wrapper(**view_args):
                response = jsonify(view(**view_args))
                kept.append(response.get_data())
                return response

            return wrapper

        app = Flask(__name__)
        app.get("/")(keep(show))
        app.test_client().get("/")

        assert kept == [b'{"name":"chair"}']


class TestEnvelope:
    @pytest.mark.parametrize("returned", [SECRET, Item(name="chair")])
    def test_one_that_is_not_declared_is_refused(self, caplog, returned):
        app = Flask(__name__)

        @app.get("/")
        @envelope
        def view() -> Item:
            return returned

        response = app.test_client().get("/")

        assert response.status_code == 500
        assert "secret" not in response.text
        assert f"GET /: {shown('envelope')} around view() returned " in caplog.text

    @pytest.mark.parametrize("returned", [SECRET, Item(name="chair")])
    def test_one_that_is_declared_is_filtered(self, returned):
        app = Flask(__name__)

        @app.get("/", response_model=Envelope)
        @envelope
        def view():
            return returned

        assert app.test_client().get("/").json == {"data": {"name": "chair"}}

    def test_make_response_names_the_decorator_too(self, caplog):
        app = Flask(__name__)
        app.get("/")(through(lambda value: make_response({"data": value}))(show))

        assert app.test_client().get("/").status_code == 500
        assert f"{shown('through')} around show() returned " in caplog.text


def refusing(refuse):
    """A decorator that refuses each request by a response of its own."""

    def decorate(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            return refuse()

        return wrapper

    return decorate


def refuse_with_attribute():
    response = jsonify(reason="Log in.", password="secret")
    response.status_code = 401
    return response


class TestAnotherStatus:
    """A decorator may refuse a request, as that of a log-in does."""

    REFUSALS: t.ClassVar = [
        lambda: (jsonify(reason="Log in.", password="secret"), 401),
        lambda: (jsonify(reason="Log in.", password="secret"), 401, {"X-A": "b"}),
        lambda: make_response(jsonify(reason="Log in.", password="secret"), 401),
        refuse_with_attribute,
    ]

    @pytest.mark.parametrize("refuse", REFUSALS)
    @pytest.mark.parametrize("model", [Item, Note])
    def test_a_status_without_a_model_is_sent_as_it_is(self, refuse, model):
        app = Flask(__name__)
        app.get("/", response_model=model)(refusing(refuse)(lambda: SECRET))

        response = app.test_client().get("/")

        sent = {"reason": "Log in.", "password": "secret"}
        assert (response.status_code, response.json) == (401, sent)

    @pytest.mark.parametrize("refuse", REFUSALS)
    def test_its_own_model_filters_it(self, refuse):
        app = Flask(__name__)
        app.get("/", responses={401: Problem})(refusing(refuse)(show))

        response = app.test_client().get("/")

        assert (response.status_code, response.json) == (401, {"reason": "Log in."})

    @pytest.mark.parametrize("refuse", REFUSALS)
    def test_one_that_does_not_fit_its_own_model_is_refused(self, caplog, refuse):
        app = Flask(__name__)
        app.get("/", responses={401: Item})(refusing(refuse)(show))

        response = app.test_client().get("/")

        assert response.status_code == 500
        assert f"{shown('refusing')} around show() returned " in caplog.text
        assert "secret" not in response.text

    @with_both
    def test_json_that_is_not_sent_need_not_fit(self, make):
        def log(view):
            @functools.wraps(view)
            def wrapper(**view_args):
                assert make(event="called").json == {"event": "called"}
                return view(**view_args)

            return wrapper

        app = Flask(__name__)
        app.get("/")(log(show))

        assert app.test_client().get("/").json == {"name": "chair"}


class TestOthers:
    """What is not asked for by a decorator is sent as it is."""

    @with_both
    def test_response_of_the_view_passes(self, make):
        def write():
            return make(SECRET)

        def view() -> Item:
            return write()

        app = Flask(__name__)
        app.get("/")(through(make_response)(view))

        assert app.test_client().get("/").json == SECRET

    @with_both
    def test_error_handlers_and_hooks_make_their_own(self, make):
        app = Flask(__name__)
        app.after_request(lambda response: make(late=response.json))
        app.register_error_handler(LookupError, lambda error: make({"error": 1}))

        @app.get("/")
        @through(make)
        def view() -> Item:
            raise LookupError

        assert app.test_client().get("/").json == {"late": {"error": 1}}

    @with_both
    def test_another_request_makes_its_own(self, make):
        app = Flask(__name__)
        app.get("/inner", endpoint="inner")(lambda: make(inner=1))

        def ask(view):
            @functools.wraps(view)
            def wrapper(**view_args):
                return make(view(**view_args) | app.test_client().get("/inner").json)

            return wrapper

        class Both(Item):
            inner: int

        app.get("/", response_model=Both)(ask(show))

        assert app.test_client().get("/").json == {"name": "chair", "inner": 1}

    @with_both
    def test_response_without_a_model_is_flasks(self, make):
        app = Flask(__name__)
        app.get("/decorated")(through(make)(show))
        app.post("/")(through(make)(lambda: SECRET))

        response = app.test_client().post("/")

        assert (response.status_code, response.json) == (200, SECRET)

    def test_plain_application_sends_what_decorators_make(self):
        app, bp = flask.Flask(__name__), Blueprint("bp", __name__)
        bp.get("/")(envelope(show))
        app.register_blueprint(bp)

        assert app.test_client().get("/").json == {"data": SECRET}
