"""One method on one path: the unit that is compiled, run and described."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .._dependencies.operation import OperationDependencies
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._routing.declaration import Declaration
    from .._routing.path_template import PathTemplate
    from .._routing.route import Route
    from .._signature.argument import Signature
    from .._signature.unwrap import ViewCallable
    from ..security import Requirement

#: A function that Flask calls with the variables of the URL.
ViewFunction: t.TypeAlias = "Callable[..., t.Any]"


@dataclass(frozen=True, slots=True)
class DirectCall:
    """What the function that Flask calls does, but for the object of a response.

    :param view: which is no coroutine function.
    :param inbound: reads its arguments, ``None`` where the URL provides them all.
    :param write: returns a :class:`Body`, or what ``respond()`` of the plan returns;
        ``None`` where there is nothing to do with the value.
    :param outbound: the plan that completes the value, ``None`` where none does.
    """

    view: ViewFunction
    inbound: InboundPlan | None = None
    write: Callable[[t.Any], t.Any] | None = None
    outbound: OutboundPlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method on one path.

    :param method: in upper case.
    :param route: the rule and the endpoint it was registered with.
    :param template: the rule as OpenAPI writes it, with its converters.
    :param view_callable: the function behind the view, with its docstring.
    :param declaration: of the route and of its blueprints.
    :param signature: the arguments of the view and what it returns.
    :param inbound: how a request becomes the arguments.
    :param dependencies: what is called before the view, ``None`` where nothing is.
    :param requirement: who may call the view, ``None`` where that is not said for it.
    :param outbound: how the return value becomes a response.
    :param view_function: the function that Flask calls, which reads, calls the view and
        responds; the view itself, where there is nothing to do.
    :param call: does the same, ``None`` where a decorator or a dependency has a part.
    :param around_method: makes the function that reads the request for the method of a
        class-based view, ``None`` where it is read around the whole view.
    :param scopes: the names of the blueprints whose declarations it has.
    """

    method: str
    route: Route
    template: PathTemplate
    view_callable: ViewCallable
    declaration: Declaration
    signature: Signature
    inbound: InboundPlan
    dependencies: OperationDependencies | None
    requirement: Requirement[t.Any] | None
    outbound: OutboundPlan
    view_function: ViewFunction
    call: DirectCall | None
    around_method: Callable[[ViewFunction], ViewFunction] | None
    scopes: frozenset[str]

    @property
    def inbound_plans(self) -> Sequence[InboundPlan]:
        """What reads the arguments, those of dependencies included."""
        if self.dependencies is None:
            return (self.inbound,)
        return self.dependencies.inbound.plans
