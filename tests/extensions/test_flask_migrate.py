"""Flask-Migrate: its commands run on our application's command line."""

from __future__ import annotations

import pytest
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import inspect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The tables of the shop."""


db = SQLAlchemy(model_class=Base)


class Row(db.Model):
    __tablename__ = "migrated_articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


# The env.py that Flask-Migrate writes asks for the engine in the old way first.
@pytest.mark.filterwarnings("ignore:'get_engine' is deprecated:DeprecationWarning")
def test_schema_is_made_by_the_commands(app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{tmp_path}/shop.db"
    db.init_app(app)
    Migrate(app, db, directory=str(tmp_path / "migrations"))
    app.init_app()
    runner = app.test_cli_runner()

    for command in ("init", "migrate", "upgrade"):
        result = runner.invoke(args=["db", command])
        assert result.exit_code == 0, result.output

    with app.app_context():
        tables = inspect(db.engine).get_table_names()
        db.engine.dispose()
    assert sorted(tables) == ["alembic_version", "migrated_articles"]
