"""The tables of ``docs/comparison.md``, read and written."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "comparison.md"
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")

Rows = dict[str, list[str]]


def head_of(heads: list[str]) -> str:
    """The first line of a table, by which it is found."""
    return f"| | {' | '.join(heads)} |"


def read_table(text: str, heads: list[str]) -> Rows:
    """The cells of a table by the name of their row, links as they stand.

    :raises ValueError: if the page has no table with these titles.
    """
    lines = text.splitlines()
    rows = {}
    for line in lines[lines.index(head_of(heads)) + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[name] = cells
    return rows


def without_link(cell: str) -> str:
    """What a reader sees of a cell: ``"no"`` of ``"[no](https://...)"``."""
    return LINK.sub(r"\1", cell)


def write_table(text: str, heads: list[str], rows: Rows) -> str:
    """The text with other rows; a link stays where the cell says the same."""
    before = read_table(text, heads)
    lines = text.splitlines()
    start = lines.index(head_of(heads)) + 2
    written = [_row(name, cells, before.get(name, [])) for name, cells in rows.items()]
    lines[start : start + len(before)] = written
    return "\n".join(lines) + "\n"


def _row(name: str, cells: list[str], before: list[str]) -> str:
    kept = {without_link(cell): cell for cell in before}
    return f"| {name} | {' | '.join(kept.get(cell, cell) for cell in cells)} |"
