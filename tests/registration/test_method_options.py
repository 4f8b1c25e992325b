"""The options of one method of a ``MethodView``, given by ``operation``."""

from __future__ import annotations

import functools
import typing as t

import flask
import pytest
from document import describe
from document import operation as described
from flask.views import MethodView, View
from guards import noting
from messages import message_of, place_of
from models import Item, Problem

from flask_signature import Blueprint, Flask, operation
from flask_signature.security import HTTPBearer

token = HTTPBearer("token", verify=lambda given: given == "secret" or None)
SECRET = {"Authorization": "Bearer secret"}


class TestOptions:
    def test_each_method_has_options_of_its_own(self, app, client):
        class Items(MethodView):
            @operation(summary="Find items", tags=["Search"])
            def get(self) -> list[Item]:
                return []

            @operation(
                status_code=202,
                response_model=Item,
                responses={409: Problem},
                security=token,
                operation_id="add",
                deprecated=True,
            )
            def post(self, item: Item) -> t.Any:
                """Add an item."""
                if item.name == "taken":
                    return {"reason": "Taken", "secret": "x"}, 409
                return item

            @operation(include_in_schema=False)
            def put(self) -> None: ...

            def delete(self) -> None:
                """Remove all."""

        app.add_url_rule("/items", view_func=Items.as_view("items"))
        app.init_app()

        assert client.post("/items", json={"name": "a"}).status_code == 401
        added = client.post("/items", json={"name": "a"}, headers=SECRET)
        assert (added.status_code, added.json) == (202, {"name": "a"})
        taken = client.post("/items", json={"name": "taken"}, headers=SECRET)
        assert (taken.status_code, taken.json) == (409, {"reason": "Taken"})
        assert client.get("/items").json == []
        assert client.delete("/items").status_code == 204
        found = describe(app)["paths"]["/items"]
        assert found["get"]["summary"] == "Find items"
        assert found["get"]["tags"] == ["Search"]
        assert "security" not in found["get"]
        assert found["post"]["summary"] == "Add an item."
        assert found["post"]["operationId"] == "add"
        assert found["post"]["deprecated"] is True
        assert found["post"]["security"] == [{"token": []}]
        statuses = [*found["post"]["responses"]]
        assert statuses == ["202", "401", "409", "413", "415", "422"]
        assert "deprecated" not in found["delete"]
        assert "put" not in found
        assert client.put("/items").status_code == 201

    def test_method_is_returned_unchanged(self):
        def get(self: t.Any) -> int:
            return 1

        assert operation(summary="x")(get) is get
        assert vars(get) == {}

    @pytest.mark.parametrize("kind", [staticmethod, classmethod])
    @pytest.mark.parametrize("is_outside", [True, False])
    def test_static_and_class_methods(self, app, client, kind, is_outside):
        def static(n: int = 1) -> list[int]:
            return [n]

        def of_class(cls: type, n: int = 1) -> list[int]:
            return [n]

        function: t.Any = of_class if kind is classmethod else static
        function.__qualname__ = "Items.get"
        decorate = operation(status_code=202)
        method = decorate(kind(function)) if is_outside else kind(decorate(function))
        view_class = type("Items", (MethodView,), {"get": method, "methods": ["GET"]})

        assert compiled_statuses(app, view_class) == {"GET": 202}
        assert client.get("/?n=3").json == [3]

    def test_options_stand_above_or_below_other_decorators(self, app, client):
        log: list[str] = []

        class Items(MethodView):
            @operation(status_code=202)
            @noting(log, "get")
            def get(self, n: int) -> list[int]:
                return [n]

            @noting(log, "post")
            @operation(status_code=203)
            def post(self, n: int) -> list[int]:
                return [n]

        assert compiled_statuses(app, Items) == {"GET": 202, "POST": 203}
        assert client.get("/?n=3").json == client.post("/", json={"n": 3}).json == [3]
        assert log == ["get", "post"]

    def test_head_is_that_of_get_unless_it_is_there(self, app, client):
        class Items(MethodView):
            @operation(security=token)
            def get(self) -> str:
                return ""

        class Heads(Items):
            @operation(summary="Look")
            def head(self) -> str:
                return ""

        app.add_url_rule("/items", view_func=Items.as_view("items"))
        app.add_url_rule("/heads", view_func=Heads.as_view("heads"))

        assert client.head("/items").status_code == 401
        assert client.head("/heads").status_code == 200
        assert client.get("/heads").status_code == 401


def compiled_statuses(app: Flask, view_class: type[MethodView]) -> dict[str, int]:
    """The statuses of a class's operations by their methods."""
    app.add_url_rule("/", view_func=view_class.as_view("x"))
    item = describe(app)["paths"]["/"]
    return {name.upper(): int(min(item[name]["responses"])) for name in item}


class TestMerging:
    def test_options_of_rule_and_method_merge(self, app, client):
        log: list[str] = []

        class Items(MethodView):
            @operation(
                tags=["Method"],
                responses={409: Problem, 404: None},
                dependencies=[lambda: log.append("guard of method")],
                decorators=[noting(log, "method")],
                summary="Of the method",
                deprecated=False,
            )
            def get(self) -> list[int]:
                return [1]

            def post(self) -> list[int]:
                return [2]

        app.add_url_rule(
            "/",
            view_func=Items.as_view("items"),
            tags=["Rule"],
            responses={404: Problem, 410: Problem},
            dependencies=[lambda: log.append("guard of rule")],
            decorators=[noting(log, "rule")],
            summary="Of the rule",
            description="Long",
            status_code=202,
            deprecated=True,
        )
        app.init_app()

        assert client.get("/").status_code == 202
        assert log == ["rule", "method", "guard of rule", "guard of method"]
        log.clear()
        assert client.post("/").status_code == 202
        assert log == ["rule", "guard of rule"]
        found = described(app, "GET /")
        assert found["tags"] == ["Method"]
        assert (found["summary"], found["description"]) == ("Of the method", "Long")
        assert "deprecated" not in found
        assert list(found["responses"]) == ["202", "404", "409", "410"]
        assert "content" not in found["responses"]["404"]
        other = described(app, "POST /")
        assert (other["tags"], other["summary"]) == (["Rule"], "Of the rule")
        assert other["deprecated"] is True
        assert list(other["responses"]) == ["202", "404", "410"]

    def test_none_says_nothing_where_it_has_no_meaning(self, app):
        class Items(MethodView):
            @operation(tags=None, status_code=None, summary=None)
            def get(self) -> list[int]:
                return [1]

        rule: t.Any = {"tags": ["Rule"], "status_code": 202, "summary": "Rule"}
        app.add_url_rule("/", view_func=Items.as_view("items"), **rule)

        found = described(app, "GET /")
        assert (found["tags"], found["summary"]) == (["Rule"], "Rule")
        assert list(found["responses"]) == ["202"]

    def test_options_hold_for_another_rule_of_the_endpoint(self, app, client):
        log: list[str] = []

        class Items(MethodView):
            @operation(
                summary="Of the method",
                security=token,
                dependencies=[lambda: log.append("once")],
            )
            def get(self, n: int) -> list[int]:
                return [n]

        app.add_url_rule("/a", view_func=Items.as_view("items"))
        app.add_url_rule("/b", endpoint="items", summary="B", tags=["B"])
        app.init_app()

        assert client.get("/b?n=1").status_code == 401
        assert client.get("/b?n=1", headers=SECRET).json == [1]
        assert log == ["once"]
        found = described(app, "GET /b")
        assert (found["summary"], found["tags"]) == ("Of the method", ["B"])

    def test_blueprint_on_a_plain_application_reads_them(self):
        class Items(MethodView):
            @operation(status_code=202, security=token)
            def get(self) -> list[int]:
                return [1]

        app, bp = flask.Flask(__name__), Blueprint("bp", __name__)
        bp.add_url_rule("/", view_func=Items.as_view("items"))
        app.register_blueprint(bp)
        client = app.test_client()

        assert client.get("/").status_code == 401
        assert client.get("/", headers=SECRET).status_code == 202


def test_override_drops_what_it_inherits(app, client):
    class Base(MethodView):
        @operation(status_code=202, security=token)
        def get(self) -> list[int]:
            return [1]

        @operation(status_code=203, tags=["Base"])
        def post(self) -> list[int]:
            return [1]

        @operation(status_code=202)
        def put(self) -> list[int]:
            return [1]

    class Items(Base):
        def get(self) -> list[int]:
            return super().get()

        @operation(summary="New")
        def post(self) -> list[int]:
            return super().post()

    assert compiled_statuses(app, Items) == {"GET": 200, "POST": 201, "PUT": 202}
    assert client.get("/").json == [1]
    assert "tags" not in described(app, "POST /")


MISPLACED = (
    "decorated with operation, which is for the methods of a MethodView that are named"
    " after those of HTTP: 'get', 'post'. Give the options to the rule."
)


class TestMisuse:
    def test_function_is_refused(self):
        def show() -> None: ...

        assert message_of(lambda: operation(summary="x")(show)) == (
            f"show() is {MISPLACED} {place_of(show)}"
        )

    def test_view_of_a_route_is_refused(self, app):
        # A function that might be a method of a class, at the time.
        @operation(summary="x")
        def show(self: int) -> None: ...

        assert message_of(lambda: app.get("/")(show)) == (
            f"GET /: show() is {MISPLACED} {place_of(show)}"
        )

    def test_class_is_refused(self):
        class Items(MethodView):
            def get(self) -> None: ...

        decorate: t.Any = operation(summary="x")
        message = message_of(lambda: decorate(Items))
        assert message.startswith(
            f"Items is {MISPLACED} (tests/registration/test_method_options.py, line "
        )
        assert message == message_of(lambda: decorate(Items.as_view("items")))

    @pytest.mark.parametrize(
        ("option", "problem"),
        [
            ({"methods": ["GET"]}, "Unknown option 'methods'."),
            (
                {"stauts_code": 201},
                "Unknown option 'stauts_code'. Did you mean 'status_code'?",
            ),
        ],
        ids=["methods", "unknown"],
    )
    def test_option_is_refused(self, option, problem):
        class Items(MethodView):
            def get(self) -> None: ...

        assert message_of(lambda: operation(**option)(Items.get)) == (
            f"Items.get(): {problem} {place_of(Items.get)}"
        )

    def test_second_one_is_refused(self):
        class Items(MethodView):
            @operation(summary="x")
            def get(self) -> None: ...

        for method in (Items.get, noting([], "x")(Items.get)):
            decorate = functools.partial(operation(tags=["x"]), method)
            assert message_of(decorate) == (
                "Items.get() is decorated with operation twice. Give it all of its"
                f" options at once. {place_of(method)}"
            )

    @pytest.mark.parametrize(
        ("base", "name"), [(MethodView, "fetch"), (View, "dispatch_request")]
    )
    def test_method_that_no_request_leads_to_is_refused(self, app, base, name):
        @operation(summary="x")
        def method(self) -> None: ...

        method.__qualname__ = f"Items.{name}"
        members = {name: method, "get": lambda self: ""}
        view = type("Items", (base,), members).as_view("items")
        assert message_of(lambda: app.add_url_rule("/", view_func=view)) == (
            f"Items.{name}() is {MISPLACED} {place_of(method)}"
        )

    def test_decorator_that_hides_the_options_is_refused(self, app):
        def login(method: t.Any) -> t.Any:
            def wrapper(*args: t.Any, **kwargs: t.Any) -> t.Any:
                return method(*args, **kwargs)

            return wrapper

        class Items(MethodView):
            @login
            @operation(security=token)
            def get(self) -> None: ...

        view = Items.as_view("items")
        assert message_of(lambda: app.add_url_rule("/", view_func=view)) == (
            "GET /: Items.get() hides the options that Items.get() is given by"
            " operation. Put '@functools.wraps(method)' above 'def wrapper' in the"
            f" decorator. {place_of(Items.get)}"
        )

    def test_class_on_a_plain_blueprint_is_refused(self, app):
        class Items(MethodView):
            @operation(security=token)
            def get(self) -> None: ...

        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/", view_func=Items.as_view("items"))
        assert message_of(lambda: app.register_blueprint(plain)) == (
            "Items.get() is decorated with operation, but its class is registered on a"
            " plain flask.Blueprint, which does not read the options. Use"
            f" flask_signature.Blueprint. {place_of(Items.get)}"
        )
