"""The dependencies of an operation as a list of calls, each after what it needs."""

from __future__ import annotations

import inspect
import typing as t
from contextvars import copy_context
from dataclasses import dataclass

from .callables import ASYNCHRONOUS
from .callables import GENERATORS
from .callables import Kind
from .generators import OpenGenerator
from .request_scope import KEY
from .returned import check_guard

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
    :param is_guard: whether it is in ``dependencies=``.
    :param is_taken: whether something is called with its value.
    """

    function: Callable[..., t.Any]
    name: str
    kind: Kind
    key: str
    takes: tuple[tuple[str, str], ...]
    outlives: bool
    is_guard: bool
    is_taken: bool = True

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
    unused = {id(node) for node in discarded}
    found: dict[str, Step] = {}
    for node in nodes:
        for inner in node.within(resolve, without=without):
            step = step_of(resolve(inner), is_taken=id(inner) not in unused)
            found.setdefault(inner.key, step)
    return tuple(found.values())


def step_of(node: Node, *, is_taken: bool = True) -> Step:
    """The call of a node."""
    return Step(
        node.function,
        node.name,
        node.kind,
        node.key,
        takes_of(node),
        outlives=node.scope == "request",
        is_guard=node.is_guard,
        is_taken=is_taken,
    )


def run_steps(steps: Iterable[Step], state: RequestState) -> Running[None]:
    """Make the calls of dependencies that have no value yet."""
    values = state.values
    for step in steps:
        if step.key not in values:
            value = step.function(**step.arguments(values))
            value = yield from step.take(value, state)
            if step.is_guard:
                check_guard(step.name, value, is_taken=step.is_taken)
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
                check_guard(step.name, value, is_taken=step.is_taken)
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
