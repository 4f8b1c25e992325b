"""The package grows only where this table says so, in small functions and modules.

A name means one thing in it, and arguments have names where they are called.
"""

from __future__ import annotations

import ast
import typing as t
from collections import Counter

import pytest
from sources import SOURCES, room_of, tree_of

#: What a room may have at most: modules, lines, and statements that are no imports. A
#: change that lets one grow changes its row, and says why.
BUDGETS: t.Final = {
    "what users write": (13, 2459, 960),
    "security": (4, 1133, 484),
    "_http, _cycle": (9, 2105, 966),
    "_types": (4, 1382, 740),
    "_errors": (4, 1383, 549),
    "_routing": (2, 657, 282),
    "_signature": (4, 1253, 605),
    "_inbound": (6, 2859, 1379),
    "_outbound": (8, 3627, 1805),
    "_dependencies": (6, 2739, 1424),
    "_operations": (10, 4545, 2207),
    "openapi": (7, 2768, 1383),
}

#: Each room in its row; a module that lies beside the folders is one that users write,
#: or serves those.
ROW_OF: t.Final = {room: row for row in BUDGETS for room in row.split(", ")}


#: Methods of Flask, Werkzeug and Click, whose parameters are theirs.
OVERRIDES: t.Final = {"__init__", "add_url_rule", "command", "get_converter", "match"}


class Size(t.NamedTuple):
    """The size of a room or of one module: lines with docstrings and imports."""

    modules: int
    lines: int
    statements: int


def size_of(module: str) -> Size:
    """The size of a module; an ``__init__.py`` without code is none."""
    imports = (ast.Import, ast.ImportFrom)
    count = sum(
        isinstance(node, ast.stmt) and not isinstance(node, imports)
        for node in ast.walk(tree_of(module))
    )
    is_empty = SOURCES[module].stem == "__init__" and count <= 1
    lines = SOURCES[module].read_text(encoding="utf-8").splitlines()
    return Size(int(not is_empty), len(lines), count)


SIZES: t.Final = {module: size_of(module) for module in SOURCES}


def size_of_row(row: str) -> Size:
    """The size of the rooms of a row of the table."""
    rows = {module: ROW_OF.get(room_of(module), "what users write") for module in SIZES}
    sizes = [SIZES[module] for module in SIZES if rows[module] == row]
    return Size(*map(sum, zip(*sizes, strict=True)))


@pytest.mark.parametrize("row", BUDGETS)
def test_a_room_fits_its_budget_and_the_budget_its_room(row):
    size, budget = size_of_row(row), Size(*BUDGETS[row])

    assert all(found <= limit for found, limit in zip(size, budget, strict=True)), size
    assert budget.lines - size.lines <= 100


def test_a_module_has_at_most_600_lines():
    assert {module for module, size in SIZES.items() if size.lines > 600} == set()


FUNCTIONS: t.Final = {
    f"{module}:{node.lineno} {node.name}": node
    for module in SOURCES
    for node in ast.walk(tree_of(module))
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


def test_a_top_level_name_means_one_thing():
    found = Counter(name for module in SOURCES for name in {*names_of(tree_of(module))})
    assert {name for name, count in found.items() if count > 1} == {"__all__"}


def names_of(tree: ast.Module) -> t.Iterator[str]:
    """What a module defines, variables of types aside: each has a ``T`` of its own."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Assign) and not is_type_variable(node.value):
            yield from (item.id for item in node.targets if isinstance(item, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def is_type_variable(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith("TypeVar")
