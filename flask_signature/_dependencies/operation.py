"""The dependencies of one operation: what a request of it runs.

A test may override a dependency, and a decorator may pass what one supplies: the calls
are put together anew then, and nothing is looked up for a request.
"""

from __future__ import annotations

import typing as t
from threading import Lock

from .._inbound.plan import MAX_VARIANTS
from ..params import Location
from .access import Access
from .access import SchemeCall
from .callables import GENERATORS
from .fakes import read_fakes
from .nodes import keys_of
from .plan import DependencyPlan
from .steps import is_asynchronous
from .steps import opens_generator
from .steps import step_of
from .steps import steps_of

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Mapping

    from .._inbound.plan import InboundPlan
    from .._signature.argument import Signature
    from .declared import Declared
    from .graph import Graph
    from .nodes import Needs
    from .nodes import Node
    from .nodes import SchemeNode

#: Held while calls are put together anew, which is seldom.
_LOCK: t.Final = Lock()


class Inbound(t.NamedTuple):
    """The plans that read the arguments of an operation.

    :param own: of the view and of what is called with it.
    :param of_guards: of what is called before, ``None`` where that reads nothing.
    :param of_schemes: of the functions of security schemes, by identity, likewise.
    """

    own: InboundPlan
    of_guards: InboundPlan | None
    of_schemes: Mapping[int, InboundPlan | None]

    @property
    def plans(self) -> list[InboundPlan]:
        """The plans, that of the view first."""
        found = [self.own, self.of_guards, *self.of_schemes.values()]
        return [plan for plan in found if plan is not None]


class OperationDependencies:
    """The dependencies of one operation.

    :ivar plan: what a request runs to which nobody passes what they supply.
    """

    def __init__(
        self,
        declared: Declared,
        graph: Graph,
        *,
        needs: Needs,
        inbound: Inbound,
        signature: Signature,
    ) -> None:
        self.needs = needs
        self.inbound = inbound
        self._declared = declared
        self._graph = graph
        self._own = {item.key for item in signature.arguments}
        self._names = frozenset(needs.of_view)
        self._fakes: Mapping[int, Node] = {}
        self._variants: dict[frozenset[str], DependencyPlan] = {}
        if declared.overrides is not None:
            declared.overrides.add(self)
        else:
            self.plan = self._assemble()

    @property
    def responses(self) -> dict[t.Any, t.Any]:
        """The responses of all dependencies, models by status."""
        nodes = self.needs.nodes()
        return {
            status: model for node in nodes for status, model in node.responses.items()
        }

    def variables(self) -> set[str]:
        """The variables of the URL that dependencies take."""
        known = self._graph.arguments.by_key
        keys = keys_of(self.needs.nodes())
        return {key for key in keys if known[key].location is Location.PATH}

    def closed_with_view(self) -> list[Node]:
        """The generators that are opened for the view, and closed when it is left.

        Those of guards need not be open while a stream is sent.
        """
        roots = [
            *self.needs.guards(),
            *(item.node for item in self.needs.schemes.values()),
        ]
        before = {id(inner) for node in roots for inner in node.within()}
        return [
            inner
            for node in self.needs.others()
            for inner in node.within()
            if id(inner) not in before
            and inner.kind in GENERATORS
            and inner.scope == "function"
        ]

    def find(self, view_args: Mapping[str, t.Any]) -> DependencyPlan:
        """What a request runs.

        :param view_args: what the URL provides, and what is passed to the view.
        """
        if self._names.isdisjoint(view_args):
            return self.plan
        names = frozenset(view_args)
        variant = self._variants.get(names)
        if variant is None:
            with _LOCK:
                variant = self._variants.get(names) or self._assemble(names)
                kept = self._variants if len(self._variants) < MAX_VARIANTS else {}
                self._variants = {**kept, names: variant}
        return variant

    def override(self, fakes: Mapping[t.Any, t.Any]) -> None:
        """Call others in the place of some dependencies.

        :param fakes: by the keys of what they stand for, see :func:`.key_of`.
        :raises SignatureError: if one takes something that the other does not.
        """
        found = read_fakes(self._graph, self.needs, fakes)
        with _LOCK:
            self._fakes = found
            self.plan, self._variants = self._assemble(), {}

    def _assemble(self, names: frozenset[str] = frozenset()) -> DependencyPlan:
        """The plan for a request, without what is passed.

        :param names: of all that is passed to the view, empty where nothing is but
            variables of the URL.
        """
        passed = self._names & names
        guards, others = self.needs.guards(passed), self.needs.others(passed)
        before = steps_of(guards, discarded=self._discarded(), resolve=self._resolve)
        known = {step.key for step in before}
        later = steps_of(others, discarded=(), resolve=self._resolve)
        steps = tuple(step for step in later if step.key not in known)
        calls = self._scheme_calls()
        everything = [*before, *steps, *(item.call for item in calls.values())]
        everything += [step for item in calls.values() for step in item.steps]
        inbound, of_guards = self._plans_without(passed, names)
        asynchronous = is_asynchronous(everything)
        return DependencyPlan(
            app=self._declared.app,
            access=Access(self.needs.parts, calls) if self.needs.parts else None,
            guard_inbound=of_guards,
            guards=before,
            inbound=inbound,
            steps=steps,
            copied=tuple(
                (name, node.key)
                for name, node in self.needs.of_view.items()
                if name != node.key and name not in passed
            ),
            hidden=self._hidden(),
            is_asynchronous=asynchronous,
            is_simple=not (
                asynchronous
                or before
                or self.needs.parts
                or opens_generator(everything)
            ),
            opens_generator=opens_generator(everything),
            refuses_streams=bool(self.closed_with_view()),
        )

    def _resolve(self, node: Node) -> Node:
        """What is called in the place of a node."""
        return self._fakes.get(id(node), node)

    def _discarded(self) -> list[Node]:
        """The nodes whose values nobody takes."""
        taken = {
            id(inner) for node in self.needs.nodes() for inner in node.needs.values()
        }
        taken |= {id(node) for node in self.needs.of_view.values()}
        return [node for node in self.needs.listed if id(node) not in taken]

    def _plans_without(
        self, passed: Collection[str], names: Collection[str]
    ) -> tuple[InboundPlan, InboundPlan | None]:
        """The plans that read what is not passed, nor taken by what is not called."""
        inbound, of_guards = self.inbound.own, self.inbound.of_guards
        if not passed:
            return inbound, of_guards
        called = [*self.needs.guards(passed), *self.needs.others(passed)]
        unused = keys_of(self.needs.of_view.values()) - keys_of(called) - self._own
        without = {*names, *unused}
        variant = inbound.variants and inbound.variants.find(without)
        if of_guards is not None and of_guards.variants is not None:
            of_guards = of_guards.variants.find(without) or of_guards
        return variant or inbound, of_guards

    def _scheme_calls(self) -> dict[int, SchemeCall]:
        return {
            number: self._scheme_call(scheme, self.inbound.of_schemes[number])
            for number, scheme in self.needs.schemes.items()
        }

    def _scheme_call(
        self, scheme: SchemeNode, inbound: InboundPlan | None
    ) -> SchemeCall:
        node = self._resolve(scheme.node)
        steps = steps_of(node.needs.values(), discarded=(), resolve=self._resolve)
        reads = node.credentials > 0
        return SchemeCall(
            scheme=scheme.scheme,
            inbound=inbound,
            steps=steps,
            call=step_of(node),
            scopes=node.scopes,
            reads=reads,
            may_be_nobody=not reads,
        )

    def _hidden(self) -> tuple[str, ...]:
        """The keys of values that are not passed to the view."""
        declared = self._declared
        keys = {*self._graph.arguments.by_key, *(key for key, _ in self.needs.parts)}
        keys |= {node.key for node in self.needs.nodes()}
        if declared.takes_more:
            keys -= {*declared.provided}
        renamed = self.inbound.own.renamed
        return (*sorted(keys - {*declared.parameters, ""}), *renamed)
