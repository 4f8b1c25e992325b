"""Who may call a view: its security requirement, evaluated for each request.

The credentials of a request go in. Who sends it comes out for the arguments that ask
for it, or an exception with status 401 or 403.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field
from enum import Enum

from ..security import MALFORMED
from ..security import split_scopes
from .generators import run_now
from .refusal import Lacking
from .refusal import refuse

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ..security import Requirement
    from .generators import Running
    from .scheme_call import SchemeCall
    from .steps import RequestState

    #: All of which have to hold, each with the key of what it gives.
    Parts: t.TypeAlias = tuple[tuple[str, Requirement[t.Any]], ...]


class Verdict(Enum):
    """What is known of a requirement for one request."""

    HOLDS = "holds"
    #: Nothing was sent for it.
    NOTHING = "nothing"
    #: Something was sent that is wrong, or not all that is needed.
    WRONG = "wrong"
    #: What was sent is right, but lacks a scope.
    LACKING = "lacking"


class Outcome(t.NamedTuple):
    """A verdict, and what it is worth.

    :param value: what the requirement gives, if it holds.
    :param is_sent: whether anything was sent for it.
    """

    verdict: Verdict
    value: t.Any = None
    is_sent: bool = True


NOTHING: t.Final = Outcome(Verdict.NOTHING, is_sent=False)
WRONG: t.Final = Outcome(Verdict.WRONG)
LACKING: t.Final = Outcome(Verdict.LACKING)


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
        return cls(parts, calls, _only(parts, calls))

    def check(self, state: RequestState) -> Running[None]:
        """Let a request through, or refuse it.

        :param state: to which the values of dependencies and requirements are added.
        :raises HTTPException: with status 401 or 403, if it is refused.
        """
        check = AccessCheck(self.calls, state)
        requirements = [requirement for _, requirement in self.parts]
        try:
            outcome = yield from check.evaluate_all(requirements)
            if outcome.verdict is not Verdict.HOLDS:
                raise refuse(
                    requirements,
                    is_lacking=outcome.verdict is Verdict.LACKING,
                    wrong=check.wrong,
                    lacking=check.lacking,
                    held=check.held,
                )
        finally:
            # Their tracebacks refer to this check.
            check.held.clear()
        for (key, _), value in zip(self.parts, outcome.value, strict=True):
            if key:
                state.values.setdefault(key, value)

    def check_now(self, state: RequestState) -> None:
        """The same where nothing is asynchronous."""
        if self.only is None:
            run_now(self.check(state))
            return
        ((key, leaf),) = self.parts
        credentials = self.only.scheme.read_credentials(state.request)
        if credentials is not None and credentials is not MALFORMED:
            value = self.only.verify_now(credentials, state)
            if value is not None and value is not False:
                if key:
                    state.values.setdefault(key, value)
                return
        wrong = () if credentials is None else (leaf.name,)
        raise refuse([leaf], is_lacking=False, wrong=wrong, lacking={}, held=())


def _only(parts: Parts, calls: Mapping[int, SchemeCall]) -> SchemeCall | None:
    """How the only scheme is verified, ``None`` where there is more to evaluate."""
    if len(parts) != 1 or parts[0][1].kind != "scheme":
        return None
    leaf = parts[0][1]
    call = calls[id(leaf.scheme)]
    needs_scopes = leaf.scope_names or call.scopes
    return call if call.reads and not needs_scopes else None


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
    lacking: Lacking = field(default_factory=dict)
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
            if outcome.verdict is Verdict.HOLDS:
                return outcome
            verdicts.add(outcome.verdict)
        if Verdict.LACKING in verdicts:
            return LACKING
        if Verdict.WRONG in verdicts:
            return WRONG
        if requirement.is_optional:
            return Outcome(Verdict.HOLDS, None, is_sent=False)
        return NOTHING

    def evaluate_all(
        self, requirements: t.Sequence[Requirement[t.Any]]
    ) -> Running[Outcome]:
        """All values in a tuple, if all requirements hold.

        What was not sent is known before anything is verified.
        """
        if any(map(self._is_missing, requirements)):
            sent = yield from self._is_anything_sent(requirements)
            return WRONG if sent else NOTHING
        outcomes: list[Outcome] = []
        for requirement in requirements:
            outcome = yield from self._evaluate(requirement)
            if outcome.verdict is Verdict.WRONG:
                return outcome
            outcomes.append(outcome)
        verdicts = {outcome.verdict for outcome in outcomes}
        is_sent = any(outcome.is_sent for outcome in outcomes)
        if Verdict.NOTHING in verdicts:
            return WRONG if is_sent else NOTHING
        if Verdict.LACKING in verdicts:
            return LACKING
        values = tuple(outcome.value for outcome in outcomes)
        return Outcome(Verdict.HOLDS, values, is_sent)

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
        if outcome.verdict is not Verdict.HOLDS:
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
            return NOTHING
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
            return NOTHING
        if value is None or value is False:
            self.wrong.add(leaf.name)
            return WRONG
        return Outcome(Verdict.HOLDS, value)
