"""A requirement of the application, of blueprints, of a registration and of a route."""

from __future__ import annotations

import pytest
from document import describe, security_of
from senders import BASIC, KEY, SENT, TOKEN, accepted, show

from flask_signature import Blueprint

EVERYBODY = {"nothing", *SENT}


class TestD17:
    """Exactly one requirement holds, and the document says it."""

    def test_d17_the_innermost_requirement_replaces_the_others(self, any_app):
        outer = Blueprint("outer", __name__, security=TOKEN)
        silent = Blueprint("silent", __name__)
        inner = Blueprint("inner", __name__, security=KEY)
        outer.get("/outer")(show)
        silent.get("/silent")(show)
        inner.get("/inner")(show)
        inner.get("/route", endpoint="route", security=BASIC)(show)
        outer.register_blueprint(silent)
        outer.register_blueprint(inner)
        any_app.register_blueprint(outer)

        assert accepted(any_app, "/outer") == accepted(any_app, "/silent") == {"token"}
        assert accepted(any_app, "/inner") == {"key"}
        assert accepted(any_app, "/route") == {"basic"}

    def test_d17_registration_replaces_what_the_blueprint_says(self, any_app):
        bp = Blueprint("bp", __name__, security=TOKEN)
        inner = Blueprint("inner", __name__, security=None)
        bp.get("/a")(show)
        bp.get("/b", endpoint="b", security=BASIC)(show)
        inner.get("/inner")(show)
        bp.register_blueprint(inner, security=BASIC)
        any_app.register_blueprint(bp, security=KEY)
        any_app.register_blueprint(bp, url_prefix="/again", name="again")

        assert accepted(any_app, "/a") == {"key"}
        assert accepted(any_app, "/again/a") == {"token"}
        for url in ("/b", "/inner"):
            assert accepted(any_app, url) == {"basic"}
            assert accepted(any_app, f"/again{url}") == {"basic"}

    def test_d17_none_opens_a_route_and_a_nested_blueprint(self, any_app):
        outer = Blueprint("outer", __name__, security=TOKEN)
        inner = Blueprint("inner", __name__, security=None)
        outer.get("/route", security=None)(show)
        inner.get("/blueprint")(show)
        inner.get("/closed", endpoint="closed", security=KEY)(show)
        outer.register_blueprint(inner)
        any_app.register_blueprint(outer)

        for url in ("/route", "/blueprint"):
            assert accepted(any_app, url) == EVERYBODY
        assert accepted(any_app, "/closed") == {"key"}

    @pytest.mark.parametrize("init_first", [True, False])
    def test_d17_application_guards_what_says_nothing(self, app, init_first):
        app.config["SIGNATURE_SECURITY"] = TOKEN
        bp = Blueprint("bp", __name__, url_prefix="/bp")
        bp.get("/a")(show)
        if init_first:
            app.init_app()
        app.get("/a")(show)
        app.get("/b", endpoint="b", security=KEY)(show)
        app.get("/c", endpoint="c", security=None)(show)
        app.register_blueprint(bp)
        if not init_first:
            app.init_app()

        assert accepted(app, "/a") == accepted(app, "/bp/a") == {"token"}
        assert accepted(app, "/b") == {"key"}
        assert accepted(app, "/c") == EVERYBODY

    def test_d17_the_document_says_it(self, app):
        app.config["SIGNATURE_SECURITY"] = TOKEN
        outer = Blueprint("outer", __name__, url_prefix="/out", security=TOKEN | KEY)
        inner = Blueprint("inner", __name__, url_prefix="/in", security=None)
        last = Blueprint("last", __name__, url_prefix="/last", security=KEY)
        for bp in (outer, inner, last):
            bp.get("/blueprint")(show)
            bp.get("/route", endpoint="route", security=BASIC)(show)
            bp.get("/open", endpoint="open", security=None)(show)
        outer.register_blueprint(inner)
        outer.register_blueprint(last, security=BASIC | KEY)
        app.register_blueprint(outer)
        app.get("/app")(show)

        for url, item in describe(app)["paths"].items():
            names = {name for one in security_of(app, url) for name in one}
            assert accepted(app, url) == (names or EVERYBODY), url
            responses = item["get"]["responses"]
            assert ("401" in responses) == bool(names), url
            assert "403" not in responses
