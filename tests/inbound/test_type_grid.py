"""Every type in every location: read this file as the list of what an argument may be.

A row of a table is a type and what becomes of the texts that a client may send for it.
Each row is asked in every location that can carry it, in default style and in
``Annotated`` style, with its own name and with an alias.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import ipaddress
import itertools
import pathlib
import typing as t
from collections import abc, deque
from decimal import Decimal
from enum import Enum, IntEnum
from uuid import UUID

import pydantic
import pytest
from client import client_of, refusals, taking
from messages import message_of, place_of
from models import Color
from pydantic import AliasChoices, BaseModel, Field, RootModel, SecretStr
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import NotRequired, TypeAliasType, TypedDict

from flask_signature import Body, Cookie, File, Form, Header, Path, Query, UploadFile


class Size(IntEnum):
    S = 1
    L = 2


class Mode(str, Enum):
    ON = "on"
    OFF = "off"


class Ratio(Enum):
    HALF = 0.5
    ONE = 1.0


UserId = t.NewType("UserId", int)
Count = TypeAliasType("Count", t.Annotated[int, Field(ge=0)])
Pair = TypeAliasType("Pair", list[int])
Even = t.Annotated[
    int, pydantic.AfterValidator(lambda n: n if n % 2 == 0 else _refuse("odd"))
]
Stripped = t.Annotated[str, pydantic.BeforeValidator(str.strip)]
Root, Numbers = RootModel[int], RootModel[list[int]]


def _refuse(why: str) -> t.NoReturn:
    raise ValueError(why)


class Value(t.NamedTuple):
    """A blank text is a value of the type."""

    value: t.Any


class Scalar(t.NamedTuple):
    """A type of one value.

    :param sent: a text that a client may send, and
    :param value: what the view is then given;
    :param wrong: a text that is refused, and
    :param error: the kind of error; ``None`` where any text will do.
    :param blank: what becomes of a blank text, if it is no such error: another kind of
        error, or a value.
    :param json: the JSON value, where it is not the same text.
    """

    annotation: t.Any
    sent: str
    value: t.Any
    wrong: str | None = None
    error: str | None = None
    blank: t.Any = None
    json: t.Any = None

    @property
    def blank_error(self) -> str:
        return t.cast("str", self.blank or self.error)

    @property
    def as_json(self) -> t.Any:
        return self.sent if self.json is None else self.json


def integer(annotation: t.Any, value: t.Any = 7) -> Scalar:
    return Scalar(annotation, "7", value, "x", INT)


def any_text(annotation: t.Any, value: t.Any, blank: t.Any) -> Scalar:
    return Scalar(annotation, "abc", value, blank=Value(blank))


LEAP = dt.date(2020, 2, 29)
LEAP_NOON = dt.datetime(2020, 2, 29, 12)
KEY = "12345678-1234-5678-1234-567812345678"
LOCAL = ipaddress.IPv4Address("127.0.0.1")
HOUR = dt.timedelta(hours=1)
INT = "int_parsing"
DATE = "date_from_datetime_parsing"
DATETIME = "datetime_from_date_parsing"
LITERAL = "literal_error"
PATTERN = "string_pattern_mismatch"
POSITIVE = t.Annotated[int, Field(ge=1)]
A_FIRST = t.Annotated[str, Field(pattern="^a")]

SCALARS = {
    "str": any_text(str, "abc", ""),
    "int": integer(int),
    "float": Scalar(float, "1.5", 1.5, "x", "float_parsing"),
    "bool": Scalar(bool, "yes", True, "maybe", "bool_parsing"),
    "bytes": any_text(bytes, b"abc", b""),
    "complex": Scalar(complex, "1+2j", 1 + 2j, "x", "complex_type"),
    "Decimal": Scalar(Decimal, "1.10", Decimal("1.10"), "x", "decimal_parsing"),
    "UUID": Scalar(UUID, KEY, UUID(KEY), "x", "uuid_parsing"),
    "date": Scalar(dt.date, "2020-02-29", LEAP, "2020-02-30", DATE),
    "datetime": Scalar(
        dt.datetime, "2020-02-29T12:00", LEAP_NOON, "2020-02-30T12:00", DATETIME
    ),
    "time": Scalar(dt.time, "12:30", dt.time(12, 30), "25:00", "time_parsing"),
    "timedelta": Scalar(dt.timedelta, "PT1H", HOUR, "soon", "time_delta_parsing"),
    "Enum": Scalar(Color, "red", Color.RED, "pink", "enum"),
    "Enum of floats": Scalar(Ratio, "0.5", Ratio.HALF, "2", "enum", json=0.5),
    "IntEnum": Scalar(Size, "2", Size.L, "3", "enum", json=2),
    "str Enum": Scalar(Mode, "on", Mode.ON, "dim", "enum"),
    "Literal of texts": Scalar(t.Literal["a", "b"], "a", "a", "c", LITERAL),
    "Literal of integers": Scalar(t.Literal[1, 2], "1", 1, "3", LITERAL, json=1),
    "Literal of booleans": Scalar(
        t.Literal[True], "true", True, "false", LITERAL, json=True
    ),
    "Literal of Enum members": Scalar(
        t.Literal[Color.RED], "red", Color.RED, "blue", LITERAL
    ),
    "Literal with a blank": Scalar(
        t.Literal["", "a"], "a", "a", "c", LITERAL, Value("")
    ),
    "Optional": integer(t.Optional[int]),
    "X | None": integer(int | None),
    "Optional str": any_text(str | None, "abc", ""),
    "union with str": Scalar(int | str, "7", "7", blank=Value("")),
    "union of dates": Scalar(dt.date | None, "2020-02-29", LEAP, "2020-02-30", DATE),
    "constrained int": Scalar(POSITIVE, "1", 1, "0", "greater_than_equal", INT),
    "constrained str": Scalar(A_FIRST, "abc", "abc", "xyz", PATTERN),
    "validator after": Scalar(Even, "2", 2, "3", "value_error", INT),
    "validator before": any_text(Stripped, "abc", ""),
    "NewType": integer(UserId),
    "type alias": Scalar(Count, "0", 0, "-1", "greater_than_equal", INT),
    "RootModel": integer(Root, Root(7)),
    "IPv4Address": Scalar(type(LOCAL), str(LOCAL), LOCAL, "x", "ip_v4_address"),
    "pathlib.Path": any_text(pathlib.Path, pathlib.Path("abc"), pathlib.Path()),
    "SecretStr": any_text(SecretStr, SecretStr("abc"), SecretStr("")),
    "Json": Scalar(pydantic.Json[list[int]], "[1]", [1], "[", "json_invalid"),
    "Any": any_text(t.Any, "abc", ""),
}


class Place(t.NamedTuple):
    """A location that carries texts, and how to send some under one name."""

    marker: t.Callable[..., t.Any]
    method: str
    request: t.Callable[[str, list[str]], dict[str, t.Any]]

    def name(self, name: str) -> str:
        """The name in the request of an argument of this name."""
        return name.title() if self.marker is Header else name


def in_query(name: str, texts: list[str]) -> dict[str, t.Any]:
    return {"query_string": {name: texts}}


def in_header(name: str, texts: list[str]) -> dict[str, t.Any]:
    return {"headers": [(name, text) for text in texts]}


def in_cookie(name: str, texts: list[str]) -> dict[str, t.Any]:
    pairs = [f"{name}={_quote(text)}" for text in texts]
    return {"headers": {"Cookie": "; ".join(pairs)}} if texts else {}


def _quote(text: str) -> str:
    return f'"{text}"' if set(text) & set("[], ") else text


def in_form(name: str, texts: list[str]) -> dict[str, t.Any]:
    return {
        "data": {name: texts} if texts else b"",
        "content_type": "application/x-www-form-urlencoded",
    }


PLACES = {
    "query": Place(Query, "GET", in_query),
    "header": Place(Header, "GET", in_header),
    "cookie": Place(Cookie, "GET", in_cookie),
    "form": Place(Form, "POST", in_form),
}
#: The locations of the argument names of one type, where names may repeat.
REPEATING = ("query", "cookie", "form")


class Ask:
    """A view with one argument ``x``, and what it was given.

    :param style: ``"default"`` is ``x: int = Query(1)``, ``"annotated"`` is
        ``x: Annotated[int, Query()] = 1``.
    """

    def __init__(
        self,
        place: str,
        annotation: t.Any,
        *,
        style: str = "annotated",
        default: t.Any = ...,
        **options: t.Any,
    ) -> None:
        self.location = place
        self.place = PLACES[place]
        self.given: list[t.Any] = []

        if style == "annotated":
            annotation = t.Annotated[annotation, self.place.marker(**options)]
        else:
            default = self.place.marker(default, **options)
        view = taking(annotation, default, given=self.given)
        self.client = client_of(view, "/", self.place.method)

    def send(self, *texts: str, name: str | None = None) -> t.Any:
        """The value that the view is given, or the refusals of the request."""
        name = name or self.place.name("x")
        return self.open(**self.place.request(name, list(texts)))

    def open(self, **request: t.Any) -> t.Any:
        response = self.client.open("/", method=self.place.method, **request)
        if response.status_code == 422:
            return refusals(response)
        assert response.status_code in (200, 201), response.text
        return self.given[-1]

    def refused(self, kind: str, *inside: t.Any, name: str | None = None) -> t.Any:
        return [([self.location, name or self.place.name("x"), *inside], kind)]


def kind_of(annotation: t.Any, value: t.Any) -> str:
    """The kind of error for a value, which differs between versions of Pydantic."""
    with pytest.raises(pydantic.ValidationError) as error:
        pydantic.TypeAdapter(annotation).validate_python(value)
    return error.value.errors()[0]["type"]


def same(one: t.Any, other: t.Any) -> bool:
    return type(one) is type(other) and one == other


def grid(*tables: t.Iterable[str]) -> list[t.Any]:
    return [
        pytest.param(*names, id="-".join(names).replace(" ", "_"))
        for names in itertools.product(*tables)
    ]


STYLES = ("annotated", "default")
#: The types that refuse some text.
REFUSING = [name for name, row in SCALARS.items() if row.wrong is not None]


class TestScalar:
    @pytest.mark.parametrize(("name", "place", "style"), grid(SCALARS, PLACES, STYLES))
    def test_scalar_is_converted(self, name, place, style):
        row = SCALARS[name]
        assert same(Ask(place, row.annotation, style=style).send(row.sent), row.value)

    @pytest.mark.parametrize(("name", "place", "style"), grid(SCALARS, PLACES, STYLES))
    def test_scalar_that_is_absent_is_missing(self, name, place, style):
        ask = Ask(place, SCALARS[name].annotation, style=style)
        assert ask.send() == ask.refused("missing")

    @pytest.mark.parametrize(("name", "place", "style"), grid(SCALARS, PLACES, STYLES))
    def test_scalar_that_is_absent_has_its_default(self, name, place, style):
        row = SCALARS[name]
        ask = Ask(place, row.annotation, style=style, default=row.value)
        assert same(ask.send(), row.value)

    @pytest.mark.parametrize(("name", "place"), grid(REFUSING, PLACES))
    def test_scalar_of_a_wrong_type_is_refused(self, name, place):
        row = SCALARS[name]
        ask = Ask(place, row.annotation)
        assert ask.send(row.wrong) == ask.refused(row.error)

    @pytest.mark.parametrize(("name", "place"), grid(SCALARS, PLACES))
    def test_scalar_that_is_blank_is_refused_unless_its_type_allows_it(
        self, name, place
    ):
        row = SCALARS[name]
        ask = Ask(place, row.annotation)
        if isinstance(row.blank, Value):
            assert same(ask.send(""), row.blank.value)
        elif place == "form" and row.error not in (PATTERN, "json_invalid"):
            assert ask.send("") == ask.refused("missing")
        else:
            assert ask.send("") == ask.refused(row.blank_error)

    @pytest.mark.parametrize(("name", "place"), grid(SCALARS, REPEATING))
    def test_scalar_that_repeats_counts_once(self, name, place):
        row = SCALARS[name]
        assert same(Ask(place, row.annotation).send(row.sent, "other"), row.value)

    @pytest.mark.parametrize(("name", "place"), grid(SCALARS, PLACES))
    def test_scalar_has_an_alias(self, name, place):
        row = SCALARS[name]
        ask = Ask(place, row.annotation, alias="X-Key")
        assert same(ask.send(row.sent, name="X-Key"), row.value)
        assert ask.send(row.sent) == ask.refused("missing", name="X-Key")

    @pytest.mark.parametrize(("name", "place"), grid(SCALARS, PLACES))
    def test_scalar_has_several_aliases(self, name, place):
        row = SCALARS[name]
        ask = Ask(place, row.annotation, validation_alias=AliasChoices("key", "k"))
        assert same(ask.send(row.sent, name="key"), row.value)
        assert same(ask.send(row.sent, name="k"), row.value)
        assert ask.send() == ask.refused("missing", name="key")


class TestScalarInThePath:
    def ask(self, annotation: t.Any, text: str) -> t.Any:
        given: list[t.Any] = []
        client = client_of(taking(annotation, given=given), "/in/<path:x>")
        response = client.get(f"/in/{text}")
        return refusals(response) if response.status_code == 422 else given[-1]

    @pytest.mark.parametrize("name", SCALARS)
    def test_scalar_in_the_path_is_converted(self, name):
        row = SCALARS[name]
        assert same(self.ask(row.annotation, row.sent), row.value)
        assert same(self.ask(t.Annotated[row.annotation, Path()], row.sent), row.value)

    @pytest.mark.parametrize("name", REFUSING)
    def test_scalar_in_the_path_of_a_wrong_type_is_refused(self, name):
        row = SCALARS[name]
        assert self.ask(row.annotation, row.wrong) == [(["path", "x"], row.error)]


#: Pydantic takes the members of such a literal, and nothing of JSON is one.
IN_JSON = [name for name in SCALARS if name != "Literal of Enum members"]
#: In JSON, Pydantic knows a text that is no complex number by a name of its own.
WRONG_IN_JSON = {"complex": "complex_str_parsing"}


class TestScalarInTheBody:
    def ask(self, annotation: t.Any, body: t.Any, default: t.Any = ...) -> t.Any:
        given: list[t.Any] = []
        client = client_of(taking(annotation, default, given=given), "/", "POST")
        response = client.post("/", json=body)
        return refusals(response) if response.status_code == 422 else given[-1]

    @pytest.mark.parametrize("name", IN_JSON)
    def test_scalar_in_the_body_is_a_key_or_the_whole(self, name):
        row = SCALARS[name]
        whole = t.Annotated[row.annotation, Body(embed=False)]
        assert same(self.ask(row.annotation, {"x": row.as_json}), row.value)
        assert same(self.ask(whole, row.as_json), row.value)

    @pytest.mark.parametrize("name", SCALARS)
    def test_scalar_in_the_body_that_is_absent_is_missing(self, name):
        row = SCALARS[name]
        assert self.ask(row.annotation, {}) == [(["body", "x"], "missing")]

    @pytest.mark.parametrize("name", IN_JSON)
    def test_scalar_in_the_body_that_is_absent_has_its_default(self, name):
        row = SCALARS[name]
        assert same(self.ask(row.annotation, {}, row.value), row.value)

    @pytest.mark.parametrize("name", [name for name in REFUSING if name in IN_JSON])
    def test_scalar_in_the_body_of_a_wrong_type_is_refused(self, name):
        row = SCALARS[name]
        error = WRONG_IN_JSON.get(name, row.error)
        assert self.ask(row.annotation, {"x": row.wrong}) == [(["body", "x"], error)]


class Many(t.NamedTuple):
    """A type of several values, and what ``1`` and ``2`` become."""

    annotation: t.Any
    one: t.Any
    two: t.Any


LISTS = {
    "list": Many(list[int], [1], [1, 2]),
    "typing.List": Many(t.List[int], [1], [1, 2]),
    "list without items": Many(list, ["1"], ["1", "2"]),
    "tuple": Many(tuple[int, ...], (1,), (1, 2)),
    "set": Many(set[int], {1}, {1, 2}),
    "frozenset": Many(frozenset[int], frozenset({1}), frozenset({1, 2})),
    "deque": Many(deque[int], deque([1]), deque([1, 2])),
    "Sequence": Many(abc.Sequence[int], [1], [1, 2]),
    "typing.Sequence": Many(t.Sequence[int], [1], [1, 2]),
    "Optional list": Many(t.Optional[list[int]], [1], [1, 2]),
    "list | None": Many(list[int] | None, [1], [1, 2]),
    "constrained list": Many(t.Annotated[list[int], Field(max_length=9)], [1], [1, 2]),
    "list of constrained": Many(list[t.Annotated[int, Field(ge=0)]], [1], [1, 2]),
    "list of Optional": Many(list[int | None], [1], [1, 2]),
    "list of Literal": Many(list[t.Literal[1, 2]], [1], [1, 2]),
    "list of IntEnum": Many(list[Size], [Size.S], [Size.S, Size.L]),
    "list of Decimal": Many(list[Decimal], [Decimal(1)], [Decimal(1), Decimal(2)]),
    "list of NewType": Many(list[UserId], [1], [1, 2]),
    "list of type alias": Many(list[Count], [1], [1, 2]),
    "type alias of a list": Many(Pair, [1], [1, 2]),
    "RootModel of a list": Many(Numbers, Numbers([1]), Numbers([1, 2])),
}
LIST_PLACES = ("query", "header", "form")


@pytest.mark.parametrize(("name", "place"), grid(LISTS, LIST_PLACES))
class TestList:
    @pytest.mark.parametrize("style", STYLES)
    def test_list_takes_one_value_or_two(self, name, place, style):
        row = LISTS[name]
        ask = Ask(place, row.annotation, style=style)
        assert same(ask.send("1"), row.one)
        assert same(ask.send("1", "2"), row.two)

    @pytest.mark.parametrize("style", STYLES)
    def test_list_that_is_absent_has_its_default(self, name, place, style):
        row = LISTS[name]
        ask = Ask(place, row.annotation, style=style, default=row.one)
        assert same(ask.send(), row.one)

    def test_list_that_is_absent_is_missing_or_none_or_made(self, name, place):
        row = LISTS[name]
        required = Ask(place, row.annotation)
        made = Ask(place, row.annotation, default_factory=lambda: row.two)
        assert required.send() == required.refused("missing")
        assert Ask(place, row.annotation, default=None).send() is None
        assert same(made.send(), row.two)

    def test_list_of_a_wrong_type_is_refused(self, name, place):
        ask = Ask(place, LISTS[name].annotation)
        refused = ask.send("1", "x")
        if name == "list without items":
            assert refused == ["1", "x"]
        else:
            ((place, _),) = refused
            assert place[: len(place)] == ask.refused("", 1)[0][0]

    def test_list_has_an_alias(self, name, place):
        row = LISTS[name]
        ask = Ask(place, row.annotation, alias="X-Key")
        assert same(ask.send("1", "2", name="X-Key"), row.two)


def test_a_fixed_tuple_takes_as_many_values_as_it_has_items():
    ask = Ask("query", tuple[int, str])
    assert ask.send("1", "a") == (1, "a")
    assert ask.send("1") == ask.refused("missing", 1)


def test_a_blank_item_of_a_list_in_a_form_is_absent_unless_it_may_be_text():
    assert Ask("form", list[int]).send("1", "", "2") == [1, 2]
    assert Ask("form", list[str]).send("1", "", "2") == ["1", "", "2"]


def test_a_header_that_is_a_list_is_split_where_it_is_not_quoted():
    ask = Ask("header", list[str])
    assert ask.send('a,, "b, c" ,d', "e") == ["a", "b, c", "d", "e"]
    assert ask.send(" , ") == []


class Model(BaseModel):
    size: int
    word: str = "w"


@dataclasses.dataclass
class Data:
    size: int
    word: str = "w"


@pydantic_dataclass
class PydanticData:
    size: int
    word: str = "w"


class Dict(TypedDict):
    size: int
    word: NotRequired[str]


class Named(t.NamedTuple):
    size: int
    word: str = "w"


SMALL, WHOLE = Model(size=1), Model(size=1, word="a")

MODELS: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "BaseModel": (Model, SMALL, WHOLE),
    "dataclass": (Data, Data(1), Data(1, "a")),
    "Pydantic dataclass": (PydanticData, PydanticData(1), PydanticData(1, "a")),
    "TypedDict": (Dict, {"size": 1}, {"size": 1, "word": "a"}),
    "NamedTuple": (Named, Named(1), Named(1, "a")),
    "Optional model": (Model | None, SMALL, WHOLE),
    "type alias of a model": (TypeAliasType("Aliased", Model), SMALL, WHOLE),
    "constrained model": (t.Annotated[Model, Field(description="a")], SMALL, WHOLE),
}


def send_fields(
    place: str, annotation: t.Any, fields: dict[str, str], default: t.Any = ...
) -> t.Any:
    """What a view is given for a model whose fields are sent one by one."""
    cookies = "; ".join(f"{name}={text}" for name, text in fields.items())
    request: dict[str, dict[str, t.Any]] = {
        "query": {"query_string": fields},
        "header": {"headers": fields},
        "cookie": {"headers": {"Cookie": cookies}},
        "form": {**in_form("", []), "data": fields},
    }
    return Ask(place, annotation, default=default).open(**request[place])


@pytest.mark.parametrize(("name", "place"), grid(MODELS, PLACES))
class TestModel:
    def test_model_takes_its_fields(self, name, place):
        annotation, least, whole = MODELS[name]
        sent = {"size": "1", "word": "a"}
        assert same(send_fields(place, annotation, {"size": "1"}), least)
        assert same(send_fields(place, annotation, sent), whole)

    def test_model_refuses_a_wrong_field_and_lacks_a_required_one(self, name, place):
        annotation, _, _ = MODELS[name]
        where = [place, PLACES[place].name("size")]
        lacking, wrong = {"word": "a"}, {"size": "x", "word": "a"}
        kind = kind_of(annotation, {})
        assert send_fields(place, annotation, lacking) == [(where, kind)]
        assert send_fields(place, annotation, wrong) == [(where, "int_parsing")]


@pytest.mark.parametrize("place", PLACES)
def test_an_optional_model_is_none_where_none_of_its_fields_is_sent(place):
    optional = Model | None
    assert send_fields(place, optional, {"other": "1"}, None) is None
    assert send_fields(place, optional, {"size": "1"}, None) == SMALL
    missing = [([place, PLACES[place].name("size")], "missing")]
    assert send_fields(place, optional, {"word": "a"}, None) == missing


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_the_body(name):
    annotation, least, whole = MODELS[name]
    given: list[t.Any] = []
    client = client_of(taking(annotation, given=given), "/", "POST")
    client.post("/", json={"size": 1})
    client.post("/", json={"size": 1, "word": "a"})
    refused = client.post("/", json={"word": "a"})

    assert given == [least, whole]
    assert refusals(refused) == [(["body", "size"], kind_of(annotation, {}))]


PAGE_SIZE = AliasChoices("pageSize", "ps")
ByAlias = pydantic.create_model("ByAlias", page_size=(int, Field(alias="pageSize")))
ByValidationAlias = pydantic.create_model(
    "ByValidationAlias", page_size=(int, Field(validation_alias="pageSize"))
)
ByChoices = pydantic.create_model(
    "ByChoices", page_size=(int, Field(validation_alias=PAGE_SIZE))
)


class ByGenerator(BaseModel, alias_generator=to_camel):
    page_size: int


class ByAliasGenerator(
    BaseModel, alias_generator=pydantic.AliasGenerator(validation_alias=to_camel)
):
    page_size: int


class ByName(ByGenerator, populate_by_name=True): ...


class ByNameAndAlias(ByGenerator, validate_by_name=True): ...


class ByNameForbid(ByName, extra="forbid"): ...


ALIASED = (ByAlias, ByValidationAlias, ByChoices, ByGenerator, ByAliasGenerator, ByName)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model", ALIASED)
def test_a_field_is_found_under_its_alias(place, model):
    assert send_fields(place, model, {"pageSize": "7"}).page_size == 7
    assert send_fields(place, model, {}) == [([place, "pageSize"], "missing")]
    assert send_fields(place, model, {"pageSize": "x"}) == [
        ([place, "pageSize"], "int_parsing")
    ]


@pytest.mark.parametrize("place", PLACES)
def test_a_field_is_found_under_any_of_its_choices(place):
    assert send_fields(place, ByChoices, {"ps": "7"}).page_size == 7


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model", [ByName, ByNameAndAlias])
def test_a_field_is_found_under_its_name_beside_its_alias(place, model):
    name = "Page-Size" if place == "header" else "page_size"
    assert send_fields(place, model, {name: "7"}).page_size == 7
    assert send_fields(place, model, {"pageSize": "7"}).page_size == 7


@pytest.mark.parametrize("place", ["query", "cookie", "form"])
def test_neither_alias_nor_name_is_an_extra_field(place):
    assert send_fields(place, ByNameForbid, {"pageSize": "7"}).page_size == 7
    assert send_fields(place, ByNameForbid, {"page_size": "7"}).page_size == 7
    assert send_fields(place, ByNameForbid, {"page_size": "7", "other": "1"}) == [
        ([place, "other"], "extra_forbidden")
    ]


class Lists(BaseModel):
    numbers: list[int] = []
    words: set[str] = set()
    size: Size = Size.S
    when: dt.date | None = None


class AliasedLists(BaseModel):
    numbers: list[int] = Field(alias="n")


@pytest.mark.parametrize(("model", "name"), [(Lists, "numbers"), (AliasedLists, "n")])
@pytest.mark.parametrize("place", LIST_PLACES)
def test_a_field_that_is_a_list_takes_every_value(place, model, name):
    ask = Ask(place, model)
    assert ask.send("1", "2", name=name) == model(**{name: [1, 2]})


@pytest.mark.parametrize("place", LIST_PLACES)
def test_a_field_of_integers_by_name_is_read_from_text(place):
    assert send_fields(place, Lists, {"size": "2"}) == Lists(size=Size.L)


def holding(tp: t.Any) -> t.Any:
    """A model with one field."""
    return pydantic.create_model("Holding", inner=(tp, ...))


DICT = dict[str, int]
#: Types, and what an error message calls what they hold.
OF_LISTS: list[tuple[t.Any, str]] = [
    (list[Model], "a model"),
    (list[list[int]], "a list"),
    (list[DICT], "a dict"),
    (list[UploadFile], "a file"),
]
MODEL, FILE = (Model, "a model"), (UploadFile, "a file")
SEVERAL = (UploadFile | Model | list[int] | DICT, "a dict")

ARGUMENTS: dict[str, list[tuple[t.Any, str]]] = {
    "path": [(list[int], "a list"), MODEL, (DICT, "a dict"), FILE, SEVERAL],
    "query": [(DICT, "a dict"), FILE, *OF_LISTS],
    "header": [(DICT, "a dict"), FILE, *OF_LISTS],
    "cookie": [
        (list[int], "a list"),
        (set[str] | None, "a list"),
        (DICT, "a dict"),
        FILE,
    ],
    "file": [(DICT, "a dict"), MODEL, *OF_LISTS[:3]],
}
FIELDS: dict[str, list[tuple[t.Any, str]]] = {
    "query": [MODEL, (DICT, "a dict"), FILE, *OF_LISTS],
    "header": [MODEL, (DICT, "a dict"), FILE, *OF_LISTS],
    "cookie": [(list[int], "a list"), MODEL, (DICT, "a dict"), FILE],
}
REFUSED = [
    *((place, "'x'", *row) for place, rows in ARGUMENTS.items() for row in rows),
    *(
        (place, "the field 'inner' of 'x'", holding(tp), shape)
        for place, rows in FIELDS.items()
        for tp, shape in rows
    ),
]
INSTEAD = {
    "path": "Give it a scalar type, or read it from the query.",
    "query": "Send it in a JSON body or a form.",
    "header": "Send it in a JSON body or a form.",
    "cookie": "Send it in the query, a JSON body or a form.",
    "file": "Declare it with Form(), which may hold files and text.",
}


@pytest.mark.parametrize(
    ("place", "what", "annotation", "shape"),
    [pytest.param(*row, id=f"{row[0]}-{index}") for index, row in enumerate(REFUSED)],
)
def test_a_location_refuses_what_it_cannot_carry(place, what, annotation, shape):
    marker = {name: row.marker for name, row in PLACES.items()}
    marker |= {"path": Path, "file": File}
    view = taking(t.Annotated[annotation, marker[place]()])
    rule, path = ("/<x>", "/{x}") if place == "path" else ("/", "/")
    method = "POST" if place == "file" else "GET"

    assert message_of(lambda: client_of(view, rule, method)) == (
        f"{method} {path}: {what} of view() is read from the {place}, which can't carry"
        f" {shape} there. {INSTEAD[place]} {place_of(view)}"
    )
