"""Arguments that are read from the query string."""

import datetime
import typing as t

import pydantic
import pytest
from client import client_of, echo, refusals, taking
from models import Cat, Dog
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, dataclasses
from rows import NAMES, Rows, at, check_row

from flask_signature import Cookie, Query


class Filter(BaseModel):
    limit: int = Field(100, gt=0, le=100)
    tags: list[str] = []


class Paging(BaseModel):
    page: int = 1
    size: int = 20


class Closed(BaseModel, extra="forbid"):
    limit: int = 100


class Open(BaseModel, extra="allow"):
    limit: int = 100


METHODS = ["GET", "DELETE", "OPTIONS", "TRACE"]


@pytest.mark.parametrize("method", METHODS)
def test_query_is_where_methods_without_a_body_read_their_arguments(method):
    client = client_of(taking(int), "/", method, status_code=200)

    assert client.open("/?x=1", method=method).json == {"x": 1}
    assert refusals(client.open("/", method=method)) == [(["query", "x"], "missing")]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_query_may_be_asked_for_beside_a_body(method):
    def view(n: int, item: Filter, q: t.Annotated[int, Query()] = 0):
        return echo(n=n, item=item, q=q)

    client = client_of(view, "/<int:n>", method, status_code=200)
    answer = client.open("/1?q=2", method=method, json={"limit": 3})
    assert answer.json == {"n": 1, "item": {"limit": 3, "tags": []}, "q": 2}


ROWS = Rows()
query = ROWS.of("GET /")


@query(
    "?limit=1&tags=a&page=2&q=x&tags=b",
    {"f": {"limit": 1, "tags": ["a", "b"]}, "p": {"page": 2, "size": 20}, "q": "x"},
)
def several_models_and_scalars_share_it(f: Filter, p: Paging, q: str = ""): ...
@query("?f=1&limit=2", {"f": {"limit": 2, "tags": []}, "other": 1})
def a_model_has_no_name_in_it(f: Filter, other: int = Query(alias="f")): ...
@query(
    "?limit=x&page=y", at("query", q="missing", page="int_parsing", limit="int_parsing")
)
def failures_are_in_the_order_of_the_arguments(q: int, p: Paging, f: Filter): ...
@query(
    "?limit=1&page=2&q=x", {"f": {"limit": 1}, "p": {"page": 2, "size": 20}, "q": "x"}
)
@query(
    "?limit=1&page=2&q=x&r=1&s=2&r=3",
    at("query", r="extra_forbidden", s="extra_forbidden"),
)
def keys_of_others_are_no_extra_fields(f: Closed, p: Paging, q: str = ""): ...
@ROWS.add(
    "GET /<n>",
    "/1?limit=1&n=2&c=3",
    at("query", n="extra_forbidden", c="extra_forbidden"),
)
def keys_of_other_locations_are_extra_fields(
    n: int, f: Closed, c: str = Cookie("")
): ...
@query(
    "?a=1&limit=2&b=3&q=x&b=4", {"f": {"limit": 2, "a": "1", "b": ["3", "4"]}, "q": "x"}
)
def extra_keys_are_kept_where_the_model_allows_them(f: Open, q: str = ""): ...


class AlsoClosed(Closed):
    limit: t.Any = Field(0, exclude=True, alias="other")


@dataclasses.dataclass(config=ConfigDict(extra="forbid"))
class ClosedData:
    size: int = 1


@dataclasses.dataclass(config=ConfigDict(extra="forbid"))
class OtherClosedData:
    page: int = 1


@query(
    "?limit=1&other=2&size=3&page=4",
    {"f": {"limit": 1}, "g": {}, "d": {"size": 3}, "e": {"page": 4}},
)
@query(
    "?limit=x&y=1&z=2&size=x",
    at(
        "query",
        limit="int_parsing",
        y="extra_forbidden",
        z="extra_forbidden",
        size="int_parsing",
    ),
)
def a_key_that_two_models_forbid_is_refused_once(
    f: Closed, g: AlsoClosed, d: ClosedData, e: OtherClosedData
): ...


def test_keys_that_are_refused_once_leave_room_for_other_failures():
    def view(f: Closed, g: AlsoClosed, n: int):
        return {}

    unknown = "&".join(f"x{number}" for number in range(99))
    refused = refusals(client_of(view).get(f"/?{unknown}&n=x"))
    assert len(refused) == 100
    assert refused[-1] == (["query", "n"], "int_parsing")


def test_a_model_with_a_default_is_that_default_where_none_of_its_keys_is_sent():
    def view(p: Paging = Paging(page=9)):
        p.page += 1
        return echo(p=p)

    client = client_of(view)
    assert client.get("/").json == {"p": {"page": 10, "size": 20}}
    assert client.get("/").json == {"p": {"page": 10, "size": 20}}
    assert client.get("/?size=1").json == {"p": {"page": 2, "size": 1}}


class ByName(BaseModel, extra="forbid"):
    name: str


class ByKey(BaseModel, extra="forbid"):
    key: int


class LivingCat(Cat):
    lives: int


class BarkingDog(Dog):
    barks: bool


Pet = t.Annotated[LivingCat | BarkingDog, Query(discriminator="kind")]


@query("?name=a", {"x": {"name": "a"}})
@query("?key=1", {"x": {"key": 1}})
def a_union_of_models_takes_the_keys_of_all(x: ByName | ByKey): ...
@query("?kind=dog&barks=yes", {"pet": {"kind": "dog", "barks": True}})
@query("?kind=cat&barks=yes", [(["query", "cat", "lives"], "missing")])
@query("?kind=emu", [(["query"], "union_tag_invalid")])
def models_may_be_reported_apart_by_a_key(pet: Pet): ...


def test_a_tag_is_not_told_to_who_sent_it():
    assert "emu" not in client_of(taking(Pet)).get("/?kind=emu").text


class Span(BaseModel, strict=True):
    n: int
    day: datetime.date


T = t.TypeVar("T")


@dataclasses.dataclass
class Chosen(t.Generic[T]):
    """A model without a ``BaseModel``, whose field is of a type that is given later."""

    value: T


READ: dict[str, tuple[t.Any, str, t.Any]] = {
    "blank": (str, "x", ""),
    "blank-key": (str, "&=1&x=a", "a"),
    "escaped": (str, "x=%C3%A9+%26%3D", "é &="),
    "escaped-key": (
        t.Annotated[list[str], Query(alias="a b")],
        "a%20b=1&a+b=2",
        ["1", "2"],
    ),
    "case": (t.Annotated[int, Query(alias="Q")], "q=1&Q=2", 2),
    "unknown-key": (int, "y=2&x=1", 1),
    "optional-literal": (t.Literal[1, 2] | None, "x=2", 2),
    "strict-string": (t.Annotated[str, Query(strict=True)], "x=a", "a"),
    "strict-integer": (t.Annotated[int, Query(strict=True)], "x=1", 1),
    "strict-model": (Span, "n=1&day=2020-02-29", {"n": 1, "day": "2020-02-29"}),
    "model-of-defaults": (Paging, "", {"page": 1, "size": 20}),
    "left-out-key": (Filter, "a=1", {"limit": 100, "tags": []}),
    "generic-of-one": (Chosen[int], "value=1&value=2", {"value": 1}),
    "generic-of-many": (Chosen[list[int]], "value=1&value=2", {"value": [1, 2]}),
}


@pytest.mark.parametrize(("annotation", "query", "value"), READ.values(), ids=READ)
def test_a_query_is_read(annotation, query, value):
    assert client_of(taking(annotation)).get(f"/?{query}").json == {"x": value}


class Even(BaseModel):
    n: int

    @pydantic.field_validator("n")
    @classmethod
    def is_even(cls, n: int) -> int:
        if n % 2:
            raise ValueError("odd")
        return n


REFUSED: dict[str, tuple[t.Any, str, str, str]] = {
    "optional-literal": (t.Literal[1, 2] | None, "x=3", "x", "literal_error"),
    "strict-integer": (t.Annotated[int, Query(strict=True)], "x=x", "x", "int_parsing"),
    "validator-of-a-field": (Even, "n=3", "n", "value_error"),
}


@pytest.mark.parametrize(
    ("annotation", "query", "key", "kind"), REFUSED.values(), ids=REFUSED
)
def test_a_query_is_refused(annotation, query, key, kind):
    refused = client_of(taking(annotation)).get(f"/?{query}")

    assert refusals(refused) == [(["query", key], kind)]


class Ends(BaseModel):
    first: int = Field(validation_alias=AliasPath("n", 0))
    second: int = Field(0, validation_alias=AliasChoices("m", AliasPath("n", 1)))


@query("?n=1&n=2", {"first": 1, "second": 2})
@query("?n=1", {"first": 1, "second": 0})
def arguments_take_one_of_several_values(
    first: t.Annotated[int, Query(validation_alias=AliasPath("n", 0))],
    second: t.Annotated[int, Query(validation_alias=AliasPath("n", 1))] = 0,
): ...
@query("?n=1&n=2", {"ends": {"first": 1, "second": 2}})
@query("?n=1&m=3", {"ends": {"first": 1, "second": 3}})
def fields_take_one_of_several_values(ends: Ends): ...
@query("?size=5", {"size": 5, "double": 10})
def a_default_factory_may_look_at_the_arguments_before(
    size: int = 2,
    double: int = Query(default_factory=lambda before: before["size"] * 2),
): ...
@query("", {"x": 0})
def a_default_is_not_validated(x: t.Annotated[int, Query(ge=1)] = 0): ...
@query("", at("query", x="greater_than_equal"))
def a_default_is_validated_where_it_says_so(
    x: t.Annotated[int, Query(ge=1, validate_default=True)] = 0,
): ...


@pytest.mark.parametrize(NAMES, ROWS)
def test_arguments_are_read_from_the_query(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


def test_a_query_that_is_not_utf8_is_a_bad_request():
    client = client_of(taking(str, ""), config={})
    answer = client.get("/", environ_overrides={"QUERY_STRING": "x=\xe9"})

    assert answer.status_code == 400
    assert answer.json == {"message": "The query string is not encoded as UTF-8."}
