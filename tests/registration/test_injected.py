"""Arguments that somebody else supplies: ``Injected()``."""

from __future__ import annotations

import functools
import typing as t

import flask
import pytest
from messages import message_of, place_of
from models import Item

from flask_signature import Blueprint, Flask, Injected, Query, SignatureError

if t.TYPE_CHECKING:
    from decimal import Decimal

APPLICATIONS = pytest.mark.parametrize("base", [Flask, flask.Flask])


class User:
    """A class that no request holds, and that Pydantic can't read."""

    def __init__(self, name):
        self.name = name


def login(view):
    """A login, which passes the user."""

    @functools.wraps(view)
    def wrapper(*args, **view_args):
        return view(*args, user=User("ann"), **view_args)

    return wrapper


def make_app(base, view, **options):
    app, bp = base(__name__), Blueprint("bp", __name__)
    bp.add_url_rule("/", "view", view, **options)
    app.register_blueprint(bp)
    return app


def by_default(user: User = Injected(), page: int = 1):
    return f"{user.name} {page}"


def by_annotation(user: t.Annotated[User, Injected()], page: int = 1):
    return f"{user.name} {page}"


def with_default(user: t.Annotated[User | None, Injected()] = None, page: int = 1):
    return f"{user and user.name} {page}"


def by_decorator(base, view):
    return make_app(base, view, decorators=[login])


def by_decorator_below(base, view):
    return make_app(base, login(view))


def by_preprocessor(base, view):
    app = make_app(base, view)
    app.url_value_preprocessor(lambda _, values: values.update(user=User("ann")))
    return app


@pytest.mark.parametrize("view", [by_default, by_annotation, with_default])
@pytest.mark.parametrize("way", [by_decorator, by_decorator_below, by_preprocessor])
@APPLICATIONS
def test_argument_is_passed_in_each_way(base, way, view):
    client = way(base, view).test_client()
    assert client.get("/?user=evil&page=2").text == "ann 2"
    assert client.get("/?page=x").status_code == 422


@pytest.mark.parametrize("view", [by_default, by_annotation])
@APPLICATIONS
def test_argument_that_nobody_passes_is_an_error(base, view):
    app = make_app(base, view)
    app.testing = True
    with pytest.raises(TypeError) as caught:
        app.test_client().get("/?user=evil")
    assert str(caught.value) == (
        f"No value was passed for 'user' of {view.__name__}(), which is declared with"
        " Injected(). Pass it in a decorator of the view, or give it a default."
    )


@APPLICATIONS
def test_argument_with_a_default_has_not_to_be_passed(base):
    client = make_app(base, with_default).test_client()
    assert client.get("/?user=evil").text == "None 1"


def test_argument_is_not_described():
    app = make_app(Flask, by_default)
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
        make_app(Flask, view)


def test_annotation_that_is_not_defined_is_not_needed():
    def show(price: Decimal = Injected(), page: int = 1):
        return f"{price} {page}"

    def passes(view):
        return lambda **view_args: view(price="1.5", **view_args)

    app = make_app(Flask, show, decorators=[passes])
    assert app.test_client().get("/?page=2").text == "1.5 2"


def test_argument_beside_a_body_of_one_model():
    def add(item: Item, user: User = Injected()):
        return f"{item.name} {user.name}"

    app = make_app(Flask, add, methods=["POST"], decorators=[login])
    assert app.test_client().post("/", json={"name": "chair"}).text == "chair ann"


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
