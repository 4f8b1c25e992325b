"""Functions and modules are small, and arguments have names where they are called."""

from __future__ import annotations

import ast

import pytest
from sources import SOURCES

pytestmark = pytest.mark.once

#: Methods of Flask, Werkzeug and Click, whose parameters are theirs.
OVERRIDES = {"__init__", "add_url_rule", "command", "get_converter", "match"}

FUNCTIONS = {
    f"{module}:{node.lineno} {node.name}": node
    for module, source in SOURCES.items()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
    if isinstance(node, ast.FunctionDef)
}


def lines_of(function: ast.FunctionDef) -> int:
    """The lines of a function without those of its docstring."""
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        return lines
    return lines - (first.value.end_lineno - first.value.lineno + 1)


def positional_arguments(function: ast.FunctionDef) -> int:
    """The arguments that can be given by position, ``self`` aside."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    return len([item for item in arguments if item.arg not in ("self", "cls")])


def test_a_function_has_at_most_forty_lines():
    assert {name for name, node in FUNCTIONS.items() if lines_of(node) > 40} == set()


def test_a_function_takes_at_most_three_arguments_by_position():
    assert {
        name
        for name, node in FUNCTIONS.items()
        if positional_arguments(node) > 3 and node.name not in OVERRIDES
    } == set()


def test_a_module_has_at_most_600_lines():
    lines = {
        module: len(source.read_text(encoding="utf-8").splitlines())
        for module, source in SOURCES.items()
    }
    assert {module for module, count in lines.items() if count > 600} == set()
