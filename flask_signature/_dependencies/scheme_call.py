"""How the function of a security scheme is called, for each request.

Credentials go in, who sent them comes out.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ..security import Scopes
from .callables import Kind
from .returned import check_user
from .steps import run_steps
from .steps import run_steps_now

if t.TYPE_CHECKING:
    from .._inbound.plan import InboundPlan
    from ..security import SecurityScheme
    from .generators import Running
    from .steps import RequestState
    from .steps import Step


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
        yield from run_steps(self.steps, state)
        step = self.call
        arguments = step.arguments(state.values)
        arguments.update(dict.fromkeys(self.scopes, Scopes(asked)))
        value = yield from step.take(step.function(*credentials, **arguments), state)
        check_user(step.name, value)
        return value

    def verify_now(self, credentials: tuple[str, ...], state: RequestState) -> t.Any:
        """The same without scopes, where nothing is asynchronous."""
        if self.inbound is not None:
            state.values.update(self.inbound.read(state.request, state.view_args))
        if self.steps:
            run_steps_now(self.steps, state)
        step = self.call
        value = step.function(*credentials, **step.arguments(state.values))
        if step.kind is not Kind.VALUE:
            value = step.take_now(value, state)
        check_user(step.name, value)
        return value
