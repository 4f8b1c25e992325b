"""Schemes that ``security=`` names, which describe, and a late configuration."""

from __future__ import annotations

import functools
import typing as t
from contextlib import nullcontext
from itertools import permutations

import flask
import pytest
from document import describe
from messages import message_of
from senders import KEY, SENT, TOKEN, accepted, bearer, find_user, show

from flask_signature import Blueprint, Flask, SignatureError
from flask_signature.security import APIKey, HTTPBearer

APPLICATIONS = pytest.mark.parametrize("make", [Flask, flask.Flask])


PLACE: t.Final = f"tests/senders.py, line {show.__code__.co_firstlineno}"


class TestNames:
    """A name describes. That of a scheme that verifies is refused, in every order."""

    def named(self, app: flask.Flask) -> None:
        bp = Blueprint("named", __name__, security="token")
        bp.get("/named")(show)
        app.register_blueprint(bp)

    def plain(self, app: flask.Flask) -> None:
        bp = Blueprint("plain", __name__, security="token")
        inside = flask.Blueprint("inside", __name__)
        inside.add_url_rule("/plain", view_func=show)
        bp.register_blueprint(inside)
        app.register_blueprint(bp)

    def given(self, app: flask.Flask) -> None:
        bp = Blueprint("given", __name__, security=TOKEN)
        bp.get("/given")(show)
        app.register_blueprint(bp)

    def given_to_plain(self, app: flask.Flask) -> None:
        bp = Blueprint("to_plain", __name__, security=TOKEN)
        app.register_blueprint(bp)

    def injected(self, app: flask.Flask) -> None:
        bp = Blueprint("injected", __name__)

        @bp.get("/injected")
        def inject(user: t.Annotated[str, TOKEN]) -> str:
            return "shown"

        app.register_blueprint(bp)

    def depended(self, app: flask.Flask) -> None:
        def check(user: t.Annotated[str, TOKEN]) -> None: ...

        bp = Blueprint("depended", __name__, dependencies=[check])
        bp.get("/depended")(show)
        app.register_blueprint(bp)

    def described(self, app: flask.Flask) -> None:
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {
            "token": {"type": "http", "scheme": "bearer"}
        }

    STEPS = ("named", "plain", "given", "given_to_plain", "injected", "depended")

    ORDERS = pytest.mark.parametrize(
        "steps",
        [
            *permutations((*STEPS, "described"), 2),
            ("described", "named", "given"),
            ("described", "given", "named"),
            ("named", "described", "injected"),
        ],
        ids="-".join,
    )

    def problem_of(self, steps: tuple[str, ...]) -> str:
        if {"named", "plain"}.isdisjoint(steps):
            return ""
        if not {*self.STEPS[2:]}.isdisjoint(steps):
            return "names 'token', which is a scheme that verifies"
        return "" if "described" in steps else "names 'token', which is no security"

    @ORDERS
    def test_name_in_every_order(self, app, steps):
        for step in steps:
            getattr(self, step)(app)
        problem = self.problem_of(steps)
        with pytest.raises(SignatureError, match=problem) if problem else nullcontext():
            app.init_app()

        if not problem:
            for url in {"named", "plain"}.intersection(steps):
                assert accepted(app, f"/{url}") == {"nothing", *SENT}

    @ORDERS
    def test_name_in_every_order_after_init_app(self, app, steps):
        if "described" in steps:
            self.described(app)
        app.init_app()
        problem = self.problem_of(steps)
        if problem:
            # The first of them may be the one that is refused.
            problem = "names 'token', which is|the scheme 'token' verifies, but another"

        with pytest.raises(SignatureError, match=problem) if problem else nullcontext():
            for step in steps:
                if step != "described":
                    getattr(self, step)(app)

    @pytest.mark.parametrize("step", ["named", "plain"])
    def test_name_on_a_plain_application_is_refused(self, step):
        app = flask.Flask(__name__)
        self.given(app)
        with pytest.raises(SignatureError, match=r"flask\.Flask has no description"):
            getattr(self, step)(app)

    def test_name_of_a_scheme_that_verifies_is_refused(self, app):
        self.given(app)
        self.named(app)

        assert message_of(lambda: app.init_app()) == (
            "GET /named: security= of show() names 'token', which is a scheme that"
            " verifies, and a name only describes, so that it would not be checked."
            f" Pass the object. ({PLACE})"
        )

    def test_name_of_the_scheme_of_all_views_is_refused(self, app):
        app.config["SIGNATURE_SECURITY"] = TOKEN | KEY
        self.named(app)

        with pytest.raises(SignatureError, match="'token', which is a scheme that ver"):
            app.init_app()

    def test_schemes_of_the_configuration_describe(self, app):
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {"token": TOKEN}

        assert message_of(lambda: app.init_app()) == (
            f"SIGNATURE_SECURITY_SCHEMES={{'token': {TOKEN!r}}}: Value error, the"
            " scheme 'token' verifies, and would be described alone. Pass the object to"
            " security=, where it is enforced."
        )

    def test_name_for_all_views(self, app):
        app.config["SIGNATURE_SECURITY"] = [{"token": ["write"]}]
        self.described(app)
        app.get("/")(show)

        assert describe(app)["security"] == [{"token": ["write"]}]
        assert accepted(app, "/") == {"nothing", *SENT}

    @APPLICATIONS
    def test_name_beside_a_scheme_is_refused(self, make):
        bp = Blueprint("bp", __name__)
        bp.get("/", security=[KEY & "token", TOKEN])(show)

        with pytest.raises(
            SignatureError, match="beside 'token', which only describes"
        ):
            make(__name__).register_blueprint(bp)

    def test_scheme_that_is_known_after_init_app_is_refused(self, app):
        self.described(app)
        self.named(app)
        app.init_app()
        bp = Blueprint("bp", __name__)

        @bp.get("/")
        def mine(user: t.Annotated[str, TOKEN]) -> str: ...

        assert message_of(lambda: app.register_blueprint(bp)) == (
            "GET /: the scheme 'token' verifies, but another view has named it before"
            " it was known, so that it would not be checked there. Pass the object to"
            " that view. (tests/security/test_names_of_schemes.py, line"
            f" {mine.__code__.co_firstlineno})"
        )


class TestUnknownNames:
    """Nobody would check a name that means nothing, where others are checked."""

    @pytest.mark.parametrize("kind", ["hidden", "undescribed"])
    @pytest.mark.parametrize("init_first", [True, False])
    def test_name_that_no_document_has(self, app, *, init_first, kind):
        app.config["SIGNATURE_SECURITY"] = TOKEN
        app.config["SIGNATURE_OPENAPI"] = kind == "hidden"

        def register():
            app.get("/", security="tokn", include_in_schema=False)(show)

        (app.init_app if init_first else register)()
        assert message_of(lambda: (register if init_first else app.init_app)()) == (
            "GET /: security= of show() names 'tokn', which is no security scheme. Did"
            " you mean 'token'? If not, add it to SIGNATURE_SECURITY_SCHEMES, or give a"
            " scheme such as HTTPBearer('tokn', verify=find_user)."
            f" ({PLACE})"
        )

    def test_name_of_a_scheme_that_plain_views_alone_have(self, app):
        def find(user: t.Annotated[str, TOKEN]) -> None: ...

        outer = Blueprint("outer", __name__, dependencies=[find])
        inner = flask.Blueprint("inner", __name__)
        inner.add_url_rule("/plain", view_func=show)
        outer.register_blueprint(inner)
        app.register_blueprint(outer)
        app.config["SIGNATURE_SECURITY_SCHEMES"] = {"token": HTTPBearer("token")}
        app.get("/named", security="token")(show)

        with pytest.raises(SignatureError, match="a scheme that verifies"):
            app.init_app()

    def test_name_without_init_app_refuses_to_serve(self, app, client):
        app.get("/", security=TOKEN)(show)
        app.get("/open", endpoint="open", security="tokn")(show)
        app.testing = True

        for url in ("/", "/open"):
            send = functools.partial(client.get, url, headers=bearer("Ann"))
            assert message_of(send) == (
                "The application 'shop' names the security scheme 'tokn', but"
                " init_app() was not called, so that it is not known what it means."
                " Call it when the configuration is loaded."
            )

    def test_name_of_a_blueprint_of_plain_views(self, app):
        app.get("/", security=TOKEN)(show)
        outer = Blueprint("outer", __name__, security="tokn")
        plain = flask.Blueprint("plain", __name__)
        plain.add_url_rule("/plain", view_func=show)
        outer.register_blueprint(plain)
        app.register_blueprint(outer)

        assert message_of(lambda: app.init_app()) == (
            "security= around 'outer.plain.show' names 'tokn', which is no"
            " security scheme. Did you mean 'token'? If not, add it to"
            " SIGNATURE_SECURITY_SCHEMES, or give a scheme such as"
            " HTTPBearer('tokn', verify=find_user)."
            f" ({PLACE})"
        )


class TestConfiguration:
    """What is configured too late is refused."""

    def test_security_without_init_app_refuses_to_serve(self, app, client):
        app.config["SIGNATURE_SECURITY"] = TOKEN
        app.get("/")(show)
        app.testing = True

        for _ in range(2):
            assert message_of(lambda: client.get("/", headers=bearer("Ann"))) == (
                "The application 'shop' has SIGNATURE_SECURITY, but init_app() was not"
                " called, so that it is not known to all views. Call it when the"
                " configuration is loaded."
            )

        app.testing = False
        assert client.get("/", headers=bearer("Ann")).status_code == 500

    def test_security_after_the_routes_is_refused(self, app):
        app.get("/")(show)
        app.config["SIGNATURE_SECURITY"] = TOKEN

        assert message_of(lambda: app.init_app()) == (
            "GET /: SIGNATURE_SECURITY was given after show() was registered, so that"
            " it would not be checked. Set it before the routes are registered."
            f" ({PLACE})"
        )

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (TOKEN | None, TOKEN),
            (TOKEN, TOKEN.scopes("write")),
            (TOKEN, TOKEN & KEY),
            (TOKEN, KEY),
            (TOKEN, None),
        ],
        ids=["optional", "scope", "more", "other", "none"],
    )
    def test_security_that_has_changed_since_is_refused(self, app, before, after):
        app.config["SIGNATURE_SECURITY"] = before
        app.get("/")(show)
        app.config["SIGNATURE_SECURITY"] = after

        with pytest.raises(SignatureError, match="SIGNATURE_SECURITY was given after"):
            app.init_app()

    @pytest.mark.parametrize("value", [TOKEN, KEY, None], ids=["token", "key", "none"])
    def test_security_that_has_changed_after_init_app_refuses_to_serve(
        self, app, client, value
    ):
        app.config["SIGNATURE_SECURITY"] = TOKEN | KEY
        app.init_app()
        app.config["SIGNATURE_SECURITY"] = value
        app.get("/")(show)
        app.testing = True

        assert message_of(lambda: client.get("/", headers=bearer("Ann"))) == (
            "SIGNATURE_SECURITY of the application 'shop' was changed after init_app()"
            " had read it. Set it before."
        )

    def test_security_after_plain_views_is_refused(self, app):
        app.config["SIGNATURE_SECURITY"] = KEY
        app.add_url_rule("/plain", endpoint="plain")
        app.endpoint("plain")(show)
        app.config["SIGNATURE_SECURITY"] = TOKEN

        assert message_of(lambda: app.init_app()) == (
            "SIGNATURE_SECURITY was given after 'plain' was registered, so that it"
            f" would not be checked. Set it before the routes are registered. ({PLACE})"
        )


def test_two_schemes_of_one_name_are_described_alike(app):
    app.get("/token", security=HTTPBearer("auth", verify=find_user))(show)
    key = APIKey("auth", "X-Key", verify=find_user)

    assert message_of(lambda: app.get("/key", endpoint="key", security=key)(show)) == (
        "GET /key: there are two schemes of the name 'auth', which are described"
        " differently. The document has one of each name: give them different names."
        f" ({PLACE})"
    )
