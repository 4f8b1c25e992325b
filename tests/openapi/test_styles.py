"""The description of lists and models that are one parameter."""

from __future__ import annotations

import typing as t
from urllib.parse import quote

import pytest
from document import Document, operation, parameters, schema_of
from pydantic import BaseModel

from flask_signature import Flask, Form, Header, Query, UploadFile
from flask_signature.params import Param


class Order(BaseModel):
    name: str | None = None
    size: int = 1


class Point(BaseModel):
    x: int
    y: int


#: The signs between the items of a list.
SIGNS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|", "simple": ","}


def written(parameter: Document, value: t.Any) -> list[tuple[str, str]]:
    """The names and values that a client sends for a value, after its description.

    Source: OpenAPI 3.1, Style Examples.
    """
    name, style, explode = (parameter[key] for key in ("name", "style", "explode"))
    fields = value.items() if isinstance(value, dict) else ()
    if style == "deepObject":
        return [(f"{name}[{key}]", str(item)) for key, item in fields]
    if style == "form" and explode:
        return [(name, str(item)) for item in value]
    if explode and fields:
        return [(name, ",".join(f"{key}={item}" for key, item in fields))]
    items = [part for pair in fields for part in pair] or value
    return [(name, SIGNS[style].join(map(str, items)))]


LISTS: list[Param] = [
    Query(),
    Query(style="form"),
    Query(style="form", explode=False),
    Query(style="spaceDelimited"),
    Query(style="pipeDelimited"),
    Header(),
    Header(style="simple"),
    Header(explode=True),
]

OBJECTS: list[Param] = [
    Query(explode=False),
    Query(style="spaceDelimited"),
    Query(style="pipeDelimited"),
    Query(style="deepObject"),
    Header(style="simple"),
    Header(explode=True),
]


@pytest.mark.parametrize(
    ("annotation", "marker", "value"),
    [
        *((list[int], marker, [1, 2, 3]) for marker in LISTS),
        *((list[int], marker, [1]) for marker in LISTS),
        *((Point, marker, {"x": 1, "y": 2}) for marker in OBJECTS),
    ],
)
def test_what_is_sent_as_described_is_what_the_view_gets(
    app, annotation, marker, value
):
    def view(q: t.Any) -> t.Any:
        return q.model_dump() if isinstance(q, BaseModel) else q

    view.__annotations__ = {"q": t.Annotated[annotation, marker]}
    app.get("/")(view)
    (parameter,) = parameters(app, "GET /").values()
    sent = written(parameter, value)
    query = "&".join(f"{quote(name)}={quote(item)}" for name, item in sent)

    client = app.test_client()
    if parameter["in"] == "header":
        assert client.get("/", headers=sent).get_json() == value
    else:
        assert client.get(f"/?{query}").get_json() == value


def test_a_style_is_described(app):
    @app.get("/")
    def show(
        ids: list[int] = Query([], style="pipeDelimited"),
        tags: list[str] | None = Query(None, explode=False),
        one: int | list[int] = Query(1, explode=False),
    ) -> None: ...

    integers = {"type": "array", "items": {"type": "integer"}}
    form = {"in": "query", "style": "form", "explode": False}
    assert parameters(app, "GET /") == {
        "ids": {
            "name": "ids",
            "in": "query",
            "style": "pipeDelimited",
            "explode": False,
            "schema": {**integers, "default": []},
        },
        "tags": {
            "name": "tags",
            **form,
            "schema": {"type": "array", "items": {"type": "string"}},
        },
        "one": {
            "name": "one",
            **form,
            "schema": {"anyOf": [{"type": "integer"}, integers], "default": 1},
        },
    }


def test_a_model_that_is_one_parameter_is_described_by_its_component(app):
    @app.get("/")
    def show(
        point: Point = Query(style="deepObject"),
        x_point: Point | None = Header(None, style="simple"),
    ) -> None: ...

    assert parameters(app, "GET /") == {
        "point": {
            "name": "point",
            "in": "query",
            "required": True,
            "style": "deepObject",
            "explode": True,
            "schema": {"$ref": "#/components/schemas/Point"},
        },
        "X-Point": {
            "name": "X-Point",
            "in": "header",
            "style": "simple",
            "explode": False,
            "schema": {"$ref": "#/components/schemas/Point"},
        },
    }


def test_its_fields_hold_no_null_and_there_is_one_at_least(app):
    @app.get("/")
    def show(order: Order = Query(style="deepObject")) -> None: ...

    assert schema_of(app, "GET /") == {
        "title": "Order",
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "size": {"type": "integer", "default": 1},
        },
        "minProperties": 1,
    }
    client = app.test_client()
    assert client.get("/").status_code == 422
    assert client.get("/?order[size]=1").status_code == 200


@pytest.mark.parametrize(
    ("annotation", "values"),
    [
        (dict[str, int], {"type": "integer"}),
        (dict[str, int | None] | None, {"type": "integer"}),
        (dict[str, t.Any], True),
    ],
)
def test_a_deep_dict_has_one_value_at_least(app, annotation, values):
    def show(q): ...

    show.__annotations__ = {"q": t.Annotated[annotation, Query(style="deepObject")]}
    app.get("/")(show)

    (found,) = parameters(app, "GET /").values()
    assert (found["style"], found["explode"]) == ("deepObject", True)
    assert found["schema"] == {
        "type": "object",
        "additionalProperties": values,
        "minProperties": 1,
    }


def test_the_default_of_a_model_that_is_one_parameter_holds_no_null(app):
    @app.get("/")
    def show(order: Order = Query(Order(), style="deepObject")) -> None: ...

    assert schema_of(app, "GET /")["default"] == {"size": 1}


def test_a_required_list_that_repeats_its_name_is_never_empty(app):
    @app.get("/")
    def show(
        ids: list[int],
        split: list[int] = Query(explode=False),
        more: list[int] = Query([]),
        most: list[int] = Query(min_length=2),
    ) -> None: ...

    found = parameters(app, "GET /").items()
    assert {name: item["schema"].get("minItems") for name, item in found} == {
        "ids": 1,
        "split": None,
        "more": None,
        "most": 2,
    }


class Parcel(BaseModel):
    labels: list[str]
    notes: list[str] = []


def form_of(app: Flask, name: str, kind: str) -> Document:
    """The properties of a form."""
    content = operation(app, name)["requestBody"]["content"]
    return t.cast(Document, content[kind]["schema"]["properties"])


def test_a_required_list_in_a_form_says_min_items_1(app):
    @app.post("/lists")
    def lists(
        labels: list[str] = Form(),
        notes: list[str] = Form([]),
        photos: list[UploadFile] = Form(),
    ) -> None: ...

    @app.post("/model")
    def model(parcel: t.Annotated[Parcel, Form()]) -> None: ...

    @app.post("/json")
    def json(parcel: Parcel) -> None: ...

    strings = {"type": "array", "items": {"type": "string"}}
    files = {"type": "array", "items": {"type": "string", "format": "binary"}}
    assert form_of(app, "POST /lists", "multipart/form-data") == {
        "labels": {**strings, "minItems": 1},
        "notes": {**strings, "default": []},
        "photos": {**files, "minItems": 1},
    }
    assert form_of(app, "POST /model", "application/x-www-form-urlencoded") == {
        "labels": {**strings, "minItems": 1},
        "notes": {**strings, "default": []},
    }
    client = app.test_client()
    assert client.post("/model", data={"labels": []}).status_code == 422
    assert client.post("/json", json={"labels": []}).status_code == 201


@pytest.mark.parametrize(
    ("value", "status"), [("a", 200), ("a/b", 200), ("a//b", 200), ("/a", 308)]
)
def test_a_path_converter_says_that_it_holds_no_slash_at_the_start(app, value, status):
    @app.get("/files/<path:name>")
    def show(name: str) -> None: ...

    assert schema_of(app, "GET /files/{name}") == {
        "type": "string",
        "pattern": "^(?:[^/].*?)$",
    }
    assert app.test_client().get(f"/files/{value}").status_code == status
