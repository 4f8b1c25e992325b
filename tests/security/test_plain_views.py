"""Views that are not parsed, in a blueprint of ours that is guarded."""

from __future__ import annotations

import typing as t

import flask
import pytest
from senders import ANN, EVE, GRANTED, TOKEN, challenges, find_user, guarded

from flask_signature import Blueprint, Flask, Header
from flask_signature.security import HTTPBearer

if t.TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A static folder with one file."""
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "a.txt").write_text("a")
    return folder


def plain_blueprint(name: str = "plain", **options: t.Any) -> flask.Blueprint:
    plain = flask.Blueprint(name, __name__, url_prefix=f"/{name}", **options)
    plain.add_url_rule("/<int:n>", "show", lambda n: f"plain {n}", methods=["GET"])
    return plain


def check_version(x_version: int = Header()) -> None:
    if x_version < 2:
        flask.abort(409, "Too old.")


def assert_guarded(
    app: flask.Flask, url: str = "/plain/1", text: str = "plain 1", **options: t.Any
) -> None:
    client = app.test_client()
    refused = client.open(url, **options)
    assert refused.status_code == 401, url
    assert challenges(refused) == ['Bearer realm="token"']
    wrong = client.open(url, **options, headers=EVE)
    assert wrong.status_code == 401, url
    assert challenges(wrong) == ['Bearer realm="token", error="invalid_token"']
    with client.open(url, **options, headers=ANN) as response:
        assert (response.status_code, response.text) == (200, text), url


def test_plain_view_is_guarded(any_app):
    plain = plain_blueprint()
    plain.register_blueprint(plain_blueprint("deep"))
    any_app.register_blueprint(guarded(plain))

    assert_guarded(any_app)
    assert_guarded(any_app, "/plain/deep/2", "plain 2")


def test_static_files_are_guarded(any_app, files):
    plain = plain_blueprint(static_folder=files)
    inner = Blueprint("inner", __name__, url_prefix="/in", static_folder=files)
    outer = guarded(plain, inner, url_prefix="/out", static_folder=files)
    any_app.register_blueprint(outer)

    for url in ("/out/static", "/out/in/static", "/out/plain/static"):
        assert_guarded(any_app, f"{url}/a.txt", "a")
        # Nobody learns which files there are.
        assert any_app.test_client().get(f"{url}/b.txt").status_code == 401


def test_plain_view_of_an_asynchronous_scheme_is_guarded(any_app):
    async def find(token: str) -> str | None:
        return find_user(token)

    token = HTTPBearer("token", verify=find)
    any_app.register_blueprint(guarded(plain_blueprint(), security=token))

    assert_guarded(any_app)


def test_plain_blueprint_is_guarded_where_it_is_registered(app):
    app.register_blueprint(plain_blueprint(), security=TOKEN)

    assert_guarded(app)


def test_refusals_of_other_guards_are_json(app, client, files):
    bp = guarded(security=None, dependencies=[check_version], static_folder=files)
    app.register_blueprint(bp, url_prefix="/out")
    app.init_app()

    old = client.get("/out/static/a.txt", headers={"X-Version": "1"})
    assert (old.status_code, old.json) == (409, {"message": "Too old."})
    unknown = client.get("/out/static/a.txt", headers={"X-Version": "x"})
    assert unknown.json["detail"][0]["loc"] == ["header", "X-Version"]
    # What the view says of a request that reached it is Flask's own.
    missing = client.get("/out/static/b.txt", headers={"X-Version": "2"})
    assert (missing.status_code, missing.mimetype) == (404, "text/html")


@pytest.mark.parametrize("where", ["configuration", "dependencies"])
def test_what_stands_on_the_application_guards_views_of_ours(files, where):
    def check_token(user: t.Annotated[str, TOKEN]) -> None:
        assert user in GRANTED

    guards = [check_token] if where == "dependencies" else []
    app = Flask(__name__, static_folder=files, dependencies=guards)
    if where == "configuration":
        app.config["SIGNATURE_SECURITY"] = TOKEN
    app.register_blueprint(plain_blueprint())
    ours = Blueprint("ours", __name__, static_folder=files)
    app.register_blueprint(ours, url_prefix="/ours")
    app.get("/view")(lambda: "view")
    app.init_app()

    assert_guarded(app, "/view", "view")
    files_of_ours = "/ours/static/a.txt"
    for url in ("/plain/1", "/static/a.txt", files_of_ours, "/docs", "/openapi.json"):
        with app.test_client().get(url) as response:
            assert response.status_code == 200, url
