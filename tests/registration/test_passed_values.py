"""Values that are passed to a view: they win over the request, and are never read.

What is declared with ``Injected()`` is passed in any case.
"""

from __future__ import annotations

import functools
import threading
import typing as t

import flask
import pytest
from flask import request
from flask.views import MethodView, View
from messages import message_of, place_of
from models import Item
from pydantic import BaseModel, ConfigDict

from flask_signature import (
    Blueprint,
    Body,
    Cookie,
    Depends,
    File,
    Flask,
    Form,
    Header,
    Injected,
    Path,
    Query,
    SignatureError,
)

if t.TYPE_CHECKING:
    from decimal import Decimal

BASES = [Flask, flask.Flask]
APPLICATIONS = pytest.mark.parametrize("base", BASES)


def passes(**values):
    """A decorator that passes values to a view."""

    def decorator(view):
        @functools.wraps(view)
        def wrapper(*args, **view_args):
            return view(*args, **{**view_args, **values})

        return wrapper

    return decorator


def register(base, view, *, method="GET", rule="/", passed=None, **options):
    """An application with a blueprint of one view, which a decorator passes values."""
    app, bp = base(__name__), Blueprint("bp", __name__)
    around = [passes(**passed)] if passed else []
    bp.add_url_rule(rule, "view", view, methods=[method], decorators=around, **options)
    app.register_blueprint(bp)
    return app


def client_of(base, view, **options):
    return register(base, view, **options).test_client()


def calling(base, *args, **kwargs):
    """A class of applications that passes a view these arguments."""

    class Own(base):
        def dispatch_request(self, ctx=None):
            return self.view_functions[request.endpoint](*args, **kwargs)

    return Own


class User:
    """A class that no request holds, and that Pydantic can't read."""


def show_user(user: str, page: int = 1) -> str:
    return f"{user} {page}"


def by_default(user: User = Injected(), page: int = 1):
    return f"{user} {page}"


def by_annotation(user: t.Annotated[User, Injected()], page: int = 1):
    return f"{user} {page}"


def with_default(user: t.Annotated[User | None, Injected()] = None, page: int = 1):
    return f"{user} {page}"


def by_decorator(base, view=show_user):
    return register(base, view, passed={"user": "ann"})


def by_decorator_below_the_route(base, view=show_user):
    return register(base, passes(user="ann")(view))


def by_decorator_of_the_blueprint(base, view=show_user):
    app, bp = base(__name__), Blueprint("bp", __name__, decorators=[passes(user="ann")])
    bp.get("/")(view)
    app.register_blueprint(bp)
    return app


def by_preprocessor(base, view=show_user):
    app = register(base, view)
    app.url_value_preprocessor(lambda endpoint, values: values.update(user="ann"))
    return app


def by_preprocessor_that_replaces_a_variable(base, view=show_user):
    def replace(endpoint, values):
        values["user"] = f"a{values.pop('lang')}"

    app = register(base, view, rule="/<lang>")
    app.url_value_preprocessor(replace)
    return app


def by_before_request(base, view=show_user):
    app = register(base, view)

    @app.before_request
    def load():
        request.view_args = {"user": "ann"}

    return app


def by_dispatch_request(base, view=show_user):
    return register(calling(base, user="ann"), view)


def by_positional_argument(base, view=show_user):
    return register(calling(base, "ann"), view)


def by_wrapper_of_a_class(base):
    class Users(View):
        def dispatch_request(self, user: str, page: int = 1) -> str:
            return show_user(user, page)

    return register(base, passes(user="ann")(Users.as_view("users")))


def by_view_decorators(base):
    class Users(MethodView):
        decorators = (passes(user="ann"),)

        def get(self, user: str, page: int = 1) -> str:
            return show_user(user, page)

    return register(base, Users.as_view("users"))


def by_dispatch_request_of_a_class(base):
    class Users(MethodView):
        def dispatch_request(self, **view_args):
            return super().dispatch_request(user="ann", **view_args)

        def get(self, user: str, page: int = 1) -> str:
            return show_user(user, page)

    return register(base, Users.as_view("users"))


EVERYWHERE = [
    by_decorator,
    by_decorator_below_the_route,
    by_decorator_of_the_blueprint,
    by_preprocessor,
    by_preprocessor_that_replaces_a_variable,
    by_before_request,
    by_dispatch_request,
    by_positional_argument,
]
#: Those that a plain ``flask.Flask`` has no hook for.
IN_A_CLASS = [by_wrapper_of_a_class, by_view_decorators, by_dispatch_request_of_a_class]
VIEWS = [show_user, by_default, by_annotation, with_default]
WAYS = [
    *((base, way, view) for base in BASES for way in EVERYWHERE for view in VIEWS),
    *((Flask, way, None) for way in IN_A_CLASS),
]


@pytest.mark.parametrize(("base", "way", "view"), WAYS)
def test_passed_value_wins_over_the_request_and_the_rest_is_read(base, way, view):
    client = (way(base, view) if view else way(base)).test_client()
    url = "/nn" if way is by_preprocessor_that_replaces_a_variable else "/"

    response = client.get(f"{url}?user=evil&page=2")
    assert (response.status_code, response.text) == (200, "ann 2")
    response = client.get(f"{url}?user=evil&page=x")
    assert response.status_code == 422
    assert [e["loc"] for e in response.json["detail"]] == [["query", "page"]]


@pytest.mark.parametrize(
    "way", [by_decorator, by_decorator_of_the_blueprint, *IN_A_CLASS]
)
def test_passed_argument_is_described(way):
    app = way(Flask)
    app.init_app()
    (path,) = app.test_client().get("/openapi.json").json["paths"].values()
    assert [item["name"] for item in path["get"]["parameters"]] == ["user", "page"]


class Strict(BaseModel):
    """A model that refuses every other name."""

    model_config = ConfigDict(extra="forbid")
    page: int = 1


THING: t.Final = {"method": "POST", "passed": {"thing": Item(name="ann")}}


@APPLICATIONS
class TestEachLocation:
    def test_header_and_cookie(self, base):
        def show(a: str = Header(), b: str = Cookie(), c: str = Header()):
            return f"{a} {b} {c}"

        client = client_of(base, show, passed={"a": 1, "b": 2})
        assert client.get("/", headers={"A": "x", "C": "3"}).text == "1 2 3"

    def test_body_is_not_read_where_all_of_it_is_passed(self, base):
        def add(thing: Item, page: int = Query(1)):
            return thing.name, 200

        client = client_of(base, add, **THING)
        assert client.post("/", data=b"{", content_type="text/x").text == "ann"
        assert client.post("/", json={"name": "evil"}).text == "ann"

    def test_other_key_of_a_body_stays_a_key(self, base):
        def add(thing: Item, count: int = Body()):
            return f"{thing.name} {count}", 200

        client = client_of(base, add, **THING)
        sent = {"thing": {"name": "evil"}, "count": "2"}
        assert client.post("/", json=sent).text == "ann 2"
        entries = client.post("/", json={"count": "x"}).json["detail"]
        assert [item["loc"] for item in entries] == [["body", "count"]]

    def test_form_and_file(self, base):
        def add(name: str = Form(), file: bytes = File(), count: int = Form(1)):
            return f"{name} {file!r} {count}", 200

        passed = {"name": "ann", "file": b"f"}
        client = client_of(base, add, method="POST", passed=passed)
        response = client.post("/", data={"name": "evil", "count": "2"})
        assert response.text == "ann b'f' 2"

    def test_form_is_not_checked_where_all_of_it_is_passed(self, base):
        def add(name: str = Form()):
            return name, 200

        client = client_of(base, add, method="POST", passed={"name": "ann"})
        assert client.post("/", json={"name": "evil"}).text == "ann"

    def test_name_is_no_extra_key_of_a_model(self, base):
        def show(query: t.Annotated[Strict, Query()], user: str = Query()):
            return f"{query.page} {user}"

        client = client_of(base, show, passed={"user": "ann"})
        assert client.get("/?page=2&user=evil").text == "2 ann"
        assert client.get("/?page=2&other=x").status_code == 422

    def test_variable_is_validated_as_it_comes(self, base):
        def show(n: t.Annotated[int, Path(ge=1)]):
            return f"{n!r}"

        app = register(base, show, rule="/<n>")
        app.url_value_preprocessor(lambda endpoint, values: values.update(n="-1"))
        assert app.test_client().get("/7").status_code == 422

    def test_variable_of_the_right_type_is_validated_if_it_may_be_replaced(self, base):
        def show(n: int):
            return str(n)

        app, bp = base(__name__), Blueprint("bp", __name__)
        bp.url_value_preprocessor(lambda endpoint, values: values.update(n="abc"))
        bp.get("/<int:n>")(show)
        app.register_blueprint(bp)
        assert app.test_client().get("/7").status_code == 422

    def test_argument_of_a_variable_with_another_name(self, base):
        def show(number: int = Path(alias="n")):
            return f"{number}"

        client = client_of(base, show, rule="/<int:n>", passed={"number": 9})
        assert client.get("/7").text == "9"

    def test_passed_value_is_not_validated(self, base):
        value = object()

        def show(user: int = Query(ge=1)):
            return str(user is value)

        client = client_of(base, show, passed={"user": value})
        assert client.get("/?user=1").text == "True"


def test_whatever_a_decorator_passes_for_each_request(app, client):
    def echo(view):
        @functools.wraps(view)
        def wrapper(**view_args):
            names = request.headers["X-Pass"].split(",")
            return view(**view_args, **dict.fromkeys(names, "passed"))

        return wrapper

    @app.get("/", decorators=[echo])
    def show(a: str = "", b: str = "", c: str = ""):
        return f"{a},{b},{c}"

    for given in ("a", "b", "c", "a,b", "b,c", "a,b,c"):
        expected = ["passed" if name in given else f"q{name}" for name in "abc"]
        response = client.get("/?a=qa&b=qb&c=qc", headers={"X-Pass": given})
        assert response.text == ",".join(expected)


def test_plans_that_are_kept_are_few():
    names = [f"a{n}" for n in range(9)]
    space: dict[str, t.Any] = {}
    arguments = ", ".join(f"{name}: str = ''" for name in names)
    exec(f"def show({arguments}): return a0", space)
    app = register(Flask, space["show"])
    bp_view = app.view_functions["bp.view"]
    with app.test_request_context("/"):
        for n in range(1, 400):
            chosen = [name for bit, name in enumerate(names) if n >> bit & 1]
            bp_view(**dict.fromkeys(chosen, "x"))
    (operation,) = app.extensions["flask_signature"].operations
    assert len(operation.inbound.variants) <= 64


def test_threads_that_pass_different_names():
    def show(a: str = "qa", b: str = "qb"):
        return f"{a} {b}"

    app = register(Flask, show)
    view, results = app.view_functions["bp.view"], []

    def ask(n):
        with app.test_request_context(f"/?a=r{n}&b=r{n}"):
            for _ in range(50):
                results.append((n, view(**{"ab"[n % 2]: f"p{n}"})))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = {n: (f"p{n} r{n}" if n % 2 == 0 else f"r{n} p{n}") for n in range(8)}
    assert len(results) == 400
    assert all(text == expected[n] for n, text in results)


@APPLICATIONS
class TestPositional:
    @pytest.mark.parametrize(
        ("args", "kwargs", "problem"),
        [(("ann", 1, 2), {}, "takes 2 pos"), (("ann",), {"user": "bob"}, "multiple")],
    )
    def test_what_python_refuses_is_a_type_error(self, base, args, kwargs, problem):
        app = register(base, show_user)
        with app.test_request_context("/"), pytest.raises(TypeError, match=problem):
            app.view_functions["bp.view"](*args, **kwargs)

    def test_variables_by_position_are_validated(self, base):
        def show(n: int, page: int = 1):
            return f"{n!r} {page}"

        class Own(base):
            def dispatch_request(self, ctx=None):
                rule = request.url_rule
                return self.view_functions[rule.endpoint](*request.view_args.values())

        client = client_of(Own, show, rule="/<n>")
        assert client.get("/7?page=2").text == "7 2"
        assert client.get("/x").status_code == 422

    def test_rest_goes_to_the_arguments_without_a_name(self, base):
        def show(n: int, *rest, page: int = 1):
            return f"{n} {rest} {page}"

        client = client_of(calling(base, 7, "a", "b"), show)
        assert client.get("/?page=2").text == "7 ('a', 'b') 2"

    def test_rest_is_passed_beside_an_asynchronous_dependency(self, base):
        async def load() -> str:
            return "loaded"

        def show(n: int, *rest, value=Depends(load)):
            return f"{n} {rest} {value}"

        client = client_of(calling(base, 7, "a"), show)
        assert client.get("/").text == "7 ('a',) loaded"


@pytest.mark.parametrize("place", ["route", "blueprint", "class"])
def test_what_a_decorator_may_pass_needs_an_annotation(app, client, place):
    def with_user(view):
        @functools.wraps(view)
        def wrapper(*args, **view_args):
            if "X-User" in request.headers:
                view_args["user"] = request.headers["X-User"]
            return view(*args, **view_args)

        return wrapper

    class Show(MethodView):
        decorators = [with_user] if place == "class" else []

        def get(self, user):
            return f"user {user}"

    inside = [with_user] if place == "route" else []
    around = [with_user] if place == "blueprint" else []
    bp = Blueprint("bp", __name__, decorators=around)
    bp.add_url_rule("/", view_func=Show.as_view("show"), decorators=inside)
    app.register_blueprint(bp)
    app.init_app()

    assert client.get("/?user=eve").status_code == 500
    assert client.get("/?user=eve", headers={"X-User": "ann"}).text == "user ann"
    operation = client.get("/openapi.json").json["paths"]["/"]["get"]
    assert "parameters" not in operation


# Arguments that nothing of the request may be.


@pytest.mark.parametrize("view", [by_default, by_annotation])
@APPLICATIONS
def test_argument_that_nobody_passes_is_an_error(base, view):
    app = register(base, view)
    app.testing = True
    with pytest.raises(TypeError) as caught:
        app.test_client().get("/?user=evil")
    assert str(caught.value) == (
        f"No value was passed for 'user' of {view.__name__}(), which is declared with"
        " Injected(). Pass it in a decorator of the view, or give it a default."
    )


@APPLICATIONS
def test_argument_with_a_default_has_not_to_be_passed(base):
    client = register(base, with_default).test_client()
    assert client.get("/?user=evil").text == "None 1"


def test_argument_is_not_described():
    app = register(Flask, by_default)
    app.init_app()
    path = app.test_client().get("/openapi.json").json["paths"]["/"]
    assert [item["name"] for item in path["get"]["parameters"]] == ["page"]


def test_name_in_the_url_is_refused(app):
    assert message_of(lambda: app.get("/<user>")(by_default)) == (
        "GET /{user}: the URL provides 'user', but by_default() declares it with"
        " Injected(), so that nothing of the request can be its value. Rename one of"
        f" them. {place_of(by_default)}"
    )


def not_called(user=Injected): ...
def marked_twice(user: t.Annotated[str, Injected()] = Query()): ...
def marked_inside(user: t.Annotated[str, Injected()] | None): ...


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        (not_called, r"was not called. Write Injected\(\)\."),
        (marked_twice, r"Injected\(\) and Query\(\). Keep one"),
        (marked_inside, r"has its Injected\(\) inside of"),
    ],
)
def test_mistakes_of_a_marker_are_refused(view, problem):
    with pytest.raises(SignatureError, match=problem):
        register(Flask, view)


def test_annotation_that_is_not_defined_is_not_needed():
    def show(price: Decimal = Injected(), page: int = 1):
        return f"{price} {page}"

    client = client_of(Flask, show, passed={"price": "1.5"})
    assert client.get("/?page=2").text == "1.5 2"


def test_argument_beside_a_body_of_one_model():
    def add(item: Item, user: User = Injected()):
        return f"{item.name} {user}"

    client = client_of(Flask, add, method="POST", passed={"user": "ann"})
    assert client.post("/", json={"name": "chair"}).text == "chair ann"


USES = {
    "attribute": lambda user: user.name,
    "set": lambda user: setattr(user, "name", 1),
    "truth": bool,
    "call": lambda user: user(),
    "equal": lambda user: user == "ann",
    "unequal": lambda user: user != "ann",
    "string": str,
    "format": lambda user: f"{user}",
    "iterate": lambda user: [*user],
    "key": lambda user: user["name"],
    "add": lambda user: user + 1,
    "add to": lambda user: 1 + user,
    "with": lambda user: user.__enter__(),
    "contains": lambda user: "ann" in user,
    "length": len,
    "number": int,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_default_that_nobody_replaced_is_an_error_wherever_it_is_used(app, client, use):
    def show(user: User = Injected()):
        return use(user)

    app.testing = True
    app.get("/")(functools.wraps(show)(lambda **view_args: show(**view_args)))
    with pytest.raises(TypeError, match=r"No value was passed for 'user' of show\(\)"):
        client.get("/?user=evil")


def test_marker_is_shown_as_it_was_written():
    assert repr(Injected()) == "Injected()"
    assert not hasattr(Injected(), "__wrapped__")
