"""Schemes that ``security=`` names, which describe, and a late configuration."""

from __future__ import annotations

import functools
import typing as t
from contextlib import nullcontext
from itertools import permutations

import flask
import pytest
from document import describe
from messages import message_of, place_of
from senders import ANN, KEY, SENT, TOKEN, accepted, find_user, guarded, plain, show

from flask_signature import Blueprint, SignatureError
from flask_signature.security import APIKey, HTTPBearer

EVERYBODY = {"nothing", *SENT}


def named(app: flask.Flask) -> None:
    bp = guarded(name="named", security="token")
    bp.get("/named")(show)
    app.register_blueprint(bp)


def plain_named(app: flask.Flask) -> None:
    app.register_blueprint(guarded(plain(), name="plain", security="token"))


def given(app: flask.Flask) -> None:
    bp = guarded(name="given")
    bp.get("/given")(show)
    app.register_blueprint(bp)


def given_to_plain(app: flask.Flask) -> None:
    app.register_blueprint(guarded(name="to_plain"))


def injected(app: flask.Flask) -> None:
    bp = Blueprint("injected", __name__)

    @bp.get("/injected")
    def inject(user: t.Annotated[str, TOKEN]) -> str:
        return "shown"

    app.register_blueprint(bp)


def find(user: t.Annotated[str, TOKEN]) -> None: ...


def depended(app: flask.Flask) -> None:
    bp = Blueprint("depended", __name__, dependencies=[find])
    bp.get("/depended")(show)
    app.register_blueprint(bp)


def described(app: flask.Flask) -> None:
    schemes = {"token": {"type": "http", "scheme": "bearer"}}
    app.config["SIGNATURE_SECURITY_SCHEMES"] = schemes


NAMING = {named: "/named", plain_named: "/plain"}
VERIFYING = {given, given_to_plain, injected, depended}
ORDERS = pytest.mark.parametrize(
    "steps",
    [
        *permutations((*NAMING, *VERIFYING, described), 2),
        (described, named, given),
        (described, given, named),
        (named, described, injected),
    ],
    ids=lambda steps: "-".join(step.__name__ for step in steps),
)


def problem_of(steps: tuple[t.Any, ...]) -> str:
    if NAMING.keys().isdisjoint(steps):
        return ""
    if not VERIFYING.isdisjoint(steps):
        return "names 'token', which is a scheme that verifies"
    return "" if described in steps else "names 'token', which is no security"


class TestNames:
    """A name describes. That of a scheme that verifies is refused, in every order."""

    @ORDERS
    def test_name_in_every_order(self, app, steps):
        for step in steps:
            step(app)
        problem = problem_of(steps)
        with pytest.raises(SignatureError, match=problem) if problem else nullcontext():
            app.init_app()

        if not problem:
            for step in NAMING.keys() & steps:
                assert accepted(app, NAMING[step]) == EVERYBODY

    @ORDERS
    def test_name_in_every_order_after_init_app(self, app, steps):
        if described in steps:
            described(app)
        app.init_app()
        problem = problem_of(steps)
        if problem:
            # The first of them may be the one that is refused.
            problem = "names 'token', which is|the scheme 'token' verifies, but another"

        with pytest.raises(SignatureError, match=problem) if problem else nullcontext():
            for step in steps:
                if step is not described:
                    step(app)

    @pytest.mark.parametrize("step", NAMING)
    def test_name_on_a_plain_application_is_refused(self, step):
        app = flask.Flask(__name__)
        given(app)
        with pytest.raises(SignatureError, match=r"flask\.Flask has no description"):
            step(app)

    def test_name_of_a_scheme_that_verifies_is_refused(self, app):
        given(app)
        named(app)

        assert message_of(app.init_app) == (
            "GET /named: security= of show() names 'token', which is a scheme that"
            " verifies, and a name only describes, so that it would not be checked."
            f" Pass the object. {place_of(show)}"
        )

    def test_name_of_the_scheme_of_all_views_is_refused(self, app):
        app.config["SIGNATURE_SECURITY"] = TOKEN | KEY
        named(app)

        with pytest.raises(SignatureError, match="'token', which is a scheme that ver"):
            app.init_app()

    def test_schemes_of_the_configuration_describe(self, app):
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {"token": TOKEN}

        assert message_of(app.init_app) == (
            f"SIGNATURE_SECURITY_SCHEMES={{'token': {TOKEN!r}}}: Value error, the"
            " scheme 'token' verifies, and would be described alone. Pass the object to"
            " security=, where it is enforced."
        )

    def test_name_for_all_views(self, app):
        app.config["SIGNATURE_SECURITY"] = [{"token": ["write"]}]
        described(app)
        app.get("/")(show)

        assert describe(app)["security"] == [{"token": ["write"]}]
        assert accepted(app, "/") == EVERYBODY

    def test_name_beside_a_scheme_is_refused(self, any_app):
        bp = guarded(security=[KEY & "token", TOKEN])
        bp.get("/")(show)

        with pytest.raises(SignatureError, match="beside 'token', which only describe"):
            any_app.register_blueprint(bp)

    def test_scheme_that_is_known_after_init_app_is_refused(self, app):
        described(app)
        named(app)
        app.init_app()

        def mine(user: t.Annotated[str, TOKEN]) -> str: ...

        assert message_of(lambda: app.get("/")(mine)) == (
            "GET /: the scheme 'token' verifies, but another view has named it before"
            " it was known, so that it would not be checked there. Pass the object to"
            f" that view. {place_of(mine)}"
        )


class TestUnknownNames:
    """Nobody would check a name that means nothing, where others are checked."""

    INSTEAD = (
        "names 'tokn', which is no security scheme. Did you mean 'token'? If not, add"
        " it to SIGNATURE_SECURITY_SCHEMES, or give a scheme such as HTTPBearer('tokn',"
        f" verify=find_user). {place_of(show)}"
    )

    def test_name_of_a_scheme_that_plain_views_alone_have(self, app):
        outer = Blueprint("outer", __name__, dependencies=[find])
        outer.register_blueprint(plain())
        app.register_blueprint(outer)
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {"token": HTTPBearer("token")}
        app.get("/named", security="token")(show)

        with pytest.raises(SignatureError, match="a scheme that verifies"):
            app.init_app()

    @pytest.mark.parametrize("inside", [[], [plain()]], ids=["ours", "plain"])
    def test_name_without_init_app_refuses_to_serve(self, app, client, inside):
        app.get("/", security=TOKEN)(show)
        bp = guarded(*inside, security="tokn")
        bp.get("/open")(show)
        app.register_blueprint(bp)
        app.testing = True

        for url in ("/", "/open"):
            send = functools.partial(client.get, url, headers=ANN)
            assert message_of(send) == (
                "The application 'shop' names the security scheme 'tokn', but"
                " init_app() was not called, so that it is not known what it means."
                " Call it when the configuration is loaded."
            )

    def test_name_of_a_blueprint_of_plain_views(self, app):
        app.get("/", security=TOKEN)(show)
        app.register_blueprint(guarded(plain(), security="tokn"))

        assert message_of(app.init_app) == (
            f"security= around 'bp.plain.show' {self.INSTEAD}"
        )

    def test_name_of_a_blueprint_of_plain_views_after_init_app(self, app):
        app.get("/", security=TOKEN)(show)
        app.init_app()
        bp = guarded(plain(), security="tokn")

        assert message_of(lambda: app.register_blueprint(bp)) == (
            "/plain: the plain view 'bp.plain.show': security= around it"
            f" {self.INSTEAD}"
        )


class TestConfiguration:
    """What is configured too late is refused."""

    def test_security_without_init_app_refuses_to_serve(self, app, client):
        app.config["SIGNATURE_SECURITY"] = TOKEN
        app.get("/")(show)
        app.testing = True

        for _ in range(2):
            assert message_of(lambda: client.get("/", headers=ANN)) == (
                "The application 'shop' has SIGNATURE_SECURITY, but init_app() was not"
                " called, so that it is not known to all views. Call it when the"
                " configuration is loaded."
            )

        app.testing = False
        assert client.get("/", headers=ANN).status_code == 500

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (None, TOKEN),
            (TOKEN | None, TOKEN),
            (TOKEN, TOKEN.scopes("write")),
            (TOKEN, TOKEN & KEY),
            (TOKEN, KEY),
            (TOKEN, None),
            (TOKEN | KEY, TOKEN),
            (TOKEN | KEY, TOKEN & KEY),
        ],
        ids=["new", "optional", "scope", "more", "other", "none", "one", "all"],
    )
    def test_security_after_the_routes_is_refused(self, app, before, after):
        app.config["SIGNATURE_SECURITY"] = before
        app.get("/")(show)
        app.config["SIGNATURE_SECURITY"] = after

        assert message_of(app.init_app) == (
            "GET /: SIGNATURE_SECURITY was given after show() was registered, so that"
            " it would not be checked. Set it before the routes are registered."
            f" {place_of(show)}"
        )

    @pytest.mark.parametrize("value", [TOKEN, KEY, None], ids=["token", "key", "none"])
    def test_security_that_changes_after_init_app_is_refused(self, app, client, value):
        app.config["SIGNATURE_SECURITY"] = TOKEN | KEY
        app.init_app()
        app.config["SIGNATURE_SECURITY"] = value
        app.get("/")(show)
        app.testing = True

        assert message_of(lambda: client.get("/", headers=ANN)) == (
            "SIGNATURE_SECURITY of the application 'shop' was changed after init_app()"
            " had read it. Set it before."
        )

    def test_security_beside_an_optional_one_of_a_view_is_read(self, app, client):
        app.config["SIGNATURE_SECURITY"] = TOKEN | None

        @app.get("/")
        def show(client: t.Annotated[str | None, KEY | None]) -> str:
            return "shown"

        app.init_app()
        assert client.get("/").text == "shown"

    def test_security_after_plain_views_is_refused(self, app):
        app.config["SIGNATURE_SECURITY"] = KEY
        app.add_url_rule("/plain", endpoint="plain")
        app.endpoint("plain")(show)
        app.config["SIGNATURE_SECURITY"] = TOKEN

        assert message_of(app.init_app) == (
            "SIGNATURE_SECURITY was given after 'plain' was registered, so that it"
            " would not be checked. Set it before the routes are registered."
            f" {place_of(show)}"
        )


def test_two_schemes_of_one_name_are_described_alike(app):
    app.get("/token", security=HTTPBearer("auth", verify=find_user))(show)
    key = APIKey("auth", "X-Key", verify=find_user)

    assert message_of(lambda: app.get("/key", endpoint="key", security=key)(show)) == (
        "GET /key: there are two schemes of the name 'auth', which are described"
        " differently. The document has one of each name: give them different names."
        f" {place_of(show)}"
    )
