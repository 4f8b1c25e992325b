"""Types with a validator that says what it takes: ``json_schema_input_type=``."""

from __future__ import annotations

import typing as t

import pytest
from client import client_of
from document import describe, operation
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Json,
    PlainValidator,
    RootModel,
    WrapValidator,
)
from typing_extensions import TypeAliasType
from werkzeug.routing import BaseConverter

from flask_signature import Cookie, Flask, Form, Header, Path, Query, SignatureError
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
WRAP = WrapValidator(wrap_point, json_schema_input_type=str)

Before = t.Annotated[Point, BEFORE]
Split = t.Annotated[
    list[int], BeforeValidator(lambda text: text.split(","), json_schema_input_type=str)
]
Boxed = RootModel[Before]


class Search(BaseModel):
    near: Before
    q: str = ""


def shown(at: t.Any) -> t.Any:
    """The value of an argument, as JSON."""
    return at.model_dump() if isinstance(at, BaseModel) else at


def view_of(annotation: t.Any) -> t.Any:
    def view(at):
        return {"at": shown(at)}

    view.__annotations__ = {"at": annotation}
    return view


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
        (Query(), {"query_string": "at=1:2"}),
        (Header(), {"headers": {"At": "1:2"}}),
        (Cookie(), {"headers": {"Cookie": "at=1:2"}}),
        (Form(), {"data": {"at": "1:2"}}),
    ],
    ids=["path", "query", "header", "cookie", "form"],
)
def test_a_type_is_read_as_its_validator_takes_it(tp, special, sent):
    rule = "/<at>" if "path" in sent else "/"
    app = Flask(__name__)
    app.post(rule)(view_of(t.Annotated[tp, special]))

    described = operation(app, f"POST {rule.replace('<', '{').replace('>', '}')}")
    answer = app.test_client(use_cookies=False).post(**sent)

    assert answer.json == {"at": {"x": 1, "y": 2}}
    if "data" in sent:
        (content,) = described["requestBody"]["content"].values()
        schema = content["schema"]["properties"]["at"]
    else:
        (parameter,) = described["parameters"]
        assert parameter["name"].lower() == "at"
        schema = parameter["schema"]
    if tp is Boxed:
        name = schema["$ref"].rpartition("/")[2]
        schema = describe(app)["components"]["schemas"][name]
    assert schema["type"] == "string"


def test_a_list_has_items_as_their_validator_takes_them():
    client = client_of(view_of_many)

    answer = client.get("/?at=1:2&at=3:4")

    assert answer.json == {"at": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}


def view_of_many(at: t.Annotated[list[Before], Query()]) -> t.Any:
    return {"at": [shown(point) for point in at]}


def test_a_field_of_a_model_is_read_as_its_validator_takes_it():
    def view(search: t.Annotated[Search, Query()]):
        return search.model_dump()

    assert client_of(view).get("/?near=1:2").json == {"near": {"x": 1, "y": 2}, "q": ""}


def test_a_model_is_read_by_its_fields_where_the_validator_says_so():
    tp = t.Annotated[Point, BeforeValidator(read_point, json_schema_input_type=Point)]

    client = client_of(view_of(t.Annotated[tp, Query()]))

    assert client.get("/?x=1&y=2").json == {"at": {"x": 1, "y": 2}}
    assert client.get("/?at=1:2").status_code == 422


def test_a_model_without_validators_before_it_is_read_by_its_fields():
    tp = t.Annotated[Point, AfterValidator(lambda point: point)]

    client = client_of(view_of(t.Annotated[tp, Query()]))

    assert client.get("/?x=1").json == {"at": {"x": 1, "y": 0}}


@pytest.mark.parametrize("special", [Query(), Header(), Cookie(), Form()])
@pytest.mark.parametrize(
    ("validator", "name"),
    [
        (BeforeValidator(read_point), "BeforeValidator"),
        (BeforeValidator(read_point, json_schema_input_type=t.Any), "BeforeValidator"),
        (PlainValidator(make_point), "PlainValidator"),
        (WrapValidator(wrap_point), "WrapValidator"),
    ],
)
@pytest.mark.parametrize("is_optional", [False, True])
def test_a_validator_before_a_model_has_to_say_what_it_takes(
    special, validator, name, is_optional
):
    tp = t.Annotated[Point, validator]
    view = view_of(t.Annotated[tp | None if is_optional else tp, special])

    with pytest.raises(SignatureError) as caught:
        client_of(view, "/", "POST")

    assert str(caught.value).startswith(
        f"POST /: 'at' of view() has a {name} that may take one value, or the fields of"
        " 'Point'. Add json_schema_input_type=str or json_schema_input_type=Point to"
        " it, to say which. ("
    )


@pytest.mark.parametrize("input_type", [None, str, bytes, Point])
def test_json_is_given_to_a_validator_as_it_was_sent(input_type):
    """A type that is the whole body stays that, whatever its validator takes."""
    options = {"json_schema_input_type": input_type} if input_type else {}
    view = view_of(t.Annotated[Point, BeforeValidator(read_point, **options)])

    client = client_of(view, "/", "POST")

    assert client.post("/", json={"x": 1}).json == {"at": {"x": 1, "y": 0}}
    assert client.post("/", json="1:2").json == {"at": {"x": 1, "y": 2}}


T = t.TypeVar("T")


class Generic(BaseModel, t.Generic[T]):
    near: t.Annotated[T, BeforeValidator(list, json_schema_input_type=T)]


class Forward(BaseModel):
    near: t.Annotated[
        list[int], BeforeValidator(list, json_schema_input_type="list[str]")
    ]


@pytest.mark.parametrize("model", [Generic[list[int]], Forward])
def test_a_type_that_is_not_known_yet_says_nothing(model):
    def view(search):
        return search.model_dump()

    view.__annotations__ = {"search": t.Annotated[model, Query()]}

    assert client_of(view).get("/?near=1&near=2").json == {"near": [1, 2]}


def test_what_stands_before_json_is_given_what_that_makes():
    inner = BeforeValidator(lambda value: value["at"], json_schema_input_type=dict)
    tp = t.Annotated[Point, inner, Json]

    client = client_of(view_of(t.Annotated[tp, Query()]))

    answer = client.get("/", query_string={"at": '{"at": {"x": 1}}'})
    assert answer.json == {"at": {"x": 1, "y": 0}}


def test_an_alias_may_contain_itself():
    validator = BeforeValidator(int)
    alias = TypeAliasType("alias", t.Annotated[int, validator])  # type: ignore[misc]
    # So does "type alias = ..." of Python 3.12.
    object.__setattr__(validator, "json_schema_input_type", alias | str)

    client = client_of(view_of(t.Annotated[alias, Query()]))

    assert client.get("/?at=7").json == {"at": 7}


def test_a_converter_may_make_what_a_validator_takes():
    class Digits(BaseConverter):
        regex = r"\d+"

    app = Flask(__name__)
    app.url_map.converters["digits"] = Digits
    tp = t.Annotated[
        Point, BeforeValidator(lambda x: {"x": x}, json_schema_input_type=str)
    ]
    app.get("/<digits:at>")(view_of(tp))

    assert app.test_client().get("/12").json == {"at": {"x": 12, "y": 0}}


@pytest.mark.parametrize("tp", [Split, Json[list[int]]])
@pytest.mark.parametrize(
    ("special", "sent"),
    [
        (Path(), lambda text: {"path": f"/{text}"}),
        (Header(), lambda text: {"headers": {"At": text}}),
        (Cookie(), lambda text: {"headers": {"Cookie": f"at={text}"}}),
    ],
    ids=["path", "header", "cookie"],
)
def test_a_string_of_many_values_has_few_errors(tp, special, sent):
    text = ",".join(["x"] * 5_000) if tp is Split else f"[{','.join(['null'] * 5_000)}]"
    app = Flask(__name__)
    rule = "/<at>" if special.location is Location.PATH else "/"
    app.get(rule)(view_of(t.Annotated[tp, special]))

    answer = app.test_client(use_cookies=False).get(**sent(text))

    assert answer.status_code == 422
    assert len(answer.json["detail"]) == 1


def test_the_description_of_a_model_behind_a_string_is_that_string():
    app = Flask(__name__)
    app.get("/")(view_of(t.Annotated[Before, Query()]))

    assert "Point" not in describe(app).get("components", {}).get("schemas", {})
