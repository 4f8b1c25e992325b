"""Types that a request can't have: each is refused when its view is registered.

``ImportString`` would import what a client names. The items of an iterable would be
validated during the view.
"""

from __future__ import annotations

import typing as t
from collections import abc

import flask
import pytest
from client import client_of, taking
from flask.views import MethodView
from models import containers_of
from pydantic import AfterValidator, ImportString, Json

from flask_signature import (
    Blueprint,
    Cookie,
    Depends,
    Flask,
    Form,
    Header,
    Query,
    SignatureError,
)
from flask_signature.security import APIKey

IMPORTS = containers_of(ImportString)
ITERABLES = containers_of(abc.Iterable[int])
Job, Batch, Row = IMPORTS["model"], ITERABLES["model"], ITERABLES["dataclass"]

REFUSED = {
    **{f"import-{name}": tp for name, tp in IMPORTS.items()},
    "import-typed": ImportString[int],
    "import-json": Json[ImportString],
    "import-query": t.Annotated[ImportString, Query()],
    "import-query-list": t.Annotated[list[ImportString], Query()],
    "import-query-model": t.Annotated[Job, Query()],
    "import-header": t.Annotated[ImportString, Header()],
    "import-cookie": t.Annotated[ImportString, Cookie()],
    "import-form": t.Annotated[ImportString, Form()],
    "import-form-model": t.Annotated[Job, Form()],
    "import-default": t.Annotated[
        ImportString, Query("math.cos", validate_default=True)
    ],
    **{f"iterable-{name}": tp for name, tp in ITERABLES.items()},
    "iterable-typing": t.Iterable[int],
    "iterable-generator": abc.Generator[int, None, None],
    "iterable-annotated": t.Annotated[abc.Iterable[int], AfterValidator(list)],
    "iterable-raw": bytes | abc.Iterable[int],
    "iterable-query": t.Annotated[abc.Iterable[int], Query()],
    "iterable-query-model": t.Annotated[Batch, Query()],
    "iterable-header": t.Annotated[abc.Iterable[int], Header()],
    "iterable-form": t.Annotated[abc.Iterable[int], Form()],
    "iterable-form-model": t.Annotated[Batch, Form()],
    "iterable-json-of-a-form": t.Annotated[Row, Form()],
}


@pytest.mark.parametrize("name", REFUSED)
def test_type_is_refused(name):
    problem = "ImportString" if name.startswith("import") else "Iterable or a Generator"

    with pytest.raises(SignatureError, match=f"is an {problem}"):
        client_of(taking(REFUSED[name]), method="POST")


async def take_later(x: ImportString): ...


def find(name: ImportString) -> object:
    return name


def verify(key: str, name: ImportString) -> str:
    return key


NEEDS_KEY = {"security": APIKey("key", "X-Key", verify=verify)}
ELSEWHERE: dict[str, tuple[t.Any, str, dict[str, t.Any]]] = {
    "path": (taking(ImportString), "/<x>", {}),
    "asynchronous": (take_later, "/", {}),
    "dependency": (taking(object, Depends(find)), "/", {}),
    "guard": (taking(int, 1), "/", {"dependencies": [find]}),
    "verify": (taking(int, 1), "/", NEEDS_KEY),
}


@pytest.mark.parametrize(("view", "rule", "options"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_import_string_is_refused_elsewhere(view, rule, options):
    with pytest.raises(SignatureError, match="is an ImportString"):
        client_of(view, rule, "POST", **options)


def test_import_string_of_a_method_is_refused():
    class View(MethodView):
        def post(self, x: ImportString): ...

    with pytest.raises(SignatureError, match="is an ImportString"):
        Flask(__name__).add_url_rule("/", view_func=View.as_view("view"))


def test_import_string_in_a_blueprint_on_plain_flask_is_refused():
    blueprint = Blueprint("jobs", __name__)
    blueprint.post("/")(taking(Job))

    with pytest.raises(SignatureError, match=r"'x\.value' of view\(\) is an"):
        flask.Flask(__name__).register_blueprint(blueprint)


def test_sequence_is_validated_before_the_view():
    client = client_of(taking(abc.Sequence[int]), method="POST")

    assert client.post("/", json=["a"]).status_code == 422
