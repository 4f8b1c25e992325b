"""The session of an application without a key is the one that plain Flask makes."""

from __future__ import annotations

import typing as t

import flask
import pytest
from flask.sessions import NullSession, SecureCookieSessionInterface
from patches import Fast, environ, send

if t.TYPE_CHECKING:
    from collections.abc import Callable

    #: Changes a class of Flask or an application.
    Change = Callable[[pytest.MonkeyPatch, flask.Flask], None]


class OtherSession(NullSession):
    """One that an application may prefer."""

    other = True


def answers(cls: type[flask.Flask], change: Change | None = None) -> t.Any:
    """What the second request is told of its session, and what is sent."""
    app = cls("without-key")
    seen: list[t.Any] = []

    @app.get("/")
    def view() -> str:
        # Documented by Werkzeug for LocalProxy, in spite of its name.
        session = flask.session._get_current_object()
        seen.append((type(session), vars(session).keys()))
        with pytest.raises(RuntimeError) as raised:
            session.clear()
        return str(raised.value)

    with pytest.MonkeyPatch.context() as patch:
        send(app, environ("/"))
        if change is not None:
            change(patch, app)
        sent = send(app, environ("/"))
    return seen, sent[0], sent[2]


def test_session_is_that_of_flask():
    assert answers(Fast) == answers(flask.Flask)


def prefer(patch: pytest.MonkeyPatch, owner: t.Any) -> None:
    patch.setattr(owner, "null_session_class", OtherSession)


def make(patch: pytest.MonkeyPatch, owner: t.Any) -> None:
    patch.setattr(owner, "make_null_session", lambda app: OtherSession())


#: What is replaced otherwise than in ``test_originals.py``.
CHANGES: t.Final[dict[str, Change]] = {
    "own-method": lambda patch, app: make(patch, app.session_interface),
    "class": lambda patch, app: prefer(patch, SecureCookieSessionInterface),
    "own-class": lambda patch, app: prefer(patch, app.session_interface),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_makes_a_session_is_replaced(change):
    expected = answers(flask.Flask, change)

    assert answers(Fast, change) == expected
    assert expected != answers(flask.Flask)
