"""Draw the rooms of the package and what each imports: ``python -m benchmarks.rooms``.

A room is a folder of the package, or a module that is in none. It stands above all
rooms that it imports, for types as well. A line that another way says already is left
out.
"""

from __future__ import annotations

import ast
import typing as t
from html import escape
from pathlib import Path

import flask_signature

PACKAGE: t.Final = Path(flask_signature.__file__).parent

PICTURE: t.Final = Path(__file__).parents[1] / "docs" / "pictures" / "rooms.svg"

#: The room whose module has the public names of all others.
OUTSIDE: t.Final = "__init__"

#: In pixels: a box, what is between two of them, and between two rows.
WIDTH, HEIGHT, GAP, STEP = 122, 30, 18, 74

STYLE: t.Final = """
    .rooms-picture {
      --ink: var(--color-foreground-primary, #222);
      --line: var(--color-foreground-muted, #777);
      --box: var(--color-background-secondary, #f6f8fa);
      display: block;
      max-width: 100%;
      margin: auto;
      font: 14px system-ui, sans-serif;
    }
    @media (prefers-color-scheme: dark) {
      .rooms-picture {
        --ink: var(--color-foreground-primary, #ddd);
        --line: var(--color-foreground-muted, #888);
        --box: var(--color-background-secondary, #22262b);
      }
    }
    .rooms-picture text { fill: var(--ink); text-anchor: middle; }
    .rooms-picture rect { fill: var(--box); stroke: var(--line); }
    .rooms-picture .folder { font-weight: 600; }
    .rooms-picture path { fill: none; stroke: var(--line); stroke-width: 1.2; }
  """

Graph: t.TypeAlias = "dict[str, set[str]]"


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(draw(read_imports()), encoding="utf-8")


def read_imports() -> Graph:
    """The rooms that each room imports."""
    found: Graph = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        room = parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == len(parts):
                names = [node.module] if node.module else [x.name for x in node.names]
                imported = {name.partition(".")[0] for name in names}
                found.setdefault(room, set()).update(imported - {room})
        found.setdefault(room, set())
    del found[OUTSIDE]
    return found


def rows_of(graph: Graph) -> list[list[str]]:
    """The rooms in rows, the lowest first: each above all that it imports."""
    heights: dict[str, int] = {}
    while len(heights) < len(graph):
        for room in graph.keys() - heights.keys():
            if graph[room] <= heights.keys():
                heights[room] = 1 + max((heights[x] for x in graph[room]), default=-1)
    rows: list[list[str]] = [[] for _ in range(max(heights.values()) + 1)]
    for room in sorted(graph):
        rows[heights[room]].append(room)
    return rows


def without_shortcuts(graph: Graph) -> Graph:
    """The graph without a line from one room to another that a longer way leads to."""
    reached: Graph = {}
    for row in rows_of(graph):
        for room in row:
            ways = [reached[one] for one in graph[room]]
            reached[room] = graph[room].union(*ways)
    return {
        room: {
            one
            for one in imported
            if not any(one in reached[other] for other in imported)
        }
        for room, imported in graph.items()
    }


def draw(graph: Graph) -> str:
    """The picture as SVG."""
    rows = rows_of(graph)
    widest = max(map(len, rows)) * (WIDTH + GAP) + GAP
    places: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(reversed(rows)):
        start = (widest - len(row) * (WIDTH + GAP) + GAP) / 2
        for index, room in enumerate(row):
            places[room] = (start + index * (WIDTH + GAP), GAP + number * STEP)
    lines = [
        _line(places[room], places[other])
        for room, imported in sorted(without_shortcuts(graph).items())
        for other in sorted(imported)
    ]
    boxes = [_box(room, *places[room]) for room in places]
    height = len(rows) * STEP - STEP + HEIGHT + 2 * GAP
    parts = "\n  ".join([*lines, *boxes])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="rooms-picture"'
        f' viewBox="0 0 {widest} {height}">\n'
        f"  <style>{STYLE}</style>\n  {parts}\n</svg>\n"
    )


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = start, end
    x, y, to_x = x + WIDTH / 2, y + HEIGHT, to_x + WIDTH / 2
    half = (to_y - y) / 2
    return (
        f'<path d="M{x:g} {y:g} C{x:g} {y + half:g} {to_x:g} {to_y - half:g}'
        f' {to_x:g} {to_y:g}"/>'
    )


def _box(room: str, x: float, y: float) -> str:
    kind = ' class="folder"' if (PACKAGE / room).is_dir() else ""
    text = f'<text{kind} x="{x + WIDTH / 2:g}" y="{y + 20:g}">{escape(room)}</text>'
    return f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>{text}'


if __name__ == "__main__":
    main()
