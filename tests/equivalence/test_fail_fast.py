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

from hypothesis import HealthCheck, example, given, reject, settings
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


def raising(error: type[Exception], sent: str) -> t.Callable[[t.Any], t.Any]:
    """A validator that raises where a value is the one sent."""

    def validate(value: t.Any) -> t.Any:
        if value == sent:
            raise error
        return value

    return validate


def or_zero(value: t.Any, handler: t.Callable[[t.Any], t.Any]) -> t.Any:
    try:
        return handler(value)
    except ValidationError as error:
        return -len(error.errors())


class Node(BaseModel):
    value: int
    left: Node | None = None
    right: Node | None = None


class Tree(BaseModel, extra="forbid"):
    children: list[Tree] = []
    tag: t.Literal["tree"] = "tree"


class Planted(BaseModel):
    tree: Tree
    node: Node


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


class Square(BaseModel, extra="forbid"):
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
    t.Annotated[int, AfterValidator(odd)],
    t.Annotated[int, BeforeValidator(raising(KeyError, "fail"))],
    t.Annotated[int, BeforeValidator(raising(PydanticUseDefault, "default"))],
    t.Annotated[Decimal, BeforeValidator(no_list)],
    t.Annotated[t.Any, BeforeValidator(raising(PydanticOmit, "omit"))],
    t.Annotated[list[int], WrapValidator(or_zero)],
]

CONFIGS = [{}, {"strict": True}, {"from_attributes": True}]
CONFIGS += [{"extra": "forbid"}, {"extra": "allow"}]

numbers = iter(range(10**9))


def models(inner: st.SearchStrategy[t.Any]) -> st.SearchStrategy[t.Any]:
    fields = st.lists(st.tuples(inner, st.booleans()), min_size=1, max_size=4)

    def build(declared: list[tuple[t.Any, bool]], config: ConfigDict) -> t.Any:
        given = {
            name: (tp, ... if required else None)
            for name, (tp, required) in zip("abcd", declared, strict=False)
        }
        return create_model(f"Model{next(numbers)}", __config__=config, **given)

    return st.builds(build, fields, st.sampled_from(CONFIGS))


def compounds(inner: st.SearchStrategy[t.Any]) -> st.SearchStrategy[t.Any]:
    unions = st.tuples(inner, inner).map(lambda pair: t.Union[pair])
    in_order = Field(union_mode="left_to_right")
    return st.one_of(
        inner.map(lambda tp: list[tp]),
        inner.map(lambda tp: dict[str, tp]),
        inner.map(lambda tp: tuple[tp, int]),
        inner.map(lambda tp: tuple[tp, ...]),
        inner.map(lambda tp: t.Optional[tp]),
        inner.map(lambda tp: list[OnErrorOmit[tp]]),
        unions,
        unions.map(lambda union: t.Annotated[union, in_order]),
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
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return fitting((root, draw(st.sampled_from(choices))), draw, depth + 1)
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        extra = schema.get("additionalProperties", False)
        found = {
            name: fitting((root, part), draw, depth + 1)
            for name, part in properties.items()
            if name in schema.get("required", ()) or draw(st.booleans())
        }
        if isinstance(extra, dict) and not properties:
            found["k"] = fitting((root, extra), draw, depth + 1)
        return found | ({"other": 1} if draw(st.integers(0, 9)) == 0 else {})
    if schema.get("type") == "array":
        items = [schema.get("items", {})] * draw(st.integers(0, 3))
        parts = schema.get("prefixItems") or items
        return [fitting((root, part), draw, depth + 1) for part in parts]
    return draw(st.sampled_from(fitting_scalars(schema)))


def fitting_scalars(schema: t.Any) -> list[t.Any]:
    if "const" in schema or "enum" in schema:
        return schema.get("enum") or [schema["const"]]
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
        return validate(value)
    except ValidationError:
        return "refused"
    except Exception as error:
        return type(error)


def same(one: t.Any, other: t.Any) -> bool:
    """Whether two values are of the same types, with the same fields set."""
    if type(one) is not type(other):
        return False
    if isinstance(one, BaseModel):
        pairs = [
            (getattr(one, name), getattr(other, name))
            for name in ("model_fields_set", "model_extra", "__dict__")
        ]
        return all(same(*pair) for pair in pairs)
    if isinstance(one, dict):
        keys = list(one) == list(other)
        return keys and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
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
@example((TypeAdapter(Planted), {"tree": {"children": [{}]}, "node": {"value": 1}}))
@example((TypeAdapter(list[Shape]), [{"kind": "circle", "radius": 1}, {"kind": "x"}]))
@example((TypeAdapter(Alias), {"byAlias": 1}))
@example((TypeAdapter(list[Node | Tree]), [{"value": 1, "left": {}}]))
def test_both_validators_make_the_same_value_or_both_refuse(case):
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
    is_refused = isinstance(found, str) and found == "refused"
    # An exception that is no refusal, such as an error of the author's own, may be
    # prevented by a value that is refused before it; and an item that is wrong ends a
    # list before one that asks for the default.
    if isinstance(expected, type) or (is_refused and b"default" in body):
        return
    if isinstance(expected, str) and expected == "refused":
        assert is_refused or isinstance(found, type), found
    else:
        assert same(found, expected), (found, expected)
