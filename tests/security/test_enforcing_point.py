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
from flask import abort, g, request
from flask.views import MethodView, View
from messages import message_of, place_of
from senders import KEY, TOKEN, accepted, bearer, key, show
from view_classes import RunsCoroutines, cached
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

APPLICATIONS = pytest.mark.parametrize("make", [Flask, flask.Flask])

ANN: t.Final = bearer("Ann")


def check_token(authorization: str = Header("")) -> None:
    if authorization != "Bearer Ann":
        abort(401)


class Plain(MethodView):
    def get(self) -> str:
        return "shown"


class Asynchronous(MethodView):
    async def get(self) -> str:
        return "shown"


class AsynchronousView(View):
    async def dispatch_request(self) -> str:
        return "shown"


class Static(View):
    @staticmethod
    def dispatch_request() -> str:
        return "shown"


class OfClass(View):
    @classmethod
    def dispatch_request(cls) -> str:
        return "shown"


class Callable:
    def __call__(self) -> str:
        return "shown"


class CallableObject(View):
    dispatch_request = Callable()


class Partial(View):
    # In the class, a partial object was no method until Python 3.14.
    dispatch_request = staticmethod(functools.partial(lambda text: text, "shown"))


class OfInstance(View):
    def __init__(self) -> None:
        self.dispatch_request = lambda: "shown"  # type: ignore[method-assign]


class ByDict(MethodView):
    """A class that calls its actions through a dict, or leaves it to Flask."""

    def get(self) -> str:
        return "shown"

    def dispatch_request(self, **kwargs: t.Any) -> t.Any:
        if "branch" in request.args:
            return super().dispatch_request(**kwargs)
        return {"GET": self.get}[request.method](**kwargs)


class ByHelper(MethodView):
    def get(self) -> str:
        return "shown"

    def dispatch_request(self, **kwargs: t.Any) -> t.Any:
        if "branch" in request.args:
            return super().dispatch_request(**kwargs)
        return call_method(self)


def call_method(view: t.Any) -> t.Any:
    return view.get()


class ByVars(MethodView):
    def get(self) -> str:
        return "shown"

    def dispatch_request(self, **kwargs: t.Any) -> t.Any:
        if "branch" in request.args:
            return super().dispatch_request(**kwargs)
        return vars(type(self))[request.method.lower()](self, **kwargs)


class Caching(MethodView):
    kept: t.ClassVar[list[t.Any]] = []

    def get(self) -> str:
        return "shown"

    def dispatch_request(self, **kwargs: t.Any) -> t.Any:
        if not self.kept:
            self.kept.append(super().dispatch_request(**kwargs))
        return self.kept[0]


class CachedByDecorator(Plain):
    decorators: t.ClassVar = [cached]


CLASSES = [
    Plain,
    Asynchronous,
    AsynchronousView,
    Static,
    OfClass,
    CallableObject,
    Partial,
    OfInstance,
    ByDict,
    ByHelper,
    ByVars,
    Caching,
    CachedByDecorator,
]

#: Where the requirement stands: what the application, the blueprint and the route have.
PLACES = {
    "route": ({}, {}, {"security": TOKEN}),
    "blueprint": ({}, {"security": TOKEN}, {}),
    "dependencies": ({}, {}, {"dependencies": [check_token]}),
    "dependencies of the blueprint": ({}, {"dependencies": [check_token]}, {}),
    "dependencies of the application": ({"dependencies": [check_token]}, {}, {}),
    "configuration": ({"config": TOKEN}, {}, {}),
}


def application(make, view_class, place, *, url="/"):
    """An application whose class-based view is guarded from one place."""
    on_app, on_blueprint, on_route = PLACES[place]
    config = on_app.get("config")
    app = make(__name__, **({} if config else on_app))
    if config:
        app.config["SIGNATURE_SECURITY"] = config
    bp = Blueprint("bp", __name__, **on_blueprint)
    bp.add_url_rule(url, view_func=view_class.as_view("view"), **on_route)
    app.register_blueprint(bp)
    if config:
        app.init_app()
    return app


def assert_guarded(app, *urls, method="GET"):
    client = app.test_client()
    for url, headers in itertools.product(urls, ({}, bearer("Eve"), ANN, {})):
        response = client.open(url, method=method, headers=headers)
        expected = (200, "shown") if headers is ANN else (401, response.text)
        assert (response.status_code, response.text) == expected, (url, headers)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("view_class", CLASSES)
class TestClasses:
    """A class-based view is guarded, whatever calls its methods."""

    @pytest.mark.parametrize("make", [Flask, RunsCoroutines])
    def test_class_is_guarded(self, make, view_class, place):
        Caching.kept.clear()
        assert_guarded(application(make, view_class, place), "/", "/?branch")

    def test_class_is_guarded_where_ensure_sync_is_replaced(self, view_class, place):
        Caching.kept.clear()
        app = application(Flask, view_class, place)
        app.ensure_sync = RunsCoroutines.ensure_sync.__get__(app, RunsCoroutines)

        def run(func):
            return (
                (lambda **kwargs: asyncio.run(func(**kwargs)))
                if inspect.iscoroutinefunction(func)
                else func
            )

        app.ensure_sync = run

        assert_guarded(app, "/", "/?branch")


@pytest.mark.parametrize("view_class", CLASSES)
def test_class_on_a_plain_application_is_guarded(view_class):
    Caching.kept.clear()
    app = application(flask.Flask, view_class, "blueprint")

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
    def test_class_that_chooses_its_method_is_refused(self, app):
        class Items(MethodView):
            def get(self) -> str:
                return "shown"

            @operation(security=TOKEN)
            def delete(self) -> str:
                return "deleted"

            def dispatch_request(self, **kwargs: t.Any) -> t.Any:
                name = request.args.get("_method", request.method.lower())
                return getattr(self, name)(**kwargs)

        assert message_of(
            lambda: app.add_url_rule(
                "/", view_func=Items.as_view("items"), methods=["GET"]
            )
        ) == (
            "DELETE, GET /: the methods of Items differ in security= or dependencies=,"
            " but its dispatch_request() chooses which of them is called. Give the"
            " requirement to the route, or write two classes."
            f" {place_of(Items.delete)}"
        )

    def test_dependencies_that_differ_are_refused(self, app):
        class Items(MethodView):
            @operation(dependencies=[check_token])
            def get(self) -> str:
                return "shown"

            def delete(self) -> str:
                return "deleted"

            def dispatch_request(self, **kwargs: t.Any) -> t.Any:
                return super().dispatch_request(**kwargs)

        with pytest.raises(SignatureError, match="differ in security= or dependencies"):
            app.add_url_rule("/", view_func=Items.as_view("items"))

    def test_class_that_leaves_it_to_flask_enforces_that_of_each(self, app, client):
        class Items(MethodView):
            def get(self) -> str:
                return "open"

            @operation(security=TOKEN)
            def delete(self) -> str:
                return "deleted"

            @operation(security=KEY)
            def put(self) -> str:
                return "put"

        app.add_url_rule("/", view_func=Items.as_view("items"))

        assert client.get("/").text == "open"
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

        class Items(MethodView):
            decorators: t.ClassVar = [override]

            def get(self) -> str:
                return "shown"

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

        def noting(name):
            def decorator(view):
                @functools.wraps(view)
                def call(**kwargs):
                    order.append(name)
                    return view(**kwargs)

                return call

            return decorator

        def guard() -> None:
            order.append("guard")

        class Items(MethodView):
            decorators: t.ClassVar = [noting("class")]

            def get(self, page: int = 1) -> str:
                order.append("get")
                return "get"

        app.add_url_rule(
            "/",
            view_func=Items.as_view("items"),
            security=TOKEN,
            dependencies=[guard],
            decorators=[noting("route")],
        )

        assert client.get("/?page=x").status_code == 401
        assert order == ["route"]
        order.clear()
        assert client.get("/?page=x", headers=ANN).status_code == 422
        assert order == ["route", "guard", "class"]
        order.clear()
        assert client.get("/", headers=ANN).text == "get"
        assert order == ["route", "guard", "class", "get"]

    def test_method_has_what_guards_and_decorators_give(self, app, client):
        def pass_tenant(view):
            @functools.wraps(view)
            def call(**kwargs):
                return view(**kwargs, tenant="acme")

            return call

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
        def needs_tenant(tenant: str = "") -> None:
            if tenant != "acme":
                abort(403)

        class Items(MethodView):
            def get(self, tenant: str = Injected()) -> str:
                return tenant

        assert message_of(
            lambda: app.add_url_rule(
                "/", view_func=Items.as_view("items"), dependencies=[needs_tenant]
            )
        ) == (
            "GET /: 'tenant' of needs_tenant() is read from the request, before the"
            " decorators of the class are called, but Items.get() declares it with"
            " Injected(). Rename it, and set what a guard needs in a decorator of the"
            f" route, with decorators=. {place_of(Items.get)}"
        )

    def test_generator_of_a_guard_is_open_around_the_class(self, app, client):
        order = []

        def opened():
            order.append("open")
            try:
                yield
            except LookupError:
                order.append("raised")
                raise
            order.append("close")

        def noting(view):
            @functools.wraps(view)
            def call(**kwargs):
                order.append("decorator")
                try:
                    return view(**kwargs)
                finally:
                    order.append("left")

            return call

        class Items(MethodView):
            decorators: t.ClassVar = [noting]

            def get(self, fail: bool = False) -> dict[str, int]:
                order.append("get")
                if fail:
                    raise LookupError
                return {"n": 1}

        app.add_url_rule("/", view_func=Items.as_view("items"), dependencies=[opened])

        assert client.get("/").json == {"n": 1}
        assert order == ["open", "decorator", "get", "left", "close"]
        order.clear()
        assert client.get("/?fail=yes").status_code == 500
        assert order == ["open", "decorator", "get", "left", "raised"]


class OwnLoop(Flask):
    """An application whose ``async_to_sync()`` knows of no loop but its own."""

    def async_to_sync(self, func):
        return lambda *args, **kwargs: asyncio.run(func(*args, **kwargs))


class TestOneLoop:
    """Guards, method and the closing of generators share one event loop."""

    @pytest.fixture
    def noted(self):
        return []

    def session(self, noted):
        """A guard that is an asynchronous generator."""

        async def session():
            # Kept, so that no other loop gets its identity.
            noted.append(("open", asyncio.get_running_loop()))
            g.session = "open"
            yield
            await asyncio.sleep(0)
            noted.append(("close", asyncio.get_running_loop()))
            g.session = "closed"

        return session

    def assert_one(self, app, noted, *, names=("open", "get", "close")):
        for _ in range(2):
            noted.clear()
            response = app.test_client().get("/")
            assert (response.status_code, response.text) == (200, "open")
            assert [name for name, _ in noted] == [*names]
            assert len({id(loop) for _, loop in noted if loop is not None}) == 1

    @pytest.mark.parametrize("make", [Flask, OwnLoop])
    @pytest.mark.parametrize("decorated", [False, True])
    @pytest.mark.parametrize("base", ["MethodView", "View"])
    def test_asynchronous_method(self, any_app, decorated, base, noted):
        async def get(self) -> str:
            noted.append(("get", asyncio.get_running_loop()))
            await asyncio.sleep(0)
            return g.session

        def passing(view):
            return functools.wraps(view)(lambda **kwargs: view(**kwargs))

        name, bases = {
            "MethodView": ("get", (MethodView,)),
            "View": ("dispatch_request", (View,)),
        }[base]
        members = {name: get, "decorators": [passing] if decorated else []}
        items = t.cast("t.Any", type("Items", bases, members))
        any_app.add_url_rule(
            "/", view_func=items.as_view("items"), dependencies=[self.session(noted)]
        )

        self.assert_one(any_app, noted)

    def test_asynchronous_method_that_is_asked_for_elsewhere(self, app, noted):
        class Direct(MethodView):
            async def get(self) -> str:
                noted.append(("get", asyncio.get_running_loop()))
                return g.session

            def dispatch_request(self, **kwargs: t.Any) -> t.Any:
                return flask.current_app.ensure_sync(self.get)(**kwargs)

        app.add_url_rule(
            "/", view_func=Direct.as_view("v"), dependencies=[self.session(noted)]
        )

        self.assert_one(app, noted)

    def test_asynchronous_dependency_of_a_method_of_no_coroutine(self, app, noted):
        async def state() -> str:
            noted.append(("get", asyncio.get_running_loop()))
            return t.cast("str", g.session)

        class Items(MethodView):
            def get(self, value: str = Depends(state)) -> str:
                return value

        app.add_url_rule(
            "/", view_func=Items.as_view("v"), dependencies=[self.session(noted)]
        )

        self.assert_one(app, noted)

    def test_method_that_is_no_coroutine_function_is_called_in_the_loop(
        self, app, noted
    ):
        class Items(MethodView):
            def get(self) -> str:
                noted.append(("get", asyncio.get_running_loop()))
                return t.cast("str", g.session)

        app.add_url_rule(
            "/", view_func=Items.as_view("v"), dependencies=[self.session(noted)]
        )

        self.assert_one(app, noted)

    def test_wrapper_around_an_asynchronous_view(self, app, noted):
        bp = Blueprint("bp", __name__, dependencies=[self.session(noted)])

        @bp.get("/")
        async def index() -> str:
            noted.append(("get", asyncio.get_running_loop()))
            return t.cast("str", g.session)

        app.register_blueprint(bp)
        view = app.view_functions["bp.index"]
        app.view_functions["bp.index"] = lambda **kwargs: view(**kwargs)

        self.assert_one(app, noted)


class TestDispatcher:
    """What is in ``app.view_functions`` and was not made here is guarded."""

    def test_cache_around_a_view_is_guarded(self, app):
        bp = Blueprint("bp", __name__, security=TOKEN)
        bp.get("/typed")(show)
        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/plain", view_func=lambda: "shown", endpoint="show")
        bp.register_blueprint(plain)
        app.register_blueprint(bp)
        for endpoint in ("bp.show", "bp.plain.show"):
            app.view_functions[endpoint] = cached(app.view_functions[endpoint])

        assert_guarded(app, "/typed", "/plain")

    def test_cache_around_a_view_with_a_requirement_of_its_own_is_guarded(self, app):
        app.get("/", security=TOKEN)(show)
        app.view_functions["show"] = cached(app.view_functions["show"])

        assert_guarded(app, "/")

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
        class App(Flask):
            kept: t.Any = None

            def dispatch_request(self, ctx=None):
                self.kept = self.kept or super().dispatch_request(*filter(None, [ctx]))
                return self.kept

        assert_guarded(application(App, Plain, place), "/")

    @pytest.mark.parametrize("endpoint", ["bp.show", "bp.plain", "bp.static", "show"])
    def test_function_that_is_put_there_after_a_request(self, app, client, endpoint):
        bp = Blueprint(
            "bp", __name__, security=TOKEN, static_folder="s", url_prefix="/bp"
        )
        bp.get("/typed")(show)
        bp.add_url_rule("/plain", endpoint="plain")
        bp.endpoint("bp.plain")(show)
        app.register_blueprint(bp)
        app.get("/own", security=TOKEN)(show)
        urls = {
            "bp.show": "/bp/typed",
            "bp.plain": "/bp/plain",
            "bp.static": "/bp/s/x",
            "show": "/own",
        }
        assert client.get(urls[endpoint]).status_code == 401

        app.view_functions[endpoint] = lambda **kwargs: "shown"

        assert_guarded(app, urls[endpoint])

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

    def test_what_a_plain_blueprint_has_is_open_to_the_application(self, tmp_path):
        (tmp_path / "a.txt").write_text("shown")
        app = Flask(
            __name__,
            dependencies=[check_token],
            static_folder=tmp_path,
            static_url_path="/static",
        )
        app.config["SIGNATURE_SECURITY"] = KEY
        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/plain", view_func=show)
        bp = Blueprint("bp", __name__, static_folder=tmp_path, url_prefix="/bp")
        app.register_blueprint(plain)
        app.register_blueprint(bp)
        app.init_app()
        client = app.test_client()

        for url in ("/plain", "/static/a.txt", f"/bp/{tmp_path.name}/a.txt", "/docs"):
            with client.get(url) as response:
                assert response.status_code == 200, url
        assert client.get("/openapi.json").status_code == 200

    def test_options_and_unknown_methods_of_a_function_put_there(self, app, client):
        bp = Blueprint("bp", __name__, security=TOKEN)
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
        token = f"{next(numbers)}"
        client = app.test_client()
        return [client.get(url, headers=bearer(token)) for _ in range(2)]

    @pytest.mark.parametrize("view_class", [Plain, Asynchronous, AsynchronousView])
    @pytest.mark.parametrize("wrapped", [False, True])
    def test_one_time_token_of_a_class(self, app, once, view_class, wrapped):
        app.add_url_rule("/", view_func=view_class.as_view("v"), security=once)
        view = app.view_functions["v"]
        if wrapped:
            app.view_functions["v"] = lambda **kwargs: view(**kwargs)

        assert [item.status_code for item in self.send(app)] == [200, 401]

    def test_one_time_token_of_a_wrapped_view(self, app, once):
        order = []

        def noting(view):
            @functools.wraps(view)
            def call(**kwargs):
                order.append("decorator")
                return view(**kwargs)

            return call

        bp = Blueprint("bp", __name__, security=once, decorators=[noting])

        @bp.get("/<int:n>")
        def index(n: int, user: t.Annotated[str, once], page: int = 1) -> str:
            return f"{n} {page}"

        app.register_blueprint(bp)
        view = app.view_functions["bp.index"]
        app.view_functions["bp.index"] = lambda **kwargs: view(**kwargs)

        first, second = self.send(app, "/7?page=2")
        assert (first.status_code, first.text) == (200, "7 2")
        assert second.status_code == 401
        assert order == ["decorator", "decorator"]

    def test_one_time_token_of_a_plain_view(self, app, once):
        made = []

        def noting(view):
            made.append(view)
            return functools.wraps(view)(lambda **kwargs: view(**kwargs))

        bp = Blueprint("bp", __name__, security=once, decorators=[noting])
        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/", view_func=show)
        bp.register_blueprint(plain)
        app.register_blueprint(bp)

        assert app.view_functions["bp.plain.show"] is show
        for _ in range(2):
            assert [item.status_code for item in self.send(app)] == [200, 401]
        assert len(made) == 1

    def test_one_time_token_under_a_dispatch_request(self, once):
        class App(Flask):
            def dispatch_request(self, ctx=None):
                return super().dispatch_request(*filter(None, [ctx]))

        app = App(__name__)
        app.get("/", security=once)(show)

        assert [item.status_code for item in self.send(app)] == [200, 401]

    def test_what_a_decorator_passes_reaches_a_function_put_there(self, app, client):
        def login(view):
            @functools.wraps(view)
            def call(**kwargs):
                return view(**kwargs, user="ann")

            return call

        seen = []

        def guard(user: str = "") -> None:
            seen.append(user)

        bp = Blueprint("bp", __name__, decorators=[login], dependencies=[guard])

        @bp.get("/")
        def index(user: str = "", page: int = 1) -> str:
            return f"{user} {page}"

        app.register_blueprint(bp)
        direct = client.get("/?user=eve&page=2").text
        view = app.view_functions["bp.index"]
        app.view_functions["bp.index"] = lambda **kwargs: view(**kwargs)

        assert direct == client.get("/?user=eve&page=2").text == "ann 2"
        assert seen == ["ann", "ann"]


class TestDispatchRequest:
    """The ``dispatch_request()`` of the author is bound as Python binds it."""

    def make(self, kind: str) -> t.Any:
        class Dispatch:
            def __call__(self, *args: t.Any) -> str:
                return "shown"

        class App(Flask):
            """An application whose method is replaced."""

        kinds: dict[str, t.Any] = {
            "static": staticmethod(lambda *args: "shown"),
            "of_class": classmethod(lambda cls, *args: "shown"),
            "mock": MagicMock(return_value="shown"),
            "callable_object": Dispatch(),
        }
        App.dispatch_request = kinds[kind]
        return App(__name__)

    @pytest.mark.parametrize("kind", ["static", "of_class", "mock", "callable_object"])
    def test_dispatch_request_is_bound(self, kind):
        app = self.make(kind)
        app.get("/")(lambda: "view")

        assert app.test_client().get("/").text == "shown"

    @pytest.mark.parametrize("kind", ["static", "of_class", "mock", "callable_object"])
    def test_plain_view_is_guarded_before_it(self, kind):
        app = self.make(kind)
        bp = Blueprint("bp", __name__, security=TOKEN)
        bp.add_url_rule("/", endpoint="show")
        bp.endpoint("bp.show")(show)
        app.register_blueprint(bp)

        assert_guarded(app, "/")


def test_plain_view_that_is_replaced_before_a_request(any_app):
    bp = Blueprint("bp", __name__, security=TOKEN)
    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/", view_func=show)
    bp.register_blueprint(plain)
    any_app.register_blueprint(bp)

    assert accepted(any_app, "/") == {"token"}
