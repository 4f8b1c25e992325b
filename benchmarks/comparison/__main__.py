"""``python -m benchmarks.comparison``: the cells of the page that are not true."""

from __future__ import annotations

import argparse
import gc
import logging
import sys
import typing as t
import warnings
from dataclasses import dataclass

from .features import HEAD, find_owners
from .page import PAGE, Rows, read_table, without_link, write_table
from .peer import PEERS, Peer
from .tables import TABLES, Question

VARYING: t.Final = {each.head for table in TABLES for each in table if each.varies}


def parse_arguments(argv: t.Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser("python -m benchmarks.comparison")
    add = parser.add_argument
    add("--write", action="store_true", help="write what was found into the page")
    add("--lasting", action="store_true", help="leave out what varies with versions")
    add("--peer", action="append", choices=PEERS, help="only this one")
    return parser.parse_args(argv)


def find_installed(names: t.Sequence[str]) -> list[Peer]:
    """The libraries that are installed; the others are said."""
    installed = []
    for name in names:
        peer = Peer(name)
        try:
            peer.module  # noqa: B018
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
        else:
            installed.append(peer)
    return installed


@dataclass(frozen=True)
class Table:
    """A table of the page beside what was found."""

    heads: list[str]
    said: Rows
    found: Rows

    def differences(self, left_out: t.Container[str] = ()) -> t.Iterator[str]:
        """A line for each cell that says something else than was found.

        :param left_out: titles of columns.
        """
        for name, cells in self.found.items():
            said = self.said.get(name, [""] * len(cells))
            for head, old, new in zip(self.heads, said, cells, strict=True):
                old = without_link(old)
                if old != new and head not in left_out:
                    yield f"{name}, {head}: the page says {old!r}, and it is {new!r}"


def ask(text: str, questions: t.Sequence[Question], peers: list[Peer]) -> Table:
    """A table, as the page has it and as it is found."""
    heads = [question.head for question in questions]
    found = {
        peer.module.TITLE: [question.find(peer) for question in questions]
        for peer in peers
    }
    return Table(heads, read_table(text, heads), found)


def find_tables(text: str, peers: list[Peer]) -> list[Table]:
    """Every table; the one of features only if all libraries are there to be named."""
    tables = [ask(text, questions, peers) for questions in TABLES]
    if len(peers) == len(PEERS):
        tables.append(Table([HEAD], read_table(text, [HEAD]), find_owners(peers)))
    return tables


def main() -> None:
    """Ask, compare, and end with 1 where the page says something that is not true."""
    arguments = parse_arguments()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    # A library that never awaits a view leaves its coroutine. The filter above holds
    # where it is freed here, not in a frame without builtins, as a named tuple has.
    gc.disable()
    peers = find_installed(arguments.peer or PEERS)
    text = PAGE.read_text(encoding="utf-8")
    tables = find_tables(text, peers)
    gc.collect()
    if arguments.write:
        for table in tables:
            text = write_table(text, table.heads, table.said | table.found)
        PAGE.write_text(text, encoding="utf-8")
        return
    left_out = VARYING if arguments.lasting else ()
    untrue = [line for table in tables for line in table.differences(left_out)]
    print("\n".join(untrue) or "What the page says is true.")
    raise SystemExit(1 if untrue else 0)


if __name__ == "__main__":
    main()
