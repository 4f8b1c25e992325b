"""The description of request bodies."""

from __future__ import annotations

import typing as t

import pytest
from document import Document, describe, operation
from pydantic import BaseModel, ConfigDict, Field, Json, RootModel
from werkzeug.datastructures import FileStorage

from flask_signature import Body, File, Flask, Form, UploadFile

ITEM = {"$ref": "#/components/schemas/Item"}
URLENCODED = "application/x-www-form-urlencoded"
BINARY = {"type": "string", "format": "binary"}


class Item(BaseModel):
    name: str
    note: t.Optional[str] = None


def body_of(app: Flask, name: str = "POST /items") -> t.Any:
    return operation(app, name)["requestBody"]


def schema_of(app: Flask, name: str = "POST /items") -> Document:
    """The schema of a body of one media type."""
    (content,) = body_of(app, name)["content"].values()
    return t.cast(Document, content["schema"])


def object_of(required: str, **properties: t.Any) -> Document:
    """The schema of an object with one required property."""
    return {"type": "object", "properties": properties, "required": [required]}


EMBEDDED = t.Annotated[Item, Body(embed=True, alias="theItem")]
PATCH = t.Annotated[Item, Body(media_type="application/merge-patch+json")]
PICTURE = t.Annotated[bytes, Body(media_type="image/png")]


@pytest.mark.parametrize(
    ("tp", "media_type", "schema"),
    [
        (Item, "application/json", ITEM),
        (EMBEDDED, "application/json", object_of("theItem", theItem=ITEM)),
        (PATCH, "application/merge-patch+json", ITEM),
        (PICTURE, "image/png", {**BINARY, "minLength": 1}),
    ],
    ids=["model", "embedded", "media-type", "raw"],
)
def test_one_argument_is_the_whole_body_or_a_key_of_it(app, tp, media_type, schema):
    @app.post("/items")
    def create(item: tp): ...

    assert body_of(app) == {
        "content": {media_type: {"schema": schema}},
        "required": True,
    }


def test_several_arguments_are_the_keys_of_an_object(app):
    @app.post("/items")
    def create(item: Item, count: int = Body(1, ge=1)) -> None: ...

    count = {"type": "integer", "minimum": 1, "default": 1}
    assert schema_of(app) == object_of("item", item=ITEM, count=count)
    assert body_of(app)["required"] is True


def test_optional_body_is_not_required(app):
    @app.post("/items")
    def create(item: t.Optional[Item] = None) -> None: ...

    assert body_of(app)["required"] is False
    assert schema_of(app)["anyOf"] == [ITEM, {"type": "null"}]


def test_description_and_examples_of_a_body(app):
    examples = {"pen": {"value": {"name": "pen"}}}
    marker = Body(description="What to add.", openapi_examples=examples)

    @app.post("/items")
    def create(item: Item = marker) -> None: ...

    body = body_of(app)
    assert body["description"] == "What to add."
    assert body["content"]["application/json"]["examples"] == examples


def test_required_body_that_is_no_json_is_not_empty(app, client):
    text = t.Annotated[str, Body(media_type="text/plain")]

    @app.post("/items")
    def create(text: text) -> None: ...

    @app.put("/items")
    def replace(text: text = "") -> None: ...

    assert schema_of(app) == {"type": "string", "minLength": 1}
    assert schema_of(app, "PUT /items") == {"type": "string", "default": ""}
    assert client.post("/items", content_type="text/plain").status_code == 422
    assert client.put("/items", content_type="text/plain").status_code == 201


def test_form_is_described_as_browsers_send_it(app):
    @app.post("/items")
    def create(name: str = Form(min_length=1), note: str | None = Form(None)): ...

    name = {"type": "string", "minLength": 1}
    schema = object_of("name", name=name, note={"type": "string"})
    assert body_of(app) == {
        "content": {URLENCODED: {"schema": schema}},
        "required": True,
    }


def test_form_without_required_fields_is_not_required(app):
    app.post("/items")(lambda name=Form(""): "")
    assert body_of(app)["required"] is False


def test_files_are_sent_as_multipart(app):
    @app.post("/items")
    def create(
        photo: FileStorage,
        more: list[UploadFile] = File([]),
        raw: bytes | None = File(None),
        caption: str = Form(""),
    ) -> None: ...

    more = {"type": "array", "items": BINARY, "default": []}
    caption = {"type": "string", "default": ""}
    schema = object_of("photo", photo=BINARY, more=more, raw=BINARY, caption=caption)
    assert body_of(app)["content"] == {"multipart/form-data": {"schema": schema}}


def test_nested_model_in_a_form_is_sent_as_json(app):
    class Parcel(BaseModel):
        item: Item
        items: list[Item] = []
        sizes: dict[str, int] = {}
        note: Json[list[int]] = Field("[]")

    @app.post("/parcels")
    def send(parcel: t.Annotated[Parcel, Form()]) -> None: ...

    content = body_of(app, "POST /parcels")["content"][URLENCODED]
    as_json = {"contentType": "application/json"}
    assert content["encoding"] == {"item": as_json, "items": as_json, "sizes": as_json}


def test_content_types_of_files_are_their_encoding(app):
    class Note(BaseModel):
        text: str

    @app.post("/pictures")
    def upload(
        picture: UploadFile = File(alias="image", content_type="image/PNG,image/gif"),
        more: list[UploadFile] = File([], content_type="image/*"),
        any_file: UploadFile | None = None,
        note: Note | None = Form(None),
    ) -> None: ...

    content = body_of(app, "POST /pictures")["content"]["multipart/form-data"]
    assert content["encoding"] == {
        "image": {"contentType": "image/png, image/gif"},
        "more": {"contentType": "image/*"},
    }


class Tree(RootModel[list["Tree"]]):
    """A list of lists of lists."""


def test_type_that_is_a_list_of_itself_is_sent_as_json(app):
    @app.post("/items")
    def create(name: str = Form(), tag: Tree | None = Form(None)) -> None: ...

    content = body_of(app)["content"][URLENCODED]
    assert content["encoding"] == {"tag": {"contentType": "application/json"}}


def test_form_model_is_a_component(app):
    @app.post("/items")
    def create(form: t.Annotated[Item, Form()]) -> None: ...

    # Null, which a form has not, is allowed by a model that others share.
    assert schema_of(app) == ITEM
    shared = describe(app)["components"]["schemas"]["Item"]
    assert {"type": "null"} in shared["properties"]["note"]["anyOf"]


def test_argument_that_is_not_described_is_left_out_of_the_body(app):
    hidden = {"include_in_schema": False}

    @app.post("/items")
    def create(item: Item, debug: bool = Body(False, **hidden)) -> None: ...

    @app.post("/forms")
    def send(name: str = Form(), debug: bool = Form(False, **hidden)) -> None: ...

    @app.post("/secrets")
    def whisper(secret: Item = Body(**hidden)) -> None: ...

    assert [*schema_of(app)["properties"]] == ["item"]
    assert [*schema_of(app, "POST /forms")["properties"]] == ["name"]
    assert "requestBody" not in operation(app, "POST /secrets")


class Strict(BaseModel, extra="forbid"):
    title: str
    note: str | None = None


class Counted(BaseModel):
    __pydantic_extra__: dict[str, int]
    model_config = ConfigDict(extra="allow")


STRICT = t.Annotated[Strict, Form()]
COUNTED = t.Annotated[Counted, Form()]
PLAIN = t.Annotated[str, Form()]
HIDDEN = t.Annotated[str, Form(include_in_schema=False)]


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        (PLAIN, PLAIN, {}),
        (STRICT, PLAIN, {"additionalProperties": False}),
        (PLAIN, t.Annotated[Strict | None, Form()], {"additionalProperties": False}),
        (COUNTED, PLAIN, {}),
        (COUNTED, STRICT, {"additionalProperties": False}),
        # The form has a field that the schema does not name.
        (STRICT, HIDDEN, {}),
    ],
)
def test_form_says_what_its_model_says_of_unknown_fields(app, one, two, said):
    def send(one, two, file): ...  # type: ignore[no-untyped-def]

    send.__annotations__ = {"one": one, "two": two, "file": UploadFile}
    app.post("/items")(send)

    schema = schema_of(app)
    keys = {"type", "properties", "required"}
    assert {key: schema[key] for key in schema.keys() - keys} == said
