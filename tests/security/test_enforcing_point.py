"""Who may call a view is decided around all of it, however it is written."""

from __future__ import annotations

import asyncio
import functools
import inspect
import itertools
import typing as t
from unittest.mock import MagicMock

import flask
import pytest
import view_classes
from flask import abort, g, request
from flask.views import MethodView, View
from guards import noting
from messages import message_of, place_of
from senders import ANN, EVE, KEY, TOKEN, bearer, guarded, key, plain, show
from view_classes import OwnDispatch, OwnLoop, RunsCoroutines, cached
from werkzeug.routing import Rule

from flask_signature import (
    Blueprint,
    Depends,
    Flask,
    Header,
    Injected,
    SignatureError,
    operation,
)
from flask_signature.security import HTTPBearer


def check_token(authorization: str = Header("")) -> None:
    if authorization != "Bearer Ann":
        abort(401)


async def show_later() -> str:
    return "shown"


class Plain(MethodView):
    def get(self) -> str:
        return "shown"


class Asynchronous(MethodView):
    async def get(self) -> str:
        return "shown"


class OfClass(View):
    @classmethod
    def dispatch_request(cls) -> str:
        return "shown"


class OfInstance(View):
    def __init__(self) -> None:
        self.dispatch_request = lambda: "shown"


class ByHelper(Plain):
    def dispatch_request(self, **kwargs: t.Any) -> t.Any:
        if "branch" in request.args:
            return super().dispatch_request(**kwargs)
        return call_method(self)


def call_method(view: t.Any) -> t.Any:
    return view.get()


class CachedByDecorator(Plain):
    decorators: t.ClassVar = [cached]


CLASSES = (Plain, Asynchronous, OfClass, OfInstance, ByHelper, CachedByDecorator)


def view_of(kind: str) -> t.Callable[[], t.Any]:
    return lambda: view_classes.view(show, kind=kind, is_decorated=False)


def method_view_of(name: str) -> t.Callable[[], t.Any]:
    return lambda: view_classes.method_view(show, dispatch=name, is_decorated=False)


#: What makes the function of a class-based view, of which some keep what they sent.
VIEWS: t.Final = {
    **{cls.__name__: functools.partial(cls.as_view, "show") for cls in CLASSES},
    **{kind: view_of(kind) for kind in view_classes.KINDS},
    **{name: method_view_of(name) for name in view_classes.DISPATCHES},
    "asynchronous view": lambda: view_classes.view(
        show_later, kind="method", is_decorated=False
    ),
}

#: Where the requirement stands: what the application, the blueprint and the route have.
PLACES = {
    "route": ({}, {}, {"security": TOKEN}),
    "blueprint": ({}, {"security": TOKEN}, {}),
    "dependencies": ({}, {}, {"dependencies": [check_token]}),
    "dependencies of the blueprint": ({}, {"dependencies": [check_token]}, {}),
    "dependencies of the application": ({"dependencies": [check_token]}, {}, {}),
    "configuration": ({"config": TOKEN}, {}, {}),
}


def application(make, view, place):
    """An application whose class-based view is guarded from one place."""
    on_app, on_blueprint, on_route = PLACES[place]
    config = on_app.get("config")
    app = make(__name__, **({} if config else on_app))
    if config:
        app.config["SIGNATURE_SECURITY"] = config
    bp = Blueprint("bp", __name__, **on_blueprint)
    bp.add_url_rule("/", view_func=view, **on_route)
    app.register_blueprint(bp)
    if config:
        app.init_app()
    return app


def assert_guarded(app, *urls, method="GET"):
    client = app.test_client()
    for url, headers in itertools.product(urls, ({}, EVE, ANN, {})):
        response = client.open(url, method=method, headers=headers)
        expected = (200, "shown") if headers is ANN else (401, response.text)
        assert (response.status_code, response.text) == expected, (url, headers)


def run_coroutines(func):
    """Runs coroutine functions in place of ``ensure_sync()``."""
    if not inspect.iscoroutinefunction(func):
        return func
    return lambda **kwargs: asyncio.run(func(**kwargs))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("make_view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize(
    ("make", "is_replaced"), [(Flask, False), (RunsCoroutines, False), (Flask, True)]
)
def test_class_is_guarded_in_each_way(make, is_replaced, make_view, place):
    app = application(make, make_view(), place)
    if is_replaced:
        app.ensure_sync = run_coroutines

    assert_guarded(app, "/", "/?branch")


@pytest.mark.parametrize("make_view", VIEWS.values(), ids=VIEWS)
def test_class_on_a_plain_application_is_guarded(make_view):
    app = application(flask.Flask, make_view(), "blueprint")

    assert_guarded(app, "/", "/?branch")


def test_requirement_of_a_method_is_enforced_where_coroutines_are_run_otherwise():
    class Items(MethodView):
        @operation(security=TOKEN)
        async def get(self) -> str:
            return "shown"

        @operation(dependencies=[check_token])
        async def patch(self) -> str:
            return "shown"

    app = RunsCoroutines(__name__)
    app.add_url_rule("/", view_func=Items.as_view("items"))

    assert_guarded(app, "/")
    assert_guarded(app, "/", method="PATCH")


def test_asynchronous_method_reads_around_a_class_under_another_ensure_sync():
    class Items(MethodView):
        decorators: t.ClassVar = [lambda view: lambda **kwargs: view(**kwargs)]

        async def get(self, page: int = 1) -> str:
            return str(page)

    app = RunsCoroutines(__name__)
    app.add_url_rule("/", view_func=Items.as_view("items"), security=TOKEN)
    client = app.test_client()

    assert client.get("/?page=x").status_code == 401
    assert client.get("/?page=x", headers=ANN).status_code == 422
    assert client.get("/?page=2", headers=ANN).text == "2"


class TestMethodsThatDiffer:
    @pytest.mark.parametrize(
        "guarded", [{"security": TOKEN}, {"dependencies": [check_token]}]
    )
    def test_class_that_chooses_its_method_is_refused(self, app, guarded):
        class Items(Plain):
            @operation(**guarded)
            def delete(self) -> str:
                return "deleted"

            def dispatch_request(self, **kwargs: t.Any) -> t.Any:
                name = request.args.get("_method", request.method.lower())
                return getattr(self, name)(**kwargs)

        view = Items.as_view("items")
        told = message_of(lambda: app.add_url_rule("/", "x", view, methods=["GET"]))

        assert told == (
            "DELETE, GET /: the methods of Items differ in security= or dependencies=,"
            " but its dispatch_request() chooses which of them is called. Give the"
            f" requirement to the route, or write two classes. {place_of(Items.delete)}"
        )

    def test_class_that_leaves_it_to_flask_enforces_that_of_each(self, app, client):
        class Items(Plain):
            @operation(security=TOKEN)
            def delete(self) -> str:
                return "deleted"

            @operation(security=KEY)
            def put(self) -> str:
                return "put"

        app.add_url_rule("/", view_func=Items.as_view("items"))

        assert client.get("/").text == "shown"
        assert client.delete("/").status_code == 401
        assert client.delete("/", headers=ANN).status_code == 204
        assert client.put("/", headers=ANN).status_code == 401
        assert client.put("/", headers=key("right")).text == "put"

    def test_method_of_another_verb_enforces_its_own(self, app, client):
        def override(view):
            @functools.wraps(view)
            def call(**kwargs):
                request.method = request.args.get("method", request.method)
                return view(**kwargs)

            return call

        class Items(Plain):
            decorators: t.ClassVar = [override]

            @operation(security=KEY, status_code=200)
            def delete(self) -> str:
                return "deleted"

        app.add_url_rule("/", view_func=Items.as_view("items"))

        assert client.get("/").text == "shown"
        assert client.get("/?method=DELETE").status_code == 401
        assert client.get("/?method=DELETE", headers=key("right")).text == "deleted"


class TestOrder:
    def test_security_is_outside_of_the_decorators_of_a_class(self, app, client):
        order = []

        def opened():
            order.append("open")
            try:
                yield
            except Exception as error:
                order.append(type(error).__name__)
                raise
            order.append("close")

        def around(view):
            @functools.wraps(view)
            def call(**kwargs):
                order.append("class")
                try:
                    return view(**kwargs)
                finally:
                    order.append("left")

            return call

        class Items(MethodView):
            decorators: t.ClassVar = [around]

            def get(self, page: int = 1, fail: bool = False) -> str:
                order.append("get")
                return str(1 / (not fail))

        app.add_url_rule(
            "/",
            view_func=Items.as_view("items"),
            security=TOKEN,
            dependencies=[opened],
            decorators=[noting(order, "route")],
        )

        def sent(query, headers=ANN):
            order.clear()
            return client.get(f"/?{query}", headers=headers).status_code

        assert sent("page=x", {}) == 401
        assert order == ["route"]
        assert sent("page=x") == 422
        assert order == ["route", "open", "class", "left", "RequestValidationError"]
        assert sent("fail=yes") == 500
        assert order[3:] == ["get", "left", "ZeroDivisionError"]
        assert sent("") == 200
        assert order == ["route", "open", "class", "get", "left", "close"]

    def test_method_has_what_guards_and_decorators_give(self, app, client):
        def pass_tenant(view):
            return functools.wraps(view)(lambda **args: view(**args, tenant="acme"))

        class Items(MethodView):
            decorators: t.ClassVar = [pass_tenant]

            def get(
                self,
                n: int,
                user: t.Annotated[str, TOKEN],
                page: int = 1,
                tenant: str = Injected(),
            ) -> str:
                return f"{n} {user} {page} {tenant}"

        app.add_url_rule("/<int:n>", view_func=Items.as_view("items"))

        assert client.get("/7?user=Eve&tenant=evil").status_code == 401
        response = client.get("/7?page=2&user=Eve&tenant=evil", headers=ANN)
        assert response.text == "7 Ann 2 acme"

    def test_argument_of_a_guard_that_the_method_has_injected_is_refused(self, app):
        def needs_tenant(tenant: str = "") -> None: ...

        class Items(MethodView):
            def get(self, tenant: str = Injected()) -> str:
                return tenant

        add = functools.partial(app.add_url_rule, view_func=Items.as_view("items"))

        assert message_of(lambda: add("/", dependencies=[needs_tenant])) == (
            "GET /: 'tenant' of needs_tenant() is read from the request, before the"
            " decorators of the class are called, but Items.get() declares it with"
            " Injected(). Rename it, and set what a guard needs in a decorator of the"
            f" route, with decorators=. {place_of(Items.get)}"
        )


#: Who ran in which event loop: kept, so that no other loop gets its identity.
LOOPS: list[tuple[str, asyncio.AbstractEventLoop]] = []


def note_loop(name: str) -> str:
    LOOPS.append((name, asyncio.get_running_loop()))
    return t.cast("str", g.session)


async def session() -> t.AsyncIterator[None]:
    """A guard that is an asynchronous generator."""
    g.session = "open"
    note_loop("open")
    yield
    await asyncio.sleep(0)
    note_loop("close")
    g.session = "closed"


async def get_later(*_: t.Any) -> str:
    found = note_loop("get")
    await asyncio.sleep(0)
    return found


class InLoop(MethodView):
    """A class whose method is no coroutine function."""

    def get(self) -> str:
        return note_loop("get")


class Direct(MethodView):
    """A class that asks for its method elsewhere."""

    async def get(self) -> str:
        return note_loop("get")

    def dispatch_request(self, **kwargs: t.Any) -> t.Any:
        return flask.current_app.ensure_sync(self.get)(**kwargs)


class Depending(MethodView):
    def get(self, value: str = Depends(get_later)) -> str:
        return value


class TestOneLoop:
    """Guards, method and the closing of generators share one event loop."""

    def assert_one(self, app):
        for _ in range(2):
            LOOPS.clear()
            response = app.test_client().get("/")
            assert (response.status_code, response.text) == (200, "open")
            assert [name for name, _ in LOOPS] == ["open", "get", "close"]
            assert len({id(loop) for _, loop in LOOPS}) == 1

    @pytest.mark.parametrize("make", [Flask, OwnLoop])
    @pytest.mark.parametrize("decorated", [False, True])
    @pytest.mark.parametrize(
        ("base", "name"), [(MethodView, "get"), (View, "dispatch_request")]
    )
    def test_asynchronous_method(self, make, decorated, base, name):
        def passing(view):
            return functools.wraps(view)(lambda **kwargs: view(**kwargs))

        async def method(self) -> str:
            return await get_later()

        members = {name: method, "decorators": [passing] if decorated else []}
        view = type("Items", (base,), members).as_view("items")
        app = make(__name__)
        app.add_url_rule("/", view_func=view, dependencies=[session])

        self.assert_one(app)

    @pytest.mark.parametrize("view_class", [InLoop, Direct, Depending])
    def test_method_that_is_called_otherwise(self, app, view_class):
        view = view_class.as_view("v")
        app.add_url_rule("/", view_func=view, dependencies=[session])

        self.assert_one(app)

    def test_wrapper_around_an_asynchronous_view(self, app):
        bp = Blueprint("bp", __name__, dependencies=[session])

        @bp.get("/")
        async def index() -> str:
            return await get_later()

        app.register_blueprint(bp)
        view = app.view_functions["bp.index"]
        app.view_functions["bp.index"] = lambda **kwargs: view(**kwargs)

        self.assert_one(app)


def wrap(app, endpoint):
    """Put a wrapper into the place of a function, to which nothing leads."""
    app.view_functions[endpoint] = view_classes.wrapped(app.view_functions[endpoint])


class TestDispatcher:
    """What is in ``app.view_functions`` and was not made here is guarded."""

    def test_cache_around_a_view_that_is_given_another_rule_is_guarded(self, app):
        app.get("/", security=TOKEN)(show)
        view = app.view_functions["show"]
        with pytest.raises(SignatureError, match="under another endpoint, 'again'"):
            app.add_url_rule("/again", "again", functools.wraps(view)(cached(view)))
        app.view_functions["show"] = cached(view)
        app.add_url_rule("/more", endpoint="show")
        app.add_url_rule("/again", "show", app.view_functions["show"])

        assert_guarded(app, "/", "/more", "/again")

    @pytest.mark.parametrize("place", PLACES)
    def test_cache_of_the_application_is_guarded(self, place):
        class App(OwnDispatch):
            kept: t.Any = None

            def dispatch_request(self, ctx=None):
                self.kept = self.kept or super().dispatch_request(ctx)
                return self.kept

        assert_guarded(application(App, Plain.as_view("show"), place), "/")

    def test_endpoint_of_the_application_has_what_the_configuration_says(self, app):
        app.config["SIGNATURE_SECURITY"] = TOKEN
        app.endpoint("late")(show)
        app.url_map.add(Rule("/late", endpoint="late"))
        app.init_app()
        app.url_map.add(Rule("/later", endpoint="later"))
        app.view_functions["later"] = show

        assert_guarded(app, "/late", "/later")

    def test_endpoint_of_the_application_has_its_dependencies(self):
        app = Flask(__name__, dependencies=[check_token])
        bp = Blueprint("bp", __name__)
        bp.add_url_rule("/of-blueprint", endpoint="show")
        bp.endpoint("bp.show")(show)
        app.register_blueprint(bp)
        app.endpoint("late")(show)
        app.url_map.add(Rule("/late", endpoint="late"))

        assert_guarded(app, "/late", "/of-blueprint")

    def test_options_and_unknown_methods_of_a_function_put_there(self, app, client):
        bp = guarded()
        bp.get("/")(show)
        app.register_blueprint(bp)
        app.view_functions["bp.show"] = cached(app.view_functions["bp.show"])

        assert client.options("/").status_code == 200
        assert client.post("/").status_code == 405
        assert client.head("/").status_code == 401
        assert client.head("/", headers=ANN).status_code == 200

    def test_function_of_another_endpoint_is_guarded_by_both(self, app, client):
        app.get("/token", endpoint="token", security=TOKEN)(show)
        app.get("/key", endpoint="key", security=KEY)(show)
        app.view_functions["token"] = app.view_functions["key"]

        assert client.get("/token", headers=ANN).status_code == 401
        assert client.get("/token", headers=key("right")).status_code == 401
        both = {**ANN, **key("right")}
        assert client.get("/token", headers=both).text == "shown"

    def test_unguarded_function_is_left_alone(self, app, client):
        seen = []

        @app.get("/")
        def index(n: int = 1) -> list[int]:
            return [n]

        view = app.view_functions["index"]

        def wrapper(**kwargs):
            seen.append(kwargs)
            return view(**kwargs)

        app.view_functions["index"] = wrapper

        assert client.get("/?n=2").json == [2]
        assert seen == [{}]


class TestOnce:
    """A guard runs once a request, and so does a decorator."""

    @pytest.fixture
    def once(self):
        """A scheme whose tokens are good for one request."""
        spent = set()

        def verify(token: str) -> str | None:
            if token in spent:
                return None
            spent.add(token)
            return token

        return HTTPBearer("once", verify=verify)

    def send(self, app, url="/", *, numbers=itertools.count()):
        headers, client = bearer(f"{next(numbers)}"), app.test_client()
        return [client.get(url, headers=headers) for _ in range(2)]

    @pytest.mark.parametrize("make_view", VIEWS.values(), ids=VIEWS)
    @pytest.mark.parametrize("is_wrapped", [False, True])
    def test_one_time_token_of_a_class(self, app, once, make_view, is_wrapped):
        app.add_url_rule("/", "v", make_view(), security=once)
        if is_wrapped:
            wrap(app, "v")

        assert [item.status_code for item in self.send(app)] == [200, 401]

    def test_one_time_token_of_a_wrapped_view(self, app, once):
        order = []
        bp = guarded(security=once, decorators=[noting(order, "bp")])

        @bp.get("/<int:n>")
        def index(n: int, user: t.Annotated[str, once], page: int = 1) -> str:
            return f"{n} {page}"

        app.register_blueprint(bp)
        wrap(app, "bp.index")

        first, second = self.send(app, "/7?page=2")
        assert (first.status_code, first.text) == (200, "7 2")
        assert second.status_code == 401
        assert order == ["bp", "bp"]

    def test_one_time_token_of_a_plain_view(self, app, once):
        made = []

        def making(view):
            made.append(view)
            return functools.wraps(view)(lambda **kwargs: view(**kwargs))

        app.register_blueprint(guarded(plain(), security=once, decorators=[making]))

        assert app.view_functions["bp.plain.show"] is show
        for _ in range(2):
            statuses = [item.status_code for item in self.send(app, "/plain")]
            assert statuses == [200, 401]
        assert len(made) == 1

    def test_one_time_token_under_a_dispatch_request(self, once):
        app = OwnDispatch(__name__)
        app.get("/", security=once)(show)

        assert [item.status_code for item in self.send(app)] == [200, 401]

    def test_what_a_decorator_passes_reaches_a_function_put_there(self, app, client):
        def login(view):
            return functools.wraps(view)(lambda **args: view(**args, user="ann"))

        seen = []

        def guard(user: str = "") -> None:
            seen.append(user)

        bp = Blueprint("bp", __name__, decorators=[login], dependencies=[guard])

        @bp.get("/")
        def index(user: str = "", page: int = 1) -> str:
            return f"{user} {page}"

        app.register_blueprint(bp)
        direct = client.get("/?user=eve&page=2").text
        wrap(app, "bp.index")

        assert direct == client.get("/?user=eve&page=2").text == "ann 2"
        assert seen == ["ann", "ann"]


class Dispatch:
    """An object that is called in place of ``dispatch_request()``."""

    def __call__(self, *args: t.Any) -> str:
        return "shown"


@pytest.mark.parametrize(
    "dispatch",
    [
        staticmethod(lambda *args: "shown"),
        classmethod(lambda cls, *args: "shown"),
        MagicMock(return_value="shown"),
        Dispatch(),
    ],
    ids=lambda dispatch: type(dispatch).__name__,
)
def test_dispatch_request_is_bound_as_python_binds_it(dispatch):
    application: t.Any = type("App", (Flask,), {})
    # Flask 3.2 looks at what a class has when it is made.
    application.dispatch_request = dispatch
    app = application(__name__)
    app.get("/view")(lambda: "view")
    bp = guarded()
    bp.add_url_rule("/", endpoint="show")
    bp.endpoint("bp.show")(show)
    app.register_blueprint(bp)

    assert app.test_client().get("/view").text == "shown"
    # A plain view is guarded before it.
    assert_guarded(app, "/")
