"""The calls of dependencies for one request, and who may call the view.

Values go in, those of nodes are added. Credentials go in; who sends the request comes
out, or an exception with status 401 or 403. Source: RFC 9110, 15.5.2 and 15.5.4.
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
    from collections.abc import Iterable, Mapping, Sequence

    from flask import Request
    from werkzeug.datastructures import WWWAuthenticate

    from .._inbound.plan import InboundPlan
    from ..security import Credentials, Requirement, SecurityScheme
    from .graph import Node


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


async def run_steps(steps: Iterable[Node], state: RequestState) -> None:
    """Make the calls of dependencies that have no value yet."""
    values = state.values
    for step in steps:
        if step.key not in values:
            value = step.function(**step.arguments(values))
            if step.kind != "value":
                value = await _take(step, value, state)
            if step.is_guard:
                check_value(step, value)
            values[step.key] = value


async def _take(step: Node, value: t.Any, state: RequestState) -> t.Any:
    """What a dependency supplies, of what its function returned.

    Its generator is kept.
    """
    if step.kind == "coroutine":
        # A decorator may have run it already.
        return (await value) if inspect.isawaitable(value) else value
    if step.kind == "unknown" and not inspect.isgenerator(value):
        return value
    context = None
    if step.scope == "request":
        if state.request.environ.get(SCOPE_KEY) is None:
            raise RuntimeError(
                f'{step.name} has scope="request", but the request did not come by way'
                " of app.wsgi_app, at whose end it is closed. Use a test client, and"
                " take app.wsgi_app when all views are registered."
            )
        # The context of the request is gone when the generator is closed, but for the
        # copy in which it was opened.
        context = copy_context()
    is_asynchronous = step.kind == "asynchronous generator"
    opened = OpenGenerator(step.name, value, is_asynchronous, context)
    value = await opened.advance()
    if value is UNSET:
        raise RuntimeError(
            f"{step.name} has yielded nothing. A dependency that is a generator yields"
            " one value."
        )
    state.opened.append(opened)
    return value


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


def check_value(step: Node, value: object) -> None:
    """Refuse what can't mean to let a request through, or has not run.

    :param step: a guard, or the function of a security scheme.
    :raises TypeError: if the value is such a one.
    """
    if value is None or value is True:
        return
    name, cls = step.name, value if isinstance(value, type) else type(value)
    if value is False and step.is_guard:
        problem = "False, which refuses no request. Raise an exception, or call abort()"
    elif isinstance(value, RESPONSES) or _is_status_tuple(value):
        problem = "a response, which is not sent. Raise an exception, or call abort()"
    elif issubclass(cls, BaseException) or value is NotImplemented:
        problem = (
            f"{cls.__name__}, which refuses no request. Raise an exception, or call"
            " abort()"
        )
    elif step.is_taken:
        return
    elif isinstance(value, UNRUN) or hasattr(type(value), "__await__"):
        problem = (
            f"a {type(value).__name__}, which is not run. Give the function that makes"
            " it"
        )
    elif isinstance(value, FUNCTION_TYPES):
        problem = (
            "a function, which is not called. Give that function itself: what"
            f" {name} returns"
        )
    else:
        return
    raise TypeError(f"{name} has returned {problem}.")


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


#: Outcomes by the identity of a scheme and the scopes asked for.
KnownOutcomes: t.TypeAlias = "dict[tuple[int, tuple[str, ...]], Outcome]"

NO_CREDENTIAL: t.Final = Outcome("nothing", is_sent=False)

WRONG: t.Final = Outcome("wrong")

LACKING: t.Final = Outcome("lacking")


@dataclass(frozen=True, slots=True)
class SchemeCall:
    """How the credentials of a scheme are verified.

    :param step: the function of the scheme. Where it is given no credentials, ``None``
        means that nothing was sent.
    :param steps: what that depends on.
    :param inbound: reads the arguments of all of them, ``None`` without any.
    """

    step: Node
    steps: Sequence[Node]
    inbound: InboundPlan | None

    async def verify(
        self, credentials: tuple[str, ...], asked: tuple[str, ...], state: RequestState
    ) -> t.Any:
        """What the function returns, which is called after what it needs.

        :param credentials: that were sent, if they are read.
        :param asked: the scopes that are needed.
        """
        if self.inbound is not None:
            state.values.update(self.inbound.read(state.request, state.view_args))
        if self.steps:
            await run_steps(self.steps, state)
        step = self.step
        arguments = step.arguments(state.values)
        if step.scopes:
            arguments.update(dict.fromkeys(step.scopes, Scopes(asked)))
        value = step.function(*credentials, **arguments)
        if step.kind != "value":
            value = await _take(step, value, state)
        check_value(step, value)
        return value


class OnlyScheme(t.NamedTuple):
    """The one scheme of a requirement, if it reads credentials and needs no scopes."""

    key: str
    scheme: SecurityScheme[t.Any]
    call: SchemeCall


def find_only(parts: Parts, calls: Mapping[int, SchemeCall]) -> OnlyScheme | None:
    """The scheme that is all that a request needs, ``None`` where more is."""
    if len(parts) != 1:
        return None
    ((key, leaf),) = parts
    if leaf.scheme is None or leaf.scope_names:
        return None
    call = calls[id(leaf.scheme)]
    return OnlyScheme(key, leaf.scheme, call) if call.step.credentials else None


def is_refusal(value: object) -> bool:
    """Whether ``verify=`` has refused. Another value that is false may be a user."""
    return value is None or value is False


async def check_access(
    parts: Parts,
    calls: Mapping[int, SchemeCall],
    state: RequestState,
    *,
    only: OnlyScheme | None,
) -> None:
    """Let a request through, or refuse it.

    The values of dependencies and requirements are added to its state.

    :param parts: all of which have to hold, each with the key of what it gives, ``""``
        where that is not asked for.
    :param calls: how the schemes are verified, by their identity.
    :param only: what is found of them by :func:`find_only`.
    :raises HTTPException: with status 401 or 403, if it is not let through.
    """
    known: KnownOutcomes = {}
    sent: dict[int, Credentials] = {}
    # A single scheme takes a third of the time that a check takes.
    if only is not None:
        credentials = only.scheme.read_credentials(state.request)
        sent[id(only.scheme)] = credentials
        if credentials is not None and credentials is not MALFORMED:
            value = await only.call.verify(credentials, (), state)
            if not is_refusal(value):
                if only.key:
                    state.values.setdefault(only.key, value)
                return
            known[id(only.scheme), ()] = WRONG
    await AccessCheck(parts, calls, state, known, sent).run()


@dataclass(slots=True, repr=False)
class AccessCheck:
    """The evaluation of what an operation requires, for one request.

    It is not shown by a debugger, since it has the credentials.

    :param sent: what was sent for schemes, by their identity.
    :ivar held: exceptions of ``authenticate=``, in their order.
    :ivar wrong: the names of schemes whose credentials are wrong.
    :ivar lacking: the scopes asked for where one lacks, by the names of schemes.
    """

    parts: Parts
    calls: Mapping[int, SchemeCall]
    state: RequestState
    known: KnownOutcomes
    sent: dict[int, Credentials]
    held: list[Exception] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
    lacking: dict[str, tuple[str, ...]] = field(default_factory=dict)

    async def run(self) -> None:
        """Let the request through, or refuse it."""
        try:
            outcome = await self._evaluate_all([part for _, part in self.parts])
            if outcome.verdict != "holds":
                raise self._refusal(outcome)
        finally:
            # Their tracebacks refer to this check.
            self.held.clear()
        for (key, _), value in zip(self.parts, outcome.value, strict=True):
            if key:
                self.state.values.setdefault(key, value)

    async def _evaluate(self, requirement: Requirement[t.Any]) -> Outcome:
        if requirement.kind == "scheme":
            return await self._evaluate_scheme(requirement)
        if requirement.kind == "all":
            return await self._evaluate_all(requirement.parts)
        return await self._evaluate_any(requirement)

    async def _evaluate_any(self, requirement: Requirement[t.Any]) -> Outcome:
        """The first alternative that holds, else what is wrong with all of them."""
        verdicts = set()
        for part in requirement.parts:
            outcome = await self._evaluate(part)
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

    async def _evaluate_all(
        self, requirements: Sequence[Requirement[t.Any]]
    ) -> Outcome:
        """All values in a tuple, if all requirements hold.

        What was not sent is known before anything is verified.
        """
        schemes = [item for item in requirements if item.kind == "scheme"]
        if any(self._credentials(scheme) is None for scheme in schemes):
            sent = await self._is_anything_sent(requirements)
            return WRONG if sent else NO_CREDENTIAL
        outcomes: list[Outcome] = []
        for requirement in requirements:
            outcome = await self._evaluate(requirement)
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

    async def _is_anything_sent(
        self, requirements: Sequence[Requirement[t.Any]]
    ) -> bool:
        for requirement in requirements:
            for leaf in requirement.leaves():
                is_sent = self._credentials(leaf) is not None
                if not self.calls[id(leaf.scheme)].step.credentials:
                    is_sent = (await self._evaluate_scheme(leaf)).is_sent
                if is_sent:
                    return True
        return False

    def _credentials(self, leaf: Requirement[t.Any]) -> t.Any:
        """What was sent for a scheme, ``()`` where that is not known yet."""
        number, scheme = id(leaf.scheme), leaf.scheme
        if scheme is None or not self.calls[number].step.credentials:
            return ()
        if number not in self.sent:
            self.sent[number] = scheme.read_credentials(self.state.request)
        return self.sent[number]

    async def _evaluate_scheme(self, leaf: Requirement[t.Any]) -> Outcome:
        """What a scheme gives, verified once for each request."""
        number = id(leaf.scheme)
        call = self.calls[number]
        key = (number, leaf.scope_names if call.step.scopes else ())
        outcome = self.known.get(key)
        if outcome is None:
            outcome = await self._verify(call, leaf)
            self.known[key] = outcome
        if outcome is WRONG:
            self.wrong.add(leaf.name)
        get_scopes = leaf.scheme.get_scopes if leaf.scheme else None
        if outcome.verdict == "holds" and leaf.scope_names and get_scopes is not None:
            granted = split_scopes(get_scopes(outcome.value))
            if not granted.issuperset(leaf.scope_names):
                asked = (*self.lacking.get(leaf.name, ()), *leaf.scope_names)
                self.lacking[leaf.name] = tuple(dict.fromkeys(asked))
                return LACKING
        return outcome

    async def _verify(self, call: SchemeCall, leaf: Requirement[t.Any]) -> Outcome:
        credentials = self._credentials(leaf)
        if credentials is None:
            return NO_CREDENTIAL
        if credentials is MALFORMED:
            return WRONG
        try:
            value = await call.verify(credentials, leaf.scope_names, self.state)
        except Exception as error:
            if call.step.credentials:
                raise
            self.held.append(error)
            return WRONG
        if value is None and not call.step.credentials:
            return NO_CREDENTIAL
        return WRONG if is_refusal(value) else Outcome("holds", value)

    def _refusal(self, outcome: Outcome) -> Exception:
        """The exception for what does not hold.

        That of ``authenticate=`` comes first, where a scope is not what lacks.
        """
        is_lacking = outcome.verdict == "lacking"
        if self.held and not is_lacking:
            return self.held[0]
        schemes = {
            leaf.name: leaf.scheme
            for _, part in self.parts
            for leaf in part.leaves()
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
