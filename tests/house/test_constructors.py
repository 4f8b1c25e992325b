"""The constructors are typed as those of the Flask that is installed, and ours."""

from __future__ import annotations

import ast
import inspect

import flask
import pytest
from sources import tree_of

import flask_signature


def typed_constructor(name: str) -> ast.arguments:
    """The arguments that type checkers see."""
    module = {"Flask": "app", "Blueprint": "blueprint"}[name]
    nodes = [*ast.walk(tree_of(module))]
    (cls,) = (x for x in nodes if isinstance(x, ast.ClassDef) and x.name == name)
    typed, _ = (
        node
        for node in ast.walk(cls)
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    )
    return typed.args


@pytest.mark.parametrize("name", ["Flask", "Blueprint"])
def test_constructor_is_typed_as_that_of_flask(name: str) -> None:
    typed = typed_constructor(name)
    theirs = inspect.signature(getattr(flask, name).__init__).parameters.values()

    assert [item.arg for item in typed.args] == [item.name for item in theirs]
    defaults = [None if item.default is item.empty else item.default for item in theirs]
    for node, default in zip(typed.defaults[::-1], defaults[::-1], strict=False):
        # The default of cli_group is an object that nobody else may have.
        is_private = ast.unparse(node) == "..."
        assert is_private or ast.literal_eval(node) == default


def test_constructor_passes_on_what_a_later_flask_takes(monkeypatch):
    init, seen = flask.Flask.__init__, []

    def later(self: flask.Flask, *args: object, new: int = 0, **more: object) -> None:
        seen.append(new)
        init(self, *args, **more)

    monkeypatch.setattr(flask.Flask, "__init__", later)
    flask_signature.Flask(__name__, new=3)

    assert seen == [3]
