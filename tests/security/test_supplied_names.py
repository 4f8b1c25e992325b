"""What a request carries never takes the place of what the view is supplied with."""

from __future__ import annotations

import typing as t

import flask
import pytest
from flask.views import MethodView
from senders import ANN, TOKEN
from werkzeug.exceptions import Forbidden
from werkzeug.routing import Rule

from flask_signature import Blueprint, Depends, Injected
from flask_signature.security import HTTPBearer


def refuse() -> str:
    raise Forbidden


def me(user: t.Annotated[str, TOKEN]) -> str:
    return user


def admin(user: t.Annotated[str, Depends(refuse)]) -> str:
    return user


def by_default(user: str = Injected()) -> str:
    return user


def with_default(user: t.Annotated[str, Injected()] = "nobody") -> str:
    return user


async def asynchronous(user: str = Injected()) -> str:
    return user


class Show(MethodView):
    def get(self, user: t.Annotated[str, Injected()] = "nobody") -> str:
        return user


VIEWS = (me, admin, by_default, with_default, asynchronous, Show.get)


@pytest.mark.parametrize("view", VIEWS)
def test_url_has_no_variable_that_is_supplied(any_app, view):
    bp = Blueprint("bp", __name__)
    function = Show.as_view("show") if view is Show.get else view
    bp.add_url_rule("/", "view", function)
    any_app.register_blueprint(bp)
    any_app.testing = True
    any_app.url_map.add(Rule("/of/<user>", endpoint="bp.view", methods=["GET"]))

    with pytest.raises(LookupError) as caught:
        any_app.test_client().get("/of/Bob", headers=ANN)
    assert str(caught.value) == (
        f"'/of/<user>' has a variable 'user', which {view.__qualname__}() is supplied"
        " with. Rename it, so that no client can set that."
    )


@pytest.mark.parametrize("how", ["mapping", "plain blueprint"])
def test_url_of_another_endpoint_has_none_either(app, how):
    app.get("/view")(me)
    app.testing = True
    if how == "mapping":
        app.view_functions["other"] = app.view_functions["me"]
        app.url_map.add(Rule("/of/<user>", endpoint="other"))
    else:
        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/of/<user>", "other", app.view_functions["me"])
        app.register_blueprint(plain)

    with pytest.raises(LookupError, match="has a variable 'user'"):
        app.test_client().get("/of/Bob", headers=ANN)


def test_other_variables_of_such_a_rule_are_passed(app, client):
    @app.get("/n/<int:n>")
    def show(n: int, user: t.Annotated[str, TOKEN]) -> str:
        return f"{user} {n}"

    app.url_map.add(Rule("/m/<int:n>", endpoint="show", methods=["GET"]))
    assert client.get("/m/1", headers=ANN).text == "Ann 1"


def test_a_view_may_pass_a_variable_of_its_own_to_another(app, client):
    app.get("/me")(me)
    app.get("/by-default")(by_default)

    @app.get("/pass/<endpoint>/<user>")
    def pass_on(endpoint: str, user: str) -> t.Any:
        return app.view_functions[endpoint](user=user)

    assert client.get("/pass/me/Bob", headers=ANN).text == "Bob"
    assert client.get("/pass/by_default/Bob").text == "Bob"


#: Names of a guard that takes the user, of one that reads an argument, of the scheme.
NAMES = {
    "one name": ("guard", "guard", "token"),
    "the name of the scheme": ("guard", "security token", "token"),
    "the key of the scheme": ("security token", "security token", "token()"),
    "the key of an argument": ("argument guard", "guard", "token"),
    "the key of the other guard": ("guard", "dependency guard", "guard()"),
    "a number": ("guard", "guard() 2", "token"),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("kind", ["def", "async"])
def test_an_argument_is_not_the_user_of_a_guard(app, client, names, is_reversed, kind):
    seen = []
    scheme = HTTPBearer(names[2], verify=verify_with_argument)

    def takes_user(user: t.Annotated[str, scheme]) -> None:
        seen.append(("takes", user))

    def reads_user(user: str = "") -> None:
        seen.append(("reads", user))

    async def later() -> None: ...

    takes_user.__name__, reads_user.__name__ = names[:2]
    guards = [takes_user, reads_user, *([later] if kind == "async" else [])]

    @app.get("/", dependencies=guards[::-1] if is_reversed else guards)
    def show(user: t.Annotated[str, scheme]) -> str:
        return user

    assert client.get("/?user=eve", headers=ANN).text == "Ann"
    assert sorted(seen) == [("reads", "eve"), ("takes", "Ann")]


def verify_with_argument(token: str, user: str = "") -> str:
    return token


def test_a_dependency_is_not_what_another_one_reads(app, client):
    def get_db() -> str:
        return "db"

    def read(db: str = "") -> str:
        return db

    def guard(db: t.Annotated[str, Depends(get_db)], db2: str = "") -> None:
        assert db == "db"

    read.__name__ = guard.__name__ = get_db.__name__

    @app.get("/", dependencies=[guard])
    def show(
        db: t.Annotated[str, Depends(get_db)], other: t.Annotated[str, Depends(read)]
    ) -> str:
        return f"{db} {other}"

    assert client.get("/?db=eve").text == "db eve"
