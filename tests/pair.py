"""One program on Flask's classes and on ours: what both answer must be the same."""

from __future__ import annotations

import re
import typing as t

import flask

from flask_signature import Blueprint, Flask

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.test import TestResponse

#: What differs from one answer of a program to its next.
LEFT_OUT = {"Date", "Set-Cookie"}
CSRF_TOKEN = re.compile('(?<="csrf_token":")[^"]+')


class Classes(t.NamedTuple):
    """The classes that a program is made of."""

    app: type[flask.Flask]
    blueprint: type[flask.Blueprint]


PLAIN = Classes(flask.Flask, flask.Blueprint)
OURS = {
    "our-classes": Classes(Flask, Blueprint),
    "our-application": Classes(Flask, flask.Blueprint),
}


def whole(response: TestResponse) -> dict[str, t.Any]:
    """All of an answer that can be compared: status, headers and body."""
    cookies = response.headers.getlist("Set-Cookie")
    headers = [(k, v) for k, v in response.headers if k not in LEFT_OUT]
    return {
        "status": response.status,
        "headers": sorted(without_negotiation(response.status, headers)),
        "cookies": sorted(line.partition("=")[0] for line in cookies),
        "body": CSRF_TOKEN.sub("...", response.text),
    }


def without_negotiation(
    status: str, headers: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Headers without what says that an error is JSON for clients that prefer it."""
    if status[0] not in "45":
        return headers
    return [
        (name, value.removeprefix("Accept, "))
        for name, value in headers
        if (name, value) != ("Vary", "Accept")
    ]


class Pair:
    """The clients of a program on Flask's classes, and of the same program on ours.

    Ours has a typed view beside the rest, at ``/typed``, and has been told the end of
    its configuration.
    """

    def __init__(
        self, make: Callable[[Classes], flask.Flask], classes: Classes
    ) -> None:
        app = t.cast("Flask", make(classes))
        typed = Blueprint("typed", __name__)
        typed.get("/typed")(square)
        app.register_blueprint(typed)
        app.init_app()
        self.plain = make(PLAIN).test_client()
        self.ours = app.test_client()

    def open(self, path: str, **options: t.Any) -> TestResponse:
        """What both answer, which is the same."""
        # Read at once, since a stream may hold the context of its request.
        ours = self.ours.open(path, buffered=True, **options)
        plain = self.plain.open(path, buffered=True, **options)
        assert whole(ours) == whole(plain), f"{whole(ours)} is not {whole(plain)}"
        return ours

    def described(self) -> list[str]:
        """The paths that our application describes, the typed view's aside."""
        document = self.ours.get("/openapi.json").json or {}
        return sorted({*document["paths"]} - {"/typed"})


def square(n: int) -> dict[str, int]:
    """A typed view beside those of an extension."""
    return {"square": n * n}
