"""What Flask accepts, or refuses in words of its own, and what its author meant."""

from __future__ import annotations

import functools
import inspect
import typing as t
import warnings
from uuid import UUID

import flask
import pytest
from flask.views import MethodView, View
from messages import message_of, place_of
from models import Cat

from flask_signature import Blueprint, Flask, Form, Query, SignatureWarning, UploadFile

FILE = "tests/registration/test_written_otherwise.py"


def warnings_of(register: t.Callable[[], t.Any]) -> list[str]:
    """The warnings of a registration, which has to succeed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        register()
    assert all(item.category is SignatureWarning for item in caught)
    return [str(item.message) for item in caught]


# Two classes whose views nobody makes.
class Items(MethodView):
    def get(self): ...


class Pages(View):
    methods: t.ClassVar = ["POST"]

    def dispatch_request(self): ...


def place_of_class(cls: type) -> str:
    """The end of a message: the file and line where a class was written."""
    return f"({FILE}, line {inspect.getsourcelines(cls)[1]})"


class TestDecoratorsWithoutCall:
    """``@app.get`` without the rule."""

    @pytest.mark.parametrize("name", ["get", "post", "trace", "route"])
    @pytest.mark.parametrize("make", [Flask, lambda name: Blueprint("bp", name)])
    def test_function(self, make, name):
        def list_items(): ...

        assert message_of(lambda: getattr(make(__name__), name)(list_items)) == (
            f"list_items() is decorated with {name}, which was not called. Write"
            f" {name}('/list-items'), or another rule. {place_of(list_items)}"
        )

    def test_class(self):
        assert message_of(lambda: Flask(__name__).route(Items)) == (
            "Items is decorated with route, which was not called. Write"
            f" route('/Items'), or another rule. {place_of_class(Items)}"
        )


class TestClassesWithoutAsView:
    """``add_url_rule("/", view_func=Items)``."""

    @pytest.mark.parametrize(
        ("view_class", "method"), [(Items, "GET"), (Pages, "POST")]
    )
    @pytest.mark.parametrize(
        ("app_class", "on_blueprint"),
        [(Flask, False), (Flask, True), (flask.Flask, True)],
    )
    def test_class_fails_as_in_flask(self, app_class, on_blueprint, view_class, method):
        app, name = app_class(__name__), view_class.__name__
        owner = Blueprint("bp", __name__) if on_blueprint else app

        def register():
            owner.add_url_rule("/<int:t>", "t", view_func=view_class)
            if on_blueprint:
                app.register_blueprint(owner)

        (told,) = warnings_of(register)

        assert told == (
            f"{method} /{{t}}: {name}(): a class is registered in place of its view"
            f" function, and each request is answered with 500. Write"
            f" {name}.as_view({name.lower()!r}). {place_of_class(view_class)}"
        )
        assert app.test_client().open("/7", method=method).status_code == 500

    def test_class_that_a_function_of_record_adds(self, any_app):
        bp = Blueprint("bp", __name__)
        bp.record(lambda state: state.add_url_rule("/", "x", Items))

        with pytest.warns(SignatureWarning, match=r"Write Items.as_view\('items'\)"):
            any_app.register_blueprint(bp)

    def test_class_is_guarded(self):
        app = Flask(__name__, dependencies=[lambda: flask.abort(403)])
        with pytest.warns(SignatureWarning):
            app.route("/")(Pages)

        assert app.test_client().get("/").status_code == 405
        assert app.test_client().post("/").status_code == 403

    def test_another_class_may_make_the_response(self, app, client):
        app.add_url_rule("/", "made", view_func=flask.Response)

        assert client.get("/").status_code == 200


class TestBracesInARule:
    """``/items/{item_id}`` is a rule without a variable."""

    @pytest.mark.parametrize(
        ("written", "annotation", "instead"),
        [
            ("{key}", str, "<string:key>"),
            ("{key}", int, "<int:key>"),
            ("{key}", UUID, "<uuid:key>"),
            ("{key}", t.Any, "<key>"),
            ("{other}", int, "<other>"),
            ("{key:path}", str, "<path:key>"),
        ],
    )
    def test_variable_is_warned_of(self, written, annotation, instead):
        def show(key=None): ...

        show.__annotations__ = {"key": annotation}
        bp = Blueprint("bp", __name__, url_prefix=f"/items/{written}")
        bp.get("/")(show)

        (told,) = warnings_of(lambda: Flask(__name__).register_blueprint(bp))

        assert told == (
            f"GET /items/{written}/: the rule has {written!r}, which is literal"
            f" text and no variable. Write {instead!r}. {place_of(show)}"
        )

    def test_each_is_warned_of(self):
        def show(a: int, b: int): ...

        told = warnings_of(lambda: Flask(__name__).get("/{a}/<int:b>/{c}")(show))

        assert [text.partition(": ")[2].partition(",")[0] for text in told] == [
            "the rule has '{a}'",
            "the rule has '{c}'",
        ]

    def test_braces_of_a_converter_are_no_variable(self):
        def show(key: str): ...

        rule = "/<string(length=2):key>/{}/{1}/{a b}"

        assert warnings_of(lambda: Flask(__name__).get(rule)(show)) == []

    def test_rule_works_as_in_flask(self, app, client):
        with pytest.warns(SignatureWarning):
            app.get("/a/{b}")(lambda: "x")

        assert client.get("/a/{b}").text == "x"


class TestFormsInGet:
    """A request of GET has no form; another method of the same function may."""

    def test_function_that_runs_for_post_as_well(self, app, client):
        @app.route("/", methods=["GET", "POST"])
        def log_in(name: str = Form("nobody"), photo: UploadFile | None = None):
            return name

        assert client.get("/").text == "nobody"
        assert client.post("/", data={"name": "Ann"}).text == "Ann"

    def test_method_of_a_class_has_none(self, app):
        class Forms(MethodView):
            def get(self, name: str = Form()): ...

        view = Forms.as_view("forms")

        assert message_of(lambda: app.add_url_rule("/", view_func=view)) == (
            "GET /: 'name' of Forms.get() is read from a form, which a GET request does"
            " not have. Read it from the query, or register the view for POST."
            f" {place_of(Forms.get)}"
        )


def bare(f):
    """A decorator without ``functools.wraps``."""

    def inner(*args, **kwargs):
        return f(*args, **kwargs)

    return inner


def annotated(n, page: int = 1):
    return {"page": page}


def marked(n, page=Query(1)): ...
def with_model(n) -> list[Cat]: ...
def with_variable(n: int): ...


class TestDecoratorsWithoutWraps:
    """What the decorator returns does not lead to the view."""

    @pytest.mark.parametrize("view", [annotated, marked, with_model, with_variable])
    def test_signature_that_is_hidden_is_warned_of(self, app, view):
        wrapper = bare(view)

        (told,) = warnings_of(lambda: app.get("/<n>")(wrapper))

        assert told == (
            f"GET /{{n}}: inner() hides the signature of {view.__name__}(), which is"
            " not read. Put '@functools.wraps(f)' above 'def inner' in the decorator."
            f" {place_of(wrapper)}"
        )

    def test_method_of_a_class(self, app):
        class Shelf(MethodView):
            @bare
            def get(self, page: int = 1): ...

        view = Shelf.as_view("shelf")

        (told,) = warnings_of(lambda: app.add_url_rule("/", view_func=view))

        assert told == (
            "GET /: Shelf.get() hides the signature of get(), which is not read. Put"
            " '@functools.wraps(f)' above 'def inner' in the decorator."
            f" {place_of(Shelf.get)}"
        )

    @pytest.mark.parametrize(
        "view", [lambda n: n, functools.wraps(lambda: "")(lambda n: n), int]
    )
    def test_view_of_plain_flask_is_not(self, app, view):
        def show(n, *args, page=1, **more): ...

        for function in (show, view):
            register = app.get("/<n>", endpoint=str(function))
            assert warnings_of(functools.partial(register, bare(function))) == []

    def test_decorator_of_the_route_needs_none(self, app, client):
        assert warnings_of(lambda: app.get("/<n>", decorators=[bare])(annotated)) == []
        assert client.get("/1?page=2").json == {"page": 2}
