"""Nobody reaches a guarded view by another way than with credentials."""

from __future__ import annotations

import functools
import typing as t

import flask
import pytest
from flask.views import MethodView, View
from senders import KEY, TOKEN, accepted, bearer, show
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.routing import Rule
from werkzeug.test import Client

from flask_signature import Blueprint, Depends, Flask, SignatureError

APPLICATIONS = pytest.mark.parametrize("make", [Flask, flask.Flask])

ANN: t.Final = bearer("Ann")


def guarded(name: str = "bp", **options: t.Any) -> Blueprint:
    return Blueprint(name, __name__, **{"security": TOKEN, **options})


def plain(name: str = "plain") -> flask.Blueprint:
    found = flask.Blueprint(name, __name__)
    found.add_url_rule("/plain", view_func=show)
    return found


class TestD18:
    """What is sent beside GET."""

    @pytest.fixture(params=[Flask, flask.Flask])
    def client(self, request):
        bp = guarded()
        bp.get("/")(show)
        bp.register_blueprint(plain())
        app = request.param(__name__)
        app.register_blueprint(bp)
        return app.test_client()

    @pytest.mark.parametrize("url", ["/", "/plain"])
    def test_d18_automatic_options_are_open(self, client, url):
        response = client.options(url)

        assert response.status_code == 200
        assert response.allow.as_set(preserve_casing=True) == {"GET", "HEAD", "OPTIONS"}

    @pytest.mark.parametrize("url", ["/", "/plain"])
    def test_d18_head_is_guarded(self, client, url):
        assert client.head(url).status_code == 401
        assert client.head(url, headers=ANN).status_code == 200

    @pytest.mark.parametrize("url", ["/", "/plain"])
    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "X"])
    def test_d18_other_methods_are_not_allowed(self, client, url, method):
        response = client.open(url, method=method)

        assert response.status_code == 405
        assert response.allow.as_set(preserve_casing=True) == {"GET", "HEAD", "OPTIONS"}

    def test_d18_options_of_the_author_are_guarded(self, any_app):
        bp = guarded()
        bp.options("/")(show)
        any_app.register_blueprint(bp)
        client = any_app.test_client()

        assert client.options("/").status_code == 401
        assert client.options("/", headers=ANN).text == "shown"

    def test_d18_head_of_a_class_is_guarded(self, any_app):
        class Items(MethodView):
            def get(self) -> str:
                return "get"

            def head(self) -> str:
                return "head"

        bp = guarded()
        bp.add_url_rule("/", view_func=Items.as_view("items"))
        any_app.register_blueprint(bp)

        assert any_app.test_client().head("/").status_code == 401
        assert any_app.test_client().head("/", headers=ANN).status_code == 200


@pytest.mark.parametrize(
    "header", ["X-HTTP-Method-Override", "X-Method-Override", "X-Original-URL"]
)
def test_headers_of_proxies_mean_nothing(any_app, header):
    bp = guarded()
    bp.post("/")(show)
    any_app.register_blueprint(bp)

    for value in ("GET", "OPTIONS", "/open"):
        response = any_app.test_client().post("/", headers={header: value})
        assert response.status_code == 401


def test_mounted_application_is_guarded(any_app):
    bp = guarded()
    bp.get("/")(show)
    any_app.register_blueprint(bp)
    client = Client(DispatcherMiddleware(flask.Flask("root"), {"/shop": any_app}))

    assert client.get("/shop/").status_code == 401
    assert client.get("/shop/", headers=ANN).status_code == 200


def test_url_of_a_redirect_is_guarded(any_app):
    bp = guarded()
    bp.add_url_rule("/new/", "new", show)
    bp.add_url_rule("/old", "old", show, redirect_to="/new/")
    any_app.register_blueprint(bp)
    client = any_app.test_client()

    for url in ("/new", "/old"):
        assert client.get(url).status_code == 308
        assert client.get(url, follow_redirects=True).status_code == 401


def test_rule_of_the_map_is_guarded(any_app):
    bp = guarded()
    bp.get("/")(show)
    bp.register_blueprint(plain())
    any_app.register_blueprint(bp)
    for endpoint in ("show", "plain.show"):
        url = f"/{endpoint}"
        any_app.url_map.add(Rule(f"{url}/1", endpoint=f"bp.{endpoint}"))
        any_app.url_map.add(
            Rule(f"{url}/<n>", endpoint=f"bp.{endpoint}", methods=["PUT"])
        )
    client = any_app.test_client()

    for url in ("/show/1", "/plain.show/1"):
        assert accepted(any_app, url) == {"token"}
        for method in ("PUT", "POST", "HEAD"):
            assert client.open(url, method=method).status_code == 401


def test_variable_of_the_map_is_no_user(any_app, caplog):
    def find_user(user: t.Annotated[str, TOKEN]) -> str:
        return user

    bp = Blueprint("bp", __name__)

    @bp.get("/a")
    def a(user: t.Annotated[str, TOKEN]) -> str:
        return user

    @bp.get("/b")
    def b(user: t.Annotated[str, Depends(find_user)]) -> str:
        return user

    any_app.register_blueprint(bp)
    for name in ("a", "b"):
        any_app.url_map.add(Rule(f"/{name}/<user>", endpoint=f"bp.{name}"))
        client = any_app.test_client()

        assert client.get(f"/{name}/Eve").status_code != 200
        assert client.get(f"/{name}/Eve", headers=ANN).status_code == 500
        assert client.get(f"/{name}?user=Eve", headers=ANN).text == "Ann"
    for name in ("a", "b"):
        problem = f"LookupError: '/{name}/<user>' has a variable 'user', which {name}()"
        assert problem in caplog.text


@APPLICATIONS
def test_function_of_a_guarded_view_under_a_plain_blueprint_is_guarded(make):
    bp = guarded()
    bp.get("/")(show)
    bp.register_blueprint(plain())
    app = make(__name__)
    app.register_blueprint(bp)
    functions = {"ours": app.view_functions["bp.show"]}
    if make is flask.Flask:
        # An application of ours keeps the view itself, and guards it by its endpoint.
        functions["plain"] = app.view_functions["bp.plain.show"]
    other = flask.Blueprint("other", __name__, url_prefix="/other")
    for name, function in functions.items():
        if make is flask.Flask:
            app.add_url_rule(f"/app/{name}", name, function)
        other.add_url_rule(f"/{name}", name, function)
    app.register_blueprint(other)

    for where in ("app", "other") if make is flask.Flask else ("other",):
        for name in functions:
            assert accepted(app, f"/{where}/{name}") == {"token"}, (where, name)


def test_function_of_a_guarded_view_under_another_endpoint_is_refused(any_app):
    bp = guarded()
    bp.get("/")(show)
    any_app.register_blueprint(bp)
    opened = Blueprint("opened", __name__, security=None)
    opened.add_url_rule("/opened", "opened", any_app.view_functions["bp.show"])

    with pytest.raises(SignatureError, match="under another endpoint"):
        any_app.register_blueprint(opened)


@APPLICATIONS
def test_closure_around_a_guarded_view_registered_again_is_guarded(make):
    bp = guarded()
    bp.get("/")(show)
    bp.register_blueprint(plain())
    app = make(__name__)
    app.register_blueprint(bp)
    opened = Blueprint("opened", __name__, security=None)
    names = ["show", "plain.show"] if make is flask.Flask else ["show"]
    for name in names:
        function = app.view_functions[f"bp.{name}"]

        def wrapper(*args, function=function, **kwargs):
            return function(*args, **kwargs)

        opened.add_url_rule(f"/{name}", name.replace(".", "_"), wrapper)
    app.register_blueprint(opened)

    assert all(accepted(app, f"/{name}") == {"token"} for name in names)


def test_function_registered_twice_has_the_requirement_of_each_rule(any_app):
    bp = Blueprint("bp", __name__)
    bp.get("/open")(show)
    bp.get("/token", security=TOKEN)(show)
    bp.get("/key", security=KEY)(show)
    any_app.register_blueprint(bp)
    any_app.url_map.add(Rule("/unknown", endpoint="bp.show"))

    assert "nothing" in accepted(any_app, "/open")
    assert accepted(any_app, "/token") == {"token"}
    assert accepted(any_app, "/key") == {"key"}
    assert any_app.test_client().get("/unknown", headers=ANN).status_code == 500


def take_method() -> None:
    """A hook that takes the method of a request from its query."""
    method = flask.request.args.get("method")
    flask.request.method = method or flask.request.method


def test_method_that_a_hook_changes_opens_nothing(any_app):
    bp = Blueprint("bp", __name__)
    bp.get("/")(show)
    bp.post("/", security=TOKEN)(show)
    bp.delete("/delete", endpoint="delete", security=TOKEN)(show)
    any_app.before_request(take_method)
    any_app.register_blueprint(bp)
    client = any_app.test_client()

    assert client.get("/?method=POST").status_code == 401
    assert client.get("/?method=PUT").status_code == 405
    for method in ("GET", "HEAD", "PUT", "POST"):
        assert client.delete(f"/delete?method={method}").status_code == 401


class TestReplacedFunctions:
    """A view function that is replaced is guarded by its blueprint."""

    @pytest.mark.parametrize("init", ["before", "after", "never"])
    @pytest.mark.parametrize("endpoint", ["bp.show", "bp.plain.show", "bp.new"])
    @pytest.mark.parametrize("how", ["mapping", "endpoint", "rule"])
    def test_function_that_is_replaced(self, app, *, init, endpoint, how):
        bp = guarded()
        bp.get("/")(show)
        bp.register_blueprint(plain())
        app.register_blueprint(bp)
        if init == "before":
            app.init_app()

        def replaced() -> str:
            return "replaced"

        app.url_map.add(Rule("/replaced", endpoint=endpoint))
        if how == "rule" and endpoint == "bp.new":
            app.add_url_rule("/new", endpoint, replaced)
        elif how == "endpoint":
            app.endpoint(endpoint)(replaced)
        else:
            app.view_functions[endpoint] = replaced
        if init == "after":
            app.init_app()

        assert accepted(app, "/replaced") == {"token"}


class TestDecorators:
    """A decorator may pass a value, and the request is checked nevertheless."""

    @pytest.mark.parametrize("where", ["above", "below", "route", "blueprint"])
    def test_d15_passed_user_does_not_let_in(self, any_app, where):
        def passing(view):
            @functools.wraps(view)
            def call(*args, **kwargs):
                return view(*args, **{**kwargs, "user": "passed"})

            return call

        around = {"decorators": [passing]}
        bp = Blueprint("bp", __name__, **(around if where == "blueprint" else {}))

        def me(user: t.Annotated[str, TOKEN]) -> str:
            return user

        view = passing(me) if where == "below" else me
        bp.get("/", **(around if where == "route" else {}))(view)
        any_app.register_blueprint(bp)
        if where == "above":
            any_app.view_functions["bp.me"] = passing(any_app.view_functions["bp.me"])
        client = any_app.test_client()

        assert client.get("/").status_code == 401
        assert client.get("/?user=Eve").status_code == 401
        assert client.get("/?user=Eve", headers=ANN).text == "passed"

    def test_d15_user_of_a_client_is_nobody(self, any_app):
        bp = Blueprint("bp", __name__)

        @bp.post("/")
        def me(user: t.Annotated[str | None, TOKEN | None], more: int = 1) -> str:
            return repr(user)

        any_app.register_blueprint(bp)

        response = any_app.test_client().post(
            "/?user=Eve", json={"user": "Eve"}, headers={"User": "Eve"}
        )
        assert response.text == "None"

    def test_d15_preprocessor_and_hook_do_not_let_in(self, any_app):
        bp = Blueprint("bp", __name__)

        @bp.get("/")
        def me(user: t.Annotated[str, TOKEN]) -> str:
            return user

        @any_app.before_request
        def set_user():
            flask.request.view_args["user"] = "hook"

        any_app.register_blueprint(bp)
        client = any_app.test_client()

        assert client.get("/").status_code == 401
        assert client.get("/?user=Eve", headers=ANN).text == "hook"


class TestClasses:
    def test_methods_of_a_class_are_guarded(self, any_app):
        class Items(MethodView):
            def get(self) -> str:
                return "get"

            def post(self, user: t.Annotated[str, KEY]) -> str:
                return user

        class Page(View):
            methods: t.ClassVar = ["GET", "PUT"]

            def dispatch_request(self) -> str:
                return "page"

        bp = guarded()
        bp.add_url_rule("/items", view_func=Items.as_view("items"))
        bp.add_url_rule("/page", view_func=Page.as_view("page"))
        any_app.register_blueprint(bp)
        any_app.url_map.add(Rule("/other", endpoint="bp.items"))
        client = any_app.test_client()

        for url in ("/items", "/page", "/other"):
            assert accepted(any_app, url) == {"token"}
        for url, method in [
            ("/items", "POST"),
            ("/page", "PUT"),
            ("/other", "POST"),
        ]:
            assert client.open(url, method=method).status_code == 401
        assert client.post("/items", headers=ANN).status_code == 401
        both = {**ANN, "X-Key": "right"}
        assert client.post("/items", headers=both).text == "client"

    def test_requirement_of_one_method_is_not_that_of_another(self, any_app):
        class Items(MethodView):
            def get(self) -> str:
                return "get"

            def delete(self, user: t.Annotated[str, TOKEN]) -> str:
                return user

        bp = Blueprint("bp", __name__)
        bp.add_url_rule("/", view_func=Items.as_view("items"))
        any_app.before_request(take_method)
        any_app.register_blueprint(bp)
        client = any_app.test_client()

        assert client.get("/").text == "get"
        assert client.delete("/").status_code == 401
        assert client.get("/?method=DELETE").status_code == 401

    def test_decorators_of_a_class_are_inside_of_security(self, app, client):
        order = []

        def noting(view):
            @functools.wraps(view)
            def call(**kwargs):
                order.append("decorator")
                return view(**kwargs)

            return call

        class Items(MethodView):
            decorators: t.ClassVar = [noting]

            def get(self) -> str:
                order.append("get")
                return "get"

        app.add_url_rule("/", view_func=Items.as_view("items"), security=TOKEN)

        assert client.get("/").status_code == 401
        assert order == []
        assert client.get("/", headers=ANN).text == "get"
        assert order == ["decorator", "get"]


def test_asynchronous_view_is_guarded(any_app):
    bp = guarded()

    @bp.get("/")
    async def show(user: t.Annotated[str, TOKEN]) -> str:
        return user

    any_app.register_blueprint(bp)

    assert accepted(any_app, "/") == {"token"}


def test_view_that_calls_a_guarded_one(app):
    bp = guarded()
    bp.get("/")(show)
    app.register_blueprint(bp)

    @app.get("/open")
    def call() -> t.Any:
        return app.view_functions["bp.show"]()

    assert accepted(app, "/open") == {"token"}


def test_endpoint_called_static_is_guarded_where_there_is_no_static_folder():
    app = Flask("shop", static_folder=None)
    app.config["SIGNATURE_SECURITY"] = TOKEN
    app.add_url_rule("/static", endpoint="static")
    app.endpoint("static")(show)
    app.init_app()

    assert app.test_client().get("/static").status_code == 401


def test_variable_of_a_guarded_plain_view_may_have_any_name():
    app, bp = Flask("shop"), guarded(decorators=[lambda view: lambda **k: view(**k)])
    inner = flask.Blueprint("inner", __name__)
    inner.get("/<self>", endpoint="inner")(lambda **variables: variables["self"])
    bp.register_blueprint(inner)
    app.register_blueprint(bp)

    assert app.test_client().get("/x", headers=ANN).text == "x"


def test_options_of_a_rule_that_was_added_to_the_map(app, client):
    app.url_map.add(Rule("/", endpoint="index"))
    app.endpoint("index")(show)

    assert client.options("/").status_code == 200
