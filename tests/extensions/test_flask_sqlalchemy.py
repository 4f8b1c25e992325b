"""Flask-SQLAlchemy: rows come from typed bodies, and go out through response models."""

from __future__ import annotations

import collections.abc as cabc

import pytest
from flask_sqlalchemy import SQLAlchemy
from pydantic import BaseModel, Field
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from flask_signature import Flask, Query


class Base(DeclarativeBase):
    """The tables of the shop."""


db = SQLAlchemy(model_class=Base)


class Row(db.Model):
    """One article, with a column that no client may see."""

    __tablename__ = "articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    cost: Mapped[int] = mapped_column(default=7)


class ArticleIn(BaseModel):
    name: str = Field(min_length=1)


class Article(BaseModel, from_attributes=True):
    id: int
    name: str


@pytest.fixture(autouse=True)
def tables(app: Flask) -> cabc.Iterator[None]:
    app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite://"
    db.init_app(app)

    @app.post("/articles")
    def create(article: ArticleIn) -> Article:
        row = Row(name=article.name)
        db.session.add(row)
        db.session.commit()
        return row

    @app.get("/articles")
    def search(page: int = Query(1, ge=1), size: int = 2) -> list[Article]:
        select = db.select(Row).order_by(Row.id)
        return db.paginate(select, page=page, per_page=size, error_out=False).items

    @app.get("/articles/<int:article_id>")
    def show(article_id: int) -> Article:
        return db.get_or_404(Row, article_id)

    app.init_app()
    with app.app_context():
        db.create_all()
    yield
    with app.app_context():
        db.session.remove()
        db.drop_all()
        db.engine.dispose()


@pytest.mark.default_status
def test_row_is_made_from_a_body_and_answered_by_its_model(client):
    response = client.post("/articles", json={"name": "lamp"})

    assert response.status_code == 201
    assert response.json == {"id": 1, "name": "lamp"}


def test_invalid_body_makes_no_row(client):
    assert client.post("/articles", json={"name": ""}).status_code == 422
    assert client.get("/articles").json == []


def test_page_of_rows_is_a_list_of_models(client):
    for name in ("lamp", "chair", "table"):
        client.post("/articles", json={"name": name})

    assert client.get("/articles?page=2").json == [{"id": 3, "name": "table"}]
    assert client.get("/articles?page=0").status_code == 422


def test_missing_row_answers_404_as_json(client):
    response = client.get("/articles/9")

    assert response.status_code == 404
    assert list(response.json) == ["message"]
