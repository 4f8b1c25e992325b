"""Who may call a view: its security requirement, evaluated for each request.

The credentials of a request go in. Who sends it comes out for the arguments that ask
for it, or an exception with status 401 or 403.

Source: RFC 9110, 15.5.2 (401), 15.5.4 (403) and 11.6.1; RFC 6750, 3.1.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from werkzeug.exceptions import Forbidden, Unauthorized

from ..security import MALFORMED, Scopes, split_scopes
from .steps import check_user, run_steps

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from werkzeug.datastructures import WWWAuthenticate

    from .._inbound.plan import InboundPlan
    from ..security import Requirement, SecurityScheme
    from .generators import Running
    from .steps import RequestState, Step

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
        where nobody asks for that.
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
        :raises HTTPException: with status 401 or 403, if it is refused.
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
