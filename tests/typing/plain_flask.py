"""A plain Flask application, of which only the import of the classes has changed."""

from __future__ import annotations

from flask import g, redirect, render_template, request, url_for
from flask import typing as ft

from flask_signature import Blueprint, Flask

pages = Blueprint("pages", __name__, template_folder="templates", url_prefix="/pages")


@pages.before_request
def greet() -> ft.ResponseReturnValue | None:
    return None


@pages.route("/login", methods=["GET", "POST"])
def login() -> ft.ResponseReturnValue:
    if request.method == "POST":
        return redirect(url_for("pages.login", language=g.language))
    return render_template("login.html"), 200, {"Cache-Control": "no-store"}


@pages.errorhandler(404)
def not_found(error: Exception) -> tuple[str, int]:
    return str(error), 404


def create_app() -> Flask:
    app = Flask(__name__, static_folder=None, instance_relative_config=True)
    app.config.from_mapping(SECRET_KEY="dev")

    @app.get("/<name>")
    def hello(name: str) -> str:
        return f"Hello, {name}!"

    app.register_blueprint(pages, url_prefix="/<language>")
    return app
