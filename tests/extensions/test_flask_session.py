"""Flask-Session: typed views read and write a session that the server keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from cachelib.file import FileSystemCache
from flask import session
from flask_session import Session

from flask_signature import Flask


@pytest.fixture(autouse=True)
def pages(app: Flask, tmp_path: Path) -> None:
    """A basket, kept in files."""
    app.config["SESSION_TYPE"] = "cachelib"
    app.config["SESSION_CACHELIB"] = FileSystemCache(str(tmp_path / "sessions"))
    Session(app)

    @app.put("/basket", status_code=200)
    def add(article: str, count: int = 1) -> dict[str, int]:
        basket = session.setdefault("basket", {})
        basket[article] = basket.get(article, 0) + count
        session.modified = True
        return basket

    @app.get("/basket")
    def show() -> dict[str, int]:
        return session.get("basket", {})


def test_session_lasts_from_one_typed_request_to_the_next(client):
    response = client.put("/basket", json={"article": "lamp", "count": "2"})
    client.put("/basket", json={"article": "lamp"})
    refused = client.put("/basket", json={"article": 3, "count": []})

    # The cookie holds the identifier alone.
    assert "lamp" not in response.headers["Set-Cookie"]
    assert refused.status_code == 422
    assert client.get("/basket").json == {"lamp": 3}
