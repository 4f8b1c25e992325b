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
from models import Item, Problem
from pydantic import BaseModel
from returned import through, view_of

from flask_signature import Blueprint, Depends, Flask

SECRET = {"name": "chair", "password": "secret"}


class Envelope(BaseModel):
    data: Item


class Note(BaseModel):
    text: str = ""


def json_response(*args, **kwargs):
    return current_app.json.response(*args, **kwargs)


makes = pytest.mark.parametrize("make", [jsonify, json_response, make_response])


def shown(name):
    """A decorator, as messages show it."""
    return f"{name}()" if sys.version_info >= (3, 11) else "wrapper()"


def envelope(view):
    @functools.wraps(view)
    def wrapper(**view_args):
        return jsonify(data=view(**view_args))

    return wrapper


def show() -> Item:
    return SECRET


def sent_by(view, **options):
    """The response of an application with one view."""
    app = Flask(__name__)
    app.get("/", **options)(view)
    return app.test_client().get("/")


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
    @makes
    @pytest.mark.parametrize("view", [show, show_with_argument, show_with_dependency])
    @pytest.mark.parametrize(
        "decorate",
        [through, in_thread, lambda make: functools.partial(Through, make)],
        ids=["function", "thread", "object"],
    )
    def test_model_filters_it(self, app, client, make, view, decorate):
        app.post("/")(decorate(make)(view))

        response = client.post("/", json={})

        assert (response.status_code, response.json) == (201, {"name": "chair"})

    @makes
    def test_model_filters_it_in_async_decorators(self, make):
        response = sent_by(asynchronously(make)(show_asynchronously))
        assert response.json == {"name": "chair"}

    @makes
    def test_model_filters_it_of_a_method_and_in_a_blueprint(self, app, client, make):
        class Items(MethodView):
            @through(make)
            def get(self) -> Item:
                return SECRET

        bp = Blueprint("bp", __name__)
        bp.add_url_rule("/", view_func=Items.as_view("items"))
        app.register_blueprint(bp)

        assert client.get("/").json == {"name": "chair"}

    @makes
    def test_model_filters_it_in_each_of_several_decorators(self, make):
        response = sent_by(through(make_response)(through(make)(show)))
        assert response.json == {"name": "chair"}

    @pytest.mark.parametrize(
        ("value", "status"),
        [
            ((SECRET, 202), 202),
            (Item(name="chair"), 200),
            ({"password": "secret"}, 500),
        ],
        ids=["tuple", "model", "unfit"],
    )
    def test_model_filters_what_make_response_is_given(self, value, status):
        response = sent_by(through(make_response)(view_of(Item, value)))
        assert response.status_code == status
        assert (response.json == {"name": "chair"}) == (status != 500)
        assert "secret" not in response.text

    def test_a_model_may_be_given_to_jsonify(self):
        response = sent_by(through(jsonify)(view_of(Item, Item(name="chair"))))
        assert response.json == {"name": "chair"}

    def test_what_the_decorator_reads_of_the_response_is_filtered(self):
        kept = []

        def keep(value):
            response = jsonify(value)
            kept.append(response.get_data())
            return response

        sent_by(through(keep)(show))

        assert kept == [b'{"name":"chair"}']


@pytest.mark.parametrize("returned", [SECRET, Item(name="chair")])
class TestEnvelope:
    def test_one_that_is_not_declared_is_refused(self, caplog, returned):
        response = sent_by(envelope(view_of(Item, returned)))
        assert response.status_code == 500
        assert "secret" not in response.text
        assert f"GET /: {shown('envelope')} around show() returned " in caplog.text

    def test_one_that_is_declared_is_filtered(self, returned):
        response = sent_by(envelope(lambda: returned), response_model=Envelope)
        assert response.json == {"data": {"name": "chair"}}

    def test_make_response_names_the_decorator_too(self, caplog, returned):
        decorate = through(lambda value: make_response({"data": value}))
        assert sent_by(decorate(view_of(Item, returned))).status_code == 500
        assert f"{shown('through')} around show() returned " in caplog.text


def refusing(refuse):
    """A decorator that refuses each request by a response of its own."""

    def decorate(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            return refuse()

        return wrapper

    return decorate


REASON = {"reason": "Log in.", "password": "secret"}


def refuse_with_attribute():
    response = jsonify(**REASON)
    response.status_code = 401
    return response


class TestAnotherStatus:
    """A decorator may refuse a request, as that of a log-in does."""

    REFUSALS: t.ClassVar = [
        lambda: (jsonify(**REASON), 401),
        lambda: (jsonify(**REASON), 401, {"X-A": "b"}),
        lambda: make_response(jsonify(**REASON), 401),
        refuse_with_attribute,
    ]

    @pytest.mark.parametrize("refuse", REFUSALS)
    @pytest.mark.parametrize("model", [Item, Note])
    def test_a_status_without_a_model_is_sent_as_it_is(self, refuse, model):
        response = sent_by(refusing(refuse)(lambda: SECRET), response_model=model)
        assert (response.status_code, response.json) == (401, REASON)

    @pytest.mark.parametrize("refuse", REFUSALS)
    def test_its_own_model_filters_it(self, refuse):
        response = sent_by(refusing(refuse)(show), responses={401: Problem})
        assert (response.status_code, response.json) == (401, {"reason": "Log in."})

    @pytest.mark.parametrize("refuse", REFUSALS)
    @pytest.mark.parametrize(
        "annotation",
        [
            Item | tuple[Problem, t.Literal[401]],
            tuple[Item, t.Literal[200]] | tuple[Problem, t.Literal[401]],
        ],
    )
    def test_the_model_of_an_annotated_status_filters_it(self, refuse, annotation):
        def view():
            return SECRET

        view.__annotations__ = {"return": annotation}
        response = sent_by(refusing(refuse)(view))
        assert (response.status_code, response.json) == (401, {"reason": "Log in."})

    @pytest.mark.parametrize("refuse", REFUSALS)
    def test_its_own_model_filters_it_beside_no_other(self, refuse):
        response = sent_by(refusing(refuse)(lambda: ""), responses={401: Problem})
        assert (response.status_code, response.json) == (401, {"reason": "Log in."})

    @pytest.mark.parametrize("refuse", REFUSALS)
    def test_one_that_does_not_fit_its_own_model_is_refused(self, caplog, refuse):
        response = sent_by(refusing(refuse)(show), responses={401: Item})
        assert response.status_code == 500
        assert f"{shown('refusing')} around show() returned " in caplog.text
        assert "secret" not in response.text

    @pytest.mark.parametrize("make", [jsonify, json_response])
    def test_json_that_is_not_sent_need_not_fit(self, make):
        def log(value):
            assert make(event="called").json == {"event": "called"}
            return value

        assert sent_by(through(log)(show)).json == {"name": "chair"}


class TestOthers:
    """What is not asked for by a decorator is sent as it is."""

    @makes
    def test_response_of_the_view_passes(self, make):
        def view() -> Item:
            return make(SECRET)

        assert sent_by(through(make_response)(view)).json == SECRET

    @makes
    def test_error_handlers_and_hooks_make_their_own(self, app, client, make):
        app.after_request(lambda response: make({"late": response.json}))
        app.register_error_handler(LookupError, lambda error: make({"error": 1}))

        @app.get("/")
        @through(make)
        def view() -> Item:
            raise LookupError

        assert client.get("/").json == {"late": {"error": 1}}

    @makes
    def test_another_request_makes_its_own(self, app, client, make):
        class Both(Item):
            inner: int

        def ask(value):
            return make(value | app.test_client().get("/inner").json)

        app.get("/inner", endpoint="inner")(lambda: make({"inner": 1}))
        app.get("/", response_model=Both)(through(ask)(show))

        assert client.get("/").json == {"name": "chair", "inner": 1}

    @makes
    def test_response_without_a_model_is_flasks(self, app, client, make):
        app.get("/decorated")(through(make)(show))
        app.post("/")(through(make)(lambda: SECRET))

        response = client.post("/")

        assert (response.status_code, response.json) == (200, SECRET)

    def test_plain_application_sends_what_decorators_make(self):
        app, bp = flask.Flask(__name__), Blueprint("bp", __name__)
        bp.get("/")(envelope(show))
        app.register_blueprint(bp)
        assert app.test_client().get("/").json == {"data": SECRET}
