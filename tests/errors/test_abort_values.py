"""``abort(409, value)``: the value is the body, by the model of the status."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass

import flask
import pytest
from flask import abort, current_app
from flask.views import MethodView
from models import Item
from pydantic import BaseModel
from werkzeug.exceptions import Conflict, HTTPException, ServiceUnavailable

from flask_signature import Blueprint, Depends, Flask
from flask_signature.errors import ErrorFormat, HTTPErrorMessage, error_response
from flask_signature.security import HTTPBearer

ERROR = {"message": "An internal error occurred."}


class Problem(BaseModel):
    code: int
    hint: str = "none"


class Wide(Problem):
    secret: str = "hunter2"


@dataclass
class Plain:
    code: int
    secret: str


VALUE = {"code": 3, "secret": "hunter2"}
BODY = {"code": 3, "hint": "none"}

CONFIGS: dict[str, t.Any] = {
    "usual": {},
    "no-handlers": {"SIGNATURE_ERROR_HANDLERS": False},
    "pydantic1": {"SIGNATURE_ERROR_FORMAT": "pydantic1"},
    "problem": {"SIGNATURE_ERROR_FORMAT": "problem"},
    "fastapi": {"SIGNATURE_ERROR_FORMAT": "fastapi"},
    "own": {
        "SIGNATURE_ERROR_FORMAT": ErrorFormat(
            http_model=dict[str, str],
            http_builder=lambda error: {"says": str(error.description)},
        )
    },
    "without-init-app": None,
}


def shop(config: t.Any = None, **options: t.Any) -> Flask:
    app = Flask(__name__, **options)
    if config is not None:
        app.config.update(config)
        app.init_app()
    return app


@pytest.fixture
def app() -> Flask:
    return shop({})


def fail(value: t.Any = VALUE) -> t.Any:
    return abort(409, value)


def fail_now() -> None:
    fail()


def add_views(routes: t.Any, view: t.Any = fail_now) -> None:
    """Add a view whose status 409 has a model, and one whose status 409 has none."""
    routes.get("/known", endpoint="known", responses={409: Problem})(view)
    routes.get("/unknown", endpoint="unknown")(view)


@pytest.mark.parametrize("accept", ["*/*", "text/html"])
@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize(
    ("model", "value", "body"),
    [
        (Problem, VALUE, BODY),
        (Problem, Wide(code=3), BODY),
        (Problem, Plain(3, "hunter2"), BODY),
        (list[Problem], [VALUE, Wide(code=3)], [BODY, BODY]),
        (list[Problem], (VALUE,), [BODY]),
        (dict[str, Problem], {"first": Wide(code=3)}, {"first": BODY}),
    ],
    ids=["mapping", "model", "dataclass", "list", "tuple", "model-inside"],
)
def test_a_value_is_the_body_by_the_model_of_the_status(
    model, value, body, config, accept
):
    app = shop(config)
    app.get("/", responses={409: model})(lambda: fail(value))
    response = app.test_client().get("/", headers={"Accept": accept})

    assert (response.status_code, response.mimetype) == (409, "application/json")
    assert response.json == body


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize(
    ("value", "responses"),
    [
        (VALUE, {}),
        (VALUE, {404: Problem}),
        (Wide(code=3), {}),
        ([VALUE], {}),
        (Plain(3, "hunter2"), {}),
        ({"code": "x", "secret": "hunter2"}, {409: Problem}),
        ([VALUE], {409: Problem}),
    ],
    ids=["mapping", "other-status", "model", "list", "dataclass", "misfit", "shape"],
)
def test_a_value_without_a_model_is_an_error(value, responses, config, caplog):
    app = shop(config)
    app.get("/", responses=responses)(lambda: fail(value))
    response = app.test_client().get("/")

    assert response.status_code == 500
    assert "hunter2" not in response.text + caplog.text
    assert len(caplog.records) == 1


def test_the_log_says_how_a_value_is_declared(caplog, app, client):
    app.get("/items/<int:n>", endpoint="show")(lambda n: fail())

    assert client.get("/items/1").json == ERROR
    [message] = caplog.messages
    assert message.startswith(
        "GET /items/{n}: <lambda>() or a function around it gave abort() a 'dict' for"
        " status 409, which has no response model. Declare it with"
        " responses={409: ...}, or give abort() a string. ("
    )


@pytest.mark.parametrize("responses", [{}, {409: Problem}, [409]], ids=str)
def test_a_string_is_the_message_whatever_is_declared(responses, app, client):
    app.get("/", responses=responses)(lambda: fail("Taken."))

    assert client.get("/").json == {"message": "Taken."}


def of_the_class() -> t.Any:
    raise Conflict(description=VALUE)  # type: ignore[arg-type]


async def asynchronous() -> Item:
    return fail()


class AsynchronousMethod(MethodView):
    async def get(self) -> Item:
        return fail()


def generator() -> Iterator[int]:
    yield fail()


def of_a_dependency(n: int = Depends(generator, responses={409: Problem})) -> Item: ...


def by_annotation() -> Item | tuple[Problem, t.Literal[409]]:
    return fail()


def verify(token: str) -> str:
    return t.cast("str", fail())


def nothing() -> str:
    return ""


KNOWN = {"responses": {409: Problem}}

#: A view, and its options.
PLACES: dict[str, tuple[t.Any, dict[str, t.Any]]] = {
    "class": (of_the_class, KNOWN),
    "aborter": (lambda: current_app.aborter(409, VALUE), KNOWN),
    "async": (asynchronous, KNOWN),
    "method-view": (AsynchronousMethod.as_view("view"), KNOWN),
    "guard": (nothing, {**KNOWN, "dependencies": [fail_now]}),
    "dependency": (of_a_dependency, {}),
    "verify": (nothing, {**KNOWN, "security": HTTPBearer("token", verify=verify)}),
    "decorator": (nothing, {**KNOWN, "decorators": [lambda view: fail_now]}),
    "annotation": (by_annotation, {}),
    "4XX": (fail_now, {"responses": {"4XX": Problem}}),
}


@pytest.mark.parametrize("config", [{}, {"SIGNATURE_ERROR_HANDLERS": False}, None])
@pytest.mark.parametrize(("view", "options"), PLACES.values(), ids=PLACES)
def test_a_value_is_the_body_wherever_it_was_given(view, options, config):
    app = shop(config)
    app.add_url_rule("/", view_func=view, **options)
    response = app.test_client().get("/", headers={"Authorization": "Bearer x"})

    assert (response.status_code, response.json) == (409, BODY)


def test_a_model_may_be_that_of_a_blueprint_or_the_application():
    inner = Blueprint("inner", __name__, responses={409: Problem})
    inner.get("/inner", endpoint="inner")(lambda: fail())
    app = shop({}, responses={409: Problem})
    app.get("/app", endpoint="app")(lambda: fail())
    app.register_blueprint(inner)

    client = app.test_client()
    assert client.get("/app").json == client.get("/inner").json == BODY


def test_headers_of_the_error_are_kept(app, client):
    @app.get("/", responses={503: Problem})
    def show() -> Item:
        raise ServiceUnavailable(VALUE, retry_after=30)  # type: ignore[arg-type]

    response = client.get("/")
    assert (response.status_code, response.json) == (503, BODY)
    assert response.headers["Retry-After"] == "30"


def test_a_before_request_function_has_the_model_of_the_operation(app, client):
    app.before_request(fail_now)
    add_views(app, nothing)

    assert client.get("/known").json == BODY
    assert client.get("/unknown").json == client.get("/nowhere").json == ERROR


def test_generators_are_given_the_error_itself(app, client):
    seen: list[object] = []

    def session() -> Iterator[int]:
        try:
            yield 1
        except Conflict as error:
            seen.append(error.description)
            raise

    @app.get("/", responses={409: Problem})
    def show(n: int = Depends(session)) -> Item:
        return fail()

    assert client.get("/").json == BODY
    assert seen == [VALUE]


def test_a_handler_of_the_author_has_the_value(app, client):
    add_views(app)

    @app.errorhandler(409)
    def explain(error):
        return {"own": error.description["code"]}, 409

    assert client.get("/known").json == client.get("/unknown").json == {"own": 3}


@pytest.mark.parametrize("make", [Flask, flask.Flask])
def test_a_handler_that_goes_on_sends_the_body(make):
    app, bp = make(__name__), Blueprint("bp", __name__)
    app.errorhandler(HTTPException)(error_response)
    add_views(bp)
    app.register_blueprint(bp)

    client = app.test_client()
    assert client.get("/known").json == BODY
    assert client.get("/unknown").json == ERROR


def test_an_error_that_a_handler_makes_is_as_it_makes_it(app, client):
    app.get("/")(lambda: 1 / 0)

    @app.errorhandler(ZeroDivisionError)
    def explain(error):
        return error_response(Conflict({"left": 0}))

    assert client.get("/").json == {"message": {"left": 0}}


def test_errors_of_plain_views_are_flasks():
    app, plain = shop({}), flask.Blueprint("plain", __name__)
    plain.add_url_rule("/", "fail", fail)
    app.register_blueprint(plain)

    response = app.test_client().get("/")
    assert (response.status_code, response.mimetype) == (409, "text/html")


@pytest.mark.parametrize("accept", ["*/*", "text/html"])
@pytest.mark.parametrize(
    ("value", "body"),
    [
        ({"message": "Log in.", "secret": 1}, {"message": "Log in."}),
        ({"left": 0}, {"message": {"left": 0}}),
    ],
)
def test_a_value_for_the_standard_error_is_one_or_its_message(
    value, body, accept, app, client
):
    app.get("/", responses=[409])(lambda: fail(value))

    response = client.get("/", headers={"Accept": accept})
    assert (response.status_code, response.json) == (409, body)


class Denied(BaseModel):
    says: str


DENIED = ErrorFormat(
    media_type="application/vnd.api+json",
    http_model=Denied,
    http_builder=lambda error: Denied(says=error.name),
)
PROBLEM = {"type": "about:blank", "title": "No", "status": 401}

RETURNED: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "usual": ("pydantic2", {"message": "m", "secret": 1}, {"message": "m"}),
    "pydantic1": ("pydantic1", {"message": "m", "secret": 1}, {"message": "m"}),
    "problem": ("problem", PROBLEM, PROBLEM),
    "fastapi": ("fastapi", {"detail": "m", "secret": 1}, {"detail": "m"}),
    "own": (DENIED, {"says": "m", "secret": 1}, {"says": "m"}),
}


@pytest.mark.parametrize(("own", "value", "body"), RETURNED.values(), ids=RETURNED)
@pytest.mark.parametrize("annotation", [t.Any, Item], ids=str)
@pytest.mark.parametrize("is_late", [False, True])
def test_what_is_returned_for_the_standard_error_is_filtered(
    own, value, body, annotation, is_late
):
    def show():
        return value, 401, {"X-A": "1"}

    show.__annotations__ = {"return": annotation}
    app = shop()
    app.config["SIGNATURE_ERROR_FORMAT"] = own
    if not is_late:
        app.init_app()
    app.get("/", responses=[401])(show)
    if is_late:
        app.init_app()

    response = app.test_client().get("/")

    assert (response.status_code, response.json) == (401, body)
    assert response.content_type == getattr(own, "media_type", None) or (
        "application/problem+json" if own == "problem" else "application/json"
    )
    assert response.headers["X-A"] == "1"


def test_what_is_no_standard_error_is_not_returned(app, client):
    app.get("/wrong", endpoint="wrong", responses=[401])(lambda: ({"a": 1}, 401))
    app.get("/words", endpoint="words", responses=[401])(lambda: ("Log in.", 401))
    app.get("/model", endpoint="model", responses=[401])(
        lambda: (HTTPErrorMessage(message="m"), 401)
    )

    assert client.get("/wrong").json == ERROR
    words = client.get("/words")
    assert (words.status_code, words.text) == (401, "Log in.")
    assert client.get("/model").json == {"message": "m"}


def test_the_standard_error_of_a_blueprint_filters_too():
    app, bp = flask.Flask(__name__), Blueprint("bp", __name__, responses=[401])
    bp.get("/")(lambda: ({"message": "m", "secret": 1}, 401))
    app.register_blueprint(bp)

    response = app.test_client().get("/")
    assert (response.status_code, response.json) == (401, {"message": "m"})
