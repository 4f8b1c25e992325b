"""``before_request`` functions whose annotation says what they send."""

from __future__ import annotations

import typing as t

import flask
import pytest
from messages import message_of
from models import Problem

from flask_signature import Blueprint, Flask

VALUE = {"reason": "Closed.", "secret": "hunter2"}


class Wide(Problem):
    secret: str = "hunter2"


def hook_of(annotation: t.Any, value: t.Any) -> t.Any:
    """A function with an annotation, which sends a value while the shop is closed."""

    def hook():
        return value if "closed" in flask.request.args else None

    hook.__annotations__ = {} if annotation is None else {"return": annotation}
    return hook


async def asynchronous() -> tuple[Problem, t.Literal[503]] | None:
    return (VALUE, 503) if "closed" in flask.request.args else None  # type: ignore[return-value]


BODY = {"reason": "Closed."}
ERROR = {"message": "An internal error occurred."}
UNAVAILABLE = hook_of(tuple[Problem, t.Literal[503]] | None, (VALUE, 503))

HOOKS: dict[str, tuple[t.Any, int, t.Any]] = {
    "model": (hook_of(Problem | None, VALUE), 200, BODY),
    "instance": (hook_of(Problem | None, Wide(reason="Closed.")), 200, BODY),
    "list": (hook_of(list[Problem] | None, [Wide(reason="Closed.")]), 200, [BODY]),
    "status": (UNAVAILABLE, 503, BODY),
    "async": (asynchronous, 503, BODY),
    "misfit": (hook_of(Problem | None, {"secret": "hunter2"}), 500, ERROR),
}

PLACES = ["application", "blueprint", "nested", "app-of-a-blueprint"]


def shop(place: str, hook: t.Any, make: t.Any = Flask) -> t.Any:
    """A client of an application with a hook and a view."""
    app, bp = make(__name__), Blueprint("bp", __name__)
    outer = Blueprint("outer", __name__)
    register = {
        "application": app.before_request,
        "blueprint": bp.before_request,
        "nested": outer.before_request,
        "app-of-a-blueprint": bp.before_app_request,
    }
    assert register[place](hook) is hook
    bp.post("/")(lambda: "open")
    outer.register_blueprint(bp)
    app.register_blueprint(outer)
    return app.test_client()


@pytest.mark.parametrize("make", [Flask, flask.Flask])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("hook", "code", "body"), HOOKS.values(), ids=HOOKS)
def test_what_a_hook_returns_is_filtered(hook, code, body, place, make):
    if make is flask.Flask and place == "application":
        place = "blueprint"
    client = shop(place, hook, make)

    response = client.post("/?closed")
    assert (response.status_code, response.json) == (code, body)
    assert (client.post("/").status_code, client.post("/").text) == (201, "open")


SECRET = {"secret": "hunter2"}


def plain_response() -> flask.Response | None:
    return flask.jsonify(secret="hunter2") if "closed" in flask.request.args else None


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "hook",
    [
        plain_response,
        hook_of(dict[str, str] | None, SECRET),
        hook_of(flask.typing.ResponseReturnValue | None, SECRET),
        hook_of(None, SECRET),
    ],
)
def test_a_hook_without_a_model_is_flasks(hook, place):
    client = shop(place, hook)

    assert client.post("/?closed").json == SECRET
    assert client.post("/").text == "open"


def test_a_blueprint_that_is_registered_twice_filters_under_both_names():
    bp = Blueprint("bp", __name__)
    bp.before_request(UNAVAILABLE)
    bp.get("/")(lambda: "open")
    for app in (Flask(__name__), Flask(__name__)):
        app.register_blueprint(bp, url_prefix="/a")
        app.register_blueprint(bp, url_prefix="/b", name="other")
        for url in ("/a/?closed", "/b/?closed"):
            assert app.test_client().get(url).json == BODY


def test_a_model_that_cant_be_written_is_refused(app):
    hook = hook_of(Problem | dict[str, str] | None, None)
    assert message_of(lambda: app.before_request(hook)).startswith("before_request: ")
