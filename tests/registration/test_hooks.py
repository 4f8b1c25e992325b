"""Functions that Flask calls around views are not parsed, and say so."""

from __future__ import annotations

import functools
import inspect
import typing as t
from typing import Annotated
from unittest.mock import Mock

import flask
import pytest
from messages import message_of, place_of
from werkzeug.exceptions import NotFound

import flask_signature
from flask_signature import (
    Blueprint,
    Body,
    Cookie,
    Depends,
    File,
    Flask,
    Form,
    Header,
    Path,
    Query,
    SignatureError,
)
from flask_signature.security import HTTPBearer

if t.TYPE_CHECKING:
    from decimal import Decimal

SHARED = [
    *("before_request", "after_request", "teardown_request", "context_processor"),
    *("url_value_preprocessor", "url_defaults"),
    *("errorhandler", "register_error_handler"),
]
OF_BLUEPRINTS = [
    *("before_app_request", "after_app_request", "teardown_app_request"),
    *("app_context_processor", "app_url_value_preprocessor", "app_url_defaults"),
    "app_errorhandler",
]
METHODS = {
    **{f"app.{name}": (Flask, name) for name in [*SHARED, "teardown_appcontext"]},
    **{f"bp.{name}": (Blueprint, name) for name in [*SHARED, *OF_BLUEPRINTS]},
}
EACH_METHOD = pytest.mark.parametrize(("cls", "name"), METHODS.values(), ids=METHODS)


def made(cls: type) -> t.Any:
    return cls("shop", __name__) if issubclass(cls, flask.Blueprint) else cls("shop")


def register(owner: t.Any, name: str, hook: t.Any) -> t.Any:
    method = getattr(owner, name)
    if name.endswith("errorhandler"):
        return method(404)(hook)
    return method(404, hook) if name == "register_error_handler" else method(hook)


def refusal_of(name: str, hook: t.Any, cls: type = Flask) -> str:
    return message_of(lambda: register(made(cls), name, hook))


ADVICE = (
    "but Flask calls it as it is: only views are parsed. Read flask.request there, or"
    " give the function to dependencies= of the application or the blueprint."
)


@EACH_METHOD
def test_a_hook_with_a_special_function_is_refused(cls, name):
    def stamp(response, token=Header("")):
        return response

    assert refusal_of(name, stamp, cls) == (
        f"stamp() declares 'token' with Header(), {ADVICE} {place_of(stamp)}"
    )


@EACH_METHOD
def test_a_hook_without_one_is_registered_as_it_is(cls, name):
    def stamp(response, token="", *args, size: Decimal = 1, **kwargs):
        return response

    owner = made(cls)

    assert register(owner, name, stamp) in (stamp, None)
    register(owner, name, Mock(return_value=None))
    with pytest.raises(SignatureError):
        register(owner, name, lambda x=Query(): x)


SOURCES = {
    "path": (Path(), "Path()"),
    "query": (Query(1, ge=1), "Query()"),
    "cookie": (Cookie(), "Cookie()"),
    "body": (Body(), "Body()"),
    "form": (Form(), "Form()"),
    "file": (File(), "File()"),
    "not-called": (Query, "Query"),
    "dependency": (Depends(list), "Depends()"),
    "dependency-not-called": (Depends, "Depends"),
    "scheme": (HTTPBearer("token"), "HTTPBearer('token')"),
}


@pytest.mark.parametrize(("default", "shown"), SOURCES.values(), ids=SOURCES)
def test_a_marker_is_found_as_a_default_and_in_an_annotation(default, shown):
    def load(*, x=default): ...

    def load_annotated(x: Annotated[int, default]): ...

    load_annotated.__annotations__["x"] = Annotated[int, default]
    for hook in (load, load_annotated):
        assert f"declares 'x' with {shown}, {ADVICE}" in refusal_of(
            "before_request", hook
        )


Page = Annotated[int, Query()]


def aliased(page: Page = 1): ...
def inside(page: list[Page] | None = None): ...
def beside(error: Decimal, page: Annotated[int, Query] = 1): ...


class Loader:
    def __call__(self, x=Query()): ...

    def load(self, x=Query()): ...


@functools.wraps(aliased)
def wrapped(*args, **kwargs): ...


HOOKS = {
    "alias": aliased,
    "inside": inside,
    "beside-an-unknown-name": beside,
    "object": Loader(),
    "method": Loader().load,
    "wrapped": wrapped,
    "partial": functools.partial(aliased),
}


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_a_special_function_is_found_wherever_it_is(hook):
    assert "only views are parsed" in refusal_of("before_request", hook)


def test_an_argument_that_is_decided_is_let_through(app, client):
    app.before_request(functools.partial(aliased, page=2))
    app.register_error_handler(f=lambda error: ("gone", 410), code_or_exception=404)
    app.register_error_handler(NotFound, NotFound.get_response)

    assert client.get("/").status_code in (404, 410)


@EACH_METHOD
def test_a_method_has_the_help_and_the_signature_of_flask(cls, name):
    theirs = flask.Flask if cls is Flask else flask.Blueprint
    ours, original = getattr(cls, name), getattr(theirs, name)

    assert inspect.signature(ours) == inspect.signature(original)
    assert ours.__name__ == name
    if name != "register_error_handler" or cls is Blueprint:
        assert inspect.getdoc(ours) == inspect.getdoc(original)


def test_a_hook_comes_too_late_after_the_first_request(app, client):
    app.get("/")(lambda: "x")
    client.get("/")

    with pytest.raises(AssertionError, match="setup method 'before_request' can no"):
        app.before_request(lambda: None)


def test_a_method_that_is_replaced_on_the_class_of_flask_is_called(monkeypatch):
    called = []
    original = flask.Flask.before_request

    def before_request(self, f):
        called.append(f)
        return original(self, f)

    monkeypatch.setattr(flask.Flask, "before_request", before_request)
    hook = flask_signature.Flask("shop").before_request(lambda: None)

    assert called == [hook]


def test_a_subclass_may_override_a_method():
    class Shop(Flask):
        def before_request(self, f):
            return super().before_request(f)

    assert "aliased() declares 'page'" in refusal_of("before_request", aliased, Shop)
