"""The dependencies of an operation, compiled: its steps, its guards, its schemes.

A graph goes in when a view is registered, :class:`OperationDependencies` come out,
which give a plan of the dependencies that are not overridden.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from itertools import chain
from threading import Lock

from .._common import DEEP_OBJECT
from .._inbound.binding import check_names, names_of
from .._inbound.plan import MAX_VARIANTS
from .._routing.declaration import read_responses_option
from .._signature.argument import EMPTY
from .._types.annotations import is_anything, members, show_type
from ..exceptions import SignatureError
from ..params import Location
from ..security import APIKey
from .callables import GENERATORS
from .graph import Graph, Needs, Node, SharedArguments
from .overrides import read_fakes
from .plan import DependencyPlan, is_asynchronous, opens_generator
from .steps import Access, SchemeCall, step_of, steps_of

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from flask import Flask
    from werkzeug.routing import Rule

    from .._inbound.compile import KnownNames
    from .._inbound.plan import InboundPlan
    from .._signature.argument import Signature
    from ..security import Requirement, SecurityScheme
    from .graph import Demand
    from .overrides import DependencyOverrides
    from .steps import Resolve, Step


#: The plan that reads some arguments, beside the names that others read.
CompileInbound: t.TypeAlias = "Callable[[Signature, KnownNames], InboundPlan]"


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
        signature=signature,
        compile_inbound=compile_inbound,
    )


def _known_names(graph: Graph, needs: Needs) -> KnownNames:
    """The names of all arguments, and of API keys in the query or a cookie."""
    names: dict[Location, set[str]] = {}
    for argument in graph.arguments.by_key.values():
        # The names in the request of a deep object begin so.
        bracket = "[" if argument.marker.style == DEEP_OBJECT else ""
        known = names.setdefault(argument.location, set())
        known.update(f"{name.path[0]}{bracket}" for name in names_of(argument))
    for scheme in [node.scheme for node in needs.schemes.values()]:
        if isinstance(scheme, APIKey) and scheme.location != "header":
            names.setdefault(Location(scheme.location), set()).add(scheme.key)
    return {location: frozenset(found) for location, found in names.items()}


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
    :param overrides: of the application, ``None`` where it has none.
    :param runs_coroutines: whether the application can run coroutine functions, called
        where one replaces a dependency.
    """

    app: Flask
    endpoint: str
    guards: Sequence[t.Any]
    requirement: Requirement[t.Any] | None
    parameters: Collection[str]
    takes_more: bool
    provided: Collection[str]
    namespace: Mapping[str, t.Any] | None
    overrides: DependencyOverrides | None
    runs_coroutines: Callable[[], bool]


class OperationDependencies:
    """The dependencies of one operation.

    :ivar inbound: reads the arguments of the view and of what is called with it.
    :ivar plan: what a request runs to which callers pass nothing.
    """

    def __init__(
        self,
        declared: Declared,
        graph: Graph,
        *,
        needs: Needs,
        signature: Signature,
        compile_inbound: CompileInbound,
    ) -> None:
        self.needs = needs
        self._declared = declared
        self._graph = graph
        self._own = {item.key for item in signature.arguments}
        self._compile_inbound(signature, compile_inbound)
        supplied = {*needs.of_view, *(key for key, _ in needs.parts)}
        self._names = signature.injected | signature.optional | supplied
        self._fakes: Mapping[int, Node] = {}
        self.plan: DependencyPlan
        self._variants: dict[frozenset[str], DependencyPlan] = {}
        if declared.overrides is not None:
            declared.overrides.add(self.override)
        else:
            self.plan = self._assemble()

    def _compile_inbound(
        self, signature: Signature, compile_inbound: CompileInbound
    ) -> None:
        """Compile what reads the arguments of the view, of guards and of schemes."""
        by_key, needs = self._graph.arguments.by_key, self.needs
        known = _known_names(self._graph, needs)

        def compile_some(keys: Collection[str]) -> InboundPlan:
            arguments = tuple(item for key, item in by_key.items() if key in keys)
            return compile_inbound(replace(signature, arguments=arguments), known)

        before = _request_keys(needs.guards)
        done = {id(inner) for node in needs.guards for inner in node.within()}
        later = _request_keys(needs.others, without=done) | self._own
        # What a guard has read is not read again, but a variable of the URL is by all.
        paths = {key for key, item in by_key.items() if item.location is Location.PATH}
        of_schemes = {key: _request_keys([node]) for key, node in needs.schemes.items()}
        self.inbound: InboundPlan = compile_some(later - (before - paths))
        # None where nothing is read.
        self._of_guards = compile_some(before) if before else None
        self._of_schemes = {
            number: compile_some(keys) if keys else None
            for number, keys in of_schemes.items()
        }
        check_names([*by_key.values()])

    @property
    def inbound_plans(self) -> Sequence[InboundPlan]:
        """What reads the arguments, that of the view first."""
        found = [self.inbound, self._of_guards, *self._of_schemes.values()]
        return [plan for plan in found if plan is not None]

    @property
    def responses(self) -> dict[t.Any, t.Any]:
        """The responses of all dependencies, models by status."""
        nodes = self.needs.nodes
        return {
            status: model for node in nodes for status, model in node.responses.items()
        }

    @property
    def raises(self) -> list[type[Exception]]:
        """The exceptions that dependencies raise, as far as they say it."""
        return [cls for node in self.needs.nodes for cls in node.raises]

    def variables(self) -> set[str]:
        """The variables of the URL that dependencies take."""
        known = self._graph.arguments.by_key
        keys = _request_keys(self.needs.nodes)
        return {key for key in keys if known[key].location is Location.PATH}

    def closed_with_view(self, resolve: Resolve | None = None) -> list[Node]:
        """The generators that the view is given, and which are closed when it is left.

        Those that guards alone are given need not be open while a stream is sent.

        :param resolve: finds what is called in the place of a node.
        """
        return [
            node
            for node in self.needs.given_to_view(resolve)
            if node.kind in GENERATORS and node.scope == "function"
        ]

    def closed_with_body(self) -> list[Node]:
        """The generators that are closed when the body has been sent."""
        return [node for node in self.needs.nodes if node.scope == "request"]

    def find(self, view_args: Mapping[str, t.Any], rule: Rule | None) -> DependencyPlan:
        """What a request runs.

        :param view_args: what the URL provides, and what is passed to the view.
        :param rule: of the request.
        :raises LookupError: if a client could pass what is supplied.
        """
        if self._names.isdisjoint(view_args):
            return self.plan
        if rule is not None and rule.endpoint == self._declared.endpoint:
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
        found = read_fakes(self._graph, self.needs, fakes)
        with OVERRIDES_LOCK:
            self._fakes = found
            self.plan, self._variants = self._assemble(), {}
        is_asynchronous = bool(found) and self.plan.is_asynchronous
        if is_asynchronous and not self._declared.runs_coroutines():
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
        passed = self.needs.passed(names)
        before = self._steps_before(passed)
        known = {step.key for step in before}
        later = steps_of(self.needs.others, resolve=self._resolve, without=passed)
        steps = tuple(step for step in later if step.key not in known)
        calls = self._scheme_calls()
        guards = [*before, *chain(*(item.all_steps for item in calls.values()))]
        everything = [*guards, *steps]
        inbound, of_guards = self._plans_without(passed, names)
        asynchronous, opens = is_asynchronous(everything), opens_generator(everything)
        named = self.needs.of_view.items()
        copied = tuple((name, node.key) for name, node in named if name != node.key)
        plan = DependencyPlan(
            app=self._declared.app,
            access=Access.of(self.needs.parts, calls) if self.needs.parts else None,
            read_guards=of_guards.read if of_guards else None,
            guards=before,
            read=inbound.read,
            steps=steps,
            shared=tuple(item for item in copied if item[0] in names),
            copied=copied,
            hidden=self._hidden(everything),
            is_asynchronous=asynchronous,
            is_simple=not (asynchronous or opens or self.needs.has_guards),
            opens_generator=opens,
            refuses_streams=bool(self.closed_with_view(self._resolve)),
        )
        return plan.split(guards, steps) if plan.access or before else plan

    def _steps_before(self, passed: Collection[int]) -> tuple[Step, ...]:
        """The calls before the body is read.

        A guard whose value is passed is called nevertheless: that does not switch it
        off. Whoever depends on it takes the passed value.

        :param passed: the identities of nodes whose values callers supply.
        """
        listed = {id(node): node for node in self.needs.listed}
        steps = steps_of(
            self.needs.guards,
            resolve=self._resolve,
            discarded=self._discarded(),
            without={*passed} - listed.keys(),
        )
        keys = {node.key for number, node in listed.items() if number in passed}
        return tuple(
            replace(step, key=f"{step.key}, thrown away") if step.key in keys else step
            for step in steps
        )

    def _resolve(self, node: Node) -> Node:
        """What is called in the place of a node."""
        return self._fakes.get(id(node), node)

    def _discarded(self) -> list[Node]:
        """The nodes whose values are not taken."""
        taken = {
            id(inner) for node in self.needs.nodes for inner in node.needs.values()
        }
        taken |= {id(node) for node in self.needs.of_view.values()}
        return [node for node in self.needs.listed if id(node) not in taken]

    def _plans_without(
        self, passed: Collection[int], names: Collection[str]
    ) -> tuple[InboundPlan, InboundPlan | None]:
        """The plans that read what is not passed, nor taken by what is not called."""
        inbound, of_guards = self.inbound, self._of_guards
        if not passed:
            return inbound, of_guards
        called = _request_keys(self.needs.listed)
        called |= _request_keys(self.needs.of_view.values(), without=passed)
        unused = _request_keys(self.needs.of_view.values()) - called - self._own
        without = {*names, *unused}
        variant = inbound.without(without)
        if of_guards is not None:
            of_guards = of_guards.without(without) or of_guards
        return variant or inbound, of_guards

    def _scheme_calls(self) -> dict[int, SchemeCall]:
        nodes = {key: self._resolve(node) for key, node in self.needs.schemes.items()}
        return {
            number: SchemeCall(
                scheme=t.cast("SecurityScheme[t.Any]", node.scheme),
                inbound=self._of_schemes[number],
                steps=steps_of(node.needs.values(), resolve=self._resolve),
                call=step_of(node),
                scopes=node.scopes,
                reads=node.credentials > 0,
            )
            for number, node in nodes.items()
        }

    def _hidden(self, steps: Iterable[Step]) -> tuple[str, ...]:
        """The keys of values that are not passed to the view."""
        declared = self._declared
        keys = {*self._graph.arguments.by_key, *(key for key, _ in self.needs.parts)}
        keys |= {node.key for node in self.needs.nodes}
        keys |= {step.key for step in steps}
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
                found[id(scheme)] = _read_scheme(graph, scheme)
            node = found[id(scheme)]
            if leaf.scope_names and not (scheme.get_scopes or node.scopes):
                raise SignatureError(
                    f"{_show_scheme(scheme)} is asked for scopes, but has no"
                    " get_scopes=, which says what a user may do. Add"
                    " get_scopes=lambda user: user.scopes."
                )
    return found


def _read_scheme(graph: Graph, scheme: SecurityScheme[t.Any]) -> Node:
    node = graph.read_scheme(scheme)
    shown = _show_scheme(scheme)
    node.responses.update(read_responses_option(shown, scheme.responses))
    keys = {key for inner in node.within() for key in inner.allowed.values()}
    for demand in graph.demands:
        if demand.key not in keys:
            continue
        raise SignatureError(
            f"{demand.shown} takes what a security scheme gives, but is called to"
            f" verify {shown}. Read the request there."
        )
    return node


def check_requirement(requirement: Requirement[t.Any]) -> bool:
    """Whether a requirement is enforced: its schemes can verify.

    :raises SignatureError: if some can and others can't.
    """
    schemes = [leaf.scheme for leaf in requirement.leaves()]
    verifying = [item for item in schemes if item is not None and item.verifies]
    if not verifying:
        return False
    for leaf in requirement.leaves():
        if leaf.scheme is None or not leaf.scheme.verifies:
            raise SignatureError(
                f"security= has {_show_scheme(verifying[0])}, which verifies, beside"
                f" {leaf.name!r}, which only describes, so that no request would be"
                " checked. Give it verify= or authenticate=."
            )
    return True


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
        _check_optional(demand)


def _check_optional(demand: Demand) -> None:
    """Refuse an annotation without ``None`` where there may be no user.

    Type checkers do not read the metadata of ``Annotated``.

    :raises SignatureError: if it is one.
    """
    annotation = demand.annotation
    if annotation is EMPTY or is_anything(annotation):
        return
    is_optional = any(item in (None, type(None)) for item in members(annotation))
    if _may_be_none(demand.requirement) and not is_optional:
        shown = show_type(annotation)
        raise SignatureError(
            f"{demand.shown} is annotated {shown!r}, but its requirement is optional,"
            f" so that it may be None. Write Annotated[{shown} | None, ...]."
        )


def _may_be_none(requirement: Requirement[t.Any]) -> bool:
    """Whether a requirement gives ``None`` where nothing was sent."""
    return requirement.kind == "any" and (
        requirement.is_optional or any(map(_may_be_none, requirement.parts))
    )


def _show_scheme(scheme: SecurityScheme[t.Any]) -> str:
    return f"{type(scheme).__name__}({scheme.name!r})"


def _request_keys(nodes: Iterable[Node], without: Collection[int] = ()) -> set[str]:
    """The keys of what some nodes, and what they depend on, take from the request.

    :param without: the identities of nodes to leave out.
    """
    return {
        key
        for node in nodes
        for inner in node.within(without=without)
        for key in inner.reads.values()
    }
