"""The examples of the README and of ``docs/``, run as programs.

A block that makes an application is a program of its own: it is written into a folder
and imported alone. So is a block that begins with the name of a file, ``# books.py``,
which later programs of the page may import. Any other block of Python continues the
program above it, as what shows its responses does.

Blocks right below ``<!-- requires apiflask -->`` run where that module is installed: in
the environment ``docs``. A page with ``<!-- project -->``, and the tutorial, are
followed in an empty folder instead: see ``project.py``.
"""

from __future__ import annotations

import importlib
import re
import shutil
import sys
import tempfile
import typing as t
import weakref
from pathlib import Path

from project import FENCE, FILE

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

ROOT: t.Final = Path(__file__).parents[1]
DOCS: t.Final = ROOT / "docs"
PAGES: t.Final = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

PROJECT: t.Final = "<!-- project -->"
REQUIRES: t.Final = re.compile(r"<!-- requires (\w+) -->\s*\Z")

#: How a block makes an application, of this package or of another framework.
APPLICATION: t.Final = re.compile(r"\b\w*(?:Flask|FastAPI|OpenAPI|Litestar|App)\(")


class Block(t.NamedTuple):
    """A block of Python in a page."""

    line: int
    text: str
    requires: str

    @property
    def is_program(self) -> bool:
        """Whether it runs alone, in a file."""
        return self.is_named or bool(APPLICATION.search(self.text))

    @property
    def is_named(self) -> bool:
        """Whether its first line is the name of its file."""
        return bool(FILE.match(self.text))

    @property
    def file(self) -> str:
        """The name of its file, from the folder of the page."""
        named = FILE.match(self.text)
        return named[1] if named else "app.py"

    @property
    def module(self) -> str:
        """The name by which it is imported."""
        name = self.file.removesuffix(".py").replace("/", ".")
        return name.removesuffix(".__init__")


def run_examples(
    page: Path, monkeypatch: pytest.MonkeyPatch, requires: str = ""
) -> dict[str, t.Any]:
    """The names that the last program of a page defines.

    :param requires: the module whose programs run, ``""`` for those that need nothing
        but the package.
    """
    *_, names = run_each_example(page, monkeypatch, requires)
    return names


def run_each_example(
    page: Path, monkeypatch: pytest.MonkeyPatch, requires: str = ""
) -> Iterator[dict[str, t.Any]]:
    """The names that are defined after each of the examples of a page."""
    files = _make_folder(monkeypatch)
    # A file may be written twice in a second, which compiled files do not notice.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    names: dict[str, t.Any] = {}
    for block in blocks_of_python(page):
        if block.requires != requires:
            continue
        if block.is_program:
            folder = files if block.is_named else _make_folder(monkeypatch)
            names = _run_file(folder, block, monkeypatch)
        else:
            lines = "\n" * block.line
            exec(compile(lines + block.text, page, "exec", dont_inherit=True), names)
        yield names


def _make_folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = Path(tempfile.mkdtemp())
    weakref.finalize(monkeypatch, shutil.rmtree, folder, ignore_errors=True)
    return folder


def _run_file(
    folder: Path, block: Block, monkeypatch: pytest.MonkeyPatch
) -> dict[str, t.Any]:
    monkeypatch.chdir(folder)
    path = folder / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    for part in [block.module, *_packages_of(block.module)]:
        # Set first, so that what was there before the page is there after it.
        monkeypatch.setitem(sys.modules, part, None)
        del sys.modules[part]
    monkeypatch.syspath_prepend(folder)
    return vars(importlib.import_module(block.module))


def _packages_of(name: str) -> list[str]:
    parts = name.split(".")[:-1]
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]


def blocks_of_python(page: Path) -> Iterator[Block]:
    """The blocks of Python of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        if found[2] == "python":
            above = text[: found.start()]
            required = REQUIRES.search(above)
            line = above.count("\n") + 1
            yield Block(line, found[3], required[1] if required else "")


def name_of(page: Path) -> str:
    """The name of a page, as tests show it."""
    return page.relative_to(ROOT).as_posix()


def is_project(page: Path) -> bool:
    """Whether a page is followed in an empty folder."""
    is_chapter = page.parent == DOCS / "tutorial"
    return is_chapter or PROJECT in page.read_text(encoding="utf-8")


def modules_required_by(page: Path) -> set[str]:
    """The modules that examples of a page require, ``""`` for those that need none."""
    return {block.requires for block in blocks_of_python(page)}


def programs() -> list[tuple[Path, str]]:
    """Each program of the pages: the page, and the module that it requires."""
    return [
        (page, module)
        for page in PAGES
        if not is_project(page)
        for module in sorted(modules_required_by(page))
    ]
