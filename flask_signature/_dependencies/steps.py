"""Who may call a view, and the calls of its dependencies, each after what it needs.

Nodes go in when an operation is compiled, steps come out, which each request runs. The
credentials of a request go in; who sends it comes out, or an exception with status 401
or 403. Source: RFC 9110, 15.5.2 and 15.5.4.
"""

from __future__ import annotations

import inspect
import re
import types
import typing as t
from contextlib import asynccontextmanager, contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial

from werkzeug.exceptions import Forbidden, Unauthorized

from .._common import RESPONSES, UNSET
from ..security import MALFORMED, Scopes, split_scopes
from .generators import SCOPE_KEY, OpenGenerator

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from flask import Request
    from werkzeug.datastructures import WWWAuthenticate

    from .._inbound.plan import InboundPlan
    from ..security import Requirement, SecurityScheme
    from .callables import CallableKind
    from .generators import Running
    from .graph import Node


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
    """Refuse a generator that would not be closed.

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


#: What a function returns that has to be run by its caller.
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
            f"{name} has returned a response, which is not sent. Raise an exception,"
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
            f"{name} has returned a {type(value).__name__}, which is not run. Give the"
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


if t.TYPE_CHECKING:
    #: All of which have to hold, each with the key of what it gives.
    Parts: t.TypeAlias = tuple[tuple[str, Requirement[t.Any]], ...]

#: What is known of a requirement for one request: it holds, nothing was sent for it,
#: what was sent is wrong or not all that is needed, or it is right but lacks a scope.
Verdict: t.TypeAlias = t.Literal["holds", "nothing", "wrong", "lacking"]


class Outcome(t.NamedTuple):
    """A verdict, and what it is worth.

    :param value: what the requirement gives, if it holds.
    :param is_sent: whether anything was sent for it.
    """

    verdict: Verdict
    value: t.Any = None
    is_sent: bool = True


NO_CREDENTIAL: t.Final = Outcome("nothing", is_sent=False)

WRONG: t.Final = Outcome("wrong")

LACKING: t.Final = Outcome("lacking")


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeCall:
    """How the credentials of a scheme are verified.

    :param inbound: reads the arguments of what is called, ``None`` without any.
    :param steps: the dependencies of the function.
    :param call: the function itself.
    :param scopes: the names of its arguments that are the scopes asked for.
    :param reads: whether credentials are read, and passed to it. Where they are not,
        ``None`` means that nothing was sent.
    """

    scheme: SecurityScheme[t.Any]
    inbound: InboundPlan | None
    steps: tuple[Step, ...]
    call: Step
    scopes: tuple[str, ...]
    reads: bool

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The function, and what it depends on."""
        return (*self.steps, self.call)

    def verify(
        self, credentials: tuple[str, ...], asked: tuple[str, ...], state: RequestState
    ) -> Running[t.Any]:
        """What the function returns, which is called after what it needs.

        :param credentials: that were sent, if they are read.
        :param asked: the scopes that are needed.
        """
        if self.inbound is not None:
            state.values.update(self.inbound.read(state.request, state.view_args))
        if self.steps:
            yield from run_steps(self.steps, state)
        step = self.call
        arguments = step.arguments(state.values)
        if self.scopes:
            arguments.update(dict.fromkeys(self.scopes, Scopes(asked)))
        value = step.function(*credentials, **arguments)
        if step.kind != "value":
            value = yield from step.take(value, state)
        check_user(step.name, value)
        return value


@dataclass(frozen=True, slots=True)
class Access:
    """The security requirement of an operation.

    :param parts: all of which have to hold, each with the key of what it gives, ``""``
        where that is not asked for.
    :param calls: how the schemes are verified, by their identity.
    :param only: how the only one is, if it reads credentials and needs no scopes.
    """

    parts: Parts
    calls: Mapping[int, SchemeCall]
    only: SchemeCall | None

    @classmethod
    def of(cls, parts: Parts, calls: Mapping[int, SchemeCall]) -> Access:
        """The requirement of some parts."""
        leaf = parts[0][1]
        call = calls.get(id(leaf.scheme))
        is_only = len(parts) == 1 and leaf.kind == "scheme" and call and call.reads
        needs_scopes = leaf.scope_names or (call and call.scopes)
        return cls(parts, calls, call if is_only and not needs_scopes else None)

    def check(self, state: RequestState) -> Running[None]:
        """Let a request through, or refuse it.

        :param state: to which the values of dependencies and requirements are added.
        :raises HTTPException: with status 401 or 403, if it is not let through.
        """
        if self.only is not None:
            yield from self._check_only(self.only, state)
            return
        check = AccessCheck(self.calls, state)
        requirements = [requirement for _, requirement in self.parts]
        try:
            outcome = yield from check.evaluate_all(requirements)
            if outcome.verdict != "holds":
                raise check.refusal(requirements, outcome)
        finally:
            # Their tracebacks refer to this check.
            check.held.clear()
        for (key, _), value in zip(self.parts, outcome.value, strict=True):
            if key:
                state.values.setdefault(key, value)

    def _check_only(self, only: SchemeCall, state: RequestState) -> Running[None]:
        """The same for a single scheme, in a third of the time."""
        ((key, leaf),) = self.parts
        credentials = only.scheme.read_credentials(state.request)
        if credentials is not None and credentials is not MALFORMED:
            value = yield from only.verify(credentials, (), state)
            if value is not None and value is not False:
                if key:
                    state.values.setdefault(key, value)
                return
        check = AccessCheck(self.calls, state)
        check.wrong.update(() if credentials is None else (leaf.name,))
        raise check.refusal([leaf], NO_CREDENTIAL if credentials is None else WRONG)


@dataclass(slots=True, repr=False)
class AccessCheck:
    """The evaluation of a requirement for one request.

    It is not shown by a debugger, since it has the credentials.

    :param held: exceptions of ``authenticate=``, in their order.
    :param wrong: the names of schemes whose credentials are wrong.
    :param lacking: the scopes asked for where one lacks, by the names of schemes.
    """

    calls: Mapping[int, SchemeCall]
    state: RequestState
    held: list[Exception] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
    lacking: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _known: dict[tuple[int, tuple[str, ...]], Outcome] = field(default_factory=dict)
    _sent: dict[int, t.Any] = field(default_factory=dict)

    def _evaluate(self, requirement: Requirement[t.Any]) -> Running[Outcome]:
        if requirement.kind == "scheme":
            return (yield from self._evaluate_scheme(requirement))
        if requirement.kind == "all":
            return (yield from self.evaluate_all(requirement.parts))
        return (yield from self._evaluate_any(requirement))

    def _evaluate_any(self, requirement: Requirement[t.Any]) -> Running[Outcome]:
        """The first alternative that holds, else what is wrong with all of them."""
        verdicts = set()
        for part in requirement.parts:
            outcome = yield from self._evaluate(part)
            if outcome.verdict == "holds":
                return outcome
            verdicts.add(outcome.verdict)
        if "lacking" in verdicts:
            return LACKING
        if "wrong" in verdicts:
            return WRONG
        if requirement.is_optional:
            return Outcome("holds", None, is_sent=False)
        return NO_CREDENTIAL

    def evaluate_all(
        self, requirements: t.Sequence[Requirement[t.Any]]
    ) -> Running[Outcome]:
        """All values in a tuple, if all requirements hold.

        What was not sent is known before anything is verified.
        """
        if any(map(self._is_missing, requirements)):
            sent = yield from self._is_anything_sent(requirements)
            return WRONG if sent else NO_CREDENTIAL
        outcomes: list[Outcome] = []
        for requirement in requirements:
            outcome = yield from self._evaluate(requirement)
            if outcome.verdict == "wrong":
                return outcome
            outcomes.append(outcome)
        verdicts = {outcome.verdict for outcome in outcomes}
        is_sent = any(outcome.is_sent for outcome in outcomes)
        if "nothing" in verdicts:
            return WRONG if is_sent else NO_CREDENTIAL
        if "lacking" in verdicts:
            return LACKING
        values = tuple(outcome.value for outcome in outcomes)
        return Outcome("holds", values, is_sent)

    def _is_missing(self, requirement: Requirement[t.Any]) -> bool:
        """Whether it is a scheme for which nothing was sent, as far as is known yet."""
        return requirement.kind == "scheme" and self._credentials(requirement) is None

    def _is_anything_sent(
        self, requirements: t.Sequence[Requirement[t.Any]]
    ) -> Running[bool]:
        for requirement in requirements:
            for leaf in requirement.leaves():
                if not self._call_of(leaf).reads:
                    outcome = yield from self._evaluate_scheme(leaf)
                    if outcome.is_sent:
                        return True
                elif self._credentials(leaf) is not None:
                    return True
        return False

    def _call_of(self, leaf: Requirement[t.Any]) -> SchemeCall:
        return self.calls[id(leaf.scheme)]

    def _credentials(self, leaf: Requirement[t.Any]) -> t.Any:
        """What was sent for a scheme, ``()`` where that is not known yet."""
        call = self._call_of(leaf)
        if not call.reads:
            return ()
        number = id(call)
        if number not in self._sent:
            self._sent[number] = call.scheme.read_credentials(self.state.request)
        return self._sent[number]

    def _evaluate_scheme(self, leaf: Requirement[t.Any]) -> Running[Outcome]:
        """What a scheme gives, verified once for each request."""
        call = self._call_of(leaf)
        key = (id(call), leaf.scope_names if call.scopes else ())
        outcome = self._known.get(key)
        if outcome is None:
            outcome = yield from self._verify(call, leaf)
            self._known[key] = outcome
        if outcome.verdict != "holds":
            return outcome
        get_scopes = call.scheme.get_scopes
        if leaf.scope_names and get_scopes is not None:
            granted = split_scopes(get_scopes(outcome.value))
            if not granted.issuperset(leaf.scope_names):
                asked = (*self.lacking.get(leaf.name, ()), *leaf.scope_names)
                self.lacking[leaf.name] = tuple(dict.fromkeys(asked))
                return LACKING
        return outcome

    def _verify(self, call: SchemeCall, leaf: Requirement[t.Any]) -> Running[Outcome]:
        credentials = self._credentials(leaf)
        if credentials is None:
            return NO_CREDENTIAL
        if credentials is MALFORMED:
            self.wrong.add(leaf.name)
            return WRONG
        try:
            value = yield from call.verify(credentials, leaf.scope_names, self.state)
        except Exception as error:
            if call.reads:
                raise
            self.held.append(error)
            self.wrong.add(leaf.name)
            return WRONG
        if value is None and not call.reads:
            return NO_CREDENTIAL
        if value is None or value is False:
            self.wrong.add(leaf.name)
            return WRONG
        return Outcome("holds", value)

    def refusal(
        self, requirements: Iterable[Requirement[t.Any]], outcome: Outcome
    ) -> Exception:
        """The exception for requirements that do not hold.

        That of ``authenticate=`` comes first, where a scope is not what lacks.
        """
        is_lacking = outcome.verdict == "lacking"
        if self.held and not is_lacking:
            return self.held[0]
        schemes = {
            leaf.name: leaf.scheme
            for requirement in requirements
            for leaf in requirement.leaves()
            if leaf.scheme is not None
        }
        challenges = []
        for name, scheme in schemes.items():
            problem = "invalid_token" if name in self.wrong else None
            scopes: tuple[str, ...] = ()
            # A scope that lacks is a matter of 403: RFC 6750, 3.1.
            if is_lacking and name in self.lacking:
                problem, scopes = "insufficient_scope", self.lacking[name]
            challenges.append(scheme.challenge(problem, scopes))
        if is_lacking:
            return NotAllowed(challenges)
        message = (
            "The credentials are not valid."
            if self.wrong
            else "Credentials are needed."
        )
        return NotAuthenticated(message, www_authenticate=challenges)


class NotAuthenticated(Unauthorized):
    """Credentials are missing or wrong."""


class NotAllowed(Forbidden):
    """The credentials lack a scope."""

    def __init__(self, challenges: Iterable[WWWAuthenticate]) -> None:
        super().__init__("The credentials do not allow this.")
        self.challenges = tuple(challenges)

    def get_headers(
        self, environ: t.Any = None, scope: t.Any = None
    ) -> list[tuple[str, str]]:
        """The headers, with what the schemes ask for."""
        headers = super().get_headers(environ, scope)
        found = [("WWW-Authenticate", str(item)) for item in self.challenges]
        return [*headers, *found]
