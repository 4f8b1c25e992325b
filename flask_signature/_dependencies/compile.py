"""The dependencies of an operation, compiled: what is called, and what that reads.

A signature and what is declared for its route go in, :class:`OperationDependencies`
come out; the compilation of an operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace

from .._inbound.conflicts import check_names
from ..params import Location
from ..security import APIKey
from .arguments import SharedArguments, names_in_request
from .graph import Graph
from .nodes import Needs, keys_of
from .operation import Inbound, OperationDependencies
from .schemes import check_demands, check_requirement, read_schemes

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from .._inbound.parts import KnownNames
    from .._inbound.plan import InboundPlan
    from .._signature.argument import Signature
    from .operation import Declared


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
    requirement = declared.requirement
    is_enforced = requirement is not None and check_requirement(requirement)
    supplied = signature.supplied or signature.injected or signature.optional
    if not (supplied or declared.guards or is_enforced):
        return None
    arguments = SharedArguments({*declared.parameters, *declared.provided})
    arguments.add_own(signature.arguments)
    graph = Graph(signature.view, arguments, declared.provided, declared.namespace)
    of_view = graph.read_view(signature)
    listed = [graph.read_guard(item) for item in declared.guards]
    is_open = requirement is not None and not requirement.alternatives
    check_demands(graph.demands, is_open=is_open)
    parts = [(item.key, item.requirement) for item in graph.demands]
    if is_enforced and requirement is not None:
        parts.insert(0, ("", requirement))
    schemes = read_schemes(graph, [part for _, part in parts])
    needs = Needs(of_view=of_view, listed=listed, parts=tuple(parts), schemes=schemes)
    return OperationDependencies(
        declared,
        graph,
        needs=needs,
        inbound=_compile_plans(
            signature, graph, needs, compile_inbound=compile_inbound
        ),
        signature=signature,
    )


def _compile_plans(
    signature: Signature, graph: Graph, needs: Needs, *, compile_inbound: CompileInbound
) -> Inbound:
    """The plans that read the arguments of the view, of guards and of schemes."""
    by_key, known = graph.arguments.by_key, _known_names(graph, needs)

    def compile_some(keys: Collection[str]) -> InboundPlan:
        arguments = tuple(item for key, item in by_key.items() if key in keys)
        return compile_inbound(replace(signature, arguments=arguments), known)

    before = keys_of(needs.guards)
    done = {id(inner) for node in needs.guards for inner in node.within()}
    later = keys_of(needs.others, without=done)
    later |= {item.key for item in signature.arguments}
    # What a guard has read is not read again, but a variable of the URL is by all.
    paths = {key for key, item in by_key.items() if item.location is Location.PATH}
    of_schemes = {
        number: keys_of([item.node]) for number, item in needs.schemes.items()
    }
    inbound = Inbound(
        compile_some(later - (before - paths)),
        compile_some(before) if before else None,
        {
            number: compile_some(keys) if keys else None
            for number, keys in of_schemes.items()
        },
    )
    bindings = {
        key: binding for plan in inbound.plans for key, binding in plan.bindings.items()
    }
    check_names([*by_key.values()], bindings)
    return inbound


def _known_names(graph: Graph, needs: Needs) -> KnownNames:
    """The names of all arguments, and of API keys in the query or a cookie."""
    names: dict[Location, set[str]] = {}
    for argument in graph.arguments.by_key.values():
        known = names.setdefault(argument.location, set())
        known.update(names_in_request(argument))
    for found in needs.schemes.values():
        scheme = found.scheme
        if isinstance(scheme, APIKey) and scheme.location != "header":
            names.setdefault(Location(scheme.location), set()).add(scheme.key)
    return {location: frozenset(found) for location, found in names.items()}
