"""The first start: tables are created, and books and people put into them."""

from __future__ import annotations

import csv
from pathlib import Path

from sqlalchemy import Connection, Engine, StaticPool, event, inspect, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.orm import Session
from werkzeug.security import generate_password_hash

from .catalogue.tables import Author, Book, BookTag
from .database import Base, db
from .session.tables import User

BOOKS = Path(__file__).with_name("books.csv")

#: What workers that start together hold while they prepare. Any number does, as long as
#: nobody else uses it in the same database.
SETUP_LOCK = 7_206_175_031

#: People to try the shop with; both passwords are in its description.
PEOPLE = [
    ("reader", "call-me-ishmael", False),
    ("bookseller", "it-was-the-best-of-times", True),
]


def prepare_database() -> None:
    """Create and fill the tables, unless an earlier start did.

    All of it is one transaction behind a lock: of several workers that start at once,
    the first does the work, the others wait for it and find it done.
    """
    if db.engine.dialect.name == "sqlite":
        event.listen(db.engine, "connect", set_up_sqlite)
    with db.engine.begin() as connection:
        lock_setup(connection)
        is_first = not inspect(connection).has_table(Book.__tablename__)
        # An earlier release of the shop had fewer tables.
        Base.metadata.create_all(connection)
        if is_first:
            with Session(connection) as session:
                add_books(session)
                add_people(session)
                session.commit()
    close_connections(db.engine)


def set_up_sqlite(connection: DBAPIConnection, record: object) -> None:
    """Make SQLite check foreign keys, and wait for other writers."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA busy_timeout = 15000")
    cursor.close()


def lock_setup(connection: Connection) -> None:
    """Hold other workers off until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SETUP_LOCK}
        )
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def close_connections(engine: Engine) -> None:
    """Leave no connection behind, which workers forked from here would share."""
    # A database in memory lives as long as its only connection.
    if not isinstance(engine.pool, StaticPool):
        engine.dispose()


def add_books(session: Session) -> None:
    """Put the rows of ``books.csv`` on the shelves."""
    authors: dict[str, Author] = {}
    with BOOKS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = row["author"]
            if name not in authors:
                authors[name] = Author(
                    name=name, born=year(row["born"]), died=year(row["died"])
                )
            session.add(read_book(row, authors[name]))
            # In the order of the file, so that the ids are the same everywhere.
            session.flush()


def read_book(row: dict[str, str], author: Author) -> Book:
    """The book that a row describes."""
    return Book(
        title=row["title"],
        author=author,
        year=int(row["year"]),
        language=row["language"],
        price_cents=int(row["price_cents"]),
        stock=int(row["stock"]),
        tag_rows=[BookTag(name=name) for name in row["tags"].split()],
    )


def year(cell: str) -> int | None:
    """A year, negative before the common era, or ``None`` where nobody knows."""
    return int(cell) if cell else None


def add_people(session: Session) -> None:
    """Let the people of the demonstration log in."""
    for username, password, is_staff in PEOPLE:
        hashed = generate_password_hash(password)
        session.add(User(username=username, password_hash=hashed, is_staff=is_staff))
