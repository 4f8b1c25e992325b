"""What some scenarios change about a shop that is an application of Flask."""

from __future__ import annotations

import typing as t

from flask import Flask, Response, g, request, session, url_for

from . import shop


def set_secret_key(app: Flask) -> Flask:
    """The application, which opens a session for each request."""
    app.secret_key = shop.SECRET_KEY
    return app


def add_hooks(app: Flask) -> Flask:
    """The application, which reads the number of a request and sends it back."""

    @app.before_request
    def read_id() -> None:
        g.request_id = request.headers.get(shop.ID_HEADER, "")

    @app.after_request
    def send_id(response: Response) -> Response:
        response.headers[shop.ID_HEADER] = g.request_id
        return response

    return app


def add_three_hooks(app: Flask) -> Flask:
    """The application, which also notes the end of a request."""
    ended: list[str] = []

    @app.teardown_request
    def end(error: BaseException | None) -> None:
        ended[:] = [g.request_id]

    return add_hooks(app)


def add_usual_view(app: Flask) -> Flask:
    """The application with a page that uses most of what Flask has for a request."""
    app.secret_key = shop.SECRET_KEY

    def usual():  # type: ignore[no-untyped-def]
        g.agent = request.headers.get("User-Agent", "")
        if "user" in session or g.agent != "benchmarks":
            return "log out"
        return url_for("hello", page=len(request.path))

    app.add_url_rule("/usual", "usual", usual)
    return app


def add_view_of_args(app: Flask) -> Flask:
    """The application with a page that reads the query string by hand."""

    def by_hand():  # type: ignore[no-untyped-def]
        g.page = request.args.get("page", 1, int)
        return f"page {g.page}"

    app.add_url_rule("/by-hand", "by_hand", by_hand)
    return app


CHANGES: dict[str, t.Callable[[Flask], Flask]] = {
    "build_with_secret_key": set_secret_key,
    "build_with_hooks": add_hooks,
    "build_with_three_hooks": add_three_hooks,
    "build_with_usual_view": add_usual_view,
    "build_with_view_of_args": add_view_of_args,
}
