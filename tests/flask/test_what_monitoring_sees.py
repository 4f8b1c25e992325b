"""What a library sees that wraps methods of Flask's classes, on both classes alike."""

from __future__ import annotations

import functools
import gc
import inspect
import itertools
import json
import typing as t
from unittest import mock
from weakref import ref

import flask
import pytest
from flask.json.provider import DefaultJSONProvider
from flask.views import MethodView
from programs import printed_by
from view_classes import dispatching_class
from werkzeug.routing import Map, Rule

import flask_signature
from flask_signature._http.originals import PASSES_CONTEXT

if t.TYPE_CHECKING:
    from collections.abc import Callable

BOTH = {
    "flask": (flask.Flask, flask.Blueprint),
    "ours": (flask_signature.Flask, flask_signature.Blueprint),
}


@pytest.fixture
def seen(monkeypatch) -> Callable[..., list[t.Any]]:
    """What wraps a method, and returns what that is called with from then on."""

    def watch(owner: type, name: str) -> list[t.Any]:
        method, calls = getattr(owner, name), []

        @functools.wraps(method)
        def wrapper(self: t.Any, *args: t.Any, **options: t.Any) -> t.Any:
            calls.append((args, options))
            return method(self, *args, **options)

        monkeypatch.setattr(owner, name, wrapper)
        return calls

    return watch


def index(n=1):
    return {"n": n}


def show(n: int = 1) -> dict[str, int]:
    return {"n": n}


def add_rules(app_class: t.Any, blueprint_class: t.Any, view: t.Any) -> flask.Flask:
    """Rules written in every way, on an application and a blueprint."""
    app = app_class(__name__, static_folder=None)
    bp = blueprint_class("bp", __name__, url_prefix="/bp")
    for owner in (app, bp):
        owner.route("/a", methods=["GET", "POST"])(view)
        owner.get("/b", endpoint="b")(view)
        owner.add_url_rule("/c", "c", view, strict_slashes=False)
        owner.add_url_rule("/d", view_func=view, endpoint="d", defaults={"n": 2})
        owner.add_url_rule("/e", "d", provide_automatic_options=False)
        owner.add_url_rule(rule="/f", endpoint="f", view_func=view)
        owner.add_url_rule("/g", "g", view, False)
    app.register_blueprint(bp)
    return app


def names_of(calls: list[t.Any]) -> list[t.Any]:
    """Calls with the names of their functions."""

    def named(value: t.Any) -> t.Any:
        return getattr(value, "__name__", value)

    return [
        ([named(x) for x in args], {key: named(x) for key, x in options.items()})
        for args, options in calls
    ]


@pytest.mark.parametrize("view", [index, show])
@pytest.mark.parametrize("owner", [flask.Flask, flask.Blueprint])
@pytest.mark.parametrize("app_class", [flask.Flask, flask_signature.Flask])
def test_rules_are_given_as_their_author_wrote_them(seen, app_class, owner, view):
    calls = seen(owner, "add_url_rule")
    add_rules(flask.Flask, flask.Blueprint, view)
    expected = names_of(calls)
    calls.clear()

    app = add_rules(app_class, flask_signature.Blueprint, view)

    assert names_of(calls) == expected
    assert len(expected) >= 7
    client = app.test_client()
    for prefix in ("", "/bp") if app_class is flask_signature.Flask else ("/bp",):
        for name, n in zip("abcdefg", (1, 1, 1, 2, 1, 1, 1), strict=True):
            assert client.get(f"{prefix}/{name}").json == {"n": n}


def test_endpoint_is_that_of_the_view_whatever_a_decorator_makes():
    app = flask_signature.Flask(__name__)
    app.get("/", decorators=[lambda view: lambda **values: view(**values)])(show)

    assert [*app.view_functions] == ["static", "show"]
    assert app.test_client().get("/?n=3").json == {"n": 3}


@pytest.mark.parametrize("name", ["route", "get", "post", "put", "patch", "delete"])
@pytest.mark.parametrize("place", [0, 1], ids=["application", "blueprint"])
def test_wrappers_of_decorators_are_called(seen, name, place):
    calls, found = seen((flask.Flask, flask.Blueprint)[place], name), []
    for classes in BOTH.values():
        calls.clear()
        owner = classes[place]("bp", __name__) if place else classes[place](__name__)
        getattr(owner, name)("/x", endpoint="x")(index)
        found.append([*calls])

    assert found == [[(("/x",), {"endpoint": "x"})]] * 2


@pytest.mark.parametrize("name", ["before_app_request", "app_errorhandler"])
def test_wrappers_of_hooks_of_a_blueprint_are_called(seen, name):
    calls, found = seen(flask.Blueprint, name), []
    for app_class, blueprint_class in BOTH.values():
        calls.clear()
        app, bp = app_class(__name__), blueprint_class("bp", __name__)
        made = getattr(bp, name)(418 if name == "app_errorhandler" else index)
        assert made is index or made(index) is index
        app.register_blueprint(bp)
        with pytest.raises(AssertionError, match=f"'{name}'"):
            getattr(bp, name)(index)
        found.append(len(calls))

    assert found == [2, 2]


@pytest.mark.parametrize("name", ["route", "get", "post"])
def test_late_route_is_refused_by_its_own_name(name):
    messages = []
    for app_class, blueprint_class in BOTH.values():
        app, bp = app_class("app"), blueprint_class("bp", __name__)
        app.register_blueprint(bp)
        app.test_client().get("/")
        for owner in (app, bp):
            with pytest.raises(AssertionError) as caught:
                getattr(owner, name)("/late")
            messages.append(str(caught.value))

    assert messages[:2] == messages[2:]
    assert f"The setup method '{name}'" in messages[0]


class TestDispatchRequest:
    """``app.dispatch_request``, which is a method of the application."""

    @pytest.fixture(params=BOTH)
    def app(self, request) -> flask.Flask:
        return BOTH[request.param][0](__name__)

    def test_looks_as_a_method(self, app):
        method, plain = app.dispatch_request, flask.Flask(__name__).dispatch_request

        assert inspect.ismethod(method)
        assert method.__name__ == type(app).dispatch_request.__name__ == plain.__name__
        assert method.__qualname__ == "Flask.dispatch_request"
        assert method.__module__ == "flask.app"
        assert method.__self__ is app
        assert inspect.signature(method) == inspect.signature(plain)
        assert callable(type(app).dispatch_request)

    def test_of_a_subclass_looks_as_a_method(self, app):
        own = dispatching_class(type(app))(__name__)
        own.get("/")(index)

        assert inspect.ismethod(own.dispatch_request)
        assert own.dispatch_request.__name__ == "dispatch_request"
        assert own.dispatch_request.__self__ == own
        assert [own.test_client().get("/").json for _ in "ab"] == [{"n": 1}] * 2

    def test_set_and_deleted(self, app):
        app.get("/")(index)
        app.dispatch_request = lambda *_: "own"
        assert [app.test_client().get("/").text for _ in "ab"] == ["own", "own"]

        del app.dispatch_request
        assert [app.test_client().get("/").json for _ in "ab"] == [{"n": 1}] * 2

    def test_application_is_freed_with_its_last_reference(self, app):
        gc.disable()
        try:
            for cls in (type(app), dispatching_class(type(app))):
                made = cls(__name__)
                made.dispatch_request  # noqa: B018
                known = ref(made)
                del made
                assert known() is None
        finally:
            gc.enable()


class Called:
    """What can be called, and is no method."""

    def __call__(self, *args: t.Any) -> str:
        return f"called {len(args)}"


PATCHES: dict[str, t.Any] = {
    "function": lambda self, *args: type(self).__mro__[-2].__name__,
    "static": staticmethod(lambda *args: f"static {len(args)}"),
    "class": classmethod(lambda cls, *args: cls.__name__),
    "partial": functools.partialmethod(lambda self, *args: f"partial {args[0]}", 7),
    "mock": mock.MagicMock(return_value="mock"),
    "object": Called(),
}


@pytest.mark.parametrize("kind", PATCHES)
def test_patched_dispatch_request_is_bound_as_python_binds_it(monkeypatch, kind):
    apps = [app_class(__name__) for app_class, _ in BOTH.values()]
    monkeypatch.setattr(flask.Flask, "dispatch_request", PATCHES[kind])
    apps += [app_class(__name__) for app_class, _ in BOTH.values()]
    texts = []
    for app in apps:
        app.get("/")(index)
        texts.append([app.test_client().get("/").text for _ in "ab"])

    assert texts == [texts[0]] * 4
    assert len(texts[0][0]) > 3


# Classes that a library sets on Flask's.


class OtherResponse(flask.Response):
    default_mimetype = "text/x-other"


class OtherProvider(DefaultJSONProvider):
    mimetype = "application/x-other"


class OtherRule(Rule): ...


class OtherMap(Map): ...


CLASSES = {
    "response_class": OtherResponse,
    "json_provider_class": OtherProvider,
    "url_rule_class": OtherRule,
    "url_map_class": OtherMap,
}


@pytest.mark.parametrize("name", CLASSES)
def test_class_that_is_set_on_flask_is_used(monkeypatch, name):
    monkeypatch.setattr(flask.Flask, name, CLASSES[name])
    found = []
    for app_class, _ in BOTH.values():
        app = app_class(__name__, static_folder=None)
        app.get("/")(lambda: {"a": 1})
        app.get("/text", endpoint="text")(lambda: "a")
        client = app.test_client()
        rule = next(app.url_map.iter_rules())
        known = (getattr(app, name), type(rule).__name__, type(app.url_map).__name__)
        found.append([*known, *(client.get(x).mimetype for x in ("/", "/text"))])
    plain, ours = found
    # Those of ours where nobody has set another.
    usual = {"Rule", "Map"}
    assert [x for x in ours if x not in usual] == [x for x in plain if x not in usual]
    assert ours[0] is CLASSES[name]


def test_class_of_a_subclass_is_used_all_the_same(monkeypatch):
    class Own(flask_signature.Flask):
        json_provider_class = DefaultJSONProvider

    monkeypatch.setattr(flask.Flask, "json_provider_class", OtherProvider)

    assert type(Own(__name__).json) is DefaultJSONProvider


def test_response_of_flask_is_one_of_the_application():
    app = flask_signature.Flask(__name__)
    assert isinstance(flask.Response("x"), app.response_class)


RETURNED: dict[str, t.Any] = {
    "text": "x",
    "status": ("x", 201),
    "phrase": ({"a": 1}, "202 In Time"),
    "headers": ("x", {"X-A": "1"}),
    "both": (["x"], 203, [("X-A", "1")]),
    "bytes": b"x",
}


@pytest.mark.parametrize("returned", RETURNED.values(), ids=RETURNED)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_make_response_is_given_what_the_view_returned(seen, returned, method):
    calls, sent = seen(flask.Flask, "make_response"), []
    for app_class, _ in BOTH.values():
        app = app_class(__name__)
        app.route("/", methods=[method])(lambda: returned)
        sent += [app.test_client().open("/", method=method) for _ in "ab"]

    assert len(calls) == 4
    assert all(args == (returned,) and args[0] is returned for args, _ in calls)
    assert [x.data for x in sent] == [sent[0].data] * 4
    named = isinstance(returned, tuple) and not isinstance(returned[1], dict)
    usual = 201 if method == "POST" and not named else sent[0].status_code
    assert [x.status_code for x in sent[2:]] == [usual] * 2


def test_ensure_sync_is_asked_for_views_alone(seen):
    calls, asked = seen(flask.Flask, "ensure_sync"), []

    class Items(MethodView):
        async def get(self):
            return "v"

        def post(self):
            return "p"

    for app_class, _ in BOTH.values():
        calls.clear()
        app = app_class(__name__)
        app.get("/a")(index)
        app.add_url_rule("/items", view_func=Items.as_view("items"))
        app.before_request(lambda: None)
        for path in ("/a", "/items", "/a", "/items"):
            app.test_client().get(path)
        asked.append([getattr(args[0], "__name__", "") for args, _ in calls])

    assert asked[0] == asked[1]


MOCKS: dict[str, Callable[[], t.Any]] = {
    "magic": lambda: mock.MagicMock(return_value="a"),
    "specified": lambda: mock.MagicMock(spec=index, return_value="a"),
    "class": lambda: mock.MagicMock(spec=type, return_value="a"),
    "awaited": lambda: mock.AsyncMock(return_value="a"),
    "function": lambda: mock.create_autospec(index, return_value="a"),
}


METHODS = ("GET", "PATCH", "POST", "HEAD", "OPTIONS")


@pytest.mark.parametrize("make", MOCKS.values(), ids=MOCKS)
@pytest.mark.parametrize("options", [{}, {"methods": ["GET", "PATCH"]}], ids=len)
def test_mock_as_a_view(make, options):
    found = []
    for app_class, blueprint_class in BOTH.values():
        app, bp = app_class(__name__), blueprint_class("bp", __name__)
        for owner in (app, bp):
            owner.add_url_rule(f"/{owner.name}", "m", make(), **options)
        app.register_blueprint(bp)
        paths = [rule.rule for rule in app.url_map.iter_rules() if "m" in rule.endpoint]
        for path, method in itertools.product(paths, METHODS):
            found.append(app.test_client().open(path, method=method).status_code)

    half = len(found) // 2
    assert found[:half] == found[half:]


#: Patches Flask's classes before this package is imported, and prints what is called
#: and sent on both classes.
PROGRAM = """
import functools, json, sys
from unittest import mock

import flask

class Called:
    def __call__(self, *args):
        return f"called {len(args)}"

calls = []

def watch(owner, name):
    method = getattr(owner, name)

    @functools.wraps(method)
    def wrapper(*args, **options):
        calls.append(f"{owner.__name__}.{name}")
        return method(*args, **options)

    setattr(owner, name, wrapper)

patches = {
    "function": lambda self, *args: "function",
    "static": staticmethod(lambda *args: f"static {len(args)}"),
    "class": classmethod(lambda cls, *args: "class"),
    "partial": functools.partialmethod(lambda self, *args: f"partial {args[0]}", 7),
    "mock": mock.MagicMock(return_value="mock"),
    "object": Called(),
}
if sys.argv[1] in patches:
    flask.Flask.dispatch_request = patches[sys.argv[1]]
else:
    for name in ("add_url_rule", "dispatch_request", "get", "make_response", "route"):
        watch(flask.Flask, name)
    for name in ("make_setup_state", "post", "route"):
        watch(flask.Blueprint, name)

import flask_signature

found = []
for module in (flask, flask_signature):
    calls.clear()
    app = module.Flask("app", static_folder=None)
    bp = module.Blueprint("bp", "bp")
    app.get("/", endpoint="index")(lambda: "index")
    bp.post("/p", endpoint="post")(lambda: "post")
    app.register_blueprint(bp)
    found.append([app.test_client().get("/").text for _ in "ab"] + calls)
print(json.dumps(found))
"""


#: Flask 3.2 looks at the name and the parameters of each method when its class is
#: subclassed, and raises for those that only Python can call.
KINDS = ["wrappers"] if PASSES_CONTEXT else [*PATCHES, "wrappers"]


@pytest.mark.parametrize("kind", KINDS)
def test_patched_before_the_import(kind):
    plain, ours = json.loads(printed_by("-c", PROGRAM, kind))

    assert ours == plain
    assert len(plain) == (2 if kind in PATCHES else 13)
