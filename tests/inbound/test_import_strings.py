"""``ImportString`` in a request, which would import what a client names."""

from __future__ import annotations

import dataclasses
import typing as t

import flask
import pytest
from client import client_of
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
    def view(x, y=None):
        raise AssertionError

    view.__annotations__ = {"x": annotation}
    assert refused(view)


def test_import_string_of_the_path_is_refused():
    def view(x: ImportString):
        raise AssertionError

    assert refused(view, "/<x>")


def test_import_string_of_an_asynchronous_view_is_refused():
    async def view(x: ImportString):
        raise AssertionError

    assert refused(view)


def test_import_string_with_a_default_is_refused():
    def view(x: ImportString = Query("math.cos", validate_default=True)):
        raise AssertionError

    assert refused(view)


def find(name: ImportString) -> object:
    return name


def test_import_string_of_a_dependency_is_refused():
    def view(x: object = Depends(find)):
        raise AssertionError

    assert refused(view)


def test_import_string_of_a_guard_is_refused():
    def view():
        raise AssertionError

    assert refused(view, dependencies=[find])


def test_import_string_of_what_verifies_is_refused():
    def verify(key: str, name: ImportString) -> str:
        return key

    def view():
        raise AssertionError

    assert refused(view, security=APIKey("key", "X-Key", verify=verify))


def test_import_string_of_a_method_is_refused():
    class View(MethodView):
        def post(self, x: ImportString):
            raise AssertionError

    with pytest.raises(SignatureError, match="is an ImportString"):
        Flask(__name__).add_url_rule("/", view_func=View.as_view("view"))


def test_import_string_in_a_blueprint_on_plain_flask_is_refused():
    blueprint = Blueprint("jobs", __name__)

    @blueprint.post("/")
    def view(job: Job):
        raise AssertionError

    with pytest.raises(SignatureError, match=r"'job\.call' of view\(\) is an"):
        flask.Flask(__name__).register_blueprint(blueprint)
