"""The rooms of the package are imported in one direction, in the order of the data."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest
from sources import SOURCES, imports_of, room_of

from benchmarks.rooms import PICTURE, draw, read_imports, rows_of

pytestmark = pytest.mark.once

#: From the ground up. A room imports from rows above its own, for types as well.
ROWS = [
    {"_common", "exceptions", "typing"},
    {"params", "security", "_http", "dependencies", "cookies", "streams"},
    {"_types", "_errors", "_cycle"},
    {"_routing", "_signature"},
    {"_inbound", "_outbound", "_settings"},
    {"_dependencies"},
    {"_operations"},
    {"openapi", "blueprint", "errors"},
    {"app"},
    {"__init__"},
]
HEIGHTS = {room: height for height, row in enumerate(ROWS) for room in row}


def test_every_room_is_in_one_row():
    placed = sorted(room for row in ROWS for room in row)
    assert placed == sorted({room_of(module) for module in SOURCES})


@pytest.mark.parametrize("module", SOURCES)
def test_a_module_imports_from_its_room_and_from_lower_ones(module):
    own = room_of(module)
    rooms = {room_of(other) for other in imports_of(module)} - {own}
    assert {room for room in rooms if HEIGHTS[room] >= HEIGHTS[own]} == set()


def test_no_module_imports_itself_by_way_of_others():
    graph = {module: imports_of(module) for module in SOURCES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_picture_is_that_of_the_rooms():
    graph = read_imports()

    # "python -m benchmarks.rooms" draws it anew.
    assert PICTURE.read_text(encoding="utf-8") == draw(graph)
    for number, row in enumerate(rows_of(graph)):
        below = {room for lower in rows_of(graph)[:number] for room in lower}
        assert all(graph[room] <= below for room in row)
        assert all(HEIGHTS[one] < HEIGHTS[room] for room in row for one in graph[room])


def test_graph_of_the_rooms_is_that_of_their_imports():
    for room, imported in read_imports().items():
        modules = [module for module in SOURCES if room_of(module) == room]
        found = {room_of(other) for module in modules for other in imports_of(module)}
        assert found - {room} == imported, room
