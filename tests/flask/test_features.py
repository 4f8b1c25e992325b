"""What Flask offers around a view keeps its meaning around a typed one."""

from __future__ import annotations

import asyncio
import inspect
import io
import pydoc
import typing as t

import flask
import pytest
from flask import g, request, url_for
from flask.views import MethodView
from pydantic import BaseModel
from werkzeug.datastructures import FileStorage
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client

from flask_signature import Blueprint, Cookie, File, Flask, Form, Header, Query


class Item(BaseModel):
    """What is sent and received."""

    name: str
    price: float = 1


@pytest.fixture
def app(app: Flask) -> Flask:
    """The application in testing mode, with a key for its sessions."""
    app.config.update(TESTING=True, SECRET_KEY="secret")
    return app


def number(n: int) -> dict[str, int]:
    """A number."""
    return {"n": n}


# -- class-based views


@pytest.mark.parametrize(("is_made_anew", "second"), [(True, "30"), (False, "50")])
def test_method_view_is_made_for_every_request_or_once(
    app, client, is_made_anew, second
):
    class Counter(MethodView):
        init_every_request = is_made_anew

        def __init__(self, step: int) -> None:
            self.step = self.count = step

        def get(self, times: int = 1) -> str:
            self.count += self.step * times
            return str(self.count)

    app.add_url_rule("/count", view_func=Counter.as_view("count", step=10))

    assert [client.get("/count?times=2").text for _ in range(2)] == ["30", second]


def test_view_may_be_an_object_without_a_hash(app, client):
    class Show:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, n: int = 1) -> dict[str, int]:
            return {"n": n}

    show = Show()
    app.add_url_rule("/one", "show", show)
    app.add_url_rule("/two", "show", show)

    assert client.get("/one?n=2").json == {"n": 2}
    assert client.get("/two").json == {"n": 1}


def test_one_view_class_serves_a_list_and_its_members(app, client):
    class Members(MethodView):
        def get(self, number: int | None = None, size: int = 1) -> list[int | None]:
            return [number, size]

    view = Members.as_view("items")
    app.add_url_rule("/items/", defaults={"number": None}, view_func=view)
    app.add_url_rule("/items/<int:number>", view_func=view)

    assert client.get("/items/?size=2").json == [None, 2]
    assert client.get("/items/3?size=2").json == [3, 2]


# -- async views


def test_async_view_reads_every_location_and_has_a_response_model(app, client):
    @app.get("/shops/<int:shop>/items")
    async def search(
        shop: int, page: int = Query(1), x_user: str = Header(), sid: int = Cookie()
    ) -> dict[str, t.Any]:
        await asyncio.sleep(0)
        return {"shop": shop, "page": page, "user": x_user, "sid": sid}

    @app.post("/items")
    async def create(item: Item) -> Item:
        await asyncio.sleep(0)
        return {"name": item.name, "price": "2.5"}

    @app.post("/photos")
    async def upload(title: str = Form(), photo: FileStorage = File()):
        await asyncio.sleep(0)
        return {"title": title, "size": len(photo.read())}

    client.set_cookie("sid", "7")
    response = client.get("/shops/1/items?page=2", headers={"X-User": "ada"})
    assert response.json == {"shop": 1, "page": 2, "user": "ada", "sid": 7}
    assert client.get("/shops/1/items?page=x").status_code == 422
    response = client.post("/items", json={"name": "a"})
    assert (response.status_code, response.json) == (201, {"name": "a", "price": 2.5})
    data = {"title": "Lamp", "photo": (io.BytesIO(b"12345"), "lamp.gif")}
    assert client.post("/photos", data=data).json == {"title": "Lamp", "size": 5}


def test_async_view_raises_into_the_error_handlers(app, client):
    @app.get("/items/<int:n>")
    async def show(n: int, size: int = 1) -> str:
        await asyncio.sleep(0)
        raise LookupError(f"{n}/{size}")

    @app.errorhandler(LookupError)
    async def missing(error: LookupError) -> tuple[str, int]:
        return str(error), 404

    response = client.get("/items/4?size=2")
    assert (response.status_code, response.text) == (404, "4/2")


# -- rules


def test_preprocessor_may_be_registered_after_the_route(app, client):
    @app.route("/<lang>/")
    def index() -> str:
        return g.lang

    @app.url_value_preprocessor
    def take(endpoint, values):
        g.lang = values.pop("lang")

    assert client.get("/de/").text == "de"


def test_subdomain_variable_is_an_argument_of_the_view():
    app = Flask(__name__, subdomain_matching=True)
    app.config["SERVER_NAME"] = "shop.test"
    bp = Blueprint("users", __name__, subdomain="<user>")

    @bp.get("/n/<int:n>")
    def number(user: str, n: int, size: int = 1):
        return [user, n, size]

    app.register_blueprint(bp)
    app.init_app()
    client = app.test_client()

    response = client.get("/n/3?size=2", base_url="http://ada.shop.test")
    assert response.json == ["ada", 3, 2]
    document = client.get("/openapi.json", base_url="http://shop.test").json or {}
    parameters = document["paths"]["/n/{n}"]["get"]["parameters"]
    assert [parameter["name"] for parameter in parameters] == ["n", "size"]


def test_host_matching_tells_two_views_of_one_path_apart():
    app = Flask(__name__, host_matching=True, static_host="shop.test")

    @app.get("/n", host="shop.test")
    def shop(n: int) -> dict[str, t.Any]:
        return {"shop": n}

    @app.get("/n", host="<name>.test")
    def other(name: str, n: int) -> dict[str, t.Any]:
        return {name: n}

    client = app.test_client()
    assert client.get("/n?n=1", base_url="http://shop.test").json == {"shop": 1}
    assert client.get("/n?n=1", base_url="http://ada.test").json == {"ada": 1}
    assert client.get("/n?n=1", base_url="http://example.com").status_code == 404


@pytest.mark.parametrize(("automatic", "status"), [(None, 200), (False, 405)])
def test_options_are_answered_by_flask_unless_the_route_says_no(
    app, client, automatic, status
):
    app.get("/n", provide_automatic_options=automatic)(number)

    response = client.options("/n")
    assert response.status_code == status
    assert ("OPTIONS" in response.allow) == (status == 200)


# -- hooks and error handlers


def test_before_request_that_answers_comes_before_parsing(app, client):
    bp = Blueprint("n", __name__)

    @bp.before_request
    def refuse() -> tuple[str, int] | None:
        return None if "key" in request.args else ("no key", 401)

    bp.get("/n")(number)
    app.register_blueprint(bp)

    assert client.get("/n?n=x").status_code == 401
    assert client.get("/n?n=x&key=1").status_code == 422
    assert client.get("/n?n=3&key=1").json == {"n": 3}


def test_plain_blueprint_beside_ours_stays_plain(app, client):
    def number(n: int = 1, size: int = 2) -> dict[str, object]:
        return {"n": n, "size": size}

    for cls, name in ((flask.Blueprint, "plain"), (Blueprint, "ours")):
        bp = cls(name, __name__, url_prefix=f"/{name}")
        bp.add_url_rule("/n", view_func=number, methods=["GET", "POST"])
        app.register_blueprint(bp)
    app.init_app()

    assert client.get("/plain/n?n=x").json == {"n": 1, "size": 2}
    assert client.post("/plain/n").status_code == 200
    assert client.get("/ours/n?n=5").json == {"n": 5, "size": 2}
    assert list((client.get("/openapi.json").json or {})["paths"]) == ["/ours/n"]


# -- contexts, sessions and signals


def context_arguments(context: t.Any) -> tuple[t.Any, ...]:
    """What Flask's own methods take first: the context, since Flask 3.2."""
    parameters = inspect.signature(flask.Flask.full_dispatch_request).parameters
    return (context,) if "ctx" in parameters else ()


def test_typed_view_can_be_called_in_a_test_request_context(app):
    @app.post("/items/<int:number>")
    def create(number: int, item: Item) -> Item:
        return Item(name=f"{request.path} {number} {item.name}")

    context = app.test_request_context("/items/3", method="POST", json={"name": "a"})
    with context:
        assert request.endpoint == "create"
        assert create(3, Item(name="b")).name == "/items/3 3 b"
        response = app.full_dispatch_request(*context_arguments(context))
    assert response.status_code == 201
    assert response.json == {"name": "/items/3 3 a", "price": 1.0}


def test_client_keeps_the_context_of_a_typed_request(app, client):
    app.get("/n/<int:n>")(lambda n, size=1: {"n": n})

    with client:
        client.get("/n/3?size=2")
        assert request.view_args == {"n": 3}
        assert request.args["size"] == "2"
        assert request.endpoint == "<lambda>"


def broken(n: int) -> str:
    raise LookupError(n)


def test_signals_are_sent_around_read_refused_and_failing_requests(app, client):
    sent: list[str] = []
    app.get("/n")(number)

    def started(sender, **extra):
        sent.append("started")

    def finished(sender, response, **extra):
        sent.append(response.status)

    def failed(sender, exception, **extra):
        sent.append(repr(exception))

    app.get("/broken")(broken)
    with (
        flask.request_started.connected_to(started, app),
        flask.request_finished.connected_to(finished, app),
        flask.got_request_exception.connected_to(failed, app),
    ):
        client.get("/n?n=1")
        client.get("/n?n=x")
        with pytest.raises(LookupError):
            client.get("/broken?n=3")
    assert sent == [
        *("started", "200 OK", "started", "422 UNPROCESSABLE ENTITY"),
        *("started", "LookupError(3)"),
    ]


# -- around the application


def test_view_function_of_the_application_keeps_its_name_and_module(app):
    app.get("/n")(number)

    view = app.view_functions["number"]
    assert (view.__name__, view.__module__) == ("number", __name__)
    assert view.__doc__ == "A number."


def test_application_mounted_below_another_reads_and_describes_its_own(app):
    @app.get("/n/<int:n>")
    def number(n: int, size: int = 1) -> list[t.Any]:
        return [n, size, url_for("number", n=n)]

    app.init_app()
    outer = flask.Flask("outer")
    client = Client(DispatcherMiddleware(outer, {"/api": app}))

    assert client.get("/n/3").status_code == 404
    assert client.get("/api/n/3?size=2").json == [3, 2, "/api/n/3"]
    assert list((client.get("/api/openapi.json").json or {})["paths"]) == ["/n/{n}"]


def test_json_provider_of_the_application_sends_plain_answers(app, client):
    app.json.sort_keys = False
    app.json.compact = True

    @app.get("/n")
    def number(n: int, m: int):
        return {"n": n, "m": m}

    assert client.get("/n?n=1&m=2").data == b'{"n":1,"m":2}\n'


VERBS = ("get", "head", "post", "put", "patch", "delete", "options", "connect", "trace")


@pytest.mark.parametrize("name", VERBS)
def test_verb_of_an_application_has_help(app, name):
    verb = getattr(app, name)
    text = pydoc.plain(pydoc.render_doc(verb))

    assert verb.__name__ == name
    assert f"Register a view for {name.upper()} requests" in text


def test_verb_may_be_called_on_the_class(app, client):
    bp = Blueprint("items", __name__)
    Blueprint.get(bp, "/<int:n>")(number)  # type: ignore[arg-type]
    app.register_blueprint(bp)

    assert client.get("/7").json == {"n": 7}
    assert client.post("/7").status_code == 405
