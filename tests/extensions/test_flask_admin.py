"""Flask-Admin: its pages are plain Flask's, and stay so on our application."""

from __future__ import annotations

import collections.abc as cabc
import typing as t

import pytest
from flask.testing import FlaskClient
from flask_admin import Admin
from flask_admin import AdminIndexView
from flask_admin import BaseView
from flask_admin import expose
from flask_admin.contrib.sqla import ModelView
from flask_babel import Babel
from flask_sqlalchemy import SQLAlchemy
from pydantic import BaseModel
from pydantic import ConfigDict
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.orm import Mapped
from sqlalchemy.orm import mapped_column

from flask_signature import Flask


class Base(DeclarativeBase):
    """The tables of the shop."""


db = SQLAlchemy(model_class=Base)


class Row(db.Model):
    """One article."""

    __tablename__ = "admin_articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Article(BaseModel):
    """What a client receives."""

    model_config = ConfigDict(from_attributes=True)
    id: int
    name: str


class Reports(BaseView):
    """A page of the author's own, whose argument comes from the URL."""

    @expose("/")
    def index(self) -> str:
        return "reports"

    @expose("/<int:year>")
    def year(self, year: int, page: int = 1) -> str:
        return f"{year} {page}"


@pytest.fixture(autouse=True)
def pages(app: Flask) -> cabc.Iterator[None]:
    """The admin pages beside a typed route."""
    app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite://"
    # Where Flask-Babel is installed, Flask-Admin translates its pages with it.
    Babel(app)
    db.init_app(app)
    admin = Admin(app, name="Shop", index_view=AdminIndexView())
    admin.add_view(ModelView(Row, db, endpoint="articles"))
    admin.add_view(Reports(name="Reports", endpoint="reports"))

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


def test_index_page_is_html(client: FlaskClient) -> None:
    response = client.get("/admin/")

    assert response.status_code == 200
    assert response.mimetype == "text/html"
    assert "Shop" in response.text


def test_row_made_on_a_page_is_answered_by_a_typed_route(client: FlaskClient) -> None:
    page = client.get("/admin/articles/new/")
    made = client.post("/admin/articles/new/", data={"name": "lamp"})

    assert page.status_code == 200
    assert made.status_code == 302
    assert client.get("/articles/1").json == {"id": 1, "name": "lamp"}
    assert "lamp" in client.get("/admin/articles/").text


def test_invalid_form_is_the_page_again(client: FlaskClient) -> None:
    response = client.post("/admin/articles/new/", data={"name": ""})

    assert response.status_code == 200
    assert response.mimetype == "text/html"


def test_argument_of_an_admin_page_is_not_read_from_the_query(
    client: FlaskClient,
) -> None:
    assert client.get("/admin/reports/2031?page=5").text == "2031 1"


def test_admin_pages_are_not_described(client: FlaskClient) -> None:
    document: dict[str, t.Any] = client.get("/openapi.json").json or {}

    assert list(document["paths"]) == ["/articles/{article_id}"]
