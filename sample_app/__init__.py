"""A bookshop: one blueprint package per concern, put together by a factory.

``flask run`` at the root of the repository starts it, and ``/docs`` describes it. It
keeps its books in SQLite in the instance folder, or in PostgreSQL where
``DATABASE_URL`` says so. Two people can log in: the customer ``reader`` with the
password ``call-me-ishmael``, and ``bookseller``, who is staff, with the password
``it-was-the-best-of-times``.
"""

from __future__ import annotations

import os
import typing as t
from collections.abc import Mapping

from flask import redirect
from werkzeug.wrappers import Response

from flask_signature import Flask

from . import catalogue, covers, orders, reviews, session
from . import config as defaults
from .database import db
from .setup import prepare_database

CONCERNS = (catalogue, reviews, covers, orders, session)


def create_app(config: Mapping[str, t.Any] | None = None) -> Flask:
    """The bookshop, its tables created and its shelves filled.

    Settings are those of ``sample_app.config``, then ``FLASK_*`` and ``DATABASE_URL``
    of the environment, then ``config``.
    """
    app = Flask(__name__, instance_relative_config=True)
    configure(app, config or {})
    db.init_app(app)
    for concern in CONCERNS:
        app.register_blueprint(concern.bp)
    app.add_url_rule("/", view_func=show_docs, include_in_schema=False)
    app.init_app()
    with app.app_context():
        prepare_database()
    return app


def configure(app: Flask, config: Mapping[str, t.Any]) -> None:
    """Load the settings, the most particular last."""
    app.config.from_object(defaults)
    app.config.from_prefixed_env()
    if url := os.environ.get("DATABASE_URL"):
        app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config.from_mapping(config)
    uri = defaults.with_driver(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = uri


def show_docs() -> Response:
    """Lead a visitor of the bare host to the description."""
    # Relative, so that it holds behind a mount prefix too.
    return redirect("docs")
