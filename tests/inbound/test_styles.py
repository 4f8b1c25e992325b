"""Lists and models that are one parameter, in the styles of OpenAPI."""

import dataclasses
import enum
import typing as t

import pytest
from client import client_of, echo, refusals
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, RootModel
from typing_extensions import TypedDict

from flask_signature import Depends, Flask, Header, Query
from flask_signature.typing import QueryStyle


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Order(BaseModel):
    name: t.Literal["asc", "desc"] = "asc"
    size: Size = Field(Size.SMALL, alias="the-size")


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = ""


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
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
    def view(ids: list[int] = Query(style=style, explode=False)):
        return echo(ids=ids)

    client = client_of(view)

    assert client.get(f"/?ids=1{sign}2{sign}3").json == {"ids": [1, 2, 3]}
    assert client.get("/?ids=1").json == {"ids": [1]}
    assert refusals(client.get(f"/?ids=1{sign}x")) == [
        (["query", "ids", 1], "int_parsing")
    ]
    assert refusals(client.get("/")) == [(["query", "ids"], "missing")]


def test_an_empty_value_is_an_empty_list() -> None:
    def view(ids: list[int] = Query(explode=False)):
        return echo(ids=ids)

    assert client_of(view).get("/?ids=").json == {"ids": []}


def test_of_a_repeated_key_the_first_counts() -> None:
    def view(ids: list[int] = Query(explode=False)):
        return echo(ids=ids)

    assert client_of(view).get("/?ids=1,2&ids=3").json == {"ids": [1, 2]}


def test_items_are_split_after_decoding() -> None:
    def view(names: list[str] = Query(explode=False)):
        return echo(names=names)

    got = client_of(view).get("/?names=a%2Cb,,c").json

    assert got == {"names": ["a", "b", "", "c"]}


def test_items_are_converted_as_in_any_list() -> None:
    class Ids(RootModel[list[int]]):
        pass

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


def test_an_exploded_form_is_the_default() -> None:
    def view(ids: list[int] = Query(style="form"), order: Order = Query(explode=True)):
        return echo(ids=ids, order=order)

    client = client_of(view)

    assert client.get("/?ids=1&ids=2&name=desc").json == {
        "ids": [1, 2],
        "order": {"name": "desc", "the-size": 1},
    }


@pytest.mark.parametrize(("style", "sign"), DELIMITED)
def test_a_model_may_be_one_key(style: QueryStyle, sign: str) -> None:
    def view(order: Order = Query(style=style, explode=False)):
        assert isinstance(order.size, Size)
        return echo(order=order)

    client = client_of(view)
    query = sign.join(["name", "desc", "the-size", "2"])

    assert client.get(f"/?order={query}").json == {
        "order": {"name": "desc", "the-size": 2}
    }
    assert client.get("/?order=").json == {"order": {"name": "asc", "the-size": 1}}
    assert refusals(client.get(f"/?order=name{sign}x")) == [
        (["query", "order", "name"], "literal_error")
    ]
    assert refusals(client.get("/?order=name")) == [(["query", "order"], "model_type")]


class TestDeepObject:
    def test_its_fields_are_in_brackets(self) -> None:
        def view(order: Order = Query(style="deepObject")):
            assert isinstance(order.size, Size)
            return echo(order=order)

        client = client_of(view)

        assert client.get("/?order[name]=desc&order%5Bthe-size%5D=2").json == {
            "order": {"name": "desc", "the-size": 2}
        }
        assert client.get("/?order[name]=desc&order[name]=asc").json == {
            "order": {"name": "desc", "the-size": 1}
        }
        assert refusals(client.get("/?order[name]=x&order[the-size]=3")) == [
            (["query", "order", "name"], "literal_error"),
            (["query", "order", "the-size"], "enum"),
        ]

    @pytest.mark.parametrize("query", ["", "order=x", "order[name", "ordername]=1"])
    def test_without_its_names_it_is_missing(self, query: str) -> None:
        def view(order: Order = Query(style="deepObject")):
            return echo(order=order)

        client = client_of(view)

        assert refusals(client.get(f"/?{query}")) == [(["query", "order"], "missing")]

    def test_it_may_have_a_default(self) -> None:
        def view(order: Order | None = Query(None, style="deepObject")):
            return echo(order=order)

        client = client_of(view)

        assert client.get("/").json == {"order": None}
        assert client.get("/?order[name]=asc").json["order"]["name"] == "asc"

    def test_it_may_be_any_kind_of_model(self) -> None:
        def view(
            point: t.Annotated[Point, Query(style="deepObject")],
            between: t.Annotated[Range, Query(style="deepObject", alias="range")],
            either: Order | Point = Query(Order(), style="deepObject"),
        ):
            return echo(point=point, between=between, either=either)

        client = client_of(view)
        query = "point[x]=1&range[least]=1&range[most]=2&either[x]=3"

        assert client.get(f"/?{query}").json == {
            "point": {"x": 1, "y": 0},
            "between": {"least": 1, "most": 2},
            "either": {"x": 3, "y": 0},
        }
        assert refusals(client.get("/?point[y]=1&range[least]=1")) == [
            (["query", "point", "x"], "missing"),
            (["query", "range", "most"], "missing"),
        ]

    @pytest.mark.parametrize(
        ("annotation", "query", "value"),
        [
            (dict[str, int], "q[a]=1&q[b]=2&q[a]=3", {"a": 1, "b": 2}),
            (dict, "q[a]=1", {"a": "1"}),
            (dict[t.Any, t.Any], "q[a]=1", {"a": "1"}),
            (dict[int, bool], "q[1]=true", {"1": True}),
            (dict[str, t.Literal[1, "x"]], "q[a]=1&q[b]=x", {"a": 1, "b": "x"}),
            (t.Mapping[str, Size | None], "q[a]=2", {"a": 2}),
            (
                t.Annotated[dict[str, str], Field(max_length=2)],
                "q[a][b]=",
                {"a][b": ""},
            ),
            (dict[str, int] | None, "q[]=1", {"": 1}),
        ],
    )
    def test_it_may_be_a_dict(self, annotation, query, value) -> None:
        def view(q):
            return echo(q=q)

        view.__annotations__["q"] = t.Annotated[annotation, Query(style="deepObject")]
        client = client_of(view)

        assert client.get(f"/?{query}&other=1").json == {"q": value}
        assert refusals(client.get("/?q=1")) == [(["query", "q"], "missing")]

    def test_a_dict_is_left_out_where_it_is_optional(self) -> None:
        def view(
            q: dict[str, int] | None = Query(None, style="deepObject"),
            filled: dict[str, int] = Query({"a": 1}, style="deepObject"),
            model: Order | None = Query(None, style="deepObject"),
        ):
            return echo(q=q, filled=filled, model=model)

        client = client_of(view)

        assert client.get("/").json == {"q": None, "filled": {"a": 1}, "model": None}
        assert client.get("/?q[a]=1&filled[b]=2").json == {
            "q": {"a": 1},
            "filled": {"b": 2},
            "model": None,
        }

    def test_the_values_of_a_dict_are_refused_one_by_one(self) -> None:
        def view(q: dict[str, int] = Query(style="deepObject")):
            return echo(q=q)

        assert refusals(client_of(view).get("/?q[a]=x&q[b]=1&q[c]=")) == [
            (["query", "q", "a"], "int_parsing"),
            (["query", "q", "c"], "int_parsing"),
        ]

    def test_each_of_several_aliases_is_its_name(self) -> None:
        either = AliasChoices("order", "o")

        def view(order: Order = Query(style="deepObject", validation_alias=either)):
            return echo(order=order)

        client = client_of(view)

        for name in "order", "o":
            assert client.get(f"/?{name}[name]=desc").json["order"]["name"] == "desc"

    def test_other_fields_are_as_its_model_says(self) -> None:
        def view(
            closed: Closed = Query(Closed(), style="deepObject"),
            opened: Open = Query(Open(), style="deepObject"),
        ):
            return echo(opened=opened)

        client = client_of(view)

        assert client.get("/?opened[x]=1").json == {"opened": {"name": "", "x": "1"}}
        assert refusals(client.get("/?closed[x]=1&closed[a][b]=1")) == [
            (["query", "closed", "x"], "extra_forbidden"),
            (["query", "closed", "a][b"], "extra_forbidden"),
        ]

    def test_its_names_are_no_extra_fields_of_another_model(self) -> None:
        def view(closed: Closed, order: Order = Query(style="deepObject")):
            return echo(closed=closed, order=order)

        client = client_of(view)

        assert client.get("/?name=a&order[name]=desc&order[x]=1").json == {
            "closed": {"name": "a"},
            "order": {"name": "desc", "the-size": 1},
        }
        assert refusals(client.get("/?order[name]=asc&orders[name]=asc")) == [
            (["query", "orders[name]"], "extra_forbidden")
        ]

    def test_it_may_belong_to_a_dependency(self) -> None:
        def read_order(order: Order = Query(style="deepObject")) -> Order:
            return order

        def view(closed: Closed, found: t.Annotated[Order, Depends(read_order)]):
            return echo(closed=closed, found=found)

        client = client_of(view)

        assert client.get("/?name=a&order[name]=desc").json == {
            "closed": {"name": "a"},
            "found": {"name": "desc", "the-size": 1},
        }

    def test_a_dependency_may_declare_it_like_the_view(self) -> None:
        def name_of(order: Order = Query(style="deepObject")) -> str:
            return order.name

        def view(
            name: t.Annotated[str, Depends(name_of)],
            order: Order = Query(style="deepObject"),
        ):
            return echo(name=name, size=order.size)

        client = client_of(view)

        assert client.get("/?order[name]=desc").json == {"name": "desc", "size": 1}

    def test_a_long_query_is_refused_like_a_short_one(self) -> None:
        def view(ids: list[int] = Query(explode=False)):
            return echo(ids=ids)

        client = client_of(view)
        query = "/?ids=" + ",".join(["x"] * 5_000)

        assert (["query", "ids", 0], "int_parsing") in refusals(client.get(query))


class TestHeader:
    def test_a_list_is_simple(self) -> None:
        def view(ids: list[int] = Header(style="simple")):
            return echo(ids=ids)

        assert client_of(view).get("/", headers={"Ids": "1, 2"}).json == {"ids": [1, 2]}

    @pytest.mark.parametrize(
        ("explode", "value"),
        [(False, "name,desc, the-size,2"), (True, 'name=desc, the-size="2"')],
    )
    def test_a_model_is_one_header(self, explode: bool, value: str) -> None:
        def view(x_order: Order = Header(style="simple", explode=explode)):
            return echo(x_order=x_order)

        client = client_of(view)

        assert client.get("/", headers={"X-Order": value}).json == {
            "x_order": {"name": "desc", "the-size": 2}
        }
        refused = client.get("/", headers={"X-Order": "name"})
        assert refusals(refused) == [(["header", "X-Order"], "model_type")]
        assert refusals(client.get("/")) == [(["header", "X-Order"], "missing")]

    def test_a_value_may_be_quoted(self) -> None:
        def view(x_order: Open = Header(style="simple")):
            return echo(x_order=x_order)

        value = r'name,"a, \"b\",",c,"d'
        got = client_of(view).get("/", headers={"X-Order": value})

        assert got.json == {"x_order": {"name": 'a, "b",', "c": '"d'}}

    @pytest.mark.parametrize(
        ("explode", "value"),
        [(False, "a,,name,"), (False, 'a,"", name ,'), (True, "a=,name=")],
    )
    def test_a_value_may_be_blank(self, explode: bool, value: str) -> None:
        def view(x_order: Open = Header(style="simple", explode=explode)):
            return echo(x_order=x_order)

        got = client_of(view).get("/", headers={"X-Order": value})

        assert got.json == {"x_order": {"name": "", "a": ""}}

    def test_a_model_may_be_closed(self) -> None:
        def view(x_order: Closed = Header(style="simple")):
            return echo(x_order=x_order)

        refused = client_of(view).get("/", headers={"X-Order": "x,1"})

        assert refusals(refused) == [(["header", "X-Order", "x"], "extra_forbidden")]


def test_views_that_differ_in_the_style_alone_are_read_differently() -> None:
    app = Flask(__name__)

    @app.get("/split")
    def split(ids: list[str] = Query(explode=False)):
        return ids

    @app.get("/repeated")
    def repeated(ids: list[str] = Query()):
        return ids

    client = app.test_client()

    assert client.get("/split?ids=a,b").json == ["a", "b"]
    assert client.get("/repeated?ids=a,b").json == ["a,b"]
