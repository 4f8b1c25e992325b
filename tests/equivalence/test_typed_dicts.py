"""Lists of dictionaries are answered without instances, and nobody can tell."""

from __future__ import annotations

import dataclasses
import datetime
import typing as t
from decimal import Decimal
from enum import Enum

import pytest
from client import client_of
from hypothesis import given, settings
from hypothesis import strategies as st
from models import Names
from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    Field,
    PlainSerializer,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    computed_field,
    field_serializer,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticSerializationError, core_schema

from flask_signature._outbound.models import typed_dict_adapter
from flask_signature._outbound.serializer import compile_serializer
from flask_signature._types.adapters import schemas_in

T = t.TypeVar("T")


def typed_dict_of(adapter: t.Any) -> t.Any:
    return typed_dict_adapter(adapter, schemas_in(adapter.core_schema))


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


class Line(BaseModel):
    sku: str = Field(min_length=2, pattern="^[a-z]+$")
    quantity: int = Field(1, ge=1)
    price: Decimal = Field(Decimal("0.5"), max_digits=4)
    size: Size = Size.SMALL


class Order(BaseModel, populate_by_name=True, title="An order", frozen=True):
    id: int
    name: str | None = Field(None, alias="fullName")
    kind: t.Literal["a", "b", 3] = "a"
    lines: list[Line] = Field(default_factory=list, max_length=2)
    by_sku: dict[str, Line] = {}
    first: Line | None = None
    made: datetime.datetime | None = None
    anything: t.Any = None
    either: int | str = 0
    names: list[t.Annotated[str, Field(max_length=2)]] = []
    other: float = Field(
        0, validation_alias=AliasChoices("o1", "o2"), serialization_alias="o"
    )


class Page(BaseModel, t.Generic[T]):
    items: list[T]
    total: int = 0


MODELS = [list[Order], Page[Order], list[Order] | None, dict[str, list[Line]]]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_plain_models_in_a_list_have_a_typed_dict(model):
    adapter = TypeAdapter(model)
    assert typed_dict_of(adapter) not in (None, adapter)


class Recursive(BaseModel):
    items: list[Recursive] = []


class Named(BaseModel):
    name: str


class Validated(Named):
    @field_validator("name")
    def check(cls, name: str) -> str:
        return name


class CheckedWhole(Named):
    @model_validator(mode="after")
    def check(self) -> CheckedWhole:
        return self


class Serialized(Named):
    @field_serializer("name")
    def write(self, name: str) -> str:
        return name


class SerializedWhole(Named):
    @model_serializer
    def write(self) -> dict[str, str]:
        return {}


class Computed(BaseModel):
    @computed_field
    @property
    def name(self) -> str:
        return ""


class Initialized(Named):
    def __init__(self, **values: t.Any) -> None:
        super().__init__(**values)


class Prepared(Named):
    def model_post_init(self, context: object) -> None:
        pass


class Private(Named):
    _count: int = PrivateAttr(0)


class Extra(Named, extra="allow"): ...


class Strict(Named, strict=True): ...


class Annotated(BaseModel):
    name: t.Annotated[str, AfterValidator(str.lower)]
    written: t.Annotated[str, PlainSerializer(str.upper)] = ""


class Excluded(BaseModel):
    name: str = Field(exclude=True)


class DefaultOfOthers(Named):
    copy_: str = Field(default_factory=lambda values: values["name"])


class OwnSchema(Named):
    @classmethod
    def __get_pydantic_core_schema__(cls, source: t.Any, handler: t.Any) -> t.Any:
        return core_schema.no_info_after_validator_function(repr, handler(source))


class Choice(BaseModel):
    value: Line | Order


class InstanceByDefault(BaseModel):
    first: Line = Line(sku="ab")
    others: dict[str, t.Any] = {"second": Line(sku="cd")}


class MadeElsewhere(Named):
    def __new__(cls, **values: t.Any) -> MadeElsewhere:
        return super().__new__(cls)


class Revalidated(Named, revalidate_instances="always"): ...


UNLIKE = [
    *(Recursive, Validated, CheckedWhole, Serialized, SerializedWhole, Computed),
    *(Initialized, Prepared, Private, Extra, Strict, Annotated, Excluded),
    *(DefaultOfOthers, OwnSchema, Choice, InstanceByDefault, MadeElsewhere),
    *(Revalidated, Names),
]


class Inherited(Named):
    more: int = 0


def test_model_that_inherits_fields_has_a_typed_dict():
    assert typed_dict_of(TypeAdapter(list[Inherited])) is not None


@pytest.mark.parametrize("model", UNLIKE)
def test_model_of_more_than_fields_has_no_typed_dict(model):
    assert typed_dict_of(TypeAdapter(list[model])) is None
    assert typed_dict_of(TypeAdapter(model)) is None


@pytest.mark.parametrize("model", [Line | None, dict[str, Line], list[int]], ids=str)
def test_nothing_is_gained_without_a_list_of_models(model):
    assert typed_dict_of(TypeAdapter(model)) is None


class Plain(BaseModel):
    names: list[str] | str = []
    sizes: dict[str, Size | None] = {}


@pytest.mark.parametrize("model", [Line, Plain])
def test_model_without_instances_needs_no_typed_dict(model):
    adapter = TypeAdapter(model)
    assert typed_dict_of(adapter) is adapter


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_typed_dict_refuses_an_instance_wherever_it_stands(model):
    adapter = typed_dict_of(TypeAdapter(model))
    assert adapter is not None
    instance = {"id": 1, "first": Line(sku="ab")}
    lines = {"id": 1, "lines": [{"sku": "ab"}, Line(sku="ab")]}
    by_sku = {"id": 1, "by_sku": {"ab": Line(sku="ab")}}
    for order in (instance, lines, by_sku):
        for value in ([order], {"items": [order]}, {"a": [Line(sku="ab")]}):
            with pytest.raises(ValidationError):
                adapter.validator.validate_python(value)


@pytest.mark.parametrize("option", ["exclude_unset", "exclude_defaults"])
def test_option_about_instances_needs_instances(option):
    serializer = compile_serializer(list[Order], {option: True})

    assert serializer.typed_dict_adapter is None
    assert serializer.write([{"id": 1}]) == b'[{"id":1}]'


STRINGS = ["", "a", "ab", "s", "x", "1", "3", "2020-02-29", "\ud800", "1e400"]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 5)
    | st.floats()
    | st.sampled_from(STRINGS)
)


def some_of(**fields: st.SearchStrategy[t.Any]) -> st.SearchStrategy[dict[str, t.Any]]:
    """Dictionaries of any of the fields, and of one that no model knows."""
    return st.fixed_dictionaries({}, optional={**fields, "secret": SCALARS})


SKUS = st.sampled_from(["ab", "abc", "a", "A1"]) | SCALARS
LINES = some_of(sku=SKUS, quantity=SCALARS, price=SCALARS, size=SCALARS)
INSTANCES = st.builds(
    Line, sku=st.sampled_from(["ab", "cd"]), quantity=st.integers(1, 3)
)
PLAIN_FIELDS = ("id", "name", "fullName", "kind", "made", "either", "o1", "o2", "other")
ORDERS = st.builds(
    lambda order, n: {"id": n, **order},
    some_of(
        **dict.fromkeys(PLAIN_FIELDS, SCALARS),
        lines=st.lists(LINES | INSTANCES, max_size=3) | SCALARS,
        by_sku=st.dictionaries(st.text(max_size=2), LINES | INSTANCES, max_size=2),
        first=LINES | INSTANCES | SCALARS,
        anything=SCALARS | INSTANCES | st.lists(SCALARS),
        names=st.lists(SCALARS),
    ),
    st.integers(),
)


def outcome(serializer: t.Any, value: t.Any) -> tuple[str, t.Any]:
    """The text, or the errors."""
    try:
        return "sent", serializer.write(value)
    except ValidationError as error:
        return "refused", error.errors(include_url=False, include_input=False)
    except PydanticSerializationError as error:
        return "unwritable", str(error)


OPTIONS = [{"by_alias": True}, {"by_alias": False, "exclude_none": True}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@settings(deadline=None)
@given(value=st.lists(ORDERS, max_size=3))
def test_a_typed_dict_writes_what_the_model_writes(options, value):
    with_typed_dict = compile_serializer(list[Order], options)
    without = dataclasses.replace(with_typed_dict, typed_dict_adapter=None)

    assert outcome(with_typed_dict, value) == outcome(without, value)


@pytest.mark.parametrize("options", [*OPTIONS, {"exclude_unset": True}], ids=str)
@settings(deadline=None)
@given(value=LINES)
def test_model_without_instances_writes_what_it_writes_otherwise(options, value):
    quick = compile_serializer(Line, options)
    slow = dataclasses.replace(quick, typed_dict_adapter=None)

    assert outcome(quick, value) == outcome(slow, value)


def test_instances_among_the_dicts_are_answered():
    def show() -> list[Line]:
        return [{"sku": "ab"}, Line(sku="cd"), {"sku": "ef"}]  # type: ignore[list-item]

    found = client_of(show).get("/").json

    assert [line["sku"] for line in found] == ["ab", "cd", "ef"]


def test_errors_are_those_of_the_model():
    def show() -> list[Line]:
        return [{"sku": "a"}, {"sku": "ab", "quantity": 0}]  # type: ignore[list-item]

    response = client_of(show).get("/")
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(list[Line]).validate_python(show())

    assert response.status_code == 500
    assert len(caught.value.errors()) == 2
