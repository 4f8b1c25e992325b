"""Flask-HTTPAuth: passwords and tokens before typed views."""

from __future__ import annotations

import pytest
from flask_httpauth import HTTPBasicAuth, HTTPTokenAuth
from pydantic import BaseModel

from flask_signature import Blueprint, Flask


class Note(BaseModel):
    """A note."""

    text: str


@pytest.fixture(autouse=True)
def pages(app: Flask) -> None:
    """Notes behind a password, numbers behind a token and a role."""
    basic, tokens = HTTPBasicAuth(), HTTPTokenAuth()
    basic.verify_password(lambda name, password: name if password == "x" else None)
    tokens.verify_token(lambda token: token or None)
    tokens.get_user_roles(lambda user: [user])
    bp = Blueprint("notes", __name__, decorators=[basic.login_required])

    @bp.post("/notes")
    def create(note: Note) -> dict[str, str]:
        return {"text": note.text, "by": str(basic.current_user())}

    @app.get("/numbers/<int:number>")
    @tokens.login_required(role="admin")
    def show(number: int, size: int = 1) -> dict[str, int]:
        return {"number": number, "size": size}

    app.register_blueprint(bp)
    app.init_app()


def test_missing_password_answers_401_before_the_body_is_read(client):
    response = client.post("/notes", json={"text": []})

    assert response.status_code == 401
    assert (
        response.headers["WWW-Authenticate"] == 'Basic realm="Authentication Required"'
    )


def test_password_opens_the_typed_view(client):
    good = client.post("/notes", json={"text": "tea"}, auth=("ada", "x"))
    bad = client.post("/notes", json={"text": []}, auth=("ada", "x"))

    assert good.json == {"text": "tea", "by": "ada"}
    assert bad.status_code == 422


@pytest.mark.parametrize(
    ("token", "status"), [("admin", 200), ("guest", 403), ("", 401)]
)
def test_role_below_the_route_keeps_the_arguments(client, token, status):
    headers = {"Authorization": f"Bearer {token}"} if token else {}

    response = client.get("/numbers/4?size=2", headers=headers)

    assert response.status_code == status
    if status == 200:
        assert response.json == {"number": 4, "size": 2}
