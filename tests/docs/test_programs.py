"""What pages say is true: their programs run, and what they show is what is printed.

Programs that need nothing but the package run in the main suite.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import typing as t
from pathlib import Path

import pytest
import tomllib
import yaml
from pages import DOCS, PAGES, is_project, name_of, programs, run_examples
from project import Project, blocks_of

#: What programs require that have an environment of their own.
ELSEWHERE: t.Final = {"", "fastmcp"}
PROGRAMS: t.Final = [item for item in programs() if item[1] not in ELSEWHERE]
CHAPTERS: t.Final = re.compile(r"^(\d[\w-]*)$", re.MULTILINE)
TUTORIAL: t.Final = DOCS / "tutorial"
PROJECTS: t.Final = [
    page for page in PAGES if is_project(page) and page.parent != TUTORIAL
]

#: What pages run besides Python, and the environment does not install.
PROGRAMS_USED: t.Final = ("curl", "npm", "npx")

#: How a block is known to be right that is no program, by its language.
READERS: t.Final[dict[str, t.Callable[[str], object]]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}

#: Languages whose blocks are run, or are no code.
OTHERS: t.Final = {
    *("python", "console", "text", "http", "html", "ini", "nginx"),
    *("typescript", "javascript", "diff"),
}


@pytest.fixture
def project(tmp_path: Path) -> t.Iterator[Project]:
    """An empty folder, whose servers are stopped in the end."""
    project = Project(tmp_path)
    yield project
    project.stop()


@pytest.mark.parametrize(
    ("page", "module"), PROGRAMS, ids=[f"{name_of(p)}-{m}" for p, m in PROGRAMS]
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Using `httpx` with `starlette.testclient`")
def test_the_program_of_another_package_runs(page, module, monkeypatch):
    run_examples(page, monkeypatch, module)


@pytest.mark.parametrize("page", PROJECTS, ids=name_of)
def test_a_page_can_be_followed_from_an_empty_folder(page, project):
    _skip_without_programs(page)
    project.follow(page)


def _skip_without_programs(*pages: Path) -> None:
    """Pass pages by for which the machine lacks a program; in CI they fail."""
    blocks = [block for page in pages for block in blocks_of(page)]
    commands = "\n".join(text for language, text in blocks if language == "console")
    used = [name for name in PROGRAMS_USED if f"{name} " in commands]
    missing = [name for name in used if shutil.which(name) is None]
    if missing and "CI" not in os.environ:
        pytest.skip(f"{missing[0]} is not installed")


def test_the_tutorial_can_be_followed_from_an_empty_folder(project: Project) -> None:
    index = (TUTORIAL / "index.md").read_text(encoding="utf-8")
    chapters = CHAPTERS.findall(index)

    assert chapters
    pages = [TUTORIAL / f"{chapter}.md" for chapter in chapters]
    _skip_without_programs(*pages)
    for page in pages:
        project.follow(page)


def _blocks() -> list[t.Any]:
    return [
        pytest.param(language, text, id=f"{name_of(page)}-{number}")
        for page in PAGES
        for number, (language, text) in enumerate(blocks_of(page))
        if language not in OTHERS
    ]


@pytest.mark.parametrize(("language", "text"), _blocks())
def test_a_block_that_does_not_run_can_be_read(language: str, text: str) -> None:
    READERS[language](text)
