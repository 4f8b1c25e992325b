"""A requirement of the application, of blueprints, of a registration and of a route."""

from __future__ import annotations

import pytest
from document import describe, security_of
from senders import BASIC, KEY, SENT, TOKEN, accepted, plain, show

from flask_signature import Blueprint

EVERYBODY = {"nothing", *SENT}


class TestD17:
    """Exactly one requirement holds, and the document says it."""

    def test_d17_the_innermost_requirement_replaces_the_others(self, any_app):
        outer = Blueprint("outer", __name__, security=TOKEN)
        silent = Blueprint("silent", __name__)
        inner = Blueprint("inner", __name__, security=KEY)
        opened = Blueprint("opened", __name__, security=None)
        for bp in (outer, silent, inner, opened):
            bp.get(f"/{bp.name}")(show)
            bp.get(f"/{bp.name}/route", endpoint="route", security=BASIC)(show)
            bp.get(f"/{bp.name}/open", endpoint="open", security=None)(show)
            bp.register_blueprint(plain(url=f"/{bp.name}/plain"))
            bp.register_blueprint(
                plain("registered", f"/{bp.name}/registered"), security=BASIC
            )
        for bp in (silent, inner, opened):
            outer.register_blueprint(bp)
        outer.register_blueprint(opened, name="c", url_prefix="/c", security=KEY)
        any_app.register_blueprint(outer)
        again = {"name": "again", "url_prefix": "/again", "security": KEY}
        any_app.register_blueprint(outer, **again)

        required = {"/inner": {"key"}, "/opened": EVERYBODY, "/c/opened": {"key"}}
        for prefix, schemes in (("", {"token"}), ("/again", {"key"})):
            own = {"/outer": schemes, "/silent": schemes, **required}
            for url, expected in own.items():
                for path in (url, f"{url}/plain"):
                    assert accepted(any_app, prefix + path) == expected, path
                for path in (f"{url}/route", f"{url}/registered"):
                    assert accepted(any_app, prefix + path) == {"basic"}, path
                assert accepted(any_app, f"{prefix}{url}/open") == EVERYBODY, url

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
