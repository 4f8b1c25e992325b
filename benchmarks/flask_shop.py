"""What two scenarios change about a shop that is an application of Flask."""

from __future__ import annotations

import typing as t

from flask import Flask
from flask import Response
from flask import g
from flask import request

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


CHANGES: dict[str, t.Callable[[Flask], Flask]] = {
    "build_with_secret_key": set_secret_key,
    "build_with_hooks": add_hooks,
}
