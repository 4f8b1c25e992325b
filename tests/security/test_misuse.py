"""Mistakes in the use of schemes, and what is said of them."""

from __future__ import annotations

import re
import typing as t

import flask
import pytest
from document import security_of
from flask.views import MethodView
from messages import message_of
from senders import bearer

from flask_signature import Blueprint, Flask, SignatureError, operation
from flask_signature.security import HTTPBasic, HTTPBearer

TOKEN = HTTPBearer("token", verify=lambda token: token)
TWO = HTTPBasic("two", verify=lambda username: username)


def takes_the_scheme(user): ...


# As it is without ``from __future__ import annotations``.
takes_the_scheme.__annotations__ = {"user": TOKEN}


def has_a_default(user: t.Annotated[str | None, TOKEN] = None): ...


def wants_scopes(user: t.Annotated[str, TOKEN.scopes("write")]): ...


def wants_a_password(user: t.Annotated[str, TWO]): ...


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        pytest.param(
            takes_the_scheme,
            "'user' of takes_the_scheme() is annotated with HTTPBearer('token'),"
            " which is no type. Write Annotated[User, scheme], with the type of"
            " what it gives.",
        ),
        pytest.param(
            has_a_default,
            "'user' of has_a_default() has a default, but is always supplied by"
            " HTTPBearer('token'). Remove the default. Write Annotated[User | None,"
            " scheme | None] if no credentials are needed.",
        ),
        pytest.param(
            wants_scopes,
            "HTTPBearer('token') is asked for scopes, but has no get_scopes=, which"
            " says what a user may do. Add get_scopes=lambda user: user.scopes.",
        ),
        pytest.param(
            wants_a_password,
            "<lambda>() verifies a user name and a password, but does not take"
            " both. Make them the first of its arguments.",
        ),
    ],
    ids=["annotation", "default", "scopes", "password"],
)
def test_mistake_says_what_to_write(app, view, problem):
    assert re.sub(
        r" \([^()]*, line \d+\)$", "", message_of(lambda: app.get("/")(view))
    ) == (f"GET /: {problem}")


def on_a_route(app, security):
    app.get("/", security=security)(lambda: "shown")


def on_a_blueprint(app, security):
    bp = Blueprint("bp", __name__, security=security)
    bp.get("/")(lambda: "shown")
    app.register_blueprint(bp)


def on_a_registration(app, security):
    bp = Blueprint("bp", __name__)
    bp.get("/")(lambda: "shown")
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
    bp = Blueprint("bp", __name__, security=security)
    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/", "show", lambda: "shown")
    bp.register_blueprint(plain)
    app.register_blueprint(bp)


def around_static_files(app, security):
    bp = Blueprint("bp", __name__, security=security, static_folder="static")
    app.register_blueprint(bp, url_prefix="/bp")


def in_the_configuration(app, security):
    app.config["SIGNATURE_SECURITY"] = security
    app.init_app()


def in_the_configuration_before_a_route(app, security):
    app.config["SIGNATURE_SECURITY"] = security
    app.get("/")(lambda: "shown")


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
            Flask(__name__).get("/", security=[TOKEN, inside])(lambda: "shown")

    app.get("/", security=[TOKEN, {}])(lambda: "shown")
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

    assert message_of(lambda: app.get("/")(lambda: "shown")).startswith(
        "GET /: SIGNATURE_SECURITY: HTTPBearer('docs')"
    )


@pytest.mark.parametrize("scheme", [DOCS, {"type": "http", "scheme": "bearer"}])
def test_the_name_of_a_scheme_describes_what_a_decorator_checks(app, client, scheme):
    def login(view):
        def wrapper():
            return view() if "Authorization" in flask.request.headers else ("no", 401)

        return wrapper

    app.config["SIGNATURE_SECURITY_SCHEMES"] = {"docs": scheme}
    bp = Blueprint("bp", __name__, security="docs", decorators=[login])
    bp.get("/")(lambda: "shown")
    app.register_blueprint(bp)

    assert security_of(app, "/") == [{"docs": []}]
    assert client.get("/").status_code == 401
    assert client.get("/", headers=bearer("Ann")).text == "shown"


@pytest.mark.parametrize("place", IN_BLUEPRINTS)
@pytest.mark.parametrize("security", ["docs", ["docs", None], [{"docs": ["read"]}]])
def test_a_name_is_refused_where_nothing_is_described(place, security):
    assert (
        "security= names 'docs', but flask.Flask has no description, and a name checks"
        " nothing. Write a scheme such as HTTPBearer('docs', verify=find_user), or use"
        " flask_signature.Flask."
    ) in message_of(lambda: place(flask.Flask(__name__), security))
