"""The messages of the package, found in its sources."""

from __future__ import annotations

import ast
import re
import typing as t

from sources import SOURCES

#: Stands for a value in a message.
VALUE: t.Final = "…"

#: What has a table of its own: the types and messages of Pydantic 1.
LEFT_OUT: t.Final = "_errors/pydantic1"

WORDS: t.Final = re.compile(r"[A-Za-z']+ [A-Za-z']+ [A-Za-z']+")
VALUES: t.Final = re.compile(r"\{[^{}]*\}|%[sd]")


def messages() -> list[tuple[str, str]]:
    """Each message: the module that has it, and its text with ``…`` for values."""
    return [
        (module, text)
        for module, path in SOURCES.items()
        if not module.startswith(LEFT_OUT)
        for text in _texts_of(ast.parse(path.read_text(encoding="utf-8")))
        if _is_message(text)
    ]


def parts_of(message: str) -> list[str]:
    """What is always the same in a message: the texts between its values."""
    return [part for part in re.split(rf"{VALUE}|\n", message) if WORDS.search(part)]


def _texts_of(tree: ast.Module) -> list[str]:
    """The strings of a module, its docstrings and descriptions of fields aside."""
    skipped = set()
    for node in ast.walk(tree):
        is_described = isinstance(node, ast.keyword) and node.arg == "description"
        if is_described or isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= set(map(id, node.values))
    nodes = [node for node in ast.walk(tree) if id(node) not in skipped]
    nodes.sort(key=lambda node: getattr(node, "lineno", 0))
    return [text for node in nodes if (text := _text_of(node))]


def _text_of(node: ast.AST) -> str:
    """A string, with ``…`` for its values; ``""`` for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return VALUES.sub(VALUE, node.value)
    if not isinstance(node, ast.JoinedStr):
        return ""
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else VALUE
        for part in node.values
    )


def _is_message(text: str) -> bool:
    """Whether a string is a sentence, or the end of one."""
    return text.rstrip(f" {VALUE}()").endswith(".") and bool(WORDS.search(text))
