"""The graph of an operation: its dependencies, each of which is read once.

Functions and their markers go in; nodes come out, and the arguments of the view and its
dependencies, those that are declared alike as one. For ``app.dependency_overrides``,
nodes in the place of others come out, with the same keys.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field, replace
from itertools import chain, count
from types import MappingProxyType

from .._common import UNSET
from .._routing.declaration import is_exception, read_responses_option
from .._signature.argument import path_name
from .._signature.reader import call_of
from ..dependencies import DependencyMarker
from ..exceptions import SignatureError
from ..params import Location, check_framework
from ..security import Requirement, Scopes, SecurityScheme, as_requirement
from .callables import (
    ASYNCHRONOUS_KINDS,
    GENERATORS,
    are_alike,
    check_annotation,
    check_function,
    check_overridden,
    differing,
    find_function,
    key_of,
    kind_of,
    paths_of,
    read_function,
    unwrap_dependency,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

    from .._signature.argument import Argument, Signature, SuppliedArgument
    from .._signature.views import ViewCallable
    from ..typing import DependencyScope
    from .callables import CallableKind


@dataclass(slots=True)
class Graph:
    """The dependencies of one operation, while they are read.

    What can't be read is a :exc:`.SignatureError` of each of its methods.

    :param view: the name of the view, as messages show it.
    :param provided: the names that the URL provides.
    :param namespace: the local names around the view, which the annotations of a local
        function may use.
    :param arguments: of the view and of all that is read, by their keys.
    :param demands: the security requirements in signatures, in order.
    """

    view: str
    provided: Collection[str]
    namespace: Mapping[str, t.Any] | None
    arguments: dict[str, Argument]
    keys: set[str]
    demands: list[Demand] = field(default_factory=list)
    _shared: dict[Hashable, Node] = field(default_factory=dict)
    _reading: dict[Hashable, str] = field(default_factory=dict)

    def read_view(self, signature: Signature) -> dict[str, Node]:
        """The dependencies of the view, by the names of its arguments."""
        found: dict[str, Node] = {}
        for item in signature.supplied:
            if isinstance(item.marker, DependencyMarker):
                found[item.name] = self.supply(item, signature.view, key=item.name)
            else:
                self._demand(item, signature.view, key=item.name)
        return found

    def read_guard(self, guard: t.Any) -> Node:
        """The node of an item of ``dependencies=``."""
        marker = guard if isinstance(guard, DependencyMarker) else None
        marker = marker or DependencyMarker(guard)
        shown = f"dependencies= of {self.view}"
        if marker.dependency is UNSET:
            raise SignatureError(
                f"{shown} has Depends(), which names no function. Write"
                " Depends(function)."
            )
        check_function(marker.dependency, shown=shown)
        check_annotation(marker.dependency)
        node = self._read(marker.dependency, marker)
        node.is_guard = True
        return node

    def read_scheme(self, scheme: SecurityScheme[t.Any]) -> Node:
        """The node of the function of a security scheme, which takes no other."""
        function = scheme.verify or scheme.authenticate
        assert function is not None
        check_function(function, shown=f"the scheme {scheme.name!r}")
        key, shown = self._free_key(f"security {scheme.name}"), call_of(scheme)
        node = self._make(function, key, unwrap_dependency(function), scheme=scheme)
        node.responses.update(read_responses_option(shown, scheme.responses))
        keys = {key for inner in within([node]) for key in inner.allowed.values()}
        for demand in self.demands:
            if demand.key in keys:
                raise SignatureError(
                    f"{demand.shown} takes what a security scheme gives, but is called"
                    f" to verify {shown}. Read the request there."
                )
        return node

    def supply(self, item: SuppliedArgument, owner: str, *, key: str = "") -> Node:
        """The node of an argument with ``Depends()``."""
        shown = f"{item.name!r} of {owner}"
        function = find_function(item.marker, item.annotation, shown=shown)
        return self._read(function, item.marker, key=key)

    def _demand(self, item: SuppliedArgument, owner: str, *, key: str) -> None:
        """Keep a security requirement of a signature."""
        shown = f"{item.name!r} of {owner}"
        if item.marker is Scopes:
            raise SignatureError(
                f"{shown} is annotated Scopes, which only a function of verify= or"
                " authenticate= is given. Remove it."
            )
        requirement = as_requirement(item.marker)
        self.demands.append(Demand(key, requirement, item.annotation, shown))

    def _read(
        self, function: Callable[..., t.Any], marker: DependencyMarker, *, key: str = ""
    ) -> Node:
        """The node of a dependency, the same for all that share it.

        :param key: where its value goes, if nothing else has asked for it before.
        """
        identity, view_callable = key_of(function), unwrap_dependency(function)
        name = view_callable.name
        if identity in self._reading:
            names = [*self._reading.values()]
            circle = names[[*self._reading].index(identity) :]
            raise SignatureError(
                f"{name} depends on itself: {' -> '.join([*circle, name])}. Remove one"
                " of these dependencies."
            )
        node = self._shared.get(identity) if marker.use_cache else None
        if node is None:
            self._reading[identity] = name
            key = key or self._free_key(f"dependency {name}")
            node = self._make(function, key, view_callable)
            node.scope = marker.scope
            del self._reading[identity]
        if marker.use_cache:
            self._shared[identity] = node
        check_options(node, marker)
        node.responses.update(read_responses_option(name, marker.responses))
        node.raises += [cls for cls in marker.raises if cls not in node.raises]
        return node

    def _free_key(self, *wanted: str) -> str:
        """The first of some keys that nothing else has, or the last with a number."""
        numbered = (f"{wanted[-1]} {number}" for number in count(2))
        key = next(key for key in chain(wanted, numbered) if key not in self.keys)
        self.keys.add(key)
        return key

    def _make(
        self,
        function: Callable[..., t.Any],
        key: str,
        view_callable: ViewCallable,
        *,
        scheme: SecurityScheme[t.Any] | None = None,
    ) -> Node:
        """The node of a function, which is read.

        :param view_callable: the function, with its signature.
        :param scheme: whose credentials the first arguments of ``verify=`` are.
        """
        credentials = 0
        if scheme is not None and scheme.verify is not None:
            credentials = len(scheme.credentials.split(","))
        signature = read_function(
            view_callable,
            provided=self.provided,
            namespace=self.namespace,
            credentials=credentials,
        )
        name = view_callable.name
        node = Node(
            key=key,
            function=function,
            name=name,
            kind=kind_of(function),
            scheme=scheme,
            credentials=credentials,
            is_taken=scheme is None,
        )
        for argument in signature.arguments:
            node.reads[argument.name] = self._share(argument)
        for item in signature.supplied:
            if isinstance(item.marker, DependencyMarker):
                node.needs[item.name] = self.supply(item, name)
            elif item.marker is Scopes and scheme is not None:
                node.scopes = (*node.scopes, item.name)
            else:
                node.allowed[item.name] = self._free_key(f"{key}.{item.name}")
                self._demand(item, name, key=node.allowed[item.name])
        return node.ready()

    def _share(self, argument: Argument) -> str:
        """The key of a dependency's argument, which may be that of another one.

        It is the name, so that a value of it may be passed, but where the view has an
        argument of that name.

        :raises SignatureError: if another function declares it differently.
        """
        place = (argument.location, paths_of(argument)[0][0])
        for known in self.arguments.values():
            if (known.location, paths_of(known)[0][0]) == place:
                if are_alike(known, argument):
                    return known.key
                if not argument.has_field_names:
                    raise SignatureError(differing(known, argument))
        if argument.location is Location.PATH:
            variable = path_name(argument)
            argument = replace(argument, key=variable, name=variable)
        else:
            name = argument.name
            key = self._free_key(name, f"argument {argument.owner}.{name}")
            argument = replace(argument, key=key)
        self.arguments[argument.key] = argument
        return argument.key


@dataclass(eq=False, slots=True, kw_only=True)
class Node:
    """One call of a dependency in an operation.

    :param key: where its value goes, which no other node of the operation has.
    :param name: as messages show it: ``"get_db()"``.
    :param takes: the keys of all that it is called with, by its own names.
    :param reads: the keys of what it takes from the request, likewise.
    :param needs: the dependencies that supply its arguments, likewise.
    :param allowed: the keys of what its security requirements supply, likewise.
    :param scheme: that it verifies, ``None`` for a dependency.
    :param credentials: so many of its arguments are given by position, the first ones.
    :param scopes: the names of its arguments that are the scopes asked for.
    :param responses: models by status, of those that ask for it.
    :param raises: exceptions, likewise.
    :param is_guard: whether it is in ``dependencies=``.
    :param is_taken: whether something is called with its value, and may run that.
    """

    key: str
    function: Callable[..., t.Any]
    name: str
    kind: CallableKind
    scope: DependencyScope = "function"
    takes: tuple[tuple[str, str], ...] = ()
    reads: dict[str, str] = field(default_factory=dict)
    needs: dict[str, Node] = field(default_factory=dict)
    allowed: dict[str, str] = field(default_factory=dict)
    scheme: SecurityScheme[t.Any] | None = None
    credentials: int = 0
    scopes: tuple[str, ...] = ()
    responses: dict[t.Any, t.Any] = field(default_factory=dict)
    raises: list[type[Exception]] = field(default_factory=list)
    is_guard: bool = False
    is_taken: bool = True

    def ready(self) -> Node:
        """The node itself, when all that it is called with was found."""
        needs = {name: inner.key for name, inner in self.needs.items()}
        self.takes = tuple({**self.reads, **needs, **self.allowed}.items())
        return self

    def arguments(self, values: Mapping[str, t.Any]) -> dict[str, t.Any]:
        """What the dependency is called with.

        :raises TypeError: if a variable of the URL was removed.
        """
        try:
            return {name: values[key] for name, key in self.takes}
        except KeyError as error:
            raise TypeError(
                f"{self.name} takes {error.args[0]!r}, which was removed from the"
                " variables of the URL."
            ) from None


#: Nothing is overridden.
NO_FAKES: t.Final[Mapping[str, Node]] = MappingProxyType({})


def within(
    roots: Iterable[Node],
    fakes: Mapping[str, Node] = NO_FAKES,
    *,
    without: Iterable[str] = (),
) -> list[Node]:
    """Some nodes and what they depend on, each once, after what it depends on itself.

    :param fakes: what is called in the place of some, by their keys.
    :param without: the keys of nodes to leave out, with what they alone need.
    """
    waiting = [(node, False) for node in reversed([*roots])]
    seen, found = {*without}, []
    while waiting:
        node, is_read = waiting.pop()
        if is_read:
            found.append(node)
        elif node.key not in seen:
            seen.add(node.key)
            node = fakes.get(node.key, node)
            waiting.append((node, True))
            waiting += [(item, False) for item in reversed(node.needs.values())]
    return found


@dataclass(frozen=True, slots=True)
class Demand:
    """A security requirement in a signature, and where what it gives goes.

    :param annotation: of the argument.
    :param shown: the argument, for messages: ``"'user' of show()"``.
    """

    key: str
    requirement: Requirement[t.Any]
    annotation: t.Any
    shown: str


def check_options(node: Node, marker: DependencyMarker) -> None:
    """Refuse options that a dependency can't have."""
    if not isinstance(marker.raises, (list, tuple, set)) or not all(
        map(is_exception, marker.raises)
    ):
        raise SignatureError(
            f"{node.name} has raises={marker.raises!r}, which is no list of exceptions."
            " Write raises=[NotEnough]."
        )
    for cls in marker.raises:
        check_framework(f"raises= of {node.name}", cls)
    if marker.scope not in ("function", "request"):
        raise SignatureError(
            f'{node.name} has the scope {marker.scope!r}. Write scope="function" or'
            ' scope="request".'
        )
    if node.scope != marker.scope:
        raise SignatureError(
            f"{node.name} is declared with two scopes, {node.scope!r} and"
            f" {marker.scope!r}. Write the same one everywhere."
        )
    if node.scope == "function":
        return
    if node.kind not in GENERATORS:
        raise SignatureError(
            f'{node.name} has scope="request", but is no generator function, so that'
            " there is nothing to close. Remove the scope."
        )
    if node.kind in ASYNCHRONOUS_KINDS:
        raise SignatureError(
            f'{node.name} has scope="request" and is asynchronous, but its event loop'
            " has ended when the body is sent. Write it with 'def'."
        )
    check_outlived(node)


def check_outlived(node: Node) -> None:
    """Refuse a generator that depends on one which is closed before."""
    if node.scope == "function" or node.kind not in GENERATORS:
        return
    for used in within(node.needs.values()):
        if used.scope == "function" and used.kind in GENERATORS:
            raise SignatureError(
                f'{node.name} has scope="request", but depends on {used.name},'
                " which is closed before. Give that the same scope."
            )


#: Calls others in the place of some dependencies of an operation.
Override: t.TypeAlias = "Callable[[Mapping[t.Any, t.Any]], None]"


class DependencyOverrides(MutableMapping[t.Any, "Callable[..., t.Any]"]):
    """What is called in the place of dependencies: ``overrides[get_db] = fake``.

    The keys are dependencies, functions of ``verify=`` and ``authenticate=``, and
    security schemes. Each operation that uses one is compiled anew when an item is set
    or removed; its description does not change.

    .. versionadded:: 0.2
    """

    def __init__(self) -> None:
        self._given: dict[t.Any, t.Any] = {}
        self._fakes: dict[t.Any, Callable[..., t.Any]] = {}
        self._operations: list[Override] = []

    def __getitem__(self, dependency: t.Any) -> Callable[..., t.Any]:
        return self._fakes[key_of(dependency)]

    def __setitem__(self, dependency: t.Any, fake: Callable[..., t.Any]) -> None:
        """Call a function in the place of a dependency.

        :raises SignatureError: if it takes something that the dependency does not, or
            replaces what no operation can depend on.
        """
        check_overridden(dependency)
        check_function(fake, shown="dependency_overrides")
        key = key_of(dependency)
        self._apply({**self._fakes, key: fake})
        self._given[key] = dependency

    def __delitem__(self, dependency: t.Any) -> None:
        key = key_of(dependency)
        if key not in self._fakes:
            raise KeyError(dependency)
        self._apply({k: fake for k, fake in self._fakes.items() if k != key})
        del self._given[key]

    def clear(self) -> None:
        """Call all dependencies themselves again.

        One after the other, a fake that is left may depend on what it stands for.
        """
        self._apply({})
        self._given.clear()

    def __iter__(self) -> Iterator[t.Any]:
        return iter([*self._given.values()])

    def __len__(self) -> int:
        return len(self._fakes)

    def __repr__(self) -> str:
        # A partial function would show the secrets that are bound to it.
        names = [
            unwrap_dependency(item).name if callable(item) else repr(item)
            for item in self
        ]
        return f"DependencyOverrides([{', '.join(names)}])"

    def add(self, override: Override) -> None:
        """Keep what overrides the dependencies of an operation, and call it."""
        override(self._fakes)
        self._operations.append(override)

    def _apply(self, fakes: dict[t.Any, Callable[..., t.Any]]) -> None:
        changed: list[Override] = []
        try:
            for override in [*self._operations]:
                changed.append(override)
                override(fakes)
        except BaseException:
            for override in changed:
                override(self._fakes)
            raise
        self._fakes = fakes


def read_fakes(
    graph: Graph, nodes: Iterable[Node], fakes: Mapping[t.Any, Callable[..., t.Any]]
) -> dict[str, Node]:
    """The nodes in the place of others, by their keys.

    :param fakes: what is called, by the keys of what it replaces.
    :raises SignatureError: if one takes what the other does not, or depends on it.
    """
    if not fakes:
        return {}
    # What a fake depends on is read again for the next one.
    copied = replace(
        graph,
        arguments={**graph.arguments},
        keys={*graph.keys},
        demands=[*graph.demands],
        _shared={**graph._shared},
        _reading={},
    )
    reader = OverrideReader(copied, fakes)
    for node in nodes:
        reader.read(node)
    return reader.found


@dataclass(slots=True)
class OverrideReader:
    """Finds what is called in the place of some nodes, and what that depends on.

    :ivar found: the nodes in the place of others, by their keys.
    """

    graph: Graph
    fakes: Mapping[t.Any, Callable[..., t.Any]]
    found: dict[str, Node] = field(default_factory=dict)
    _done: set[str] = field(default_factory=set)
    _reading: dict[Hashable, tuple[Node, Node]] = field(default_factory=dict)

    def read(self, node: Node) -> None:
        """Find what is called in the place of a node and of all that it needs.

        :raises SignatureError: if that depends on itself.
        """
        if node.key in self._done:
            return
        key = key_of(node.function)
        if key in self._reading:
            raise SignatureError(self._circle(key))
        stand_in, fake = node, self.fakes.get(key)
        if node.scheme is not None and (of_scheme := key_of(node.scheme)) in self.fakes:
            # Who sends the request is decided without credentials.
            stand_in = replace(node, credentials=0, scopes=())
            fake = self.fakes[of_scheme]
        if fake is not None:
            stand_in = self.found[node.key] = self._stand_in(stand_in, fake)
        self._reading[key] = node, stand_in
        for inner in stand_in.needs.values():
            self.read(inner)
        del self._reading[key]
        self._done.add(node.key)

    def _circle(self, key: Hashable) -> str:
        """What is wrong with a dependency that is being read already."""
        circle = [*self._reading.values()][[*self._reading].index(key) :]
        # Without fakes there is no circle. One of them comes first.
        while circle[0][0] is circle[0][1]:
            circle = [*circle[1:], circle[0]]
        node, fake = circle[0]
        between = "".join(f", by way of {item.name}" for _, item in circle[1:])
        return (
            f"{fake.name} replaces {node.name} in dependency_overrides, but depends"
            f" on it{between}. Call {node.name} in the function instead."
        )

    def _stand_in(self, node: Node, fake: Callable[..., t.Any]) -> Node:
        """The node that is called in the place of another."""
        view_callable = unwrap_dependency(fake)
        name = view_callable.name
        signature = read_function(
            view_callable,
            provided=self.graph.provided,
            namespace=self.graph.namespace,
            credentials=node.credentials,
        )
        stand_in = replace(
            node,
            function=fake,
            name=name,
            kind=kind_of(fake),
            reads={},
            needs={},
            allowed={},
            scopes=(),
        )
        if node.scope == "request" and stand_in.kind in ASYNCHRONOUS_KINDS & GENERATORS:
            raise SignatureError(
                f"{name} is an asynchronous generator, but replaces {node.name}, which"
                " has scope=\"request\". Write it with 'def'."
            )
        self._take(signature, stand_in=stand_in, node=node)
        check_outlived(stand_in)
        return stand_in.ready()

    def _take(self, signature: Signature, *, stand_in: Node, node: Node) -> None:
        """Give a node that replaces another one what it takes."""
        for argument in signature.arguments:
            name = argument.name
            if name in node.reads:
                stand_in.reads[name] = node.reads[name]
            elif name in node.allowed:
                stand_in.allowed[name] = node.allowed[name]
            elif argument.field.is_required():
                raise SignatureError(_unknown(name, stand_in, node))
        arguments = self.graph.arguments
        known = {*arguments}
        for item in signature.supplied:
            if item.marker is Scopes and node.scheme is not None:
                stand_in.scopes = (*stand_in.scopes, item.name)
            elif not isinstance(item.marker, DependencyMarker):
                raise SignatureError(_unknown(item.name, stand_in, node))
            else:
                stand_in.needs[item.name] = self.graph.supply(item, stand_in.name)
        for key in arguments.keys() - known:
            raise SignatureError(_unknown(arguments[key].name, stand_in, node))


def _unknown(argument: str, fake: Node, node: Node) -> str:
    taken = ", ".join(map(repr, [*node.reads, *node.allowed])) or "nothing"
    return (
        f"{fake.name} replaces {node.name} in dependency_overrides, but takes"
        f" {argument!r}, which that does not read from the request. It may take"
        f" {taken}."
    )
