"""The examples of the README and of ``docs/``, run as programs.

The blocks of a page share one namespace. Those below ``<!-- requires flask_login -->``
are a program of their own, which runs where the extension is installed: in the
environment of ``tests/extensions``.
"""

from __future__ import annotations

import re
import sys
import types
import typing as t
from pathlib import Path

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

ROOT: t.Final = Path(__file__).parents[1]
PAGES: t.Final = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

REQUIRES: t.Final = re.compile(r"<!-- requires (\w+) -->\s*\Z")


def run_examples(
    page: Path, monkeypatch: pytest.MonkeyPatch, requires: str = ""
) -> dict[str, t.Any]:
    """The names that the examples of a page define.

    :param requires: the module whose examples run, ``""`` for those that need nothing
        but the package.
    """
    *_, names = run_each_example(page, monkeypatch, requires)
    return names


def run_each_example(
    page: Path, monkeypatch: pytest.MonkeyPatch, requires: str = ""
) -> Iterator[dict[str, t.Any]]:
    """The names that are defined after each of the examples of a page."""
    # Flask(__name__) looks for a module of that name.
    name = f"page_{page.stem}_{requires}".lower().replace("-", "_")
    module = types.ModuleType(name)
    module.__file__ = str(page)
    monkeypatch.setitem(sys.modules, name, module)
    document = Sybil(parsers=[PythonCodeBlockParser()]).parse(page)
    document.namespace = vars(module)
    for example in document.examples():
        if _required_by(document.text[: example.start]) == requires:
            example.evaluate()
            yield document.namespace


def required_modules() -> set[str]:
    """The modules that examples of any page require."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    pattern = re.compile(REQUIRES.pattern.removesuffix(r"\Z"))
    return {name for text in texts for name in pattern.findall(text)}


def _required_by(text: str) -> str:
    """The module that the comment at the end of a text names, ``""`` without one."""
    found = REQUIRES.search(text)
    return found[1] if found else ""
