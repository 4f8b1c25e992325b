"""The dependencies of an operation, compiled: what is called, and what that reads.

A signature and what is declared for its route go in, :class:`OperationDependencies`
come out; the compilation of an operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import replace

from .._inbound.conflicts import check_names
from ..params import Location
from ..security import APIKey
from .arguments import SharedArguments
from .arguments import names_in_request
from .graph import Graph
from .nodes import Needs
from .nodes import keys_of
from .operation import Inbound
from .operation import OperationDependencies
from .schemes import check_demands
from .schemes import check_requirement
from .schemes import read_schemes

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Iterable

    from .._inbound.plan import InboundPlan
    from .._signature.argument import Argument
    from .._signature.argument import Signature
    from .declared import Declared
    from .nodes import Node

#: The names in the request that are no extra fields of a model, by location.
KnownNames: t.TypeAlias = dict[Location, frozenset[str]]


class CompileInbound(t.Protocol):
    """Compiles the plan that reads some arguments of an operation."""

    def __call__(self, signature: Signature, known: KnownNames) -> InboundPlan:
        """The plan.

        :param known: the names that something else reads.
        :raises SignatureError: if there can be none.
        """


def compile_dependencies(
    signature: Signature, declared: Declared, compile_inbound: CompileInbound
) -> OperationDependencies | None:
    """The dependencies of a view, ``None`` where it has none.

    :raises SignatureError: if there is something wrong with them.
    """
    is_enforced = declared.requirement is not None and check_requirement(
        declared.requirement
    )
    supplied = signature.supplied or signature.injected or signature.optional
    if not (supplied or declared.guards or is_enforced):
        return None
    reader = _Reader(signature, declared, compile_inbound)
    return reader.compile(is_enforced=is_enforced)


@dataclass(slots=True)
class _Reader:
    signature: Signature
    declared: Declared
    compile_inbound: CompileInbound

    def compile(self, *, is_enforced: bool) -> OperationDependencies:
        """The dependencies of the operation.

        :param is_enforced: whether ``security=`` is.
        """
        signature, declared = self.signature, self.declared
        arguments = SharedArguments({*declared.parameters, *declared.provided})
        arguments.add_own(signature.arguments)
        graph = Graph(signature.view, arguments, declared.provided, declared.namespace)
        needs = self._read(graph, is_enforced=is_enforced)
        inbound = self._compile(_Groups(signature, arguments, needs))
        return OperationDependencies(
            declared, graph, needs=needs, inbound=inbound, signature=signature
        )

    def _read(self, graph: Graph, *, is_enforced: bool) -> Needs:
        of_view = graph.read_view(self.signature)
        listed = [graph.read_guard(item) for item in self.declared.guards]
        requirement = self.declared.requirement
        is_open = requirement is not None and not requirement.alternatives
        check_demands(graph.demands, is_open=is_open)
        parts = [(item.key, item.requirement) for item in graph.demands]
        if is_enforced and requirement is not None:
            parts.insert(0, ("", requirement))
        schemes = read_schemes(graph, [part for _, part in parts])
        return Needs(
            of_view=of_view, listed=listed, parts=tuple(parts), schemes=schemes
        )

    def _compile(self, groups: _Groups) -> Inbound:
        """The plans that read the arguments of the view, of guards and of schemes."""
        signature, known = self.signature, groups.known_names()
        own = replace(signature, arguments=tuple(groups.of_view()))
        schemes = groups.needs.schemes.items()
        inbound = Inbound(
            self.compile_inbound(own, known),
            self._compile_others(groups.of(groups.needs.guards), known),
            {
                number: self._compile_others(groups.of([item.node]), known)
                for number, item in schemes
            },
        )
        bindings = {
            key: binding
            for plan in inbound.plans
            for key, binding in plan.bindings.items()
        }
        check_names([*groups.arguments.by_key.values()], bindings)
        return inbound

    def _compile_others(
        self, arguments: list[Argument], known: KnownNames
    ) -> InboundPlan | None:
        if not arguments:
            return None
        return self.compile_inbound(
            replace(self.signature, arguments=tuple(arguments)), known
        )


@dataclass(frozen=True, slots=True)
class _Groups:
    """The arguments of an operation, by when they are read."""

    signature: Signature
    arguments: SharedArguments
    needs: Needs

    def of_view(self) -> list[Argument]:
        """The arguments of the view and of its other dependencies.

        Without those that a guard has read. A variable of the URL is read by all.
        """
        guards = self.needs.guards
        done = {id(inner) for node in guards for inner in node.within()}
        later = {
            key
            for node in self.needs.others
            for inner in node.within()
            if id(inner) not in done
            for key in inner.reads.values()
        }
        wanted = later | {item.key for item in self.signature.arguments}
        before = keys_of(guards)
        return [
            item
            for item in self._with(wanted)
            if item.key not in before or item.location is Location.PATH
        ]

    def of(self, nodes: Iterable[Node]) -> list[Argument]:
        """The arguments of some nodes and of what they depend on."""
        return self._with(keys_of(nodes))

    def known_names(self) -> KnownNames:
        """The names of all arguments, and of API keys in the query or a cookie."""
        names: dict[Location, set[str]] = {}
        for argument in self.arguments.by_key.values():
            known = names.setdefault(argument.location, set())
            known.update(names_in_request(argument))
        for found in self.needs.schemes.values():
            scheme = found.scheme
            if isinstance(scheme, APIKey) and scheme.location != "header":
                names.setdefault(Location(scheme.location), set()).add(scheme.key)
        return {location: frozenset(found) for location, found in names.items()}

    def _with(self, keys: Collection[str]) -> list[Argument]:
        known = self.arguments.by_key.items()
        return [argument for key, argument in known if key in keys]
