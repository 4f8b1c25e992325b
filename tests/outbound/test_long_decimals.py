"""A decimal with a huge exponent is sent, or it is an error: no response hangs."""

from __future__ import annotations

import enum
import functools
import json
import subprocess
import sys
import typing as t
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ByteSize, Field, TypeAdapter, ValidationError
from returned import returning
from typing_extensions import TypeAliasType

from flask_signature._types.adapters import input_schema, output_validator, validator_of

#: A program that prints the status and the body of each response, which a conversion of
#: the decimal would never send. Threads can't be stopped, and processes can.
PROGRAM: t.Final = """
import dataclasses, enum, json, sys
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction
from typing import *
from pydantic import BaseModel, ByteSize, Field, PositiveInt, RootModel, Secret
from typing_extensions import TypedDict
from flask_signature import Flask

class Number(enum.IntEnum):
    ONE = 1

class Item(BaseModel):
    n: int = 0
    exact: Fraction | None = None
    either: int | Decimal = 0
    more: list[int] = []
    inner: "Item | None" = None

class Page(BaseModel, Generic[TypeVar("T")]):
    items: list[int]

class Entry(TypedDict):
    n: int

@dataclasses.dataclass
class Row:
    n: int

class Headers(TypedDict):
    X_Count: Annotated[int, Field(alias="X-Count")]

for annotation, value, number in json.load(sys.stdin):
    long = Decimal(number)
    app = Flask(__name__)
    app.logger.disabled = True

    def view():
        return eval(value)

    # Replaced by a type.
    view.__annotations__ = {"return": eval(annotation)}
    app.get("/")(view)
    response = app.test_client().get("/")
    print(json.dumps([response.status_code, response.text.strip()]), flush=True)
"""

#: Seconds that a process may take, which needs less than three.
LONG: t.Final = 60

#: The decimal, and one that is as long behind the point.
HUGE, TINY = "1E999999999", "1E-999999999"


RETURNED: t.Final[dict[str, tuple[str, str]]] = {
    "int": ("int", "{0: long}[0]"),
    "model": ("Item", "{'n': long}"),
    "fraction": ("Item", "{'exact': long}"),
    "list-in-a-model": ("Item", "{'more': [1, long]}"),
    "model-in-a-model": ("Item", "{'inner': {'n': long}}"),
    "list": ("list[int]", "[long]"),
    "models": ("list[Item]", "[{'n': 1}, {'n': long}]"),
    "dict": ("dict[str, int]", "{'a': long}"),
    "keys": ("dict[int, str]", "{long: 'a'}"),
    "tuple": ("list[tuple[int, str]]", "[(long, 'a')]"),
    "optional": ("Item | None", "{'n': long}"),
    "union": ("list[int | str]", "[long]"),
    "enumeration": ("list[Number]", "[long]"),
    "constrained": ("list[PositiveInt]", "[long]"),
    "size": ("list[ByteSize]", "[long]"),
    "counter": ("Counter[str]", "{'a': long}"),
    "deque": ("deque[int]", "[long]"),
    "secret": ("list[Secret[int]]", "[long]"),
    "typed-dict": ("Entry", "{'n': long}"),
    "typed-dicts": ("list[Entry]", "[{'n': long}]"),
    "dataclass": ("Row", "{'n': long}"),
    "instance": ("Item", "Item.model_construct(n=long)"),
    "status": ("tuple[Item, Literal[201]]", "({'n': long}, 201)"),
    "header": ("tuple[Item, Literal[200], Headers]", "({}, 200, {'X-Count': long})"),
}


SENT: t.Final[dict[str, tuple[str, str, str]]] = {
    "decimal": ("list[Decimal]", "[long]", '["1E+999999999"]'),
    "union": ("list[int | Decimal]", "[long]", '["1E+999999999"]'),
    "anything": ("list[Any]", "[long]", '["1E+999999999"]'),
    "string": ("list[Decimal | str]", "[long]", '["1E+999999999"]'),
    "no model": ("Any", "{'n': long}", '{"n":"1E+999999999"}'),
}

FAILED: t.Final = (500, '{"message":"An internal error occurred."}')

#: A type, a value and the decimal.
Case: t.TypeAlias = tuple[str, str, str]

CASES: t.Final[list[Case]] = [
    *((annotation, value, HUGE) for annotation, value in RETURNED.values()),
    ("Item", "{'n': long}", TINY),
    *((annotation, value, HUGE) for annotation, value, _ in SENT.values()),
]


@functools.cache
def responses() -> dict[Case, tuple[int, str]]:
    """The responses of all cases up to the first that hangs."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={"PYTHONPATH": ":".join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            printed, _ = process.communicate(json.dumps(CASES), timeout=LONG)
        except subprocess.TimeoutExpired:
            process.kill()
            printed, _ = process.communicate()
    found = [tuple(json.loads(line)) for line in printed.splitlines()]
    return dict(zip(CASES, found, strict=False))


@pytest.mark.parametrize("returned", RETURNED.values(), ids=RETURNED)
def test_number_that_a_long_decimal_can_not_be_is_a_failed_response(returned):
    assert responses()[(*returned, HUGE)] == FAILED


def test_long_decimal_with_a_negative_exponent_is_a_failed_response():
    assert responses()["Item", "{'n': long}", TINY] == FAILED


@pytest.mark.parametrize(("annotation", "value", "sent"), SENT.values(), ids=SENT)
def test_long_decimal_is_sent_as_a_string(annotation, value, sent):
    assert responses()[annotation, value, HUGE] == (200, sent)


class Item(BaseModel):
    n: int
    exact: Fraction


def test_decimal_with_fewer_digits_is_an_integer():
    value = {"n": Decimal("1E20"), "exact": Decimal("0.5")}
    assert returning(Item, value).json == {"n": 10**20, "exact": "1/2"}


# What is bounded is otherwise what Pydantic makes of it.


class Number(enum.IntEnum):
    ONE = 1
    TWO = 2


class Kind(enum.Enum):
    ONE = 1


TYPES: t.Final = [
    *(int, float, bool, str, bytes, Decimal, Fraction, Number, Kind, ByteSize),
    *(t.Annotated[int, Field(ge=2)], t.Annotated[int, Field(strict=True)], type(None)),
    *(t.Literal[1], list[int], dict[str, int], tuple[int, str], t.Any, list[Decimal]),
]
VALUES: t.Final = [
    *(0, 1, 2, True, False, 1.0, 1.5, float("nan"), 10**30, None, b"1"),
    *("1", "x", "1.0", "1/2", "1E5", Decimal(1), Decimal("1.5"), Fraction(1, 2)),
    *(Fraction(5), Number.ONE, Kind.ONE, [1, "2"], {"a": "1"}, (1, "a"), object()),
]


def outcome(validator: t.Any, value: t.Any) -> t.Any:
    try:
        made = validator.validate_python(value)
    except ValidationError as error:
        return [(item["loc"], item["type"], item["msg"]) for item in error.errors()]
    except (TypeError, ValueError, ArithmeticError) as error:
        return type(error)
    return type(made), repr(made)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
def test_types_with_bounds_are_what_they_are_to_pydantic(types):
    adapter: t.Any = TypeAdapter(t.Union[tuple(types)])
    validators = (
        validator_of(input_schema(adapter.core_schema)),
        output_validator(adapter.core_schema) or adapter.validator,
    )

    for value in VALUES:
        expected = outcome(adapter.validator, value)
        assert [outcome(item, value) for item in validators] == [expected] * 2


Count = TypeAliasType("Count", int)


class Line(BaseModel):
    n: Count
    more: list[Count] = []
    number: Number = Number.ONE
    other: Number = Number.ONE
    either: int | str = 0


@pytest.mark.parametrize("n", [7, True, "7", 7.0, Decimal(7)])
def test_definition_of_an_integer_is_used_in_each_place(n):
    value = {"n": n, "more": [n], "number": 2, "either": "7"}
    expected = {"n": int(n), "more": [int(n)], "number": 2, "other": 1, "either": "7"}
    assert returning(list[Line], [value]).json == [expected]
