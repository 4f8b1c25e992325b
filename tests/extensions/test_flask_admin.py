"""Flask-Admin: its pages are plain Flask's, and stay so on our application."""

from __future__ import annotations

import collections.abc as cabc

import flask
import pytest
from flask_admin import Admin, BaseView, expose
from flask_admin.actions import action
from flask_admin.contrib.sqla import ModelView
from flask_babel import Babel
from flask_sqlalchemy import SQLAlchemy
from pair import OURS, Classes, Pair
from pydantic import BaseModel
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The tables of the shop."""


db = SQLAlchemy(model_class=Base)


class Row(db.Model):
    __tablename__ = "admin_articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Article(BaseModel, from_attributes=True):
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

    @expose("/send", methods=["POST", "DELETE"])
    def send(self, article: str = "none") -> str:
        return f"sent {article}"


class ArticleView(ModelView):
    """Rows that can be searched, and renamed in the list."""

    column_searchable_list = ["name"]
    column_filters = ["name"]
    column_editable_list = ["name"]
    can_export = True
    page_size = 2

    def get_export_name(self, export_type: str = "csv") -> str:
        """A name without the time, which may be another second for each of a pair."""
        return f"articles.{export_type}"

    @action("double", "Double")
    def double(self, ids: list[str]) -> None:
        for row in db.session.query(Row).filter(Row.id.in_(ids)):
            row.name *= 2
        db.session.commit()


def make_app(classes: Classes) -> flask.Flask:
    """The admin pages, in a program that names no type."""
    app = classes.app("shop")
    app.config.update(
        SQLALCHEMY_DATABASE_URI="sqlite://", SECRET_KEY="secret", TESTING=True
    )
    # Where Flask-Babel is installed, Flask-Admin translates its pages with it.
    Babel(app)
    db.init_app(app)
    admin = Admin(app, name="Shop")
    admin.add_view(ArticleView(Row, db, endpoint="articles"))
    admin.add_view(Reports(name="Reports", endpoint="reports"))
    with app.app_context():
        db.create_all()
        db.session.add_all(Row(name=name) for name in ("lamp", "desk", "chair"))
        db.session.commit()
    return app


@pytest.fixture
def pages(pair: Pair) -> cabc.Iterator[Pair]:
    """The pages on Flask's classes and on ours, with a database each."""
    yield pair
    for client in (pair.plain, pair.ours):
        with client.application.app_context():
            db.session.remove()
            db.engine.dispose()


def test_row_made_on_a_page_is_answered_by_a_typed_route():
    app = make_app(OURS["our-classes"])

    @app.get("/articles/<int:article_id>")
    def show(article_id: int) -> Article:
        return db.get_or_404(Row, article_id)

    client = app.test_client()
    made = client.post("/admin/articles/new/", data={"name": "stool"})

    assert made.status_code == 302
    assert client.get("/articles/4").json == {"id": 4, "name": "stool"}
    with app.app_context():
        db.engine.dispose()


def test_invalid_form_is_the_page_again(pages):
    form = {"name": ""}
    response = pages.open("/admin/articles/new/", method="POST", data=form)

    assert (response.status_code, response.mimetype) == (200, "text/html")


def test_admin_pages_are_not_described(pages):
    assert pages.described() == []


def test_view_that_is_exposed_has_the_status_of_flask(pages):
    made = pages.open("/admin/reports/send?article=x", method="POST", data={"a": "b"})
    gone = pages.open("/admin/reports/send", method="DELETE")

    assert (made.status_code, made.text) == (200, "sent none")
    assert (gone.status_code, gone.text) == (200, "sent none")


def test_row_is_renamed_in_the_list(pages):
    form = {"list_form_pk": "1", "name": "candle"}

    response = pages.open("/admin/articles/ajax/update/", method="POST", data=form)
    assert response.status_code == 200
    assert "candle" in pages.open("/admin/articles/?search=candle").text


def test_rows_are_edited_changed_and_deleted(pages):
    double = {"action": "double", "rowid": ["1", "2"]}
    for path, form in (
        ("/admin/articles/edit/?id=3", {"name": "stool"}),
        ("/admin/articles/action/", double),
        ("/admin/articles/delete/", {"id": "3"}),
    ):
        assert pages.open(path, method="POST", data=form).status_code == 302

    assert "lamplamp" in pages.open("/admin/articles/").text


PATHS = [
    "/admin/",
    "/admin/articles/new/",
    "/admin/articles/?page=1",
    "/admin/articles/?flt0_0=lamp&sort=0&desc=1",
    "/admin/articles/edit/?id=2&modal=True",
    "/admin/articles/details/?id=2",
    "/admin/articles/export/csv/",
    "/admin/articles/ajax/lookup/?name=x",
    "/admin/static/admin/js/helpers.js",
    "/admin/reports/2031?page=5",
    "/admin/reports/send",
]


@pytest.mark.parametrize("path", PATHS)
def test_answer_to_a_browser_is_that_of_flask(pages, path):
    pages.open(path, headers={"Accept": "text/html"})
