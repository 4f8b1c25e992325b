"""A dependency runs once per request for all that depend on the same callable."""

import typing as t
from dataclasses import InitVar, dataclass, field
from functools import cached_property, partial

import pytest
from client import client_of

from flask_signature import Blueprint, Depends, Flask


class Guard:
    """What the guards have in common: each says that it was called."""

    def __call__(self) -> None:
        CALLED.append(type(self).__name__)

    def check(self) -> None:
        CALLED.append(type(self).__name__)


CALLED: list[str] = []


@pytest.fixture(autouse=True)
def nothing_is_called() -> None:
    CALLED.clear()


def inside() -> str:
    """A view behind guards."""
    return "in"


T = t.TypeVar("T")


class NeedTenant(t.NamedTuple):
    name: str
    __call__ = Guard.__call__


class NeedRole(t.NamedTuple):
    name: str
    __call__ = Guard.__call__


Text, OtherText = (type("Text", (Guard, str), {}) for _ in range(2))
Number, OtherNumber = (type("Number", (Guard, int), {}) for _ in range(2))


class SameAsAll(Guard):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


@dataclass(unsafe_hash=True)
class Mutable(Guard):
    option: object


@dataclass(frozen=True)
class Need(Guard):
    option: object
    note: object = field(default=None, compare=False)

    @cached_property
    def shown(self) -> str:
        return f"{self.option}"


@dataclass(frozen=True)
class Derived(Guard):
    option: InitVar[object]

    def __post_init__(self, option: object) -> None:
        object.__setattr__(self, "_option", option)


@dataclass(frozen=True)
class NeedText(Guard, str):
    def __new__(cls, text):
        return super().__new__(cls, text)

    def __init__(self, text): ...


@dataclass(frozen=True)
class OtherNeed(Need): ...


@dataclass(frozen=True, eq=False)
class Itself(Guard):
    option: object


DIFFERENT = {
    "named tuples": (NeedTenant("admin"), NeedRole("admin")),
    "one class of named tuples": (NeedTenant("admin"), NeedTenant("admin")),
    "strings": (Text("admin"), OtherText("admin")),
    "integers": (Number(1), OtherNumber(1)),
    "an equality of their own": (SameAsAll(), SameAsAll()),
    "dataclasses that change": (Mutable(1), Mutable(1)),
    "types of a field": (Need(1), Need(True)),
    "types in a tuple": (Need((1,)), Need((True,))),
    "types in a frozen set": (Need(frozenset({1})), Need(frozenset({True}))),
    "types in a dataclass": (Need(Need(1)), Need(Need(True))),
    "types in a dataclass in a tuple": (Need((Need(0),)), Need((Need(False),))),
    "kinds of tuples": (Need(NeedTenant("a")), Need(NeedRole("a"))),
    "types of arguments": (Need(t.Literal[1]), Need(t.Literal[True])),
    "fields that are not compared": (Need(1, note=1), Need(1, note=2)),
    "lists in a field": (Need([1]), Need([1])),
    "what is kept besides the fields": (Derived(1), Derived(2)),
    "dataclasses that are strings": (NeedText("a"), NeedText("b")),
    "a subclass": (Need(1), OtherNeed(1)),
    "dataclasses without equality": (Itself(1), Itself(1)),
    "methods of equal objects": (Need(1).check, Need(True).check),
    "methods of two objects": (Need(1).check, Need(1).check),
}


class Counted:
    """A dependency that counts its calls, and is equal to itself alone."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        return self.calls


@pytest.mark.parametrize(
    ("is_shared", "shown"), [(True, ["1 1 1", "2 2 2"]), (False, ["1 2 1", "3 4 3"])]
)
def test_d9_the_shared_end_of_a_diamond_runs_once(is_shared, shown):
    count = Counted()

    def left(n=Depends(count)) -> int:
        return n

    def right(n=Depends(count, use_cache=is_shared)) -> int:
        return n

    def show(left=Depends(left), right=Depends(right), n=Depends(count)) -> str:
        return f"{left} {right} {n}"

    client = client_of(show)

    assert [client.get("/").text for _ in shown] == shown


def test_what_is_not_shared_opens_a_generator_for_each():
    opened, closed = [], []

    def get_db():
        opened.append(len(opened))
        yield opened[-1]
        closed.append(len(closed))

    Own = t.Annotated[int, Depends(get_db, use_cache=False)]

    def show(a: Own, b: Own) -> str:
        return f"{a} {b}"

    assert client_of(show).get("/").text == "0 1"
    assert closed == [0, 1]


@dataclass(frozen=True)
class Limit:
    """A dependency with a parameter of its own."""

    most: int
    seen: list[int]

    def __call__(self, n: int = 0) -> str:
        self.seen.append(self.most)
        return f"{n}/{self.most}"

    def __hash__(self) -> int:
        return hash(self.most)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Limit) and other.most == self.most


def test_equal_instances_are_one_dependency():
    seen = []

    def inner(limit=Depends(Limit(10, seen))) -> str:
        return limit

    def show(
        a=Depends(Limit(10, seen)), b=Depends(Limit(20, seen)), c=Depends(inner)
    ) -> str:
        return f"{a} {b} {c}"

    assert client_of(show).get("/?n=3").text == "3/10 3/20 3/10"
    assert seen == [10, 20]


different = pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)


@different
def test_guards_that_are_not_the_same_are_both_called(one, other):
    client = client_of(inside, dependencies=[Depends(one), Depends(other)])

    assert client.get("/").text == "in"
    assert len(CALLED) == 2


@different
def test_an_override_is_for_one_guard_and_not_for_another_one(app, client, one, other):
    app.get("/one", endpoint="one", dependencies=[Depends(one)])(inside)
    app.get("/other", endpoint="other", dependencies=[Depends(other)])(inside)
    app.dependency_overrides[one] = lambda: None

    assert client.get("/one").text == "in"
    assert CALLED == []
    assert client.get("/other").text == "in"
    assert len(CALLED) == 1


SAME = {
    "values": lambda: Need("admin"),
    "tuples": lambda: Need(("admin", 1, (True,))),
    "frozen sets": lambda: Need(frozenset({"admin", 1.0})),
    "dataclasses": lambda: Need((Need("admin"), NeedTenant("a"))),
    "arguments of types": lambda: Need(list[t.Literal[1]]),
    "what is kept besides the fields": lambda: Derived(("admin",)),
}


@pytest.mark.parametrize("make", SAME.values(), ids=SAME)
def test_frozen_dataclasses_of_the_same_types_and_values_are_one_guard(
    app, client, make
):
    app.get("/", dependencies=[make(), make()])(inside)

    assert client.get("/").text == "in"
    assert len(CALLED) == 1

    app.dependency_overrides[make()] = lambda: None
    assert client.get("/").text == "in"
    assert len(CALLED) == 1


def test_what_a_guard_computes_and_keeps_does_not_make_it_another_one():
    need = Need(1)
    assert need.shown == "1"

    assert client_of(inside, dependencies=[need, Need(1)]).get("/").text == "in"
    assert len(CALLED) == 1


def test_an_annotated_generic_class_is_overridden_by_the_same_one(app, client):
    class Box(t.Generic[T]):
        text = "real"

    class Fake:
        text = "fake"

    @app.get("/")
    def show(box: t.Annotated[Box[int], Depends()]) -> str:
        return box.text

    app.dependency_overrides[Box[bool]] = Fake
    assert client.get("/").text == "real"
    app.dependency_overrides[t._GenericAlias(Box, (int,))] = Fake
    assert client.get("/").text == "fake"


@dataclass
class CountedWithoutHash:
    n: int = 0

    def __call__(self) -> int:
        self.n += 1
        return self.n

    count = __call__


@pytest.mark.parametrize("find", [lambda one: one, lambda one: one.count])
def test_instances_without_a_hash_and_their_methods_are_themselves(find):
    one, other = CountedWithoutHash(), CountedWithoutHash()

    def show(a=Depends(find(one)), b=Depends(find(one)), c=Depends(find(other))) -> str:
        return f"{a} {b} {c} {one.n} {other.n}"

    assert client_of(show).get("/").text == "1 1 1 1 1"


def test_two_partials_are_two_dependencies():
    seen = []

    def note(text: str) -> str:
        seen.append(text)
        return text

    def show(a=Depends(partial(note, text="a")), b=Depends(partial(note, text="b"))):
        return f"{a}{b}"

    assert client_of(show).get("/?text=evil").text == "ab"
    assert seen == ["a", "b"]


def test_a_guard_and_an_argument_share_one_value():
    count = Counted()
    bp = Blueprint("bp", __name__, dependencies=[count])

    @bp.get("/", dependencies=[Depends(count)])
    def show(n=Depends(count)) -> str:
        return str(n)

    app = Flask(__name__, dependencies=[count])
    app.register_blueprint(bp, dependencies=[count])
    client = app.test_client()

    assert client.get("/").text == "1"
    assert client.get("/").text == "2"


def test_a_value_that_is_none_is_shared_as_any_other():
    calls = []

    def nothing():
        calls.append(1)

    def inner(x=Depends(nothing)): ...

    def show(a=Depends(nothing), b=Depends(inner), c=Depends(nothing)) -> str:
        return f"{a} {b} {c}"

    assert client_of(show).get("/").text == "None None None"
    assert len(calls) == 1


def test_a_nested_request_has_values_of_its_own(app, client):
    count = Counted()

    @app.get("/inner")
    def inner(n=Depends(count)) -> str:
        return str(n)

    @app.get("/")
    def outer(n=Depends(count)) -> str:
        return f"{n} {app.test_client().get('/inner').text} {n}"

    assert client.get("/").text == "1 2 1"


def test_dependencies_of_two_functions_of_one_name_are_two():
    def make(value):
        def get_value() -> str:
            return value

        return get_value

    def show(a=Depends(make("a")), b=Depends(make("b"))) -> str:
        return a + b

    assert client_of(show).get("/").text == "ab"


def test_arguments_of_two_functions_of_one_name_do_not_meet():
    def make(default):
        def read(n: int = default, name: str = "") -> str:
            return f"{name}{n}"

        return read

    def inner(value=Depends(make(1))) -> str:
        return value

    def show(n: int = 1, name: str = "", a=Depends(inner), b=Depends(make(1))) -> str:
        return f"{n} {name} {a} {b}"

    assert client_of(show).get("/?n=5&name=x").text == "5 x x5 x5"
