"""Annotations that were true in a program for Flask, which ignores them."""

from __future__ import annotations

import asyncio
import functools
import typing as t
from collections import defaultdict

import flask
import pytest
from flask.views import MethodView
from markupsafe import Markup
from messages import message_of
from models import Item

import flask_signature
from flask_signature import Depends, Header, Query, SignatureError

BOTH = (flask.Flask, flask_signature.Flask)


class Thing:
    """What Pydantic does not know."""


def awaiting(view):
    """A decorator that runs what the view returns to its end."""

    @functools.wraps(view)
    def run(*args, **values):
        return asyncio.run(view(*args, **values))

    return run


async def answer(value):
    return value


def answers(view: t.Any, path: str = "/", **options: t.Any) -> list[tuple[int, str]]:
    """The answers of both applications to a request."""
    found = []
    for app_class in BOTH:
        app = app_class(__name__)
        app.add_url_rule("/", "view", view, **options)
        method = options.get("methods", ["GET"])[0]
        response = app.test_client().open(path, method=method)
        found.append((response.status_code, response.text))
    return found


def show_any(args: t.Any = None, kwargs: object = ()):
    return repr((args, kwargs))


def show_number(args: t.Any = 3, *rest: t.Any, **more: t.Any):
    return repr((args, rest, more))


@pytest.mark.parametrize("view", [show_any, show_number])
@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_default_of_any_type_is_not_read(view, method):
    there, here = answers(view, "/?args=1&kwargs=2", methods=[method])
    assert here == there


@pytest.mark.parametrize(
    ("argument", "sent"),
    [
        (t.Annotated[t.Any, Query()], "'1'"),
        (t.Annotated[object, Query()], "'1'"),
        (t.Optional[int], "1"),
    ],
)
def test_marker_or_another_type_is_read(argument, sent):
    def show(args=None):
        return repr(args)

    show.__annotations__["args"] = argument
    assert answers(show, "/?args=1") == [(200, "None"), (200, sent)]


def test_required_argument_of_any_type_is_read():
    def show(args: t.Any):
        return repr(args)

    assert answers(show, "/?args=1")[1] == (200, "'1'")


def test_variable_of_the_url_is_taken_by_a_default_of_any_type(app, client):
    @app.get("/<args>")
    def show(args: t.Any = None):
        return repr(args)

    assert client.get("/7").text == "'7'"


def test_default_of_any_type_is_not_read_by_a_dependency(app, client):
    def page(args: t.Any = None, n: int = Header(2)):
        return repr((args, n))

    @app.get("/")
    def show(shown: t.Annotated[str, Depends(page)]):
        return shown

    assert client.get("/?args=1").text == "(None, 2)"


AWAITED: dict[str, tuple[t.Any, t.Any]] = {
    "text": (t.Awaitable[str], "x"),
    "coroutine": (t.Coroutine[t.Any, t.Any, str], "x"),
    "dictionary": (t.Awaitable[dict[str, t.Any]], {"a": 1}),
    "status": (t.Awaitable[tuple[str, int]], ("x", 202)),
}


@pytest.mark.parametrize(("annotation", "value"), AWAITED.values(), ids=AWAITED)
def test_what_a_decorator_awaits_is_what_is_annotated(annotation, value):
    def show():
        return answer(value)

    show.__annotations__["return"] = annotation
    there, here = answers(awaiting(show))
    assert here == there
    assert here[0] in (200, 202)


def test_awaited_model_filters_and_is_described(app, client):
    @app.get("/")
    @awaiting
    def show() -> t.Awaitable[Item]:
        return answer({"name": "chair", "password": "secret"})

    app.init_app()

    assert client.get("/").json == {"name": "chair"}
    described = client.get("/openapi.json").json["paths"]["/"]["get"]["responses"]
    assert "Item" in str(described["200"]["content"])


def test_nobody_else_awaits():
    made = []

    def show() -> t.Awaitable[str]:
        made.append(answer("x"))
        return made[-1]

    assert [status for status, _ in answers(show)] == [500, 500]
    for coroutine in made:
        coroutine.close()


class Marked(t.NamedTuple):
    """A type with markup inside, a value, and what is sent."""

    annotation: t.Any
    value: t.Any
    sent: t.Any


TEXT = Markup("<b>")

MARKED = {
    "itself": Marked(Markup, TEXT, None),
    "or a string": Marked(t.Union[str, Markup], TEXT, None),
    "dictionary": Marked(dict[str, Markup], {"a": TEXT}, {"a": "<b>"}),
    "list": Marked(list[t.Optional[Markup]], [TEXT, None], ["<b>", None]),
    "tuple": Marked(tuple[dict[str, Markup], int], ({"a": TEXT}, 202), {"a": "<b>"}),
    "annotated": Marked(t.Annotated[list[Markup], "a"], [TEXT], ["<b>"]),
    "default": Marked(defaultdict, defaultdict(int, a=1), {"a": 1}),
}


@pytest.mark.parametrize("marked", MARKED.values(), ids=MARKED)
def test_markup_is_a_string(marked):
    def show():
        return marked.value

    show.__annotations__["return"] = marked.annotation
    (status, there), (same, here) = answers(show)

    assert status == same
    if marked.sent is None:
        assert here == there
    else:
        assert flask.json.loads(here) == marked.sent


def passing(view):
    @functools.wraps(view)
    def wrapper(*args, **values):
        return view(Thing(), *args, **values)

    return wrapper


def take_thing(user: Thing):
    return "a"


def take_things(user: dict[str, Thing]):
    return "a"


def take_unknown(user: Unknown):  # noqa: F821
    return "a"


class TestArgumentsThatADecoratorPasses:
    """Whose annotations nothing in a request can be."""

    @pytest.mark.parametrize("view", [take_thing, take_things, take_unknown])
    def test_message_names_injected(self, app, view):
        told = message_of(lambda: app.get("/")(passing(view)))
        assert told.count("Injected()") == 1

    @pytest.mark.parametrize("view", [take_things, take_unknown])
    def test_message_of_another_view_names_what_is_wrong_alone(self, app, view):
        assert "Injected()" not in message_of(lambda: app.get("/")(view))

    def test_method_of_a_class(self, app):
        class Things(MethodView):
            @passing
            def get(self, user: dict[str, Thing]): ...

        with pytest.raises(SignatureError, match=r"passes with Injected\(\)"):
            app.add_url_rule("/", view_func=Things.as_view("things"))
