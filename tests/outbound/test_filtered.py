"""What is sent of a value: what its model names, wherever it is found."""

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

from flask_signature import SignatureError

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


def sent(model: t.Any, value: t.Any) -> t.Any:
    """What a client gets of a value, ``None`` if it is a failed response."""

    def show():
        return value() if callable(value) else value

    client = client_of(show, response_model=model)
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


@pytest.mark.parametrize(("value", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_may_be_missing_is_left_out(value, expected):
    assert sent(Change, value) == expected


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


@pytest.mark.parametrize(("tp", "value"), COMPUTED.values(), ids=COMPUTED)
def test_computed_field_of_another_type_is_a_failed_response(tp, value):
    assert sent(computing(tp, value), {"n": 1.0}) is None


FITS: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "model": (Out, Secret(), {"name": "n"}),
    "list": (list[Out], [Secret()], [{"name": "n"}]),
    "anything": (t.Any, {"a": [1]}, {"a": [1]}),
    "enumeration": (enum.Enum("Pair", {"A": (1, 2)}), (1, 2), [1, 2]),
    "constants": (t.Literal["a"], "a", "a"),
    "row": (tuple[int, Out], (1, Out()), [1, {"name": "n"}]),
    "sequence": (Sequence[Out], [Out()], [{"name": "n"}]),
}


@pytest.mark.parametrize(("tp", "value", "expected"), FITS.values(), ids=FITS)
def test_computed_field_of_its_type_is_sent(tp, value, expected):
    made = tp(value) if isinstance(tp, enum.EnumMeta) else value

    assert sent(computing(tp, made), {"n": 1.0}) == {"n": 1.0, "found": expected}


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


@pytest.mark.parametrize("model", [Constrained, WithDefault])
@pytest.mark.parametrize("value", [ROW, Secret(name="x")], ids=["row", "subclass"])
def test_variable_of_a_bare_generic_filters(model, value):
    found = sent(model, {"found": value, "others": [value]})

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


@pytest.mark.parametrize(("model", "value", "expected"), NAMED.values(), ids=NAMED)
def test_field_is_found_where_pydantic_looks_for_it(model, value, expected):
    assert sent(model, value) == expected


SOURCES: dict[str, t.Callable[[list[t.Any]], t.Any]] = {
    "list": list,
    "iterator": iter,
    "map": lambda items: map(copy.copy, items),
    "chain": lambda items: itertools.chain(items, []),
    "generator": lambda items: (item for item in items),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize(
    "annotation", [Generator[Out, None, None], Iterable[Out]], ids=str
)
@pytest.mark.parametrize("name", ["x", "\ud800"], ids=["plain", "surrogate"])
def test_items_of_an_iterator_are_filtered(annotation, source, name):
    class Streaming(BaseModel):
        items: annotation  # type: ignore[valid-type]

    Streaming.model_rebuild(_types_namespace={"annotation": annotation})
    found = sent(
        Streaming,
        lambda: {"items": source([{**ROW, "name": name}, Secret()])},
    )

    assert found == {"items": [{"name": name}, {"name": "n"}]}


class Streaming(BaseModel):
    items: Iterable[Out]


@pytest.mark.parametrize("name", ["x", "\ud800"], ids=["plain", "surrogate"])
def test_iterator_of_an_instance_is_filtered(name):
    rows = [{**ROW, "name": name}, Secret()]

    found = sent(Streaming, lambda: Streaming(items=iter(rows)))  # type: ignore[arg-type]

    assert found == {"items": [{"name": name}, {"name": "n"}]}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("tp", [str, int | None, t.Literal["a"]], ids=str)
def test_iterator_has_no_place_where_a_scalar_is(tp, source):
    model = create_model("Naming", name=(tp, ...))

    assert sent(model, lambda: {"name": source([ROW])}) is None


Alias = TypeAliasType("Alias", list[T], type_params=(T,))


class Aliased(BaseModel):
    found: Alias[Out]


def test_generic_alias_filters():
    found = sent(Aliased, {"found": [ROW, Secret()]})

    assert found == {"found": [{"name": "x"}, {"name": "n"}]}
    assert sent(Alias[Out], [ROW]) == [{"name": "x"}]


class Extended(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Out]
    n: int = 0


def test_extra_fields_have_the_type_that_is_declared_for_them():
    found = sent(Extended, {"n": 1, "more": ROW, "last": Secret()})

    assert found == {"n": 1, "more": {"name": "x"}, "last": {"name": "n"}}


class Nested(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Nested]


def test_extra_fields_may_be_of_the_model_itself():
    assert sent(Nested, {"a": {"b": {}}}) == {"a": {"b": {}}}


def refusal(model: t.Any) -> str:
    """The message of a view with a response model that is refused."""
    with pytest.raises(SignatureError) as caught:
        client_of(lambda: None, response_model=model)
    return str(caught.value)


Names = TypeAliasType("Names", Sequence[str])

BESIDE: dict[str, tuple[t.Any, str, str]] = {
    "models": (Out | Sequence[Out], "Out | Sequence[Out]", "Out"),
    "scalars": (Sequence[int] | Out | None, "Sequence[int] | Out | None", "Out"),
    "items": (list[Out | Sequence[int]], "list[Out | Sequence[int]]", "Out"),
    "alias": (Out | Names, "Out | Names", "Out"),
    "dict": (dict[str, Out] | Sequence[Out], "dict[str, Out] | Sequence[Out]", "dict"),
    "field": (create_model("Field", a=(Out | Sequence[int], ...)), "Field", "Out"),
}


@pytest.mark.parametrize(("model", "shown", "name"), BESIDE.values(), ids=BESIDE)
def test_sequence_beside_a_model_is_refused(model, shown, name):
    assert (
        f"{shown!r} has a Sequence beside {name!r}, and Pydantic would send all fields"
        " of a subclass of the latter. Write list[...] in place of the Sequence."
    ) in refusal(model)


def test_list_beside_a_model_does_not_take_a_subclass():
    assert sent(Out | list[Out], Secret()) == {"name": "n"}
    assert sent(Out | list[Out], [Secret()]) == [{"name": "n"}]


class Inherits(WithBound):  # type: ignore[type-arg]
    pass


class Around(BaseModel):
    inside: list[WithBound]  # type: ignore[type-arg]


@dataclasses.dataclass
class Data(t.Generic[Bound]):
    found: Bound


class Dict(TypedDict, t.Generic[Bound]):
    found: Bound


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (WithBound, "WithBound"),
        (Inherits, "Inherits"),
        (Around, "WithBound"),
        (Data, "Data"),
        (Dict, "Dict"),
        (list[Bound], "list[~Bound]"),
    ],
    ids=str,
)
def test_bound_variable_without_a_type_is_refused(model, name):
    assert (
        f"{name!r} says no type for 'Bound', and Pydantic would send all fields of a"
        " subclass of 'Out'. Give it one in brackets."
    ) in refusal(model)


@pytest.mark.parametrize("model", [WithBound[Out], Data[Out], Dict[Out]], ids=str)
def test_bound_variable_with_a_type_filters(model):
    row = {"found": Secret(name="x"), "others": []}

    assert sent(model, row)["found"] == {"name": "x"}


class Numbered(BaseModel):
    id: str = Field(default_factory=lambda: next(numbers))  # type: ignore[arg-type]


numbers = itertools.count()


def test_default_of_another_type_that_changes_is_a_failed_response():
    assert sent(Numbered, {}) is None
