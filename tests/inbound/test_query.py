"""Arguments that are read from the query string."""

import datetime
import typing as t

import pytest
from client import client_of, echo, refusals
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    dataclasses,
    field_validator,
)

from flask_signature import Cookie, Query


class Filter(BaseModel):
    limit: int = Field(100, gt=0, le=100)
    tags: list[str] = []


class Paging(BaseModel):
    page: int = 1
    size: int = 20


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    limit: int = 100


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    limit: int = 100


METHODS = ["GET", "DELETE", "OPTIONS", "TRACE"]


@pytest.mark.parametrize("method", METHODS)
def test_query_is_where_methods_without_a_body_read_their_arguments(method):
    def view(n: int):
        return echo(n=n)

    client = client_of(view, "/", method, status_code=200)

    assert client.open("/?n=1", method=method).json == {"n": 1}
    assert refusals(client.open("/", method=method)) == [(["query", "n"], "missing")]


def test_query_is_read_by_head_through_the_operation_of_get():
    def view(n: int):
        return echo(n=n)

    client = client_of(view)

    assert client.head("/?n=1").status_code == 200
    assert client.head("/?n=x").status_code == 422


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_query_may_be_asked_for_beside_a_body(method):
    def view(n: int, item: Filter, q: t.Annotated[int, Query()] = 0):
        return echo(n=n, item=item, q=q)

    client = client_of(view, "/<int:n>", method, status_code=200)

    answer = client.open("/1?q=2", method=method, json={"limit": 3})

    assert answer.json == {"n": 1, "item": {"limit": 3, "tags": []}, "q": 2}


def test_several_models_and_scalars_share_it():
    def view(f: Filter, p: Paging, q: str = ""):
        return echo(f=f, p=p, q=q)

    answer = client_of(view).get("/?limit=1&tags=a&page=2&q=x&tags=b")

    assert answer.json == {
        "f": {"limit": 1, "tags": ["a", "b"]},
        "p": {"page": 2, "size": 20},
        "q": "x",
    }


def test_a_model_has_no_name_in_it():
    def view(f: Filter, other: int = Query(alias="f")):
        return echo(f=f, other=other)

    answer = client_of(view).get("/?f=1&limit=2")

    assert answer.json == {"f": {"limit": 2, "tags": []}, "other": 1}


def test_failures_of_several_models_are_in_the_order_of_the_arguments():
    def view(q: int, p: Paging, f: Filter):
        return {}

    refused = client_of(view).get("/?limit=x&page=y")

    assert refusals(refused) == [
        (["query", "q"], "missing"),
        (["query", "page"], "int_parsing"),
        (["query", "limit"], "int_parsing"),
    ]


def test_keys_of_other_arguments_and_models_are_no_extra_fields():
    def view(f: Closed, p: Paging, q: str = ""):
        return echo(f=f, p=p, q=q)

    client = client_of(view)

    assert client.get("/?limit=1&page=2&q=x").status_code == 200
    assert refusals(client.get("/?limit=1&page=2&q=x&r=1&s=2&r=3")) == [
        (["query", "r"], "extra_forbidden"),
        (["query", "s"], "extra_forbidden"),
    ]


def test_a_key_that_two_models_forbid_is_refused_once():
    class AlsoClosed(Closed):
        limit: t.Any = Field(0, exclude=True, alias="other")

    @dataclasses.dataclass(config=ConfigDict(extra="forbid"))
    class ClosedData:
        size: int = 1

    @dataclasses.dataclass(config=ConfigDict(extra="forbid"))
    class OtherClosedData:
        page: int = 1

    def view(f: Closed, g: AlsoClosed, d: ClosedData, e: OtherClosedData):
        return {}

    client = client_of(view)

    assert client.get("/?limit=1&other=2&size=3&page=4").status_code == 200
    assert refusals(client.get("/?limit=x&y=1&z=2&size=x")) == [
        (["query", "limit"], "int_parsing"),
        (["query", "y"], "extra_forbidden"),
        (["query", "z"], "extra_forbidden"),
        (["query", "size"], "int_parsing"),
    ]


def test_keys_that_are_refused_once_leave_room_for_other_failures():
    class AlsoClosed(BaseModel):
        model_config = ConfigDict(extra="forbid")

    def view(f: Closed, g: AlsoClosed, n: int):
        return {}

    unknown = "&".join(f"x{number}" for number in range(99))

    refused = refusals(client_of(view).get(f"/?{unknown}&n=x"))

    assert len(refused) == 100
    assert refused[-1] == (["query", "n"], "int_parsing")


def test_keys_of_other_locations_are_extra_fields():
    def view(n: int, f: Closed, c: str = Cookie("")):
        return {}

    refused = client_of(view, "/<n>").get("/1?limit=1&n=2&c=3")

    assert refusals(refused) == [
        (["query", "n"], "extra_forbidden"),
        (["query", "c"], "extra_forbidden"),
    ]


def test_extra_keys_are_kept_where_the_model_allows_them():
    def view(f: Open, q: str = ""):
        return echo(f=f)

    answer = client_of(view).get("/?a=1&limit=2&b=3&q=x&b=4")

    assert answer.json == {"f": {"limit": 2, "a": "1", "b": ["3", "4"]}}


def test_extra_keys_are_left_out_otherwise():
    def view(f: Filter):
        return echo(f=f)

    assert client_of(view).get("/?a=1").json == {"f": {"limit": 100, "tags": []}}


def test_an_optional_model_is_none_where_none_of_its_keys_is_sent():
    def view(f: Filter | None = None):
        return echo(f=f)

    client = client_of(view)

    assert client.get("/?other=1").json == {"f": None}
    assert client.get("/?tags=a").json == {"f": {"limit": 100, "tags": ["a"]}}
    assert refusals(client.get("/?limit=0")) == [(["query", "limit"], "greater_than")]


def test_a_model_with_a_default_is_that_default_where_none_of_its_keys_is_sent():
    def view(p: Paging = Paging(page=9)):
        p.page += 1
        return echo(p=p)

    client = client_of(view)

    assert client.get("/").json == {"p": {"page": 10, "size": 20}}
    assert client.get("/").json == {"p": {"page": 10, "size": 20}}
    assert client.get("/?size=1").json == {"p": {"page": 2, "size": 1}}


def test_a_model_without_a_default_is_made_of_the_defaults_of_its_fields():
    def view(p: Paging):
        return echo(p=p)

    assert client_of(view).get("/").json == {"p": {"page": 1, "size": 20}}


def test_a_required_field_of_a_model_is_missing():
    class Search(BaseModel):
        q: str

    def view(s: Search):
        return echo(s=s)

    assert refusals(client_of(view).get("/")) == [(["query", "q"], "missing")]


def test_a_union_of_models_takes_the_keys_of_all():
    class ByName(BaseModel):
        model_config = ConfigDict(extra="forbid")
        name: str

    class ByKey(BaseModel):
        model_config = ConfigDict(extra="forbid")
        key: int

    def view(by: ByName | ByKey):
        return {type(by).__name__: by.model_dump()}

    client = client_of(view)

    assert client.get("/?name=a").json == {"ByName": {"name": "a"}}
    assert client.get("/?key=1").json == {"ByKey": {"key": 1}}


def test_models_may_be_reported_apart_by_a_key():
    class Cat(BaseModel):
        kind: t.Literal["cat"]
        lives: int

    class Dog(BaseModel):
        kind: t.Literal["dog"]
        barks: bool

    def view(pet: t.Annotated[Cat | Dog, Query(discriminator="kind")]):
        return echo(pet=pet)

    client = client_of(view)

    answer = client.get("/?kind=dog&barks=yes").json
    assert answer == {"pet": {"kind": "dog", "barks": True}}
    refused = client.get("/?kind=cat&barks=yes")
    assert refusals(refused) == [(["query", "cat", "lives"], "missing")]
    refused = client.get("/?kind=emu")
    assert refusals(refused) == [(["query"], "union_tag_invalid")]
    assert "emu" not in refused.text


def test_a_key_without_a_value_is_blank():
    def view(s: str = "d"):
        return echo(s=s)

    client = client_of(view)

    assert client.get("/?s").json == {"s": ""}
    assert client.get("/?&=1&s=a").json == {"s": "a"}


def test_a_value_that_is_none_of_a_literal_is_not_none_either():
    def view(n: t.Literal[1, 2] | None = None):
        return echo(n=n)

    client = client_of(view)

    assert client.get("/?n=2").json == {"n": 2}
    assert refusals(client.get("/?n=3")) == [(["query", "n"], "literal_error")]


def test_escaped_texts_are_read():
    def view(s: str, t: list[str] = Query([], alias="a b")):
        return echo(s=s, t=t)

    answer = client_of(view).get("/?s=%C3%A9+%26%3D&a%20b=1&a+b=2")

    assert answer.json == {"s": "é &=", "t": ["1", "2"]}


def test_a_path_of_an_alias_takes_one_of_several_values():
    def view(
        first: t.Annotated[int, Query(validation_alias=AliasPath("n", 0))],
        second: t.Annotated[int, Query(validation_alias=AliasPath("n", 1))] = 0,
    ):
        return echo(first=first, second=second)

    client = client_of(view)

    assert client.get("/?n=1&n=2").json == {"first": 1, "second": 2}
    assert client.get("/?n=1").json == {"first": 1, "second": 0}


def test_a_path_of_an_alias_may_be_a_field_of_a_model():
    class Pair(BaseModel):
        first: int = Field(validation_alias=AliasPath("n", 0))
        second: int = Field(0, validation_alias=AliasChoices("m", AliasPath("n", 1)))

    def view(p: Pair):
        return p.model_dump()

    client = client_of(view)

    assert client.get("/?n=1&n=2").json == {"first": 1, "second": 2}
    assert client.get("/?n=1&m=3").json == {"first": 1, "second": 3}


def test_names_differ_by_case():
    def view(a: int = Query(alias="q"), b: int = Query(alias="Q")):
        return echo(a=a, b=b)

    assert client_of(view).get("/?q=1&Q=2").json == {"a": 1, "b": 2}


def test_a_default_factory_runs_for_each_request():
    made = iter("abc")

    def view(s: str = Query(default_factory=lambda: next(made))):
        return echo(s=s)

    client = client_of(view)

    assert client.get("/").json == {"s": "a"}
    assert client.get("/?s=x").json == {"s": "x"}
    assert client.get("/").json == {"s": "b"}


def test_a_default_factory_may_look_at_the_arguments_before():
    def view(
        size: int = 2,
        double: int = Query(default_factory=lambda before: before["size"] * 2),
    ):
        return echo(double=double)

    assert client_of(view).get("/?size=5").json == {"double": 10}


def test_a_default_is_not_validated():
    def view(n: t.Annotated[int, Query(ge=1)] = 0):
        return echo(n=n)

    assert client_of(view).get("/").json == {"n": 0}


def test_a_default_is_validated_where_it_says_so():
    def view(n: t.Annotated[int, Query(ge=1, validate_default=True)] = 0):
        return echo(n=n)

    assert refusals(client_of(view).get("/")) == [
        (["query", "n"], "greater_than_equal")
    ]


@pytest.mark.parametrize(
    "default", [[1], {1}, {"a": [1]}, Filter(tags=["a"])], ids=lambda item: str(item)
)
def test_a_default_is_never_shared(default):
    given = []

    def view(x: t.Any = Query(default)):
        given.append(x)
        return {}

    client = client_of(view)
    client.get("/")
    client.get("/")

    assert given[0] == given[1] == default
    assert given[0] is not given[1]
    assert given[0] is not default


def test_a_strict_type_takes_what_is_text():
    def view(s: t.Annotated[str, Query(strict=True)], n: int = Query(strict=True)):
        return echo(s=s, n=n)

    client = client_of(view)

    assert client.get("/?s=a&n=1").json == {"s": "a", "n": 1}
    assert refusals(client.get("/?s=a&n=x")) == [(["query", "n"], "int_parsing")]


def test_a_strict_model_takes_what_is_text():
    class Span(BaseModel):
        model_config = ConfigDict(strict=True)
        n: int
        day: datetime.date

    def view(s: Span):
        return echo(s=s)

    answer = client_of(view).get("/?n=1&day=2020-02-29")

    assert answer.json == {"s": {"n": 1, "day": "2020-02-29"}}


def test_a_validator_of_a_model_refuses_one_key():
    class Even(BaseModel):
        n: int

        @field_validator("n")
        @classmethod
        def is_even(cls, n: int) -> int:
            if n % 2:
                raise ValueError("odd")
            return n

    def view(e: Even):
        return echo(e=e)

    refused = client_of(view).get("/?n=3")

    assert refusals(refused) == [(["query", "n"], "value_error")]
    assert refused.json["detail"][0]["ctx"] == {"error": "odd"}


def test_a_key_that_nobody_asks_for_does_not_matter():
    def view(n: int = 1):
        return echo(n=n)

    assert client_of(view).get("/?m=2").json == {"n": 1}


def test_a_query_that_is_not_utf8_is_a_bad_request():
    def view(n: str = ""):
        return echo(n=n)

    client = client_of(view, config={})

    answer = client.get("/", environ_overrides={"QUERY_STRING": "n=\xe9"})

    assert answer.status_code == 400
    assert answer.json == {"message": "The query string is not encoded as UTF-8."}


T = t.TypeVar("T")


@dataclasses.dataclass
class Chosen(t.Generic[T]):
    """A model without a ``BaseModel``, whose field is of a type that is given later."""

    value: T


def test_field_of_a_generic_dataclass_is_read_by_the_type_it_is_given():
    def one(chosen: Chosen[int] = Query()):
        return echo(chosen=chosen)

    def several(chosen: Chosen[list[int]] = Query()):
        return echo(chosen=chosen)

    one_value = client_of(one).get("/?value=1&value=2").json
    values = client_of(several).get("/?value=1&value=2").json

    assert one_value == {"chosen": {"value": 1}}
    assert values == {"chosen": {"value": [1, 2]}}
