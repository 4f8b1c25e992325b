"""Mistakes in the use of schemes, and what is said of them."""

from __future__ import annotations

import flask
import guards
import pytest
from document import security_of
from flask.views import MethodView
from messages import message_of
from senders import guarded, plain, show

from flask_signature import Blueprint, Flask, SignatureError, operation
from flask_signature.security import HTTPBearer

TOKEN = HTTPBearer("token", verify=lambda token: token)


def on_a_route(app, security):
    app.get("/", security=security)(show)


def on_a_blueprint(app, security):
    bp = guarded(security=security)
    bp.get("/")(show)
    app.register_blueprint(bp)


def on_a_registration(app, security):
    bp = Blueprint("bp", __name__)
    bp.get("/")(show)
    app.register_blueprint(bp, security=security)


def in_a_blueprint(app, security):
    bp = Blueprint("bp", __name__)
    on_a_route(bp, security)
    app.register_blueprint(bp)


def on_a_method(app, security):
    class Show(MethodView):
        @operation(security=security)
        def get(self): ...

    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/", view_func=Show.as_view("show"))
    app.register_blueprint(bp)


def around_a_plain_view(app, security):
    app.register_blueprint(guarded(plain(), security=security))


def around_static_files(app, security):
    bp = guarded(security=security, static_folder="static")
    app.register_blueprint(bp, url_prefix="/bp")


def in_the_configuration(app, security):
    app.config["SIGNATURE_SECURITY"] = security
    app.init_app()


def in_the_configuration_before_a_route(app, security):
    app.config["SIGNATURE_SECURITY"] = security
    app.get("/")(show)


IN_BLUEPRINTS = [
    *(on_a_blueprint, on_a_registration, in_a_blueprint, on_a_method),
    *(around_a_plain_view, around_static_files),
]
PLACES = pytest.mark.parametrize(
    "place",
    [
        *(on_a_route, *IN_BLUEPRINTS),
        *(in_the_configuration, in_the_configuration_before_a_route),
    ],
)


@PLACES
@pytest.mark.parametrize("security", [[], (), "", {}], ids=repr)
def test_an_empty_requirement_is_refused(place, security):
    assert (
        f"security={security!r} is empty. Write what is required, or security=None on a"
        " route or a blueprint that is open."
    ) in message_of(lambda: place(Flask(__name__), security))


def test_an_empty_alternative_is_refused_but_for_that_of_openapi(app, client):
    for inside in ([], "", ()):
        with pytest.raises(SignatureError, match=r"security=.* is empty"):
            Flask(__name__).get("/", security=[TOKEN, inside])(show)

    app.get("/", security=[TOKEN, {}])(show)
    assert client.get("/").text == "shown"


DOCS = HTTPBearer("docs")


@PLACES
@pytest.mark.parametrize(
    "security",
    [
        *(DOCS, DOCS.scopes("write"), [DOCS], DOCS | None, DOCS | TOKEN, DOCS & TOKEN),
        *([{"token": []}, DOCS], "token" | DOCS),
    ],
    ids=["alone", "scopes", "list", "optional", "or", "and", "openapi", "name"],
)
def test_a_scheme_that_checks_nothing_is_refused(place, security):
    assert (
        "HTTPBearer('docs'): security= takes schemes that check requests, and this one"
        " has neither verify= nor authenticate=. Add verify=; or, where a decorator"
        " checks them, describe it in SIGNATURE_SECURITY_SCHEMES and write its name,"
        " security='docs'."
    ) in message_of(lambda: place(Flask(__name__), security))


def test_what_is_wrong_with_the_configuration_says_so(app):
    app.config["SIGNATURE_SECURITY"] = DOCS

    assert message_of(lambda: app.get("/")(show)).startswith(
        "GET /: SIGNATURE_SECURITY: HTTPBearer('docs')"
    )


@pytest.mark.parametrize("scheme", [DOCS, {"type": "http", "scheme": "bearer"}])
def test_the_name_of_a_scheme_describes_what_a_decorator_checks(app, client, scheme):
    app.config["SIGNATURE_SECURITY_SCHEMES"] = {"docs": scheme}
    bp = guarded(security="docs", decorators=[guards.bare_guard])
    bp.get("/")(show)
    app.register_blueprint(bp)

    assert security_of(app, "/") == [{"docs": []}]
    assert client.get("/").status_code == 401
    assert client.get("/", headers=guards.TOKEN).text == "shown"


@pytest.mark.parametrize("place", IN_BLUEPRINTS)
@pytest.mark.parametrize("security", ["docs", ["docs", None], [{"docs": ["read"]}]])
def test_a_name_is_refused_where_nothing_is_described(place, security):
    assert (
        "security= names 'docs', but flask.Flask has no description, and a name checks"
        " nothing. Write a scheme such as HTTPBearer('docs', verify=find_user), or use"
        " flask_signature.Flask."
    ) in message_of(lambda: place(flask.Flask(__name__), security))
