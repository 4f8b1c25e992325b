from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import inspect

from flask_signature import Flask
from sample_app import create_app
from sample_app.config import with_driver
from sample_app.database import Base, db

pytestmark = pytest.mark.once


def close(app: Flask) -> None:
    with app.app_context():
        db.engine.dispose()


def test_two_first_starts_at_once_fill_the_shop_once(new_database):
    url = new_database()
    barrier = Barrier(2)

    def start(_: int) -> Flask:
        barrier.wait()
        return create_app({"SQLALCHEMY_DATABASE_URI": url})

    with ThreadPoolExecutor(2) as pool:
        apps = list(pool.map(start, range(2)))

    totals = [app.test_client().get("/books").get_json()["total"] for app in apps]
    for app in apps:
        close(app)
    assert totals == [59, 59]


def test_a_second_start_keeps_what_is_there(app, bookseller):
    bookseller.post("/authors", json={"name": "Anton Chekhov"})
    url = app.config["SQLALCHEMY_DATABASE_URI"]
    second = create_app({"SQLALCHEMY_DATABASE_URI": url})
    authors = second.test_client().get("/authors?q=chekhov").get_json()
    close(second)

    assert authors["total"] == 1


def test_the_environment_names_the_database(new_database, monkeypatch):
    url = new_database()
    monkeypatch.setenv("DATABASE_URL", url)
    app = create_app()
    response = app.test_client().get("/books/51")
    close(app)

    assert app.config["SQLALCHEMY_DATABASE_URI"] == with_driver(url)
    assert response.get_json()["title"] == "Faust"


def test_a_database_in_memory_lasts_as_long_as_the_application():
    app = create_app({"SQLALCHEMY_DATABASE_URI": "sqlite://"})
    response = app.test_client().get("/books/51")
    close(app)

    assert response.get_json()["title"] == "Faust"


def test_a_table_that_an_earlier_release_had_not_is_added(new_database):
    url = new_database()
    first = create_app({"SQLALCHEMY_DATABASE_URI": url})
    with first.app_context(), db.engine.begin() as connection:
        Base.metadata.tables["tokens"].drop(connection)
    close(first)

    second = create_app({"SQLALCHEMY_DATABASE_URI": url})
    with second.app_context():
        tables = inspect(db.engine).get_table_names()
    close(second)
    assert "tokens" in tables


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgres://u:p@host/shop", "postgresql+psycopg://u:p@host/shop"),
        ("postgresql://host/shop", "postgresql+psycopg://host/shop"),
        ("postgresql+asyncpg://host/shop", "postgresql+asyncpg://host/shop"),
        ("sqlite:///shop.db", "sqlite:///shop.db"),
        ("sqlite://", "sqlite://"),
    ],
)
def test_a_postgresql_url_names_its_driver(url, expected):
    assert with_driver(url) == expected
