"""Annotations that are resolved when a view is registered, however they are written."""

from __future__ import annotations

import functools
import sys
import typing as t

import pytest
from client import client_of, echo, refusals, taking
from messages import message_of
from pydantic import BaseModel, Field
from typing_extensions import TypeAliasType

from flask_signature import Blueprint, Query, SignatureError

if t.TYPE_CHECKING:
    from decimal import Decimal

blueprint = Blueprint("later", __name__)


def run_source(source: str) -> dict[str, t.Any]:
    """What a module of another file defines, with annotations of its own kind."""
    module: dict[str, t.Any] = {"__name__": "elsewhere"}
    exec(compile(source, "elsewhere.py", "exec", dont_inherit=True), module)
    return module


@blueprint.get("/later")
def names_what_is_defined_below(x: Later, y: list[AlsoLater] = Query([])):
    return echo(x=x, y=y)


class Later(BaseModel):
    a: int


AlsoLater = t.Annotated[int, Field(ge=1)]


def test_a_name_may_be_defined_below_a_view_of_a_blueprint(app, client):
    app.register_blueprint(blueprint)

    assert client.get("/later?a=1&y=2").json == {"x": {"a": 1}, "y": [2]}


def test_a_name_may_be_local(app, client):
    class Local(BaseModel):
        a: int

    bp = Blueprint("bp", __name__)

    @app.get("/a")
    def one(x: Local):
        return echo(x=x)

    @bp.get("/b")
    def two(x: Local | None = None):
        return echo(x=x)

    def three(x: Local):
        return echo(x=x)

    app.register_blueprint(bp)
    app.add_url_rule("/c", view_func=three)

    assert client.get("/a?a=1").json == {"x": {"a": 1}}
    assert client.get("/b").json == {"x": None}
    assert client.get("/c?a=1").json == {"x": {"a": 1}}


def test_a_wrapped_view_is_resolved_where_it_was_written():
    source = """
from __future__ import annotations
from pydantic import BaseModel
class Elsewhere(BaseModel):
    a: int
def view(x: Elsewhere):
    return {"a": x.a}
"""
    view = run_source(source)["view"]

    @functools.wraps(view)
    def wrapper(**kwargs):
        return view(**kwargs)

    assert client_of(wrapper).get("/?a=1").json == {"a": 1}


def test_a_part_of_an_annotation_may_be_text():
    def view(x: list["int"] = Query(), y: t.Optional["int"] = None):  # noqa: UP037
        return echo(x=x, y=y)

    assert client_of(view).get("/?x=1").json == {"x": [1], "y": None}


Names = list["Later"]
Maybe = t.Optional[dict[str, "Later"]]


def test_a_part_of_an_alias_may_be_text():
    def view(
        x: Names,
        y: Maybe = None,
        z: t.Literal["Later"] = "Later",
        f: t.Callable[[int], str] | None = None,
    ):
        return echo(x=x, y=y, z=z)

    sent = {"x": [{"a": 1}], "y": {"k": {"a": 2}}, "z": "Later"}
    assert client_of(view, "/", "POST").post("/", json=sent).json == sent


Unknown = list["Nowhere"]  # noqa: F821


def test_a_part_of_an_alias_that_names_nothing_is_refused():
    def view(x: int, y: Unknown): ...

    assert message_of(lambda: client_of(view)) == (
        "GET /: an annotation of view() names 'Nowhere', which is not defined when the"
        " route is registered. Import it outside 'if TYPE_CHECKING'."
        f" (tests/inbound/test_annotations.py, line {view.__code__.co_firstlineno})"
    )


def test_a_model_may_refer_to_itself():
    class Tree(BaseModel):
        value: int
        children: list[Tree] = []

    client = client_of(taking(Tree), "/", "POST")
    sent = {"value": 1, "children": [{"value": 2, "children": []}]}
    assert client.post("/", json=sent).json == {"x": sent}


T = t.TypeVar("T")
Ints = TypeAliasType("Ints", list[int])
Many = TypeAliasType("Many", list[T], type_params=(T,))
Page = TypeAliasType("Page", t.Annotated[int, Query(ge=1)])


def take_aliases(x: Ints, y: Many[int], page: Page = 1):
    return {"x": x, "y": y, "page": page}


STATEMENTS = """
from __future__ import annotations
from typing import Annotated
from flask_signature import Query
type Ints = list[int]
type Many[T] = list[T]
type Page = Annotated[int, Query(ge=1)]
def view[T: int](x: Ints, y: Many[int], page: Page = 1):
    return {"x": x, "y": y, "page": page}
"""


@pytest.mark.parametrize(
    "view_of",
    [
        pytest.param(lambda: take_aliases, id="type_extensions"),
        pytest.param(
            lambda: run_source(STATEMENTS)["view"],
            marks=pytest.mark.skipif(
                sys.version_info < (3, 12), reason="the syntax of Python 3.12"
            ),
            id="statement",
        ),
    ],
)
def test_a_type_alias_is_resolved(view_of):
    client = client_of(view_of())

    assert client.get("/?x=1&y=2&y=3").json == {"x": [1], "y": [2, 3], "page": 1}
    assert refusals(client.get("/?x=1&y=2&page=0")) == [
        (["query", "page"], "greater_than_equal")
    ]


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations of Python 3.14")
def test_annotations_that_python_evaluates_late_are_resolved(app, client):
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
    app.register_blueprint(run_source(source)["bp"])

    assert client.get("/?a=1&y=2").json == {"a": 1, "y": [2]}


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
    view = run_source(f"\ndef view({arguments}): ...\n")["view"]
    assert message_of(lambda: client_of(view)) == (
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
    client = client_of(taking(int, None), "/", "POST")

    assert client.post("/", json={}).json == {"x": None}
    assert refusals(client.post("/", json={"x": None})) == [(["body", "x"], "int_type")]
