"""The operations of an application and the functions that Flask has for them.

The installation of a route adds to both; a request finds its operation here.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field
from inspect import iscoroutinefunction

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Request
    from werkzeug.routing import Rule

    from .._routing.declaration import Declaration
    from .operation import Operation
    from .operation import ViewFunction


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The operations that share an endpoint, behind one view function.

    :param view: the function that the author registered.
    :param function: the one that was made for Flask, ``None`` where Flask has another.
    """

    view: ViewFunction
    function: ViewFunction | None
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class InstalledFunction:
    """A function that Flask has in place of a view, and that may be registered again.

    :param inner: the one that it calls, where it is a wrapper around it.
    """

    function: ViewFunction
    view: ViewFunction
    operations: tuple[Operation, ...]
    inner: InstalledFunction | None = None

    def find(self, method: str) -> Sequence[Operation]:
        """The operations of a method, or all where there are none."""
        methods = ("HEAD", "GET") if method == "HEAD" else (method,)
        for name in methods:
            own = [item for item in self.operations if item.method == name]
            if own:
                return own
        return self.operations if self.inner is None else self.inner.find(method)


class DecoratedFunction(t.NamedTuple):
    """What stands around a view function that was not made here.

    :param view: that function, ``None`` where there is none.
    :param declaration: with the ``decorators=``.
    :param function: what these have made.
    """

    view: ViewFunction | None
    declaration: Declaration
    function: ViewFunction


@dataclass(slots=True)
class FunctionStore:
    """The functions that Flask has for the views of an application.

    :param installed: those in place of a view, by identity: not every callable has a
        hash.
    :param synchronous: those that are no coroutine functions, by identity.
    :param given: what Flask was given, by endpoint.
    :param known: the view functions that the dispatcher may call as they are, by
        endpoint: those of these that enforce their guards, and others that have none.
    :param decorated: what ``decorators=`` have made of other functions, by endpoint and
        the identity of the declaration.
    :param guarded: what a plain ``flask.Flask`` was given for them, by endpoint.
    """

    installed: dict[int, InstalledFunction] = field(default_factory=dict)
    synchronous: dict[int, ViewFunction] = field(default_factory=dict)
    given: dict[str, ViewFunction] = field(default_factory=dict)
    known: dict[str, ViewFunction] = field(default_factory=dict)
    decorated: dict[tuple[str, int], DecoratedFunction] = field(default_factory=dict)
    guarded: dict[str, DecoratedFunction] = field(default_factory=dict)

    def add(self, installed: InstalledFunction) -> None:
        """Keep a function before Flask gets it."""
        function = installed.function
        is_ours = function is not installed.view
        if is_ours:
            self.installed.setdefault(id(function), installed)
        undecorated = [operation.undecorated for operation in installed.operations]
        calls_view = is_ours and any(function is item for item in undecorated)
        if calls_view or not iscoroutinefunction(function):
            self.synchronous[id(function)] = function

    def find(self, layers: Iterable[ViewFunction]) -> InstalledFunction | None:
        """The first installed function among a view and those that it wraps."""
        keys = map(id, layers)
        return next(
            (self.installed[key] for key in keys if key in self.installed), None
        )


@dataclass(slots=True)
class OperationStore:
    """The operations of an application, in the order of their registration.

    :param has_decorated: whether one has decorators that may make its response.
    """

    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    has_decorated: bool = False
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
            for key in _keys_of(rules, method, compiled):
                self._by_rule[key] = operation

    def find(self, request: Request) -> Operation | None:
        """The operation that a request is for, ``None`` for a view that is not ours."""
        # Rules have no hash, and two that are equal may lead to different operations.
        found = self._by_rule.get((id(request.url_rule), request.method))
        if found is not None:
            return found
        endpoint = self.endpoints.get(request.endpoint or "")
        if endpoint is None:
            return None
        names = request.view_args or ()
        return choose_operation(endpoint.operations, request.method, names)

    def find_among(
        self, request: Request, operations: Collection[Operation]
    ) -> Operation | None:
        """The operation of a request, if it is among these.

        A view may be called while a request for another one is served.
        """
        found = self.find(request)
        return next((item for item in operations if item is found), None)


def choose_operation(
    operations: Sequence[Operation], method: str, names: Collection[str] = ()
) -> Operation | None:
    """The operation to run under a rule that was not added with ``add_url_rule()``.

    ``None`` where it can't be told, since the operations are declared differently.

    :param names: what the URL provides, which decides among the others.
    """
    own = "GET" if method == "HEAD" else method
    fitting = [item for item in operations if item.method == own] or operations
    if any(item.declaration != fitting[0].declaration for item in fitting):
        return None
    same = [item for item in fitting if item.template.variables == {*names}]
    return next(iter(same or fitting), None)


def shared_scopes(operations: Sequence[Operation]) -> frozenset[str]:
    """The blueprints whose declarations each of some operations has."""
    scopes = [operation.scopes for operation in operations]
    return frozenset.intersection(*scopes) if scopes else frozenset()


def _keys_of(
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
