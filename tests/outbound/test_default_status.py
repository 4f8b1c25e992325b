"""The default status, which a view's value gets when Flask makes the response."""

from __future__ import annotations

import asyncio
import functools
import typing as t
from http import HTTPStatus

import flask
import pytest
from flask import Response, abort, make_response, request
from flask.views import MethodView
from models import Item
from returned import cases, through

from flask_signature import Blueprint, Flask, Query, SignatureError, operation
from flask_signature._http.originals import PASSES_CONTEXT


class Point:
    """What Flask alone makes no response of."""

    x = 1


class PointFlask(Flask):
    """An application that does."""

    def make_response(self, rv):
        if isinstance(rv, Point):
            rv = {"x": rv.x}
        return super().make_response(rv)


SECRET = {"name": "chair", "password": "secret"}


def save():
    return {"a": 1}


def posted(app: flask.Flask, view: t.Any = save, **options: t.Any) -> t.Any:
    """The response of an application to a POST, which has one view."""
    app.post("/", **options)(view)
    return app.test_client().post("/")


@through
def no_cache(value):
    """The usual recipe for a header on a response."""
    response = make_response(value)
    response.headers["Cache-Control"] = "no-store"
    return response


same = through(lambda value: value)


def test_view_that_needs_no_more_is_flasks_own(app, client):
    def remove(): ...

    def nothing() -> None: ...

    bp = Blueprint("bp", __name__)
    app.post("/")(save)
    bp.delete("/x")(remove)
    bp.put("/y")(nothing)
    app.register_blueprint(bp)

    assert app.view_functions["save"] is save
    assert app.view_functions["bp.remove"] is remove
    assert app.view_functions["bp.nothing"] is nothing
    assert client.post("/").status_code == 201
    assert client.delete("/x").status_code == 204
    response = client.put("/y")
    assert (response.status_code, response.data) == (201, b"")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", (201, "a")),
        (("a", 202), (202, "a")),
        (("a", {"X": "1"}), (201, "a")),
        (("a", 203, {"X": "1"}), (203, "a")),
        (Response("a"), (200, "a")),
        ((Response("a"), 203), (203, "a")),
        ((Response("a", 207), {"X": "1"}), (207, "a")),
        (b"a", (201, "a")),
        (["a"], (201, '["a"]\n')),
        (iter("a"), (201, "a")),
        (Response("a", 404), (404, "a")),
    ],
    ids=str,
)
def test_each_kind_of_value(app, value, expected):
    response = posted(app, lambda: value)
    assert (response.status_code, response.text) == expected


def context_of(ctx):
    """What Flask passes to its methods: nothing before Flask 3.2."""
    return () if ctx is None else (ctx,)


class TestOverridden:
    """Applications that override the methods which a request goes through."""

    def test_dispatch_request_that_returns_another_value(self):
        class Own(Flask):
            def dispatch_request(self, ctx=None):
                return {"data": super().dispatch_request(*context_of(ctx))}

        response = posted(Own(__name__))
        assert (response.status_code, response.json) == (201, {"data": {"a": 1}})

    def test_dispatch_request_that_calls_the_view_by_itself(self):
        class Own(Flask):
            def dispatch_request(self, ctx=None):
                rule = request.url_rule
                return self.view_functions[rule.endpoint](**request.view_args)

        assert posted(Own(__name__)).status_code == 201

    def test_dispatch_request_that_makes_the_response(self):
        class Own(Flask):
            def dispatch_request(self, ctx=None):
                response = self.make_response(
                    super().dispatch_request(*context_of(ctx))
                )
                response.headers["X"] = "1"
                return response

        def save_model() -> Item:
            return SECRET

        response = posted(Own(__name__), save_model)
        assert (response.status_code, response.json) == (201, {"name": "chair"})

    @pytest.mark.parametrize("calls_super", [True, False])
    def test_finalize_request_gets_the_value(self, calls_super):
        seen = []

        class Own(Flask):
            def finalize_request(self, ctx, *args, **options):
                seen.append(args[0] if PASSES_CONTEXT else ctx)
                if calls_super:
                    return super().finalize_request(ctx, *args, **options)
                response = self.make_response(seen[0])
                context = [ctx] if PASSES_CONTEXT else []
                return self.process_response(*context, response)

        assert posted(Own(__name__)).status_code == 201
        assert seen == [{"a": 1}]

    def test_make_response_gets_the_value(self):
        seen = []

        class Own(Flask):
            def make_response(self, rv):
                seen.append(rv)
                return super().make_response(rv)

        assert posted(Own(__name__)).status_code == 201
        assert seen == [{"a": 1}]

    def test_make_response_that_takes_more_than_flask(self):
        def show() -> Point | str:
            return Point()

        for view in (Point, show):
            response = posted(PointFlask(__name__), view)
            assert (response.status_code, response.json) == (201, {"x": 1})

    def test_annotation_with_what_the_class_of_responses_takes(self):
        class Point:
            x = 1

            def __call__(self, environ, start_response):
                raise NotImplementedError

        class OwnResponse(Response):
            @classmethod
            def force_type(cls, response, environ=None):
                return cls(str(response.x))

        class Own(Flask):
            response_class = OwnResponse

        def show() -> Point:
            return Point()

        assert posted(Own(__name__), show).text == "1"

    def test_wrapper_that_is_put_around_a_view_later(self, app, client):
        seen = []

        @through
        def note(value):
            seen.append(value)
            return value

        @app.post("/")
        def save_page(page: int = 1):
            return {"page": page}

        app.view_functions["save_page"] = note(app.view_functions["save_page"])
        assert client.post("/", json={}).status_code == 201
        assert seen == [{"page": 1}]


def test_dispatch_request_that_a_subclass_sets_on_the_instance():
    class Own(Flask):
        def __init__(self, *args):
            self.dispatch_request = lambda *context: ("down", 503)
            super().__init__(*args)

    assert posted(Own(__name__)).status_code == 503


#: What is done to an application, its view, and what is sent.
ELSEWHERE = {
    "before-request": (
        *(lambda app: app.before_request(lambda: "early"), save),
        "early",
    ),
    "error-handler": (
        lambda app: app.register_error_handler(418, lambda error: "handled"),
        *(lambda: abort(418), "handled"),
    ),
    "made-by-the-view": (lambda app: None, lambda: make_response("made"), "made"),
    "made-by-a-hook": (
        lambda app: app.after_request(lambda response: app.make_response("late")),
        *(save, "late"),
    ),
}


class TestNothingElse:
    """What is no value of a view keeps Flask's status."""

    @cases("prepare view text", ELSEWHERE)
    def test_what_is_sent_in_its_place(self, app, prepare, view, text):
        prepare(app)
        response = posted(app, view)
        assert (response.status_code, response.text) == (200, text)

    def test_value_of_an_earlier_request_that_no_response_was_made_of(self):
        class Own(Flask):
            def finalize_request(self, ctx, *args, **options):
                if request.path == "/lost":
                    return Response("lost")
                return super().finalize_request(ctx, *args, **options)

        app = Own(__name__)
        app.post("/lost", endpoint="lost")(save)
        app.post("/")(save)
        app.before_request(lambda: None if request.path == "/lost" else "early")
        client = app.test_client()
        assert client.post("/lost").text == "lost"
        assert client.post("/").status_code == 200

    def test_error_of_an_overridden_dispatch_request(self):
        class Own(Flask):
            def dispatch_request(self, ctx=None):
                super().dispatch_request(*context_of(ctx))
                abort(418)

        app = Own(__name__)
        app.register_error_handler(418, lambda error: "handled")
        assert posted(app).status_code == 200

    def test_request_inside_of_a_view(self, app, client):
        app.post("/inner")(save)

        @app.get("/")
        def outer():
            return str(app.test_client().post("/inner").status_code)

        response = client.get("/")
        assert (response.status_code, response.text) == (200, "201")

    def test_response_without_a_request(self, app):
        with app.app_context():
            assert app.make_response("x").status_code == 200


def test_decorator_of_the_route_gets_the_value(app):
    envelope = through(lambda value: {"data": value})
    response = posted(app, decorators=[envelope])
    assert (response.status_code, response.json) == (201, {"data": {"a": 1}})


def test_decorator_of_the_route_that_fails_later(app):
    app.register_error_handler(418, lambda error: "handled")
    fail = through(lambda value: abort(418))
    assert posted(app, decorators=[fail]).status_code == 200


@pytest.mark.parametrize("decorators", [[], [same]])
class TestViewCalledByAnother:
    """The status of a view is not that of whoever calls it."""

    def calling(self, decorators):
        """An application with a view, and a function that calls it."""
        app = Flask(__name__)
        app.delete("/clear", endpoint="clear", decorators=decorators)(lambda: "")

        def call(*args):
            app.view_functions["clear"]()
            return {"called": 1}

        return app, call

    def test_view(self, decorators):
        app, call = self.calling(decorators)
        app.get("/orders")(lambda: call())
        response = app.test_client().get("/orders")
        assert (response.status_code, response.json) == (200, {"called": 1})

    def test_hook_and_error_handler(self, decorators):
        app, call = self.calling(decorators)
        app.register_error_handler(404, call)
        assert app.test_client().get("/none").status_code == 200
        app, call = self.calling(decorators)
        app.before_request(call)
        assert app.test_client().get("/none").json == {"called": 1}


def test_decorator_that_asks_another_view_before_it_makes_the_response(app):
    app.post("/other", endpoint="other")(save)

    @through
    def ask(value):
        assert app.test_client().post("/other").status_code == 201
        assert make_response({"audit": 1}).status_code == 200
        return make_response(value)

    assert posted(app, decorators=[ask]).status_code == 201


def test_plain_application_gets_tuples():
    app, bp = flask.Flask(__name__), Blueprint("bp", __name__)
    bp.post("/")(save)
    app.register_blueprint(bp)
    assert app.test_client().post("/").status_code == 201
    with app.test_request_context("/", method="POST"):
        assert app.view_functions["bp.save"]() == ({"a": 1}, 201, None)


class TestBelowTheRoute:
    """Decorators below the route that make the response by themselves."""

    def test_media_type_and_entity_tag(self, app, client):
        @app.get("/", etag=True, media_type="application/vnd.item+json")
        @no_cache
        def view() -> Item | str:
            return SECRET if "s" not in request.args else "string"

        response = client.get("/")
        assert response.json == {"name": "chair"}
        assert response.headers["Cache-Control"] == "no-store"
        assert client.get("/?s=1").text == "string"

    def test_status_is_flasks_where_there_is_no_model(self, app):
        @no_cache
        def something_to_read(q: int = Query(1)):
            return {"n": 1}

        assert posted(Flask(__name__), no_cache(save)).status_code == 200
        assert posted(app, something_to_read).status_code == 200

    def test_another_request_is_not_filtered(self, app, client):
        app.get("/inner", endpoint="inner")(lambda: {"inner": 1, "name": "n"})
        app.post("/saved", endpoint="saved")(save)
        seen = []

        def ask(value):
            client = app.test_client()
            seen.append((client.get("/inner").json, client.post("/saved").status))
            return value

        @app.get("/")
        @through(ask)
        def view() -> Item:
            return ask(SECRET)

        assert client.get("/").json == {"name": "chair"}
        assert seen == [({"inner": 1, "name": "n"}, "201 CREATED")] * 2

    def test_response_that_a_task_of_the_view_makes(self, app, client):
        async def part():
            return make_response({"part": 1})

        def same_async(view):
            @functools.wraps(view)
            async def wrapper(**view_args):
                return await view(**view_args)

            return wrapper

        @app.get("/")
        @same_async
        async def view() -> Item:
            first, _ = await asyncio.gather(part(), part())
            return first

        assert client.get("/").json == {"part": 1}


@pytest.mark.parametrize("headers", [None, {"X-A": "1"}, [("X-A", "1")]])
def test_wsgi_application_keeps_its_own_status(app, client, headers):
    def respond(environ, start_response):
        start_response("203 OWN", [("Content-Type", "text/plain")])
        return [b"own"]

    app.post("/")(lambda: respond if headers is None else (respond, headers))

    for _ in "ab":
        response = client.post("/")
        assert (response.status_code, response.data) == (203, b"own")
        assert response.headers.get("X-A") == (headers and "1")


def answers(app: Flask, methods: str = "GET POST PUT DELETE") -> list[int]:
    client = app.test_client()
    return [client.open("/a/b/", method=x).status_code for x in methods.split()]


#: What says a status, from the outside in, and what is sent for GET, POST, PUT and
#: DELETE.
SWITCHES = {
    "none": ({}, [200, 201, 201, 204]),
    "application": ({"app": 200}, [200] * 4),
    "outer blueprint": ({"app": 200, "outer": 202}, [202] * 4),
    "nested": ({"app": 200, "outer": 202, "nested": 203}, [203] * 4),
    "blueprint": ({"outer": 202, "inner": 206}, [206] * 4),
    "nested replaces": ({"inner": 206, "nested": 203}, [203] * 4),
    "registration": ({"app": 200, "registration": 208}, [208] * 4),
    "registration replaces": ({"outer": 202, "registration": 208}, [208] * 4),
    "nearest": ({"registration": 208, "inner": 206}, [206] * 4),
    "route": ({"app": 200, "inner": 206, "nested": 203, "route": 207}, [207] * 4),
    "route says 200": ({"app": 202, "route": 200}, [200] * 4),
    "None says nothing": ({"app": 200, "inner": None, "route": None}, [200] * 4),
    "enum": ({"app": HTTPStatus.ACCEPTED}, [202] * 4),
}


def switched(given: dict[str, t.Any], view: t.Any = save, **options: t.Any) -> Flask:
    """An application with one view in two blueprints, and what says a status."""

    def at(place: str) -> dict[str, t.Any]:
        return {"status_code": given[place]} if place in given else {}

    app = Flask(__name__, **at("app"))
    outer = Blueprint("outer", __name__, url_prefix="/a", **at("outer"))
    inner = Blueprint("inner", __name__, url_prefix="/b", **at("inner"))
    methods = ["GET", "POST", "PUT", "DELETE"]
    inner.route("/", methods=methods, **at("route"), **options)(view)
    outer.register_blueprint(inner, **at("nested"))
    app.register_blueprint(outer, **at("registration"))
    app.init_app()
    return app


@pytest.mark.parametrize(("given", "sent"), SWITCHES.values(), ids=[*SWITCHES])
def test_nearest_status_is_sent_and_described(given, sent):
    app = switched(given)

    assert answers(app) == sent
    item = app.test_client().get("/openapi.json").json["paths"]["/a/b/"]
    described = [item[x]["responses"] for x in ("get", "post", "put", "delete")]
    assert [int(status) for found in described for status in found] == sent


def test_method_of_a_class_has_its_own_status_or_that_of_its_blueprint():
    class Items(MethodView):
        def post(self):
            return "a"

        @operation(status_code=207)
        def put(self):
            return "a"

        get = delete = post

    app = switched({"app": 202}, Items.as_view("items"))
    assert answers(app) == [202, 202, 207, 202]


def test_delete_with_a_status_has_its_body_or_an_empty_one():
    app = Flask(__name__, status_code=200)

    @app.delete("/item")
    def remove() -> Item:
        return SECRET

    @app.delete("/nothing")
    def empty() -> None: ...

    app.init_app()
    client = app.test_client()

    assert client.delete("/item").json == {"name": "chair"}
    response = client.delete("/nothing")
    assert (response.status_code, response.data) == (200, b"")
    paths = client.get("/openapi.json").json["paths"]
    assert "content" in paths["/item"]["delete"]["responses"]["200"]
    assert "content" not in paths["/nothing"]["delete"]["responses"]["200"]


def test_inherited_status_contradicts_no_annotation():
    app = Flask(__name__, status_code=200)

    @app.post("/")
    def add() -> t.Annotated[tuple[Item, t.Literal[202]], "later"]:
        return SECRET, 202

    assert app.test_client().post("/").status_code == 202


@pytest.mark.parametrize("status", [99, "200", True])
def test_status_of_a_scope_is_one_of_http(status):
    said = f"status_code={status!r} is no HTTP status"
    bp = Blueprint("bp", __name__)
    for make in (
        lambda: Flask(__name__, status_code=status),
        lambda: Blueprint("other", __name__, status_code=status),
        lambda: Flask(__name__).register_blueprint(bp, status_code=status),
    ):
        with pytest.raises(SignatureError, match=said):
            make()


def test_status_of_a_blueprint_on_plain_flask():
    app, bp = flask.Flask(__name__), Blueprint("bp", __name__, status_code=202)
    bp.post("/")(save)
    app.register_blueprint(bp)
    assert app.test_client().post("/").status_code == 202


def test_status_of_a_decorator_beside_a_model_that_is_a_tuple():
    class Place(t.NamedTuple):
        x: int

    app = Flask(__name__)

    def refuse(view: t.Any) -> t.Any:
        return functools.wraps(view)(lambda: ({"message": "log in"}, 401))

    @app.post("/", decorators=[refuse])
    def add() -> Place:
        raise AssertionError

    response = app.test_client().post("/")
    assert (response.status_code, response.json) == (401, {"message": "log in"})
