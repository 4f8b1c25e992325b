"""The description of path parameters, the query, headers and cookies."""

from __future__ import annotations

import datetime
import json
import typing as t
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, IntEnum
from uuid import UUID

import pytest
from document import describe, operation, parameters, schema_of
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    WithJsonSchema,
)
from typing_extensions import TypedDict
from werkzeug.routing import BaseConverter, IntegerConverter

from flask_signature import Blueprint, Cookie, Flask, Header, Path, Query


@pytest.mark.parametrize(
    ("variable", "schema"),
    [
        ("<x>", {"type": "string"}),
        ("<string(length=2):x>", {"type": "string", "minLength": 2, "maxLength": 2}),
        ("<string(minlength=3):x>", {"type": "string", "minLength": 3}),
        ("<string(maxlength=5):x>", {"type": "string", "minLength": 1, "maxLength": 5}),
        ("<int:x>", {"type": "integer", "minimum": 0}),
        ("<int(min=1, max=9):x>", {"type": "integer", "minimum": 1, "maximum": 9}),
        ("<int(signed=True):x>", {"type": "integer"}),
        ("<int(min=3, signed=True):x>", {"type": "integer", "minimum": 3}),
        (
            "<int(fixed_digits=4):x>",
            {"type": "integer", "minimum": 1000, "maximum": 9999},
        ),
        (
            "<int(fixed_digits=4, max=2100):x>",
            {"type": "integer", "minimum": 1000, "maximum": 2100},
        ),
        (
            "<int(fixed_digits=1):x>",
            {"type": "integer", "minimum": 0, "maximum": 9},
        ),
        ("<float:x>", {"type": "number", "minimum": 0}),
        ("<float(max=2.5, signed=True):x>", {"type": "number", "maximum": 2.5}),
        ("<uuid:x>", {"type": "string", "format": "uuid"}),
        ("<any(b, a, 'c d'):x>", {"type": "string", "enum": ["a", "b", "c d"]}),
        ("<path:x>", {"type": "string", "pattern": "^(?:[^/].*?)$"}),
    ],
)
def test_converter_and_its_arguments_are_described(app, variable, schema):
    @app.get(f"/things/{variable}")
    def show(**variables: t.Any) -> str:
        return ""

    assert parameters(app, "GET /things/{x}") == {
        "x": {"name": "x", "in": "path", "required": True, "schema": schema}
    }


def test_converter_of_ones_own_is_described_by_what_it_extends(app):
    class Even(IntegerConverter):
        pass

    app.url_map.converters["even"] = Even

    @app.get("/n/<even(max=8):n>")
    def show(n: int) -> str:
        return ""

    assert schema_of(app, "GET /n/{n}") == {
        "type": "integer",
        "minimum": 0,
        "maximum": 8,
    }


def test_converter_of_ones_own_is_described_by_its_expression(app):
    class Shelf(BaseConverter):
        regex = "[A-Z][0-9]+"

    app.url_map.converters["shelf"] = Shelf

    @app.get("/shelves/<shelf:code>")
    def show(code: str) -> str:
        return ""

    assert schema_of(app, "GET /shelves/{code}") == {
        "type": "string",
        "pattern": "^(?:[A-Z][0-9]+)$",
    }


def test_expression_that_only_python_reads_is_left_out(app):
    class Word(BaseConverter):
        regex = "(?i:[a-z]+)"

    app.url_map.converters["word"] = Word

    @app.get("/w/<word:word>")
    def show(word: str) -> str:
        return ""

    assert schema_of(app, "GET /w/{word}") == {"type": "string"}


def test_class_that_a_converter_makes_is_described_by_the_converter(app):
    class Shelf:
        pass

    class ShelfConverter(BaseConverter):
        regex = r"[a-f]-\d+"

    app.url_map.converters["shelf"] = ShelfConverter

    @app.get("/shelves/<shelf:one>/<shelf:two>/<shelf:three>")
    def show(
        one: Shelf, two: t.Annotated[Shelf, Path(description="Beside it")], three
    ) -> str:
        return ""

    found = parameters(app, "GET /shelves/{one}/{two}/{three}")
    assert found["one"] == {**found["three"], "name": "one"}
    assert found["two"] == {
        **found["three"],
        "name": "two",
        "description": "Beside it",
    }


def test_converter_of_ones_own_may_say_its_schema(app):
    class Commas(BaseConverter):
        def to_python(self, value: str) -> list[str]:
            return value.split(",")

        def openapi_schema(self) -> dict[str, t.Any]:
            return {"type": "string", "examples": ["a,b"]}

    app.url_map.converters["commas"] = Commas

    @app.get("/t/<commas:names>")
    def show(names: t.Any) -> str:
        return ""

    assert schema_of(app, "GET /t/{names}") == {
        "type": "string",
        "examples": ["a,b"],
    }


class Number(IntEnum):
    SEVEN = 7


class TicketConverter(BaseConverter):
    """``HD-7`` is the number 7."""

    regex = "HD-[0-9]+"

    def to_python(self, value: str) -> t.Any:
        return int(value[3:])


class DayConverter(BaseConverter):
    regex = "[0-9]{8}"

    def to_python(self, value: str) -> datetime.date:
        return datetime.datetime.strptime(value, "%Y%m%d").date()


@pytest.mark.parametrize("tp", [int, t.Annotated[int, Path(ge=1)], Number, t.Any])
def test_text_is_described_of_which_a_converter_makes_a_value(app, tp):
    app.url_map.converters["ticket"] = TicketConverter

    def show(number: t.Any) -> str:
        return ""

    show.__annotations__["number"] = tp
    app.get("/tickets/<ticket:number>")(show)

    schema = schema_of(app, "GET /tickets/{number}")
    assert schema == {"type": "string", "pattern": "^(?:HD-[0-9]+)$"}
    assert app.test_client().get("/tickets/HD-7").status_code == 200


def test_format_of_what_a_converter_makes_is_not_that_of_the_text(app):
    app.url_map.converters["day"] = DayConverter

    @app.get("/days/<day:day>")
    def show(day: t.Annotated[datetime.date, Path(description="A day.")]) -> str:
        return day.isoformat()

    assert schema_of(app, "GET /days/{day}") == {
        "type": "string",
        "pattern": "^(?:[0-9]{8})$",
    }


def test_schema_of_an_author_narrows_that_of_a_converter(app):
    app.url_map.converters["ticket"] = TicketConverter
    text = {"type": "string", "maxLength": 9}

    @app.get("/tickets/<ticket:number>")
    def show(number: t.Annotated[int, WithJsonSchema(text)]) -> str:
        return ""

    assert schema_of(app, "GET /tickets/{number}") == {
        "type": "string",
        "pattern": "^(?:HD-[0-9]+)$",
        "maxLength": 9,
    }


def test_schema_that_a_converter_says_counts(app):
    class Code(BaseConverter):
        def openapi_schema(self) -> dict[str, t.Any]:
            return {"type": "string", "pattern": "^[0-9a-f]+$"}

    app.url_map.converters["code"] = Code

    @app.get("/codes/<code:code>")
    def show(code: int) -> str:
        return ""

    assert schema_of(app, "GET /codes/{code}") == {
        "type": "string",
        "pattern": "^[0-9a-f]+$",
    }


def test_converter_and_type_narrow_each_other(app):
    @app.get("/n/<int(min=5, max=100):n>")
    def show(n: t.Annotated[int, Field(ge=1, le=50, description="A number.")]) -> str:
        return ""

    assert parameters(app, "GET /n/{n}")["n"] == {
        "name": "n",
        "in": "path",
        "required": True,
        "description": "A number.",
        "schema": {"type": "integer", "minimum": 5, "maximum": 50},
    }


def test_type_counts_where_it_says_more_than_the_converter(app):
    class Size(Enum):
        SMALL = "s"
        LARGE = "l"

    @app.get("/a/<size>/<day>/<uuid:key>/<int:part>")
    def show(size: Size, day: t.Literal["mon", "tue"], key: UUID, part: float) -> str:
        return ""

    found = parameters(app, "GET /a/{size}/{day}/{key}/{part}")
    assert [item["schema"] for item in found.values()] == [
        {"$ref": "#/components/schemas/Size"},
        {"type": "string", "enum": ["mon", "tue"]},
        {"type": "string", "format": "uuid"},
        {"type": "integer", "minimum": 0},
    ]


def test_variable_that_no_argument_takes_is_described(app):
    @app.get("/x/<int:k>")
    def show(**kwargs: t.Any) -> str:
        return ""

    assert schema_of(app, "GET /x/{k}") == {"type": "integer", "minimum": 0}


def test_variables_of_prefix_and_rule_are_in_the_order_of_the_url(app):
    bp = Blueprint("notes", __name__, url_prefix="/u/<int:owner>")

    @bp.get("/<n>")
    def show(n: int, owner: int) -> str:
        return ""

    app.register_blueprint(bp)
    assert list(parameters(app, "GET /u/{owner}/{n}")) == ["owner", "n"]


def test_default_of_a_rule_and_variable_of_a_domain_are_no_parameters():
    app = Flask("shop")
    app.config["SERVER_NAME"] = "shop.test"

    @app.get("/", defaults={"page": 1}, subdomain="<lang>")
    def show(page: int, lang: str) -> str:
        return ""

    assert parameters(app, "GET /") == {}


def test_alias_of_a_path_argument_is_the_variable(app):
    @app.get("/n/<number>")
    def show(n: int = Path(alias="number", ge=1)) -> str:
        return ""

    assert schema_of(app, "GET /n/{number}") == {"type": "integer", "minimum": 1}


def test_constraints_of_the_query_are_described(app):
    @app.get("/items")
    def search(
        q: str = Query(min_length=2, max_length=9, pattern="^a"),
        page: int = Query(1, ge=1, lt=100, description="Counted from 1."),
        step: float = Query(2.0, multiple_of=0.5, deprecated=True, examples=[1.5]),
    ) -> str:
        return ""

    assert list(parameters(app, "GET /items").values()) == [
        {
            "name": "q",
            "in": "query",
            "required": True,
            "schema": {
                "type": "string",
                "minLength": 2,
                "maxLength": 9,
                "pattern": "^a",
            },
        },
        {
            "name": "page",
            "in": "query",
            "description": "Counted from 1.",
            "schema": {
                "type": "integer",
                "minimum": 1,
                "exclusiveMaximum": 100,
                "default": 1,
            },
        },
        {
            "name": "step",
            "in": "query",
            "deprecated": True,
            "schema": {
                "type": "number",
                "multipleOf": 0.5,
                "default": 2.0,
                "examples": [1.5],
            },
        },
    ]


@pytest.mark.parametrize(
    ("tp", "schema"),
    [
        (t.Optional[int], {"type": "integer"}),
        (t.Optional[t.Annotated[int, Field(ge=1)]], {"type": "integer", "minimum": 1}),
        (
            t.Union[int, str, None],
            {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        ),
        (t.Optional[t.Literal["a", "b"]], {"type": "string", "enum": ["a", "b"]}),
        (t.Literal["a", None], {"enum": ["a"]}),
        (
            t.Optional[list[t.Optional[int]]],
            {"type": "array", "items": {"type": "integer"}},
        ),
    ],
    ids=["optional", "constrained", "union", "literal", "none-literal", "list"],
)
def test_null_is_not_offered_where_it_cannot_be_sent(app, tp, schema):
    def search(o: t.Any = None) -> str:
        return ""

    search.__annotations__["o"] = tp
    app.get("/items")(search)

    parameter = parameters(app, "GET /items")["o"]
    assert "required" not in parameter
    assert parameter["schema"] == schema


def test_null_is_not_offered_by_a_reference_either(app):
    from typing_extensions import TypeAliasType

    maybe = TypeAliasType("Maybe", t.Optional[int])

    def search(o: t.Any = None) -> str:
        return ""

    search.__annotations__["o"] = maybe
    app.get("/items")(search)

    assert schema_of(app, "GET /items") == {"type": "integer"}


def test_lists_say_how_they_are_written(app):
    @app.get("/items")
    def search(tag: list[str] = Query([]), x_part: list[int] = Header([])) -> str:
        return ""

    assert list(parameters(app, "GET /items").values()) == [
        {
            "name": "tag",
            "in": "query",
            "style": "form",
            "explode": True,
            "schema": {"type": "array", "items": {"type": "string"}, "default": []},
        },
        {
            "name": "X-Part",
            "in": "header",
            "style": "simple",
            "explode": False,
            "schema": {"type": "array", "items": {"type": "integer"}, "default": []},
        },
    ]


class Filter(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(100, gt=0, le=100, description="How many.")
    since: t.Optional[int] = None
    order: t.Literal["a", "b"] = Field(alias="sortBy")
    tags: list[str] = []
    old: bool = Field(False, deprecated=True)


def test_query_model_is_a_parameter_for_each_field(app):
    @app.get("/items")
    def search(filters: t.Annotated[Filter, Query()], page: int = 1) -> str:
        return ""

    found = parameters(app, "GET /items")
    assert list(found) == ["limit", "since", "sortBy", "tags", "old", "page"]
    assert found["limit"] == {
        "name": "limit",
        "in": "query",
        "description": "How many.",
        "schema": {
            "type": "integer",
            "exclusiveMinimum": 0,
            "maximum": 100,
            "default": 100,
        },
    }
    assert found["since"]["schema"] == {"type": "integer"}
    assert found["sortBy"]["required"] is True
    assert found["tags"]["explode"] is True
    assert found["old"]["deprecated"] is True


def test_component_of_a_model_that_is_only_exploded_is_left_out(app):
    from document import describe

    @app.get("/items")
    def search(filters: t.Annotated[Filter, Query()]) -> None: ...

    assert list(describe(app)["components"]["schemas"]) == [
        "ValidationFailure",
        "ValidationFailures",
    ]


def test_optional_model_requires_nothing(app):
    @app.get("/items")
    def search(filters: t.Annotated[t.Optional[Filter], Query()] = None) -> str:
        return ""

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
    ) -> str:
        return ""

    assert list(parameters(app, "GET /items").values()) == [
        {
            "name": "Save-Data",
            "in": "header",
            "required": True,
            "schema": {"type": "boolean"},
        },
        {"name": "If-Range", "in": "header", "schema": {"type": "string"}},
        {
            "name": "session_id",
            "in": "cookie",
            "required": True,
            "schema": {"type": "string"},
        },
    ]


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
    def search(
        size: t.Annotated[Size, Query()],
        place: t.Annotated[Place, Query()],
        span: t.Annotated[Span, Query()],
    ) -> str:
        return ""

    found = parameters(app, "GET /items")
    required = [name for name, item in found.items() if item.get("required")]
    assert list(found) == ["width", "height", "row", "start", "stop"]
    assert required == ["width", "row", "start"]


def test_union_of_models_has_the_fields_of_all(app):
    class Cat(BaseModel):
        kind: t.Literal["cat"]
        meows: int

    class Dog(BaseModel):
        kind: t.Literal["dog"]
        barks: int

    @app.get("/pets")
    def search(pet: t.Annotated[t.Union[Cat, Dog], Query()]) -> str:
        return ""

    found = parameters(app, "GET /pets")
    assert [name for name, item in found.items() if item.get("required")] == ["kind"]
    assert list(found) == ["kind", "meows", "barks"]
    assert found["kind"]["schema"] == {
        "anyOf": [
            {"const": "cat", "type": "string"},
            {"const": "dog", "type": "string"},
        ]
    }


def test_name_that_two_arguments_take_items_of_is_described_once(app):
    @app.get("/items")
    def search(
        first: t.Annotated[int, Query(validation_alias=AliasPath("n", 0))],
        second: t.Annotated[int, Query(validation_alias=AliasPath("n", 1))],
    ) -> str:
        return ""

    assert list(parameters(app, "GET /items")) == ["n"]


def test_names_that_differ_by_case_are_described_but_for_headers(app):
    @app.get("/items")
    def search(
        a: int = Query(1, alias="n"),
        b: int = Query(1, alias="N"),
        c: int = Cookie(1, alias="n"),
        d: int = Cookie(1, alias="N"),
        e: int = Header(1, alias="n"),
    ) -> str:
        return ""

    found = operation(app, "GET /items")["parameters"]
    assert [(item["in"], item["name"]) for item in found] == [
        ("query", "n"),
        ("query", "N"),
        ("cookie", "n"),
        ("cookie", "N"),
        ("header", "n"),
    ]


def test_first_of_several_aliases_is_described(app):
    @app.get("/items")
    def search(
        n: t.Annotated[int, Query(validation_alias=AliasChoices("count", "n"))],
    ) -> str:
        return ""

    assert list(parameters(app, "GET /items")) == ["count"]


def test_header_may_keep_its_underscores(app):
    @app.get("/items")
    def search(
        raw_name: t.Annotated[str, Header(convert_underscores=False)],
        x_token: str = Header(),
    ) -> str:
        return ""

    assert list(parameters(app, "GET /items")) == ["raw_name", "X-Token"]


def test_named_examples_are_those_of_the_parameter(app):
    examples = {"first": {"summary": "The first page", "value": 1}}

    @app.get("/items")
    def search(page: int = Query(1, openapi_examples=examples)) -> str:
        return ""

    assert parameters(app, "GET /items")["page"]["examples"] == examples


def test_parameter_that_is_not_described_still_works(app):
    @app.get("/items")
    def search(
        page: int = 1, secret: int = Query(0, include_in_schema=False)
    ) -> dict[str, int]:
        return {"secret": secret}

    assert list(parameters(app, "GET /items")) == ["page"]
    assert app.test_client().get("/items?secret=3").json == {"secret": 3}


def test_operation_without_parameters_has_none(app):
    @app.get("/items")
    def search(page=1) -> str:  # type: ignore[no-untyped-def]
        return ""

    assert "parameters" not in operation(app, "GET /items")


def test_example_that_json_does_not_have_is_left_out(app):
    @app.get("/items")
    def search(x: float = Query(1.0, examples=[float("nan"), 2.5])) -> str:
        return ""

    assert schema_of(app, "GET /items")["examples"] == [2.5]


def test_infinite_bound_is_left_out(app):
    @app.get("/items")
    def search(x: float = Query(le=float("inf"), ge=0)) -> str:
        return ""

    assert schema_of(app, "GET /items") == {"type": "number", "minimum": 0}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Query(1), Query(True)),
        (Query("x", examples=[1]), Query("x", examples=[True])),
        (
            Query("x", json_schema_extra={"x": 1}),
            Query("x", json_schema_extra={"x": True}),
        ),
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


def test_constraint_that_is_a_decimal(app):
    @app.get("/")
    def view(value: float = Query(ge=Decimal(1), le=Decimal("2.5"))) -> None: ...

    app.init_app()
    path = app.test_client().get("/openapi.json").json["paths"]["/"]
    schema = path["get"]["parameters"][0]["schema"]
    assert (schema["minimum"], schema["maximum"]) == (1, 2.5)
