"""Every type in every location: read this file as the list of what an argument may be.

A row of a table is a type and what becomes of the texts that a client may send for it.
Each row is asked in every location that can carry it, in default style and in
``Annotated`` style, with its own name and with an alias.
"""

from __future__ import annotations

import dataclasses
import datetime
import ipaddress
import itertools
import pathlib
import typing as t
from collections import abc, deque
from decimal import Decimal
from enum import Enum, IntEnum
from uuid import UUID

import pytest
from client import client_of, refusals
from models import Color
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasGenerator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Json,
    RootModel,
    SecretStr,
    TypeAdapter,
    ValidationError,
)
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import NotRequired, TypeAliasType, TypedDict

from flask_signature import (
    Body,
    Cookie,
    File,
    Form,
    Header,
    Path,
    Query,
    SignatureError,
    UploadFile,
)


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
Even = t.Annotated[int, AfterValidator(lambda n: n if n % 2 == 0 else _refuse("odd"))]
Stripped = t.Annotated[str, BeforeValidator(str.strip)]
Root = RootModel[int]


def _refuse(why: str) -> t.NoReturn:
    raise ValueError(why)


class Scalar(t.NamedTuple):
    """A type of one value.

    :param sent: a text that a client may send, and
    :param value: what the view is then given;
    :param wrong: a text that is refused, and
    :param error: the kind of error; ``None`` where any text will do.
    :param blank: what becomes of a blank text: a kind of error, or a value.
    :param json: the JSON value, where it is not the same text.
    """

    annotation: t.Any
    sent: str
    value: t.Any
    wrong: str | None
    error: str | None
    blank: t.Any
    json: t.Any = None


class Value(t.NamedTuple):
    """A blank text is a value of the type."""

    value: t.Any


LEAP = datetime.date(2020, 2, 29)
KEY = "12345678-1234-5678-1234-567812345678"

SCALARS = {
    "str": Scalar(str, "abc", "abc", None, None, Value("")),
    "int": Scalar(int, "7", 7, "x", "int_parsing", "int_parsing"),
    "float": Scalar(float, "1.5", 1.5, "x", "float_parsing", "float_parsing"),
    "bool": Scalar(bool, "yes", True, "maybe", "bool_parsing", "bool_parsing"),
    "bytes": Scalar(bytes, "abc", b"abc", None, None, Value(b"")),
    "complex": Scalar(complex, "1+2j", 1 + 2j, "x", *["complex_type"] * 2),
    "Decimal": Scalar(Decimal, "1.10", Decimal("1.10"), "x", *["decimal_parsing"] * 2),
    "UUID": Scalar(UUID, KEY, UUID(KEY), "x", "uuid_parsing", "uuid_parsing"),
    "date": Scalar(
        datetime.date,
        "2020-02-29",
        LEAP,
        "2020-02-30",
        *["date_from_datetime_parsing"] * 2,
    ),
    "datetime": Scalar(
        datetime.datetime,
        "2020-02-29T12:30:00",
        datetime.datetime(2020, 2, 29, 12, 30),
        "2020-02-30T12:30:00",
        "datetime_from_date_parsing",
        "datetime_from_date_parsing",
    ),
    "time": Scalar(
        datetime.time, "12:30", datetime.time(12, 30), "25:00", *["time_parsing"] * 2
    ),
    "timedelta": Scalar(
        datetime.timedelta,
        "PT1H",
        datetime.timedelta(hours=1),
        "soon",
        "time_delta_parsing",
        "time_delta_parsing",
    ),
    "Enum": Scalar(Color, "red", Color.RED, "pink", "enum", "enum"),
    "Enum of floats": Scalar(Ratio, "0.5", Ratio.HALF, "2", "enum", "enum", 0.5),
    "IntEnum": Scalar(Size, "2", Size.L, "3", "enum", "enum", 2),
    "str Enum": Scalar(Mode, "on", Mode.ON, "dim", "enum", "enum"),
    "Literal of texts": Scalar(
        t.Literal["a", "b"], "a", "a", "c", "literal_error", "literal_error"
    ),
    "Literal of integers": Scalar(
        t.Literal[1, 2], "1", 1, "3", "literal_error", "literal_error", 1
    ),
    "Literal of booleans": Scalar(
        t.Literal[True], "true", True, "false", "literal_error", "literal_error", True
    ),
    "Literal of Enum members": Scalar(
        t.Literal[Color.RED], "red", Color.RED, "blue", *["literal_error"] * 2
    ),
    "Literal with a blank": Scalar(
        t.Literal["", "a"], "a", "a", "c", "literal_error", Value("")
    ),
    "Optional": Scalar(t.Optional[int], "7", 7, "x", "int_parsing", "int_parsing"),
    "X | None": Scalar(int | None, "7", 7, "x", "int_parsing", "int_parsing"),
    "Optional str": Scalar(str | None, "abc", "abc", None, None, Value("")),
    "union with str": Scalar(int | str, "7", "7", None, None, Value("")),
    "union of dates": Scalar(
        datetime.date | None,
        "2020-02-29",
        LEAP,
        "2020-02-30",
        *["date_from_datetime_parsing"] * 2,
    ),
    "constrained int": Scalar(
        t.Annotated[int, Field(ge=1)], "1", 1, "0", "greater_than_equal", "int_parsing"
    ),
    "constrained str": Scalar(
        t.Annotated[str, Field(pattern="^a")],
        "abc",
        "abc",
        "xyz",
        "string_pattern_mismatch",
        "string_pattern_mismatch",
    ),
    "validator after": Scalar(Even, "2", 2, "3", "value_error", "int_parsing"),
    "validator before": Scalar(Stripped, "abc", "abc", None, None, Value("")),
    "NewType": Scalar(UserId, "7", 7, "x", "int_parsing", "int_parsing"),
    "type alias": Scalar(Count, "0", 0, "-1", "greater_than_equal", "int_parsing"),
    "RootModel": Scalar(Root, "7", Root(7), "x", "int_parsing", "int_parsing"),
    "IPv4Address": Scalar(
        ipaddress.IPv4Address,
        "127.0.0.1",
        ipaddress.IPv4Address("127.0.0.1"),
        "x",
        *["ip_v4_address"] * 2,
    ),
    "pathlib.Path": Scalar(
        pathlib.Path, "a.txt", pathlib.Path("a.txt"), None, None, Value(pathlib.Path())
    ),
    "SecretStr": Scalar(
        SecretStr, "abc", SecretStr("abc"), None, None, Value(SecretStr(""))
    ),
    "Json": Scalar(Json[list[int]], "[1]", [1], "[", "json_invalid", "json_invalid"),
    "Any": Scalar(t.Any, "abc", "abc", None, None, Value("")),
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

        def view(x):
            self.given.append(x)
            return {}

        if style == "annotated":
            annotation = t.Annotated[annotation, self.place.marker(**options)]
            view.__defaults__ = () if default is ... else (default,)
        else:
            view.__defaults__ = (self.place.marker(default, **options),)
        view.__annotations__ = {"x": annotation}
        self.client = client_of(view, "/", self.place.method)

    def send(self, *texts: str, name: str | None = None) -> t.Any:
        """The value that the view is given, or the refusals of the request."""
        name = name or self.place.name("x")
        request = self.place.request(name, list(texts))
        response = self.client.open("/", method=self.place.method, **request)
        if response.status_code == 422:
            return refusals(response)
        assert response.status_code in (200, 201), response.text
        return self.given[-1]

    def refused(self, kind: str, *inside: t.Any, name: str | None = None) -> t.Any:
        return [([self.location, name or self.place.name("x"), *inside], kind)]


def kind_of(annotation: t.Any, value: t.Any) -> str:
    """The kind of error for a value, which differs between versions of Pydantic."""
    with pytest.raises(ValidationError) as error:
        TypeAdapter(annotation).validate_python(value)
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
        elif (
            place == "form"
            and row.blank != "string_pattern_mismatch"
            and name != "Json"
        ):
            assert ask.send("") == ask.refused("missing")
        else:
            assert ask.send("") == ask.refused(row.blank)

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

    @pytest.mark.parametrize("place", PLACES)
    def test_scalar_has_a_validation_alias(self, place):
        ask = Ask(place, int, validation_alias="X-Key")
        assert ask.send("7", name="X-Key") == 7
        assert ask.send("7") == ask.refused("missing", name="X-Key")

    @pytest.mark.parametrize(("name", "place"), grid(SCALARS, PLACES))
    def test_scalar_has_several_aliases(self, name, place):
        row = SCALARS[name]
        ask = Ask(place, row.annotation, validation_alias=AliasChoices("key", "k"))
        assert same(ask.send(row.sent, name="key"), row.value)
        assert same(ask.send(row.sent, name="k"), row.value)
        assert ask.send() == ask.refused("missing", name="key")


class TestScalarInThePath:
    def ask(self, annotation: t.Any, text: str) -> t.Any:
        given = []

        def view(x):
            given.append(x)
            return {}

        view.__annotations__ = {"x": annotation}
        response = client_of(view, "/in/<path:x>").get(f"/in/{text}")
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
        given = []

        def view(x):
            given.append(x)
            return {}

        view.__annotations__ = {"x": annotation}
        view.__defaults__ = () if default is ... else (default,)
        response = client_of(view, "/", "POST").post("/", json=body)
        return refusals(response) if response.status_code == 422 else given[-1]

    @pytest.mark.parametrize("name", IN_JSON)
    def test_scalar_in_the_body_is_converted(self, name):
        row = SCALARS[name]
        sent = row.sent if row.json is None else row.json
        assert same(self.ask(row.annotation, {"x": sent}), row.value)

    @pytest.mark.parametrize("name", IN_JSON)
    def test_scalar_in_the_body_that_is_the_body(self, name):
        row = SCALARS[name]
        sent = row.sent if row.json is None else row.json
        annotation = t.Annotated[row.annotation, Body(embed=False)]
        assert same(self.ask(annotation, sent), row.value)

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
    "RootModel of a list": Many(
        RootModel[list[int]], RootModel[list[int]]([1]), RootModel[list[int]]([1, 2])
    ),
}
LIST_PLACES = ("query", "header", "form")


@pytest.mark.parametrize(("name", "place"), grid(LISTS, LIST_PLACES))
class TestList:
    @pytest.mark.parametrize("style", STYLES)
    def test_list_takes_one_value(self, name, place, style):
        row = LISTS[name]
        assert same(Ask(place, row.annotation, style=style).send("1"), row.one)

    @pytest.mark.parametrize("style", STYLES)
    def test_list_takes_two_values(self, name, place, style):
        row = LISTS[name]
        assert same(Ask(place, row.annotation, style=style).send("1", "2"), row.two)

    def test_list_that_is_absent_is_missing(self, name, place):
        ask = Ask(place, LISTS[name].annotation)
        assert ask.send() == ask.refused("missing")

    @pytest.mark.parametrize("style", STYLES)
    def test_list_that_is_absent_has_its_default(self, name, place, style):
        row = LISTS[name]
        ask = Ask(place, row.annotation, style=style, default=row.one)
        assert same(ask.send(), row.one)

    def test_list_that_is_absent_may_be_none(self, name, place):
        assert Ask(place, LISTS[name].annotation, default=None).send() is None

    def test_list_that_is_absent_has_a_default_of_its_factory(self, name, place):
        row = LISTS[name]
        ask = Ask(place, row.annotation, default_factory=lambda: row.two)
        assert same(ask.send(), row.two)

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


MODELS: dict[str, tuple[t.Any, t.Any, t.Any]] = {
    "BaseModel": (Model, Model(size=1), Model(size=1, word="a")),
    "dataclass": (Data, Data(1), Data(1, "a")),
    "Pydantic dataclass": (PydanticData, PydanticData(1), PydanticData(1, "a")),
    "TypedDict": (Dict, {"size": 1}, {"size": 1, "word": "a"}),
    "NamedTuple": (Named, Named(1), Named(1, "a")),
    "Optional model": (Model | None, Model(size=1), Model(size=1, word="a")),
    "type alias of a model": (
        TypeAliasType("Aliased", Model),
        Model(size=1),
        Model(size=1, word="a"),
    ),
    "constrained model": (
        t.Annotated[Model, Field(description="a model")],
        Model(size=1),
        Model(size=1, word="a"),
    ),
}


def send_fields(place: str, annotation: t.Any, fields: dict[str, str]) -> t.Any:
    """What a view is given for a model whose fields are sent one by one."""
    ask = Ask(place, annotation)
    parts = [PLACES[place].request(name, [text]) for name, text in fields.items()]
    if place == "form":
        request = {"data": fields, "content_type": in_form("", [])["content_type"]}
    elif place == "query":
        request = {"query_string": fields}
    elif place == "cookie":
        pairs = "; ".join(f"{name}={text}" for name, text in fields.items())
        request = {"headers": {"Cookie": pairs}}
    else:
        request = {"headers": [pair for part in parts for pair in part["headers"]]}
    response = ask.client.open("/", method=ask.place.method, **request)
    return refusals(response) if response.status_code == 422 else ask.given[-1]


@pytest.mark.parametrize(("name", "place"), grid(MODELS, PLACES))
class TestModel:
    def test_model_takes_a_required_field(self, name, place):
        annotation, least, _ = MODELS[name]
        assert same(send_fields(place, annotation, {"size": "1"}), least)

    def test_model_takes_every_field(self, name, place):
        annotation, _, whole = MODELS[name]
        sent = {"size": "1", "word": "a"}
        assert same(send_fields(place, annotation, sent), whole)

    def test_model_lacks_a_required_field(self, name, place):
        annotation, _, _ = MODELS[name]
        where = [place, PLACES[place].name("size")]
        kind = kind_of(annotation, {})
        assert send_fields(place, annotation, {"word": "a"}) == [(where, kind)]

    def test_model_has_a_wrong_field(self, name, place):
        annotation, _, _ = MODELS[name]
        where = [place, PLACES[place].name("size")]
        sent = {"size": "x", "word": "a"}
        assert send_fields(place, annotation, sent) == [(where, "int_parsing")]


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_the_body(name):
    annotation, least, whole = MODELS[name]
    given = []

    def view(x):
        given.append(x)
        return {}

    view.__annotations__ = {"x": annotation}
    client = client_of(view, "/", "POST")

    client.post("/", json={"size": 1})
    client.post("/", json={"size": 1, "word": "a"})
    refused = client.post("/", json={"word": "a"})

    assert given == [least, whole]
    kind = kind_of(annotation, {})
    assert refusals(refused) == [(["body", "size"], kind)]


class ByAlias(BaseModel):
    page_size: int = Field(alias="pageSize")


class ByValidationAlias(BaseModel):
    page_size: int = Field(validation_alias="pageSize")


class ByChoices(BaseModel):
    page_size: int = Field(validation_alias=AliasChoices("pageSize", "ps"))


class ByGenerator(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)
    page_size: int


class ByAliasGenerator(BaseModel):
    model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=to_camel))
    page_size: int


class ByName(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    page_size: int


class ByNameAndAlias(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)
    page_size: int


class ByNameForbid(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid"
    )
    page_size: int


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
def test_a_field_is_found_under_its_name_where_the_model_says_so(place):
    name = "Page-Size" if place == "header" else "page_size"
    assert send_fields(place, ByName, {name: "7"}).page_size == 7


@pytest.mark.parametrize("place", PLACES)
def test_a_field_is_found_under_its_name_beside_its_alias(place):
    name = "Page-Size" if place == "header" else "page_size"
    assert send_fields(place, ByNameAndAlias, {name: "7"}).page_size == 7
    assert send_fields(place, ByNameAndAlias, {"pageSize": "7"}).page_size == 7


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
    when: datetime.date | None = None


class AliasedLists(BaseModel):
    numbers: list[int] = Field(alias="n")


@pytest.mark.parametrize(("model", "name"), [(Lists, "numbers"), (AliasedLists, "n")])
@pytest.mark.parametrize("place", LIST_PLACES)
def test_a_field_that_is_a_list_takes_every_value(place, model, name):
    ask = Ask(place, model)
    request = PLACES[place].request(name, ["1", "2"])
    ask.client.open("/", method=ask.place.method, **request)
    assert ask.given == [model(**{name: [1, 2]})]


@pytest.mark.parametrize("place", PLACES)
def test_a_field_of_integers_by_name_is_read_from_text(place):
    annotation = Model if place == "cookie" else Lists
    if annotation is Lists:
        assert send_fields(place, Lists, {"size": "2"}) == Lists(size=Size.L)


class Nested(BaseModel):
    inner: Model


class WithDict(BaseModel):
    inner: dict[str, int]


class WithList(BaseModel):
    inner: list[int]


class WithModels(BaseModel):
    inner: list[Model]


class WithFile(BaseModel):
    inner: UploadFile


class WithLists(BaseModel):
    inner: list[list[int]]


class WithDicts(BaseModel):
    inner: list[dict[str, int]]


class WithFiles(BaseModel):
    inner: list[UploadFile]


def not_there(what: str, shape: str, place: str, instead: str) -> str:
    cannot = f"which can't carry {shape} there"
    return f"{what} of view() is read from the {place}, {cannot}. {instead}"


JSON_OR_FORM = "Send it in a JSON body or a form."
NOT_IN_A_COOKIE = "Send it in the query, a JSON body or a form."
FILES_AND_TEXT = "Declare it with Form(), which may hold files and text."
NOT_IN_THE_PATH = "Give it a scalar type, or read it from the query."
FIELD = "the field 'inner' of 'x'"

REFUSED = [
    ("path", list[int], not_there("'x'", "a list", "path", NOT_IN_THE_PATH)),
    ("path", Model, not_there("'x'", "a model", "path", NOT_IN_THE_PATH)),
    ("path", dict[str, int], not_there("'x'", "a dict", "path", NOT_IN_THE_PATH)),
    ("query", dict[str, int], not_there("'x'", "a dict", "query", JSON_OR_FORM)),
    ("query", Nested, not_there(FIELD, "a model", "query", JSON_OR_FORM)),
    ("header", dict[str, int], not_there("'x'", "a dict", "header", JSON_OR_FORM)),
    ("header", Nested, not_there(FIELD, "a model", "header", JSON_OR_FORM)),
    ("cookie", list[int], not_there("'x'", "a list", "cookie", NOT_IN_A_COOKIE)),
    ("cookie", set[str] | None, not_there("'x'", "a list", "cookie", NOT_IN_A_COOKIE)),
    ("cookie", WithList, not_there(FIELD, "a list", "cookie", NOT_IN_A_COOKIE)),
    ("cookie", Nested, not_there(FIELD, "a model", "cookie", NOT_IN_A_COOKIE)),
    ("path", UploadFile, not_there("'x'", "a file", "path", NOT_IN_THE_PATH)),
    ("cookie", UploadFile, not_there("'x'", "a file", "cookie", NOT_IN_A_COOKIE)),
    ("cookie", dict[str, int], not_there("'x'", "a dict", "cookie", NOT_IN_A_COOKIE)),
    ("cookie", WithDict, not_there(FIELD, "a dict", "cookie", NOT_IN_A_COOKIE)),
    ("cookie", WithFile, not_there(FIELD, "a file", "cookie", NOT_IN_A_COOKIE)),
    ("file", dict[str, int], not_there("'x'", "a dict", "file", FILES_AND_TEXT)),
    ("file", Model, not_there("'x'", "a model", "file", FILES_AND_TEXT)),
    ("file", list[list[int]], not_there("'x'", "a list", "file", FILES_AND_TEXT)),
    ("file", list[Model], not_there("'x'", "a model", "file", FILES_AND_TEXT)),
    ("file", list[dict[str, int]], not_there("'x'", "a dict", "file", FILES_AND_TEXT)),
    *(
        (place, annotation, not_there(what, shape, place, JSON_OR_FORM))
        for place in ("query", "header")
        for annotation, what, shape in [
            (UploadFile, "'x'", "a file"),
            (list[Model], "'x'", "a model"),
            (list[list[int]], "'x'", "a list"),
            (list[dict[str, int]], "'x'", "a dict"),
            (list[UploadFile], "'x'", "a file"),
            (WithDict, FIELD, "a dict"),
            (WithFile, FIELD, "a file"),
            (WithModels, FIELD, "a model"),
            (WithLists, FIELD, "a list"),
            (WithDicts, FIELD, "a dict"),
            (WithFiles, FIELD, "a file"),
        ]
    ),
]


@pytest.mark.parametrize(
    ("place", "annotation", "reason"),
    [pytest.param(*row, id=f"{row[0]}-{index}") for index, row in enumerate(REFUSED)],
)
def test_a_location_refuses_what_it_cannot_carry(place, annotation, reason):
    markers = {
        "path": Path,
        "query": Query,
        "header": Header,
        "cookie": Cookie,
        "file": File,
    }

    def view(x): ...

    view.__annotations__ = {"x": t.Annotated[annotation, markers[place]()]}
    rule = "/<x>" if place == "path" else "/"

    with pytest.raises(SignatureError) as error:
        client_of(view, rule, "POST" if place == "file" else "GET")

    assert reason in str(error.value)
