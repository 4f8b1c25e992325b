"""The package grows only where this table says so, and a name means one thing in it."""

from __future__ import annotations

import ast
import typing as t
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest
from sources import SOURCES, room_of

#: What a room may have at most: modules, lines, and statements that are no imports. A
#: change that lets one grow changes its row, and says why.
BUDGETS: t.Final = {
    "what users write": (13, 2475, 962),
    "security": (5, 1270, 535),
    "_http, _cycle": (9, 1800, 805),
    "_types": (5, 1410, 745),
    "_errors": (4, 1407, 556),
    "_routing": (3, 720, 288),
    "_signature": (4, 1305, 625),
    "_inbound": (7, 2912, 1390),
    "_outbound": (9, 3937, 1972),
    "_dependencies": (7, 3145, 1602),
    "_operations": (13, 5165, 2492),
    "openapi": (8, 3410, 1660),
}

#: Each room in its row; a module that lies beside the folders is one that users write,
#: or serves those.
ROW_OF: t.Final = {room: row for row in BUDGETS for room in row.split(", ")}


class Size(t.NamedTuple):
    """The size of a room or of one module: lines with docstrings and imports."""

    modules: int
    lines: int
    statements: int


def size_of(source: Path) -> Size:
    """The size of a module; an ``__init__.py`` without code is none."""
    text = source.read_text(encoding="utf-8")
    imports = (ast.Import, ast.ImportFrom)
    count = sum(
        isinstance(node, ast.stmt) and not isinstance(node, imports)
        for node in ast.walk(ast.parse(text))
    )
    is_empty = source.stem == "__init__" and count <= 1
    return Size(int(not is_empty), len(text.splitlines()), count)


@cache
def sizes() -> dict[str, Size]:
    """The size of each row of the table."""
    found = defaultdict(list)
    for module, source in SOURCES.items():
        row = ROW_OF.get(room_of(module), "what users write")
        found[row].append(size_of(source))
    return {
        row: Size(*map(sum, zip(*items, strict=True))) for row, items in found.items()
    }


@pytest.mark.parametrize("row", BUDGETS)
def test_a_room_is_no_larger_than_its_budget(row):
    found = sizes()[row]
    assert all(
        size <= limit for size, limit in zip(found, BUDGETS[row], strict=True)
    ), found


def test_a_budget_is_no_larger_than_its_room_needs():
    rooms = sizes()
    spare = {row: BUDGETS[row][1] - rooms[row].lines for row in BUDGETS}
    assert {row for row, lines in spare.items() if lines > 100} == set()


def test_a_top_level_name_means_one_thing():
    found = Counter(
        name
        for source in SOURCES.values()
        for name in {*names_of(ast.parse(source.read_text(encoding="utf-8")))}
    )
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
    """Whether a value is a ``TypeVar``."""
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith("TypeVar")
