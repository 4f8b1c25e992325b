"""Programs whose responses once differed from those of plain Flask."""

from __future__ import annotations

import typing as t

import flask
from flask.sessions import SecureCookieSessionInterface
from patches import Fast
from patches import environ
from patches import make_app
from patches import send

if t.TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    #: What is sent, by an application that has had its first request.
    Program = Callable[[flask.Flask], t.Any]


def check(program: Program) -> t.Any:
    """Compare what a program returns on plain Flask with the same on ours.

    :return: that of plain Flask.
    """
    results = []
    for base in (flask.Flask, Fast):
        app = make_app(base)
        send(app, environ("/"))
        results.append(program(app))
    assert results[1] == results[0]
    return results[0]


def test_session_that_could_not_be_opened_is_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    saved: list[t.Any] = []

    def open_session(*args: t.Any) -> t.Any:
        raise LookupError("no session")

    monkeypatch.setattr(
        SecureCookieSessionInterface,
        "save_session",
        lambda interface, app, session, response: saved.append(session),
    )
    monkeypatch.setattr(SecureCookieSessionInterface, "open_session", open_session)

    def program(app: flask.Flask) -> t.Any:
        saved.clear()
        return send(app, environ("/items/3/")), [*saved]

    check(program)
