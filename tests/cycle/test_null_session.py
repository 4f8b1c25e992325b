"""The session of an application without a key is the one that plain Flask makes."""

from __future__ import annotations

import typing as t

import flask
import pytest
from flask.sessions import NullSession, SecureCookieSessionInterface
from patches import Fast, environ, send

if t.TYPE_CHECKING:
    from collections.abc import Callable

    #: Changes a class of Flask or an application, and says when it is called.
    Change = Callable[[pytest.MonkeyPatch, flask.Flask, list[str]], None]


class OtherSession(NullSession):
    """One that an application may prefer."""

    other = True


def describe(session: t.Any) -> t.Any:
    """What is known of a session, and what it does when it is used."""
    known = {
        "class": type(session),
        "attributes": vars(session).keys(),
        "items": dict(session),
        "flags": (session.modified, session.accessed, session.new, session.permanent),
        "on_update": session.on_update.__qualname__,
        "read": session.get("visits"),
    }
    messages = []
    for use in (session.clear, lambda: session.update(visits=1), session.popitem):
        with pytest.raises(RuntimeError) as raised:
            use()
        messages.append(str(raised.value))
    return known, messages, vars(session).keys()


def answers(cls: type[flask.Flask], change: Change | None = None) -> t.Any:
    """What the second request is told of its session, and what was called for it."""
    app = cls("without-key")
    seen: list[t.Any] = []
    called: list[str] = []

    @app.get("/")
    def view() -> str:
        # Documented by Werkzeug for LocalProxy, in spite of its name.
        seen.append(describe(flask.session._get_current_object()))
        return "text"

    with pytest.MonkeyPatch.context() as patch:
        send(app, environ("/"))
        if change is not None:
            change(patch, app, called)
        sent = send(app, environ("/"))
    return seen, sent[0], called


def test_session_is_that_of_flask():
    assert answers(Fast) == answers(flask.Flask)


def recording(find: Callable[[flask.Flask], t.Any], name: str) -> Change:
    """A change of a method, which says when it is called.

    :param find: the class or the instance that it is replaced on.
    """

    def change(patch, app, called):
        owner = find(app)
        method = getattr(owner, name)

        def record(*args, **options):
            called.append(name)
            return method(*args, **options)

        patch.setattr(owner, name, record)

    return change


def preferring(find: Callable[[flask.Flask], t.Any]) -> Change:
    """A change of the class of the sessions.

    :param find: the class or the instance that names it.
    """
    return lambda patch, app, called: patch.setattr(
        find(app), "null_session_class", OtherSession
    )


CHANGES: t.Final[dict[str, Change]] = {
    "method": recording(lambda app: SecureCookieSessionInterface, "make_null_session"),
    "own-method": recording(lambda app: app.session_interface, "make_null_session"),
    "constructor": recording(lambda app: NullSession, "__init__"),
    "class": preferring(lambda app: SecureCookieSessionInterface),
    "own-class": preferring(lambda app: app.session_interface),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_makes_a_session_is_replaced(change):
    expected = answers(flask.Flask, change)

    assert answers(Fast, change) == expected
    assert expected != answers(flask.Flask)
