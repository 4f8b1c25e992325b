"""Class-based views: their decorators stand around the reading of the request."""

from __future__ import annotations

import functools
import typing as t
from concurrent.futures import ThreadPoolExecutor

import flask
import pytest
from flask import abort, request
from flask.views import MethodView, View
from guards import noting
from models import Item
from view_classes import RunsOnlyCoroutines

from flask_signature import Blueprint, Flask, Query

USER = {"Authorization": "Bearer x"}


def named(name: str) -> dict[str, str]:
    """What views return, of which the model lets the name through alone."""
    return {"name": name, "password": "secret"}


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


def client_of(view_class, *, base=Flask, decorators=()):
    app = base(__name__)
    app.config["SIGNATURE_OPENAPI"] = False
    bp = Blueprint("bp", __name__, decorators=decorators)
    bp.add_url_rule("/<int:n>", view_func=view_class.as_view("items"))
    app.register_blueprint(bp)
    return app.test_client()


class Items(MethodView):
    decorators: t.ClassVar = [login]

    def get(self, n: int, page: int = 1) -> Item:
        return named(f"{n} {page}")

    def post(self, n: int, item: Item) -> Item:
        return named(f"{n} {item.name}")

    def delete(self, n: int):
        return f"deleted {n}"


class Once(Items):
    init_every_request = False


class Inherited(Items):
    """A class that overrides nothing."""


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
        assert client.put("/7").status_code == 405


class Page(View):
    decorators: t.ClassVar = [login]
    methods: t.ClassVar = ["GET", "POST"]

    def dispatch_request(self, n: int, page: int = 1) -> Item:
        return named(f"{n} {page}")


class Async(MethodView):
    decorators: t.ClassVar = [login]

    async def get(self, n: int, page: int = 1) -> Item:
        return named(f"{n} {page}")


class Methods(MethodView):
    """Methods that take no instance."""

    decorators: t.ClassVar = [login]

    @staticmethod
    def get(n: int, page: int = 1) -> Item:
        return named(f"{n} {page}")

    @classmethod
    def post(cls, n: int, item: Item) -> Item:
        return named(item.name)


class OwnView(Items):
    @classmethod
    def as_view(cls, name, *args, **options):
        return super().as_view(name, *args, **options)


class CallsFlasks(Flask):
    def ensure_sync(self, func):
        return super().ensure_sync(func)


@pytest.mark.parametrize(
    ("view_class", "base"),
    [
        (Page, Flask),
        (Async, Flask),
        (Methods, Flask),
        (OwnView, Flask),
        (Items, CallsFlasks),
    ],
)
def test_class_reads_the_request_inside_of_its_decorators(view_class, base):
    client = client_of(view_class, base=base)
    assert client.get("/7?page=x").status_code == 401
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}
    assert client.get("/7?page=x", headers=USER).status_code == 422


def test_decorators_run_from_the_last_inwards():
    log: list[str] = []
    around = [noting(log, "inner"), noting(log, "outer")]
    client = client_of(type("Noted", (Simple,), {"decorators": around}))
    assert client.get("/7?page=x").status_code == 422
    assert log == ["outer", "inner"]


def test_class_method_reads_the_request():
    client = client_of(Methods)
    assert client.post("/7", json={"name": "a"}, headers=USER).json == {"name": "a"}


def test_plain_application_reads_before_the_decorators_of_a_class():
    client = client_of(Page, base=flask.Flask)
    assert client.get("/7?page=x").status_code == 422


class LeavesFunctions(Flask):
    def ensure_sync(self, func):
        return func


@pytest.mark.parametrize("base", [LeavesFunctions, RunsOnlyCoroutines])
def test_application_that_does_not_ask_flask_for_each_function(base):
    client = client_of(Items, base=base)
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}
    assert client.get("/7?page=x", headers=USER).status_code == 422


class Simple(MethodView):
    """A view whose method is to be parsed and filtered."""

    def get(self, n: int, page: int = Query(1)) -> Item:
        return named(f"{n} {page}")


class Replaced(Simple):
    """The instance replaces the method."""

    def __init__(self):
        self.get = functools.partial(self.get)


class Direct(Simple):
    """The method is called without Flask."""

    def dispatch_request(self, **view_args):
        return getattr(self, request.method.lower())(**view_args)


class Mixed(Simple):
    """Some methods are called without Flask."""

    def dispatch_request(self, **view_args):
        if request.method == "GET":
            return self.get(**view_args)
        return super().dispatch_request(**view_args)


class Branching(Direct):
    """Some calls are left to another method of the class."""

    def dispatch_request(self, **view_args):
        if "x" in request.args:
            return super().dispatch_request(**view_args)
        return MethodView.dispatch_request(self, **view_args)


class CallsFlask(MethodView):
    def dispatch_request(self, **view_args):
        return super().dispatch_request(**view_args)


class WrappedOnTheInstance(CallsFlask, Simple):
    def __init__(self):
        self.get = functools.wraps(self.get)(lambda **kw: Simple.get(self, **kw))


class PartialMethod(CallsFlask):
    get = functools.partialmethod(Simple.get)


def twice(view):
    @functools.wraps(view)
    def wrapper(**view_args):
        view(**view_args)
        return view(**view_args)

    return wrapper


def in_a_thread(view):
    @functools.wraps(view)
    def wrapper(**view_args):
        with ThreadPoolExecutor(1) as pool:
            call = flask.copy_current_request_context(view)
            return pool.submit(call, **view_args).result()

    return wrapper


def asynchronous(view):
    @functools.wraps(view)
    async def wrapper(**view_args):
        return view(**view_args)

    return wrapper


def elsewhere(view):
    @functools.wraps(view)
    def wrapper(**view_args):
        with flask.Flask("other").app_context():
            return view(**view_args)

    return wrapper


def decorated(decorator):
    return type(decorator.__name__, (Simple,), {"decorators": [decorator]})


@pytest.mark.parametrize(
    "view_class",
    [
        *(Replaced, Direct, Mixed, Branching, WrappedOnTheInstance, PartialMethod),
        *map(decorated, (twice, in_a_thread, asynchronous)),
    ],
)
def test_class_that_calls_its_method_in_its_own_way(view_class):
    client = client_of(view_class)
    for url in ("/7?", "/7?x&"):
        assert client.get(f"{url}page=2").json == {"name": "7 2"}
        assert client.get(f"{url}page=x").status_code == 422


def test_response_is_filtered_where_another_application_is_asked():
    assert "password" not in client_of(decorated(elsewhere)).get("/7?page=2").text


def test_method_that_calls_another_one_calls_it_as_it_is():
    class Calls(MethodView):
        def get(self, n: int, page: int = 1) -> Item:
            return {"name": f"{n} {page}"}

        def post(self, n: int) -> Item:
            return flask.current_app.ensure_sync(self.get)(n=n, page="as it is")

    assert client_of(Calls).post("/7?page=2").json == {"name": "7 as it is"}


def test_view_that_is_called_in_the_request_of_another_one(app, client):
    app.add_url_rule("/items/<int:n>", view_func=Items.as_view("items"))
    app.get("/", endpoint="index")(lambda: app.view_functions["items"](n=9))

    assert client.get("/?page=2", headers=USER).json == {"name": "9 2"}
    assert client.get("/?page=x", headers=USER).status_code == 422


@pytest.mark.parametrize("when", ["before", "after"])
def test_ensure_sync_of_an_instance_that_is_wrapped(app, client, when):
    original = app.ensure_sync
    if when == "before":
        app.ensure_sync = lambda function: original(function)
    app.add_url_rule("/<int:n>", view_func=Simple.as_view("items"))
    app.ensure_sync = lambda function: original(function)
    assert client.get("/7?page=2").json == {"name": "7 2"}
    assert client.get("/7?page=x").status_code == 422


def test_another_class_that_a_decorator_calls_instead():
    class New(MethodView):
        def get(self, n):
            return flask.make_response({"name": f"new {n}"}, 202)

    def instead(view):
        return functools.wraps(view)(lambda **args: New.as_view("new")(**args))

    response = client_of(decorated(instead)).get("/7?page=2")
    assert (response.status_code, response.json) == (202, {"name": "new 7"})


def test_class_of_a_view_that_is_replaced(app, client):
    class Fake(MethodView):
        def get(self, n, page):
            return named(f"fake {page!r}")

    view = Simple.as_view("items")
    app.add_url_rule("/<int:n>", view_func=view)
    view.view_class = Fake
    assert client.get("/7?page=2").json == {"name": "fake 2"}


def override(view):
    """A decorator that changes the method of the request."""

    @functools.wraps(view)
    def wrapper(**view_args):
        request.method = request.headers.get("X-Method", request.method)
        return view(**view_args)

    return wrapper


PATCH = {"X-Method": "PATCH"}


class Verbs(MethodView):
    decorators: t.ClassVar = [override]

    def post(self, n: int) -> dict[str, str]:
        return {"name": "post"}

    def patch(self, n: int) -> Item:
        return named("patch")


def test_method_that_a_decorator_has_changed():
    client = client_of(Verbs)
    assert client.post("/7").json == {"name": "post"}
    assert client.post("/7", headers=PATCH).json == {"name": "patch"}


def test_method_that_a_decorator_has_changed_to_one_that_the_rule_lacks(app, client):
    app.add_url_rule("/<int:n>", view_func=Verbs.as_view("v"), methods=["POST"])
    response = client.post("/7", headers=PATCH)
    assert response.status_code == 500
    assert "password" not in response.text


def test_class_that_reads_nothing_stays_flasks(app, client):
    class Plain(MethodView):
        decorators: t.ClassVar = [override]

        def get(self):
            return "get"

        def patch(self):
            return "patch"

    app.add_url_rule("/", view_func=Plain.as_view("v"), methods=["GET"])
    response = client.get("/", headers=PATCH)
    assert (response.status_code, response.text) == (200, "patch")


def test_decorators_get_the_response(app, client):
    view = Items.as_view("items")
    app.add_url_rule("/<int:n>", view_func=view)
    client.get("/7", headers=USER)
    assert [response.json for response in view.seen] == [{"name": "7 1"}]


class Resource(MethodView):
    """A class like those of Flask-RESTful, whose decorators are around its methods."""

    def dispatch_request(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
        return with_user(getattr(self, request.method.lower()))(*args, **kwargs)


def with_user(method):
    @functools.wraps(method)
    def wrapper(*args, **kwargs):
        kwargs.setdefault("user", "ann")
        return method(*args, **kwargs)

    return wrapper


class Users(Resource):
    def get(self, user):
        return f"{user}"

    def post(self, user, n):
        return f"{user} {n}", 200


class Inside(Users):
    def dispatch_request(self, *args, **kwargs):
        return super().dispatch_request(*args, **kwargs)


@pytest.mark.parametrize("view_class", [Users, Inside])
@pytest.mark.parametrize("on_blueprint", [True, False])
def test_argument_that_a_dispatch_passes_is_not_read(any_app, view_class, on_blueprint):
    rules = Blueprint("bp", __name__) if on_blueprint else any_app
    view = view_class.as_view("items")
    rules.add_url_rule("/", view_func=view, methods=["GET"])
    rules.add_url_rule("/<n>", view_func=view, methods=["POST"])
    if on_blueprint:
        any_app.register_blueprint(rules)
    client = any_app.test_client()

    assert client.get("/?user=admin").text == "ann"
    assert client.post("/7?user=admin", data=b"user=admin").text == "ann 7"
    assert client.post("/7", json={"user": "admin", "n": 8}).text == "ann 7"


def test_annotated_argument_of_a_class_with_a_dispatch_request_is_read(app, client):
    class Items(Resource):
        def get(self, user, page: int = 1):
            return f"{user} {page}"

    app.add_url_rule("/", view_func=Items.as_view("items"))

    assert client.get("/?page=2&user=admin").text == "ann 2"
    assert client.get("/?page=x").status_code == 422
