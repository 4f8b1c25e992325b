"""The graph of an operation: its dependencies, each of which is read once.

Functions and their markers go in, nodes and shared arguments come out.
"""

from __future__ import annotations

import typing as t
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from .._routing.option_kinds import responses_by_status
from .._sentinel import UNSET
from ..dependencies import DependencyMarker
from ..exceptions import SignatureError
from ..security import Scopes, as_requirement
from .callables import (
    check_annotation,
    check_function,
    find_function,
    key_of,
    kind_of,
    read_function,
    unwrap_dependency,
)
from .nodes import Demand, Node, check_options

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Mapping

    from .._signature.argument import Signature, SuppliedArgument
    from .._signature.unwrap import ViewCallable
    from .arguments import SharedArguments


@dataclass(slots=True)
class Graph:
    """The dependencies of one operation, while they are read.

    :param view: the name of the view, as messages show it.
    :param arguments: of the view and of all that is read.
    :param provided: the names that the URL provides.
    :param namespace: the local names around the view, which the annotations of a local
        function may use.
    :param demands: the security requirements in signatures, in order.
    """

    view: str
    arguments: SharedArguments
    provided: Collection[str]
    namespace: Mapping[str, t.Any] | None
    demands: list[Demand] = field(default_factory=list)
    _shared: dict[Hashable, Node] = field(default_factory=dict)
    _keys: set[str] = field(default_factory=set)
    _reading: dict[Hashable, str] = field(default_factory=dict)

    def copy(self) -> Graph:
        """One that reads more, while this one stays as it is."""
        return replace(
            self,
            arguments=self.arguments.copy(),
            demands=[*self.demands],
            _shared={**self._shared},
            _keys={*self._keys},
        )

    def read_view(self, signature: Signature) -> dict[str, Node]:
        """The dependencies of the view, by the names of its arguments.

        :raises SignatureError: if one can't be read.
        """
        found: dict[str, Node] = {}
        for item in signature.supplied:
            if isinstance(item.marker, DependencyMarker):
                found[item.name] = self.supply(item, signature.view, key=item.name)
            else:
                self._demand(item, signature.view, key=item.name)
        return found

    def read_guard(self, guard: t.Any) -> Node:
        """The node of an item of ``dependencies=``.

        :raises SignatureError: if it can't be read.
        """
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

    def read_scheme(
        self, function: Callable[..., t.Any], *, name: str, credentials: int
    ) -> Node:
        """The node of a function of a security scheme, which is no dependency itself.

        :param name: of the scheme.
        :param credentials: so many of its arguments are credentials, the first ones.
        :raises SignatureError: if it can't be read.
        """
        check_function(function, shown=f"the scheme {name!r}")
        key = self._free_key(f"security {name}")
        view_callable = unwrap_dependency(function)
        return self._make(function, key, view_callable, credentials=credentials)

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

        :param key: where its value goes, if nobody else has asked for it before.
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
            with self._entering(identity, name):
                key = self._free_key(key or f"dependency {name}")
                node = self._make(function, key, view_callable, marker=marker)
        if marker.use_cache:
            self._shared[identity] = node
        check_options(node, marker)
        node.responses.update(responses_by_status(marker.responses))
        node.raises += [cls for cls in marker.raises if cls not in node.raises]
        return node

    @contextmanager
    def _entering(self, identity: Hashable, name: str) -> Iterator[None]:
        self._reading[identity] = name
        try:
            yield
        finally:
            del self._reading[identity]

    def _free_key(self, wanted: str) -> str:
        """A key that no other dependency and no argument has."""
        key, number = wanted, 1
        while key in self._keys:
            number += 1
            key = f"{wanted} {number}"
        self._keys.add(key)
        return key

    def _make(
        self,
        function: Callable[..., t.Any],
        key: str,
        view_callable: ViewCallable,
        *,
        marker: DependencyMarker | None = None,
        credentials: int | None = None,
    ) -> Node:
        """The node of a function, which is read.

        :param view_callable: the function, with its signature.
        :param credentials: ``None`` where it is no function of a security scheme.
        """
        signature = read_function(
            view_callable,
            provided=self.provided,
            namespace=self.namespace,
            credentials=credentials or 0,
        )
        name = view_callable.name
        node = Node(
            key=key,
            function=function,
            name=name,
            kind=kind_of(function),
            scope=marker.scope if marker else "function",
            credentials=credentials or 0,
        )
        for argument in signature.arguments:
            node.reads[argument.name] = self.arguments.add(argument)
        for item in signature.supplied:
            if isinstance(item.marker, DependencyMarker):
                node.needs[item.name] = self.supply(item, name)
            elif item.marker is Scopes and credentials is not None:
                node.scopes = (*node.scopes, item.name)
            else:
                node.allowed[item.name] = self._free_key(f"{key}.{item.name}")
                self._demand(item, name, key=node.allowed[item.name])
        return node
