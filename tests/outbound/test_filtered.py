"""What is sent of a value: what its model names, wherever it is found."""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
import itertools
import typing as t
from collections.abc import Generator, Iterable, Sequence
from datetime import timedelta

import pytest
from client import client_of
from flask import abort
from flask.typing import ResponseReturnValue
from models import MISSING, Problem
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    Json,
    PrivateAttr,
    SerializeAsAny,
    computed_field,
    create_model,
    field_serializer,
    field_validator,
    model_validator,
)
from returned import holder, refused, returning, sent, view_of
from typing_extensions import TypeAliasType, TypedDict, TypeVar

from flask_signature import SignatureError

T = t.TypeVar("T")


class Out(BaseModel):
    name: str = "n"


class Secret(Out):
    secret: str = "hunter2"


ROW = {"name": "x", "secret": "hunter2"}

#: What is sent of a row, and of an instance.
X, N = {"name": "x"}, {"name": "n"}


# Fields that may be missing


class Change(BaseModel):
    name: str | MISSING = MISSING
    part: Out | MISSING | None = MISSING
    parts: list[Out] | Out | MISSING = MISSING


# Fields that are read by other names


class Label(BaseModel):
    label: str = Field("none", validation_alias="public")


class Choices(BaseModel):
    label: str = Field(
        "none", validation_alias=AliasChoices("public", AliasPath("user", "names", 0))
    )


class ByName(Label, populate_by_name=True): ...


class LabelDict(TypedDict):
    label: t.Annotated[str, Field(validation_alias="public")]


class Thing:
    def __init__(self, **attributes: t.Any) -> None:
        self.__dict__.update(attributes)


PRIVATE = {"label": "hunter2"}
PUBLIC = {**PRIVATE, "public": "x"}
LABEL, NONE = {"label": "x"}, {"label": "none"}


# Variables of types


Given = TypeVar("Given", Out, int)
Defaulted = TypeVar("Defaulted", default=Out)
Bound = TypeVar("Bound", bound=Out)
Url = TypeVar("Url", bound=HttpUrl)
Items = TypeVar("Items", bound=Sequence[Out])
AnyModel = TypeVar("AnyModel", bound=BaseModel)


class Constrained(BaseModel, t.Generic[Given]):
    found: Given
    others: list[Given] = []


class WithDefault(BaseModel, t.Generic[Defaulted]):
    found: Defaulted
    others: list[Defaulted] = []


class WithBound(BaseModel, t.Generic[Bound]):
    found: Bound
    others: list[Bound] = []


class Inherits(WithBound):  # type: ignore[type-arg]
    pass


class Linked(BaseModel, t.Generic[Url, Items]):
    url: Url
    found: Items


class Whole(BaseModel, t.Generic[AnyModel]):
    items: list[AnyModel]


@dataclasses.dataclass
class Data(t.Generic[Bound]):
    found: Bound


class Dict(TypedDict, t.Generic[Bound]):
    found: Bound


Alias = TypeAliasType("Alias", list[T], type_params=(T,))
Free = holder(Bound)
OfAlias = holder(TypeAliasType("Many", list[Bound], type_params=(Bound,)))
Around = holder(list[WithBound])
FOUND = {"found": N}
BOTH = {**FOUND, "others": []}
ROWS = {"found": ROW, "others": [ROW]}
SECRETS = {"found": Secret(name="x"), "others": [Secret(name="x")]}
LINK = "https://example.org/"


# Types that send more than they name


AnyOut = TypeAliasType("AnyOut", SerializeAsAny[Out])


class Extra(Out):
    more: int = 1


class Asking(BaseModel):
    found: SerializeAsAny[Out]
    others: list[SerializeAsAny[Out]] = []


class Asks(BaseModel):
    n: int = 0
    found: AnyOut

    @field_serializer("n")
    def write(self, n: int) -> SerializeAsAny[Out]:
        return Extra()


class Mentions(BaseModel, t.Generic[Bound]):
    found: Bound = Field(description="Not SerializeAsAny().")


EXTRA = {"name": "n", "more": 1}


# Extra fields, computed and serialized ones


class Extended(BaseModel, extra="allow"):
    __pydantic_extra__: dict[str, Out]
    n: int = 0


class Nested(BaseModel, extra="allow"):
    __pydantic_extra__: dict[str, Nested]


class Returning(BaseModel):
    n: int = 0

    @computed_field
    def found(self) -> Out | Sequence[int]:
        return Secret()

    @computed_field
    def page(self) -> WithBound:  # type: ignore[type-arg]
        return WithBound(found=Secret())

    @field_serializer("n")
    def write(self, n: int) -> Out | Sequence[int]:
        return Secret()


class Serializing(BaseModel):
    n: int = 1

    @field_serializer("n")
    def write(self, n: int) -> Out:
        return ROW  # type: ignore[return-value]


class Computes(BaseModel):
    n: int

    @computed_field
    def numbers(self) -> Iterable[int]:
        return (number for number in range(self.n))

    @field_serializer("n")
    def write(self, n: int) -> Iterable[int]:
        return iter([n])


# Sequences and iterators


class Streaming(BaseModel):
    items: Iterable[Out]


class Late(BaseModel):
    items: Iterable[int]
    name: str = "n"


class Pages(BaseModel):
    rows: Iterable[dict[str, int]] = ()
    groups: Iterable[tuple[int, Iterable[int]]] = ()
    letters: Iterable[str] = ()


class Careful(BaseModel):
    words: t.Annotated[list[str], BeforeValidator(lambda text: text.split(","))]
    n: int = 0


class Encoded(BaseModel):
    model_config = ConfigDict(
        ser_json_bytes="base64", ser_json_timedelta="float", ser_json_inf_nan="strings"
    )

    found: Sequence[t.Any]
    read: Iterable[t.Any] = ()


class Recursive(Encoded):
    inside: Sequence[Recursive] = ()


Adding = holder(t.Annotated[Sequence[int], AfterValidator(lambda items: (*items, 3))])
Tree = TypeAliasType("Tree", "t.Mapping[str, Tree] | Sequence[Tree] | str | int | None")
TREE = {"a": [1, {"b": "x"}], "c": ["y", None]}
ORDERED = collections.OrderedDict[str, Out] | Sequence[int]
ENCODED = [b"ab", timedelta(days=1), float("nan")]
WRITTEN = ["YWI=", 86400.0, "NaN"]
NO_PAGES = {"rows": [], "groups": [], "letters": []}


def changed_after_an_iterator() -> Late:
    """An instance, a part of which is validated again."""
    late = Late(items=iter([1, 2]))  # type: ignore[arg-type]
    late.name = b"x"  # type: ignore[assignment]
    return late


def unfit_iterator() -> Late:
    def numbers_then_nothing() -> t.Iterator[t.Any]:
        yield from (1, "x", 2)

    return Late(items=numbers_then_nothing())


def validated_once() -> Careful:
    """An instance whose validator can't be called again."""
    careful = Careful(words="a,b")  # type: ignore[arg-type]
    careful.n = "5"  # type: ignore[assignment]
    return careful


def one_row() -> t.Iterator[dict[str, int]]:
    row: dict[str, int] = {}
    for number in range(3):
        row["id"] = number
        yield row


#: A model, a value or what makes it, and what is sent, ``None`` of a failed response.
SENT: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    # What may be missing is left out.
    "change": (Change, Change(), {}),
    "change-of-a-part": (Change, Change(part=Secret()), {"part": N}),
    "change-to-null": (Change, {"part": None}, {"part": None}),
    "change-of-rows": (
        Change,
        {"part": ROW, "parts": [ROW]},
        {"part": X, "parts": [X]},
    ),
    "missing": (Change, {"name": MISSING, "part": MISSING, "parts": MISSING}, {}),
    # A field is found where Pydantic looks for it.
    "both-names": (Label, PUBLIC, LABEL),
    "object": (Label, Thing(**PUBLIC), LABEL),
    "private": (Label, PRIVATE, NONE),
    "choice": (Choices, PUBLIC, LABEL),
    "path": (Choices, {**PRIVATE, "user": {"names": ["x"]}}, LABEL),
    "path-that-ends": (Choices, {**PRIVATE, "user": {"names": []}}, NONE),
    "by-name": (ByName, LABEL, LABEL),
    "by-both-names": (ByName, PUBLIC, LABEL),
    "typed-dict": (LabelDict, PUBLIC, LABEL),
    "typed-dict-in-a-list": (list[LabelDict], [PUBLIC], [LABEL]),
    "typed-dict-of-a-union": (list[LabelDict | Out], [PUBLIC], [LABEL]),
    "label": (Label, Label(public="x"), LABEL),
    "subclass-of-a-label": (Label, ByName(label="x"), LABEL),
    # A variable has the type that is known of it.
    "constrained-rows": (Constrained, ROWS, {"found": X, "others": [X]}),
    "constrained-subclasses": (Constrained, SECRETS, {"found": X, "others": [X]}),
    "default-of-rows": (WithDefault, ROWS, {"found": X, "others": [X]}),
    "default-of-subclasses": (WithDefault, SECRETS, {"found": X, "others": [X]}),
    "bound": (WithBound, WithBound(found=Secret()), BOTH),
    "inherited-bound": (Inherits, Inherits(found=Secret()), BOTH),
    "bound-inside": (
        Around,
        Around(found=[WithBound(found=Secret())]),
        {"found": [BOTH]},
    ),
    "bound-of-a-dataclass": (Data, Data(Secret()), FOUND),
    "bound-of-a-typed-dict": (Dict, {"found": Secret()}, FOUND),
    "list-of-a-bound": (list[Bound], [Secret()], [N]),
    "variable": (Bound, Secret(), N),
    "not-generic": (Free, Free(found=Secret()), FOUND),
    "bound-of-an-alias": (OfAlias, OfAlias(found=[Secret()]), {"found": [N]}),
    "bound-with-a-type": (WithBound[Out], {"found": Secret()}, BOTH),
    "bound-of-any-model-with-one": (Whole[Out], {"items": [Secret()]}, {"items": [N]}),
    "bound-of-another-type": (
        *(Linked, {"url": LINK, "found": (Secret(),)}),
        {"url": LINK, "found": [N]},
    ),
    "alias": (Alias[Out], [ROW], [X]),
    "alias-inside": (holder(Alias[Out]), {"found": [ROW, Secret()]}, {"found": [X, N]}),
    # SerializeAsAny sends what it is; it is found in aliases, and not in words.
    "any": (
        *(Asking, Asking(found=Extra(), others=[Extra()])),
        {"found": EXTRA, "others": [EXTRA]},
    ),
    "any-alone": (SerializeAsAny[Out], Extra(), EXTRA),
    "any-inside": (
        *(Data[Asking], Data(Asking(found=Extra()))),
        {"found": {"found": EXTRA, "others": []}},
    ),
    "any-of-an-alias": (Asks, Asks(found=Extra()), {"n": EXTRA, "found": EXTRA}),
    "any-in-words": (Mentions, Mentions(found=Secret()), FOUND),
    # Fields that the class does not name, or that functions make, have their types.
    "extra": (
        *(Extended, {"n": 1, "more": ROW, "last": Secret()}),
        {"n": 1, "more": X, "last": N},
    ),
    "extra-of-itself": (Nested, {"a": {"b": {}}}, {"a": {"b": {}}}),
    "returned": (Returning, Returning(), {"n": N, **FOUND, "page": BOTH}),
    "serialized-as-another-type": (Serializing, {"n": 1}, None),
    "computed-iterator": (Computes, {"n": 2}, {"n": [2], "numbers": [0, 1]}),
    # A sequence is validated as it is, and written with the config of its model.
    "tree": (Tree, {"a": [1, {"b": "x"}], "c": ("y", None)}, TREE),
    "ordered-dict": (ORDERED, collections.OrderedDict(a=Secret()), {"a": N}),
    "added": (Adding, {"found": (1, 2)}, {"found": [1, 2, 3]}),
    "set": (Adding, {"found": {1}}, None),
    "string": (holder(Sequence[t.Any]), {"found": "abc"}, {"found": "abc"}),
    "encoded": (
        *(Encoded, lambda: Encoded(found=ENCODED, read=iter(ENCODED))),
        {"found": WRITTEN, "read": WRITTEN},
    ),
    "encoded-inside": (
        *(Recursive, Recursive(found=[], inside=[Recursive(found=[b"ab"])])),
        {
            "found": [],
            "read": [],
            "inside": [{"found": ["YWI="], "read": [], "inside": []}],
        },
    ),
    # An iterator is read once, and item by item; whatever can be iterated is read.
    "read-once": (Late, changed_after_an_iterator, {"items": [1, 2], "name": "x"}),
    "unfit-item": (Late, unfit_iterator, None),
    "validated-once": (Careful, validated_once, None),
    "one-by-one": (
        *(Pages, lambda: {"rows": one_row()}),
        {**NO_PAGES, "rows": [{"id": 0}, {"id": 1}, {"id": 2}]},
    ),
    "groups": (
        *(Pages, lambda: {"groups": itertools.groupby([1, 1, 2])}),
        {**NO_PAGES, "groups": [[1, [1, 1]], [2, [2]]]},
    ),
    **{
        f"letters-of-{type(letters).__name__}": (
            *(Pages, {"letters": letters}),
            {**NO_PAGES, "letters": ["a", "b"]},
        )
        for letters in ("ab", {"a": 1, "b": 2}, collections.Counter("ab"))
    },
}


@pytest.mark.parametrize(("model", "value", "expected"), SENT.values(), ids=SENT)
def test_what_the_model_names_is_sent(model, value, expected):
    assert sent(model, value) == expected


def computing(annotation: t.Any, returned: t.Any) -> type[BaseModel]:
    """A model with a number, and a computed field."""

    def found(self: t.Any) -> t.Any:
        return returned

    found.__annotations__ = {"return": annotation}

    class Computing(BaseModel):
        n: float
        computed = computed_field(alias="found")(property(found))

    return Computing


Pair = enum.Enum("Pair", {"A": (1, 2)})

#: A type of a computed field, its value, and what is sent.
COMPUTED: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "model": (Out, Secret(), N),
    "list": (list[Out], [Secret()], [N]),
    "anything": (t.Any, {"a": [1]}, {"a": [1]}),
    "enumeration": (Pair, Pair((1, 2)), [1, 2]),
    "constants": (t.Literal["a"], "a", "a"),
    "pair": (tuple[int, Out], (1, Out()), [1, N]),
    "sequence": (Sequence[Out], [Out()], [N]),
}

#: A type of a computed field, and a value of another one.
UNFIT: dict[str, tuple[t.Any, t.Any]] = {
    "model": (Out, ROW),
    "list": (list[Out], [Out(), ROW]),
    "dict": (dict[str, Out], {"x": ROW}),
    "tuple": (tuple[Out, ...], (ROW,)),
    "pair": (tuple[int, Out], (1, ROW)),
    "sequence": (Sequence[Out], [ROW]),
    "deque": (collections.deque[Out], collections.deque([ROW])),
    "union": (Out | None, ROW),
    "alias": (Alias[Out], [ROW]),
    "string": (str, ROW),
    "number": (int | None, [ROW]),
    "enumeration": (Pair, ROW),
    "dataclass": (dataclasses.make_dataclass("Data", [("name", str)]), ROW),
    "another-model": (str, Secret()),
}


@pytest.mark.parametrize(("tp", "value", "expected"), COMPUTED.values(), ids=COMPUTED)
def test_computed_field_of_its_type_is_sent(tp, value, expected):
    assert sent(computing(tp, value), {"n": 1.0}) == {"n": 1.0, "found": expected}


@pytest.mark.parametrize(("tp", "value"), UNFIT.values(), ids=UNFIT)
def test_computed_field_of_another_type_is_a_failed_response(tp, value):
    assert sent(computing(tp, value), {"n": 1.0}) is None


SOURCES: dict[str, t.Callable[[list[t.Any]], t.Any]] = {
    "list": list,
    "iterator": iter,
    "map": lambda items: map(copy.copy, items),
    "chain": lambda items: itertools.chain(items, []),
    "generator": lambda items: (item for item in items),
}


NAMES = pytest.mark.parametrize("name", ["x", "\ud800"], ids=["plain", "surrogate"])


@NAMES
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("tp", [Generator[Out, None, None], Iterable[Out]], ids=str)
def test_items_of_an_iterator_are_filtered(tp, source, name):
    rows = [{**ROW, "name": name}, Secret()]

    found = sent(holder(tp), lambda: {"found": source(rows)})

    assert found == {"found": [{"name": name}, N]}


@NAMES
def test_iterator_of_an_instance_is_filtered(name):
    rows = [{**ROW, "name": name}, Secret()]

    found = sent(Streaming, lambda: Streaming(items=iter(rows)))  # type: ignore[arg-type]

    assert found == {"items": [{"name": name}, N]}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("tp", [str, int | None, t.Literal["a"]], ids=str)
def test_iterator_has_no_place_where_a_scalar_is(tp, source):
    assert sent(holder(tp), lambda: {"found": source([ROW])}) is None


Names = TypeAliasType("Names", Sequence[str])
Maybe = TypeAliasType("Maybe", "Out | None")


class Checked(Out):
    @model_validator(mode="after")
    def check(self) -> Checked:
        return self


class SecretChecked(Checked):
    secret: str = "hunter2"


def same(value: t.Any) -> t.Any:
    return value


BESIDE: dict[str, tuple[t.Any, t.Any]] = {
    "models": (Out | Sequence[Out], Secret()),
    "scalars": (Sequence[int] | Out | None, Secret()),
    "alias": (Out | Names, Secret()),
    "alias-of-a-model": (Maybe | Sequence[int], Secret()),
    "limited": (Out | t.Annotated[Sequence[int], Field(min_length=1)], Secret()),
    "checked": (Out | t.Annotated[Sequence[int], AfterValidator(same)], Secret()),
    "annotated": (t.Annotated[Out, AfterValidator(same)] | Sequence[int], Secret()),
    "validated": (Checked | Sequence[int], SecretChecked()),
}


@pytest.mark.parametrize(("model", "value"), BESIDE.values(), ids=BESIDE)
def test_sequence_beside_a_model_does_not_take_a_subclass(model, value):
    inside = holder(model)
    assert sent(model, value) == N
    assert sent(inside, inside(found=value)) == {"found": N}
    assert sent(list[model], [value]) == [N]


class Rows(list[t.Any]):
    """A list of another class, as an ORM makes them."""


class Row(tuple[t.Any, ...]):
    """A tuple of another class."""


class Sequences(BaseModel):
    found: Sequence[Out]
    inner: Sequence[Sequence[Out]] = ()


@pytest.mark.parametrize("rows", [Rows, Row, list, tuple])
def test_sequence_of_an_instance_is_filtered(rows):
    value = Sequences(found=rows([Secret()]), inner=[rows([Secret()])])
    expected = {"found": [N], "inner": [[N]]}
    assert sent(Sequences, value) == expected
    assert sent(list[Sequences], [value]) == [expected]


class Wrapped(BaseModel):
    found: Sequence[Out]

    @field_serializer("found", mode="wrap")
    def write(self, value: t.Any, handler: t.Any) -> t.Any:
        return handler(value)


@pytest.mark.parametrize("rows", [Rows, Row, list, tuple, collections.deque])
def test_sequence_that_an_author_writes_is_filtered(rows):
    assert sent(Wrapped, Wrapped(found=rows([Secret()]))) == {"found": [N]}


class Priced(BaseModel):
    """A model whose validators do something each time."""

    price: int
    tags: Iterable[str] = ()
    words: t.Annotated[list[str], BeforeValidator(lambda text: text.split(","))] = []
    code: Json[list[int]] = []
    _seen: int = PrivateAttr(0)

    @field_validator("price")
    @classmethod
    def cents(cls, value: int) -> int:
        return value * 100

    @model_validator(mode="before")
    @classmethod
    def count(cls, values: t.Any) -> t.Any:
        if isinstance(values, dict):
            values["price"] += 1
        return values

    def model_post_init(self, _: t.Any) -> None:
        self._seen += 1

    @computed_field
    def seen(self) -> int:
        return self._seen


def test_model_with_an_iterator_is_validated_once():
    row = {"price": 1, "words": "a,b", "code": "[1]"}
    lists = {"tags": ["a", "b"], "words": ["a", "b"], "code": [1]}
    expected = {"price": 200, **lists, "seen": 1}
    value = Priced(tags=iter("ab"), **row)  # type: ignore[arg-type]

    assert sent(Priced, lambda: {**row, "tags": iter("ab")}) == expected
    assert sent(Priced, value) == expected
    assert value.price == 200


class Owned(BaseModel):
    owner: Out


def test_object_in_place_of_an_instance_is_filtered():
    owned = Owned(owner=Out())
    owned.owner = Thing(**ROW)  # type: ignore[assignment]
    response = returning(Owned, owned, response_model_exclude_unset=True)
    assert response.json == {"owner": X}


def test_variable_of_any_model_is_refused():
    assert (
        "'Whole' has a type variable without a type, and its bound, BaseModel, has no"
        " fields to send. Give it one in brackets."
    ) in refused(None, response_model=Whole)


def test_what_an_iterator_raises_is_raised():
    def rows() -> t.Iterator[Out]:
        yield Out()
        abort(404)

    for value in (lambda: {"items": rows()}, lambda: Streaming(items=rows())):
        assert client_of(value, response_model=Streaming).get("/").status_code == 404


def test_models_that_are_nested_too_deep_are_refused():
    def register() -> None:
        model = create_model("Leaf", found=(Sequence[int], ()))
        for _ in range(300):
            model = create_model("Branch", inside=(model | None, None))
        client_of(lambda: None, response_model=model)

    # Pydantic before 2.14 makes no such model.
    with pytest.raises((SignatureError, RecursionError)) as error:
        register()

    assert isinstance(error.value, RecursionError) or (
        "'Branch' has more models inside of each other than Python can call functions."
        " Return a flatter one."
    ) in str(error.value)


numbers = itertools.count()


def test_default_of_another_type_that_changes_is_a_failed_response():
    class Numbered(BaseModel):
        id: str = Field(default_factory=lambda: next(numbers))  # type: ignore[arg-type]

    assert sent(Numbered, {}) is None


@pytest.mark.parametrize("annotation", [ResponseReturnValue, dict | Generator])
def test_a_dict_beside_a_stream_is_filtered_by_a_model(annotation):
    secret = {"reason": "gone", "password": "hunter2"}
    usual = client_of(view_of(annotation, secret), response_model=Problem)
    missing = client_of(view_of(annotation, (secret, 404)), responses={404: Problem})

    assert usual.get("/").json == missing.get("/").json == {"reason": "gone"}
