"""The dependencies of an operation as a list of calls, each after what it needs."""

from __future__ import annotations

import inspect
import re
import types
import typing as t
from contextlib import asynccontextmanager
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial

from .._http.response import RESPONSES
from .callables import ASYNCHRONOUS
from .callables import GENERATORS
from .callables import Kind
from .generators import OpenGenerator
from .request_scope import KEY

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Iterable
    from collections.abc import Mapping

    from flask import Request

    from .generators import Running
    from .nodes import Node

#: Finds the node that is called in place of another one, or the same.
Resolve: t.TypeAlias = "Callable[[Node], Node]"


@dataclass(slots=True)
class RequestState:
    """What is known while the dependencies of one request are called.

    :param view_args: what the URL provides, and what is passed to the view.
    :param values: those, and the values of arguments and dependencies by their keys.
    :param opened: the generators, in the order in which they were opened.
    """

    request: Request
    view_args: Mapping[str, t.Any]
    values: dict[str, t.Any]
    opened: list[OpenGenerator]


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a dependency.

    :param key: where its value goes.
    :param takes: the keys of what it is called with, by its own names.
    :param is_guard: whether its value is thrown away.
    """

    function: Callable[..., t.Any]
    name: str
    kind: Kind
    key: str
    takes: tuple[tuple[str, str], ...]
    outlives: bool
    is_guard: bool = False

    def arguments(self, values: dict[str, t.Any]) -> dict[str, t.Any]:
        """What the dependency is called with.

        :raises TypeError: if a variable of the URL was removed.
        """
        try:
            return {name: values[key] for name, key in self.takes}
        except KeyError as error:
            raise TypeError(
                f"{self.name} takes {error.args[0]!r}, which was removed from the"
                " variables of the URL."
            ) from None

    def take(self, value: t.Any, state: RequestState) -> Running[t.Any]:
        """What a dependency supplies, of what its function returned.

        Its generator is kept.
        """
        if self.kind is Kind.COROUTINE:
            # A decorator may have run it already.
            return (yield value) if inspect.isawaitable(value) else value
        if self.kind is not Kind.ASYNC_GENERATOR:
            return self.take_now(value, state)
        generator = value
        try:
            value = yield generator.__anext__()
        except StopAsyncIteration:
            raise self._nothing_yielded() from None
        opened = OpenGenerator(self.name, generator, is_asynchronous=True)
        state.opened.append(opened)
        return value

    def take_now(self, value: t.Any, state: RequestState) -> t.Any:
        """The same where nothing is asynchronous."""
        if self.kind is Kind.VALUE:
            return value
        if self.kind is Kind.UNKNOWN and not inspect.isgenerator(value):
            return value
        return self._open(value, state)

    def _open(self, generator: t.Any, state: RequestState) -> t.Any:
        context = None
        if self.outlives:
            _check_scope(self.name, state.request)
            # The context of the request is gone when the generator is closed, but for
            # the copy in which it was opened.
            context = copy_context()
        try:
            value = next(generator) if context is None else context.run(next, generator)
        except (StopIteration, StopAsyncIteration):
            raise self._nothing_yielded() from None
        opened = OpenGenerator(self.name, generator, False, self.outlives, context)
        state.opened.append(opened)
        return value

    def _nothing_yielded(self) -> Exception:
        return RuntimeError(
            f"{self.name} has yielded nothing. A dependency that is a generator yields"
            " one value."
        )


def _check_scope(name: str, request: Request) -> None:
    """Refuse a generator that nobody would close.

    :raises RuntimeError: if the request did not come by way of ``wsgi_app``.
    """
    if request.environ.get(KEY) is None:
        raise RuntimeError(
            f'{name} has scope="request", but the request did not come by way of'
            " app.wsgi_app, at whose end it is closed. Use a test client, and take"
            " app.wsgi_app when all views are registered."
        )


def check_returned(name: str, value: object) -> None:
    """Refuse what a guard has returned where it means to refuse, or has not run.

    :param name: of the guard, as messages show it.
    :raises TypeError: if it is a response, or something that nobody runs: it would let
        everybody in.
    """
    if value is None:
        return
    if isinstance(value, RESPONSES) or _is_status_tuple(value):
        raise TypeError(
            f"{name} has returned a response, which nobody sends. Raise an exception,"
            " or call abort()."
        )
    if isinstance(value, UNRUN) or hasattr(type(value), "__await__"):
        raise TypeError(
            f"{name} has returned a {type(value).__name__}, which nobody runs. Give the"
            " function that makes it."
        )


#: What a function returns that has to be run by somebody else.
UNRUN: t.Final[tuple[type, ...]] = (
    types.AsyncGeneratorType,
    types.GeneratorType,
    partial,
    type(contextmanager(lambda: iter(()))()),
    type(asynccontextmanager(lambda: None)()),  # type: ignore[arg-type, return-value]
)


def _is_status_tuple(value: object) -> bool:
    """Whether Flask would make a response with an error status of a value.

    A redirection needs a header, without which it may be a row of a table.
    """
    if type(value) is not tuple or len(value) not in (2, 3):
        return False
    first, status = 400 if len(value) == 2 else 300, value[1]
    if isinstance(status, str):
        return ERROR_STATUS.match(status) is not None
    return isinstance(status, int) and status in range(first, 600)


#: Such as ``"401 Unauthorized"``.
ERROR_STATUS: t.Final = re.compile(r"[45][0-9]{2}(?: |$)")


def steps_of(
    nodes: Iterable[Node],
    *,
    resolve: Resolve,
    discarded: Iterable[Node] = (),
    without: Collection[int] = (),
) -> tuple[Step, ...]:
    """The calls of some nodes and of what they depend on.

    :param resolve: finds what is called in the place of a node.
    :param discarded: the nodes whose values are thrown away.
    :param without: the identities of nodes to leave out.
    """
    guards = {id(node) for node in discarded}
    found: dict[str, Step] = {}
    for node in nodes:
        for inner in node.within(resolve, without=without):
            step = step_of(resolve(inner), is_guard=id(inner) in guards)
            found.setdefault(inner.key, step)
    return tuple(found.values())


def step_of(node: Node, *, is_guard: bool = False) -> Step:
    """The call of a node."""
    return Step(
        node.function,
        node.name,
        node.kind,
        node.key,
        takes_of(node),
        outlives=node.scope == "request",
        is_guard=is_guard,
    )


def run_steps(steps: Iterable[Step], state: RequestState) -> Running[None]:
    """Make the calls of dependencies that have no value yet."""
    values = state.values
    for step in steps:
        if step.key not in values:
            value = step.function(**step.arguments(values))
            value = yield from step.take(value, state)
            if step.is_guard:
                check_returned(step.name, value)
            values[step.key] = value


def run_steps_now(steps: Iterable[Step], state: RequestState) -> None:
    """The same where nothing is asynchronous."""
    values = state.values
    for step in steps:
        if step.key not in values:
            value = step.function(**step.arguments(values))
            if step.kind is not Kind.VALUE:
                value = step.take_now(value, state)
            if step.is_guard:
                check_returned(step.name, value)
            values[step.key] = value


def takes_of(node: Node) -> tuple[tuple[str, str], ...]:
    """The keys of what a dependency is called with, by its own names."""
    needs = {name: inner.key for name, inner in node.needs.items()}
    return tuple({**node.reads, **needs, **node.allowed}.items())


def is_asynchronous(steps: Iterable[Step]) -> bool:
    """Whether an event loop has to run one of some calls."""
    return any(step.kind in ASYNCHRONOUS for step in steps)


def opens_generator(steps: Iterable[Step]) -> bool:
    """Whether one of some calls may open a generator."""
    return any(step.kind in GENERATORS for step in steps)
