"""A large request that does not fit takes no more time than one that does."""

import dataclasses
import typing as t
from io import BytesIO

import pytest
from client import client_of, post_json, refusals, taking
from pydantic import BaseModel, Field, create_model, field_validator

from flask_signature import Form, Header, Query

Wide = create_model("Wide", **{f"f{n}": (int, ...) for n in range(50)})


class Point(BaseModel):
    x: int
    y: int


class Path(BaseModel):
    points: list[Point]


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Row(t.NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Pair:
    x: int
    y: int


def json_list(item: bytes, size: int) -> bytes:
    return b"[" + b",".join([item] * (size // (len(item) + 1))) + b"]"


LARGE = 90_000


@pytest.mark.parametrize(
    ("tp", "item", "entries"),
    [
        (list[int], b'"a"', 1),
        (list[Wide], b"{}", 50),
        (list[Point], b"{}", 2),
        (tuple[Point, ...], b"{}", 2),
        (list[Row], b"[]", 2),
        (list[Pair], b"{}", 2),
        (list[Point] | None, b"{}", 2),
        (list[Point | Row], b"1", 2),
        (list[list[Point]], b"[{}]", 2),
        (list[Tree], b"{}", 1),
    ],
    ids=str,
)
def test_list_is_left_at_its_first_item_that_does_not_fit(
    tp: t.Any, item: bytes, entries: int
) -> None:
    body = json_list(item, LARGE)
    places = [place for place, _ in post_json(tp, body)]

    assert len(places) == entries
    assert {place[1] for place in places} == {0}


def test_list_within_a_model_of_its_own_kind_is_left_too() -> None:
    body = b'{"name": "a", "children": ' + json_list(b"{}", LARGE) + b"}"

    assert post_json(Tree, body) == [(["body", "children", 0, "name"], "missing")]


@pytest.mark.parametrize(
    ("tp", "body"),
    [
        (list[Point], "[{},{}]"),
        (Path, '{"points": [{},{}]}'),
        (dict[str, Point], '{"a":{},"b":{}}'),
        (set[int], '["a","b","c","d"]'),
    ],
    ids=str,
)
def test_what_is_small_is_reported_all_that_is_wrong(tp: t.Any, body: str) -> None:
    assert len(post_json(tp, body)) == 4


def test_limit_is_wider_for_what_can_fail_in_fewer_ways() -> None:
    assert len(post_json(list[int], json_list(b'"a"', 4_000))) == 100
    assert len(post_json(list[Point], json_list(b"{}", 1_000))) == 100
    assert len(post_json(list[Wide], json_list(b"{}", 1_000))) == 50


class Closed(BaseModel, extra="forbid"):
    by_alias: int = Field(1, alias="byAlias")


class Twice(BaseModel):
    first: int = Field(alias="firstOne")
    anything: t.Any
    children: list["Twice"] = []
    other_children: list["Twice"] = []


@pytest.mark.parametrize(
    ("tp", "item", "expected"),
    [
        (list[Twice], b'{"anything": 1}', [(["body", 0, "firstOne"], "missing")]),
        (list[Twice], b'{"firstOne": 1}', [(["body", 0, "anything"], "missing")]),
        (dict[str, Closed], b"", [(["body", "k0", "byAlias"], "int_parsing")]),
        (list[Closed], b'{"other": 1}', [(["body", 0, "other"], "extra_forbidden")]),
        (
            list[Point | Closed],
            b'{"x": 1}',
            [
                (["body", 0, "Point", "y"], "missing"),
                (["body", 0, "Closed", "x"], "extra_forbidden"),
            ],
        ),
        (
            list[int | str],
            b"null",
            [(["body", 0, "int"], "int_type"), (["body", 0, "str"], "string_type")],
        ),
    ],
    ids=str,
)
def test_first_item_that_is_wrong_is_told_with_all_its_errors(
    tp: t.Any, item: bytes, expected: t.Any
) -> None:
    if item:
        body = json_list(item, LARGE)
    else:
        keys = (b'"k%d": {"byAlias": "a"}' % n for n in range(LARGE // 25))
        body = b"{" + b",".join(keys) + b"}"

    assert post_json(tp, body) == expected


def test_object_that_lacks_a_key_is_not_copied_into_the_error() -> None:
    lacking = b'{"anything": 1, "ignored": ' + json_list(b"1", LARGE) + b"}"
    closed = b'{"by_alias": 1, "ignored": ' + json_list(b"1", LARGE) + b"}"

    assert post_json(Twice, lacking) == [(["body", "firstOne"], "missing")]
    assert post_json(Closed, closed) == [
        (["body", "by_alias"], "extra_forbidden"),
        (["body", "ignored"], "extra_forbidden"),
    ]


def test_very_large_body_is_told_where_the_first_mistake_is() -> None:
    body = b'{"points": ' + json_list(b'{"x": 1, "y": "a"}', 3 * LARGE) + b"}"

    assert post_json(Path, body) == [(["body", "points", 0, "y"], "int_parsing")]


FORM: dict[str, t.Any] = {"content_type": "application/x-www-form-urlencoded"}
CHUNKED: dict[str, t.Any] = {
    "headers": {"Transfer-Encoding": "chunked"},
    "environ_overrides": {"wsgi.input_terminated": True},
}


@pytest.mark.parametrize(
    ("marker", "place", "request_"),
    [
        (Query(), "query", lambda: {"query_string": "x=a&" * 50_000}),
        (Header(), "header", lambda: {"headers": {"X": "a," * 20_000}}),
        (Form(), "form", lambda: {"data": b"x=a&" * 50_000, **FORM}),
        (
            Form(),
            "form",
            lambda: {"input_stream": BytesIO(b"x=a&" * 50_000), **CHUNKED, **FORM},
        ),
    ],
    ids=["query", "header", "form", "chunked form"],
)
def test_list_in_any_location_is_left_too(marker, place, request_) -> None:
    client = client_of(taking(list[int], marker), "/", "POST")
    ((loc, kind),) = refusals(client.post("/", **request_()))

    assert (loc[0], loc[2], kind) == (place, 0, "int_parsing")


class Even(BaseModel):
    numbers: list[int]

    @field_validator("numbers")
    @classmethod
    def all_even(cls, numbers: list[int]) -> list[int]:
        if any(number % 2 for number in numbers):
            raise ValueError("odd")
        return numbers


def test_validators_of_the_author_run_as_they_do_for_less() -> None:
    body = b'{"numbers": ' + json_list(b"1", LARGE) + b"}"

    assert post_json(Even, body) == [(["body", "numbers"], "value_error")]
