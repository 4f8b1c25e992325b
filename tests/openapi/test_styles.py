"""The description of lists and models that are one parameter."""

from __future__ import annotations

import typing as t
from urllib.parse import quote

import pytest
from client import taking
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


STRINGS = {"type": "array", "items": {"type": "string"}}
INTEGERS = {"type": "array", "items": {"type": "integer"}}

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
    *(Query(), Query(style="form"), Query(style="form", explode=False)),
    *(Query(style="spaceDelimited"), Query(style="pipeDelimited")),
    *(Header(), Header(style="simple"), Header(explode=True)),
]

OBJECTS: list[Param] = [
    *(Query(explode=False), Query(style="spaceDelimited")),
    *(Query(style="pipeDelimited"), Query(style="deepObject")),
    *(Header(style="simple"), Header(explode=True)),
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
    app, client, annotation, marker, value
):
    def view(q: t.Any) -> t.Any:
        return q.model_dump() if isinstance(q, BaseModel) else q

    view.__annotations__ = {"q": t.Annotated[annotation, marker]}
    app.get("/")(view)
    (parameter,) = parameters(app, "GET /").values()
    sent = written(parameter, value)
    query = "&".join(f"{quote(name)}={quote(item)}" for name, item in sent)

    if parameter["in"] == "header":
        assert client.get("/", headers=sent).get_json() == value
    else:
        assert client.get(f"/?{query}").get_json() == value


def styled(location: str, style: str, explode: bool, schema: Document) -> Document:
    """A parameter without its name."""
    return {"in": location, "style": style, "explode": explode, "schema": schema}


def test_a_style_is_described(app):
    @app.get("/")
    def show(
        ids: list[int] = Query([], style="pipeDelimited"),
        tags: list[str] | None = Query(None, explode=False),
        one: int | list[int] = Query(1, explode=False),
    ) -> None: ...

    either = {"anyOf": [{"type": "integer"}, INTEGERS], "default": 1}
    assert parameters(app, "GET /") == {
        "ids": {
            "name": "ids",
            **styled("query", "pipeDelimited", False, {**INTEGERS, "default": []}),
        },
        "tags": {"name": "tags", **styled("query", "form", False, STRINGS)},
        "one": {"name": "one", **styled("query", "form", False, either)},
    }


def test_a_model_that_is_one_parameter_is_described_by_its_component(app):
    @app.get("/")
    def show(
        point: Point = Query(style="deepObject"),
        x_point: Point | None = Header(None, style="simple"),
    ) -> None: ...

    schema = {"$ref": "#/components/schemas/Point"}
    point = styled("query", "deepObject", True, schema)
    assert parameters(app, "GET /") == {
        "point": {"name": "point", "required": True, **point},
        "X-Point": {"name": "X-Point", **styled("header", "simple", False, schema)},
    }


def test_its_fields_hold_no_null_and_there_is_one_at_least(app, client):
    @app.get("/")
    def show(order: Order = Query(style="deepObject")) -> None: ...

    size = {"type": "integer", "default": 1}
    assert schema_of(app, "GET /") == {
        "title": "Order",
        "type": "object",
        "properties": {"name": {"type": "string"}, "size": size},
        "minProperties": 1,
    }
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
    app.get("/")(taking(t.Annotated[annotation, Query(style="deepObject")]))

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
    least = {name: item["schema"].get("minItems") for name, item in found}
    assert least == {"ids": 1, "split": None, "more": None, "most": 2}


class Parcel(BaseModel):
    labels: list[str]
    notes: list[str] = []


def form_of(app: Flask, name: str) -> Document:
    """The properties of a form."""
    (content,) = operation(app, name)["requestBody"]["content"].values()
    return t.cast(Document, content["schema"]["properties"])


def test_a_required_list_in_a_form_says_min_items_1(app, client):
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

    files = {"type": "array", "items": {"type": "string", "format": "binary"}}
    fields = {"labels": {**STRINGS, "minItems": 1}, "notes": {**STRINGS, "default": []}}
    assert form_of(app, "POST /lists") == {**fields, "photos": {**files, "minItems": 1}}
    assert form_of(app, "POST /model") == fields
    assert client.post("/model", data={"labels": []}).status_code == 422
    assert client.post("/json", json={"labels": []}).status_code == 201
