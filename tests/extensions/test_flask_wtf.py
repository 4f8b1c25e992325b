"""Flask-WTF: forms on pages as ever, and its CSRF protection before typed forms."""

from __future__ import annotations

import re

import pytest
from flask import render_template_string
from flask.testing import FlaskClient
from flask_wtf import CSRFProtect, FlaskForm
from wtforms import StringField
from wtforms.validators import Length

from flask_signature import Blueprint, Flask, Form

PAGE = "<form method=post>{{ form.hidden_tag() }}{{ form.name() }}</form>"


class NameForm(FlaskForm):
    name = StringField(validators=[Length(min=2)])


@pytest.fixture(autouse=True)
def pages(app: Flask) -> None:
    """A page with a form of Flask-WTF, and a typed form."""
    csrf = CSRFProtect(app)
    hooks = Blueprint("hooks", __name__, url_prefix="/hooks")
    csrf.exempt(hooks)

    @app.route("/name", methods=["GET", "POST"])
    def name():
        form = NameForm()
        if form.validate_on_submit():
            return f"Hello {form.name.data}", 200
        return render_template_string(PAGE, form=form)

    @app.post("/order")
    def order(article: str = Form(), count: int = Form(1, ge=1)) -> dict[str, object]:
        return {"article": article, "count": count}

    @hooks.post("/paid")
    def paid(number: int) -> dict[str, int]:
        return {"number": number}

    @csrf.exempt
    @app.post("/ping", status_code=200)
    def ping(number: int) -> dict[str, int]:
        return {"number": number}

    app.register_blueprint(hooks)
    app.init_app()


def token_of(client: FlaskClient) -> str:
    """The token that the page's form holds."""
    page = client.get("/name").text
    (token,) = re.findall(r'name="csrf_token"[^>]*value="([^"]+)"', page)
    return token


def test_typed_form_is_refused_without_a_token(client):
    response = client.post("/order", data={"article": "lamp", "count": "0"})

    assert response.status_code == 400
    assert response.json == {"message": "The CSRF token is missing."}


def test_typed_form_is_read_with_a_token(client):
    token = token_of(client)
    form = {"article": "lamp", "count": "2", "csrf_token": token}
    headers = {"X-CSRFToken": token}

    response = client.post("/order", data=form)
    assert response.json == {"article": "lamp", "count": 2}
    assert client.post("/order", data={}, headers=headers).status_code == 422


@pytest.mark.parametrize("path", ["/hooks/paid", "/ping"])
def test_exempt_blueprint_or_view_of_ours_needs_no_token(client, path):
    assert client.post(path, json={"number": "4"}).json == {"number": 4}
