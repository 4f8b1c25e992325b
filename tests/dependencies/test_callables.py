"""Each kind of callable is a dependency, and its arguments are read and described."""

import functools
import typing as t
from dataclasses import dataclass, field
from functools import partial

import pytest
from client import client_of
from messages import message_of, place_of
from pydantic import Field

from flask_signature import Depends, Query


def function(n: int = 1) -> str:
    return f"function {n}"


class Shown:
    """What shows the name of its class and its number."""

    n: int

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.n}"


class Written(Shown):
    def __init__(self, n: int = 1) -> None:
        self.n = n


class Inheriting(Written):
    """A class whose arguments are those of its base."""


class MakesItself(Shown):
    def __new__(cls, n: int = 1):
        instance = super().__new__(cls)
        instance.n = n
        return instance


@dataclass
class Data(Shown):
    n: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstrainedData(Shown):
    n: t.Annotated[int, Field(ge=0)] = 1


class Named(t.NamedTuple):
    n: int = 1
    __str__ = Shown.__str__


T = t.TypeVar("T")


class Generic(Shown, t.Generic[T]):
    def __init__(self, n: int = 1) -> None:
        self.n = n


class Methods:
    def method(self, n: int = 1) -> str:
        return f"method {n}"

    @classmethod
    def of_class(cls, n: int = 1) -> str:
        return f"{cls.__name__} {n}"

    @staticmethod
    def static(n: int = 1) -> str:
        return f"static {n}"

    def generator(self, n: int = 1) -> t.Iterator[str]:
        yield f"generator method {n}"

    async def coroutine(self, n: int = 1) -> str:
        return f"coroutine method {n}"

    async def async_generator(self, n: int = 1) -> t.AsyncIterator[str]:
        yield f"async generator method {n}"


def instance_with(method: t.Any) -> t.Any:
    """An object that is called as a method of a class is."""
    return type("Instance", (), {"__call__": method})()


def generator(n: int = 1) -> t.Iterator[str]:
    yield f"generator {n}"


async def coroutine(n: int = 1) -> str:
    return f"coroutine {n}"


async def async_generator(n: int = 1) -> t.AsyncIterator[str]:
    yield f"async generator {n}"


def two(kind: str, n: int = 1, *, end: str = "") -> str:
    return f"{kind} {n}{end}"


def two_of_generator(kind: str, n: int = 1) -> t.Iterator[str]:
    yield f"{kind} {n}"


async def two_of_coroutine(kind: str, n: int = 1) -> str:
    return f"{kind} {n}"


class Pair:
    def __init__(self, kind: str, n: int = 1) -> None:
        self.kind, self.n = kind, n

    def __str__(self) -> str:
        return f"{self.kind} {self.n}"


def decorator(function):
    """The usual decorator, which knows nothing of what is returned."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def exhausting(function):
    """A decorator that returns what a generator yields."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return next(function(*args, **kwargs))

    return wrapper


def blocking(function):
    """A decorator that runs a coroutine to its end."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            function(*args, **kwargs).send(None)
        except StopIteration as stop:
            return stop.value

    return wrapper


CALLABLES: t.Final = {
    "function": (function, "function 7"),
    "class": (Written, "Written 7"),
    "class-without-its-own-init": (Inheriting, "Inheriting 7"),
    "class-with-new": (MakesItself, "MakesItself 7"),
    "dataclass": (Data, "Data 7"),
    "frozen-dataclass": (ConstrainedData, "ConstrainedData 7"),
    "named-tuple": (Named, "Named 7"),
    "generic-class": (Generic, "Generic 7"),
    "generic-alias": (Generic[int], "Generic 7"),
    "method": (Methods().method, "method 7"),
    "class-method": (Methods.of_class, "Methods 7"),
    "static-method": (Methods.static, "static 7"),
    "generator-method": (Methods().generator, "generator method 7"),
    "coroutine-method": (Methods().coroutine, "coroutine method 7"),
    "instance": (instance_with(Methods.method), "method 7"),
    "generator-instance": (instance_with(Methods.generator), "generator method 7"),
    "coroutine-instance": (instance_with(Methods.coroutine), "coroutine method 7"),
    "async-generator-instance": (
        instance_with(Methods.async_generator),
        "async generator method 7",
    ),
    "generator": (generator, "generator 7"),
    "coroutine": (coroutine, "coroutine 7"),
    "async-generator": (async_generator, "async generator 7"),
    "partial": (partial(two, kind="partial", end="!"), "partial 7!"),
    "partial-by-position": (partial(two, "first", end=""), "first 7"),
    "partial-of-partial": (partial(partial(two, end="?"), kind="inner"), "inner 7?"),
    "partial-of-generator": (partial(two_of_generator, kind="gen"), "gen 7"),
    "partial-of-coroutine": (partial(two_of_coroutine, kind="coro"), "coro 7"),
    "partial-of-class": (partial(Pair, kind="class"), "class 7"),
    "partial-of-method": (partial(Methods().method), "method 7"),
    "decorated": (decorator(function), "function 7"),
    "decorated-generator": (decorator(generator), "generator 7"),
    "decorated-twice": (decorator(decorator(generator)), "generator 7"),
    "decorated-coroutine": (decorator(coroutine), "coroutine 7"),
    "decorated-async-generator": (decorator(async_generator), "async generator 7"),
    "exhausted-generator": (exhausting(generator), "generator 7"),
    "blocked-coroutine": (blocking(coroutine), "coroutine 7"),
    "partial-of-decorated": (partial(decorator(two_of_generator), kind="a"), "a 7"),
}


@pytest.mark.parametrize(
    ("dependency", "shown"), CALLABLES.values(), ids=CALLABLES.keys()
)
def test_d11_each_kind_of_callable_works_and_is_described(dependency, shown):
    def show(value: t.Annotated[t.Any, Depends(dependency)]) -> str:
        return str(value)

    client = client_of(show, config={})

    assert client.get("/?n=7&kind=evil&end=evil").text == shown
    assert client.get("/").text == shown.replace("7", "1")
    refused = client.get("/?n=x")
    assert refused.status_code == 422
    assert [entry["loc"] for entry in refused.json["detail"]] == [["query", "n"]]
    operation = client.get("/openapi.json").json["paths"]["/"]["get"]
    assert [item["name"] for item in operation["parameters"]] == ["n"]
    assert operation["parameters"][0]["schema"]["default"] == 1
    assert operation["parameters"][0]["schema"]["type"] == "integer"


def annotated(value: t.Annotated[Data, Depends()]) -> str:
    return str(value)


def as_a_default(value: Data = Depends()) -> str:
    return str(value)


@pytest.mark.parametrize("view", [annotated, as_a_default])
def test_depends_alone_means_the_annotated_class(view):
    assert client_of(view).get("/?n=7").text == "Data 7"


def test_depends_alone_means_a_generic_class_with_its_type():
    def show(value: t.Annotated[Generic[int], "a note", Depends()]) -> str:
        return f"{value} of {value.__orig_class__.__args__[0].__name__}"

    assert client_of(show, config={}).get("/?n=7").text == "Generic 7 of int"


@pytest.mark.parametrize(
    "annotation",
    [Data | None, t.Union[Data, int], str, list[int], t.Any, t.Iterator[int]],
    ids=str,
)
def test_depends_alone_on_no_class_is_refused(annotation):
    def show(value): ...

    show.__annotations__["value"] = t.Annotated[annotation, Depends()]

    assert message_of(lambda: client_of(show, config={})) == (
        "GET /: 'value' of show() is declared with Depends(), which names no function,"
        " and its annotation is no class to make an object of. Write"
        f" Depends(function). {place_of(show)}"
    )


def test_a_local_class_and_its_local_annotations_are_read(app, client):
    Number = t.Annotated[int, Query(ge=5)]

    class Local:
        def __init__(self, n: "Number") -> None:
            self.n = n

    @dataclass
    class LocalData:
        n: "Number"

    @app.get("/")
    def show(
        one: t.Annotated[Local, Depends()], two: t.Annotated[LocalData, Depends()]
    ) -> str:
        return f"{one.n} {two.n}"

    assert client.get("/?n=7").text == "7 7"
    assert client.get("/?n=4").status_code == 422


def test_a_default_factory_is_a_default():
    @dataclass
    class Search:
        tags: t.Annotated[list[str], Query(default_factory=list)]
        kinds: list[str] = field(default_factory=lambda: ["all"])

    def show(search: t.Annotated[Search, Depends()]) -> list[str]:
        return [*search.tags, *search.kinds]

    client = client_of(show)

    assert client.get("/?tags=a&tags=b&kinds=c&kinds=d").json == ["a", "b", "c", "d"]
    assert client.get("/").json == ["all"]


def test_the_fields_of_a_class_have_dependencies():
    @dataclass
    class Service:
        n: int = 1
        text: str = Depends(function)

    class Both(t.NamedTuple):
        service: t.Annotated[Service, Depends()]
        text: str = Depends(function)

    def show(both: t.Annotated[Both, Depends()]) -> str:
        return f"{both.service.n} {both.service.text} {both.text}"

    assert client_of(show).get("/?n=7").text == "7 function 7 function 7"


def test_a_validator_beside_a_marker_is_no_dependency():
    def show(n: t.Annotated[int, function, Query()]) -> int:
        return n

    assert client_of(show).get("/?n=3").json == 3


def test_a_default_without_an_annotation_may_be_a_function():
    def show(function=function) -> str:
        return function()

    assert client_of(show).get("/").text == "function 1"
