"""What tests have called in the place of dependencies: ``app.dependency_overrides``.

The nodes of an operation and what replaces some of them go in, other nodes with the
same keys come out.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field, replace

from ..dependencies import DependencyMarker
from ..exceptions import SignatureError
from ..security import Requirement, Scopes, SecurityScheme
from .callables import (
    ASYNCHRONOUS_KINDS,
    GENERATORS,
    check_function,
    key_of,
    kind_of,
    name_of,
    read_function,
    unwrap_dependency,
)
from .graph import check_outlived

if t.TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from .._signature.argument import Signature
    from .graph import Graph, Node


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
        _check_overridden(dependency)
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

    def __iter__(self) -> Iterator[t.Any]:
        return iter([*self._given.values()])

    def __len__(self) -> int:
        return len(self._fakes)

    def __repr__(self) -> str:
        # A partial function would show the secrets that are bound to it.
        names = [name_of(item) if callable(item) else repr(item) for item in self]
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


def _check_overridden(dependency: t.Any) -> None:
    """Refuse a key that would leave a test without the fake that it asks for."""
    if isinstance(dependency, SecurityScheme):
        return
    is_requirement = isinstance(dependency, Requirement)
    is_alias = t.get_origin(dependency) is t.Annotated
    if is_requirement or is_alias or not callable(dependency):
        raise SignatureError(
            "dependency_overrides has a key that nothing depends on. Use the function"
            " or the class that is called, or a security scheme: 'login' instead of"
            " 'login.scopes(...)', and 'login', 'token' or both instead of 'login |"
            " token'."
        )


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
    reader = OverrideReader(graph.copy(), fakes)
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
        return stand_in

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
        arguments = self.graph.arguments.by_key
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
