"""Flask's request dispatch stays Flask's, for the versions of Flask to come.

Flask passes another argument to these methods in a coming version; a class that does
not override them need not know. An application calls its ``dispatch_request()`` through
a function that passes on every argument, since what that returns gets a default status.
"""

from __future__ import annotations

import ast

import flask
import pytest
from sources import SOURCES, room_of, tree_of

import flask_signature

DISPATCH = {
    "dispatch_request",
    "full_dispatch_request",
    "preprocess_request",
    "finalize_request",
    *(name for name in dir(flask.Flask) if name.startswith("handle_")),
}


def ours_among_bases(cls: type) -> list[type]:
    """The classes of our package that a class is made of."""
    name = flask_signature.__name__
    return [base for base in cls.__mro__ if base.__module__.split(".")[0] == name]


@pytest.mark.parametrize("cls", [flask_signature.Flask, flask_signature.Blueprint])
def test_class_overrides_nothing_of_the_dispatch(cls):
    overridden = {name for base in ours_among_bases(cls) for name in vars(base)}

    assert ours_among_bases(cls)[0] is cls
    # A property binds the method of an application, and calls what Flask has.
    is_application = issubclass(cls, flask.Flask)
    assert overridden & DISPATCH == ({"dispatch_request"} if is_application else set())


def test_application_is_dispatched_by_the_methods_of_flask():
    app = flask_signature.Flask(__name__)

    assert set(vars(app)) & DISPATCH == {"dispatch_request"}
    binding = type(app).dispatch_request
    assert isinstance(binding, property)
    assert binding.__wrapped__ is flask.Flask.dispatch_request
    for name in DISPATCH - {"dispatch_request"}:
        ours, theirs = getattr(type(app), name), getattr(flask.Flask, name)
        assert ours is theirs, name


def test_only_the_cycle_knows_the_contexts_of_a_request():
    names = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for module in SOURCES
        if room_of(module) != "_cycle"
        for node in ast.walk(tree_of(module))
        if isinstance(node, (ast.Attribute, ast.Name))
    }

    assert names & {"RequestContext", "AppContext", "request_context"} == set()
