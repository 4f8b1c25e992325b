"""What the inbound tests share: a view behind a client, and reading a refusal."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping

from flask.testing import FlaskClient
from pydantic_core import ValidationError, to_jsonable_python
from pydantic_core.core_schema import ErrorType
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse

from flask_signature import Flask

#: What a refused request says of one value: its place and the kind of error.
Refusal: t.TypeAlias = "tuple[list[str | int], str]"

KNOWN_TYPES = frozenset(t.get_args(ErrorType))


def client_of(
    view: Callable[..., t.Any],
    rule: str = "/",
    method: str = "GET",
    *,
    config: Mapping[str, t.Any] | None = None,
    **options: t.Any,
) -> FlaskClient:
    """A client, which keeps no cookies, of an application with one view.

    The application is not in testing mode, so that an exception is a 500 and not a
    failure of the test itself: it shows in the log that pytest prints.

    :param config: of the application, ``None`` to leave out ``init_app()``.
    """
    app = Flask(__name__)
    app.route(rule, methods=[method], **options)(view)
    if config is not None:
        app.config.update(config)
        app.init_app()
    return app.test_client(use_cookies=False)


def shown(value: t.Any) -> t.Any:
    """A value that a view was given, as JSON can say it; a file is its content."""
    return to_jsonable_python(value, fallback=_show, serialize_unknown=True)


def _show(value: t.Any) -> t.Any:
    if isinstance(value, FileStorage):
        return value.read().decode()
    return repr(value)


def echo(**arguments: t.Any) -> dict[str, t.Any]:
    """What a view answers to show its arguments."""
    return {name: shown(value) for name, value in arguments.items()}


def taking(
    annotation: t.Any, default: t.Any = ..., *, given: list[t.Any] | None = None
) -> Callable[..., t.Any]:
    """A view with one argument ``x``, which it shows.

    :param given: gets each value of the argument, which is then not shown.
    """

    def view(x):
        if given is None:
            return echo(x=x)
        given.append(x)
        return {}

    view.__annotations__ = {"x": annotation}
    view.__defaults__ = None if default is ... else (default,)
    return view


def post_json(annotation: t.Any, body: str | bytes) -> t.Any:
    """The value that a view is given for a body, its refusals, or another status."""
    given: list[t.Any] = []
    client = client_of(taking(annotation, given=given), "/", "POST")
    response = client.post("/", data=body, content_type="application/json")
    if response.status_code == 422:
        return refusals(response)
    return given[0] if response.status_code == 201 else response.status_code


def refusals(response: TestResponse) -> list[Refusal]:
    """The places and kinds of a 422, whose shape and messages are Pydantic's."""
    assert response.status_code == 422, response.text
    assert response.mimetype == "application/json"
    body = response.get_json()
    assert set(body) == {"detail"}
    for entry in body["detail"]:
        assert {"loc", "msg", "type"} <= set(entry) <= {"loc", "msg", "type", "ctx"}
        # Some types are validated by Python code, whose messages are its own.
        assert entry["msg"]
        if entry["type"] in KNOWN_TYPES:
            assert entry["msg"] == pydantic_says(entry)
    return [(entry["loc"], entry["type"]) for entry in body["detail"]]


def check_problem(
    response: TestResponse, status: int, title: str, members: Mapping[str, t.Any]
) -> None:
    """Assert that an error is a problem of RFC 9457 with these members."""
    assert response.status_code == status
    assert response.content_type == "application/problem+json"
    standard = {"type": "about:blank", "title": title, "status": status}
    assert response.json == {**standard, **members}


def pydantic_says(entry: dict[str, t.Any]) -> str:
    """Pydantic's message for an error of this type and context."""
    ctx = dict(entry.get("ctx") or {})
    if "error" in ctx and entry["type"] in ("value_error", "assertion_error"):
        ctx["error"] = ValueError(ctx["error"])
    # The tag is what the client sent, and is not repeated.
    if entry["type"] == "union_tag_invalid":
        ctx["tag"] = "TAG"
    line = {"type": entry["type"], "loc": (), "input": None, "ctx": ctx}
    input_type = "json" if entry["loc"][0] == "body" else "python"
    error = ValidationError.from_exception_data("", [line], input_type=input_type)
    return error.errors()[0]["msg"].replace("'TAG' ", "")


def message_of(response: TestResponse) -> tuple[int, str]:
    """The status of an error, and the message that is all that its body has."""
    body = response.get_json()
    assert list(body) == ["message"]
    return response.status_code, body["message"]
