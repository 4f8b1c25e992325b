"""The components of the description."""

from __future__ import annotations

import itertools
import types
import typing as t
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal

import pytest
from document import describe, operation, response_schema
from models import Cat, Dog, Item, Page
from programs import printed_by
from pydantic import BaseModel, Field, computed_field
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Flask, Form

T = t.TypeVar("T")

OWN = {"HTTPErrorMessage", "ValidationFailure", "ValidationFailures"}


def components_of(app: Flask) -> dict[str, t.Any]:
    """The components that are not of the answers to failed requests."""
    schemas = describe(app).get("components", {}).get("schemas", {})
    return {name: schema for name, schema in schemas.items() if name not in OWN}


def model_in(module: str, fields: str) -> type[BaseModel]:
    """A model named ``Item`` of some module."""
    source = f"from pydantic import BaseModel\nclass Item(BaseModel):\n    {fields}\n"
    made = types.ModuleType(module)
    exec(source, made.__dict__)
    return t.cast("type[BaseModel]", made.__dict__["Item"])


def sent_in_both_orders(**models: t.Any) -> t.Any:
    """The paths and the components of applications that send models in any order."""
    documents = []
    for order in itertools.permutations(models):
        app = Flask("shop")
        for name in order:
            app.get(f"/{name}", endpoint=name, response_model=models[name])(dict)
        documents.append(describe(app))
    first, second = documents
    assert first["components"] == second["components"]
    assert first["paths"] == second["paths"]
    return first["paths"], components_of(app)


def test_homonyms_are_named_after_their_modules_in_any_order():
    books, films = model_in("shop.books", "a: int"), model_in("shop.films", "b: int")
    paths, components = sent_in_both_orders(books=books, films=films)

    assert list(components) == ["shop__books__Item", "shop__films__Item"]
    for name in ("books", "films"):
        schema = {"$ref": f"#/components/schemas/shop__{name}__Item"}
        (content,) = paths[f"/{name}"]["get"]["responses"]["200"]["content"].values()
        assert content == {"schema": schema}


def test_types_of_one_qualified_name_are_reported_apart_whatever_the_order():
    def make(tp: type) -> type[BaseModel]:
        class Item(BaseModel):
            a: tp  # type: ignore[valid-type]

        return Item

    _, components = sent_in_both_orders(one=make(int), two=make(str))
    assert len({str(schema) for schema in components.values()}) == 2


def test_generic_is_a_component_that_refers_to_its_items(app):
    app.get("/items", response_model=Page[Item])(dict)
    app.get("/lists", endpoint="lists", response_model=Page[list[Item]])(dict)

    components = components_of(app)
    assert list(components) == ["Item", "Page_Item", "Page_list_Item"]
    items = {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
    assert components["Page_Item"]["properties"]["items"] == items


def test_input_and_output_are_one_where_they_agree(app):
    @app.post("/items")
    def create(item: Item) -> Item: ...

    assert list(components_of(app)) == ["Item"]


class Circle(BaseModel):
    radius: Decimal

    @computed_field  # type: ignore[prop-decorator]
    @property
    def area(self) -> float:
        return 3 * float(self.radius) ** 2


class Drawing(BaseModel):
    circles: list[Circle]
    item: Item


def create(drawing: Drawing) -> Drawing: ...


def test_input_and_output_are_two_where_they_differ(app):
    app.post("/drawings")(create)

    components = components_of(app)
    names = ["Circle-Input", "Circle-Output", "Drawing-Input", "Drawing-Output", "Item"]
    assert list(components) == names
    # Generators of clients name classes by titles, so no two have the same.
    titles = [item.get("title") for item in components.values()]
    assert titles == [None, None, None, None, "Item"]
    assert list(components["Circle-Output"]["properties"]) == ["radius", "area"]


def test_input_and_output_may_be_kept_one(app):
    app.config["SIGNATURE_SEPARATE_INPUT_OUTPUT"] = False
    app.post("/drawings")(create)
    assert list(components_of(app)) == ["Circle", "Drawing", "Item"]


class Node(BaseModel):
    children: list[Node] = []


def test_recursive_model_refers_to_itself_and_is_one(app):
    @app.post("/tree")
    def create(node: Node, drawing: Drawing) -> tuple[list[Node], Drawing]: ...

    components = components_of(app)
    assert {"Node", "Item", "Drawing-Input"} <= set(components)
    assert "Node-Input" not in components
    assert components["Node"]["properties"]["children"]["items"] == {
        "$ref": "#/components/schemas/Node"
    }


def test_discriminator_refers_to_components(app):
    pet = t.Annotated[Cat | Dog, Field(discriminator="kind")]
    app.get("/pets", response_model=pet)(dict)

    cat, dog = "#/components/schemas/Cat", "#/components/schemas/Dog"
    mapping = {"cat": cat, "dog": dog}
    assert response_schema(app, "GET /pets") == {
        "oneOf": [{"$ref": cat}, {"$ref": dog}],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }


@dataclass
class Size:
    width: int


class Place(TypedDict):
    size: Size


def test_every_kind_of_model_is_a_component(app):
    app.get("/places", response_model=Place)(dict)
    assert list(components_of(app)) == ["Place", "Size"]


def component_of(app: Flask, model: type[BaseModel]) -> t.Any:
    """The one component of an application that sends a model, which has its name."""
    app.get("/", response_model=model)(dict)
    ((name, component),) = components_of(app).items()
    assert name == model.__name__
    return component


def test_fields_have_no_titles_but_their_own(app):
    class Titled(BaseModel):
        first_name: str
        last_name: str = Field(title="Family name")

    component = component_of(app, Titled)
    assert component["title"] == "Titled"
    assert component["properties"] == {
        "first_name": {"type": "string"},
        "last_name": {"type": "string", "title": "Family name"},
    }


def test_type_without_a_schema_may_be_anything(app):
    class Odd(BaseModel):
        call: t.Callable[[], None]
        default: t.Any = object()

    assert component_of(app, Odd)["properties"] == {"call": {}, "default": {}}


def test_bytes_are_the_same_in_every_process():
    source = """
import typing as t
from enum import Enum
from pydantic import BaseModel
from flask_signature import Flask, Query

class Kind(Enum):
    A = "a"
    B = "b"

class Item(BaseModel):
    tags: set[str] = {"a", "b", "c", "d", "e"}
    deep: dict[str, frozenset[str]] = {"x": frozenset({"a", "b", "c", "d"})}
    kinds: set[Kind] = {Kind.A, Kind.B}

app = Flask("shop")

@app.get("/<any(d, c, b, a):x>")
def show(x: str, tag: set[str] = Query({"a", "b", "c"})) -> Item: ...

@app.route("/many", methods=["POST", "GET", "PUT"])
def many() -> list[Item]: ...

app.init_app()
print(app.test_client().get("/openapi.json").get_data(as_text=True))
"""
    found = {printed_by("-c", source, PYTHONHASHSEED=str(seed)) for seed in range(4)}
    assert len(found) == 1


def test_extra_schema_of_a_field_is_kept(app):
    class Extra(BaseModel):
        a: int = Field(json_schema_extra={"x-unit": "cm"})

    assert component_of(app, Extra)["properties"]["a"]["x-unit"] == "cm"


@pytest.mark.parametrize(
    ("name", "encoding", "sent"),
    [("base64", "base64", "//" * 8), ("hex", "base16", "ff" * 12)],
)
def test_bytes_that_are_encoded_say_how(app, client, name, encoding, sent):
    class Picture(BaseModel, val_json_bytes=name, ser_json_bytes=name):
        data: t.Annotated[bytes, Field(min_length=9)]

    @app.post("/pictures")
    def create(picture: Picture) -> Picture:
        return picture

    schema = component_of(app, Picture)["properties"]["data"]
    assert schema == {"type": "string", "contentEncoding": encoding}
    received = client.post("/pictures", json={"data": sent})
    assert received.json == {"data": sent.replace("/", "_")}


def test_other_bytes_are_binary(app):
    class Raw(BaseModel):
        data: t.Annotated[bytes, Field(max_length=9)]

    @app.post("/raw")
    def create(raw: Raw) -> None: ...

    schema = component_of(app, Raw)["properties"]["data"]
    assert schema == {"type": "string", "format": "binary", "maxLength": 9}


def test_null_and_a_default_that_no_client_could_send_are_left_out(app):
    class Defaults(BaseModel):
        a: str = None
        b: int = Field(-1, ge=0)
        c: t.Literal["x"] = "y"
        d: list[int] = ["a"]
        e: str = Field("", min_length=1)
        f: str = Field("b", pattern="^a")
        g: bool = 1
        h: int = True
        i: int | None = "i"
        j: datetime = datetime(2031, 1, 2)
        utc: datetime = datetime(2031, 1, 2, tzinfo=timezone.utc)
        fine: float = Field(1, ge=1)
        none: int | None = None
        items: list[int] = [1]

    fields = component_of(app, Defaults)["properties"].items()
    assert {name: item["default"] for name, item in fields if "default" in item} == {
        "utc": "2031-01-02T00:00:00Z",
        "fine": 1.0,
        "items": [1],
    }


Anything = TypeAliasType("Anything", "list[Anything] | int | None")


def test_type_that_holds_itself_is_described_in_every_place(app):
    class Holder(BaseModel):
        anything: Anything = None

    @app.post("/holders")
    def create(holder: t.Annotated[Holder, Form()]) -> Holder: ...

    body = operation(app, "POST /holders")["requestBody"]
    (media_type,) = body["content"].values()
    assert media_type["schema"] == {"$ref": "#/components/schemas/Holder"}
    components = components_of(app)
    anything = {"$ref": "#/components/schemas/Anything"}
    assert components["Holder"]["properties"]["anything"] == anything
    assert components["Anything"]["anyOf"] == [
        {"type": "array", "items": anything},
        *({"type": "integer"}, {"type": "null"}),
    ]
