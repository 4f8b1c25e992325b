"""Subclasses of Flask's registration, which see Flask's own options alone."""

from __future__ import annotations

import functools

import flask
import pytest
from document import describe_all
from flask.blueprints import BlueprintSetupState
from messages import message_of
from models import Item
from pydantic import BaseModel
from werkzeug.routing import Rule

from flask_signature import Blueprint, Flask, Query, SignatureError

#: What Flask hands on beside the rule, the endpoint and the view.
FLASK_OPTIONS = {"defaults", "methods", "provide_automatic_options", "subdomain"}


def make_blueprint(**options):
    """A blueprint with one view, that needs to be parsed and filtered."""
    bp = Blueprint("shop", __name__, url_prefix="/shop")

    class Local(BaseModel):
        page: int

    @bp.post("/<int:n>", tags=["Shop"], **options)
    def show(n: int, local: Local) -> Item:
        return {"name": f"{n} {local.page}", "password": "secret"}

    return bp


def ask(app):
    """The response of the view."""
    return app.test_client().post("/shop/7", json={"page": "2"})


@pytest.mark.parametrize("base", [Flask, flask.Flask])
class TestEachApplication:
    @pytest.mark.parametrize("is_subclass", [True, False])
    def test_setup_state_gets_flasks_options_alone(
        self, base, is_subclass, monkeypatch
    ):
        seen = []
        original = BlueprintSetupState.add_url_rule

        def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
            seen.append(set(options))
            original(self, rule, endpoint, view_func, **options)

        class State(BlueprintSetupState):
            """A class that overrides the method, or inherits one that was replaced."""

        class Own(Blueprint):
            def make_setup_state(self, app, options, first_registration=False):
                return State(self, app, options, first_registration)

        app, bp = base(__name__), make_blueprint()
        if is_subclass:
            State.add_url_rule = add_url_rule
            bp.__class__ = Own
        else:
            monkeypatch.setattr(BlueprintSetupState, "add_url_rule", add_url_rule)
        app.register_blueprint(bp)

        response = ask(app)
        assert (response.status_code, response.json) == (201, {"name": "7 2"})
        assert seen == [{"methods", "provide_automatic_options"}]

    def test_application_that_overrides_add_url_rule_gets_flasks_options(self, base):
        seen = []

        class Own(base):
            def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
                seen.append(set(options))
                super().add_url_rule(rule, endpoint, view_func, **options)

        app = Own(__name__, static_folder=None)
        app.register_blueprint(make_blueprint())
        app.get("/plain", endpoint="plain")(lambda: "plain")

        response = ask(app)
        assert (response.status_code, response.json) == (201, {"name": "7 2"})
        assert seen == [FLASK_OPTIONS, {"methods"}]

    def test_application_that_adds_a_variable_to_each_rule(self, base):
        class Own(base):
            def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
                rule = f"/<int:shop>{rule}"
                super().add_url_rule(rule, endpoint, view_func, **options)

        app = Own(__name__, static_folder=None)
        bp = Blueprint("bp", __name__)

        @bp.get("/x")
        def show(shop: int, page: int = 1) -> Item:
            return {"name": f"{shop} {page}", "password": "secret"}

        app.register_blueprint(bp)

        client = app.test_client()
        assert client.get("/7/x?page=2&shop=9").json == {"name": "7 2"}
        entries = client.get("/7/x?page=a").json["detail"]
        assert [item["loc"] for item in entries] == [["query", "page"]]
        if base is Flask:
            assert [*describe_all(app)[""]["paths"]] == ["/{shop}/x"]

    # Options of other frameworks are no mistakes where a class of rules takes them.
    @pytest.mark.parametrize("option", ["permission", "response_class"])
    def test_option_of_a_custom_class_of_rules(self, base, option):
        class OwnRule(Rule):
            def __init__(self, *args, permission=None, response_class=None, **options):
                self.given = permission or response_class
                super().__init__(*args, **options)

        class Own(base):
            url_rule_class = OwnRule

        app = Own(__name__)
        app.register_blueprint(make_blueprint(**{option: "read"}))

        assert ask(app).json == {"name": "7 2"}
        (rule,) = app.url_map.iter_rules("shop.show")
        assert rule.given == "read"

    def test_option_that_an_application_takes_from_add_url_rule(self, base):
        taken = []

        class Own(base):
            def add_url_rule(self, rule, *args, permission=None, **options):
                taken.append(permission)
                super().add_url_rule(rule, *args, **options)

        app = Own(__name__, static_folder=None)
        app.register_blueprint(make_blueprint(permission="read"))

        assert ask(app).json == {"name": "7 2"}
        assert taken == ["read"]

    def test_misspelled_option_where_a_class_of_rules_takes_any(self, base):
        class OwnRule(Rule):
            def __init__(self, *args, **options):
                options.pop("permission", None)
                super().__init__(*args, **options)

        class Own(base):
            url_rule_class = OwnRule

        Own(__name__).register_blueprint(make_blueprint(permission="read"))
        with pytest.raises(SignatureError, match="Did you mean 'status_code'"):
            Own(__name__).register_blueprint(make_blueprint(stauts_code=200))


def test_rule_option_of_a_blueprint_that_no_application_takes():
    assert "POST /shop/{n}: show(): Unknown option 'permission'." in message_of(
        lambda: Flask(__name__).register_blueprint(make_blueprint(permission="read"))
    )


def refuse(view):
    return lambda **view_args: flask.abort(401)


@pytest.mark.parametrize("base", [Flask, flask.Flask])
@pytest.mark.parametrize("first", [True, False])
def test_blueprint_that_records_in_its_own_way(base, first):
    class Lazy(Blueprint):
        def __init__(self, *args, **options):
            self.kept = []
            super().__init__(*args, **options)

        def record(self, func):
            self.kept.insert(0 if first else len(self.kept), func)

        def register(self, app, options):
            self.deferred_functions = [*self.kept]
            super().register(app, options)

    def show(page: int = 1) -> Item:
        return {"name": str(page), "password": "secret"}

    app, bp = base(__name__), Lazy("bp", __name__)
    bp.get("/a", endpoint="a", decorators=[refuse])(show)
    bp.get("/b", endpoint="b")(show)
    app.register_blueprint(bp)
    client = app.test_client()
    assert client.get("/a").status_code == 401
    assert client.get("/b?page=2").json == {"name": "2"}
    assert "record" not in vars(bp)


def test_rule_that_an_application_adds_beside_another():
    def preview(limit: int = Query(5)) -> Item:
        return {"name": str(limit), "password": "secret"}

    class Own(Flask):
        def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
            super().add_url_rule(rule, endpoint, view_func, **options)
            if endpoint == "bp.save":
                super().add_url_rule(f"{rule}/preview", "bp.preview", preview)
                super().add_url_rule(f"/v1{rule}", "v1_save", view_func, **options)

    app, bp = Own(__name__), Blueprint("bp", __name__)
    bp.post("/save", endpoint="save")(lambda: "saved")
    app.register_blueprint(bp)
    client = app.test_client()
    assert client.get("/save/preview?limit=2").json == {"name": "2"}
    assert client.get("/save/preview?limit=x").status_code == 422
    assert client.post("/save").status_code == 201
    assert client.post("/v1/save").status_code == 201


def test_rules_that_an_application_drops_or_renames():
    class Own(Flask):
        def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
            if "beta" not in rule:
                super().add_url_rule(rule, f"own.{endpoint}", view_func, **options)

    app, bp = Own(__name__, static_folder=None), Blueprint("bp", __name__)
    bp.post("/beta", endpoint="beta")(lambda: "beta")
    bp.post("/save", endpoint="save")(lambda: "saved")
    app.register_blueprint(bp)
    client = app.test_client()
    assert client.post("/beta").status_code == 404
    assert client.post("/save").status_code == 201


def test_decorator_that_adds_a_rule(app, client):
    def with_meta(view):
        app.add_url_rule("/meta", "meta", lambda: "meta")
        return view

    bp = Blueprint("bp", __name__)
    bp.get("/x", endpoint="x", decorators=[with_meta])(lambda: "x")
    app.register_blueprint(bp)
    assert (client.get("/x").text, client.get("/meta").text) == ("x", "meta")


def test_record_of_an_instance_stays():
    bp, seen = Blueprint("bp", __name__), []
    original = bp.record
    bp.record = lambda func: (seen.append(func), original(func))[1]
    bp.get("/a", endpoint="a")(lambda: "a")
    bp.get("/b", endpoint="b")(lambda: "b")
    assert len(seen) == 2


def test_record_that_adds_a_route(app, client):
    class Own(Blueprint):
        is_busy = False

        def record(self, func):
            super().record(func)
            if not self.is_busy:
                self.is_busy = True
                self.add_url_rule("/health", "health", lambda: "ok")

    bp = Own("bp", __name__)
    bp.get("/a", endpoint="a", decorators=[refuse])(lambda: "a")
    app.register_blueprint(bp)
    assert client.get("/a").status_code == 401
    assert client.get("/health").text == "ok"


def test_a_base_class_of_a_blueprint_has_options_and_attributes_of_its_own(app, client):
    class Extended(flask.Blueprint):
        def __init__(self, *args, extra=None, **options):
            super().__init__(*args, **options)
            self._handlers, self._sending = {"extra": extra}, True

    class Both(Blueprint, Extended):
        record = property(lambda self: super().record)

    bp = Both("shop", __name__, extra=3)
    bp.get("/")(lambda: "open")
    app.register_blueprint(bp)

    assert client.get("/").text == "open"
    assert bp._handlers == {"extra": 3}
    with pytest.raises(SignatureError, match="Unknown option 'extr'"):
        Both("shop", __name__, extr=3)


@pytest.mark.parametrize("base", [Flask, flask.Flask])
def test_option_of_an_add_url_rule_that_wraps_flasks(base):
    audited = []

    class Audited(base):
        @functools.wraps(flask.Flask.add_url_rule)
        def add_url_rule(self, *args, audit=None, **options):
            audited.append(audit)
            return super().add_url_rule(*args, **options)

    bp = Blueprint("shop", __name__)
    bp.get("/", audit=7)(lambda: "")
    Audited("shop", static_folder=None).register_blueprint(bp)
    assert audited == [7]


def test_setup_state_has_the_application_itself(app):
    seen = []

    class State(BlueprintSetupState):
        def add_url_rule(self, *args, **options):
            seen.append(self.app)
            super().add_url_rule(*args, **options)

    class Own(Blueprint):
        def make_setup_state(self, app, options, first_registration=False):
            return State(self, app, options, first_registration)

    bp = Own("shop", __name__)
    bp.get("/")(lambda: "")
    app.register_blueprint(bp)
    assert seen == [app]
