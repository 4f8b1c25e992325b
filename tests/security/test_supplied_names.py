"""A rule that was not added with ``add_url_rule()`` supplies no user."""

from __future__ import annotations

import typing as t

import pytest
from senders import TOKEN
from senders import bearer
from werkzeug.exceptions import Forbidden
from werkzeug.routing import Rule

from flask_signature import Depends
from flask_signature import Flask


def refuse() -> str:
    raise Forbidden


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__)
    app.testing = True

    @app.get("/me")
    def me(user: t.Annotated[str, TOKEN]) -> str:
        return user

    @app.get("/admin")
    def admin(user: t.Annotated[str, Depends(refuse)]) -> str:
        return user

    return app


@pytest.mark.parametrize("endpoint", ["me", "admin"])
def test_url_has_no_variable_that_is_supplied(app: Flask, endpoint: str):
    app.url_map.add(Rule("/of/<user>", endpoint=endpoint, methods=["GET"]))
    with pytest.raises(LookupError) as caught:
        app.test_client().get("/of/Bob", headers=bearer("Ann"))
    assert str(caught.value) == (
        f"'/of/<user>' has a variable 'user', which {endpoint}() is supplied with."
        " Rename it, so that no client can set that."
    )


def test_other_variables_of_such_a_rule_are_passed(app: Flask):
    @app.get("/n/<int:n>")
    def show(n: int, user: t.Annotated[str, TOKEN]) -> str:
        return f"{user} {n}"

    app.url_map.add(Rule("/m/<int:n>", endpoint="show", methods=["GET"]))
    assert app.test_client().get("/m/1", headers=bearer("Ann")).text == "Ann 1"


def test_a_view_may_pass_a_variable_of_its_own_to_another(app: Flask):
    @app.get("/pass/<user>")
    def pass_on(user: str) -> t.Any:
        return app.view_functions["me"](user=user)

    response = app.test_client().get("/pass/Bob", headers=bearer("Ann"))
    assert response.text == "Bob"
