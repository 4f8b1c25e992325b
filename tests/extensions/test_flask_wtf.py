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
    """A form of one field."""

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
    found = re.search(
        r'name="csrf_token"[^>]*value="([^"]+)"', client.get("/name").text
    )
    assert found is not None
    return found[1]


def test_form_on_a_page_is_validated_by_flask_wtf(client):
    token = token_of(client)

    good = client.post("/name", data={"csrf_token": token, "name": "Ada"})
    short = client.post("/name", data={"csrf_token": token, "name": "A"})
    assert good.text == "Hello Ada"
    assert short.text.startswith("<form")


def test_typed_form_is_refused_without_a_token(client):
    response = client.post("/order", data={"article": "lamp", "count": "0"})

    assert response.status_code == 400
    assert response.json == {"message": "The CSRF token is missing."}


def test_typed_form_is_read_with_a_token(client):
    form = {"article": "lamp", "count": "2", "csrf_token": token_of(client)}

    response = client.post("/order", data=form)
    assert response.json == {"article": "lamp", "count": 2}


def test_token_may_come_in_a_header(client):
    headers = {"X-CSRFToken": token_of(client)}

    assert client.post("/order", data={}, headers=headers).status_code == 422


def test_exempt_blueprint_of_ours_needs_no_token(client):
    assert client.post("/hooks/paid", json={"number": "4"}).json == {"number": 4}


def test_exempt_view_of_ours_needs_no_token(client):
    assert client.post("/ping", json={"number": "4"}).json == {"number": 4}
