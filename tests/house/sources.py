"""Reading the sources of the package."""

from __future__ import annotations

import ast
from pathlib import Path

import flask_signature

PACKAGE = Path(flask_signature.__file__).parent
SOURCES = {
    source.relative_to(PACKAGE).with_suffix("").as_posix(): source
    for source in sorted(PACKAGE.rglob("*.py"))
}


def tree_of(module: str) -> ast.Module:
    return ast.parse(SOURCES[module].read_text(encoding="utf-8"))


def room_of(module: str) -> str:
    """The folder of a module, or the module itself where it is in none."""
    return module.partition("/")[0]


def imports_of(module: str) -> set[str]:
    """The modules of the package that one of them imports, anywhere in it.

    ``"_inbound/compile"`` imports ``"_inbound/plan"``, ``"params"`` and so on.
    """
    package = module.split("/")[:-1]
    found = set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            parts = [*base, *(node.module or "").split(".")] if node.module else base
            found |= {find_module(parts, alias.name) for alias in node.names}
    return found - {module}


def find_module(parts: list[str], name: str) -> str:
    """The module that ``from parts import name`` loads."""
    candidates = ([*parts, name], parts, [*parts, "__init__"])
    paths = ("/".join(candidate) for candidate in candidates)
    return next(path for path in paths if path in SOURCES)
