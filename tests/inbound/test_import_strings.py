"""``ImportString`` in a request, which would import what a client names."""

from __future__ import annotations

import dataclasses
import typing as t

import flask
import pytest
from client import client_of, taking
from flask.views import MethodView
from pydantic import BaseModel, ImportString, Json, RootModel
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import (
    Blueprint,
    Body,
    Cookie,
    Depends,
    Flask,
    Form,
    Header,
    Query,
    SignatureError,
)
from flask_signature.security import APIKey

Name = TypeAliasType("Name", ImportString)


class Job(BaseModel):
    call: ImportString[t.Any] | None = None


class Jobs(BaseModel):
    jobs: dict[str, list[Job]]
    more: Jobs | None = None


class Root(RootModel[ImportString[t.Callable[..., t.Any]]]):
    """A model that is one."""


@dataclasses.dataclass
class Row:
    call: ImportString


class Entry(TypedDict):
    call: ImportString


class Pair(t.NamedTuple):
    call: ImportString


class First(BaseModel):
    kind: t.Literal["function"]
    call: ImportString


class Second(BaseModel):
    kind: t.Literal["second"]


TYPES = {
    "alone": ImportString,
    "typed": ImportString[int],
    "optional": ImportString | None,
    "list": list[ImportString],
    "dict": dict[str, ImportString],
    "alias": Name,
    "json": Json[ImportString],
    "model": Job,
    "model-in-a-model": Jobs,
    "root-model": Root,
    "dataclass": Row,
    "typed-dict": Entry,
    "named-tuple": Pair,
    "union": First | Second,
    "tagged-union": t.Annotated[First | Second, Body(discriminator="kind")],
    "query": t.Annotated[ImportString, Query()],
    "query-list": t.Annotated[list[ImportString], Query()],
    "query-model": t.Annotated[Job, Query()],
    "header": t.Annotated[ImportString, Header()],
    "cookie": t.Annotated[ImportString, Cookie()],
    "form": t.Annotated[ImportString, Form()],
    "form-model": t.Annotated[Job, Form()],
}


def refused(view: t.Callable[..., t.Any], rule: str = "/", **options: t.Any) -> bool:
    with pytest.raises(SignatureError) as error:
        client_of(view, rule, method="POST", **options)
    return "is an ImportString" in str(error.value)


@pytest.mark.parametrize("annotation", TYPES.values(), ids=TYPES)
def test_import_string_is_refused(annotation):
    assert refused(taking(annotation))


async def take_later(x: ImportString): ...


def find(name: ImportString) -> object:
    return name


def verify(key: str, name: ImportString) -> str:
    return key


DEFAULT = Query("math.cos", validate_default=True)

ELSEWHERE: dict[str, tuple[t.Any, dict[str, t.Any]]] = {
    "path": (taking(ImportString), {"rule": "/<x>"}),
    "asynchronous": (take_later, {}),
    "default": (taking(ImportString, DEFAULT), {}),
    "dependency": (taking(object, Depends(find)), {}),
    "guard": (taking(int, 1), {"dependencies": [find]}),
    "verify": (taking(int, 1), {"security": APIKey("key", "X-Key", verify=verify)}),
}


@pytest.mark.parametrize(("view", "options"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_import_string_elsewhere_is_refused(view, options):
    assert refused(view, **options)


def test_import_string_of_a_method_is_refused():
    class View(MethodView):
        def post(self, x: ImportString): ...

    with pytest.raises(SignatureError, match="is an ImportString"):
        Flask(__name__).add_url_rule("/", view_func=View.as_view("view"))


def test_import_string_in_a_blueprint_on_plain_flask_is_refused():
    blueprint = Blueprint("jobs", __name__)
    blueprint.post("/")(taking(Job))

    with pytest.raises(SignatureError, match=r"'x\.call' of view\(\) is an"):
        flask.Flask(__name__).register_blueprint(blueprint)
