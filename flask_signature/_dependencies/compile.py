"""The dependencies of an operation, compiled: its steps, its guards, its schemes.

A graph goes in when a view is registered, :class:`OperationDependencies` come out,
which give a plan of the dependencies that are not overridden.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from threading import Lock

from .._common import DEEP_OBJECT
from .._inbound.binding import check_names, names_of
from .._inbound.plan import MAX_VARIANTS
from .._signature.argument import EMPTY
from .._signature.reader import call_of
from .._types.annotations import is_anything, members, show_type
from ..exceptions import SignatureError
from ..params import Location
from ..security import APIKey
from .access import SchemeCall, find_only
from .callables import GENERATORS
from .graph import NO_FAKES, Graph, read_fakes, within
from .plan import DependencyPlan, kinds_of, runs_coroutines

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from flask import Flask
    from werkzeug.routing import Rule

    from .._inbound.compile import KnownNames
    from .._inbound.plan import InboundPlan
    from .._signature.argument import Signature
    from ..security import Requirement
    from .access import Parts
    from .graph import Demand, DependencyOverrides, Node


#: The plan that reads some arguments, beside the names that others read.
CompileInbound: t.TypeAlias = "Callable[[Signature, KnownNames], InboundPlan]"

#: Held while calls are put together anew, which is seldom.
OVERRIDES_LOCK: t.Final = Lock()


class Declared(t.NamedTuple):
    """What is declared for a view besides its signature.

    :param guards: the items of ``dependencies=``, the outermost first.
    :param requirement: of ``security=``, ``None`` where nothing says any.
    :param parameters: the names of all arguments of the view.
    :param takes_more: whether the view takes further variables of the URL.
    :param provided: the names that the URL provides.
    :param namespace: the local names around the view.
    :param overrides: of the application.
    """

    app: Flask
    endpoint: str
    guards: Sequence[t.Any]
    requirement: Requirement[t.Any] | None
    parameters: Collection[str]
    takes_more: bool
    provided: Collection[str]
    namespace: Mapping[str, t.Any] | None
    overrides: DependencyOverrides


def compile_dependencies(
    signature: Signature, declared: Declared, compile_inbound: CompileInbound
) -> OperationDependencies | None:
    """The dependencies of a view, ``None`` where it has none.

    :raises SignatureError: if there is something wrong with them.
    """
    enforced = _enforced_part(declared.requirement)
    supplied = signature.supplied or signature.injected or signature.optional
    if not (supplied or declared.guards or enforced):
        return None
    found = OperationDependencies(signature, declared, enforced)
    found.compile_inbound(compile_inbound)
    declared.overrides.add(found.override)
    return found


class OperationDependencies:
    """The dependencies of one operation.

    :ivar of_view: the dependencies of the view, by the names of its arguments.
    :ivar parts: the security requirements that are enforced, each with the key of what
        it gives, ``""`` where that is not asked for.
    :ivar enforced: what ``security=`` requires, ``None`` where that is not enforced.
    :ivar schemes: the functions of their schemes, by the identity of these.
    :ivar nodes: every node, also those that others depend on.
    :ivar guards: what runs before the body is read.
    :ivar inbound: reads the arguments of the view and of what is called with it.
    :ivar plan: what a request runs to which callers pass nothing.
    """

    def __init__(
        self,
        signature: Signature,
        declared: Declared,
        enforced: Requirement[t.Any] | None,
    ) -> None:
        own = {item.key: item for item in signature.arguments}
        provided, namespace = declared.provided, declared.namespace
        keys = {*declared.parameters, *provided, *own}
        graph = Graph(signature.view, provided, namespace, own, keys)
        self._signature, self._declared, self._graph = signature, declared, graph
        self.of_view: dict[str, Node] = graph.read_view(signature)
        self._listed = [graph.read_guard(item) for item in declared.guards]
        requirement = declared.requirement
        is_open = requirement is not None and not requirement.alternatives
        check_demands(graph.demands, is_open=is_open)
        parts = [(item.key, item.requirement) for item in graph.demands]
        if enforced is not None:
            parts.insert(0, ("", enforced))
        self.enforced: Requirement[t.Any] | None = enforced
        self.parts: Parts = tuple(parts)
        self.schemes: dict[int, Node] = read_schemes(graph, [part for _, part in parts])
        of_view = [*self.of_view.values()]
        self.nodes: list[Node] = within(
            [*self._listed, *of_view, *self.schemes.values()]
        )
        taken = {inner.key for node in self.nodes for inner in node.needs.values()}
        for node in self._listed:
            node.is_taken = node in of_view or node.key in taken
        pulled = [
            node for node in of_view if any(inner.allowed for inner in within([node]))
        ]
        self.guards: tuple[Node, ...] = (*self._listed, *pulled)
        self._others = [node for node in of_view if node not in pulled]
        self._own = {item.key for item in signature.arguments}
        supplied = {*self.of_view, *(key for key, _ in parts)}
        self._names = signature.injected | signature.optional | supplied
        self._fakes = NO_FAKES
        self._variants: dict[frozenset[str], DependencyPlan] = {}
        self.plan: DependencyPlan

    def compile_inbound(self, compile_inbound: CompileInbound) -> None:
        """Compile what reads the arguments of the view, of guards and of schemes."""
        by_key = self._graph.arguments
        known = self._known_names()

        def compile_some(keys: Collection[str]) -> InboundPlan:
            arguments = tuple(item for key, item in by_key.items() if key in keys)
            return compile_inbound(replace(self._signature, arguments=arguments), known)

        before = _request_keys(self.guards)
        done = [node.key for node in within(self.guards)]
        later = _request_keys(self._others, without=done) | self._own
        # What a guard has read is not read again, but a variable of the URL is by all.
        paths = {key for key, item in by_key.items() if item.location is Location.PATH}
        self.inbound: InboundPlan = compile_some(later - (before - paths))
        # None where nothing is read.
        self._of_guards = compile_some(before) if before else None
        of_schemes = {key: _request_keys([node]) for key, node in self.schemes.items()}
        self._of_schemes = {
            number: compile_some(keys) if keys else None
            for number, keys in of_schemes.items()
        }
        check_names([*by_key.values()])

    def _known_names(self) -> KnownNames:
        """The names of all arguments, and of API keys in the query or a cookie."""
        names: dict[Location, set[str]] = {}
        for argument in self._graph.arguments.values():
            # The names in the request of a deep object begin so.
            bracket = "[" if argument.marker.style == DEEP_OBJECT else ""
            known = names.setdefault(argument.location, set())
            known.update(f"{name.path[0]}{bracket}" for name in names_of(argument))
        for scheme in [node.scheme for node in self.schemes.values()]:
            if isinstance(scheme, APIKey) and scheme.location != "header":
                names.setdefault(Location(scheme.location), set()).add(scheme.key)
        return {location: frozenset(found) for location, found in names.items()}

    @property
    def has_guards(self) -> bool:
        """Whether anything is evaluated before the body is read."""
        return bool(self.parts or self.guards)

    @property
    def inbound_plans(self) -> Sequence[InboundPlan]:
        """What reads the arguments, that of the view first."""
        found = [self.inbound, self._of_guards, *self._of_schemes.values()]
        return [plan for plan in found if plan is not None]

    @property
    def responses(self) -> dict[t.Any, t.Any]:
        """The responses of all dependencies, models by status."""
        return {key: x for node in self.nodes for key, x in node.responses.items()}

    @property
    def raises(self) -> list[type[Exception]]:
        """The exceptions that dependencies raise, as far as they say it."""
        return [cls for node in self.nodes for cls in node.raises]

    def variables(self) -> set[str]:
        """The variables of the URL that dependencies take."""
        known, keys = self._graph.arguments, _request_keys(self.nodes)
        return {key for key in keys if known[key].location is Location.PATH}

    def closed_with_view(self, fakes: Mapping[str, Node] = NO_FAKES) -> list[Node]:
        """The generators that the view is given, and which are closed when it is left.

        Those that guards alone are given need not be open while a stream is sent. Of
        security schemes these are the functions alone: what they were given is done
        with when they have said who it is.

        :param fakes: what is called in the place of some, by their keys.
        """
        found = within(self.of_view.values(), fakes)
        of_nodes = {key for node in self.nodes for key in node.allowed.values()}
        taken = {key for node in found for key in node.allowed.values()}
        users = [
            self.schemes[id(leaf.scheme)]
            for key, part in self.parts
            if key and (key in taken or key not in of_nodes)
            for leaf in part.leaves()
        ]
        found += [fakes.get(node.key, node) for node in users]
        return [n for n in found if n.kind in GENERATORS and n.scope == "function"]

    def closed_with_body(self) -> list[Node]:
        """The generators that are closed when the body has been sent."""
        return [node for node in self.nodes if node.scope == "request"]

    def find(self, view_args: Mapping[str, t.Any], rule: Rule | None) -> DependencyPlan:
        """What a request runs.

        :param view_args: what the URL provides, and what is passed to the view.
        :param rule: of the request.
        :raises LookupError: if a client could pass what is supplied.
        """
        if self._names.isdisjoint(view_args):
            return self.plan
        # Another view may pass a variable of its own.
        functions, own = self._declared.app.view_functions, self._declared.endpoint
        if rule is not None and functions.get(rule.endpoint) is functions.get(own):
            self._check_rule(rule)
        names = frozenset(view_args)
        variant = self._variants.get(names)
        if variant is None:
            with OVERRIDES_LOCK:
                variant = self._variants.get(names) or self._assemble(names)
                kept = self._variants if len(self._variants) < MAX_VARIANTS else {}
                self._variants = {**kept, names: variant}
        return variant

    def _check_rule(self, rule: Rule) -> None:
        """Refuse a rule that was not added with ``add_url_rule()``.

        :raises LookupError: if its URL has what is supplied.
        """
        variables = rule.arguments - {*(rule.defaults or ())}
        for name in sorted(variables & self._names):
            raise LookupError(
                f"{rule.rule!r} has a variable {name!r}, which {self._graph.view} is"
                " supplied with. Rename it, so that no client can set that."
            )

    def override(self, fakes: Mapping[t.Any, t.Any]) -> None:
        """Call others in the place of some dependencies.

        :param fakes: by the keys of what they replace, see :func:`.key_of`.
        :raises SignatureError: if one takes something that the other does not, or a
            loop would have to run it and can't.
        """
        found = read_fakes(self._graph, self.nodes, fakes)
        with OVERRIDES_LOCK:
            self._fakes = found
            self.plan, self._variants = self._assemble(), {}
        is_asynchronous = bool(found) and self.plan.is_asynchronous
        if is_asynchronous and not runs_coroutines(self._declared.app):
            raise SignatureError(
                f"{self._graph.view} has a dependency that is asynchronous in"
                " dependency_overrides, but asgiref, with which Flask runs such"
                " functions, is not installed. Run 'pip install"
                " \"flask-signature[async]\"', or write it with 'def'."
            )

    def _assemble(self, names: frozenset[str] = frozenset()) -> DependencyPlan:
        """The plan for a request, without what is passed.

        :param names: of all that is passed to the view, empty where nothing is but
            variables of the URL.
        """
        named = self.of_view.items()
        passed = {node.key for name, node in named if name in names}
        before = self._steps_before(passed)
        known = {node.key for node in before}
        steps = within(self._others, self._fakes, without=passed | known)
        calls = {number: self._scheme_call(number) for number in self.schemes}
        of_schemes = (node for x in calls.values() for node in (*x.steps, x.step))
        guards = [*before, *of_schemes]
        everything = [*guards, *steps]
        inbound, of_guards = self._plans_without(passed, names)
        kinds = kinds_of(everything)
        plan = DependencyPlan(
            app=self._declared.app,
            parts=self.parts,
            calls=calls,
            only_scheme=find_only(self.parts, calls),
            read_guards=of_guards.read if of_guards else None,
            guards=before,
            read=inbound.read,
            steps=steps,
            copied=[(name, node.key) for name, node in named if name != node.key],
            hidden=self._hidden(everything),
            is_simple=not (any(kinds.values()) or self.has_guards),
            refuses_streams=bool(self.closed_with_view(self._fakes)),
            **kinds,
        )
        return plan.split(guards, steps) if self.parts or before else plan

    def _steps_before(self, passed: Collection[str]) -> list[Node]:
        """The calls before the body is read.

        A guard whose value is passed is called nevertheless: that does not switch it
        off. Whoever depends on it takes the passed value.

        :param passed: the keys of nodes whose values callers supply.
        """
        listed = {node.key for node in self._listed}
        steps = within(self.guards, self._fakes, without={*passed} - listed)
        for number, node in enumerate(steps):
            if node.key in passed:
                steps[number] = replace(node, key=f"{node.key}, thrown away")
        return steps

    def _scheme_call(self, number: int) -> SchemeCall:
        *steps, step = within([self.schemes[number]], self._fakes)
        return SchemeCall(step, steps, self._of_schemes[number])

    def _plans_without(
        self, passed: Collection[str], names: Collection[str]
    ) -> tuple[InboundPlan, InboundPlan | None]:
        """The plans that read what is not passed, nor taken by what is not called."""
        inbound, of_guards = self.inbound, self._of_guards
        if not passed:
            return inbound, of_guards
        called = _request_keys(self._listed)
        called |= _request_keys(self.of_view.values(), without=passed)
        unused = _request_keys(self.of_view.values()) - called - self._own
        without = {*names, *unused}
        variant = inbound.without(without)
        if of_guards is not None:
            of_guards = of_guards.without(without) or of_guards
        return variant or inbound, of_guards

    def _hidden(self, steps: Iterable[Node]) -> tuple[str, ...]:
        """The keys of values that are not passed to the view."""
        declared = self._declared
        keys = {*self._graph.arguments, *(key for key, _ in self.parts)}
        keys |= {node.key for node in (*self.nodes, *steps)}
        if declared.takes_more:
            keys -= {*declared.provided}
        renamed = self.inbound.renamed
        return (*sorted(keys - {*declared.parameters, ""}), *renamed)


def read_schemes(
    graph: Graph, requirements: Iterable[Requirement[t.Any]]
) -> dict[int, Node]:
    """The functions of the schemes in some requirements, by identity.

    :raises SignatureError: if one can't be read, or is asked for scopes that it does
        not know.
    """
    found: dict[int, Node] = {}
    for requirement in requirements:
        for leaf in requirement.leaves():
            scheme = leaf.scheme
            assert scheme is not None
            if id(scheme) not in found:
                found[id(scheme)] = graph.read_scheme(scheme)
            node = found[id(scheme)]
            if leaf.scope_names and not (scheme.get_scopes or node.scopes):
                raise SignatureError(
                    f"{call_of(scheme)} is asked for scopes, but has no"
                    " get_scopes=, which says what a user may do. Add"
                    " get_scopes=lambda user: user.scopes."
                )
    return found


def _enforced_part(
    requirement: Requirement[t.Any] | None,
) -> Requirement[t.Any] | None:
    """A requirement that is enforced: its schemes can verify.

    :raises SignatureError: if some can and others can't.
    """
    leaves = [] if requirement is None else [*requirement.leaves()]
    verifying = [x.scheme for x in leaves if x.scheme is not None and x.scheme.verifies]
    if not verifying:
        return None
    for leaf in leaves:
        if leaf.scheme not in verifying:
            raise SignatureError(
                f"security= has {call_of(verifying[0])}, which verifies, beside"
                f" {leaf.name!r}, which only describes, so that no request would be"
                " checked. Give it verify= or authenticate=."
            )
    return requirement


def check_demands(demands: Sequence[Demand], *, is_open: bool) -> None:
    """Refuse a requirement in a signature that can't be met as it is written.

    :param is_open: whether the route says ``security=None``.
    :raises SignatureError: if there is one.
    """
    for demand in demands:
        leaves = [*demand.requirement.leaves()]
        for leaf in leaves:
            if leaf.scheme is None or not leaf.scheme.verifies:
                raise SignatureError(
                    f"{demand.shown} takes what the scheme {leaf.name!r} gives, which"
                    " only describes. Give it verify= or authenticate=."
                )
        if is_open:
            raise SignatureError(
                f"{demand.shown} needs the scheme {leaves[0].name!r}, but the route"
                " says security=None. Remove one of them."
            )
        annotation = demand.annotation
        if annotation is EMPTY or is_anything(annotation):
            continue
        # Type checkers do not read the metadata of Annotated.
        is_optional = any(item in (None, type(None)) for item in members(annotation))
        if _may_be_none(demand.requirement) and not is_optional:
            shown = show_type(annotation)
            raise SignatureError(
                f"{demand.shown} is annotated {shown!r}, but its requirement is"
                " optional, so that it may be None. Write"
                f" Annotated[{shown} | None, ...]."
            )


def _may_be_none(requirement: Requirement[t.Any]) -> bool:
    """Whether a requirement gives ``None`` where nothing was sent."""
    return requirement.kind == "any" and (
        requirement.is_optional or any(map(_may_be_none, requirement.parts))
    )


def _request_keys(nodes: Iterable[Node], without: Iterable[str] = ()) -> set[str]:
    """The keys of what some nodes, and what they depend on, take from the request.

    :param without: the keys of nodes to leave out.
    """
    found = within(nodes, without=without)
    return {key for node in found for key in node.reads.values()}
