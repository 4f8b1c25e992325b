"""``before_request`` functions whose annotation says what they send."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from contextlib import contextmanager

import flask
import pytest
from pydantic import BaseModel

from flask_signature import Blueprint, Flask, SignatureError

VALUE = {"reason": "Closed.", "secret": "hunter2"}


class Problem(BaseModel):
    reason: str


class Wide(Problem):
    secret: str = "hunter2"


def is_closed() -> bool:
    return "closed" in flask.request.args


def bare() -> Problem | None:
    return VALUE if is_closed() else None  # type: ignore[return-value]


def instance() -> Problem | None:
    return Wide(reason="Closed.") if is_closed() else None


def items() -> list[Problem] | None:
    return [Wide(reason="Closed.")] if is_closed() else None


def status() -> tuple[Problem, t.Literal[503]] | None:
    return (VALUE, 503) if is_closed() else None  # type: ignore[return-value]


async def asynchronous() -> tuple[Problem, t.Literal[503]] | None:
    return (VALUE, 503) if is_closed() else None  # type: ignore[return-value]


def misfit() -> Problem | None:
    return {"secret": "hunter2"} if is_closed() else None  # type: ignore[return-value]


BODY = {"reason": "Closed."}
ERROR = {"message": "An internal error occurred."}

HOOKS: dict[str, tuple[t.Any, int, t.Any]] = {
    "model": (bare, 200, BODY),
    "instance": (instance, 200, BODY),
    "list": (items, 200, [BODY]),
    "status": (status, 503, BODY),
    "async": (asynchronous, 503, BODY),
    "misfit": (misfit, 500, ERROR),
}

PLACES = ["application", "blueprint", "nested", "app-of-a-blueprint"]


@contextmanager
def shop(place: str, hook: t.Any, make: t.Any = Flask) -> Iterator[t.Any]:
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

    @bp.post("/")
    def show() -> str:
        return "open"

    outer.register_blueprint(bp)
    app.register_blueprint(outer)
    yield app.test_client()


@pytest.mark.parametrize("make", [Flask, flask.Flask])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("hook", "code", "body"), HOOKS.values(), ids=HOOKS)
def test_what_a_hook_returns_is_filtered(hook, code, body, place, make):
    if make is flask.Flask and place == "application":
        place = "blueprint"
    with shop(place, hook, make) as client:
        response = client.post("/?closed")
        assert (response.status_code, response.json) == (code, body)
        assert (client.post("/").status_code, client.post("/").text) == (201, "open")


def plain_dict() -> dict[str, str] | None:
    return {"secret": "hunter2"} if is_closed() else None


def plain_response() -> flask.Response | None:
    return flask.jsonify(secret="hunter2") if is_closed() else None


def alias() -> flask.typing.ResponseReturnValue | None:
    return {"secret": "hunter2"} if is_closed() else None


def unannotated():
    return {"secret": "hunter2"} if is_closed() else None


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("hook", [plain_dict, plain_response, alias, unannotated])
def test_a_hook_without_a_model_is_flasks(hook, place):
    with shop(place, hook) as client:
        assert client.post("/?closed").json == {"secret": "hunter2"}
        assert client.post("/").text == "open"


def test_a_blueprint_that_is_registered_twice_filters_under_both_names():
    bp = Blueprint("bp", __name__)
    bp.before_request(status)
    bp.get("/")(lambda: "open")
    for app in (Flask(__name__), Flask(__name__)):
        app.register_blueprint(bp, url_prefix="/a")
        app.register_blueprint(bp, url_prefix="/b", name="other")
        for url in ("/a/?closed", "/b/?closed"):
            assert app.test_client().get(url).json == BODY


def test_a_model_that_cant_be_written_is_refused(app):
    def closed():
        return None

    closed.__annotations__ = {"return": Problem | dict[str, str] | None}
    with pytest.raises(SignatureError) as error:
        app.before_request(closed)

    assert str(error.value).startswith("before_request: ")
