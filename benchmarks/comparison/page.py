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
    """The cells of a table by the name of their row, cells with their links.

    :raises ValueError: if the page has no table with these titles.
    """
    lines = text.splitlines()
    rows = {}
    for line in lines[lines.index(head_of(heads)) + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[without_link(name)] = cells
    return rows


def without_link(cell: str) -> str:
    """What a reader sees of a cell: ``"no"`` of ``"[no](https://...)"``."""
    return LINK.sub(r"\1", cell)


def write_table(text: str, heads: list[str], rows: Rows) -> str:
    """The text with other rows; a row that says what it said stays as it is."""
    lines = text.splitlines()
    start = lines.index(head_of(heads)) + 2
    end = start + len(read_table(text, heads))
    kept = {without_link(line): line for line in lines[start:end]}
    written = [f"| {' | '.join([name, *cells])} |" for name, cells in rows.items()]
    lines[start:end] = [kept.get(without_link(line), line) for line in written]
    return "\n".join(lines) + "\n"
