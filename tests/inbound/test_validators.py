"""Types with a validator that says what it takes: ``json_schema_input_type=``."""

from __future__ import annotations

import typing as t

import pydantic
import pytest
from client import client_of, taking
from document import describe, operation
from messages import message_of
from pydantic import AfterValidator, BaseModel, BeforeValidator, Json, PlainValidator
from typing_extensions import TypeAliasType
from werkzeug.routing import BaseConverter

from flask_signature import Cookie, Form, Header, Path, Query
from flask_signature.params import Location


class Point(BaseModel):
    x: int
    y: int = 0


def read_point(value: t.Any) -> t.Any:
    """A point of a string; a dictionary is left as it is."""
    if not isinstance(value, str):
        return value
    x, y = value.split(":")
    return {"x": x, "y": y}


def make_point(value: t.Any) -> Point:
    return Point.model_validate(read_point(value))


def wrap_point(value: t.Any, handler: t.Any) -> t.Any:
    return handler(read_point(value))


BEFORE = BeforeValidator(read_point, json_schema_input_type=str)
PLAIN = PlainValidator(make_point, json_schema_input_type=str)
WRAP = pydantic.WrapValidator(wrap_point, json_schema_input_type=str)

Before = t.Annotated[Point, BEFORE]
Split = t.Annotated[
    list[int], BeforeValidator(lambda text: text.split(","), json_schema_input_type=str)
]
Boxed = pydantic.RootModel[Before]


class Search(BaseModel):
    near: Before
    q: str = ""


@pytest.mark.parametrize(
    "tp",
    [
        Before,
        t.Annotated[Point, PLAIN],
        t.Annotated[Point, WRAP],
        t.Annotated[Point, BEFORE, AfterValidator(lambda point: point)],
        # Pydantic calls the last one first.
        t.Annotated[Point, BeforeValidator(read_point), BEFORE],
        t.Annotated[dict[str, int], BEFORE],
        t.NewType("At", Before),  # type: ignore[valid-newtype]
        Boxed,
        Before | None,
    ],
)
@pytest.mark.parametrize(
    ("special", "sent"),
    [
        (Path(), {"path": "/1:2"}),
        (Query(), {"query_string": "x=1:2"}),
        (Header(), {"headers": {"X": "1:2"}}),
        (Cookie(), {"headers": {"Cookie": "x=1:2"}}),
        (Form(), {"data": {"x": "1:2"}}),
    ],
    ids=["path", "query", "header", "cookie", "form"],
)
def test_a_type_is_read_as_its_validator_takes_it(tp, special, sent, app):
    rule = "/<x>" if "path" in sent else "/"
    app.post(rule)(taking(t.Annotated[tp, special]))

    described = operation(app, f"POST {rule.replace('<', '{').replace('>', '}')}")
    answer = app.test_client(use_cookies=False).post(**sent)

    assert answer.json == {"x": {"x": 1, "y": 2}}
    if "data" in sent:
        (content,) = described["requestBody"]["content"].values()
        schema = content["schema"]["properties"]["x"]
    else:
        (parameter,) = described["parameters"]
        assert parameter["name"].lower() == "x"
        schema = parameter["schema"]
    if tp is Boxed:
        name = schema["$ref"].rpartition("/")[2]
        schema = describe(app)["components"]["schemas"][name]
    assert schema["type"] == "string"


FIELDS = {"json_schema_input_type": Point}
BY_FIELDS = t.Annotated[Point, BeforeValidator(read_point, **FIELDS)]
UNVALIDATED = t.Annotated[Point, AfterValidator(lambda point: point)]


@pytest.mark.parametrize(
    ("annotation", "query", "value"),
    [
        (list[Before], "x=1:2&x=3:4", [{"x": 1, "y": 2}, {"x": 3, "y": 4}]),
        (Search, "near=1:2", {"near": {"x": 1, "y": 2}, "q": ""}),
        (BY_FIELDS, "x=1&y=2", {"x": 1, "y": 2}),
        (UNVALIDATED, "x=1", {"x": 1, "y": 0}),
    ],
    ids=["list", "field", "fields", "after"],
)
def test_items_and_fields_are_read_as_their_validators_take_them(
    annotation, query, value
):
    client = client_of(taking(t.Annotated[annotation, Query()]))

    assert client.get(f"/?{query}").json == {"x": value}


def test_a_model_that_is_read_by_its_fields_has_no_name():
    client = client_of(taking(t.Annotated[BY_FIELDS, Query()]))

    assert client.get("/?x=1:2").status_code == 422


@pytest.mark.parametrize("special", [Query(), Header(), Cookie(), Form()])
@pytest.mark.parametrize(
    ("validator", "name"),
    [
        (BeforeValidator(read_point), "BeforeValidator"),
        (BeforeValidator(read_point, json_schema_input_type=t.Any), "BeforeValidator"),
        (PlainValidator(make_point), "PlainValidator"),
        (pydantic.WrapValidator(wrap_point), "WrapValidator"),
    ],
)
@pytest.mark.parametrize("is_optional", [False, True])
def test_a_validator_before_a_model_has_to_say_what_it_takes(
    special, validator, name, is_optional
):
    tp = t.Annotated[Point, validator]
    view = taking(t.Annotated[tp | None if is_optional else tp, special])
    assert message_of(lambda: client_of(view, "/", "POST")).startswith(
        f"POST /: 'x' of view() has a {name} that may take one value, or the fields of"
        " 'Point'. Add json_schema_input_type=str or json_schema_input_type=Point to"
        " it, to say which. ("
    )


@pytest.mark.parametrize("input_type", [None, str, bytes, Point])
def test_json_is_given_to_a_validator_as_it_was_sent(input_type):
    """A type that is the whole body stays that, whatever its validator takes."""
    options = {"json_schema_input_type": input_type} if input_type else {}
    view = taking(t.Annotated[Point, BeforeValidator(read_point, **options)])

    client = client_of(view, "/", "POST")
    assert client.post("/", json={"x": 1}).json == {"x": {"x": 1, "y": 0}}
    assert client.post("/", json="1:2").json == {"x": {"x": 1, "y": 2}}


T = t.TypeVar("T")


class Generic(BaseModel, t.Generic[T]):
    near: t.Annotated[T, BeforeValidator(list, json_schema_input_type=T)]


class Forward(BaseModel):
    near: t.Annotated[
        list[int], BeforeValidator(list, json_schema_input_type="list[str]")
    ]


@pytest.mark.parametrize("model", [Generic[list[int]], Forward])
def test_a_type_that_is_not_known_yet_says_nothing(model):
    client = client_of(taking(t.Annotated[model, Query()]))

    assert client.get("/?near=1&near=2").json == {"x": {"near": [1, 2]}}


def test_what_stands_before_json_is_given_what_that_makes():
    inner = BeforeValidator(lambda value: value["x"], json_schema_input_type=dict)
    tp = t.Annotated[Point, inner, Json]

    client = client_of(taking(t.Annotated[tp, Query()]))
    answer = client.get("/", query_string={"x": '{"x": {"x": 1}}'})
    assert answer.json == {"x": {"x": 1, "y": 0}}


def test_an_alias_may_contain_itself():
    validator = BeforeValidator(int)
    alias = TypeAliasType("alias", t.Annotated[int, validator])  # type: ignore[misc]
    # So does "type alias = ..." of Python 3.12.
    object.__setattr__(validator, "json_schema_input_type", alias | str)

    assert client_of(taking(t.Annotated[alias, Query()])).get("/?x=7").json == {"x": 7}


def test_a_converter_may_make_what_a_validator_takes(app, client):
    class Digits(BaseConverter):
        regex = r"\d+"

    app.url_map.converters["digits"] = Digits
    tp = t.Annotated[
        Point, BeforeValidator(lambda x: {"x": x}, json_schema_input_type=str)
    ]
    app.get("/<digits:x>")(taking(tp))
    assert client.get("/12").json == {"x": {"x": 12, "y": 0}}


@pytest.mark.parametrize("tp", [Split, Json[list[int]]])
@pytest.mark.parametrize(
    ("special", "sent"),
    [
        (Path(), lambda text: {"path": f"/{text}"}),
        (Header(), lambda text: {"headers": {"X": text}}),
        (Cookie(), lambda text: {"headers": {"Cookie": f"x={text}"}}),
    ],
    ids=["path", "header", "cookie"],
)
def test_a_string_of_many_values_has_few_errors(tp, special, sent, app):
    text = ",".join(["x"] * 5_000) if tp is Split else f"[{','.join(['null'] * 5_000)}]"
    rule = "/<x>" if special.location is Location.PATH else "/"
    app.get(rule)(taking(t.Annotated[tp, special]))
    answer = app.test_client(use_cookies=False).get(**sent(text))

    assert answer.status_code == 422
    assert len(answer.json["detail"]) == 1


def test_the_description_of_a_model_behind_a_string_is_that_string(app):
    app.get("/")(taking(t.Annotated[Before, Query()]))

    assert "Point" not in describe(app).get("components", {}).get("schemas", {})
