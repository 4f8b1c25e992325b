"""The description of path parameters, the query, headers and cookies."""

from __future__ import annotations

import datetime
import json
import typing as t
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from uuid import UUID

import pytest
from document import Document, describe, operation, parameters, schema_of
from models import Cat, Color, Dog
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    Field,
    WithJsonSchema,
)
from typing_extensions import TypeAliasType, TypedDict
from werkzeug.routing import BaseConverter, IntegerConverter

from flask_signature import Blueprint, Cookie, Flask, Header, Path, Query

STRINGS = {"type": "array", "items": {"type": "string"}}
INTEGERS = {"type": "array", "items": {"type": "integer"}}


def integer(low: int, high: int) -> Document:
    return {"type": "integer", "minimum": low, "maximum": high}


def string(**more: t.Any) -> Document:
    return {"type": "string", **more}


def parameter(name: str, location: str, schema: t.Any, **more: t.Any) -> Document:
    return {"name": name, "in": location, "schema": schema, **more}


@pytest.mark.parametrize(
    ("variable", "schema"),
    [
        ("<x>", string()),
        ("<string(length=2):x>", string(minLength=2, maxLength=2)),
        ("<string(minlength=3):x>", string(minLength=3)),
        ("<string(maxlength=5):x>", string(minLength=1, maxLength=5)),
        ("<int:x>", {"type": "integer", "minimum": 0}),
        ("<int(min=1, max=9):x>", integer(1, 9)),
        ("<int(signed=True):x>", {"type": "integer"}),
        ("<int(min=3, signed=True):x>", {"type": "integer", "minimum": 3}),
        ("<int(fixed_digits=4):x>", integer(1000, 9999)),
        ("<int(fixed_digits=4, max=2100):x>", integer(1000, 2100)),
        ("<int(fixed_digits=1):x>", integer(0, 9)),
        ("<float:x>", {"type": "number", "minimum": 0}),
        ("<float(max=2.5, signed=True):x>", {"type": "number", "maximum": 2.5}),
        ("<uuid:x>", string(format="uuid")),
        ("<any(b, a, 'c d'):x>", string(enum=["a", "b", "c d"])),
        ("<path:x>", string(pattern="^(?:[^/].*?)$")),
    ],
)
def test_converter_and_its_arguments_are_described(app, variable, schema):
    @app.get(f"/things/{variable}")
    def show(**variables: t.Any) -> str: ...

    found = parameters(app, "GET /things/{x}")
    assert found == {"x": parameter("x", "path", schema, required=True)}


class Even(IntegerConverter): ...


class ShelfConverter(BaseConverter):
    regex = "[A-Z][0-9]+"


class WordConverter(BaseConverter):
    regex = "(?i:[a-z]+)"


class CodeConverter(BaseConverter):
    def openapi_schema(self) -> Document:
        return {"type": "string", "pattern": "^[0-9a-f]+$"}


class CommasConverter(BaseConverter):
    def to_python(self, value: str) -> list[str]:
        return value.split(",")

    def openapi_schema(self) -> Document:
        return {"type": "string", "examples": ["a,b"]}


class TicketConverter(BaseConverter):
    """``HD-7`` is the number 7."""

    regex = "HD-[0-9]+"

    def to_python(self, value: str) -> t.Any:
        return int(value[3:])


class DayConverter(BaseConverter):
    regex = "[0-9]{8}"

    def to_python(self, value: str) -> datetime.date:
        return datetime.datetime.strptime(value, "%Y%m%d").date()


class Number(IntEnum):
    SEVEN = 7


TICKET = string(pattern="^(?:HD-[0-9]+)$")
Short = t.Annotated[int, WithJsonSchema(string(maxLength=9))]
Day = t.Annotated[datetime.date, Path(description="A day.")]


@pytest.mark.parametrize(
    ("converter", "variable", "tp", "value", "schema"),
    [
        (Even, "own(max=8)", int, "8", integer(0, 8)),
        (ShelfConverter, "own", str, "A7", string(pattern="^(?:[A-Z][0-9]+)$")),
        # An expression that only Python reads is left out.
        (WordConverter, "own", str, "a", string()),
        (CommasConverter, "own", t.Any, "a,b", string(examples=["a,b"])),
        (CodeConverter, "own", int, "7", string(pattern="^[0-9a-f]+$")),
        (TicketConverter, "own", int, "HD-7", TICKET),
        (TicketConverter, "own", t.Annotated[int, Path(ge=1)], "HD-7", TICKET),
        (TicketConverter, "own", Number, "HD-7", TICKET),
        (TicketConverter, "own", t.Any, "HD-7", TICKET),
        (TicketConverter, "own", Short, "HD-7", {**TICKET, "maxLength": 9}),
        # The format of a day is not that of the text.
        (DayConverter, "own", Day, "20310131", string(pattern="^(?:[0-9]{8})$")),
    ],
)
def test_converter_of_ones_own_is_described_by(
    app, client, converter, variable, tp, value, schema
):
    app.url_map.converters["own"] = converter

    def show(x: t.Any) -> str:
        return ""

    show.__annotations__["x"] = tp
    app.get(f"/things/<{variable}:x>")(show)

    assert schema_of(app, "GET /things/{x}") == schema
    assert client.get(f"/things/{value}").status_code == 200


def test_class_that_a_converter_makes_is_described_by_the_converter(app):
    class Shelf:
        pass

    app.url_map.converters["shelf"] = ShelfConverter

    @app.get("/shelves/<shelf:one>/<shelf:two>/<shelf:three>")
    def show(
        one: Shelf, two: t.Annotated[Shelf, Path(description="Beside it")], three
    ) -> str: ...

    found = parameters(app, "GET /shelves/{one}/{two}/{three}")
    three = found["three"]
    assert found["one"] == {**three, "name": "one"}
    assert found["two"] == {**three, "name": "two", "description": "Beside it"}


def test_converter_and_type_narrow_each_other(app):
    @app.get("/n/<int(min=5, max=100):n>")
    def show(n: t.Annotated[int, Field(ge=1, le=50, description="A number.")]): ...

    more = {"required": True, "description": "A number."}
    assert parameters(app, "GET /n/{n}")["n"] == parameter(
        "n", "path", integer(5, 50), **more
    )


def test_type_counts_where_it_says_more_than_the_converter(app):
    @app.get("/a/<color>/<day>/<uuid:key>/<int:part>")
    def show(color: Color, day: t.Literal["mon", "tue"], key: UUID, part: float): ...

    found = parameters(app, "GET /a/{color}/{day}/{key}/{part}")
    assert [item["schema"] for item in found.values()] == [
        {"$ref": "#/components/schemas/Color"},
        string(enum=["mon", "tue"]),
        string(format="uuid"),
        {"type": "integer", "minimum": 0},
    ]


def test_variables_of_prefix_and_rule_are_in_the_order_of_the_url(app):
    bp = Blueprint("notes", __name__, url_prefix="/u/<int:owner>")
    bp.get("/<n>")(lambda n, owner: "")
    app.register_blueprint(bp)

    assert list(parameters(app, "GET /u/{owner}/{n}")) == ["owner", "n"]


def test_default_of_a_rule_and_variable_of_a_domain_are_no_parameters(app):
    app.config["SERVER_NAME"] = "shop.test"
    app.get("/", defaults={"page": 1}, subdomain="<lang>")(lambda page, lang: "")
    assert parameters(app, "GET /") == {}


def test_alias_of_a_path_argument_is_the_variable(app):
    app.get("/n/<number>")(lambda n=Path(alias="number"): "")
    assert list(parameters(app, "GET /n/{number}")) == ["number"]


def test_constraints_of_the_query_are_described(app):
    @app.get("/items")
    def search(
        q: str = Query(min_length=2, max_length=9, pattern="^a"),
        page: int = Query(1, ge=1, lt=100, description="Counted from 1."),
        step: float = Query(2.0, multiple_of=0.5, deprecated=True, examples=[1.5]),
    ) -> str:
        return ""

    q = string(minLength=2, maxLength=9, pattern="^a")
    page = {"type": "integer", "minimum": 1, "exclusiveMaximum": 100, "default": 1}
    step = {"type": "number", "multipleOf": 0.5, "default": 2.0, "examples": [1.5]}
    assert parameters(app, "GET /items") == {
        "q": parameter("q", "query", q, required=True),
        "page": parameter("page", "query", page, description="Counted from 1."),
        "step": parameter("step", "query", step, deprecated=True),
    }


OPTIONAL = {
    "optional": (t.Optional[int], {"type": "integer"}),
    "constrained": (
        t.Optional[t.Annotated[int, Field(ge=1)]],
        {"type": "integer", "minimum": 1},
    ),
    "union": (t.Union[int, str, None], {"anyOf": [{"type": "integer"}, string()]}),
    "literal": (t.Optional[t.Literal["a", "b"]], string(enum=["a", "b"])),
    "none-literal": (t.Literal["a", None], {"enum": ["a"]}),
    "list": (t.Optional[list[t.Optional[int]]], INTEGERS),
    "reference": (TypeAliasType("Maybe", t.Optional[int]), {"type": "integer"}),
}


@pytest.mark.parametrize(("tp", "schema"), OPTIONAL.values(), ids=OPTIONAL)
def test_null_is_not_offered_where_it_cannot_be_sent(app, tp, schema):
    def search(o: t.Any = None): ...

    search.__annotations__["o"] = tp
    app.get("/items")(search)

    found = parameters(app, "GET /items")["o"]
    assert "required" not in found
    assert found["schema"] == schema


@pytest.mark.parametrize(
    ("marker", "schema"),
    [
        (Query(1.0, examples=[float("nan"), 2.5]), {"default": 1, "examples": [2.5]}),
        (Query(le=float("inf"), ge=0), {"minimum": 0}),
        (Query(ge=Decimal(1), le=Decimal("2.5")), {"minimum": 1, "maximum": 2.5}),
    ],
    ids=["nan-among-examples", "infinite-bound", "decimal-bounds"],
)
def test_number_that_json_does_not_have_is_left_out_or_made_one(app, marker, schema):
    @app.get("/")
    def show(x: float = marker): ...

    assert schema_of(app, "GET /") == {"type": "number", **schema}


def test_lists_say_how_they_are_written(app):
    @app.get("/items")
    def search(tag: list[str] = Query([]), x_part: list[int] = Header([])): ...

    strings, integers = {**STRINGS, "default": []}, {**INTEGERS, "default": []}
    simple = {"style": "simple", "explode": False}
    assert parameters(app, "GET /items") == {
        "tag": parameter("tag", "query", strings, style="form", explode=True),
        "X-Part": parameter("X-Part", "header", integers, **simple),
    }


class Filter(BaseModel, extra="forbid"):
    limit: int = Field(100, gt=0, le=100, description="How many.")
    since: t.Optional[int] = None
    order: t.Literal["a", "b"] = Field(alias="sortBy")
    tags: list[str] = []
    old: bool = Field(False, deprecated=True)


def test_query_model_is_a_parameter_for_each_field(app):
    @app.get("/items")
    def search(filters: t.Annotated[Filter, Query()], page: int = 1): ...

    found = parameters(app, "GET /items")
    assert list(found) == ["limit", "since", "sortBy", "tags", "old", "page"]
    limit = {"type": "integer", "exclusiveMinimum": 0, "maximum": 100, "default": 100}
    assert found["limit"] == parameter("limit", "query", limit, description="How many.")
    assert found["since"]["schema"] == {"type": "integer"}
    assert found["sortBy"]["required"] is True
    assert found["tags"]["explode"] is True
    assert found["old"]["deprecated"] is True
    # The model is no component, since nothing refers to it.
    schemas = describe(app)["components"]["schemas"]
    assert list(schemas) == ["ValidationFailure", "ValidationFailures"]


def test_optional_model_requires_nothing(app):
    @app.get("/items")
    def search(filters: t.Annotated[t.Optional[Filter], Query()] = None): ...

    found = parameters(app, "GET /items")
    assert list(found) == ["limit", "since", "sortBy", "tags", "old"]
    assert not any("required" in item for item in found.values())


def test_header_and_cookie_models_are_exploded_with_their_wire_names(app):
    class Saving(BaseModel):
        save_data: bool
        if_range: t.Optional[str] = Field(None, alias="If-Range")

    class Login(BaseModel):
        session_id: str

    @app.get("/items")
    def search(
        saving: t.Annotated[Saving, Header()], login: t.Annotated[Login, Cookie()]
    ): ...

    boolean = {"type": "boolean"}
    assert parameters(app, "GET /items") == {
        "Save-Data": parameter("Save-Data", "header", boolean, required=True),
        "If-Range": parameter("If-Range", "header", string()),
        "session_id": parameter("session_id", "cookie", string(), required=True),
    }


def test_dataclass_typeddict_and_named_tuple_are_exploded_too(app):
    @dataclass
    class Size:
        width: int
        height: int = 1

    class Place(TypedDict):
        row: int

    class Span(t.NamedTuple):
        start: int
        stop: int = 9

    @app.get("/items")
    def search(size: Size = Query(), place: Place = Query(), span: Span = Query()): ...

    found = parameters(app, "GET /items")
    assert list(found) == ["width", "height", "row", "start", "stop"]
    assert required_of(found) == ["width", "row", "start"]


def required_of(found: dict[str, t.Any]) -> list[str]:
    return [name for name, item in found.items() if item.get("required")]


def test_union_of_models_has_the_fields_of_all(app):
    class LoudCat(Cat):
        meows: int

    class LoudDog(Dog):
        barks: int

    @app.get("/pets")
    def search(pet: t.Annotated[t.Union[LoudCat, LoudDog], Query()]): ...

    found = parameters(app, "GET /pets")
    assert list(found) == ["kind", "meows", "barks"]
    assert required_of(found) == ["kind"]
    kinds = [{"const": kind, "type": "string"} for kind in ("cat", "dog")]
    assert found["kind"]["schema"] == {"anyOf": kinds}


FIRST, SECOND = (Query(validation_alias=AliasPath("n", place)) for place in (0, 1))
COUNT = Query(validation_alias=AliasChoices("count", "n"))
RAW = Header(convert_underscores=False)


@pytest.mark.parametrize(
    ("view", "names"),
    [
        (lambda a=FIRST, b=SECOND: "", ["n"]),
        (lambda n=COUNT: "", ["count"]),
        (lambda raw_name=RAW, x_token=Header(): "", ["raw_name", "X-Token"]),
    ],
    ids=["path", "choices", "underscores"],
)
def test_name_is_the_first_that_is_read_and_described_once(app, view, names):
    app.get("/items")(view)
    assert list(parameters(app, "GET /items")) == names


def test_names_that_differ_by_case_are_described_but_for_headers(app):
    @app.get("/items")
    def search(
        a: int = Query(1, alias="n"),
        b: int = Query(1, alias="N"),
        c: int = Cookie(1, alias="n"),
        d: int = Cookie(1, alias="N"),
        e: int = Header(1, alias="n"),
    ): ...

    found = operation(app, "GET /items")["parameters"]
    names = [f"{item['in']} {item['name']}" for item in found]
    assert names == ["query n", "query N", "cookie n", "cookie N", "header n"]


def test_operation_without_parameters_has_none(app):
    app.get("/items")(lambda page=1: "")
    assert "parameters" not in operation(app, "GET /items")


def test_named_examples_are_those_of_the_parameter(app):
    examples = {"first": {"summary": "The first page", "value": 1}}

    @app.get("/items")
    def search(page: int = Query(1, openapi_examples=examples)): ...

    assert parameters(app, "GET /items")["page"]["examples"] == examples


def test_parameter_that_is_not_described_still_works(app, client):
    @app.get("/items")
    def search(page: int = 1, secret: int = Query(0, include_in_schema=False)):
        return {"secret": secret}

    assert list(parameters(app, "GET /items")) == ["page"]
    assert client.get("/items?secret=3").json == {"secret": 3}


EXTRA = [Query("x", json_schema_extra={"x": extra}) for extra in (1, True)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Query(1), Query(True)),
        (Query("x", examples=[1]), Query("x", examples=[True])),
        EXTRA,
    ],
    ids=["default", "examples", "extra"],
)
def test_equal_arguments_of_two_views_are_described_as_they_are(one, other):
    def described(*defaults):
        app = Flask(__name__)
        for n, default in enumerate(defaults):

            def view(value: int | str | bool = default): ...

            app.add_url_rule(f"/{n}", f"v{n}", view)
        paths = describe(app)["paths"]
        return [json.dumps(item["get"]["parameters"]) for item in paths.values()]

    assert described(one, other) == [*described(one), *described(other)]
