"""What a blueprint says of everything inside of it, and where it is registered."""

from __future__ import annotations

import typing as t

import flask
import pytest
from document import describe
from flask.views import MethodView
from guards import TOKEN, bare_guard, check_token, guard, noting
from models import Problem
from werkzeug.routing import Rule

from flask_signature import Blueprint, Flask, Query, SignatureError
from flask_signature.security import APIKey, HTTPBearer

if t.TYPE_CHECKING:
    from pathlib import Path


def show(n: int = 1):
    return repr(n)


def numbers(n: int = 1) -> list[int]:
    return [n]


def plain_blueprint(name: str = "plain", *inside: flask.Blueprint) -> flask.Blueprint:
    plain = flask.Blueprint(name, __name__, url_prefix=f"/{name}")
    plain.add_url_rule("/", view_func=show)
    for blueprint in inside:
        plain.register_blueprint(blueprint)
    return plain


#: What may stand around the views of a blueprint, and asks for the token.
GUARDS: t.Final[dict[str, dict[str, t.Any]]] = {
    "decorator": {"decorators": [guard]},
    "bare decorator": {"decorators": [bare_guard]},
    "security": {"security": APIKey("token", "X-Token", verify=lambda key: key)},
    "dependency": {"dependencies": [check_token]},
}


@pytest.fixture(params=GUARDS.values(), ids=GUARDS)
def around(request: pytest.FixtureRequest) -> dict[str, t.Any]:
    """The options of a blueprint that is guarded."""
    return t.cast("dict[str, t.Any]", request.param)


def outer_of(*inside: flask.Blueprint, **around: t.Any) -> Blueprint:
    """A blueprint around others."""
    outer = Blueprint("outer", __name__, **(around or GUARDS["decorator"]))
    for blueprint in inside:
        outer.register_blueprint(blueprint)
    return outer


def show_blueprint(name: str = "bp", **options: t.Any) -> Blueprint:
    """A blueprint with a view at ``/x``."""
    bp = Blueprint(name, __name__, **options)
    bp.add_url_rule("/x", view_func=show)
    return bp


def assert_guarded(app: flask.Flask, *urls: str, text: str = "1") -> None:
    client = app.test_client()
    for url in urls:
        assert client.get(url).status_code == 401, url
        with client.get(url, headers=TOKEN) as response:
            assert response.text == text, url


class TestPlainViews:
    def test_plain_views_inside_are_guarded_and_not_parsed(self, any_app, around):
        plain = plain_blueprint("plain", plain_blueprint("deep"))
        any_app.register_blueprint(outer_of(plain, **around))

        assert_guarded(any_app, "/plain/", "/plain/?n=2", "/plain/deep/?n=x")

    def test_plain_views_are_guarded_from_the_outermost_inwards(self, any_app):
        log = []
        around = [noting(log, "first"), noting(log, "last")]
        inner = Blueprint("inner", __name__, decorators=around)
        inner.register_blueprint(plain_blueprint())
        any_app.register_blueprint(outer_of(inner, decorators=[noting(log, "outer")]))

        assert any_app.test_client().get("/plain/").text == "1"
        assert log == ["outer", "last", "first"]

    def test_plain_views_beside_a_guarded_blueprint_are_open(self, any_app, around):
        any_app.register_blueprint(outer_of(plain_blueprint(), **around), name="out")
        # The name of one begins with that of the other.
        any_app.register_blueprint(plain_blueprint("outer"))
        inside = Blueprint("inside", __name__, decorators=[guard])
        any_app.register_blueprint(plain_blueprint("above", inside))

        assert_guarded(any_app, "/plain/")
        client = any_app.test_client()
        assert client.get("/outer/").text == client.get("/above/").text == "1"

    def test_plain_views_are_guarded_under_each_of_their_rules(self, any_app, around):
        plain = plain_blueprint()
        plain.add_url_rule("/more", view_func=show)
        outer = outer_of(plain, **around)
        any_app.register_blueprint(outer)
        any_app.register_blueprint(outer, name="again", url_prefix="/again")
        any_app.url_map.add(Rule("/back", endpoint="outer.plain.show"))

        assert_guarded(any_app, "/plain/", "/plain/more", "/again/plain/", "/back")

    def test_plain_views_keep_their_methods(self, any_app, around):
        class Items(MethodView):
            def get(self):
                return "get"

            def post(self):
                return "post"

        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/items", view_func=Items.as_view("items"))
        any_app.register_blueprint(outer_of(plain, **around))

        assert_guarded(any_app, "/items", text="get")
        client = any_app.test_client()
        assert client.post("/items").status_code == 401
        # 200, and not the 201 of a view of ours.
        assert client.post("/items", headers=TOKEN).status_code == 200
        assert client.put("/items").status_code == 405
        assert client.options("/items").status_code == 200

    def test_plain_views_may_be_asynchronous(self, any_app, around):
        async def wait():
            return "1"

        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/wait", view_func=wait)
        any_app.register_blueprint(outer_of(plain, **around))

        assert_guarded(any_app, "/wait")

    def test_plain_views_that_are_set_by_endpoint_are_guarded(self, any_app, around):
        outer = outer_of(**around)
        outer.add_url_rule("/x", endpoint="x")
        outer.endpoint("outer.x")(show)
        any_app.register_blueprint(outer)
        any_app.register_blueprint(outer, name="again", url_prefix="/again")

        assert_guarded(any_app, "/x")

    def test_plain_views_that_come_after_the_blueprint_are_guarded(self, app):
        outer = outer_of(plain_blueprint())
        outer.add_url_rule("/x", endpoint="x")
        app.register_blueprint(outer)
        app.add_url_rule("/late", endpoint="outer.late", view_func=show)
        app.add_url_rule("/later", endpoint="outer.late", view_func=show)
        app.add_url_rule("/more", endpoint="outer.plain.show", view_func=show)
        app.endpoint("outer.x")(show)

        assert_guarded(app, "/late", "/later", "/more", "/plain/", "/x")

    def test_plain_views_that_are_functions_of_ours_are_guarded(self, app, client):
        app.get("/open")(numbers)
        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/shut", view_func=app.view_functions["numbers"])
        app.register_blueprint(outer_of(plain))

        assert client.get("/open?n=2").json == [2]
        assert_guarded(app, "/shut?n=2", text="[2]")

    def test_plain_views_with_a_guard_may_be_replaced_by_a_wrapper(self, app, client):
        log = []
        outer = outer_of(plain_blueprint(), decorators=[noting(log, "guard")])
        app.register_blueprint(outer)
        view = app.view_functions["outer.plain.show"]
        app.view_functions["outer.plain.show"] = noting(log, "wrapper")(view)
        with pytest.raises(AssertionError, match="overwriting an existing endpoint"):
            app.add_url_rule("/more", endpoint="outer.plain.show", view_func=show)
        app.register_blueprint(Blueprint("other", __name__, decorators=[guard]))

        assert client.get("/plain/").text == "1"
        assert log == ["guard", "wrapper"]

    def test_plain_views_get_the_guards_of_a_blueprint_that_comes_later(self, any_app):
        log = []
        outer = outer_of(decorators=[noting(log, "outer")])
        inner = Blueprint("inner", __name__, decorators=[guard, noting(log, "inner")])
        inner.add_url_rule("/x", endpoint="x")
        outer.endpoint("outer.inner.x")(show)
        outer.register_blueprint(Blueprint("first", __name__))
        outer.register_blueprint(inner)
        any_app.register_blueprint(outer)

        assert_guarded(any_app, "/x")
        assert log == ["outer", "inner"] * 2

    def test_plain_views_are_guarded_if_registration_fails(self, any_app, around):
        wrong = Blueprint("wrong", __name__)
        wrong.get("/", endpoint="x")(lambda n=Query: "x")
        with pytest.raises(SignatureError):
            any_app.register_blueprint(outer_of(plain_blueprint(), wrong, **around))

        assert_guarded(any_app, "/plain/")

    def test_plain_views_that_are_compiled_get_guards_of_a_later_blueprint(self, app):
        log: list[str] = []
        app.register_blueprint(show_blueprint(decorators=[guard]), name="outer.inner")
        app.register_blueprint(outer_of(decorators=[noting(log, "outer")]))
        app.register_blueprint(Blueprint("other", __name__, decorators=[guard]))

        assert_guarded(app, "/x")
        assert log == ["outer"] * 2

    def test_plain_views_are_guarded_once(self, app, client):
        log = []
        bp = Blueprint("bp", __name__, decorators=[noting(log, "guard")])
        bp.add_url_rule("/x", "x", numbers)
        app.register_blueprint(bp)
        app.add_url_rule("/y", endpoint="bp.ghost.y", view_func=numbers)
        with pytest.raises(AssertionError):
            app.add_url_rule("/z", endpoint="bp.x", view_func=show)
        app.init_app()

        for url in ("/x", "/y"):
            log.clear()
            assert client.get(url).json == [1]
            assert log == ["guard"]


class TestLateViews:
    """A view that the application adds to a blueprint of ours is one of ours."""

    def test_late_views_are_compiled_and_guarded(self, app):
        outer = outer_of()
        outer.get("/x", endpoint="x")(numbers)
        app.register_blueprint(outer)
        app.add_url_rule("/late", endpoint="outer.late", view_func=numbers)
        app.add_url_rule("/more/<int:n>", endpoint="outer.x", view_func=numbers)
        app.get("/late2", endpoint="outer.late2")(numbers)
        # Another blueprint puts guards around what has none.
        app.register_blueprint(Blueprint("other", __name__, decorators=[guard]))

        urls = ("/x?n=2", "/late?n=2", "/more/2", "/late2?n=2")
        assert_guarded(app, *urls, text="[2]")

    @pytest.mark.parametrize("cls", [flask.Blueprint, Blueprint])
    def test_late_views_may_be_added_with_a_decorator(self, app, client, cls):
        app.register_blueprint(cls("api", __name__))
        app.get("/late", endpoint="api.late")(show)

        # What is a plain blueprint's stays plain.
        text = "2" if cls is Blueprint else "1"
        assert client.get("/late?n=2").text == text

    def test_late_views_of_a_function_of_record_are_compiled(self, any_app, around):
        bp = Blueprint("bp", __name__, **around)
        bp.record(lambda state: state.add_url_rule("/x", "x", numbers))
        any_app.register_blueprint(bp)

        assert_guarded(any_app, "/x?n=2", text="[2]")


@pytest.fixture
def folder(tmp_path: Path) -> dict[str, str]:
    """The options of a static folder with one file."""
    (tmp_path / "a.txt").write_text("1")
    return {"static_folder": str(tmp_path), "static_url_path": "/s"}


class TestStaticFiles:
    def test_static_files_under_a_route_have_its_options(self, any_app, folder):
        bp = Blueprint("bp", __name__, url_prefix="/bp", **folder)
        route = bp.get("/f/<path:filename>", endpoint="f", decorators=[guard])
        route(bp.send_static_file)
        any_app.register_blueprint(bp)

        assert_guarded(any_app, "/bp/f/a.txt")
        with any_app.test_client().get("/bp/s/a.txt") as response:
            assert response.text == "1"

    @pytest.mark.parametrize("make", [Flask, flask.Flask])
    @pytest.mark.parametrize("nested", [flask.Blueprint, Blueprint])
    def test_static_files_are_guarded(self, make, nested, folder):
        app = make(__name__, **folder)
        outer = Blueprint("outer", __name__, decorators=[guard], **folder)
        outer.register_blueprint(nested("inner", __name__, **folder), url_prefix="/in")
        app.register_blueprint(outer, url_prefix="/out")

        assert_guarded(app, "/out/s/a.txt", "/out/in/s/a.txt")
        # What a blueprint says holds for nothing outside of it.
        with app.test_client().get("/s/a.txt") as response:
            assert response.text == "1"


class TestRegistration:
    def test_blueprint_registration_adds_to_what_the_blueprint_says(self, app, client):
        log = []
        said = {"tags": ["bp"], "responses": {404: Problem}}
        bp = Blueprint("bp", __name__, decorators=[noting(log, "bp")], **said)
        bp.get("/x", tags=["x"], decorators=[noting(log, "x")])(numbers)
        app.register_blueprint(
            bp,
            tags=["more"],
            decorators=[noting(log, "more")],
            responses={404: None, 409: Problem},
            deprecated=True,
        )
        app.init_app()

        client.get("/x")
        assert log == ["more", "bp", "x"]
        described = describe(app)["paths"]["/x"]["get"]
        assert described["tags"] == ["more", "x"]
        assert described["deprecated"] is True
        assert "content" in described["responses"]["404"]
        assert "content" in described["responses"]["409"]

    def test_blueprint_registration_hides_a_blueprint_and_those_inside(self, app):
        outer = outer_of(show_blueprint())
        app.register_blueprint(outer, include_in_schema=False)
        app.register_blueprint(outer, name="seen", url_prefix="/seen")

        assert list(describe(app)["paths"]) == ["/seen/x"]

    def test_blueprint_registration_replaces_the_security_of_the_blueprint(self, app):
        first = HTTPBearer("first", verify=lambda token: token)
        second = HTTPBearer("second", verify=lambda token: token)
        bp, inner = Blueprint("bp", __name__, security=first), Blueprint("i", __name__)
        bp.get("/a", endpoint="a")(lambda: "a")
        bp.get("/b", endpoint="b", security=None)(lambda: "b")
        inner.get("/c", endpoint="c")(lambda: "c")
        bp.register_blueprint(inner)
        app.register_blueprint(bp)
        app.register_blueprint(bp, name="two", url_prefix="/two", security=second)

        paths = describe(app)["paths"]
        assert {path: item["get"]["security"] for path, item in paths.items()} == {
            "/a": [{"first": []}],
            "/b": [],
            "/c": [{"first": []}],
            "/two/a": [{"second": []}],
            "/two/b": [],
            "/two/c": [{"second": []}],
        }

    def test_blueprint_registration_of_a_nested_blueprint(self, app, client):
        log = []
        outer = Blueprint("outer", __name__, tags=["outer"])
        inner = show_blueprint(tags=["inner"])
        around = [noting(log, "inner")]
        outer.register_blueprint(
            inner, tags=["more"], decorators=around, deprecated=True
        )
        outer.register_blueprint(
            inner, name="open", url_prefix="/open", include_in_schema=False
        )
        app.register_blueprint(outer, decorators=[noting(log, "outer")])
        app.init_app()

        client.get("/x")
        assert log == ["outer", "inner"]
        client.get("/open/x")
        assert log == ["outer", "inner", "outer"]
        paths = describe(app)["paths"]
        assert list(paths) == ["/x"]
        assert paths["/x"]["get"]["tags"] == ["more", "inner"]

    def test_blueprint_registration_on_an_application_of_flask(self):
        app, bp = flask.Flask(__name__), show_blueprint()
        bp.register_blueprint(plain_blueprint())
        app.register_blueprint(bp, decorators=[guard])

        assert_guarded(app, "/x", "/plain/")

    @pytest.mark.parametrize(
        ("inner", "url"), [(show_blueprint, "x"), (plain_blueprint, "bp/")]
    )
    @pytest.mark.parametrize("is_nested", [True, False])
    def test_blueprint_registration_in_a_plain_blueprint(
        self, app, any_app, inner, url, is_nested
    ):
        # Flask itself registers what is outermost, and knows no guard.
        owner = any_app if is_nested else app
        plain = plain_blueprint()
        plain.register_blueprint(inner("bp"), decorators=[guard])
        owner.register_blueprint(outer_of(plain, decorators=()) if is_nested else plain)

        assert_guarded(owner, f"/plain/{url}")
        assert owner.test_client().get("/plain/").text == "1"

    def test_blueprint_registration_of_a_plain_blueprint_holds_inside(self, app):
        plain = plain_blueprint("plain", show_blueprint())
        app.register_blueprint(plain, decorators=[guard], tags=["inside"])
        app.init_app()

        assert_guarded(app, "/plain/", "/plain/x")
        paths = describe(app)["paths"]
        assert list(paths) == ["/plain/x"]
        assert paths["/plain/x"]["get"]["tags"] == ["inside"]

    def test_blueprint_registration_of_a_plain_blueprint_in_one_of_ours(self, any_app):
        outer = Blueprint("outer", __name__)
        outer.register_blueprint(plain_blueprint(), decorators=[guard])
        outer.register_blueprint(plain_blueprint(), name="two", url_prefix="/two")
        any_app.register_blueprint(outer)

        assert_guarded(any_app, "/plain/")
        assert any_app.test_client().get("/two/").text == "1"

    def test_blueprint_registration_keeps_a_list_that_is_changed_later(self, app):
        outer, guards = Blueprint("outer", __name__), [guard]
        outer.register_blueprint(show_blueprint(), decorators=guards)
        guards.clear()
        app.register_blueprint(outer)
        app.register_blueprint(outer, name="two", url_prefix="/two")

        assert_guarded(app, "/x", "/two/x")

    def test_blueprint_registration_that_is_refused_leaves_nothing_behind(self, app):
        plain = plain_blueprint("adm")
        plain.register_blueprint(plain_blueprint("deep"), decoratorz=[guard])
        with pytest.raises(SignatureError):
            app.register_blueprint(plain)
        app.add_url_rule("/z", "adm.z", show)
        app.register_blueprint(Blueprint("adm", __name__, decorators=[guard]))

        assert_guarded(app, "/z")

    def test_blueprint_registration_is_refused_twice_and_changes_nothing(self, app):
        app.register_blueprint(show_blueprint(decorators=[guard]))
        for other in (Blueprint("bp", __name__), plain_blueprint("bp")):
            with pytest.raises(ValueError, match="already registered"):
                app.register_blueprint(other)
        app.add_url_rule("/late", endpoint="bp.late", view_func=show)

        assert_guarded(app, "/x", "/late")


FILE = "tests/registration/test_blueprint_scopes.py"


def refusal_of(blueprint: flask.Blueprint, **options: t.Any) -> str:
    """What is said of the options of a registration, on an application and inside."""
    told = []
    for owner in (Flask(__name__), Blueprint("outer", __name__)):
        with pytest.raises(SignatureError) as error:
            owner.register_blueprint(blueprint, **options)
        place = f" ({FILE}, line {error.tb.tb_lineno})"
        told.append(str(error.value).removesuffix(place))
    assert told[0] == told[1]
    return told[0]


NO_REQUIREMENT: t.Final = (
    "security=3 is no security requirement. Use a scheme such as"
    " HTTPBearer('token', verify=find_user), schemes joined with '&' and '|', or the"
    " name of one."
)
NOT_LIFTED: t.Final = (
    "where a blueprint is registered: who reads the blueprint would not know that it is"
    " open. Say it there, or on its routes."
)
FUNCTIONS: t.Final = "Option 'decorators' takes a list of functions"


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            (
                {"decorator": [guard]},
                "Unknown option 'decorator'. Did you mean 'decorators'?",
            ),
            ({"colour": "red"}, "Unknown option 'colour'."),
            (
                {"url_prefx": "/x"},
                "Unknown option 'url_prefx'. Did you mean 'url_prefix'?",
            ),
            (
                {"decorators": iter([guard])},
                "Option 'decorators' takes a list, not an iterator.",
            ),
            ({"decorators": guard}, f"{FUNCTIONS}. Write decorators=[guard]."),
            ({"decorators": None}, f"{FUNCTIONS}, not None."),
            pytest.param(
                {"response_class": str},
                "Unknown option 'response_class'. Return a Response of that class, or"
                " name its content type with media_type=.",
            ),
            ({"security": None}, f"Option 'security' may not be None {NOT_LIFTED}"),
            ({"security": [{}]}, f"Option 'security' may not be [{{}}] {NOT_LIFTED}"),
        ],
        ids=lambda item: item if isinstance(item, str) else "",
    )
    def test_registration_options_are_refused(self, options, problem):
        assert refusal_of(Blueprint("shop", "shop.views"), **options) == (
            f"register_blueprint() of 'shop' (shop.views): {problem}"
        )

    def test_registration_options_are_refused_by_plain_flask(self):
        app = flask.Flask(__name__)

        with pytest.raises(SignatureError, match="Did you mean 'decorators'"):
            app.register_blueprint(Blueprint("b", __name__), decorator=[guard])

    def test_registration_options_of_a_plain_blueprint_nearly_ours_are_refused(self):
        plain = flask.Blueprint("plain", "shop.plain")

        assert refusal_of(plain, decorator=[guard]) == (
            "register_blueprint() of 'plain' (shop.plain): Unknown option 'decorator'."
            " Did you mean 'decorators'?"
        )

    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            (
                {"include_in_schema": "no"},
                "Option 'include_in_schema' takes True or False, not 'no'.",
            ),
            ({"security": 3}, NO_REQUIREMENT),
            pytest.param(
                {"dependencies": guard},
                "Option 'dependencies' takes a list of functions. Write"
                " dependencies=[guard].",
            ),
            ({"prefix": "/x"}, "Unknown option 'prefix'. Did you mean 'url_prefix'?"),
        ],
        ids=lambda item: next(iter(item)) if isinstance(item, dict) else "",
    )
    @pytest.mark.parametrize("cls", [Blueprint, type("Own", (Blueprint,), {})])
    def test_options_of_a_blueprint_are_refused(self, cls, options, problem):
        with pytest.raises(SignatureError) as error:
            cls("shop", "shop.views", **options)

        assert str(error.value) == (
            f"Blueprint 'shop' (shop.views): {problem}"
            f" ({FILE}, line {error.tb.tb_lineno})"
        )
        assert error.value.__suppress_context__

    def test_another_type_error_of_a_blueprint_is_left_as_it_is(self):
        with pytest.raises(TypeError, match="takes from 3 to") as error:
            Blueprint("shop", "shop.views", *[None] * 12)

        assert type(error.value) is TypeError

    def test_registration_options_of_a_subclass_are_refused(self):
        class Own(Blueprint):
            """Changes nothing of a registration."""

        assert "Unknown option 'colour'." in refusal_of(Own("o", "o"), colour="red")

    @pytest.mark.parametrize("cls", [flask.Blueprint, Blueprint])
    def test_options_that_a_function_of_record_looks_for_are_passed_on(self, app, cls):
        seen = []
        bp = cls("bp", __name__)
        bp.record(lambda state: seen.append(state.options))
        app.register_blueprint(bp, colour="red", url_prefix="/x")

        assert seen == [{"colour": "red", "url_prefix": "/x"}]

    def test_options_that_a_class_of_blueprints_looks_for_are_passed_on(self, app):
        class Own(Blueprint):
            def register(self, app: t.Any, options: t.Any) -> None:
                seen.append(options.pop("colour"))
                super().register(app, options)

        seen: list[str] = []
        app.register_blueprint(Own("own", __name__), colour="red")

        assert seen == ["red"]

    def test_deprecated_blueprint(self, app):
        app.register_blueprint(show_blueprint(deprecated=True))

        assert describe(app)["paths"]["/x"]["get"]["deprecated"] is True
