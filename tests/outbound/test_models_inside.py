"""A model in a dict or a list that no response model describes."""

from __future__ import annotations

import dataclasses
import datetime
import re
import typing as t
from collections.abc import Mapping

import flask
import pytest
from client import client_of
from flask import make_response
from pydantic import BaseModel, Field, SecretStr
from returned import cases, check_failed, place_of, returning, through, view_of

from flask_signature import Blueprint, Flask


def message_of(view: t.Any, kind: str, tp: str) -> str:
    """What the log has of a model in a value.

    :param kind: of the value.
    :param tp: how its author is to annotate it.
    """
    return (
        f"GET /: show() returned 'Item' in a {kind}, but has no response model."
        f" Annotate it '-> {tp}', or give response_model={tp}. {place_of(view)}"
    )


class Item(BaseModel):
    name: str = Field("a", serialization_alias="fullName")
    day: datetime.date = datetime.date(2020, 1, 1)
    key: SecretStr = SecretStr("hunter2")


SENT = {"fullName": "a", "day": "2020-01-01", "key": "**********"}

ONE = {"item": Item()}

#: An annotation, a value, options of the route, and what the message says of the value.
VALUES: dict[str, tuple[t.Any, t.Any, dict[str, t.Any], str, str]] = {
    "dict": (..., ONE, {}, "dict", "dict[str, Any]"),
    "list": (..., [Item()], {}, "list", "list[Item]"),
    "others": (..., [Item(), 1], {}, "list", "list[Any]"),
    "deep": (..., {"a": [1, {"b": (Item(),)}]}, {}, "dict", "dict[str, Any]"),
    "status": (..., (ONE, 202), {}, "dict", "dict[str, Any]"),
    "headers": (..., ([Item()], {"X-A": "b"}), {}, "list", "list[Item]"),
    **{
        f"option-{name}": (..., ONE, {name: value}, "dict", "dict[str, Any]")
        for name, value in {
            "media_type": "application/geo+json",
            "status_code": 203,
            "etag": True,
        }.items()
    },
    # What does not say that any item may be there lets none out.
    **{
        f"annotation-{tp}": (tp, ONE, {}, "dict", "dict[str, Any]")
        for tp in (dict, dict[str, object], t.Any)
    },
}


@pytest.mark.parametrize("mode", ["", "TESTING", "DEBUG", "PROPAGATE_EXCEPTIONS"])
@cases("annotation value options kind tp", VALUES)
def test_model_inside_gets_the_message_of_a_lone_one(
    annotation, value, options, kind, tp, mode, caplog
):
    view = view_of(annotation, value)
    client = client_of(view, **options)
    if mode:
        client.application.config[mode] = True

    check_failed(client.get("/"), caplog, message_of(view, kind, tp))


@pytest.mark.parametrize("annotation", [..., dict[str, t.Any]], ids=str)
def test_response_model_none_lets_none_out(annotation, caplog):
    view = view_of(annotation, {"item": Item()})

    message = (
        "GET /: show() returned 'Item' in a dict, but response_model=None leaves out"
        f" response models. Remove it, or return model_dump(). {place_of(view)}"
    )
    check_failed(client_of(view, response_model=None).get("/"), caplog, message)


ENDLESS: dict[str, t.Any] = {"unknown": object()}
ENDLESS["child"] = [ENDLESS]


@pytest.mark.parametrize(
    ("value", "errors", "said"),
    [
        ({"item": object()}, TypeError, "Object of type object is not JSON"),
        (ENDLESS, (TypeError, ValueError), None),
    ],
    ids=["unknown", "endless"],
)
def test_value_without_a_model_fails_as_in_flask(value, errors, said):
    client = client_of(view_of(..., value))
    client.application.testing = True
    with pytest.raises(errors, match=said):
        client.get("/")


@dataclasses.dataclass
class Wrapper:
    item: t.Any


def test_provider_that_writes_models_is_left_alone():
    class Provider(flask.json.provider.DefaultJSONProvider):
        @staticmethod
        def default(o: t.Any) -> t.Any:
            return o.name

    class Own(Flask):
        json_provider_class = Provider

    app = Own(__name__)
    app.get("/")(lambda: {"item": Item()})

    assert app.test_client().get("/").json == {"item": "a"}


OPEN: dict[str, tuple[t.Any, t.Any]] = {
    "dict-of-any": (dict[str, t.Any], {"item": Item()}),
    "more": (dict[t.Any, t.Any], {"item": Item(), "items": [Item()]}),
    "mapping": (Mapping[str, t.Any], {"item": Item()}),
    "list-of-any": (list[t.Any], [[Item()], Wrapper(Item())]),
    "beside-a-response": (dict[str, t.Any] | flask.Response, {"item": Item()}),
    "two": (dict[str, t.Any] | list[t.Any], [Item()]),
    "with-a-status": (tuple[dict[str, t.Any], int], ({"item": Item()}, 202)),
    "with-a-date": (
        dict[str, t.Any],
        {"z": datetime.datetime(2020, 1, 1), "a": {"item": Item()}},
    ),
}


@pytest.mark.parametrize(("annotation", "value"), OPEN.values(), ids=OPEN)
@pytest.mark.parametrize("options", [{}, {"status_code": 203}, {"etag": True}], ids=str)
def test_annotation_of_anything_lets_models_out(annotation, value, options):
    model = dict[t.Any, t.Any] | list[t.Any]
    found = returning(annotation, value, **options)
    expected = returning(annotation, value, response_model=model, **options)

    assert found.status_code == expected.status_code
    assert found.status_code in (200, 202, 203)
    assert found.data == expected.data
    # A response with an entity tag says when it was made.
    names = {*found.headers.keys(), *expected.headers.keys()} - {"Date"}
    assert {name: found.headers.get(name) for name in names} == {
        name: expected.headers.get(name) for name in names
    }


def test_options_of_a_model_hold_for_the_models_inside():
    options = {"response_model_exclude": {"item": {"day", "key"}}}
    response = returning(dict[str, t.Any], {"item": Item()}, **options)
    assert response.json == {"item": {"fullName": "a"}}


def test_without_a_model_inside_the_json_is_flasks():
    view = view_of(dict[str, t.Any], {"z": 1, "a": datetime.date(2020, 1, 1)})
    app, plain = Flask(__name__), flask.Flask(__name__)
    answers = []
    for one in (app, plain):
        one.get("/")(view)
        answers.append(one.test_client().get("/"))

    assert answers[0].data == answers[1].data
    assert dict(answers[0].headers) == dict(answers[1].headers)
    assert app.view_functions["show"] is view


@pytest.mark.parametrize("testing", [False, True])
def test_what_cannot_be_written_beside_a_model_is_a_failed_response(testing, caplog):
    view = view_of(dict[str, t.Any], {"item": Item(), "other": object()})
    client = client_of(view)
    client.application.testing = testing

    message = (
        "GET /: show() returned what can't be written as JSON:"
        f" PydanticSerializationError {place_of(view)}"
    )
    check_failed(client.get("/"), caplog, message)


def test_annotation_does_not_hold_for_an_error_handler(caplog):
    def show() -> dict[str, t.Any]:
        raise LookupError

    def handle(error):
        return {"item": Item()}

    client = client_of(show)
    client.application.register_error_handler(LookupError, handle)

    message = (
        "GET /: an error handler returned 'Item' in a dict, for which there is no"
        " response model. Only a view can declare one: elsewhere, return model_dump()"
        " or a Response."
    )
    check_failed(client.get("/"), caplog, message)


def test_annotation_does_not_hold_for_an_error(caplog):
    view = view_of(tuple[dict[str, t.Any], int], ({"item": Item()}, 404))

    message = (
        "GET /: show() returned 'Item' in a dict with status 404, which has no response"
        f" model. Declare it with responses={{404: dict[str, Any]}}. {place_of(view)}"
    )
    check_failed(client_of(view).get("/"), caplog, message)


@pytest.mark.parametrize("value", [{"item": Item()}, [Item()], [Item(), 1]], ids=str)
@pytest.mark.parametrize("status", [200, 404])
def test_what_the_message_says_to_write_is_sent(status, value, caplog):
    returning(..., (value, status))
    (written,) = re.findall(r"(\w+\[[^']*\])[.}]", caplog.messages[0])
    tp = eval(written, {"Any": t.Any, "Item": Item})
    options = {"responses": {404: tp}} if status == 404 else {"response_model": tp}

    assert returning(..., (value, status), **options).status_code == status


def test_view_with_another_model_is_not_blamed_alone(caplog):
    view = view_of(..., {"item": Item()})
    options = {"responses": {404: Item}, "decorators": [lambda view: view]}

    message = (
        "GET /: show() or a decorator returned 'Item' in a dict, for which there is no"
        " response model. Only a view can declare one: elsewhere, return model_dump()"
        f" or a Response. {place_of(view)}"
    )
    check_failed(client_of(view, **options).get("/"), caplog, message)


def test_decorator_of_the_route_makes_the_response():
    decorators = [through(make_response)]
    response = returning(dict[str, t.Any], {"item": Item()}, decorators=decorators)
    assert response.json == {"item": SENT}


def test_blueprint_on_a_plain_application_leaves_them_to_flask():
    app, blueprint = flask.Flask(__name__), Blueprint("items", __name__)
    app.testing = True
    blueprint.get("/")(view_of(dict[str, t.Any], {"item": Item()}))
    app.register_blueprint(blueprint)

    with pytest.raises(TypeError, match="is not JSON serializable"):
        app.test_client().get("/")
