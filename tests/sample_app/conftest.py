"""The bookshop on SQLite and on PostgreSQL, and who comes in.

Each database is started once, and the customer and the bookseller log in once. After a
test in which one of them acts, the tables are as they were. Strangers change nothing.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
import typing as t
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from flask.testing import FlaskClient
from sqlalchemy import Connection, delete, insert, select, text

from flask_signature import Flask
from sample_app import create_app
from sample_app.database import Base, db
from sample_app.session.logins import COOKIE

PASSWORDS = {"reader": "call-me-ishmael", "bookseller": "it-was-the-best-of-times"}

#: Without waiting for the disk, and with an order of text that is the same everywhere.
INITDB_OPTIONS = "-A trust -U postgres -E UTF8 --no-locale --no-sync"
SERVER_OPTIONS = "-c listen_addresses='' -c fsync=off -c full_page_writes=off"


#: What makes a database, which is empty, and returns its URL.
NewDatabase: t.TypeAlias = "t.Callable[[], str]"


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> NewDatabase:
    folder, numbers = tmp_path_factory.mktemp("sqlite"), itertools.count()
    return lambda: f"sqlite:///{folder}/{next(numbers)}.sqlite"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[NewDatabase]:
    """A database of a server, which listens on a socket in a folder."""
    initdb, pg_ctl = find_program("initdb"), find_program("pg_ctl")
    # Short, because the path of a socket is at most 107 bytes long.
    folder = Path(tempfile.mkdtemp(prefix="bookshop-", dir="/tmp"))
    numbers = itertools.count()
    owner = server_owner()
    if owner:
        shutil.chown(folder, **owner)

    def run(program: str, *arguments: str) -> None:
        command = [program, "-D", f"{folder}/data", *arguments]
        null = subprocess.DEVNULL
        subprocess.run(command, check=True, cwd="/", stdout=null, timeout=60, **owner)

    def create() -> str:
        name = f"bookshop_{next(numbers)}"
        server = f"host={folder} user=postgres dbname=postgres"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql://postgres@/{name}?host={folder}"

    try:
        run(initdb, *INITDB_OPTIONS.split())
        options = f"-k {folder} {SERVER_OPTIONS}"
        run(pg_ctl, "-w", "-l", f"{folder}/log", "-o", options, "start")
        try:
            yield create
        finally:
            run(pg_ctl, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def find_program(name: str) -> str:
    """The path of a program of the server, that of the newest version first."""
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    newest_first = sorted(folders, key=lambda path: float(path.parts[-2]), reverse=True)
    path = os.pathsep.join([*map(str, newest_first), os.environ["PATH"]])
    program = shutil.which(name, path=path)
    if program is None:
        message = f"No PostgreSQL server is installed: {name!r} was not found."
        if "CI" in os.environ:
            pytest.fail(message)
        pytest.skip(message)
    return program


def server_owner() -> dict[str, t.Any]:
    """Who runs the server: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    return {"user": "postgres", "group": "postgres"}


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest) -> NewDatabase:
    return t.cast(NewDatabase, request.getfixturevalue(request.param))


@pytest.fixture(scope="session")
def app(new_database: NewDatabase) -> Iterator[Flask]:
    app = create_app({"SQLALCHEMY_DATABASE_URI": new_database(), "TESTING": True})
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(scope="session")
def cookies(app: Flask) -> dict[str, str]:
    return {username: log_in(app.test_client(), username) for username in PASSWORDS}


def log_in(client: FlaskClient, username: str) -> str:
    form = {"username": username, "password": PASSWORDS[username]}
    assert client.post("/session", data=form).status_code == 201
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    return cookie.value


@pytest.fixture(scope="session")
def rows(app: Flask, cookies: dict[str, str]) -> dict[str, list[t.Any]]:
    with app.app_context(), db.engine.connect() as connection:
        found = {
            table.name: connection.execute(select(table)).mappings()
            for table in Base.metadata.sorted_tables
        }
        return {name: [dict(row) for row in mapped] for name, mapped in found.items()}


@pytest.fixture
def restored(app: Flask, rows: dict[str, list[t.Any]]) -> Iterator[None]:
    """What the test changes is as it was after it."""
    yield
    with app.app_context(), db.engine.begin() as connection:
        restore(connection, rows)


def restore(connection: Connection, rows: dict[str, list[t.Any]]) -> None:
    """Fill the tables with the rows, and number further ones from there."""
    tables = Base.metadata.sorted_tables
    for table in reversed(tables):
        connection.execute(delete(table))
    for table in tables:
        if rows[table.name]:
            connection.execute(insert(table), rows[table.name])
        if connection.dialect.name == "postgresql" and "id" in table.columns:
            sequence = f"pg_get_serial_sequence('{table}', 'id')"
            following = f"(SELECT coalesce(max(id), 0) + 1 FROM {table})"
            connection.execute(text(f"SELECT setval({sequence}, {following}, false)"))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def document(app: Flask) -> dict[str, t.Any]:
    answer = app.test_client().get("/openapi.json")
    return t.cast("dict[str, t.Any]", answer.get_json())


@pytest.fixture(scope="session")
def operations(document: dict[str, t.Any]) -> dict[str, dict[str, t.Any]]:
    """What is described, by operation: ``{"GET /orders": {...}}``."""
    return {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def client_with(app: Flask, cookie: str) -> FlaskClient:
    client = app.test_client()
    client.set_cookie(COOKIE, cookie)
    return client


@pytest.fixture
def reader(app: Flask, cookies: dict[str, str], restored: None) -> FlaskClient:
    return client_with(app, cookies["reader"])


@pytest.fixture
def bookseller(app: Flask, cookies: dict[str, str], restored: None) -> FlaskClient:
    return client_with(app, cookies["bookseller"])
