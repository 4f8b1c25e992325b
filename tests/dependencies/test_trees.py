"""Random trees of dependencies run as nested ``with`` statements would.

A tree is drawn, each of its nodes opened, closed and told of exceptions in a real
request, and what happens is compared with a model of ``with`` statements.
"""

import asyncio
import typing as t
from dataclasses import dataclass, field
from inspect import Parameter, Signature

import pytest
from draws import draws
from flask import request
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder

from flask_signature import Depends, Flask

KINDS: t.Final = ("value", "generator", "request", "coroutine", "async generator")
Function: t.TypeAlias = t.Callable[..., t.Any]
GENERATORS: t.Final = ("generator", "request", "async generator")


class Failure(Exception):
    """What a node or the view raises."""


@dataclass(frozen=True)
class Node:
    """A dependency.

    :param needs: the numbers of those it depends on, which come before it.
    :param fails: when it raises an exception: on open, on close, or never.
    :param translates: whether it raises another exception in place of one.
    """

    kind: str
    needs: tuple[int, ...]
    fails: str
    translates: bool


@dataclass(frozen=True)
class Tree:
    """The dependencies of a view.

    :param guards: the numbers of those that stand in ``dependencies=``.
    :param arguments: of those that are arguments of the view.
    :param unshared: of those arguments that have a value of their own.
    :param refuses: whether the request does not fit the view.
    :param fails: whether the view raises an exception.
    """

    nodes: tuple[Node, ...]
    guards: tuple[int, ...]
    arguments: tuple[int, ...]
    unshared: frozenset[int]
    refuses: bool
    fails: bool
    is_async: bool

    def scope(self, number: int) -> t.Any:
        return "request" if self.nodes[number].kind == "request" else "function"


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A tree whose scopes fit: what lasts longer depends on nothing shorter."""
    nodes: list[Node] = []
    for number in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(KINDS))
        known = range(number)
        if kind == "request":
            known = [item for item in known if not _is_short(nodes, item)]
        needs = draw(st.lists(st.sampled_from(known), unique=True)) if known else []
        fails = draw(st.sampled_from(("never", "never", "never", "open", "close")))
        nodes.append(Node(kind, tuple(needs), fails, draw(st.booleans())))
    numbers = st.sampled_from(range(len(nodes)))
    arguments = draw(st.lists(numbers, unique=True))
    unshared = draw(st.sets(st.sampled_from(arguments))) if arguments else ()
    return Tree(
        tuple(nodes),
        tuple(draw(st.lists(numbers, unique=True, max_size=3))),
        tuple(arguments),
        frozenset(unshared),
        draw(st.sampled_from((False, False, True))),
        draw(st.booleans()),
        draw(st.booleans()),
    )


def _is_short(nodes: list[Node], number: int) -> bool:
    """Whether a node, or one that it needs, is closed with the view."""
    node = nodes[number]
    is_short = node.kind in ("generator", "async generator")
    return is_short or any(_is_short(nodes, item) for item in node.needs)


# The application.


def build(tree: Tree, log: list[str]) -> Flask:
    """An application whose one view has the dependencies of a tree."""
    functions: list[Function] = []
    for number in range(len(tree.nodes)):
        functions.append(make(tree, number, functions, log))
    app = Flask("trees")

    def view(n: int, **values: t.Any) -> str:
        log.append("view")
        if tree.fails:
            raise Failure("view")
        return "shown"

    async def async_view(n: int, **values: t.Any) -> str:
        await asyncio.sleep(0)
        return view(n, **values)

    outer = async_view if tree.is_async else view
    outer.__signature__ = signature_of(
        {
            f"a{number}": Depends(
                functions[number],
                scope=tree.scope(number),
                use_cache=number not in tree.unshared,
            )
            for number in tree.arguments
        },
        takes="n",
    )
    guards = [Depends(functions[item], scope=tree.scope(item)) for item in tree.guards]
    app.get("/", dependencies=guards)(outer)

    @app.errorhandler(Failure)
    def handle(error: Failure) -> tuple[str, int]:
        log.append(f"response to {error}")
        return str(error), 500

    @app.after_request
    def after(response):
        log.append("after_request")
        return response

    return app


def signature_of(defaults: dict[str, t.Any], takes: str = "") -> t.Any:
    """A signature with these defaults, and one argument of the query."""
    kind = Parameter.KEYWORD_ONLY
    first = [Parameter(takes, kind, annotation=int)] if takes else []
    rest = [Parameter(name, kind, default=item) for name, item in defaults.items()]
    return Signature([*first, *rest])


@dataclass(frozen=True)
class Recorder:
    """Writes down what happens to a node, and raises what it is to raise."""

    node: Node
    number: int
    log: list[str]

    def enter(self) -> int:
        assert request.path == "/"
        if self.node.fails == "open":
            self.log.append(f"fail to open {self.number}")
            raise Failure(f"open {self.number}")
        self.log.append(f"open {self.number}")
        return self.number

    def leave(self) -> None:
        self.log.append(f"close {self.number}")
        if self.node.fails == "close":
            raise Failure(f"close {self.number}")

    def tell(self, error: Exception) -> t.NoReturn:
        self.log.append(f"tell {self.number} of {error_name(error)}")
        if self.node.translates:
            raise Failure(f"from {self.number}") from error
        raise error


def value_of(recorder: Recorder) -> Function:
    return lambda **values: recorder.enter()


def generator_of(recorder: Recorder) -> Function:
    def generator(**values):
        opened = recorder.enter()
        try:
            yield opened
        except Exception as error:
            recorder.tell(error)
        recorder.leave()

    return generator


def coroutine_of(recorder: Recorder) -> Function:
    async def coroutine(**values):
        await asyncio.sleep(0)
        return recorder.enter()

    return coroutine


def async_generator_of(recorder: Recorder) -> Function:
    async def generator(**values):
        await asyncio.sleep(0)
        opened = recorder.enter()
        try:
            yield opened
        except Exception as error:
            await asyncio.sleep(0)
            recorder.tell(error)
        recorder.leave()

    return generator


MAKERS: t.Final = {
    "value": value_of,
    "generator": generator_of,
    "request": generator_of,
    "coroutine": coroutine_of,
    "async generator": async_generator_of,
}


def make(
    tree: Tree, number: int, functions: list[Function], log: list[str]
) -> Function:
    """The function of a node.

    :param functions: of the nodes before it.
    """
    node = tree.nodes[number]
    function = MAKERS[node.kind](Recorder(node, number, log))
    function.__name__ = f"node_{number}"
    needs = {
        f"a{item}": Depends(functions[item], scope=tree.scope(item))
        for item in node.needs
    }
    function.__signature__ = signature_of(needs)
    return function


def error_name(error: BaseException) -> str:
    return str(error) if isinstance(error, Failure) else type(error).__name__


# The model.


@dataclass
class Model:
    """What nested ``with`` statements would do."""

    tree: Tree
    log: list[str] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def run(self) -> list[str]:
        """The events of a request."""
        try:
            self.enter_all()
        except Failure as error:
            left = self.tell(error)
            if str(left) != "refused":
                self.log.append(f"response to {left}")
            self.log.append("after_request")
            return self.log
        self.close("function")
        return self.log

    def enter_all(self) -> None:
        for number in self.tree.guards:
            self.open(number)
        if self.tree.refuses:
            raise Failure("refused")
        for number in self.tree.arguments:
            self.open(number, is_shared=number not in self.tree.unshared)
        self.log.append("view")
        if self.tree.fails:
            raise Failure("view")

    def open(self, number: int, *, is_shared: bool = True) -> None:
        if is_shared and number in self.known:
            return
        node = self.tree.nodes[number]
        for item in node.needs:
            self.open(item)
        if node.fails == "open":
            self.log.append(f"fail to open {number}")
            raise Failure(f"open {number}")
        self.log.append(f"open {number}")
        if is_shared:
            self.known.add(number)
        if node.kind in GENERATORS:
            self.opened.append(number)

    def tell(self, error: Failure) -> Failure:
        """Raise an exception in all that is open, the last one first."""
        while self.opened:
            number = self.opened.pop()
            name = "RequestValidationError" if str(error) == "refused" else str(error)
            self.log.append(f"tell {number} of {name}")
            if self.tree.nodes[number].translates:
                error = Failure(f"from {number}")
        return error

    def close(self, scope: str) -> None:
        """Close what ends with the view, and then what ends with the body."""
        later = [item for item in self.opened if self.is_long(item)]
        soon = [item for item in self.opened if not self.is_long(item)]
        while soon:
            number = soon.pop()
            self.opened.pop(len(self.opened) - 1 - self.opened[::-1].index(number))
            self.log.append(f"close {number}")
            if self.tree.nodes[number].fails == "close":
                left = self.tell(Failure(f"close {number}"))
                self.log.append(f"response to {left}")
                self.log.append("after_request")
                return
        self.log.append("after_request")
        self.opened = later
        while self.opened:
            number = self.opened.pop()
            self.log.append(f"close {number}")
            if self.tree.nodes[number].fails == "close":
                # It is logged, and told to the others.
                self.tell(Failure(f"close {number}"))

    def is_long(self, number: int) -> bool:
        return self.tree.nodes[number].kind == "request"


@pytest.mark.drawn
@settings(max_examples=draws(150), deadline=None)
@given(trees())
def test_a_tree_is_opened_and_closed_as_with_statements(tree):
    log: list[str] = []
    app = build(tree, log)
    query = {} if tree.refuses else {"n": "1"}

    for _ in range(2):
        log.clear()
        environ = EnvironBuilder("/", query_string=query).get_environ()
        body = app(environ, lambda *args: None)
        assert b"".join(body)
        if hasattr(body, "close"):
            body.close()

        assert log == Model(tree).run()
