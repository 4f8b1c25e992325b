"""The operations of an application, and the functions that Flask has for them.

The installation of a route adds to both; a request finds its operation here.
"""

from __future__ import annotations

import typing as t
from contextvars import ContextVar
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from types import FunctionType

from flask import has_request_context, request

if t.TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from flask import Request
    from werkzeug.routing import Rule

    from .._dependencies.compile import OperationDependencies
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._routing.declaration import Declaration
    from .._routing.route import PathTemplate, Route
    from .._signature.argument import Signature
    from .._signature.views import ViewCallable
    from ..security import Requirement


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The operations that share an endpoint, behind one view function.

    :param view: the function that the author registered.
    :param functions: those that Flask was given for it, one after the other: where
        there is nothing to do, the view itself.
    """

    view: ViewFunction
    functions: tuple[ViewFunction, ...] = ()
    operations: tuple[Operation, ...] = ()

    def has(self, function: t.Any) -> bool:
        """Whether Flask was given a function for it."""
        # By identity: not all that can be called can be compared.
        return any(function is item for item in self.functions)

    def holds(self, function: t.Any) -> bool:
        """Whether it is what Flask was given last, which knows all of the rules."""
        return bool(self.functions) and function is self.functions[-1]


class DecoratedFunction(t.NamedTuple):
    """What is around a view function that was not made here.

    :param view: that function, ``None`` where there is none.
    :param declaration: with the ``decorators=``.
    :param function: what these have made.
    """

    view: ViewFunction | None
    declaration: Declaration
    function: ViewFunction


@dataclass(slots=True)
class OperationStore:
    """The operations of an application, in the order of their registration.

    :param has_decorated: whether one has decorators that may make its response.
    :param synchronous: the view functions that are no coroutine functions.
    :param known: the view functions that the dispatcher may call as they are, by
        endpoint: those that enforce their guards, and others that have none.
    :param decorated: what ``decorators=`` have made of other functions, by endpoint.
    :param guarded: what a plain ``flask.Flask`` was given for them, by endpoint.
    """

    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    has_decorated: bool = False
    synchronous: set[ViewFunction] = field(default_factory=set)
    known: dict[str, ViewFunction] = field(default_factory=dict)
    decorated: dict[str, list[DecoratedFunction]] = field(default_factory=dict)
    guarded: dict[str, DecoratedFunction] = field(default_factory=dict)
    _with_rules: list[tuple[Operation, tuple[Rule, ...]]] = field(default_factory=list)
    _by_rule: dict[tuple[int, str], Operation] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Operation]:
        """Every operation that a request may lead to; HEAD may be that of GET."""
        # A copy: another thread may register routes meanwhile.
        return iter(
            [
                operation
                for operation, rules in [*self._with_rules]
                if not rules or any(map(_is_routable, rules))
            ]
        )

    def add(
        self,
        name: str,
        endpoint: Endpoint,
        compiled: Mapping[str, Operation],
        *,
        rules: Sequence[Rule],
    ) -> None:
        """Keep the operations of a route that Flask knows.

        :param name: the endpoint.
        :param compiled: the operations by their methods.
        :param rules: those that were added, which may be several or none where the
            application has a class of rules of its own.
        """
        self.endpoints[name] = endpoint
        for method, operation in compiled.items():
            self._with_rules.append((operation, tuple(rules)))
            for key in _method_keys(rules, method, compiled):
                self._by_rule[key] = operation

    def find(self, request: Request) -> Operation | None:
        """The operation that a request is for, ``None`` for an untyped view."""
        # Rules have no hash, and two that are equal may lead to different operations.
        found = self._by_rule.get((id(request.url_rule), request.method))
        if found is not None:
            return found
        endpoint = self.endpoints.get(request.endpoint or "")
        if endpoint is None:
            return None
        names = request.view_args or ()
        return choose_operation(endpoint.operations, request.method, names)

    def find_call(self, rule: Rule, method: str, view: t.Any) -> DirectCall | None:
        """How a view function may be called directly, ``None`` where it may not.

        :param view: what Flask has for the endpoint, ``None`` where it has nothing.
        """
        known = self.endpoints.get(rule.endpoint)
        operation = self._by_rule.get((id(rule), method))
        if known is None and type(view) is FunctionType:
            return None if iscoroutinefunction(view) else DirectCall(view)
        if known is None or operation is None or not known.holds(view):
            return None
        return operation.call


def choose_operation(
    operations: Sequence[Operation], method: str, names: Collection[str] = ()
) -> Operation | None:
    """The operation of an endpoint for a rule that none was compiled for.

    ``None`` where it can't be told, since the operations are declared differently.

    :param names: what the URL provides, which decides among the others.
    """
    by_method = {item.method for item in operations}
    own = "GET" if method == "HEAD" and "HEAD" not in by_method else method
    fitting = [item for item in operations if item.method == own] or operations
    if any(item.declaration != fitting[0].declaration for item in fitting):
        return None
    same = [item for item in fitting if item.template.variables == {*names}]
    return next(iter(same or fitting), None)


def _method_keys(
    rules: Iterable[Rule], method: str, methods: Collection[str]
) -> list[tuple[int, str]]:
    """The keys of an operation: its rules by identity, and its method.

    :param methods: those that are compiled. Where HEAD is not, it runs that of GET.
    """
    found = [method]
    if method == "GET" and "HEAD" not in methods:
        found.append("HEAD")
    return [(id(rule), name) for rule in rules for name in found]


def _is_routable(rule: Rule) -> bool:
    """Whether a request can lead to a view by a rule."""
    return not (rule.build_only or rule.redirect_to or rule.websocket)


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
        return self.dependencies.inbound_plans


T = t.TypeVar("T")

#: The request itself, which is faster to use than the proxy ``flask.request``.
# Documented by Werkzeug for LocalProxy, in spite of its name.
current_request: Callable[[], Request] = request._get_current_object  # type: ignore[attr-defined]


class ActiveCall(t.Generic[T]):
    """The call that is being made, in this thread and for this request.

    A view may send a request to its own application meanwhile, which is another one.

    :param name: of the context variable.
    :ivar current: the variable: the request and the call, ``None`` where none is made.
    """

    __slots__ = ("current",)

    def __init__(self, name: str) -> None:
        self.current: ContextVar[tuple[Request | None, T | None] | None] = ContextVar(
            name, default=None
        )

    def is_set(self) -> bool:
        """Whether a call is being made, or was said to be none."""
        return self.current.get() is not None

    def get(self) -> T | None:
        """The call, whatever the request."""
        current = self.current.get()
        return None if current is None else current[1]

    def find(self) -> T | None:
        """The call that is being made for the request."""
        current = self.current.get()
        if current is None or not has_request_context():
            return None
        return current[1] if current[0] is current_request() else None

    def run(
        self,
        call: T | None,
        function: Callable[..., t.Any],
        *,
        args: tuple[t.Any, ...],
        view_args: dict[str, t.Any] | None = None,
    ) -> t.Any:
        """Call a function, and say meanwhile that a call is being made, or none."""
        current = current_request() if has_request_context() else None
        token = self.current.set((current, call))
        try:
            return function(*args, **(view_args or {}))
        finally:
            self.current.reset(token)
