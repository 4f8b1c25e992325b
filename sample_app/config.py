"""Settings, before the environment and the factory's caller have their say."""

from __future__ import annotations

#: Relative to the instance folder.
SQLALCHEMY_DATABASE_URI = "sqlite:///bookshop.db"
#: A database that was restarted costs a reconnection, not an error.
SQLALCHEMY_ENGINE_OPTIONS = {"pool_pre_ping": True}

#: In bytes. It bounds every request, and with it the cover of a book.
MAX_CONTENT_LENGTH = 2 * 1024 * 1024
#: In seconds: how long a login lasts.
LOGIN_LIFETIME = 14 * 24 * 60 * 60

SIGNATURE_TITLE = "Bookshop"
SIGNATURE_VERSION = "1.0.0"
SIGNATURE_DESCRIPTION = """\
A shop that sells books which are in the public domain.

Everybody may read the catalogue. To write a review or to order, log in at `/session`
as the customer `reader` with the password `call-me-ishmael`. To add books and covers
and to ship orders, log in as `bookseller` with the password `it-was-the-best-of-times`.

A script needs no password. Create a token for it at `/session/tokens`, and it may do
what you may do.
"""
SIGNATURE_LICENSE = {"name": "MIT", "identifier": "MIT"}
SIGNATURE_TAGS = [
    {"name": "Catalogue", "description": "Books, their authors and their tags."},
    {"name": "Reviews", "description": "What customers think of a book."},
    {"name": "Covers", "description": "The picture on the front of a book."},
    {"name": "Orders", "description": "The orders of the customer who is logged in."},
    {
        "name": "Session",
        "description": "Logging in and out, and tokens for scripts.",
    },
]


def with_driver(url: str) -> str:
    """The database URL with the PostgreSQL driver of this application named in it.

    Hosts hand out ``postgres://`` and ``postgresql://``. SQLAlchemy does not know the
    first, and takes the second for psycopg 2.
    """
    scheme, separator, rest = url.partition("://")
    if scheme in {"postgres", "postgresql"}:
        scheme = "postgresql+psycopg"
    return f"{scheme}{separator}{rest}"
