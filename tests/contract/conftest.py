"""The bookshop, a large application, and the programs of Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flask_signature import Flask
from sample_app import create_app
from sample_app.database import db

Npx: t.TypeAlias = Callable[..., str]


@pytest.fixture
def version() -> str:
    """The version of OpenAPI that the applications are described with."""
    return "3.1"


@pytest.fixture
def bookshop(tmp_path: Path, version: str) -> Iterator[Flask]:
    """The sample application with a database of its own."""
    url = f"sqlite:///{tmp_path}/books.sqlite"
    config = {"SQLALCHEMY_DATABASE_URI": url, "SIGNATURE_OPENAPI_VERSION": version}
    app = create_app(config)
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def write_document(tmp_path: Path) -> Callable[[Flask], Path]:
    """Writes the description of an application to a file."""

    def write(app: Flask) -> Path:
        path = tmp_path / "openapi.json"
        document = app.test_client().get("/openapi.json").get_json()
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the programs of Node are installed."""
    npm = shutil.which("npm")
    if npm is None:
        if "CI" in os.environ:
            pytest.fail("npm is not installed.")
        pytest.skip("npm is not installed.")
    folder = tmp_path_factory.mktemp("node")
    shutil.copy(Path(__file__).with_name("package.json"), folder)
    command = [npm, "install", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder


@pytest.fixture
def npx(node_modules: Path) -> Npx:
    """Runs one of the programs, and gives what it prints."""

    def run(program: str, *arguments: str | Path) -> str:
        path = node_modules / "node_modules" / ".bin" / program
        # Nothing is told to the makers of the programs.
        quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
        result = subprocess.run(
            [path, *map(str, arguments)],
            cwd=node_modules,
            env={**os.environ, **quiet},
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        output = result.stdout + result.stderr
        assert result.returncode == 0, output
        return output

    return run
