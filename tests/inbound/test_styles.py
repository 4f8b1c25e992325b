"""Lists and models that are one parameter, in the styles of OpenAPI."""

import dataclasses
import enum
import typing as t

import pytest
from client import client_of, echo, refusals, taking
from pydantic import AliasChoices, BaseModel, Field, RootModel
from rows import NAMES, Rows, check_row
from typing_extensions import TypedDict

from flask_signature import Depends, Header, Query
from flask_signature.typing import QueryStyle


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Order(BaseModel):
    name: t.Literal["asc", "desc"] = "asc"
    size: Size = Field(Size.SMALL, alias="the-size")


SMALL = {"the-size": 1}


class Closed(BaseModel, extra="forbid"):
    name: str = ""


class Open(BaseModel, extra="allow"):
    name: str = ""


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Range(TypedDict):
    least: int
    most: int


DELIMITED: list[tuple[QueryStyle, str]] = [
    ("form", ","),
    ("spaceDelimited", "%20"),
    ("spaceDelimited", "+"),
    ("pipeDelimited", "|"),
    ("pipeDelimited", "%7C"),
]


@pytest.mark.parametrize(("style", "sign"), DELIMITED)
def test_a_list_is_split_by_its_style(style: QueryStyle, sign: str) -> None:
    client = client_of(taking(list[int], Query(style=style, explode=False)))

    assert client.get(f"/?x=1{sign}2{sign}3").json == {"x": [1, 2, 3]}
    assert client.get("/?x=1").json == {"x": [1]}
    assert refusals(client.get(f"/?x=1{sign}x")) == [(["query", "x", 1], "int_parsing")]
    assert refusals(client.get("/")) == [(["query", "x"], "missing")]


@pytest.mark.parametrize(
    ("query", "items"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("a,b&x=c", ["a", "b"], id="repeated"),
        pytest.param("a%2Cb,,c", ["a", "b", "", "c"], id="split after decoding"),
    ],
)
def test_a_list_is_split_at_its_first_key(query: str, items: list[str]) -> None:
    client = client_of(taking(list[str], Query(explode=False)))

    assert client.get(f"/?x={query}").json == {"x": items}


def test_items_are_converted_as_in_any_list() -> None:
    class Ids(RootModel[list[int]]): ...

    def view(
        sizes: list[Size] | None = Query(None, explode=False),
        numbers: set[t.Literal[1, 2]] = Query(set(), explode=False),
        pair: tuple[int, str] = Query((0, ""), explode=False),
        ids: Ids = Query(Ids([]), explode=False),
        one: int | list[int] = Query(0, explode=False),
    ):
        assert sizes is None or all(isinstance(item, Size) for item in sizes)
        return echo(sizes=sizes, numbers=numbers, pair=pair, ids=ids, one=one)

    client = client_of(view)
    assert client.get("/?sizes=1,2&numbers=2,2&pair=7,x&ids=1,2&one=5").json == {
        "sizes": [1, 2],
        "numbers": [2],
        "pair": [7, "x"],
        "ids": [1, 2],
        "one": [5],
    }
    assert client.get("/").json["sizes"] is None


ROWS = Rows()
get = ROWS.of("GET /")


@get("?ids=1&ids=2&name=desc", {"ids": [1, 2], "order": {"name": "desc", **SMALL}})
def an_exploded_form_is_the_default(
    ids: list[int] = Query(style="form"), order: Order = Query(explode=True)
): ...


@pytest.mark.parametrize(("style", "sign"), DELIMITED)
def test_a_model_may_be_one_key(style: QueryStyle, sign: str) -> None:
    def view(order: Order = Query(style=style, explode=False)):
        assert isinstance(order.size, Size)
        return echo(order=order)

    client = client_of(view)
    query = sign.join(["name", "desc", "the-size", "2"])
    full = client.get(f"/?order={query}")
    assert full.json == {"order": {"name": "desc", "the-size": 2}}
    empty = client.get("/?order=")
    assert empty.json == {"order": {"name": "asc", "the-size": 1}}
    wrong = client.get(f"/?order=name{sign}x")
    assert refusals(wrong) == [(["query", "order", "name"], "literal_error")]
    assert refusals(client.get("/?order=name")) == [(["query", "order"], "model_type")]


TWO_AT_MOST = t.Annotated[dict[str, str], Field(max_length=2)]
DEEP: t.Any = Query(style="deepObject")


FIRST: t.Any = {"order": {"name": "desc", **SMALL}}


def read_order(order: Order = DEEP) -> Order:
    return order


def name_of(order: Order = DEEP) -> str:
    return order.name


@get(
    "?point[x]=1&range[least]=1&range[most]=2&either[x]=3",
    {
        "point": {"x": 1, "y": 0},
        "between": {"least": 1, "most": 2},
        "either": {"x": 3, "y": 0},
    },
)
@get(
    "?point[y]=1&range[least]=1",
    [(["query", "point", "x"], "missing"), (["query", "range", "most"], "missing")],
)
def deep_object_of_any_kind_of_model(
    point: t.Annotated[Point, DEEP],
    between: t.Annotated[Range, Query(style="deepObject", alias="range")],
    either: Order | Point = Query(Order(), style="deepObject"),
): ...
@get("", {"q": None, "filled": {"a": 1}, "order": None})
@get(
    "?q[a]=1&filled[b]=2&order[name]=desc", {"q": {"a": 1}, "filled": {"b": 2}, **FIRST}
)
def deep_object_is_left_out_where_it_is_optional(
    q: dict[str, int] | None = Query(None, style="deepObject"),
    filled: dict[str, int] = Query({"a": 1}, style="deepObject"),
    order: Order | None = Query(None, style="deepObject"),
): ...
@get(
    "?x[a]=x&x[b]=1&x[c]=",
    [(["query", "x", "a"], "int_parsing"), (["query", "x", "c"], "int_parsing")],
)
def values_of_a_dict_are_refused_one_by_one(x: dict[str, int] = DEEP): ...
@get("?opened[x]=1", {"closed": {"name": ""}, "opened": {"name": "", "x": "1"}})
@get(
    "?closed[x]=1&closed[a][b]=1",
    [
        (["query", "closed", "x"], "extra_forbidden"),
        (["query", "closed", "a][b"], "extra_forbidden"),
    ],
)
def other_fields_are_as_the_model_says(
    closed: Closed = Query(Closed(), style="deepObject"),
    opened: Open = Query(Open(), style="deepObject"),
): ...
@get("?name=a&order[name]=desc&order[x]=1", {"closed": {"name": "a"}, **FIRST})
@get(
    "?order[name]=asc&orders[name]=asc",
    [(["query", "orders[name]"], "extra_forbidden")],
)
def names_of_a_deep_object_are_no_extra_fields(closed: Closed, order: Order = DEEP): ...
@get(
    "?name=a&order[name]=desc",
    {"closed": {"name": "a"}, "found": {"name": "desc", **SMALL}},
)
def deep_object_may_belong_to_a_dependency(
    closed: Closed, found: t.Annotated[Order, Depends(read_order)]
): ...
@get("?order[name]=desc", {"name": "desc", **FIRST})
def dependency_may_declare_a_deep_object_like_the_view(
    name: t.Annotated[str, Depends(name_of)], order: Order = DEEP
): ...


@pytest.mark.parametrize(NAMES, ROWS)
def test_a_styled_argument_is_read(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


class TestDeepObject:
    def test_its_fields_are_in_brackets(self) -> None:
        def view(order: Order = DEEP):
            assert isinstance(order.size, Size)
            return echo(order=order)

        client = client_of(view)
        full = client.get("/?order[name]=desc&order%5Bthe-size%5D=2")
        assert full.json == {"order": {"name": "desc", "the-size": 2}}
        twice = client.get("/?order[name]=desc&order[name]=asc")
        assert twice.json == {"order": {"name": "desc", "the-size": 1}}
        assert refusals(client.get("/?order[name]=x&order[the-size]=3")) == [
            (["query", "order", "name"], "literal_error"),
            (["query", "order", "the-size"], "enum"),
        ]

    @pytest.mark.parametrize("query", ["", "x=x", "x[name", "xname]=1"])
    def test_without_its_names_it_is_missing(self, query: str) -> None:
        refused = client_of(taking(Order, DEEP)).get(f"/?{query}")

        assert refusals(refused) == [(["query", "x"], "missing")]

    @pytest.mark.parametrize(
        ("annotation", "query", "value"),
        [
            (dict[str, int], "x[a]=1&x[b]=2&x[a]=3", {"a": 1, "b": 2}),
            (dict, "x[a]=1", {"a": "1"}),
            (dict[t.Any, t.Any], "x[a]=1", {"a": "1"}),
            (dict[int, bool], "x[1]=true", {"1": True}),
            (dict[str, t.Literal[1, "x"]], "x[a]=1&x[b]=x", {"a": 1, "b": "x"}),
            (t.Mapping[str, Size | None], "x[a]=2", {"a": 2}),
            (TWO_AT_MOST, "x[a][b]=", {"a][b": ""}),
            (dict[str, int] | None, "x[]=1", {"": 1}),
        ],
    )
    def test_it_may_be_a_dict(self, annotation, query, value) -> None:
        client = client_of(taking(t.Annotated[annotation, DEEP]))

        assert client.get(f"/?{query}&other=1").json == {"x": value}
        assert refusals(client.get("/?x=1")) == [(["query", "x"], "missing")]

    @pytest.mark.parametrize("name", ["order", "o"])
    def test_each_of_several_aliases_is_its_name(self, name: str) -> None:
        either = AliasChoices("order", "o")
        view = taking(Order, Query(style="deepObject", validation_alias=either))

        assert client_of(view).get(f"/?{name}[name]=desc").json["x"]["name"] == "desc"

    def test_a_long_query_is_refused_like_a_short_one(self) -> None:
        client = client_of(taking(list[int], Query(explode=False)))
        refused = client.get("/?x=" + ",".join(["x"] * 5_000))

        assert (["query", "x", 0], "int_parsing") in refusals(refused)


class TestHeader:
    def test_a_list_is_simple(self) -> None:
        client = client_of(taking(list[int], Header(style="simple")))

        assert client.get("/", headers={"X": "1, 2"}).json == {"x": [1, 2]}

    @pytest.mark.parametrize(
        ("explode", "value"),
        [(False, "name,desc, the-size,2"), (True, 'name=desc, the-size="2"')],
    )
    def test_a_model_is_one_header(self, explode: bool, value: str) -> None:
        client = client_of(taking(Order, Header(style="simple", explode=explode)))

        answer = client.get("/", headers={"X": value})
        assert answer.json == {"x": {"name": "desc", "the-size": 2}}
        refused = client.get("/", headers={"X": "name"})
        assert refusals(refused) == [(["header", "X"], "model_type")]
        assert refusals(client.get("/")) == [(["header", "X"], "missing")]

    @pytest.mark.parametrize(
        ("explode", "value", "fields"),
        [
            (False, r'name,"a, \"b\",",c,"d', {"name": 'a, "b",', "c": '"d'}),
            (False, "a,,name,", {"name": "", "a": ""}),
            (False, 'a,"", name ,', {"name": "", "a": ""}),
            (True, "a=,name=", {"name": "", "a": ""}),
        ],
    )
    def test_a_value_may_be_quoted_or_blank(self, explode, value, fields) -> None:
        client = client_of(taking(Open, Header(style="simple", explode=explode)))

        assert client.get("/", headers={"X": value}).json == {"x": fields}

    def test_a_model_may_be_closed(self) -> None:
        client = client_of(taking(Closed, Header(style="simple")))
        refused = client.get("/", headers={"X": "x,1"})

        assert refusals(refused) == [(["header", "X", "x"], "extra_forbidden")]


def test_views_that_differ_in_the_style_alone_are_read_differently(app, client) -> None:
    app.get("/split", endpoint="split")(taking(list[str], Query(explode=False)))
    app.get("/repeated")(taking(list[str], Query()))

    assert client.get("/split?x=a,b").json == {"x": ["a", "b"]}
    assert client.get("/repeated?x=a,b").json == {"x": ["a,b"]}
