"""Class-based views: their decorators stand around the reading of the request."""

from __future__ import annotations

import functools
import inspect
import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor

import flask
import pytest
from flask import abort, request
from flask.views import MethodView, View
from pydantic import BaseModel

from flask_signature import Blueprint, Flask, Query


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


def test_view_that_is_called_in_the_request_of_another_one(app, client):
    app.add_url_rule("/items/<int:n>", view_func=Items.as_view("items"))

    @app.get("/")
    def index():
        return app.view_functions["items"](n=9)

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

    client = client_of(Items, base=Own)
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}
    assert client.get("/7?page=x", headers=USER).status_code == 422


def test_plain_application_reads_before_the_decorators_of_a_class():
    client = client_of(Page, base=flask.Flask)
    assert client.get("/7?page=x").status_code == 422


def test_application_whose_ensure_sync_calls_flasks():
    class Own(Flask):
        def ensure_sync(self, func):
            return super().ensure_sync(func)

    client = client_of(Items, base=Own)
    assert client.get("/7?page=x").status_code == 401
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}


def test_class_whose_as_view_calls_flasks():
    class Own(Items):
        @classmethod
        def as_view(cls, name, *args, **options):
            return super().as_view(name, *args, **options)

    client = client_of(Own)
    assert client.get("/7?page=x").status_code == 401
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}


class Simple(MethodView):
    """A view whose method is to be parsed and filtered."""

    def get(self, n: int, page: int = Query(1)) -> Item:
        return {**SECRET, "name": f"{n} {page}"}


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


@pytest.mark.parametrize("decorator", [twice, in_a_thread, asynchronous])
def test_decorator_that_calls_the_view_in_its_own_way(decorator):
    class Decorated(Simple):
        decorators: t.ClassVar = [decorator]

    client = client_of(Decorated)
    assert client.get("/7?page=2").json == {"name": "7 2"}
    assert client.get("/7?page=x").status_code == 422


def wrapped_on_the_instance(method):
    class Own(Simple):
        def __init__(self):
            self.get = functools.wraps(self.get)(lambda **kw: Simple.get(self, **kw))

        def dispatch_request(self, **view_args):
            return super().dispatch_request(**view_args)

    return Own


def partial_method(method):
    class Own(MethodView):
        get = functools.partialmethod(method)

        def dispatch_request(self, **view_args):
            return super().dispatch_request(**view_args)

    return Own


@pytest.mark.parametrize("make", [wrapped_on_the_instance, partial_method])
def test_method_that_is_no_function_of_its_class(make):
    client = client_of(make(Simple.get))
    assert client.get("/7?page=2").json == {"name": "7 2"}
    assert client.get("/7?page=x").status_code == 422


def test_dispatch_request_that_calls_some_methods_by_itself():
    class Mixed(Simple):
        def dispatch_request(self, **view_args):
            if request.method == "GET":
                return self.get(**view_args)
            return super().dispatch_request(**view_args)

    client = client_of(Mixed)
    assert client.get("/7?page=2").json == {"name": "7 2"}


def test_application_that_asks_flask_for_some_functions_alone():
    class Own(Flask):
        def ensure_sync(self, func):
            return (
                super().ensure_sync(func) if inspect.iscoroutinefunction(func) else func
            )

    client = client_of(Items, base=Own)
    assert client.get("/7?page=2", headers=USER).json == {"name": "7 2"}


@pytest.mark.parametrize("when", ["before", "after"])
def test_ensure_sync_of_an_instance_that_is_wrapped(app, client, when):
    original = app.ensure_sync
    if when == "before":
        app.ensure_sync = lambda function: original(function)
    app.add_url_rule("/<int:n>", view_func=Simple.as_view("items"))
    app.ensure_sync = lambda function: original(function)
    assert client.get("/7?page=2").json == {"name": "7 2"}
    assert client.get("/7?page=x").status_code == 422


def test_dispatch_request_that_leaves_some_calls_to_a_method_of_its_class():
    class Mixed(Simple):
        def run(self, **view_args):
            return getattr(self, request.method.lower())(**view_args)

        def dispatch_request(self, **view_args):
            if "x" in request.args:
                return self.run(**view_args)
            return super().dispatch_request(**view_args)

    client = client_of(Mixed)
    assert client.get("/7?x&page=2").json == {"name": "7 2"}
    assert client.get("/7?page=2").json == {"name": "7 2"}


def test_two_threads_that_call_a_view_for_one_request():
    def hedged(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            with ThreadPoolExecutor(2) as pool:
                calls = [
                    pool.submit(flask.copy_current_request_context(view), **view_args)
                    for _ in range(2)
                ]
                return calls[1].result()

        return wrapper

    class Slow(Simple):
        decorators: t.ClassVar = [hedged]

        def get(self, n: int, page: int = Query(1)) -> Item:
            barrier.wait(5)
            return {**SECRET, "name": f"{n} {page}"}

    barrier, client = threading.Barrier(2), client_of(Slow)
    for _ in range(5):
        assert client.get("/7?page=2").json == {"name": "7 2"}


def test_another_class_that_a_decorator_calls_instead():
    class New(MethodView):
        def get(self, n):
            return flask.make_response({"name": f"new {n}"}, 202)

    def instead(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            return New.as_view("new")(**view_args)

        return wrapper

    class Old(Simple):
        decorators: t.ClassVar = [instead]

    response = client_of(Old).get("/7?page=2")
    assert (response.status_code, response.json) == (202, {"name": "new 7"})


def test_class_of_a_view_that_is_replaced():
    class Fake(MethodView):
        def get(self, n, page):
            return {**SECRET, "name": f"fake {page!r}"}

    app, view = Flask(__name__), Simple.as_view("items")
    app.add_url_rule("/<int:n>", view_func=view)
    view.view_class = Fake
    assert app.test_client().get("/7?page=2").json == {"name": "fake 2"}


def test_response_is_filtered_where_another_application_is_asked():
    other = flask.Flask("other")

    def elsewhere(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            with other.app_context():
                return view(**view_args)

        return wrapper

    class Decorated(Simple):
        decorators: t.ClassVar = [elsewhere]

    response = client_of(Decorated).get("/7?page=2")
    assert "password" not in response.text


class Verbs(MethodView):
    """A class whose decorator changes the method of the request."""

    def override(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            request.method = request.headers.get("X-Method", request.method)
            return view(**view_args)

        return wrapper

    decorators: t.ClassVar = [override]

    def post(self, n: int) -> dict[str, str]:
        return {"name": "post"}

    def patch(self, n: int) -> Item:
        return {**SECRET, "name": "patch"}


def test_method_that_a_decorator_has_changed():
    client = client_of(Verbs)
    assert client.post("/7").json == {"name": "post"}
    response = client.post("/7", headers={"X-Method": "PATCH"})
    assert response.json == {"name": "patch"}


def test_method_that_a_decorator_has_changed_to_one_that_the_rule_lacks(app, client):
    app.add_url_rule("/<int:n>", view_func=Verbs.as_view("v"), methods=["POST"])
    response = client.post("/7", headers={"X-Method": "PATCH"})
    assert response.status_code == 500
    assert "password" not in response.text


def test_class_that_reads_nothing_stays_flasks(app, client):
    class Plain(MethodView):
        decorators: t.ClassVar = [Verbs.decorators[0]]

        def get(self):
            return "get"

        def patch(self):
            return "patch"

    app.add_url_rule("/", view_func=Plain.as_view("v"), methods=["GET"])
    response = client.get("/", headers={"X-Method": "PATCH"})
    assert (response.status_code, response.text) == (200, "patch")


def test_head_of_a_class_that_has_its_own(app, client):
    class Heads(MethodView):
        def get(self, page: int = 1):
            return str(page)

        def head(self):
            return flask.Response(headers={"X": "1"})

    app.add_url_rule("/", view_func=Heads.as_view("v"), methods=["GET"])
    response = client.head("/?page=x")
    assert (response.status_code, response.headers["X"]) == (200, "1")
    assert client.get("/?page=x").status_code == 422


def test_decorators_get_the_response(app, client):
    view = Items.as_view("items")
    app.add_url_rule("/<int:n>", view_func=view)
    client.get("/7", headers=USER)
    assert [response.json for response in view.seen] == [{"name": "7 1"}]


class Resource(MethodView):
    """A class like those of Flask-RESTful, whose decorators are around its methods."""

    method_decorators: t.ClassVar[list[t.Any]] = []

    def dispatch_request(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
        method = getattr(self, request.method.lower())
        for decorator in self.method_decorators:
            method = decorator(method)
        return method(*args, **kwargs)


def with_user(method):
    @functools.wraps(method)
    def wrapper(*args, **kwargs):
        kwargs.setdefault("user", "ann")
        return method(*args, **kwargs)

    return wrapper


@pytest.mark.parametrize("where", ["own", "inherited", "blueprint"])
def test_argument_that_a_dispatch_request_passes_is_not_read(where):
    class Items(Resource):
        method_decorators: t.ClassVar = [with_user]

        def get(self, user):
            return f"{user}"

        def post(self, user, n):
            return f"{user} {n}", 200

    class Inside(Items):
        def dispatch_request(self, *args, **kwargs):
            return super().dispatch_request(*args, **kwargs)

    view_class = Inside if where == "inherited" else Items
    for base in (flask.Flask, Flask):
        app = base(__name__)
        rules = Blueprint("bp", __name__) if where == "blueprint" else app
        view = view_class.as_view("items")
        rules.add_url_rule("/", view_func=view, methods=["GET"])
        rules.add_url_rule("/<n>", view_func=view, methods=["POST"])
        if where == "blueprint":
            app.register_blueprint(rules)
        client = app.test_client()

        assert client.get("/?user=admin").text == "ann"
        assert client.post("/7?user=admin", data=b"user=admin").text == "ann 7"
        assert client.post("/7", json={"user": "admin", "n": 8}).text == "ann 7"


def test_annotated_argument_of_a_class_with_a_dispatch_request_is_read(app, client):
    class Items(Resource):
        method_decorators: t.ClassVar = [with_user]

        def get(self, user, page: int = 1):
            return f"{user} {page}"

    app.add_url_rule("/", view_func=Items.as_view("items"))

    assert client.get("/?page=2&user=admin").text == "ann 2"
    assert client.get("/?page=x").status_code == 422
