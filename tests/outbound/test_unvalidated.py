"""What is sent without validation: what would be sent of a value that was validated."""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
import itertools
import typing as t
from collections.abc import Generator
from collections.abc import Iterable
from collections.abc import Sequence

import pytest
from client import client_of
from pydantic import AliasChoices
from pydantic import AliasPath
from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import Field
from pydantic import computed_field
from pydantic import create_model
from pydantic import field_serializer
from typing_extensions import TypeAliasType
from typing_extensions import TypedDict
from typing_extensions import TypeVar

try:
    from pydantic import MISSING
except ImportError:
    # Pydantic before 2.14.
    from pydantic.experimental.missing_sentinel import MISSING

ANSWER = b'{"message":"An internal error occurred."}\n'

T = t.TypeVar("T")


class Out(BaseModel):
    name: str = "n"


class Secret(Out):
    secret: str = "hunter2"


ROW = {"name": "x", "secret": "hunter2"}


def sent(model: t.Any, value: t.Any, *, validates: bool = False) -> t.Any:
    """What a client gets of a value, ``None`` if it is a failed response."""

    def show():
        return value() if callable(value) else value

    client = client_of(show, response_model=model, validate_response=validates)
    response = client.get("/")
    assert b"hunter2" not in response.data
    assert response.status_code in (200, 500)
    return response.json if response.status_code == 200 else None


class Change(BaseModel):
    name: str | MISSING = MISSING
    part: Out | MISSING | None = MISSING
    parts: list[Out] | Out | MISSING = MISSING


CHANGES: dict[str, tuple[t.Any, t.Any]] = {
    "model": (Change(), {}),
    "model-with-a-part": (Change(part=Secret()), {"part": {"name": "n"}}),
    "null": ({"part": None}, {"part": None}),
    "row": (
        {"part": ROW, "parts": [ROW]},
        {"part": {"name": "x"}, "parts": [{"name": "x"}]},
    ),
    "missing": ({"name": MISSING, "part": MISSING, "parts": MISSING}, {}),
}


@pytest.mark.parametrize("validates", [True, False])
@pytest.mark.parametrize(("value", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_may_be_missing_is_left_out(value, expected, validates):
    assert sent(Change, value, validates=validates) == expected


def computing(annotation: t.Any, returned: t.Any) -> type[BaseModel]:
    """A model with a number, and a computed field."""

    def found(self: t.Any) -> t.Any:
        return returned

    found.__annotations__ = {"return": annotation}

    computed = {"n": 1.0, "found": computed_field(property(found))}
    annotations = {"n": float}
    return type(
        "Computing",
        (BaseModel,),
        {**computed, "__annotations__": annotations, "__module__": __name__},
    )


COMPUTED: dict[str, tuple[t.Any, t.Any]] = {
    "model": (Out, ROW),
    "list": (list[Out], [Out(), ROW]),
    "dict": (dict[str, Out], {"x": ROW}),
    "tuple": (tuple[Out, ...], (ROW,)),
    "row": (tuple[int, Out], (1, ROW)),
    "sequence": (Sequence[Out], [ROW]),
    "deque": (collections.deque[Out], collections.deque([ROW])),
    "union": (Out | None, ROW),
    "alias": (TypeAliasType("Alias", list[T], type_params=(T,))[Out], [ROW]),
    "string": (str, ROW),
    "number": (int | None, [ROW]),
    "enumeration": (enum.Enum("Color", {"RED": "red"}), ROW),
    "dataclass": (dataclasses.make_dataclass("Data", [("name", str)]), ROW),
    "another-model": (str, Secret()),
}


@pytest.mark.parametrize("row", [{"n": 1.0}, {"n": "many"}], ids=["fits", "unfit"])
@pytest.mark.parametrize(("tp", "value"), COMPUTED.values(), ids=COMPUTED)
def test_computed_field_of_another_type_is_a_failed_response(tp, value, row):
    assert sent(computing(tp, value), row) is None


FITS: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "model": (Out, Secret(), {"name": "n"}),
    "list": (list[Out], [Secret()], [{"name": "n"}]),
    "anything": (t.Any, {"a": [1]}, {"a": [1]}),
    "enumeration": (enum.Enum("Pair", {"A": (1, 2)}), (1, 2), [1, 2]),
    "constants": (t.Literal["a"], "a", "a"),
    "row": (tuple[int, Out], (1, Out()), [1, {"name": "n"}]),
    "sequence": (Sequence[Out], [Out()], [{"name": "n"}]),
    "string": (str, 5, 5),
}


@pytest.mark.parametrize(("tp", "value", "expected"), FITS.values(), ids=FITS)
def test_computed_field_of_its_type_is_sent_beside_a_field_of_another(
    tp, value, expected
):
    made = tp(value) if isinstance(tp, enum.EnumMeta) else value

    assert sent(computing(tp, made), {"n": "many"}) == {"n": "many", "found": expected}


def test_return_annotation_of_a_field_serializer_is_what_is_sent():
    class Serializing(BaseModel):
        n: int = 1

        @field_serializer("n")
        def write(self, n: int) -> Out:
            return ROW  # type: ignore[return-value]

    assert sent(Serializing, {"n": 1}) is None


Given = TypeVar("Given", Out, int)
Defaulted = TypeVar("Defaulted", default=Out)
Bound = TypeVar("Bound", bound=Out)


class Constrained(BaseModel, t.Generic[Given]):
    found: Given
    others: list[Given] = []


class WithDefault(BaseModel, t.Generic[Defaulted]):
    found: Defaulted
    others: list[Defaulted] = []


class WithBound(BaseModel, t.Generic[Bound]):
    found: Bound
    others: list[Bound] = []


@pytest.mark.parametrize("model", [Constrained, WithDefault, WithBound])
@pytest.mark.parametrize("value", [ROW, Secret(name="x")], ids=["row", "subclass"])
@pytest.mark.parametrize("validates", [True, False])
def test_variable_of_a_bare_generic_filters(model, value, validates):
    found = sent(model, {"found": value, "others": [value]}, validates=validates)

    assert found == {"found": {"name": "x"}, "others": [{"name": "x"}]}


class Label(BaseModel):
    label: str = Field("none", validation_alias="public")


class Choices(BaseModel):
    label: str = Field(
        "none", validation_alias=AliasChoices("public", AliasPath("user", "names", 0))
    )


class ByName(Label):
    model_config = ConfigDict(populate_by_name=True)


class LabelDict(TypedDict):
    label: t.Annotated[str, Field(validation_alias="public")]


class Thing:
    def __init__(self, **attributes: t.Any) -> None:
        self.__dict__.update(attributes)


PRIVATE = {"label": "hunter2"}
NAMED: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "both": (Label, {**PRIVATE, "public": "x"}, {"label": "x"}),
    "object": (Label, Thing(**PRIVATE, public="x"), {"label": "x"}),
    "private": (Label, PRIVATE, {"label": "none"}),
    "choice": (Choices, {**PRIVATE, "public": "x"}, {"label": "x"}),
    "path": (Choices, {**PRIVATE, "user": {"names": ["x"]}}, {"label": "x"}),
    "path-of-objects": (
        Choices,
        Thing(**PRIVATE, user=Thing(names=["x"])),
        {"label": "x"},
    ),
    "path-that-ends": (Choices, {**PRIVATE, "user": {"names": []}}, {"label": "none"}),
    "by-name": (ByName, {"label": "x"}, {"label": "x"}),
    "by-both-names": (ByName, {**PRIVATE, "public": "x"}, {"label": "x"}),
    "typed-dict": (LabelDict, {**PRIVATE, "public": "x"}, {"label": "x"}),
    "typed-dict-in-a-list": (
        list[LabelDict],
        [{**PRIVATE, "public": "x"}],
        [{"label": "x"}],
    ),
    "typed-dict-of-a-union": (
        list[LabelDict | Out],
        [{**PRIVATE, "public": "x"}],
        [{"label": "x"}],
    ),
    "instance": (Label, Label(public="x"), {"label": "x"}),
    "subclass": (Label, ByName(label="x"), {"label": "x"}),
}


@pytest.mark.parametrize("validates", [True, False])
@pytest.mark.parametrize(("model", "value", "expected"), NAMED.values(), ids=NAMED)
def test_field_is_found_where_pydantic_looks_for_it(model, value, expected, validates):
    # Pydantic makes no typed dict of an object, and asks an object for no item.
    is_made = not isinstance(value, Thing) or model is Label
    found = sent(model, value, validates=validates)

    assert found == expected or (validates and not is_made)


SOURCES: dict[str, t.Callable[[list[t.Any]], t.Any]] = {
    "list": list,
    "iterator": iter,
    "map": lambda items: map(copy.copy, items),
    "chain": lambda items: itertools.chain(items, []),
    "generator": lambda items: (item for item in items),
}


@pytest.mark.parametrize("validates", [True, False])
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize(
    "annotation", [Generator[Out, None, None], Iterable[Out]], ids=str
)
@pytest.mark.parametrize("name", ["x", "\ud800"], ids=["plain", "surrogate"])
def test_items_of_an_iterator_are_filtered(annotation, source, validates, name):
    class Streaming(BaseModel):
        items: annotation  # type: ignore[valid-type]

    Streaming.model_rebuild(_types_namespace={"annotation": annotation})
    found = sent(
        Streaming,
        lambda: {"items": source([{**ROW, "name": name}, Secret()])},
        validates=validates,
    )

    assert found == {"items": [{"name": name}, {"name": "n"}]}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("tp", [str, int | None, t.Literal["a"]], ids=str)
def test_iterator_has_no_place_where_a_scalar_is(tp, source):
    model = create_model("Naming", name=(tp, ...))

    assert sent(model, lambda: {"name": source([ROW])}) is None


@dataclasses.dataclass
class Data:
    found: Out = dataclasses.field(default_factory=lambda: dict(ROW))  # type: ignore[arg-type, return-value]


class Row(t.NamedTuple):
    found: Out = ROW  # type: ignore[assignment]


class Made(BaseModel):
    found: Out = Field(default_factory=lambda: dict(ROW))  # type: ignore[arg-type, return-value]
    fixed: Out = ROW  # type: ignore[assignment]


def test_default_of_another_type_is_filtered():
    assert sent(Made, {}) == {"found": {"name": "x"}, "fixed": {"name": "x"}}
    assert sent(Data, {}) == {"found": {"name": "x"}}
    assert sent(Row, {}) == [{"name": "x"}]


def test_default_that_has_no_place_is_a_failed_response():
    class Wrong(BaseModel):
        name: str = Field(default_factory=lambda: dict(ROW))  # type: ignore[arg-type]

    assert sent(Wrong, {}) is None


Alias = TypeAliasType("Alias", list[T], type_params=(T,))


class Aliased(BaseModel):
    found: Alias[Out]


@pytest.mark.parametrize("validates", [True, False])
def test_generic_alias_filters(validates):
    found = sent(Aliased, {"found": [ROW, Secret()]}, validates=validates)

    assert found == {"found": [{"name": "x"}, {"name": "n"}]}
    assert sent(Alias[Out], [ROW], validates=validates) == [{"name": "x"}]


@pytest.mark.parametrize("validates", [True, False])
@pytest.mark.parametrize("items", [int, Out], ids=["scalars", "models"])
def test_sequence_beside_a_model_does_not_take_a_subclass(items, validates):
    model = Out | Sequence[items]  # type: ignore[valid-type]

    assert sent(model, Secret(), validates=validates) == {"name": "n"}
    if items is Out:
        assert sent(model, [Secret()], validates=validates) == [{"name": "n"}]


class Extended(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Out]
    n: int = 0


@pytest.mark.parametrize("n", [1, "many"], ids=["fits", "unfit"])
def test_extra_fields_have_the_type_that_is_declared_for_them(n):
    found = sent(Extended, {"n": n, "more": ROW, "last": Secret()})

    assert found == {"n": n, "more": {"name": "x"}, "last": {"name": "n"}}


class Nested(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Nested]


def test_extra_fields_may_be_of_the_model_itself():
    assert sent(Nested, {"a": {"b": {}}}) == {"a": {"b": {}}}


@pytest.mark.parametrize("by_alias", [True, False])
def test_scalars_of_other_types_are_sent_by_alias_or_by_name(by_alias):
    class Named(BaseModel):
        first: int = Field(serialization_alias="second")
        second: Out = Field(serialization_alias="third")

        @computed_field(alias="fourth")
        def third(self) -> int:
            return 3

    def show():
        return {"first": "many", "second": ROW}

    response = client_of(
        show,
        response_model=Named,
        validate_response=False,
        response_model_by_alias=by_alias,
    ).get("/")

    names = ("second", "third", "fourth") if by_alias else ("first", "second", "third")
    assert response.json == dict(zip(names, ["many", {"name": "x"}, 3], strict=True))
