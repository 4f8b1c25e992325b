"""What large input is read by makes the values that the ordinary validator makes."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import typing as t
from datetime import date, timedelta
from decimal import Decimal
from uuid import UUID

from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Json,
    OnErrorOmit,
    Tag,
    TypeAdapter,
    ValidationError,
    WrapValidator,
    create_model,
    model_validator,
)
from pydantic_core import PydanticOmit, PydanticUseDefault
from typing_extensions import NotRequired, TypedDict

from flask_signature._inbound.limits import BoundedValidator

#: More by ``FAIL_FAST_EXAMPLES=10000 pytest tests/equivalence/test_fail_fast.py``.
EXAMPLES = int(os.environ.get("FAIL_FAST_EXAMPLES", "150"))


def no_list(value: t.Any) -> t.Any:
    # Of three numbers Python makes a decimal, or raises what is no refusal.
    if isinstance(value, list):
        raise ValueError("a list")
    return value


def odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("even")
    return value


def use_default(value: t.Any) -> t.Any:
    if value == "default":
        raise PydanticUseDefault
    return value


def omit(value: t.Any) -> t.Any:
    if value == "omit":
        raise PydanticOmit
    return value


def fail(value: t.Any) -> t.Any:
    if value == "fail":
        raise KeyError("the author's own")
    return value


def or_zero(value: t.Any, handler: t.Callable[[t.Any], t.Any]) -> t.Any:
    try:
        return handler(value)
    except ValidationError as error:
        return -len(error.errors())


class Node(BaseModel):
    value: int
    left: Node | None = None
    right: Node | None = None


class Tree(BaseModel):
    model_config = ConfigDict(extra="forbid")

    children: list[Tree] = []
    tag: t.Literal["tree"] = "tree"


class Alias(BaseModel):
    by_alias: int = Field(alias="byAlias")
    any_value: t.Any


class Checked(BaseModel):
    a: int = 0
    b: int = 0

    @model_validator(mode="after")
    def check(self) -> Checked:
        if self.a > self.b:
            raise ValueError("a is larger")
        return self


class Hooked(BaseModel):
    a: int
    _seen: list[int] = []

    def model_post_init(self, context: t.Any) -> None:
        if self.a == 13:
            raise KeyError("unlucky")


class Row(t.NamedTuple):
    x: int
    y: str = "y"


class Dict(TypedDict):
    x: int
    y: NotRequired[t.Any]


@dataclasses.dataclass
class Pair:
    x: int
    y: list[int] = dataclasses.field(default_factory=list)


class Circle(BaseModel):
    kind: t.Literal["circle"]
    radius: int


class Square(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: t.Literal["square"]
    side: int


Shape = t.Annotated[t.Union[Circle, Square], Field(discriminator="kind")]
Named = t.Annotated[
    t.Annotated[Circle, Tag("dict")] | t.Annotated[int, Tag("int")],
    Discriminator(lambda value: "dict" if isinstance(value, dict) else "int"),
]

LEAVES: list[t.Any] = [
    *(int, str, float, bool, bytes, date, timedelta, UUID, None, t.Any),
    *(t.Literal["a", 1], t.Annotated[int, Field(ge=2)], Json[list[int]]),
    *(Node, Tree, Alias, Checked, Hooked, Row, Dict, Pair, Shape, Named),
    *(t.Annotated[int, AfterValidator(odd)], t.Annotated[int, BeforeValidator(fail)]),
    t.Annotated[int, BeforeValidator(use_default)],
    t.Annotated[Decimal, BeforeValidator(no_list)],
    t.Annotated[t.Any, BeforeValidator(omit)],
    t.Annotated[list[int], WrapValidator(or_zero)],
]

numbers = iter(range(10**9))


def models(inner: st.SearchStrategy[t.Any]) -> st.SearchStrategy[t.Any]:
    fields = st.lists(st.tuples(inner, st.booleans()), min_size=1, max_size=4)
    configs = st.sampled_from(
        [
            ConfigDict(),
            ConfigDict(extra="forbid"),
            ConfigDict(extra="allow"),
            ConfigDict(strict=True),
            ConfigDict(from_attributes=True),
        ]
    )

    def build(declared: list[tuple[t.Any, bool]], config: ConfigDict) -> t.Any:
        given = {
            name: (tp, ... if required else None)
            for name, (tp, required) in zip("abcd", declared, strict=False)
        }
        name = f"Model{next(numbers)}"
        return create_model(name, __config__=config, **given)  # type: ignore[call-overload]

    return st.builds(build, fields, configs)


def compounds(inner: st.SearchStrategy[t.Any]) -> st.SearchStrategy[t.Any]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        inner.map(lambda tp: list[tp]),
        inner.map(lambda tp: dict[str, tp]),
        inner.map(lambda tp: tuple[tp, int]),
        inner.map(lambda tp: tuple[tp, ...]),
        inner.map(lambda tp: t.Optional[tp]),
        inner.map(lambda tp: list[OnErrorOmit[tp]]),
        pairs.map(lambda pair: t.Union[pair]),
        pairs.map(
            lambda pair: t.Annotated[
                t.Union[pair],
                Field(union_mode="left_to_right"),
            ]
        ),
        models(inner),
        models(inner),
    )


types = st.recursive(st.sampled_from(LEAVES), compounds, max_leaves=5)

KEYS = ["a", "b", "c", "d", "x", "y", "value", "left", "right", "children", "tag"]
KEYS += ["byAlias", "any_value", "kind", "radius", "side", "other"]
SCALARS: list[t.Any] = [
    *(0, 1, 2, 13, -1, 1.5, 1e300, True, None, "", "a", "1", "2020-01-01", "P1D"),
    *("default", "omit", "fail", "circle", "square", "tree", "[1]", '["a"]'),
    "12345678-1234-5678-1234-567812345678",
]
values = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    ),
    max_leaves=12,
)


def fitting(schema: t.Any, draw: t.Any, depth: int = 0) -> t.Any:
    """A value that may fit a JSON schema, as most do not by chance."""
    if depth > 5 or draw(st.integers(0, 11)) == 0:
        return draw(values)
    root, schema = schema
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            chosen = draw(st.sampled_from(schema[key]))
            return fitting((root, chosen), draw, depth + 1)
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        required = set(schema.get("required", ()))
        extra = schema.get("additionalProperties", False)
        found = {
            name: fitting((root, part), draw, depth + 1)
            for name, part in properties.items()
            if name in required or draw(st.booleans())
        }
        if isinstance(extra, dict) and not properties:
            found["k"] = fitting((root, extra), draw, depth + 1)
        if draw(st.integers(0, 9)) == 0:
            found["other"] = 1
        return found
    if kind == "array":
        parts = schema.get("prefixItems") or [schema.get("items", {})] * draw(
            st.integers(0, 3)
        )
        return [fitting((root, part), draw, depth + 1) for part in parts]
    return draw(st.sampled_from(fitting_scalars(schema)))


def fitting_scalars(schema: t.Any) -> list[t.Any]:
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return list(schema["enum"])
    kinds = {"integer": [0, 1, 2, 13, "1"], "number": [1.5, 1], "boolean": [True]}
    formats = {"date": ["2020-01-01"], "duration": ["P1D", 1e300], "uuid": SCALARS[-1:]}
    usual = formats.get(schema.get("format", ""), SCALARS)
    return kinds.get(schema.get("type", ""), usual)


@st.composite
def cases(draw: t.Any) -> tuple[t.Any, t.Any]:
    try:
        adapter: TypeAdapter[t.Any] = TypeAdapter(draw(types))
    except RuntimeError:
        # A union of one type twice is that type, which has no mode.
        reject()
    try:
        schema = adapter.json_schema()
    except Exception:
        return adapter, draw(values)
    return adapter, fitting((schema, schema), draw)


def outcome(validate: t.Callable[[t.Any], t.Any], value: t.Any) -> t.Any:
    """The value, or what kind of exception there is."""
    try:
        made = validate(value)
    except ValidationError:
        return "refused"
    except Exception as error:
        return type(error)
    return made


def same(one: t.Any, other: t.Any) -> bool:
    """Whether two values are of the same types, with the same fields set."""
    if isinstance(one, BaseModel) and type(one) is type(other):
        sets = one.model_fields_set, other.model_fields_set
        extras = one.model_extra, other.model_extra
        return same(sets[0], sets[1]) and same(*extras) and same(vars(one), vars(other))
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        keys = list(one) == list(other)
        return keys and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        lengths = len(one) == len(other)
        return lengths and all(map(same, one, other))
    if dataclasses.is_dataclass(one):
        return same(vars(one), vars(other))
    return bool(one == other) or one != one


#: Bytes that make a body large: once for each validator that may be called first.
SPACES = [200_000, 600_000]


@settings(
    max_examples=EXAMPLES,
    # More are drawn at random.
    derandomize="FAIL_FAST_EXAMPLES" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(cases())
def test_both_validators_make_the_same_value_or_both_refuse(
    case: tuple[TypeAdapter[t.Any], t.Any],
) -> None:
    adapter, value = case
    ordinary = adapter.validator
    bounded = BoundedValidator(adapter)
    body = json.dumps(value).encode()
    from_json = outcome(ordinary.validate_json, body)
    from_parts = outcome(
        lambda item: ordinary.validate_python(item, strict=False), value
    )

    for spaces in SPACES:
        check(outcome(bounded.validate_json, body + b" " * spaces), from_json, body)
    found = outcome(lambda item: bounded.validate_parts(item, math.inf), value)
    check(found, from_parts, body)


def check(found: t.Any, expected: t.Any, body: bytes) -> None:
    if isinstance(expected, type):
        # An exception that is no refusal, such as an error of the author's own, which a
        # value that is refused before it may prevent.
        return
    if isinstance(found, str) and found == "refused" and b"default" in body:
        # An item that is wrong ends a list before one that asks for the default.
        return
    if isinstance(expected, str) and expected == "refused":
        refused = isinstance(found, str) and found == "refused"
        assert refused or isinstance(found, type), found
    else:
        assert same(found, expected), (found, expected)
