"""Return annotations with names that are imported for type checkers alone."""

from __future__ import annotations

import importlib
import itertools
import sys
import typing as t
import warnings

import flask
import pytest
from messages import message_of

from flask_signature import Flask, SignatureError, SignatureWarning

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

NUMBERS = itertools.count()

LAZY = sys.version_info >= (3, 14)

HEAD = """
import typing as t
from flask.views import MethodView, View
from pydantic import BaseModel
from flask_signature import Blueprint
bp = Blueprint("bp", __name__)
class Item(BaseModel):
    name: str
ITEM = {"name": "pen", "secret": 1}
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Writes a module and imports it; one with "from __future__" unless said."""
    monkeypatch.syspath_prepend(tmp_path)

    def load(source: str, *, future: bool = True) -> ModuleType:
        name = f"views_of_{next(NUMBERS)}"
        first = "from __future__ import annotations\n" if future else ""
        (tmp_path / f"{name}.py").write_text(first + HEAD + source)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return load


def serving(module: ModuleType, make: type[flask.Flask] = Flask) -> t.Any:
    app = make(__name__)
    app.register_blueprint(module.bp)
    return app.test_client()


WERKZEUG = "from werkzeug.wrappers"
NAMES = {
    "return-value": ("from flask.typing import ResponseReturnValue", "@"),
    "value": ("from flask.typing import ResponseValue", "@"),
    "response": ("from flask import Response", "@"),
    "werkzeug-response": (f"{WERKZEUG} import Response as WerkzeugResponse", "@"),
    "base-response": (f"{WERKZEUG} import Response as BaseResponse", "@"),
    "ft": ("from flask import typing as ft", "ft.ResponseReturnValue"),
    "typing": ("from flask import typing", "typing.ResponseReturnValue"),
    "flask": ("import flask", "flask.Response"),
    "flask-typing": ("import flask.typing", "flask.typing.ResponseReturnValue"),
    "flask-wrappers": ("import flask.wrappers", "flask.wrappers.Response"),
    "wrappers": ("from flask import wrappers", "wrappers.Response"),
    "werkzeug": ("import werkzeug", "werkzeug.wrappers.Response"),
    "parenthesis": (
        "from flask import (\n        Request,  # (one)\n        Response,\n    )",
        "Response",
    ),
    "tuple": ("from flask.typing import HeadersValue", "tuple[str, int, HeadersValue]"),
    "nothing": ("pass", "ResponseReturnValue"),
    "nothing-but-response": ("pass", "Response"),
}


def name_of(imported: str, annotation: str) -> str:
    return annotation.replace("@", imported.split()[-1])


@pytest.mark.parametrize("quoted", [False, True], ids=["", "quoted"])
@pytest.mark.parametrize(("imported", "annotation"), NAMES.values(), ids=NAMES)
def test_a_name_of_flask_is_known(load, imported, annotation, quoted):
    annotation = name_of(imported, annotation)
    written = f'"{annotation}"' if quoted else annotation
    views = load(
        f"""
if t.TYPE_CHECKING:
    {imported}
@bp.get("/gone")
def gone(n: int = 1) -> {written}:
    return f"gone {{n}}", 410, {{}}
class Gone(MethodView):
    def get(self, n: int = 1) -> {written}:
        return f"gone {{n}}", 410, {{}}
class Plain(View):
    def dispatch_request(self) -> {written}:
        return "gone 3", 410, {{}}
bp.add_url_rule("/method", view_func=Gone.as_view("method"))
bp.add_url_rule("/view", view_func=Plain.as_view("view"))
""",
        future=not quoted,
    )

    client = serving(views, flask.Flask)

    for url in ("/gone?n=3", "/method?n=3", "/view"):
        response = client.get(url)
        assert (response.status_code, response.text) == (410, "gone 3")


@pytest.mark.parametrize(("imported", "annotation"), NAMES.values(), ids=NAMES)
def test_a_name_of_flask_is_known_beside_a_model(load, imported, annotation):
    annotation = name_of(imported, annotation)
    views = load(f"""
if t.TYPE_CHECKING:
    {imported}
@bp.get("/item")
def item() -> Item | {annotation}:
    return ITEM
""")

    assert serving(views).get("/item").json == {"name": "pen"}


@pytest.mark.parametrize("written", ['"Item | Response"', 't.Optional["Response"]'])
def test_a_name_of_flask_is_known_in_a_string(load, written):
    views = load(
        f"""
@bp.get("/item")
def item() -> {written}:
    return ITEM
""",
        future=False,
    )

    response = serving(views).get("/item")
    sent = {"name": "pen"} if "Item" in written else views.ITEM
    assert response.json == sent


@pytest.mark.skipif(not LAZY, reason="annotations of Python 3.14")
@pytest.mark.parametrize(("imported", "annotation"), NAMES.values(), ids=NAMES)
def test_a_name_of_flask_is_known_to_a_late_evaluation(load, imported, annotation):
    annotation = name_of(imported, annotation)
    views = load(
        f"""
if t.TYPE_CHECKING:
    {imported}
@bp.get("/item/<int:n>")
def item(n: int) -> Item | {annotation}:
    return ITEM
class Method(MethodView):
    def get(self, n: int = 1) -> {annotation}:
        return "gone", 410
bp.add_url_rule("/method", view_func=Method.as_view("method"))
""",
        future=False,
    )
    client = serving(views)

    assert client.get("/item/1").json == {"name": "pen"}
    assert client.get("/method").status_code == 410


def test_a_name_that_is_defined_wins(load):
    views = load("""
class Response(BaseModel):
    name: str
class ft:
    ResponseReturnValue = Item
@bp.get("/response")
def response() -> Response:
    return ITEM
@bp.get("/alias")
def alias() -> ft.ResponseReturnValue:
    return ITEM
def declare():
    class ResponseReturnValue(BaseModel):
        name: str
    @bp.get("/around")
    def around() -> ResponseReturnValue:
        return ITEM
declare()
""")
    client = serving(views)

    for url in ("/response", "/alias", "/around"):
        assert client.get(url).json == {"name": "pen"}


OTHERS = {
    "import": ("from shop.schemas import Response", "Response"),
    "alias": ("from shop.schemas import Sent as Response", "Response"),
    "relative": ("from .schemas import (\n        Response,\n    )", "Response"),
    "requests": ("from requests import Response", "Response"),
    "similar": ("from flask_shop.schemas import Item, Response", "Response"),
    "module": ("from shop import wrappers", "wrappers.Response"),
}


@pytest.mark.parametrize(("imported", "annotation"), OTHERS.values(), ids=OTHERS)
def test_a_name_from_elsewhere_is_not_that_of_flask(load, imported, annotation):
    views = load(f"""
if t.TYPE_CHECKING:
    {imported}
@bp.get("/")
def show() -> {annotation}: ...
""")
    name = annotation.partition(".")[0]

    with pytest.raises(SignatureError, match=rf"show\(\) names '{name}', which is"):
        serving(views)


def test_a_name_that_is_defined_below_is_not_that_of_flask(load):
    with pytest.raises(SignatureError, match=r"'Response'.* Define it above the view"):
        load("""
from flask_signature import Flask
app = Flask(__name__)
@app.get("/")
def show() -> Response: ...
class Response(Item): ...
""")


@pytest.mark.parametrize("future", [True, False], ids=["future", ""])
def test_an_alias_of_flask_keeps_its_own_names(load, future):
    views = load(
        """
from flask.typing import ResponseReturnValue
if t.TYPE_CHECKING:
    from requests import Response
@bp.get("/")
def show() -> ResponseReturnValue:
    return "gone", 410
""",
        future=future,
    )

    assert serving(views).get("/").status_code == 410


@pytest.mark.parametrize("name", ["Nowhere", "ft.Nowhere", "flask.Item", "typing.Any"])
def test_another_name_is_refused_for_a_function(load, name):
    views = load(f"""
@bp.get("/")
def show() -> {name}: ...
""")

    root = name.partition(".")[0]
    line = views.show.__code__.co_firstlineno
    assert message_of(lambda: serving(views)) == (
        f"GET /: the return annotation of show() names {root!r}, which is not defined"
        " when the blueprint is registered. Import it outside 'if TYPE_CHECKING'."
        f" ({views.__file__}, line {line})"
    )


CLASS = """
class Users(MethodView):
    def get(self, n: int = 1) -> {}:
        return {{"n": n, "secret": 1}}
bp.add_url_rule("/users", view_func=Users.as_view("users"), **{})
"""


def test_another_name_is_left_alone_for_a_class(load):
    views = load(CLASS.format("Nowhere", {}))

    with pytest.warns(SignatureWarning) as caught:
        client = serving(views)

    line = views.Users.get.__code__.co_firstlineno
    (message,) = [str(warning.message) for warning in caught]
    assert message == (
        "GET /users: the return annotation of Users.get() names 'Nowhere', which is not"
        " defined when the blueprint is registered. Import it outside 'if"
        " TYPE_CHECKING'. Until then it is no response model."
        f" ({views.__file__}, line {line})"
    )
    assert (caught[0].filename, caught[0].lineno) == (views.__file__, line)
    assert client.get("/users?n=2").json == {"n": 2, "secret": 1}
    assert client.get("/users?n=x").status_code == 422


@pytest.mark.skipif(not LAZY, reason="annotations of Python 3.14")
def test_another_name_is_left_alone_for_a_class_where_python_evaluates_late(load):
    views = load(CLASS.format("dict[str, Nowhere]", {}), future=False)

    with pytest.warns(SignatureWarning, match=r"Users.get\(\) names 'Nowhere'"):
        client = serving(views)

    assert client.get("/users?n=2").json == {"n": 2, "secret": 1}


def test_what_is_no_type_is_left_alone_for_a_class(load):
    views = load(CLASS.format("t.Nowhere", {}))

    with pytest.warns(SignatureWarning, match=r"of Users.get\(\) is no type: module"):
        client = serving(views)

    assert client.get("/users?n=2").json == {"n": 2, "secret": 1}


@pytest.mark.parametrize("model", ["Item", "None"])
def test_a_model_of_the_route_needs_no_return_annotation(load, model):
    views = load(CLASS.format("Nowhere", f"{{'response_model': {model}}}"))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        serving(views)


@pytest.mark.parametrize("annotation", ["Nowhere", "Response", "ResponseReturnValue"])
@pytest.mark.parametrize(
    "source",
    [
        """
@bp.get("/")
def show(x: {0}) -> {0}: ...
""",
        """
class Show(MethodView):
    def get(self, x: {0}) -> {0}: ...
bp.add_url_rule("/", view_func=Show.as_view("show"))
""",
    ],
    ids=["function", "class"],
)
@pytest.mark.parametrize("future", [True, *([False] if LAZY else [])])
def test_an_argument_is_refused(load, annotation, source, future):
    views = load(source.format(annotation), future=future)

    view = "Show.get()" if "class" in source else "show()"
    assert message_of(lambda: serving(views)).startswith(
        f"GET /: the annotation of 'x' in {view} names {annotation!r}, which is not"
    )
