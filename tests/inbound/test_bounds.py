"""Whatever the types are called and however they are nested, large input is read."""

from __future__ import annotations

import collections
import typing as t
from datetime import date, timedelta
from decimal import Decimal

import pydantic
import pytest
from client import client_of, post_json, refusals, taking
from pydantic import BaseModel, BeforeValidator, Field, Tag, create_model
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic_core import PydanticOmit, PydanticUseDefault
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Form, Query

Wide: t.Any = create_model("Wide", **{f"f{n}": (int, ...) for n in range(50)})

#: Below and above what is validated in detail.
SIZES = [10, 8_000, 300_000]


def list_of(item: str, count: int) -> str:
    return f"[{','.join([item] * count)}]"


def numbers(size: int) -> str:
    return list_of("1", size // 2)


class Named(BaseModel, protected_namespaces=()):
    """Fields that are called like the keys of a core schema."""

    type: str = "x"
    fields: list[int] = Field([], exclude=True)
    choices: dict[str, int] = {}
    definitions: list[int] = []
    metadata: list[Wide] = []
    config: list[int] = []


@pytest.mark.parametrize("size", SIZES)
def test_fields_may_be_called_like_parts_of_a_schema(size: int) -> None:
    value = post_json(
        Named, f'{{"fields": {numbers(size)}, "choices": {{"schema": 1}}}}'
    )

    assert len(value.fields) == size // 2
    assert value.choices == {"schema": 1}


def test_field_called_metadata_is_counted_too() -> None:
    found = post_json(Named, f'{{"metadata": {list_of("{}", 300)}}}')

    assert {place[2] for place, _ in found} == {0}


def test_argument_may_be_called_fields() -> None:
    def view(fields: list[str] = Query([])) -> str:
        return str(len(fields))

    assert client_of(view).get("/?" + "fields=a&" * 3_000).text == "3000"


Cat = create_model("Cat", type=(t.Literal["cat"], ...))
Dog = create_model("Dog", type=(t.Literal["dog"], ...))


@pytest.mark.parametrize("size", SIZES)
def test_models_of_a_union_may_have_a_field_called_type(size: int) -> None:
    pets = list_of('{"type":"dog"}', size // 15 + 1)

    assert post_json(list[t.Union[Cat, Dog]], pets)[0] == Dog(type="dog")


def test_tag_may_be_called_type() -> None:
    Pet = t.Annotated[
        t.Annotated[Cat, Tag("type")] | t.Annotated[Dog, Tag("fields")],
        pydantic.Discriminator(
            lambda value: "type" if value["type"] == "cat" else "fields"
        ),
    ]

    assert post_json(list[Pet], '[{"type":"cat"}]') == [Cat(type="cat")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("is_listed", [True, False])
def test_models_may_be_nested_deep(size: int, is_listed: bool) -> None:
    Model: t.Any = create_model("Level0", value=(int, 0))
    for level in range(90):
        more = {"others": (list[Model], [])} if is_listed else {}
        Model = create_model(
            f"Level{level + 1}", value=(int, 0), inner=(Model | None, None), **more
        )

    assert post_json(Model, f'{{"value": 1, "x": {numbers(size)}}}').value == 1


class Closed(BaseModel, extra="forbid"):
    a: list[int] = []


def test_location_is_told_of_a_model_that_two_arguments_have() -> None:
    def view(q: Closed = Query(), f: Closed = Form()) -> str:
        return "fits"

    client = client_of(view, "/", "POST")
    query = client.post("/?" + "a=1&" * 3_000 + "zz=1")
    form = client.post("/", data={"a": ["1"] * 3_000, "zz": "1"})
    assert refusals(query) == [(["query", "zz"], "extra_forbidden")]
    assert refusals(form) == [(["form", "zz"], "extra_forbidden")]


def use_default(value: t.Any) -> t.Any:
    if value is None:
        raise PydanticUseDefault
    return value


def omit(value: t.Any) -> t.Any:
    if value is None:
        raise PydanticOmit
    return value


A = create_model("A", a=(int, ...))
B = create_model("B", b=(int, ...))


class Counted(BaseModel):
    numbers: list[int] = []


class Choosing(Counted):
    items: list[t.Annotated[int, BeforeValidator(use_default)]] = [1]
    one: t.Annotated[A, BeforeValidator(use_default)] | B = A(a=7)
    many: list[t.Annotated[A, BeforeValidator(omit)] | B] = []


@pytest.mark.parametrize("size", SIZES)
def test_function_may_ask_for_a_default_or_leave_out(size: int) -> None:
    body = '{"items": %s, "one": null, "many": [null, {"a": 1}], "numbers": %s}'
    value = post_json(Choosing, body % (list_of("null", size // 5), numbers(size)))

    assert (value.items, value.one, value.many) == ([1], A(a=7), [A(a=1)])


def test_default_that_a_function_asks_for_does_not_lift_the_bound() -> None:
    body = f'{{"one": null, "numbers": {list_of("null", 100_000)}}}'

    assert post_json(Choosing, body) == [(["body", "numbers", 0], "int_type")]


def fail(*args: t.Any, **options: t.Any) -> t.NoReturn:
    raise KeyError("the author's own")


class Validated(Counted):
    one: t.Annotated[t.Any, pydantic.AfterValidator(lambda value: fail())]


class Initialized(Counted):
    def model_post_init(self, context: t.Any) -> None:
        fail()


class Constructed(Counted):
    def __init__(self, **values: t.Any) -> None:
        fail()


class Defaulting(Counted):
    made: int = Field(default_factory=fail)


Tagged = t.Annotated[
    t.Annotated[A, Tag("a")] | t.Annotated[B, Tag("b")], pydantic.Discriminator(fail)
]


class Discriminated(Counted):
    one: Tagged


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("is_chosen", [True, False])
@pytest.mark.parametrize(
    "model", [Validated, Initialized, Constructed, Defaulting, Discriminated]
)
def test_error_of_the_author_is_never_taken_for_a_refusal(
    size: int, is_chosen: bool, model: t.Any
) -> None:
    body = f'{{"one": {{}}, "numbers": {numbers(size)}}}'

    assert post_json(model | B if is_chosen else model, body) == 500


@pytest.mark.parametrize("size", SIZES)
def test_validation_inside_of_a_validator_has_no_effect_on_the_one_around(
    size: int,
) -> None:
    def validate_more(value: int) -> int:
        assert post_json(Closed, f'{{"a": {list_of("null", 3_000)}}}')
        return value

    class Outer(BaseModel):
        one: t.Annotated[A, BeforeValidator(use_default)] | B | str = A(a=7)
        two: t.Annotated[int, BeforeValidator(validate_more)] = 1
        numbers: list[int] = []

    body = f'{{"one": null, "two": 2, "numbers": {numbers(size)}}}'
    assert post_json(Outer, body).one == A(a=7)


def test_number_that_python_can_not_handle_is_refused() -> None:
    Cents = t.Annotated[Decimal, Field(multiple_of=Decimal("0.01"))]

    for value in ("1e40", "1e999999"):
        assert post_json(list[Cents], f'["{value}"]') != 500


class Line(t.NamedTuple):
    numbers: list[int]


class Items(TypedDict):
    numbers: collections.deque[int]


Numbers = TypeAliasType("Numbers", "list[int]")


class Extra(BaseModel, extra="allow"):
    __pydantic_extra__: dict[str, Wide]


@pytest.mark.parametrize(
    ("tp", "body", "place"),
    [
        (Line, "[{}]", ["body", 0, 0]),
        (Items, '{{"numbers": {}}}', ["body", "numbers"]),
        (collections.OrderedDict[str, list[int]], '{{"a": {}}}', ["body"]),
        (collections.defaultdict[str, list[int]], '{{"a": {}}}', ["body"]),
        (Extra, '{{"a": {}}}', ["body"]),
        (list[tuple[Numbers, int, int]], "[[{}]]", ["body"]),
    ],
    ids=str,
)
def test_values_of_any_collection_end_a_large_validation(
    tp: t.Any, body: str, place: list[str]
) -> None:
    ((found, _),) = post_json(tp, body.format(list_of("null", 30_000)))

    assert found[: len(place)] == place


@pytest.mark.parametrize(
    ("tp", "text"),
    [
        (pydantic.Json[list[int]], "[" + "\\u002c".join(["null"] * 3_000) + "]"),
        (
            t.Annotated[list[int], BeforeValidator(lambda value: value.split(";"))],
            "a;" * 3_000,
        ),
    ],
    ids=["json", "split"],
)
def test_string_that_is_read_further_is_counted_by_its_length(
    tp: t.Any, text: str
) -> None:
    assert len(post_json(list[tp], f'["{text}"]')) == 1


def test_items_of_a_tuple_are_counted() -> None:
    Row: t.Any = tuple[(int,) * 50]  # type: ignore[misc]

    assert {place[1] for place, _ in post_json(list[Row], f"[{'[],' * 200}[]]")} == {0}


def test_long_message_is_counted() -> None:
    Zone: t.Any = t.Literal[tuple(f"Area/City{n}" for n in range(600))]
    client = client_of(taking(list[Zone]), "/", "POST")

    assert len(client.post("/", json=[1] * 1_000).json["detail"]) == 1


def test_long_key_is_copied_into_few_errors() -> None:
    body = f'{{"{"k" * 50_000}": {list_of("null", 2_000)}}}'

    assert len(post_json(dict[str, list[int]], body)) == 1


def test_missing_union_is_told_as_missing() -> None:
    class Model(BaseModel):
        one: A | B
        numbers: list[int]

    assert post_json(Model, f'{{"numbers": {numbers(8_000)}}}') == [
        (["body", "one"], "missing")
    ]


class Pair(BaseModel):
    value: int
    left: Pair | None = None
    right: Pair | None = None


def test_model_with_two_of_its_kind_has_an_error_for_each_level_at_most() -> None:
    body = '{"value": "a"}'
    for _ in range(10):
        body = f'{{"value": "a", "left": {body}, "right": {body}}}'
    places = [place for place, _ in post_json(Pair, body)]

    assert len(places) == 21
    assert places[:3] == [
        ["body", "value"],
        ["body", "left", "value"],
        ["body", "left", "left", "value"],
    ]
    assert places[-1] == ["body", "right"]


Nested = TypeAliasType("Nested", "int | list[Nested] | tuple[Nested, ...]")


def test_union_of_two_of_its_kind_has_few_errors_for_each_level() -> None:
    assert len(post_json(Nested, "[" * 12 + '"a"' + "]" * 12)) < 40


class Amount(BaseModel):
    value: t.Annotated[Decimal, Field(decimal_places=0, max_digits=3)] | None = None
    day: t.Annotated[date, Field(strict=True)] | A = date(2000, 1, 1)
    numbers: list[int] = []


@pytest.mark.parametrize("size", [*SIZES, 1_100_000])
def test_number_and_date_are_read_as_they_are_written(size: int) -> None:
    values = '"value": 100.0, "day": "2020-01-01"'
    found = post_json(Amount, f'{{{values}, "numbers": {numbers(size)}}}')

    assert (found.value, found.day) == (Decimal(100), date(2020, 1, 1))


@pytest.mark.parametrize("count", [1, 20_000, 150_000])
@pytest.mark.parametrize(
    ("tp", "item", "kind"),
    [
        (t.Annotated[int, Field(strict=True)], '"1"', "int_type"),
        (timedelta, "true", "time_delta_type"),
    ],
    ids=str,
)
def test_value_that_is_right_in_python_alone_is_refused(
    tp: t.Any, item: str, kind: str, count: int
) -> None:
    assert post_json(list[tp], list_of(item, count)) == [(["body", 0], kind)]


@pytest.mark.parametrize("size", [*SIZES, 490_000])
def test_body_that_fits_is_validated_once(size: int) -> None:
    seen: list[int] = []
    Seen = t.Annotated[
        int, pydantic.AfterValidator(lambda value: seen.append(value) or value)
    ]

    class Model(BaseModel, extra="forbid"):
        value: Seen
        other: Closed | A | None = None
        numbers: list[int]

    post_json(Model, f'{{"value": 1, "numbers": {numbers(size)}}}')
    assert seen == [1]


class Box(BaseModel):
    width: int
    sizes: list[int]

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> int:
        return 2 * self.width


@pydantic_dataclass
class Case:
    width: int
    sizes: list[int]

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> int:
        return 2 * self.width


@pytest.mark.parametrize("size", [100, 300_000, 600_000])
@pytest.mark.parametrize("model", [Box, Case])
def test_computed_field_is_not_read(model: t.Any, size: int) -> None:
    found = post_json(model, f'{{"width": 1, "sizes": {numbers(size)}}}')
    lacking = post_json(model, f'{{"sizes": {numbers(size)}}}')
    wrong = post_json(model, f'{{"width": 1, "sizes": [1{", null" * (size // 6)}]}}')

    assert (found.double, len(found.sizes)) == (2, size // 2)
    assert lacking == [(["body", "width"], "missing")]
    assert wrong[0] == (["body", "sizes", 1], "int_type")


def test_unknown_keys_are_named_if_they_are_few() -> None:
    keys = ",".join(f'"k{number}":1' for number in range(90))

    assert post_json(Closed, f'{{{keys}, "a": {numbers(150_000)}}}') == [
        (["body", f"k{number}"], "extra_forbidden") for number in range(90)
    ]


@pytest.mark.parametrize("count", [3_000, 200_000])
def test_unknown_keys_are_counted_before_errors_are_built(count: int) -> None:
    keys = ",".join(f'"k{number}":1' for number in range(count))

    assert post_json(Closed, f"{{{keys}}}") == [(["body"], "extra_forbidden")]
