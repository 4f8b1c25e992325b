"""The dependencies of an operation as a list of calls, each after what it needs.

Nodes go in when an operation is compiled, steps come out, which each request runs. What
guards and functions of security schemes return is checked: what was meant to refuse a
request and is neither raised nor read would let everybody in.
"""

from __future__ import annotations

import inspect
import re
import types
import typing as t
from contextlib import asynccontextmanager, contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial

from .._outbound.status import RESPONSES
from .._sentinel import UNSET
from .callables import ASYNCHRONOUS_KINDS, GENERATORS
from .generators import SCOPE_KEY, OpenGenerator

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from flask import Request

    from .callables import CallableKind
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
    kind: CallableKind
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
        if self.kind == "coroutine":
            # A decorator may have run it already.
            return (yield value) if inspect.isawaitable(value) else value
        is_value = self.kind == "unknown" and not inspect.isgenerator(value)
        if is_value or self.kind == "value":
            return value
        context = None
        if self.outlives:
            _check_scope(self.name, state.request)
            # The context of the request is gone when the generator is closed, but for
            # the copy in which it was opened.
            context = copy_context()
        is_asynchronous = self.kind == "asynchronous generator"
        opened = OpenGenerator(
            self.name, value, is_asynchronous, self.outlives, context
        )
        value = yield from opened.advance()
        if value is UNSET:
            raise RuntimeError(
                f"{self.name} has yielded nothing. A dependency that is a generator"
                " yields one value."
            )
        state.opened.append(opened)
        return value


def _check_scope(name: str, request: Request) -> None:
    """Refuse a generator that nobody would close.

    :raises RuntimeError: if the request did not come by way of ``wsgi_app``.
    """
    if request.environ.get(SCOPE_KEY) is None:
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
    needs = {name: inner.key for name, inner in node.needs.items()}
    return Step(
        node.function,
        node.name,
        node.kind,
        node.key,
        tuple({**node.reads, **needs, **node.allowed}.items()),
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
            if step.kind != "value":
                value = yield from step.take(value, state)
            if step.is_guard:
                check_guard(step.name, value, is_taken=step.is_taken)
            values[step.key] = value


def is_asynchronous(steps: Iterable[Step]) -> bool:
    """Whether an event loop has to run one of some calls."""
    return any(step.kind in ASYNCHRONOUS_KINDS for step in steps)


def opens_generator(steps: Iterable[Step]) -> bool:
    """Whether one of some calls may open a generator."""
    return any(step.kind in GENERATORS for step in steps)


#: What a function returns that has to be run by somebody else.
UNRUN: t.Final[tuple[type, ...]] = (
    types.AsyncGeneratorType,
    types.GeneratorType,
    partial,
    type(contextmanager(lambda: iter(()))()),
    type(asynccontextmanager(lambda: None)()),  # type: ignore[arg-type, return-value]
)

FUNCTION_TYPES: t.Final = (
    types.BuiltinFunctionType,
    types.FunctionType,
    types.MethodType,
)

#: Such as ``"401 Unauthorized"``.
ERROR_STATUS: t.Final = re.compile(r"[45][0-9]{2}(?: |$)")


def check_guard(name: str, value: object, *, is_taken: bool) -> None:
    """Refuse what a guard has returned where it means to refuse, or has not run.

    :param name: of the guard, as messages show it.
    :param is_taken: whether something is called with the value, and may run it.
    :raises TypeError: if it is such a value.
    """
    if value is None or value is True:
        return
    if value is False:
        raise TypeError(
            f"{name} has returned False, which refuses no request. Raise an exception,"
            " or call abort()."
        )
    _check_refusal(name, value)
    if not is_taken:
        _check_run(name, value)


def check_user(name: str, value: object) -> None:
    """Refuse what a function of a security scheme can't mean to say who it is.

    :param name: of the function, as messages show it.
    :raises TypeError: if it is such a value.
    """
    if value is not None:
        _check_refusal(name, value)
        _check_run(name, value)


def _check_refusal(name: str, value: object) -> None:
    if isinstance(value, RESPONSES) or _is_status_tuple(value):
        raise TypeError(
            f"{name} has returned a response, which nobody sends. Raise an exception,"
            " or call abort()."
        )
    cls = value if isinstance(value, type) else type(value)
    if issubclass(cls, BaseException) or value is NotImplemented:
        raise TypeError(
            f"{name} has returned {cls.__name__}, which refuses no request. Raise an"
            " exception, or call abort()."
        )


def _check_run(name: str, value: object) -> None:
    if isinstance(value, UNRUN) or hasattr(type(value), "__await__"):
        raise TypeError(
            f"{name} has returned a {type(value).__name__}, which nobody runs. Give the"
            " function that makes it."
        )
    if isinstance(value, FUNCTION_TYPES):
        raise TypeError(
            f"{name} has returned a function, which is not called. Give that function"
            f" itself: what {name} returns."
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
