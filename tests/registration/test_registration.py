"""How routes reach an application, and what stays Flask's (SPEC 2)."""

from __future__ import annotations

import functools
from decimal import Decimal
from typing import Annotated
from uuid import UUID

import flask
import pytest
from flask.views import MethodView
from messages import message_of, place_of
from models import Item
from werkzeug.routing import BaseConverter

from flask_signature import Blueprint, Body, Flask, Path, Query, SignatureError

VERBS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE")
STATUS = {"POST": 201, "PUT": 201, "DELETE": 204}


def make_app() -> Flask:
    return Flask(__name__)


@pytest.mark.parametrize("owner", ["application", "blueprint"])
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_a_decorator(app, client, owner, verb):
    routes = app if owner == "application" else Blueprint("b", __name__)

    def view(n: int = Query(5)) -> flask.Response:
        return flask.Response(f"{n + 1}")

    assert getattr(routes, verb.lower())("/x")(view) is view
    if routes is not app:
        app.register_blueprint(routes)

    response = client.open("/x?n=7", method=verb)
    assert response.status_code == 200
    assert response.text == ("" if verb == "HEAD" else "8")


def test_verb_decorators_refuse_methods():
    with pytest.raises(SignatureError, match="Use the 'route' decorator"):
        Blueprint("b", __name__).get("/", methods=["POST"])


def test_the_decorated_function_stays_a_plain_function():
    bp = Blueprint("b", __name__)

    @bp.get("/double")
    def double(n: int = Query(1)) -> str:
        return str(n * 2)

    assert double(n=4) == "8"


def test_a_view_that_needs_nothing_is_handed_to_flask_as_it_is(app):
    bp = Blueprint("x", __name__)

    @bp.get("/ping")
    def ping():
        return "pong"

    @bp.get("/users/<int:user_id>/<name>")
    def user(user_id: int, name):
        return f"{user_id} {name}"

    app.register_blueprint(bp)

    assert app.view_functions["x.ping"] is ping
    assert app.view_functions["x.user"] is user


def test_a_url_prefix_may_hold_path_parameters(app, client):
    def blueprint(name, **options):
        bp = Blueprint(name, __name__, **options)

        @bp.get("/<int:n>")
        def show(owner: int, n: int) -> str:
            return f"{owner}/{n}"

        return bp

    app.register_blueprint(blueprint("a", url_prefix="/constructor/<int:owner>"))
    app.register_blueprint(blueprint("b"), url_prefix="/registration/<owner>")
    parent = Blueprint("c", __name__, url_prefix="/parent/<owner>")
    parent.register_blueprint(blueprint("d"))
    app.register_blueprint(parent)

    assert client.get("/constructor/7/1").text == "7/1"
    assert client.get("/constructor/x/1").status_code == 404
    for prefix in ("registration", "parent"):
        assert client.get(f"/{prefix}/7/1").text == "7/1"
        response = client.get(f"/{prefix}/x/1")
        assert response.status_code == 422
        assert response.json["detail"][0]["loc"] == ["path", "owner"]


def test_same_blueprint_twice_is_compiled_for_each_prefix(app, client):
    bp = Blueprint("notes", __name__)

    @bp.get("/<int:n>")
    def show(owner: int, n: int) -> str:
        return f"{owner}/{n}"

    app.register_blueprint(bp, url_prefix="/u/<int:owner>")
    app.register_blueprint(bp, url_prefix="/g/<owner>", name="group_notes")

    assert client.get("/u/7/1").text == "7/1"
    assert client.get("/g/x/1").status_code == 422


def test_a_blueprint_serves_several_applications():
    bp = Blueprint("notes", __name__)

    @bp.get("/")
    def show(n: int, owner: int) -> str:
        return f"{owner}/{n}"

    first, second, plain = make_app(), make_app(), flask.Flask(__name__)
    first.register_blueprint(bp, url_prefix="/<int:owner>")
    second.register_blueprint(bp)
    plain.register_blueprint(bp, url_prefix="/<int:owner>")

    assert first.test_client().get("/3/?n=4").text == "3/4"
    assert second.test_client().get("/?n=4&owner=5").text == "5/4"
    assert plain.test_client().get("/3/?n=4").text == "3/4"
    refused = plain.test_client().get("/3/?n=x")
    assert refused.status_code == 422
    assert refused.json["detail"][0]["loc"] == ["query", "n"]


def test_nothing_compiled_is_kept_on_view_class_or_blueprint(app):
    bp = Blueprint("b", __name__)

    class Notes(MethodView):
        def get(self, n: int) -> str:
            return str(n)

    def show(n: int) -> str:
        return str(n)

    view = Notes.as_view("notes")
    before = {**vars(show)}, {**vars(Notes)}, {**vars(view)}
    bp.add_url_rule("/show", view_func=show)
    bp.add_url_rule("/notes", view_func=view)
    bp_before = {**vars(bp)}
    app.register_blueprint(bp)

    assert (vars(show), {**vars(Notes)}, vars(view)) == before
    changed = {name for name, value in vars(bp).items() if bp_before.get(name) != value}
    assert changed == {"_got_registered_once"}


@pytest.mark.parametrize("outer", [flask.Blueprint, Blueprint])
@pytest.mark.parametrize("inner", [flask.Blueprint, Blueprint])
def test_plain_blueprints_stay_plain_above_and_below(app, client, outer, inner):
    above = outer("above", __name__, url_prefix="/above")
    below = inner("below", __name__, url_prefix="/below")

    def show(n: int = 1):
        return repr(n)

    above.add_url_rule("/", view_func=show)
    below.add_url_rule("/", view_func=show)
    above.register_blueprint(below)
    app.register_blueprint(above)

    assert client.get("/above/?n=2").text == ("2" if outer is Blueprint else "1")
    assert client.get("/above/below/?n=2").text == ("2" if inner is Blueprint else "1")
    assert (app.view_functions["above.show"] is show) == (outer is flask.Blueprint)
    assert (app.view_functions["above.below.show"] is show) == (
        inner is flask.Blueprint
    )


def test_a_blueprint_nested_three_deep_reads_every_prefix(app, client):
    leaf = Blueprint("leaf", __name__, url_prefix="/leaf/<int:c>")

    @leaf.get("/")
    def show(a: int, b: int, c: int, d: int) -> list[int]:
        return [a, b, c, d]

    middle = Blueprint("middle", __name__, url_prefix="/middle/<int:b>")
    middle.register_blueprint(leaf)
    root = Blueprint("root", __name__)
    root.register_blueprint(middle)
    app.register_blueprint(root, url_prefix="/root/<int:a>")

    response = client.get("/root/1/middle/2/leaf/3/?d=4")
    assert response.json == [1, 2, 3, 4]


def test_stacked_rules_are_compiled_each_for_itself(app, client):
    @app.get("/pages", defaults={"page": 1})
    @app.get("/pages/<int:page>")
    @app.get("/find")
    def pages(page: int, size: int = Query(10)) -> list[int]:
        return [page, size]

    assert client.get("/pages?page=9").json == [1, 10]
    assert client.get("/pages/3?size=5").json == [3, 5]
    assert client.get("/find?page=4").json == [4, 10]
    assert client.get("/find").status_code == 422
    with app.test_request_context():
        assert flask.url_for("pages", page=2) == "/pages/2"


def test_a_second_rule_may_need_what_the_first_does_not(app, client):
    def show(n):
        return f"{n}"

    app.add_url_rule("/a/<n>", view_func=show)
    assert app.view_functions["show"] is show
    app.add_url_rule("/b", view_func=show)

    assert client.get("/a/1").text == "1"
    assert client.get("/b?n=2").text == "2"


def test_two_views_of_one_endpoint_are_refused_by_flask(app):
    @app.get("/a")
    def first(n: int) -> str:
        return ""

    def second(n: int) -> str:
        return ""

    with pytest.raises(AssertionError, match="overwriting an existing endpoint"):
        app.add_url_rule("/b", "first", second)


def test_each_method_of_a_route_reads_its_own_location(app, client):
    @app.route("/sum", methods=["GET", "POST"])
    def add(a: int, b: int) -> dict[str, int]:
        return {"sum": a + b}

    response = client.get("/sum?a=1&b=2")
    assert (response.status_code, response.json) == (200, {"sum": 3})
    response = client.post("/sum", json={"a": 3, "b": 4})
    assert (response.status_code, response.json) == (201, {"sum": 7})
    assert client.post("/sum?a=1&b=2").status_code == 422


def test_head_runs_the_operation_of_get(app, client):
    @app.get("/x")
    def show(n: int) -> dict[str, int]:
        return {"n": n}

    response = client.head("/x?n=3")
    assert (response.status_code, response.data) == (200, b"")
    assert response.content_length == len('{"n":3}')
    assert client.head("/x?n=z").status_code == 422


def test_options_are_answered_by_flask(app, client):
    @app.post("/x")
    def create(item: Item) -> Item:
        return item

    response = client.options("/x")
    assert response.status_code == 200
    assert set(response.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}


def test_each_method_of_a_class_is_its_own_operation(app, client):
    class Items(MethodView):
        def get(self, item_id: int, limit: int = 10) -> str:
            return f"{item_id} {limit}"

        def put(self, item_id: int, item: Item) -> Item:
            return item

    app.add_url_rule("/items/<int:item_id>", view_func=Items.as_view("items"))

    assert client.get("/items/1?limit=2").text == "1 2"
    response = client.put("/items/1", json={"name": "a", "more": 1})
    assert (response.status_code, response.json) == (201, {"name": "a"})
    assert client.put("/items/1", json={}).json["detail"][0]["loc"] == ["body", "name"]
    assert client.delete("/items/1").status_code == 405
    assert client.head("/items/1?limit=z").status_code == 422


def test_converters_of_the_application_are_used(app, client):
    class Letters(BaseConverter):
        def __init__(self, map, count):
            super().__init__(map)
            self.regex = f"[a-z]{{{count}}}"

        def to_python(self, value):
            return value.split("x")

    app.url_map.converters["letters"] = Letters

    @app.get("/words/<letters(3):word>")
    def show(word):
        return word

    assert client.get("/words/axb").json == ["a", "b"]
    assert client.get("/words/axbc").status_code == 404


def test_url_defaults_of_a_blueprint_are_path_arguments(app, client):
    bp = Blueprint("b", __name__, url_defaults={"lang": "de"})

    @bp.get("/hello")
    def hello(lang: str, name: str = Query("du")) -> str:
        return f"{lang} {name}"

    app.register_blueprint(bp)
    app.register_blueprint(bp, name="c", url_prefix="/c", url_defaults={"lang": "fr"})

    assert client.get("/hello?lang=xx").text == "de du"
    assert client.get("/c/hello?name=tu").text == "fr tu"


def test_a_value_preprocessor_may_consume_a_prefix_variable(app, client):
    bp = Blueprint("b", __name__, url_prefix="/<lang>")

    @bp.url_value_preprocessor
    def take_language(endpoint, values):
        flask.g.lang = values.pop("lang")

    @bp.get("/hello")
    def hello(n: int) -> str:
        return f"{flask.g.lang} {n}"

    app.register_blueprint(bp)

    assert client.get("/de/hello?n=1").text == "de 1"


@pytest.mark.parametrize("consumer", ["parent", "child", "grandchild"])
def test_a_value_preprocessor_of_a_nested_blueprint_may_consume_a_variable(
    app, client, consumer
):
    names = ["parent", "child", "grandchild"]
    parent, child, grandchild = (Blueprint(name, __name__) for name in names)
    consumers = dict(zip(names, (parent, child, grandchild), strict=True))

    @consumers[consumer].url_value_preprocessor
    def pull(endpoint, values):
        flask.g.lang = values.pop("lang")

    @grandchild.get("/<lang>/<int:n>")
    def show(n: int) -> str:
        return f"{flask.g.lang}:{n + 1}"

    child.register_blueprint(grandchild)
    parent.register_blueprint(child)
    app.register_blueprint(parent)
    app.init_app()

    assert client.get("/de/4").text == "de:5"


def test_static_files_are_left_to_flask(tmp_path):
    (tmp_path / "a.txt").write_text("static")
    app = Flask(__name__, static_folder=str(tmp_path), static_url_path="/s")
    bp = Blueprint(
        "b",
        __name__,
        static_folder=str(tmp_path),
        static_url_path="/s",
        url_prefix="/bp",
    )
    app.register_blueprint(bp)
    app.init_app()

    client = app.test_client()
    for url in ("/s/a.txt", "/bp/s/a.txt"):
        with client.get(url) as response:
            assert response.text == "static"
    assert client.get("/s/none.txt").content_type.startswith("text/html")


def test_subdomain_variables_are_path_arguments():
    app = Flask(__name__, subdomain_matching=True)
    app.config["SERVER_NAME"] = "shop.test"

    @app.get("/<int:n>", subdomain="<tenant>")
    def show(tenant: str, n: int) -> str:
        return f"{tenant} {n}"

    response = app.test_client().get("/1", base_url="http://acme.shop.test")
    assert response.text == "acme 1"


def test_one_rule_on_two_subdomains_is_reported_apart():
    app = Flask(__name__, subdomain_matching=True)
    app.config["SERVER_NAME"] = "shop.test"

    def show(tenant: str, n: int) -> str:
        return f"{tenant} {n}"

    app.add_url_rule("/", view_func=show, subdomain="<tenant>")
    app.add_url_rule("/", view_func=show, subdomain="all")

    client = app.test_client()
    assert client.get("/?n=1", base_url="http://acme.shop.test").text == "acme 1"
    answer = client.get("/?n=1&tenant=x", base_url="http://all.shop.test")
    assert answer.text == "x 1"


def numbered(log, name):
    def decorator(view):
        @functools.wraps(view)
        def wrapper(*args, **kwargs):
            log.append(name)
            return view(*args, **kwargs)

        return wrapper

    return decorator


def test_decorators_run_outside_of_parsing_from_the_blueprint_inwards(app, client):
    log = []
    parent = Blueprint("p", __name__, decorators=[numbered(log, "parent")])
    bp = Blueprint(
        "b", __name__, decorators=[numbered(log, "inner"), numbered(log, "outer")]
    )

    @bp.get("/x", decorators=[numbered(log, "route")])
    def show(n: int) -> str:
        log.append("view")
        return str(n)

    parent.register_blueprint(bp)
    app.register_blueprint(parent)

    client.get("/x?n=1")
    assert log == ["parent", "outer", "inner", "route", "view"]
    log.clear()
    assert client.get("/x?n=z").status_code == 422
    assert log == ["parent", "outer", "inner", "route"]


def test_a_refused_login_is_answered_before_a_malformed_body(app, client):
    def login_required(view):
        @functools.wraps(view)
        def wrapper(**kwargs):
            flask.abort(401)

        return wrapper

    bp = Blueprint("b", __name__, decorators=[login_required])

    @bp.post("/x")
    def create(item: Item) -> Item:
        return item

    app.register_blueprint(bp)
    app.init_app()

    response = client.post("/x", data="{", content_type="application/json")
    assert (response.status_code, response.json) == (401, {"message": "Unauthorized"})


def test_decorators_wrap_a_view_that_needs_nothing_too(app, client):
    log = []

    @app.get("/x", decorators=[numbered(log, "route")])
    def ping():
        return "pong"

    assert client.get("/x").text == "pong"
    assert log == ["route"]


def test_a_wrapper_is_analysed_by_the_signature_of_what_it_wraps(app, client):
    log = []

    @app.get("/x")
    @numbered(log, "around")
    def show(n: int) -> str:
        return str(n + 1)

    assert client.get("/x?n=1").text == "2"
    assert log == ["around"]


def test_an_endpoint_may_be_named(app, client):
    @app.get("/x", endpoint="named")
    def show(n: int) -> str:
        return flask.url_for("named", n=n)

    assert client.get("/x?n=1").text == "/x?n=1"


def test_a_rule_without_a_view_is_left_to_flask(app, client):
    app.add_url_rule("/x", endpoint="later")

    @app.endpoint("later")
    def show():
        return "later"

    assert client.get("/x").text == "later"


def test_an_unknown_option_names_the_nearest_known_one(app):
    bp = Blueprint("b", __name__)

    @bp.get("/x", stauts_code=200)
    def show():
        return ""

    assert message_of(lambda: app.register_blueprint(bp)) == (
        "GET /x: show(): Unknown option 'stauts_code'. Did you mean 'status_code'?"
        f" {place_of(show)}"
    )


def test_a_variable_in_prefix_and_rule_is_refused(app):
    bp = Blueprint("b", __name__, url_prefix="/<int:n>")

    @bp.get("/<int:n>")
    def show(n: int) -> str:
        return str(n)

    assert message_of(lambda: app.register_blueprint(bp)) == (
        "GET /<int:n>/<int:n>: the rule '/<int:n>/<int:n>' has two variables named 'n';"
        " a prefix may bring the other. Rename one of them."
        f" {place_of(show)}"
    )


def test_an_alias_gives_a_variable_of_the_url_another_name(app, client):
    @app.get("/x/<key>")
    def show(number: Annotated[int, Path(alias="key")]) -> str:
        return str(number + 1)

    assert client.get("/x/1").text == "2"
    assert client.get("/x/z").json["detail"][0]["loc"] == ["path", "key"]


def test_init_app_twice_is_refused(app):
    app.init_app()
    assert message_of(lambda: app.init_app()) == (
        f"init_app() was called twice on the application {__name__!r}."
        " Call it once, when the configuration is loaded."
    )


def test_init_app_may_come_before_the_routes(app, client):
    app.init_app()

    @app.get("/x")
    def show(n: int) -> str:
        return str(n)

    assert client.get("/x?n=1").text == "1"
    assert client.get("/nowhere").json == {"message": "Not Found"}


def test_attributes_set_above_the_route_are_seen_on_the_view_function(app, client):
    @app.before_request
    def guard():
        view = app.view_functions[flask.request.endpoint]
        if not getattr(view, "is_public", False):
            flask.abort(401)

    def public(view):
        view.is_public = True
        return view

    @public
    @app.get("/x")
    def show(n: int) -> str:
        return str(n)

    assert client.get("/x?n=1").text == "1"


def test_a_view_function_may_have_one_more_rule(app, client):
    @app.get("/x")
    def show(n: int) -> str:
        return str(n)

    app.add_url_rule("/y/<int:n>", "show", app.view_functions["show"])

    assert client.get("/y/2").text == "2"


def test_a_class_may_be_a_view(app, client):
    class Answer:
        def __init__(self, n: int) -> None:
            self.n = n

        def __call__(self, environ, start_response):
            return flask.Response(f"{self.n}")(environ, start_response)

    app.get("/x", endpoint="answer")(Answer)

    assert client.get("/x?n=2").text == "2"


def test_a_variable_without_argument_is_refused_by_init_app_at_the_latest(app):
    @app.get("/<lang>/")
    def index():
        return ""

    assert message_of(lambda: app.init_app()) == (
        "GET /{lang}/: the URL provides 'lang', but index() has no argument of that"
        " name. Add 'lang: str' to the view, or accept it with '**kwargs'."
        f" {place_of(index)}"
    )


def test_a_name_that_is_not_there_when_the_blueprint_is_registered_is_refused(app):
    bp = Blueprint("b", __name__)

    @bp.put("/items/<int:n>")
    def replace(n: int, item: "ItemIn"):  # noqa: F821, UP037
        return ""

    assert message_of(lambda: app.register_blueprint(bp)) == (
        "PUT /items/{n}: the annotation of 'item' in replace() names 'ItemIn', which is"
        " not defined when the blueprint is registered. Import it outside 'if"
        f" TYPE_CHECKING'. {place_of(replace)}"
    )


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("summary", 3, "a string"),
        ("tags", [1], "a list of strings"),
        ("response_model_include", ["id"], "a set of names or a dictionary"),
        ("response_model_exclude", "id", "a set of names or a dictionary"),
        ("decorators", [5], "a list of functions"),
        ("deprecated", "yes", "True or False"),
        ("openapi_extra", [1], "a dictionary"),
        ("responses", 404, "a dictionary or a list of statuses"),
    ],
)
def test_an_option_of_the_wrong_type_is_refused(option, value, words):
    bp = Blueprint("b", __name__)

    def show():
        return ""

    shown = tuple(value) if option in ("tags", "decorators") else value
    assert message_of(lambda: bp.get("/x", **{option: value})(show)) == (
        f"GET /x: show(): Option {option!r} takes {words}, not {shown!r}."
        f" {place_of(show)}"
    )


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        (Annotated[str, Query(ge=1)], ""),
        (Annotated[int, Query(max_length=2)], 0),
        (Annotated[int | None, Query(pattern="x")], None),
        (Annotated[list[str], Query(multiple_of=2)], []),
        (Annotated[int | str, Query(ge=1)], ""),
        (Annotated[int | str, Query(ge=2)], ""),
        (Annotated[UUID | str, Query(ge=1)], ""),
        (Annotated[bytes, Query(ge=1)], b""),
        (Annotated[bool, Query(max_length=1)], True),
        (Annotated[float, Query(max_length=1)], 1.0),
        (Annotated[Decimal, Query(max_length=1)], Decimal(1)),
        (Annotated[set[str], Query(ge=1)], set()),
        (Annotated[frozenset[str], Query(ge=1)], frozenset()),
        (Annotated[tuple[str, ...], Query(ge=1)], ()),
        (Annotated[dict[str, int], Body(ge=1)], {}),
        (Annotated[str, Query(pattern="(")], ""),
    ],
)
def test_a_constraint_that_a_type_cannot_take_is_refused(app, annotation, default):
    def show(n=default):
        return ""

    show.__annotations__["n"] = annotation
    with pytest.raises(SignatureError, match=r"^GET /x: .*'n'.*line \d+\)$"):
        app.get("/x")(show)


def test_a_handler_for_every_exception_wins(app, client):
    app.register_error_handler(Exception, lambda error: (type(error).__name__, 400))
    app.init_app()

    @app.get("/x")
    def show(n: int) -> list[int]:
        return [n, None]

    assert client.get("/x?n=z").text == "RequestValidationError"
    assert client.get("/x?n=1").text == "ResponseValidationError"
    assert client.get("/nowhere").text == "NotFound"


def test_a_key_that_a_view_misses_is_reported_by_its_status(app, client):
    app.init_app()

    @app.get("/x")
    def show():
        return flask.request.args["none"]

    response = client.get("/x")
    assert (response.status_code, response.json) == (400, {"message": "Bad Request"})
