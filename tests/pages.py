"""The examples of the README and of ``docs/``, run as programs.

The blocks of a page share one namespace. Those right below
``<!-- requires apiflask -->`` are a program of their own, which runs where that module
is installed: in the environment ``docs``. A page with ``<!-- project -->``, and the
tutorial, are followed in an empty folder instead: see ``project.py``.
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
DOCS: t.Final = ROOT / "docs"
PAGES: t.Final = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

PROJECT: t.Final = "<!-- project -->"
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
    place = page.relative_to(ROOT).with_suffix("").as_posix()
    name = re.sub(r"\W", "_", f"page_{place}_{requires}".lower())
    module = types.ModuleType(name)
    module.__file__ = str(page)
    monkeypatch.setitem(sys.modules, name, module)
    document = Sybil(parsers=[PythonCodeBlockParser()]).parse(page)
    document.namespace = vars(module)
    for example in document.examples():
        if _required_by(document.text[: example.start]) == requires:
            example.evaluate()
            yield document.namespace


def name_of(page: Path) -> str:
    """The name of a page, as tests show it."""
    return page.relative_to(ROOT).as_posix()


def is_project(page: Path) -> bool:
    """Whether a page is followed in an empty folder."""
    is_chapter = page.parent == DOCS / "tutorial"
    return is_chapter or PROJECT in page.read_text(encoding="utf-8")


def modules_required_by(page: Path) -> set[str]:
    """The modules that examples of a page require, ``""`` for those that need none."""
    text = page.read_text(encoding="utf-8")
    blocks = re.finditer(r"^```python$", text, re.MULTILINE)
    return {_required_by(text[: block.start()]) for block in blocks}


def programs() -> list[tuple[Path, str]]:
    """Each program of the pages: the page, and the module that it requires."""
    return [
        (page, module)
        for page in PAGES
        if not is_project(page)
        for module in sorted(modules_required_by(page))
    ]


def _required_by(text: str) -> str:
    """The module that the comment at the end of a text names, ``""`` without one."""
    found = REQUIRES.search(text)
    return found[1] if found else ""
