"""Functions that Flask was given for a view: further rules of it, and no other's."""

from __future__ import annotations

import functools
import typing as t

import flask
import pytest
from document import describe
from flask.views import MethodView
from guards import TOKEN, bare_guard, check_token, guard, noting
from messages import message_of, place_of
from models import Item
from pydantic import BaseModel
from werkzeug.routing import Rule, Submount

from flask_signature import Blueprint, Flask, Query, SignatureError, operation
from flask_signature.security import HTTPBearer

if t.TYPE_CHECKING:
    from guards import View


class Order(BaseModel):
    item: str
    count: int = 1


class Login(MethodView):
    """A class-based view, which is one function for several operations."""

    def get(self):
        return "login form"

    def post(self):
        return "logged in"


class WrapperObject:
    """A wrapper that is an object."""

    def __init__(self, view: View) -> None:
        self.view = guard(view)
        functools.update_wrapper(self, view)

    def __call__(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
        return self.view(*args, **kwargs)


WRAPPERS = pytest.mark.parametrize("wrapper", [guard, bare_guard, WrapperObject])


def show(n: int = 1) -> Item:
    return {"name": f"{n}", "password": "hunter2"}


def find(n: int = Query(1)) -> Item:
    return {"name": f"{n}", "password": "hunter2"}


def ping(n: int): ...


def ping_back():
    return "pong"


def register_both(app: Flask) -> None:
    """Two operations of one endpoint, of which that of POST is guarded."""
    app.get("/x", endpoint="x")(find)
    app.post("/x", endpoint="x", decorators=[guard])(find)


def register_show(app: flask.Flask) -> View:
    bp = Blueprint("bp", __name__)
    bp.get("/x", endpoint="x")(show)
    app.register_blueprint(bp)
    return t.cast("View", app.view_functions["bp.x"])


def assert_guarded(app: flask.Flask, *urls: str, name: str = "1") -> None:
    """Each URL asks for the token, and shows what the model has, and no more."""
    client = app.test_client()
    for url in urls:
        assert client.get(url).status_code == 401, url
        assert client.get(url, headers=TOKEN).json == {"name": name}, url


@pytest.mark.parametrize("decorator", [guard, bare_guard])
def test_another_rule_of_an_endpoint_keeps_its_declaration(app, decorator):
    app.get("/secret", endpoint="secret", decorators=[decorator])(show)
    view = app.view_functions["secret"]
    app.add_url_rule("/v2/secret", endpoint="secret")
    app.add_url_rule("/v3/secret", endpoint="secret", view_func=view)
    app.add_url_rule("/v4/secret", endpoint="secret", view_func=view)

    assert_guarded(app, "/secret", "/v2/secret", "/v3/secret", "/v4/secret")


def test_rule_that_matched_decides_what_is_read(app):
    @app.get("/find", decorators=[guard], response_model=Item)
    def find(shop: int, page: int = 1):
        return {"name": f"{shop}/{page}"}

    view = app.view_functions["find"]
    app.add_url_rule("/shops/<int:shop>", endpoint="find")
    app.add_url_rule("/pages/<int:page>", endpoint="find", view_func=view)

    assert_guarded(app, "/find?shop=1&page=2", name="1/2")
    assert_guarded(app, "/shops/3?shop=9&page=4", name="3/4")
    assert_guarded(app, "/pages/6?shop=5&page=9", name="5/6")


def test_options_of_the_second_rule_add_to_those_of_the_first(app):
    log = []
    app.get("/a", decorators=[guard], response_model=Item, tags=["A"])(show)
    app.add_url_rule("/b", endpoint="show", decorators=[noting(log, "b")], tags=["B"])
    app.init_app()

    assert_guarded(app, "/a", "/b")
    assert log == ["b"] * 2
    paths = describe(app)["paths"]
    assert paths["/a"]["get"]["tags"] == ["A"]
    assert paths["/b"]["get"]["tags"] == ["B"]


def test_function_that_reads_nothing_may_have_to_under_another_rule(app, client):
    @app.get("/a/<int:n>", decorators=[guard])
    def show(n: int):
        return {"name": f"{n}"}

    app.add_url_rule("/b", endpoint="show", view_func=app.view_functions["show"])

    assert_guarded(app, "/a/2", "/b?n=2", name="2")
    assert client.get("/b?n=x", headers=TOKEN).status_code == 422


def test_function_of_different_declarations_is_refused(app):
    app.post("/a", endpoint="a")(ping)
    app.post("/b", endpoint="a", decorators=[guard])(ping)

    assert message_of(lambda: app.add_url_rule("/c", "a", methods=["POST"])) == (
        "POST /c: ping() has another rule of the endpoint 'a', but it can't be told"
        " which of the declarations there holds for it. Register the view itself, with"
        f" the options of this rule. {place_of(ping)}"
    )


def test_methods_of_different_declarations_keep_their_own(app, client):
    register_both(app)
    view, methods = app.view_functions["x"], ["GET", "HEAD", "POST", "OPTIONS"]
    app.add_url_rule("/y", endpoint="x", view_func=view, methods=methods)

    for url in ("/x", "/y"):
        assert client.get(url).json == {"name": "1"}
        assert client.head(url).status_code == 200
        assert client.post(url).status_code == 401
        assert client.post(url, headers=TOKEN).json == {"name": "1"}
        # Nothing was declared for it: it is Flask's to answer.
        response = client.options(url)
        assert (response.status_code, response.data) == (200, b"")


@pytest.mark.parametrize("has_two_rules", [False, True])
def test_wrapper_in_the_place_of_a_function_stays(app, has_two_rules):
    app.get("/x")(show)
    wrapper = guard(app.view_functions["show"])
    app.view_functions["show"] = wrapper
    urls = ["/x?n=2"]
    if has_two_rules:
        app.add_url_rule("/x/<int:n>", endpoint="show", view_func=wrapper)
        urls.append("/x/2?n=3")
    with pytest.raises(AssertionError, match="overwriting an existing endpoint"):
        app.add_url_rule("/more", endpoint="show", view_func=show)

    assert_guarded(app, *urls, name="2")
    assert app.test_client().get("/more").status_code == 401


def test_wrapper_in_the_place_of_a_view_that_needs_nothing_stays(app, client):
    app.get("/a")(ping_back)
    app.view_functions["ping_back"] = guard(ping_back)
    with pytest.raises(AssertionError, match="overwriting an existing endpoint"):
        app.add_url_rule("/b/<int:n>", endpoint="ping_back", view_func=ping_back)

    assert client.get("/a").status_code == 401


def test_view_that_was_put_there_before_its_rule_is_guarded(app):
    app.endpoint("show")(show)
    app.add_url_rule("/show", endpoint="show", view_func=show, decorators=[guard])

    assert_guarded(app, "/show")


def test_methods_of_a_bound_object_may_have_two_rules(app, client):
    class Shop:
        def show(self, n: int = 1) -> Item:
            return {"name": str(n)}

    shop = Shop()
    app.add_url_rule("/a", endpoint="show", view_func=shop.show)
    app.add_url_rule("/b/<int:n>", endpoint="show", view_func=shop.show)

    assert client.get("/a?n=2").json == {"name": "2"}
    assert client.get("/b/3?n=2").json == {"name": "3"}


def test_overlapping_methods_are_reported_apart_by_the_rule_that_matched(any_app):
    bp = Blueprint("bp", __name__)
    bp.post("/s", endpoint="s", decorators=[guard])(find)
    bp.route("/s", endpoint="s", methods=["GET", "POST"])(find)
    bp.add_url_rule("/v2", endpoint="s", methods=["GET"])
    any_app.register_blueprint(bp)

    client = any_app.test_client()
    assert client.get("/s").json == client.get("/v2").json == {"name": "1"}
    assert client.post("/s").status_code == 401
    assert client.post("/s", headers=TOKEN).json == {"name": "1"}
    assert client.post("/s?n=x", headers=TOKEN).status_code == 422


def test_operation_that_runs_is_the_one_that_is_described(app):
    app.post("/s", tags=["first"])(find)
    app.route("/s", methods=["GET", "POST"], tags=["second"])(find)

    operations = describe(app)["paths"]["/s"]
    assert operations["post"]["tags"] == ["first"]
    assert operations["get"]["tags"] == ["second"]


def test_rule_that_only_builds_is_reported_apart_from_its_equal(app, client):
    app.add_url_rule("/x", view_func=show, build_only=True)
    app.add_url_rule("/x", view_func=show, tags=["seen"])
    app.init_app()

    assert client.get("/x?n=2").json == {"name": "2"}
    assert describe(app)["paths"]["/x"]["get"]["tags"] == ["seen"]


class PrefixedRule(Rule):
    """A rule that is not what the author wrote."""

    def __init__(self, string: str, *args: t.Any, **kwargs: t.Any) -> None:
        super().__init__(f"/api{string}", *args, **kwargs)


class DoubledRule(Rule):
    """A rule that becomes two."""

    def get_rules(self, map: t.Any) -> t.Any:
        yield self
        yield Rule(f"/again{self.rule}", endpoint=self.endpoint, methods=self.methods)


@pytest.mark.parametrize(
    ("rule_class", "urls"),
    [(PrefixedRule, ["/api/x"]), (DoubledRule, ["/x", "/again/x"])],
)
def test_class_of_rules_may_change_its_rules(app, client, rule_class, urls):
    app.url_rule_class = rule_class
    register_both(app)

    for url in urls:
        assert client.get(f"{url}?n=2").json == {"name": "2"}
        assert client.post(url).status_code == 401
        assert client.post(f"{url}?n=3", headers=TOKEN).json == {"name": "3"}


def test_rule_without_the_default_subdomain():
    app = Flask(__name__, subdomain_matching=True)
    app.config["SERVER_NAME"] = "shop.test"
    app.url_map.default_subdomain = "www"
    app.get("/x", subdomain="")(find)
    app.post("/x", subdomain="")(find)

    client = app.test_client()
    assert client.get("/x?n=2", base_url="http://shop.test").json == {"name": "2"}
    assert client.post("/x?n=2", base_url="http://shop.test").status_code == 201


def test_rules_that_somebody_else_adds_are_guarded(app, client):
    register_both(app)
    copies = [rule.empty() for rule in app.url_map.iter_rules("x")]
    app.url_map.add(Submount("/en", copies))
    app.url_map.add(Rule("/all", endpoint="x"))

    for url in ("/x", "/en/x", "/all"):
        assert client.get(f"{url}?n=2").json == {"name": "2"}
        assert client.head(url).status_code == 200
        assert client.post(url).status_code == 401
        assert client.post(url, headers=TOKEN).status_code == 201
    response = client.put("/all")
    assert (response.status_code, {*response.allow}) == (405, {"GET", "POST"})


def test_rule_of_somebody_else_that_fits_two_declarations_runs_neither(app, client):
    app.get("/a", decorators=[guard])(show)
    app.get("/b")(show)
    app.url_map.add(Rule("/c", endpoint="show"))

    assert client.get("/c").status_code == 500


def test_function_of_several_operations_under_a_plain_blueprint(app, client):
    register_both(app)
    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/y", view_func=app.view_functions["x"], methods=["POST", "GET"])
    app.register_blueprint(plain)

    assert client.get("/y?n=2").json == {"name": "2"}
    assert client.post("/y").status_code == 401


def test_asynchronous_views_run_under_each_rule(app, client):
    async def show(n: int = Query(1)) -> Item:
        return {"name": str(n)}

    async def ping():
        return {"name": "pong"}

    app.get("/a", endpoint="show")(show)
    app.post("/a", endpoint="show", decorators=[guard])(show)
    app.get("/ping", endpoint="ping")(ping)
    app.post("/ping", endpoint="ping")(ping)
    for name in ("show", "ping"):
        app.add_url_rule(f"/{name}2", endpoint=name)

    assert client.get("/a?n=2").json == client.get("/show2?n=2").json == {"name": "2"}
    assert client.post("/a").status_code == 401
    assert client.get("/ping").json == client.get("/ping2").json == {"name": "pong"}
    assert client.post("/ping").status_code == 201


def test_function_that_is_called_in_another_request_runs_itself(any_app):
    def login():
        return any_app.view_functions["bp.login"]()

    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/login", view_func=Login.as_view("login"))
    bp.add_url_rule("/forward", view_func=lambda: login(), endpoint="forward")
    bp.get("/secret", endpoint="secret")(lambda: {"salary": 99})

    @bp.before_request
    def ask():
        if "X-Token" not in flask.request.headers and "login" not in flask.request.path:
            return login()
        return None

    any_app.register_blueprint(bp)

    client = any_app.test_client()
    assert client.get("/secret").text == "login form"
    assert client.get("/secret", headers=TOKEN).json == {"salary": 99}
    assert client.get("/forward", headers=TOKEN).text == "login form"


def test_function_that_is_called_instead_keeps_its_own_guard(app, client):
    app.add_url_rule("/shut", view_func=Login.as_view("shut"), decorators=[guard])
    app.get("/choose", endpoint="choose")(lambda **_: app.view_functions["shut"]())

    assert client.get("/choose").status_code == 401
    assert client.get("/choose", headers=TOKEN).text == "login form"


@WRAPPERS
def test_wrapper_around_operations_runs_that_of_the_method(app, client, wrapper):
    app.add_url_rule("/login", view_func=Login.as_view("login"))
    wrapped = wrapper(app.view_functions["login"])
    app.add_url_rule("/v1", endpoint="v1", view_func=wrapped, methods=["GET", "POST"])
    app.add_url_rule("/w", "w", wrapped, methods=["GET"])
    app.add_url_rule("/w", "w", wrapped, methods=["POST"])

    for url in ("/v1", "/w"):
        assert client.get(url).status_code == client.post(url).status_code == 401
        assert client.get(url, headers=TOKEN).text == "login form"
        assert client.post(url, headers=TOKEN).text == "logged in"


def test_function_is_called_with_what_it_takes(app, client):
    @app.get("/users/<int:id>")
    @app.get("/<name>/users/<int:id>")
    def user(id: int, name: str = "all"):
        return f"{name} {id}"

    app.get("/me", endpoint="me")(lambda: app.view_functions["user"](id=7))

    assert client.get("/me").text == "all 7"


def test_rule_of_somebody_else_is_never_reported_by_its_defaults(any_app):
    bp = Blueprint("bp", __name__)

    @bp.get("/all", endpoint="u", defaults={"scope": "all"}, decorators=[guard])
    @bp.get("/<scope>", endpoint="u")
    def show(scope: str):
        return {"scope": scope}

    any_app.register_blueprint(bp)
    view = any_app.view_functions["bp.u"]
    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/p/all", "u", view, defaults={"scope": "all"})
    any_app.register_blueprint(plain)
    any_app.url_map.add(Rule("/m", endpoint="bp.u", defaults={"scope": "none"}))

    client = any_app.test_client()
    assert client.get("/all").status_code == 401
    assert client.get("/p/all").status_code == 500
    assert client.get("/m").status_code == 500


MODELS: dict[str, tuple[dict[str, t.Any], dict[str, t.Any], int]] = {
    "model": ({"response_model": Item}, {"response_model": Order}, 200),
    "fields": ({"response_model": Item}, {"response_model_exclude": {"name"}}, 200),
    "responses": ({"responses": {404: Item}}, {"responses": {404: Order}}, 404),
    "method": ({"responses": {200: Item}}, {"methods": ["POST"]}, 201),
    "status": ({"responses": {200: Item}}, {"status_code": 202}, 202),
    "other-model": (
        {"responses": {404: Item}, "status_code": 404},
        {"status_code": 200},
        200,
    ),
}


@pytest.mark.parametrize(("first", "second", "status"), MODELS.values(), ids=MODELS)
def test_what_is_sent_is_not_changed_by_another_rule(app, first, second, status):
    app.get("/a", endpoint="a", **first)(ping)

    method = (second.get("methods") or ["GET"])[0]
    assert message_of(lambda: app.add_url_rule("/b", "a", **second)) == (
        f"{method} /b: ping() has another rule of the endpoint 'a', which has a model"
        f" of status {status} that can't be changed. Register the view itself, with the"
        f" options of this rule. {place_of(ping)}"
    )


def test_what_is_sent_with_an_annotated_status_is_not_changed_either(app):
    @app.get("/a", endpoint="a")
    def show() -> tuple[Item, t.Literal[200]]:
        return Item(name="a"), 200

    assert message_of(
        lambda: app.add_url_rule("/b", "a", response_model_exclude={"name"})
    ).startswith(
        "GET /b: show() has another rule of the endpoint 'a', which has a model of"
        " status 200 that can't be changed."
    )


def wrapped_in_partial(view: View) -> View:
    return functools.partial(view, n=1)


def elsewhere(endpoint: str, other: str) -> str:
    return (
        "the function that Flask has for show() is registered under another endpoint,"
        f" {other!r}. Give the rule the endpoint of the view, add_url_rule(rule,"
        f" endpoint={endpoint!r}), which keeps what guards it; or register the view"
        " itself with its security=, dependencies=, decorators= and models."
        f" {place_of(show)}"
    )


@pytest.mark.parametrize(
    "wrapper", [lambda view: view, guard, WrapperObject, wrapped_in_partial]
)
class TestWrappedElsewhere:
    def test_of_the_application(self, app, wrapper):
        app.get("/x")(show)
        view = wrapper(app.view_functions["show"])
        put = app.route("/v2/<int:n>", endpoint="v2", methods=["PUT", "GET"])

        told = message_of(lambda: put(view))

        assert told == f"GET, PUT /v2/{{n}}: {elsewhere('show', 'v2')}"
        assert "v2" not in app.view_functions

    def test_of_a_blueprint(self, any_app, wrapper):
        bp, other = Blueprint("bp", __name__), Blueprint("other", __name__)
        bp.get("/x", decorators=[guard])(show)
        any_app.register_blueprint(bp)
        other.get("/v2", endpoint="v2")(wrapper(any_app.view_functions["bp.show"]))

        told = message_of(lambda: any_app.register_blueprint(other))

        assert told == f"GET /v2: {elsewhere('bp.show', 'other.v2')}"


class TestElsewhere:
    """A function that Flask was given is refused under another endpoint."""

    @pytest.mark.parametrize("other", ["v2", "known"])
    def test_of_an_endpoint_that_was_given_another_rule_since(self, app, other):
        app.get("/x")(show)
        view = app.view_functions["show"]
        app.add_url_rule("/y", endpoint="show")
        app.get("/z", endpoint="known")(show)

        with pytest.raises(SignatureError, match="endpoint='show'"):
            app.add_url_rule("/v2", other, view)

    def test_of_another_application(self, app):
        other = Flask(__name__)
        other.get("/x")(show)
        view = other.view_functions["show"]

        assert message_of(lambda: app.add_url_rule("/x", "show", view)) == (
            f"GET /x: a function that was made of {__name__}.show() for another"
            " application, or for a decorator, is registered. Register the view itself,"
            " with its options."
        )

    def test_that_a_decorator_is_given(self, app):
        """The decorators around it would be missing."""

        def alias(view):
            app.add_url_rule("/alias", "alias", view)
            return view

        with pytest.raises(SignatureError, match="for a decorator, is registered"):
            app.get("/x", decorators=[alias, guard])(show)

    def test_that_is_put_there_is_called_as_it_is(self, app):
        app.get("/a", decorators=[guard])(show)
        app.endpoint("b")(app.view_functions["show"])
        app.add_url_rule("/b", endpoint="b")

        with pytest.raises(SignatureError, match="under another endpoint, 'b'"):
            app.add_url_rule("/b", endpoint="b", view_func=app.view_functions["show"])
        assert_guarded(app, "/a", "/b")

    def test_view_that_needs_nothing_is_itself(self, app, client):
        app.add_url_rule("/a", view_func=ping_back)
        app.add_url_rule("/b", endpoint="b", view_func=app.view_functions["ping_back"])

        assert client.get("/b").text == "pong"


class TestOtherMethods:
    """A rule for another method of a class has the options of the rule and its own."""

    @staticmethod
    def register(app: Flask, **options: t.Any) -> None:
        class Items(MethodView):
            @operation(status_code=202, tags=["get"])
            def get(self) -> str:
                return "get"

            @operation(**options)
            def delete(self) -> str:
                return "deleted"

        view = Items.as_view("items")
        app.add_url_rule("/a", view_func=view, methods=["GET"], summary="Items")
        app.add_url_rule("/a", endpoint="items", methods=["DELETE"])

    @pytest.mark.parametrize(
        "options", [{"dependencies": [check_token]}, {"decorators": [guard]}]
    )
    @pytest.mark.parametrize("status", [200, 202])
    def test_own_guards_are_asked(self, app, client, options, status):
        self.register(app, **options, status_code=status)

        assert client.get("/a").status_code == 202
        assert client.delete("/a").status_code == 401
        assert client.delete("/a", headers=TOKEN).status_code == status

    def test_options_of_another_method_are_not_inherited(self, app):
        self.register(app, status_code=200)

        described = describe(app)["paths"]["/a"]
        assert described["delete"]["summary"] == described["get"]["summary"] == "Items"
        assert "tags" not in described["delete"]
        assert [*described["delete"]["responses"]] == ["200"]

    def test_guard_that_another_method_is_free_of_is_asked(self, app, client):
        class Items(MethodView):
            @operation(security=None)
            def get(self) -> str:
                return "get"

            def delete(self) -> str:
                return "deleted"

        app.config["SIGNATURE_SECURITY"] = HTTPBearer("token", verify=lambda _: None)
        app.add_url_rule("/a", view_func=Items.as_view("items"), methods=["GET"])
        app.add_url_rule("/a", endpoint="items", methods=["DELETE"])
        app.init_app()

        assert client.get("/a").status_code == 200
        assert client.delete("/a").status_code == 401

    def test_rules_that_differ_are_refused(self, app):
        self.register(app, status_code=200)

        with pytest.raises(SignatureError, match="which of the declarations"):
            app.add_url_rule("/a", endpoint="items", methods=["PUT"])


def test_rule_of_a_view_that_needs_nothing_has_its_options(app, client):
    app.get("/a", status_code=202, tags=["A"])(ping_back)
    app.add_url_rule("/b", endpoint="ping_back")
    app.init_app()

    response = client.get("/b")
    assert (response.status_code, response.text) == (202, "pong")
    assert describe(app)["paths"]["/b"]["get"]["tags"] == ["A"]


@WRAPPERS
def test_wrapper_in_the_place_of_its_function(app, wrapper):
    wrapped = wrapper(register_show(app))
    app.view_functions["bp.x"] = wrapped
    app.add_url_rule("/x2", "bp.x", wrapped)
    app.add_url_rule("/x3", "bp.x", wrapped)
    app.add_url_rule("/x4", "bp.x")

    assert_guarded(app, "/x", "/x2", "/x3", "/x4")


def test_closure_of_a_blueprint_that_is_registered_twice(any_app):
    bp = Blueprint("y", __name__)
    bp.get("/y", endpoint="y")(bare_guard(register_show(any_app)))
    any_app.register_blueprint(bp)
    any_app.register_blueprint(bp, name="two", url_prefix="/two")

    assert_guarded(any_app, "/y", "/two/y")


def test_options_of_a_rule_without_its_view_are_refused(any_app):
    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/a", endpoint="a", decorators=[guard])
    bp.endpoint("bp.a")(show)

    assert message_of(lambda: any_app.register_blueprint(bp)) == (
        "/a: Option 'decorators' is for a view that is read, but whatever the endpoint"
        " has is called as it is. Give the rule its view."
    )


def test_options_of_a_rule_whose_function_was_replaced_are_refused(app):
    app.get("/a")(show)
    app.view_functions["show"] = guard(app.view_functions["show"])

    for view in (None, app.view_functions["show"]):
        with pytest.raises(SignatureError, match="'tags' is for a view that is read"):
            app.add_url_rule("/b", "show", view, tags=["B"])


def test_function_answers_a_method_that_it_has_no_rule_for(app, client):
    @app.route("/login", methods=["GET", "POST"])
    def login():
        return "login"

    app.delete("/thing", endpoint="thing")(lambda: "gone")
    app.errorhandler(404)(lambda error: app.view_functions["login"]())

    @app.before_request
    def ask():
        if flask.request.endpoint == "thing":
            return app.view_functions["login"]()
        return None

    assert client.delete("/thing").text == client.put("/none").text == "login"


@pytest.mark.parametrize("wraps", [True, False])
def test_application_that_wraps_each_view(wraps):
    class Own(Flask):
        def add_url_rule(self, rule, endpoint=None, view_func=None, *args, **options):
            if view_func is not None:
                view = view_func

                def view_func(**kwargs):
                    return view(**kwargs)

                if wraps:
                    functools.update_wrapper(view_func, view)
            super().add_url_rule(rule, endpoint, view_func, *args, **options)

    app, log = Own(__name__), []
    around = [noting(log, "bp")]
    bp = Blueprint("bp", __name__, url_prefix="/<int:uid>", decorators=around)

    @bp.get("/x")
    def x(uid: int, n: int = 1) -> Item:
        return {"name": f"{uid} {n}", "password": "hunter2"}

    app.register_blueprint(bp)
    app.init_app()

    assert app.test_client().get("/7/x?n=2").json == {"name": "7 2"}
    assert log == ["bp"]


def test_views_that_flask_has_refused_are_not_taken_for_others(app, client):
    app.get("/a", endpoint="a")(lambda: "a")
    for _ in range(50):
        with pytest.raises(AssertionError):
            app.add_url_rule("/b", "a", lambda: "b")

    async def ask():
        return "asked"

    app.before_request(ask)

    assert client.get("/a").text == "asked"


def test_function_that_a_decorator_always_returns_is_a_view_itself(app, client):
    app.get("/a", decorators=[lambda view: show], endpoint="a")(ping)
    app.get("/show")(show)

    assert client.get("/show").json == {"name": "1"}


def test_name_of_an_operation_is_that_of_its_own_rule(app):
    app.get("/a", endpoint="a", operation_id="getA", decorators=[guard])(ping)
    app.add_url_rule("/v1/a", endpoint="a")

    paths = describe(app)["paths"]
    assert paths["/a"]["get"]["operationId"] == "getA"
    assert paths["/v1/a"]["get"]["operationId"] == "a_get"


def test_refused_rule_changes_nothing(app):
    app.get("/a", endpoint="a", decorators=[guard])(show)
    function = app.view_functions["a"]
    with pytest.raises(ValueError, match="slash"):
        app.add_url_rule("bad", endpoint="a", view_func=show)

    assert app.view_functions["a"] is function
    app.url_map.add(Rule("/copy", endpoint="a"))
    app.add_url_rule("/b", endpoint="a", view_func=show, decorators=[guard])
    assert_guarded(app, "/a", "/b", "/copy")


def test_circle_of_wrappers_ends(app, client):
    app.get("/a", endpoint="a")(show)
    functools.update_wrapper(app.view_functions["a"], show)
    app.get("/b", endpoint="b")(lambda: "b")

    assert client.get("/b").text == "b"


@pytest.mark.parametrize("idle", [True, False])
def test_guard_of_a_blueprint_that_came_later_holds_for_all_rules(app, idle):
    def show(n: int = 1):
        return {"name": f"{n}"}

    view = (lambda: {"name": "1"}) if idle else show
    app.add_url_rule("/x", "admin.x", view)
    app.register_blueprint(Blueprint("admin", __name__, decorators=[guard]))
    app.add_url_rule("/x3", "admin.x", app.view_functions["admin.x"])
    app.add_url_rule("/x2", "admin.x", view)

    assert_guarded(app, "/x", "/x2", "/x3")


def test_options_that_came_with_a_rule_run_no_view(app, client):
    app.post("/a", endpoint="a", decorators=[guard])(ping)
    app.get("/a", endpoint="a")(ping)
    app.add_url_rule("/b", "a", methods=["GET", "OPTIONS"])

    assert {*client.options("/b").allow} == {"GET", "HEAD", "OPTIONS"}
