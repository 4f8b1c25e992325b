"""A large request that does not fit takes no more time than one that does."""

import dataclasses
import typing as t
from io import BytesIO
from typing import Annotated, Any

import pytest
from client import client_of, refusals
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    create_model,
)
from pydantic_core import PydanticUseDefault

from flask_signature import Flask, Form, Header, Query

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


def post(tp: Any, body: bytes) -> Any:
    def view(value: tp) -> str:
        return "fits"

    response = client_of(view, "/", "POST").post(
        "/", data=body, content_type="application/json"
    )
    return refusals(response) if response.status_code == 422 else response.status_code


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
    tp: Any, item: bytes, entries: int
) -> None:
    body = json_list(item, LARGE)

    places = [place for place, _ in post(tp, body)]

    assert len(places) == entries
    assert {place[1] for place in places} == {0}


def test_list_within_a_model_is_left_too() -> None:
    body = b'{"points": ' + json_list(b"{}", LARGE) + b"}"

    assert [place for place, _ in post(Path, body)] == [
        ["body", "points", 0, "x"],
        ["body", "points", 0, "y"],
    ]


def test_list_within_a_model_of_its_own_kind_is_left_too() -> None:
    body = b'{"name": "a", "children": ' + json_list(b"{}", LARGE) + b"}"

    assert post(Tree, body) == [(["body", "children", 0, "name"], "missing")]


@pytest.mark.parametrize("tp", [list[Point], Path, dict[str, Point], set[int]], ids=str)
def test_what_is_small_is_reported_all_that_is_wrong(tp: Any) -> None:
    bodies = {
        list[Point]: b"[{},{}]",
        Path: b'{"points": [{},{}]}',
        dict[str, Point]: b'{"a":{},"b":{}}',
        set[int]: b'["a","b","c","d"]',
    }

    assert len(post(tp, bodies[tp])) == 4


def test_large_body_that_fits_is_what_a_small_one_is() -> None:
    seen = []

    def view(value: Path) -> str:
        seen.append(value)
        return "fits"

    client = client_of(view, "/", "POST")
    for count in (1, 20_000):
        points = [{"x": n, "y": -n} for n in range(count)]
        assert client.post("/", json={"points": points}).status_code == 201

    small, large = seen
    assert type(small) is type(large) is Path
    assert type(large.points[0]) is Point
    assert large.points[:1] == small.points
    assert large.points[-1].x == 19_999


def test_limit_is_wider_for_what_can_fail_in_fewer_ways() -> None:
    assert len(post(list[int], json_list(b'"a"', 4_000))) == 100
    assert len(post(list[Point], json_list(b"{}", 1_000))) == 100
    assert len(post(list[Wide], json_list(b"{}", 1_000))) == 50


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    by_alias: int = Field(1, alias="byAlias")


class Twice(BaseModel):
    first: int = Field(alias="firstOne")
    anything: Any
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
    tp: Any, item: bytes, expected: Any
) -> None:
    if item:
        body = json_list(item, LARGE)
    else:
        keys = (b'"k%d": {"byAlias": "a"}' % n for n in range(LARGE // 25))
        body = b"{" + b",".join(keys) + b"}"

    assert post(tp, body) == expected


def test_object_that_lacks_a_key_is_not_copied_into_the_error() -> None:
    lacking = b'{"anything": 1, "ignored": ' + json_list(b"1", LARGE) + b"}"
    closed = b'{"by_alias": 1, "ignored": ' + json_list(b"1", LARGE) + b"}"

    assert post(Twice, lacking) == [(["body", "firstOne"], "missing")]
    assert post(Closed, closed) == [
        (["body", "by_alias"], "extra_forbidden"),
        (["body", "ignored"], "extra_forbidden"),
    ]


def test_very_large_body_is_told_where_the_first_mistake_is() -> None:
    body = b'{"points": ' + json_list(b'{"x": 1, "y": "a"}', 3 * LARGE) + b"}"

    assert post(Path, body) == [(["body", "points", 0, "y"], "int_parsing")]


def look_up(value: str) -> str:
    raise KeyError(value)


class Broken(BaseModel):
    name: Annotated[str, AfterValidator(look_up)]
    first: list["Broken"] = []
    numbers: list[int] = []


@pytest.mark.parametrize("size", [10, LARGE, 3 * LARGE])
def test_error_of_the_author_is_an_error_of_the_server_whatever_the_size(
    size: int,
) -> None:
    body = b'{"name": "' + b"a" * size + b'", "numbers": ' + json_list(b"1", size)

    assert post(Broken, body + b"}") == 500


@pytest.mark.parametrize("size", [10, LARGE, 3 * LARGE])
def test_function_of_the_author_may_ask_for_a_default_whatever_the_size(
    size: int,
) -> None:
    seen = []

    def use_default(value: Any) -> Any:
        if value == "a":
            raise PydanticUseDefault
        return value

    Item = Annotated[int, BeforeValidator(use_default)]

    class Defaults(BaseModel):
        items: list[Item] = [1]

    def view(value: Defaults) -> str:
        seen.append(value.items)
        return "fits"

    response = client_of(view, "/", "POST").post(
        "/",
        data=b'{"items": ' + json_list(b'"a"', size) + b"}",
        content_type="application/json",
    )

    assert response.status_code == 201
    assert seen == [[1]]


def test_chunked_form_is_left_too() -> None:
    def view(n: Annotated[list[int], Form()]) -> str:
        return "fits"

    response = client_of(view, "/", "POST").post(
        "/",
        input_stream=BytesIO(b"n=a&" * 50_000),
        headers={"Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
        content_type="application/x-www-form-urlencoded",
    )

    assert refusals(response) == [(["form", "n", 0], "int_parsing")]


def test_header_is_left_too() -> None:
    def view(n: Annotated[list[int], Header()]) -> str:
        return "fits"

    response = client_of(view).get("/", headers={"N": "a," * 20_000})

    assert refusals(response) == [(["header", "N", 0], "int_parsing")]


def test_form_is_left_too() -> None:
    def view(n: Annotated[list[int], Form()]) -> str:
        return "fits"

    response = client_of(view, "/", "POST").post(
        "/", data=b"n=a&" * 50_000, content_type="application/x-www-form-urlencoded"
    )

    assert refusals(response) == [(["form", "n", 0], "int_parsing")]


def test_query_is_left_too() -> None:
    def view(n: Annotated[list[int], Query()]) -> str:
        return "fits"

    app = Flask(__name__)
    app.get("/")(view)

    response = app.test_client().get("/?" + "n=a&" * 50_000)

    assert refusals(response) == [(["query", "n", 0], "int_parsing")]


def test_validators_of_the_author_run_as_they_do_for_less() -> None:
    from pydantic import field_validator

    class Even(BaseModel):
        numbers: list[int]

        @field_validator("numbers")
        @classmethod
        def all_even(cls, numbers: list[int]) -> list[int]:
            if any(number % 2 for number in numbers):
                raise ValueError("odd")
            return numbers

    body = b'{"numbers": ' + json_list(b"1", LARGE) + b"}"

    assert post(Even, body) == [(["body", "numbers"], "value_error")]
