"""Every example of the README and of ``docs/`` is true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from document import describe_all
from flask.testing import FlaskClient
from pages import (
    PAGES,
    ROOT,
    blocks_of_python,
    is_project,
    name_of,
    programs,
    run_each_example,
)
from sqlalchemy import event
from sqlalchemy.pool import Pool
from werkzeug.serving import make_server

from flask_signature import Flask

pytestmark = pytest.mark.once

RUN_HERE = [page for page, module in programs() if not module]

#: Pages whose sections are read, and copied, one by one.
TAKEN_APART = [
    page
    for page in PAGES
    if page.parent.name in ("guide", "howto", "concepts") and not is_project(page)
]

CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)

#: The commands that set something up are what the other tests stand on.
SETUP = ("pip ", "flask ", "tox", "python ")


def console_answers(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, each with the answer that the page shows."""
    found = []
    for block in CONSOLE.findall(page.read_text(encoding="utf-8")):
        for part in block.split("$ ")[1:]:
            command, _, answer = part.partition("\n")
            if not command.startswith(SETUP):
                found.append((command, answer.strip()))
    return found


def applications_in(names: dict[str, object]) -> set[Flask]:
    """The applications among the values of a namespace, and those of its clients."""
    values = [*names.values()]
    values += [value.application for value in values if isinstance(value, FlaskClient)]
    return {value for value in values if isinstance(value, Flask)}


@pytest.fixture
def _closed_databases():
    """Closes what a page leaves open, as a program does at its end."""
    opened = []

    def keep(connection, record):
        opened.append(connection)

    event.listen(Pool, "connect", keep)
    yield
    event.remove(Pool, "connect", keep)
    for connection in opened:
        connection.close()


@pytest.mark.usefixtures("_closed_databases")
@pytest.mark.parametrize("page", RUN_HERE, ids=name_of)
def test_the_python_of_a_page_runs_and_every_document_is_valid(page, monkeypatch):
    apps = set()
    for names in run_each_example(page, monkeypatch):
        apps |= applications_in(names)

    assert apps
    for app in apps:
        describe_all(app)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_program_to_copy_proves_nothing_and_needs_no_file_without_a_name(page):
    programs = [block for block in blocks_of_python(page) if block.is_program]
    files = {block.module.partition(".")[0] for block in programs if block.is_named}
    proving = [
        block.line
        for block in programs
        if re.search(r"(?m)^ *assert ", block.text) and "def test_" not in block.text
    ]
    needing = [
        (block.line, name)
        for block in programs
        for name in files
        if not block.is_named
        and re.search(rf"(?m)^ *(from|import) {name}\b", block.text)
    ]
    assert (proving, needing) == ([], [])


@pytest.mark.parametrize("page", TAKEN_APART, ids=name_of)
def test_each_section_begins_with_a_program(page):
    lines = page.read_text(encoding="utf-8").splitlines()
    sections = [0, *(n for n, line in enumerate(lines, 1) if line.startswith("## "))]
    first = {}
    for block in blocks_of_python(page):
        section = max(line for line in sections if line < block.line)
        first.setdefault(section, block)

    assert [block.line for block in first.values() if not block.is_program] == []


@pytest.fixture
def shop(tmp_path):
    """The address of a running sample application with a database of its own."""
    from sample_app import create_app
    from sample_app.database import db

    database = f"sqlite:///{tmp_path / 'shop.db'}"
    app = create_app({"SQLALCHEMY_DATABASE_URI": database})
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()
    with app.app_context():
        db.engine.dispose()


@pytest.mark.skipif(
    shutil.which("curl") is None and "CI" not in os.environ, reason="curl is missing"
)
def test_the_answers_of_the_readme_are_true(shop, tmp_path):
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    shown = console_answers(ROOT / "README.md")
    assert len(shown) == 4
    for command, answer in shown:
        line = command.replace("curl ", "curl -sS ").replace("localhost:5000", shop)
        ran = subprocess.run(
            ["bash", "-c", line],
            capture_output=True,
            check=True,
            cwd=tmp_path,
            text=True,
        )
        assert ran.stdout.strip() == answer, command
