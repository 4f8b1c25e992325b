"""What a blueprint requires holds for everything inside, parsed or not."""

from __future__ import annotations

import flask
import pytest

from flask_signature import Blueprint
from flask_signature import Flask
from flask_signature.security import HTTPBearer

GOOD = {"Authorization": "Bearer good"}


@pytest.fixture
def client(tmp_path):
    """A client of an application with a guarded blueprint, and plain ones."""
    (tmp_path / "style.css").write_text("p {}")
    token = HTTPBearer("token", verify=lambda token: token == "good")
    shop = Blueprint(
        "shop",
        __name__,
        url_prefix="/shop",
        security=token,
        static_folder=str(tmp_path),
        static_url_path="/static",
    )
    inside = flask.Blueprint("inside", __name__, url_prefix="/inside")
    beside = flask.Blueprint("beside", __name__, url_prefix="/beside")

    @inside.get("/<int:number>")
    @beside.get("/<int:number>")
    def show(number):
        return f"{number}"

    shop.register_blueprint(inside)
    app = Flask(__name__)
    app.register_blueprint(shop)
    app.register_blueprint(beside)
    app.init_app()
    return app.test_client()


@pytest.mark.parametrize("path", ["/shop/inside/7", "/shop/static/style.css"])
def test_what_is_inside_is_refused_without_credentials(client, path):
    response = client.get(path)

    assert response.status_code == 401
    assert response.json == {"message": "Credentials are needed."}
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="token"'


@pytest.mark.parametrize(
    ("path", "text"), [("/shop/inside/7", "7"), ("/shop/static/style.css", "p {}")]
)
def test_what_is_inside_is_served_with_credentials(client, path, text):
    with client.get(path, headers=GOOD) as response:
        assert response.text == text


def test_what_is_beside_is_served_to_all(client):
    assert client.get("/beside/7").text == "7"


def test_name_and_attributes_of_a_guarded_plain_view_are_kept(client):
    view = client.application.view_functions["shop.inside.show"]

    assert view.__name__ == "show"
