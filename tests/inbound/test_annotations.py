"""Annotations that are resolved when a view is registered, however they are written."""

from __future__ import annotations

import functools
import sys
import typing as t

import pytest
from client import client_of, echo, refusals
from pydantic import BaseModel, Field
from typing_extensions import TypeAliasType

from flask_signature import Blueprint, Flask, Query, SignatureError

if t.TYPE_CHECKING:
    from decimal import Decimal

blueprint = Blueprint("later", __name__)


@blueprint.get("/later")
def names_what_is_defined_below(x: Later, y: list[AlsoLater] = Query([])):
    return echo(x=x, y=y)


class Later(BaseModel):
    a: int


AlsoLater = t.Annotated[int, Field(ge=1)]


def test_a_name_may_be_defined_below_a_view_of_a_blueprint():
    app = Flask(__name__)
    app.register_blueprint(blueprint)

    assert app.test_client().get("/later?a=1&y=2").json == {"x": {"a": 1}, "y": [2]}


def test_a_name_may_be_local():
    class Local(BaseModel):
        a: int

    app = Flask(__name__)
    bp = Blueprint("bp", __name__)

    @app.get("/a")
    def one(x: Local):
        return echo(x=x)

    @bp.get("/b")
    def two(x: Local | None = None):
        return echo(x=x)

    app.register_blueprint(bp)

    client = app.test_client()
    assert client.get("/a?a=1").json == {"x": {"a": 1}}
    assert client.get("/b").json == {"x": None}


def test_a_name_may_be_local_to_a_factory_that_calls_add_url_rule():
    class Local(BaseModel):
        a: int

    def view(x: Local):
        return echo(x=x)

    app = Flask(__name__)
    app.add_url_rule("/", view_func=view)

    assert app.test_client().get("/?a=1").json == {"x": {"a": 1}}


def test_a_wrapped_view_is_resolved_where_it_was_written():
    source = """
from __future__ import annotations
from pydantic import BaseModel
class Elsewhere(BaseModel):
    a: int
def view(x: Elsewhere):
    return {"a": x.a}
"""
    module: dict[str, t.Any] = {"__name__": "elsewhere"}
    exec(source, module)

    @functools.wraps(module["view"])
    def wrapper(**kwargs):
        return module["view"](**kwargs)

    assert client_of(wrapper).get("/?a=1").json == {"a": 1}


def test_a_part_of_an_annotation_may_be_text():
    def view(x: list["int"] = Query(), y: t.Optional["int"] = None):  # noqa: UP037
        return echo(x=x, y=y)

    assert client_of(view).get("/?x=1").json == {"x": [1], "y": None}


Names = list["Later"]
Maybe = t.Optional[dict[str, "Later"]]


def test_a_part_of_an_alias_may_be_text():
    app = Flask(__name__)

    @app.post("/")
    def view(x: Names, y: Maybe = None, z: t.Literal["Later"] = "Later"):
        return echo(x=x, y=y, z=z)

    sent = {"x": [{"a": 1}], "y": {"k": {"a": 2}}, "z": "Later"}
    assert app.test_client().post("/", json=sent).json == sent


Unknown = list["Nowhere"]  # noqa: F821


def test_a_part_of_an_alias_that_names_nothing_is_refused():
    def view(x: int, y: Unknown): ...

    with pytest.raises(SignatureError) as error:
        client_of(view)

    assert str(error.value) == (
        "GET /: an annotation of view() names 'Nowhere', which is not defined when the"
        " route is registered. Import it outside 'if TYPE_CHECKING'."
        f" (tests/inbound/test_annotations.py, line {view.__code__.co_firstlineno})"
    )


def test_a_model_may_refer_to_itself():
    class Tree(BaseModel):
        value: int
        children: list[Tree] = []

    app = Flask(__name__)

    @app.post("/")
    def view(tree: Tree):
        return echo(tree=tree)

    sent = {"value": 1, "children": [{"value": 2, "children": []}]}
    assert app.test_client().post("/", json=sent).json == {"tree": sent}


def test_a_type_alias_is_resolved():
    Ints = TypeAliasType("Ints", list[int])
    T = t.TypeVar("T")
    Many = TypeAliasType("Many", list[T], type_params=(T,))
    Page = TypeAliasType("Page", t.Annotated[int, Query(ge=1)])

    app = Flask(__name__)

    @app.get("/")
    def view(x: Ints, y: Many[int], page: Page = 1):
        return echo(x=x, y=y, page=page)

    client = app.test_client()
    assert client.get("/?x=1&y=2&y=3").json == {"x": [1], "y": [2, 3], "page": 1}
    assert refusals(client.get("/?x=1&y=2&page=0")) == [
        (["query", "page"], "greater_than_equal")
    ]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax of Python 3.12")
def test_a_type_statement_is_resolved():
    source = """
from typing import Annotated
from flask_signature import Query
type Ints = list[int]
type Many[T] = list[T]
type Page = Annotated[int, Query(ge=1)]
def view[T: int](x: Ints, y: Many[int], page: Page = 1):
    return {"x": x, "y": y, "page": page}
"""
    module: dict[str, t.Any] = {"__name__": "elsewhere"}
    exec(source, module)

    client = client_of(module["view"])

    assert client.get("/?x=1&y=2&y=3").json == {"x": [1], "y": [2, 3], "page": 1}
    assert refusals(client.get("/?x=1&y=2&page=0")) == [
        (["query", "page"], "greater_than_equal")
    ]


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations of Python 3.14")
def test_annotations_that_python_evaluates_late_are_resolved():
    source = """
from flask_signature import Blueprint, Query
bp = Blueprint("bp", __name__)
@bp.get("/")
def view(x: Later, y: list[Other] = Query([])):
    return {"a": x.a, "y": y}
from pydantic import BaseModel
class Later(BaseModel):
    a: int
Other = int
"""
    module: dict[str, t.Any] = {"__name__": "elsewhere"}
    exec(compile(source, "elsewhere.py", "exec", dont_inherit=True), module)
    app = Flask(__name__)
    app.register_blueprint(module["bp"])

    assert app.test_client().get("/?a=1&y=2").json == {"a": 1, "y": [2]}


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param('y: "Missing"', id="text"),
        pytest.param(
            "x: int, y: Missing",
            marks=pytest.mark.skipif(
                sys.version_info < (3, 14), reason="annotations of Python 3.14"
            ),
            id="evaluated late",
        ),
    ],
)
def test_a_name_that_is_missing_where_there_is_no_source_is_refused(arguments):
    source = f"""
def view({arguments}): ...
"""
    module: dict[str, t.Any] = {"__name__": "elsewhere"}
    exec(compile(source, "elsewhere.py", "exec", dont_inherit=True), module)

    with pytest.raises(SignatureError) as error:
        client_of(module["view"])

    assert str(error.value) == (
        "GET /: the annotation of 'y' in view() names 'Missing', which is not"
        " defined when the route is registered. Import it outside 'if"
        " TYPE_CHECKING'. (elsewhere.py, line 2)"
    )


def test_a_name_that_only_the_type_checker_imports_is_refused():
    def view(price: Decimal):
        return {}

    with pytest.raises(SignatureError, match="the annotation of 'price' in view"):
        client_of(view)


def test_a_default_of_none_does_not_change_the_type():
    def view(n: int = None):  # noqa: RUF013
        return echo(n=n)

    client = client_of(view, "/", "POST")

    assert client.post("/", json={}).json == {"n": None}
    assert refusals(client.post("/", json={"n": None})) == [(["body", "n"], "int_type")]
