"""A module of the package imports only from the layers below its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import flask_signature
from flask_signature._inbound.locations import LOCATIONS
from flask_signature.params import Location

PACKAGE = Path(flask_signature.__file__).parent

# From the ground up. A row imports from the rows above it, in this table, and no other.
# A room that has become a package keeps its place and its name.
LAYERS = {
    "what users write and catch": [
        {"_sentinel", "exceptions"},
        {"params", "security", "typing"},
    ],
    "what is read once: annotations, options, rules, settings": [
        {"_http", "_once", "_routing", "_types"},
        {"_errors"},
        {"_settings"},
    ],
    "the only reader of signatures": [
        {"_signature"},
    ],
    "the two compiled plans": [
        {"_inbound", "_outbound"},
    ],
    "the operation, the registry, the view of an endpoint": [
        {"_operations"},
    ],
    "the registration; the document": [
        {"blueprint", "openapi"},
    ],
    "the Flask subclass": [
        {"app"},
    ],
    "the public names": [
        {"__init__"},
    ],
}
ROWS = [row for rows in LAYERS.values() for row in rows]
HEIGHT = {room: height for height, row in enumerate(ROWS) for room in row}


def room_of(source: Path) -> str:
    """The module or subpackage of ``flask_signature`` that a file belongs to."""
    first = source.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


SOURCES = sorted(PACKAGE.rglob("*.py"))
ROOMS = {room_of(source) for source in SOURCES}


def is_for_types_only(node: ast.AST) -> bool:
    """Whether a node is ``if TYPE_CHECKING:`` or ``if t.TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def run_time_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Every node below ``node`` that is there when the program runs."""
    for child in ast.iter_child_nodes(node):
        if is_for_types_only(child):
            continue
        yield child
        yield from run_time_nodes(child)


def imported_modules(node: ast.AST, package: list[str]) -> list[str]:
    """The dotted names that one import statement may load, no name for other nodes.

    In ``flask_signature.blueprint``, ``from ._rules import read`` gives
    ``["flask_signature._rules.read"]``.

    :param package: the package that holds the module, ``["flask_signature"]``.
    """
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = package[: len(package) - node.level + 1] if node.level else []
    parents = [*base, *([node.module] if node.module else [])]
    return [".".join([*parents, alias.name]) for alias in node.names]


def imported_rooms(source: Path) -> set[str]:
    """The rooms of the package that a file imports from, its own left out."""
    package = list(source.relative_to(PACKAGE.parent).parent.parts)
    tree = ast.parse(source.read_text(encoding="utf-8"))
    names = [
        name.split(".")
        for node in run_time_nodes(tree)
        for name in imported_modules(node, package)
    ]
    ours = [name[1:] for name in names if name[0] == PACKAGE.name]
    rooms = {rest[0] if rest and rest[0] in ROOMS else "__init__" for rest in ours}
    return rooms - {room_of(source)}


def test_every_room_is_in_one_row():
    placed = sorted(room for row in ROWS for room in row)
    assert placed == sorted(ROOMS)


@pytest.mark.parametrize(
    "source", SOURCES, ids=lambda source: source.relative_to(PACKAGE).as_posix()
)
def test_a_module_imports_from_lower_layers_only(source):
    height = HEIGHT[room_of(source)]
    refused = {room for room in imported_rooms(source) if HEIGHT[room] >= height}
    assert refused == set()


@pytest.mark.parametrize("location", Location)
def test_a_location_has_a_row(location):
    assert location in LOCATIONS
