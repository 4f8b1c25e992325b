"""Each row of the table of methods, replaced between two requests, is seen.

The table names what the cycle does in another way, or leaves out. What takes the place
of a method is called as often as it is by plain Flask.
"""

from __future__ import annotations

import typing as t

import flask
import pytest
from called import called_of_cycle
from patches import (
    DIFFERENT,
    Fast,
    defining_class,
    environ,
    function_around,
    make_app,
    replaced,
    send,
)

import flask_signature
from flask_signature._cycle.cycle import ORIGINALS, ROWS_WITH_KEY
from flask_signature._http.json import WRITING
from flask_signature._http.originals import compile_question

if t.TYPE_CHECKING:
    from flask_signature._http.originals import Original

PACKAGE: t.Final = flask_signature.__name__

ALL: t.Final = [*ORIGINALS, *ROWS_WITH_KEY, *WRITING]
OF_METHODS: t.Final = [
    row for row in ALL if callable(row[2]) and row[1][-5:] != "class"
]
OF_ATTRIBUTES: t.Final = [row for row in ALL if row not in OF_METHODS]


def parametrize(rows: list[Original]) -> pytest.MarkDecorator:
    names = [(owner.__name__ if owner else "class", name) for owner, name, _ in rows]
    return pytest.mark.parametrize("row", rows, ids=[".".join(pair) for pair in names])


def make_program(cls: type[flask.Flask]) -> flask.Flask:
    """The program of ``patches`` with what calls the other methods."""
    app = make_app(cls)

    @app.get("/second")
    @app.get("/first")
    def both() -> t.Any:
        return {"size": len(flask.session)}

    @app.get("/null")
    def null() -> str:
        app.secret_key = None
        return "no session for the next request"

    for path in ("/", "/second", "/items/3/"):
        send(app, environ(path))
    return app


def owner_of(row: Original, app: flask.Flask) -> type:
    """The class that a method is replaced on: that which defines it, if it is named."""
    owner, name, _ = row
    if owner is None:
        return type(app.json) if name in ("dumps", "response") else type(app)
    return defining_class(owner, name) if name in dir(owner) else owner


def send_all(app: flask.Flask) -> None:
    """Send requests with a session, without one and without a key."""
    for path in ("/", "/second", "/items/3/", "/null", "/second"):
        send(app, environ(path))


def count_calls(row: Original, cls: type[flask.Flask]) -> int:
    """How often the requests call a method that was replaced."""
    app, counts = make_program(cls), [0]
    owner = owner_of(row, app)

    def count() -> None:
        counts[0] += 1

    with replaced(owner, row[1], function_around(getattr(owner, row[1]), count)):
        send_all(app)
    return counts[0]


@parametrize(OF_METHODS)
def test_method_is_called(row):
    owner, name, _ = row
    calls = count_calls(row, Fast)

    assert calls > 0
    if owner is None or not owner_of(row, Fast("x")).__module__.startswith(PACKAGE):
        # A signer is made once.
        is_different = (owner and owner.__name__, name) in DIFFERENT or name == "dumps"
        assert is_different or calls == count_calls(row, flask.Flask)


@parametrize(OF_ATTRIBUTES)
def test_request_is_that_of_flask(row):
    app = make_program(Fast)
    other = type("Other", (), {}) if isinstance(row[2], type) else object()
    assert ("cycle.py", "_respond_to") in called_of_cycle(app)

    with replaced(owner_of(row, app), row[1], other):
        assert ("cycle.py", "_respond_to") not in called_of_cycle(app)


def look_at_subclasses(cls: type) -> None:
    """Look up attributes of all classes that inherit from one, as a debugger does."""
    for subclass in type.__subclasses__(cls):
        assert subclass.__name__ in repr(subclass)
        assert not hasattr(subclass, "no_such_attribute")
        look_at_subclasses(subclass)


@parametrize([row for row in ORIGINALS if row in OF_METHODS and row[0] is not None])
def test_method_is_seen_when_someone_has_looked_at_the_classes(row):
    app = make_program(Fast)
    owner = owner_of(row, app)
    assert ("cycle.py", "_respond_to") in called_of_cycle(app)

    other = function_around(getattr(owner, row[1]), lambda: None)
    with replaced(owner, row[1], other):
        look_at_subclasses(owner)

        assert ("cycle.py", "_respond_to") not in called_of_cycle(app)
    assert ("cycle.py", "_respond_to") in called_of_cycle(app)


def test_class_that_notes_its_subclasses_is_asked(monkeypatch):
    class Noting:
        subclasses: t.ClassVar[list[type]] = []

        def __init_subclass__(cls) -> None:
            Noting.subclasses.append(cls)

        def method(self) -> None:
            raise AssertionError

    ask = compile_question([(Noting, "method", Noting.method)] * 10)

    assert ask(None)
    monkeypatch.setattr(Noting, "method", lambda self: None)
    assert not ask(None)
    monkeypatch.undo()
    assert ask(None)
    assert Noting.subclasses == []
