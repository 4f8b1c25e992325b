"""A module of the package imports only from the layers below its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import flask_signature

PACKAGE = Path(flask_signature.__file__).parent

# From the ground up. A room that has become a package keeps its place and its name.
LAYERS = (
    {"exceptions", "_pydantic1"},  # what users catch
    {"params", "typing", "_errors"},  # what users write, what clients read
    {"_declaration", "_settings"},  # what a decorator and a configuration say
    {"_rules", "_annotations"},  # a Werkzeug rule and a type, read once
    {"_signature"},  # the only reader of signatures
    {"_urls", "_arguments", "_sources", "_returns"},  # the parts of a signature
    {"_flat", "_bodies", "_content"},  # where arguments are found; how models are sent
    {"_inbound", "_streams"},  # the plan of a request
    {"_outbound"},  # the plan of a response
    {"_responses"},  # what a route declares about its responses
    {"_operation"},  # one method on one path
    {"_registry"},  # the operations of an application
    {"_routes", "_error_handlers", "openapi"},  # decorators; the document
    {"blueprint", "_docs"},  # the routes of a blueprint, of page and document
    {"app"},  # the Flask subclass
    {"__init__"},  # the public names
)
LAYER_OF = {room: layer for layer, rooms in enumerate(LAYERS) for room in rooms}

# Importer and imported, where one room may look into another of its own layer.
NEIGHBOURS: set[tuple[str, str]] = set()

SOURCES = sorted(PACKAGE.rglob("*.py"))


def room_of(source: Path) -> str:
    """The module or subpackage of ``flask_signature`` that a file belongs to."""
    first = source.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


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
    rooms = {rest[0] if rest and rest[0] in LAYER_OF else "__init__" for rest in ours}
    return rooms - {room_of(source)}


def may_import(importer: str, imported: str) -> bool:
    """Whether one room stands above another, or is listed as its neighbour."""
    if LAYER_OF[imported] < LAYER_OF[importer]:
        return True
    return (importer, imported) in NEIGHBOURS


def test_every_room_has_a_layer():
    assert {room_of(source) for source in SOURCES} == set(LAYER_OF)


def test_neighbours_share_a_layer():
    assert all(LAYER_OF[one] == LAYER_OF[other] for one, other in NEIGHBOURS)


@pytest.mark.parametrize(
    "source", SOURCES, ids=lambda source: source.relative_to(PACKAGE).as_posix()
)
def test_a_module_imports_from_lower_layers_only(source):
    room = room_of(source)
    refused = {other for other in imported_rooms(source) if not may_import(room, other)}
    assert refused == set()
