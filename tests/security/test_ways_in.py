"""Nobody reaches a guarded view by another way than with credentials."""

from __future__ import annotations

import functools
import typing as t
from concurrent.futures import ThreadPoolExecutor

import flask
import pytest
from flask.views import MethodView, View
from senders import ANN, KEY, TOKEN, accepted, guarded, plain, show
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.routing import Rule
from werkzeug.test import Client

from flask_signature import Blueprint, Flask, SignatureError, operation


@pytest.fixture
def guarded_app(any_app: flask.Flask) -> flask.Flask:
    """Applications whose views at ``/`` and ``/plain`` ask for a token."""
    bp = guarded(plain())
    bp.get("/")(show)
    any_app.register_blueprint(bp)
    return any_app


@pytest.mark.parametrize("url", ["/", "/plain"])
class TestD18:
    """What is sent beside GET."""

    def test_d18_automatic_options_are_open(self, guarded_app, url):
        response = guarded_app.test_client().options(url)

        assert response.status_code == 200
        assert response.allow.as_set(preserve_casing=True) == {"GET", "HEAD", "OPTIONS"}

    def test_d18_head_is_guarded(self, guarded_app, url):
        client = guarded_app.test_client()

        assert client.head(url).status_code == 401
        assert client.head(url, headers=ANN).status_code == 200

    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "X"])
    def test_d18_other_methods_are_not_allowed(self, guarded_app, url, method):
        response = guarded_app.test_client().open(url, method=method)

        assert response.status_code == 405
        assert response.allow.as_set(preserve_casing=True) == {"GET", "HEAD", "OPTIONS"}


def test_d18_options_and_head_of_the_author_are_guarded(any_app):
    class Items(MethodView):
        def get(self) -> str:
            return "get"

        def head(self) -> str:
            return "head"

    bp = guarded()
    bp.options("/")(show)
    bp.add_url_rule("/items", view_func=Items.as_view("items"))
    any_app.register_blueprint(bp)
    client = any_app.test_client()

    assert client.options("/").status_code == client.head("/items").status_code == 401
    assert client.options("/", headers=ANN).text == "shown"
    assert client.head("/items", headers=ANN).status_code == 200


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


def test_mounted_application_is_guarded(guarded_app):
    client = Client(DispatcherMiddleware(flask.Flask("root"), {"/shop": guarded_app}))

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


@pytest.mark.parametrize("endpoint", ["bp.show", "bp.plain.show"])
def test_rule_of_the_map_is_guarded(guarded_app, endpoint):
    guarded_app.url_map.add(Rule("/x/1", endpoint=endpoint))
    guarded_app.url_map.add(Rule("/x/<n>", endpoint=endpoint, methods=["PUT"]))
    client = guarded_app.test_client()

    assert accepted(guarded_app, "/x/1") == {"token"}
    for method in ("PUT", "POST", "HEAD"):
        assert client.open("/x/1", method=method).status_code == 401


# An application of ours keeps a plain view itself, and guards it by its endpoint.
@pytest.mark.parametrize(
    ("make", "endpoint"),
    [(Flask, "bp.show"), (flask.Flask, "bp.show"), (flask.Flask, "bp.plain.show")],
)
def test_function_of_a_guarded_view_is_guarded_elsewhere(make, endpoint):
    app, bp = make(__name__), guarded(plain())
    bp.get("/")(show)
    app.register_blueprint(bp)
    function = app.view_functions[endpoint]
    opened = Blueprint("opened", __name__, security=None)
    opened.add_url_rule("/closure", "closure", lambda **kwargs: function(**kwargs))
    other = flask.Blueprint("other", __name__)
    other.add_url_rule("/other", "other", function)
    owners = {"/closure": opened, "/other": other}
    for owner in owners.values():
        app.register_blueprint(owner)
    if make is flask.Flask:
        app.add_url_rule("/app", "app", function)

    for url in [*owners, *(["/app"] if make is flask.Flask else [])]:
        assert accepted(app, url) == {"token"}, url


def test_function_of_a_guarded_view_under_another_endpoint_is_refused(guarded_app):
    opened = Blueprint("opened", __name__, security=None)
    opened.add_url_rule("/opened", "opened", guarded_app.view_functions["bp.show"])

    with pytest.raises(SignatureError, match="under another endpoint"):
        guarded_app.register_blueprint(opened)


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


@pytest.mark.parametrize("methods", [["GET"], ["GET", "POST"]], ids=["one", "two"])
@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_method_of_a_class_that_no_rule_has_is_not_called(any_app, method, methods):
    class Items(MethodView):
        def get(self):
            return "public"

        def post(self) -> list[str]:
            return ["made"]

        @operation(security=TOKEN)
        def delete(self):
            return "deleted"

    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/", view_func=Items.as_view("items"), methods=methods)
    any_app.before_request(take_method)
    any_app.register_blueprint(bp)
    any_app.url_map.add(Rule("/any", endpoint="bp.items"))
    client = any_app.test_client()

    assert client.get("/").text == client.get("/any").text == "public"
    assert client.post("/").status_code == (201 if "POST" in methods else 405)
    assert client.get(f"/?method={method}").status_code >= 400
    assert client.open("/any", method=method).status_code >= 400


@pytest.mark.parametrize("init", ["before", "after", "never"])
@pytest.mark.parametrize(
    "endpoint", ["show", "bp.show", "bp.plain.show", "bp.static", "bp.new"]
)
@pytest.mark.parametrize("how", ["mapping", "endpoint", "rule"])
def test_function_that_is_replaced_is_guarded(app, init, endpoint, how):
    bp = guarded(plain(), static_folder="static", url_prefix="/bp")
    bp.get("/")(show)
    app.register_blueprint(bp)
    app.get("/own", security=TOKEN)(show)
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

        sent = {"json": {"user": "Eve"}, "headers": {"User": "Eve"}}
        assert any_app.test_client().post("/?user=Eve", **sent).text == "None"

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

        for url, method in (("/items", "POST"), ("/page", "PUT"), ("/other", "POST")):
            assert accepted(any_app, url) == {"token"}
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


def test_endpoint_called_static_is_guarded_where_there_is_no_static_folder():
    app = Flask("shop", static_folder=None)
    app.config["SIGNATURE_SECURITY"] = TOKEN
    app.add_url_rule("/static", endpoint="static")
    app.endpoint("static")(show)
    app.init_app()

    assert app.test_client().get("/static").status_code == 401


def test_variable_of_a_guarded_plain_view_may_have_any_name(app, client):
    inner = flask.Blueprint("inner", __name__)
    inner.get("/<self>", endpoint="inner")(lambda **variables: variables["self"])
    bp = guarded(inner, decorators=[lambda view: lambda **k: view(**k)])
    app.register_blueprint(bp)

    assert client.get("/x", headers=ANN).text == "x"


def test_options_of_a_rule_that_was_added_to_the_map(app, client):
    app.url_map.add(Rule("/", endpoint="index"))
    app.endpoint("index")(show)

    assert client.options("/").status_code == 200


def test_endpoint_without_a_function_asks_a_stranger_for_credentials(app, client):
    app.get("/", security=TOKEN)(show)
    del app.view_functions["show"]

    assert client.get("/").status_code == 401
    assert client.get("/", headers=ANN).status_code == 500


def test_decorator_of_a_replaced_view_may_wait_for_another_request(app):
    """As it does where it starts a thread that warms a cache."""
    answers = []

    def ask_other(view):
        if app.view_functions.get("first") is app.view_functions.get("second"):
            with ThreadPoolExecutor(1) as threads:
                sent = threads.submit(app.test_client().get, "/first")
                answers.append(sent.result(timeout=20).text)
        return view

    app.get("/first", decorators=[lambda view: view], endpoint="first")(show)
    app.get("/second", decorators=[ask_other], endpoint="second")(show)
    app.view_functions["first"] = app.view_functions["second"] = lambda: "replaced"

    assert app.test_client().get("/first").text == "replaced"
    assert app.test_client().get("/second").text == "replaced"
    assert answers == ["replaced"]
