"""How routes reach an application, and what stays Flask's (SPEC 2)."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

import flask
import pytest
from flask.views import MethodView
from guards import noting

from flask_signature import Blueprint, Body, Flask, Query, SignatureError

VERBS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE")


@pytest.mark.parametrize("owner", ["application", "blueprint"])
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_a_decorator(app, client, owner, verb):
    routes = app if owner == "application" else Blueprint("b", __name__)

    def view(n: int = Query(5)) -> flask.Response:
        return flask.Response(f"{n + 1}")

    assert getattr(routes, verb.lower())("/x")(view) is view
    assert view(n=4).data == b"5"
    if routes is not app:
        app.register_blueprint(routes)

    response = client.open("/x?n=7", method=verb)
    assert response.status_code == 200
    assert response.text == ("" if verb == "HEAD" else "8")


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


def test_same_blueprint_twice_is_compiled_for_each_prefix(app, client):
    bp = Blueprint("notes", __name__)

    @bp.get("/<int:n>")
    def show(owner: int, n: int) -> str:
        return f"{owner}/{n}"

    app.register_blueprint(bp, url_prefix="/u/<int:owner>")
    app.register_blueprint(bp, url_prefix="/g/<owner>", name="group_notes")

    assert client.get("/u/7/1").text == client.get("/g/7/1").text == "7/1"
    assert client.get("/u/x/1").status_code == 404
    response = client.get("/g/x/1")
    assert response.status_code == 422
    assert response.json["detail"][0]["loc"] == ["path", "owner"]


def test_a_blueprint_serves_several_applications():
    bp = Blueprint("notes", __name__)

    @bp.get("/")
    def show(n: int, owner: int) -> str:
        return f"{owner}/{n}"

    first, second, plain = Flask(__name__), Flask(__name__), flask.Flask(__name__)
    first.register_blueprint(bp, url_prefix="/<int:owner>")
    second.register_blueprint(bp)
    plain.register_blueprint(bp, url_prefix="/<int:owner>")

    assert first.test_client().get("/3/?n=4").text == "3/4"
    assert second.test_client().get("/?n=4&owner=5").text == "5/4"
    assert plain.test_client().get("/3/?n=4").text == "3/4"
    refused = plain.test_client().get("/3/?n=x")
    assert refused.status_code == 422
    assert refused.json["detail"][0]["loc"] == ["query", "n"]


def test_nothing_is_kept_on_view_class_or_blueprint(app, client):
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

    for url in ("/show", "/notes"):
        assert client.get(f"{url}?n=1").text == "1"
        assert client.get(f"{url}?n=x").status_code == 422
    assert (vars(show), {**vars(Notes)}, vars(view)) == before
    changed = {name for name, value in vars(bp).items() if bp_before.get(name) != value}
    assert changed == {"_got_registered_once"}


def test_stacked_rules_are_compiled_each_for_itself(app, client):
    @app.get("/pages", defaults={"page": 1})
    @app.get("/pages/<int:page>")
    @app.get("/find")
    def pages(page: int, size: int = Query(10)) -> list[int]:
        return [page, size]

    assert client.get("/pages?page=9").json == [1, 10]
    assert client.get("/pages/1").status_code == 308
    assert client.get("/pages/3?size=5").json == [3, 5]
    assert client.get("/find?page=4").json == [4, 10]
    assert client.get("/find").status_code == 422
    with app.test_request_context():
        assert flask.url_for("pages", page=2) == "/pages/2"


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


def test_url_defaults_of_a_blueprint_are_path_arguments(app, client):
    bp = Blueprint("b", __name__, url_defaults={"lang": "de"})

    @bp.get("/hello")
    def hello(lang: str, name: str = Query("du")) -> str:
        return f"{lang} {name}"

    app.register_blueprint(bp)
    app.register_blueprint(bp, name="c", url_prefix="/c", url_defaults={"lang": "fr"})

    assert client.get("/hello?lang=xx").text == "de du"
    assert client.get("/c/hello?name=tu").text == "fr tu"


@pytest.mark.parametrize("consumer", ["parent", "child", "grandchild"])
def test_a_value_preprocessor_may_consume_variables(app, client, consumer):
    urls = {"parent": "/<lang>", "child": None, "grandchild": None}
    bps = {name: Blueprint(name, __name__, url_prefix=urls[name]) for name in urls}

    @bps[consumer].url_value_preprocessor
    def pull(endpoint, values):
        flask.g.taken = [values.pop("lang"), values.pop("shop")]

    @bps["grandchild"].get("/<shop>/<int:n>")
    def show(n: int, page: int) -> list[str | int]:
        return [*flask.g.taken, n, page]

    bps["child"].register_blueprint(bps["grandchild"])
    bps["parent"].register_blueprint(bps["child"])
    app.register_blueprint(bps["parent"])
    app.init_app()

    assert client.get("/de/books/4?page=5").json == ["de", "books", 4, 5]


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


def test_decorators_run_outside_of_parsing_from_the_blueprint_inwards(app, client):
    log = []
    parent = Blueprint("p", __name__, decorators=[noting(log, "parent")])
    around = [noting(log, "inner"), noting(log, "outer")]
    bp = Blueprint("b", __name__, decorators=around)

    @bp.get("/x", decorators=[noting(log, "route")])
    @noting(log, "below")
    def show(n: int) -> str:
        return str(n)

    parent.register_blueprint(bp)
    app.register_blueprint(parent)

    assert client.get("/x?n=1").text == "1"
    assert log == ["parent", "outer", "inner", "route", "below"]
    log.clear()
    assert client.get("/x?n=z").status_code == 422
    assert log == ["parent", "outer", "inner", "route"]


def test_attributes_set_above_the_route_are_seen_on_the_view_function(app, client):
    @app.before_request
    def check():
        view = app.view_functions[flask.request.endpoint]
        return None if getattr(view, "is_public", False) else ("no", 401)

    def public(view):
        view.is_public = True
        return view

    @public
    @app.get("/x")
    def show(n: int) -> str:
        return str(n)

    assert client.get("/x?n=1").text == "1"


def test_a_class_may_be_a_view(app, client):
    class Answer:
        def __init__(self, n: int) -> None:
            self.n = n

        def __call__(self, environ, start_response):
            return flask.Response(f"{self.n}")(environ, start_response)

    app.get("/x", endpoint="answer")(Answer)

    assert client.get("/x?n=2").text == "2"


@pytest.mark.parametrize(
    ("annotation", "marker"),
    [
        *((tp, Query(ge=1)) for tp in (str, int | str, UUID | str, bytes)),
        *((tp, Query(ge=1)) for tp in (set[str], frozenset[str], tuple[str, ...])),
        *((tp, Query(max_length=2)) for tp in (int, bool, float, Decimal)),
        (int | None, Query(None, pattern="x")),
        (list[str], Query([], multiple_of=2)),
        (int | str, Query("", ge=2)),
        (dict[str, int], Body({}, ge=1)),
        (str, Query("", pattern="(")),
    ],
)
def test_a_constraint_that_a_type_cannot_take_is_refused(app, annotation, marker):
    def show(n=marker): ...

    show.__annotations__["n"] = annotation
    with pytest.raises(SignatureError, match=r"^GET /x: .*'n'.*line \d+\)$"):
        app.get("/x")(show)
