"""A dependency of one operation: what it takes and what takes it."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .._routing.option_kinds import is_exception, responses_by_status
from ..exceptions import SignatureError
from .callables import ASYNCHRONOUS_KINDS, GENERATORS

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from ..dependencies import DependencyMarker
    from ..security import Requirement, SecurityScheme
    from ..typing import DependencyScope
    from .callables import CallableKind


@dataclass(eq=False, slots=True, kw_only=True)
class Node:
    """One call of a dependency in an operation.

    :param key: where its value goes.
    :param name: as messages show it: ``"get_db()"``.
    :param reads: the keys of what it takes from the request, by its own names.
    :param needs: the dependencies that supply its arguments, by its own names.
    :param allowed: the keys of what its security requirements supply, likewise.
    :param credentials: so many of its arguments are given by position, the first ones.
    :param scopes: the names of its arguments that are the scopes asked for.
    :param responses: models by status, of those that ask for it.
    :param raises: exceptions, likewise.
    :param is_guard: whether it is in ``dependencies=``.
    """

    key: str
    function: Callable[..., t.Any]
    name: str
    kind: CallableKind
    scope: DependencyScope = "function"
    reads: dict[str, str] = field(default_factory=dict)
    needs: dict[str, Node] = field(default_factory=dict)
    allowed: dict[str, str] = field(default_factory=dict)
    credentials: int = 0
    scopes: tuple[str, ...] = ()
    responses: dict[t.Any, t.Any] = field(default_factory=dict)
    raises: list[type[Exception]] = field(default_factory=list)
    is_guard: bool = False

    @property
    def verifies(self) -> bool:
        """Whether it is the function of a security scheme."""
        return self.key.startswith("security ")

    @property
    def needs_credentials(self) -> bool:
        """Whether it, or what it depends on, takes what a security scheme gives."""
        return any(node.allowed for node in self.within())

    def within(
        self,
        resolve: Callable[[Node], Node] | None = None,
        *,
        without: Collection[int] = (),
    ) -> Iterator[Node]:
        """The node and what it depends on, each after what it depends on itself.

        :param resolve: finds what is called in the place of a node.
        :param without: the identities of nodes to leave out, with what they alone need.
        """
        waiting, seen = [(self, False)], {*without}
        while waiting:
            node, is_read = waiting.pop()
            if is_read:
                yield node
            elif id(node) not in seen:
                seen.add(id(node))
                needs = (resolve(node) if resolve else node).needs
                waiting.append((node, True))
                waiting += [(item, False) for item in reversed(needs.values())]


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


@dataclass(frozen=True, slots=True)
class SchemeNode:
    """A security scheme that verifies, and the node of its function."""

    scheme: SecurityScheme[t.Any]
    node: Node


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What an operation needs besides the request, as it was declared.

    :param of_view: the dependencies of the view, by the names of its arguments.
    :param listed: those of ``dependencies=``.
    :param parts: the security requirements that are enforced, each with the key of what
        it gives, ``""`` where nobody asks for that.
    :param schemes: the functions of their schemes, by the identity of these.
    """

    of_view: Mapping[str, Node]
    listed: Sequence[Node]
    parts: tuple[tuple[str, Requirement[t.Any]], ...]
    schemes: Mapping[int, SchemeNode]

    @property
    def enforced(self) -> Requirement[t.Any] | None:
        """What ``security=`` requires, ``None`` where that is not enforced."""
        return next((part for key, part in self.parts if not key), None)

    @property
    def has_guards(self) -> bool:
        """Whether anything is evaluated before the body is read."""
        return bool(self.parts or self.guards)

    @cached_property
    def guards(self) -> Sequence[Node]:
        """What runs before the body is read."""
        pulled = [node for node in self.of_view.values() if node.needs_credentials]
        return (*self.listed, *pulled)

    @cached_property
    def others(self) -> Sequence[Node]:
        """What runs after the arguments of the view are read."""
        nodes = self.of_view.values()
        return tuple(node for node in nodes if not node.needs_credentials)

    def passed(self, names: Collection[str]) -> dict[int, Node]:
        """The nodes whose values somebody else supplies, by identity.

        :param names: of all that is passed to the view.
        """
        return {id(node): node for name, node in self.of_view.items() if name in names}

    def given_to_view(
        self, resolve: Callable[[Node], Node] | None = None
    ) -> list[Node]:
        """What gives the view its values, and what that is given itself.

        Of security schemes these are the functions alone: what they were given is
        done with when they have said who it is.

        :param resolve: finds what is called in the place of a node.
        """
        found = {
            id(inner): resolve(inner) if resolve else inner
            for node in self.of_view.values()
            for inner in node.within(resolve)
        }
        of_nodes = {key for node in self.nodes for key in node.allowed.values()}
        taken = {key for node in found.values() for key in node.allowed.values()}
        users = [
            self.schemes[id(leaf.scheme)].node
            for key, part in self.parts
            if key and (key in taken or key not in of_nodes)
            for leaf in part.leaves()
        ]
        return [
            *found.values(),
            *(resolve(node) if resolve else node for node in users),
        ]

    @cached_property
    def nodes(self) -> Sequence[Node]:
        """Every node, also those that others depend on."""
        roots = [*self.listed, *self.of_view.values()]
        roots += [scheme.node for scheme in self.schemes.values()]
        found = {id(item): item for node in roots for item in node.within()}
        return tuple(found.values())


def keys_of(nodes: Iterable[Node], without: Collection[int] = ()) -> set[str]:
    """The keys of what some nodes, and what they depend on, take from the request.

    :param without: the identities of nodes to leave out.
    """
    return {
        key
        for node in nodes
        for inner in node.within(without=without)
        for key in inner.reads.values()
    }


def check_options(node: Node, marker: DependencyMarker) -> None:
    """Refuse options that a dependency can't have.

    :raises SignatureError: if there is a reason to.
    """
    if not isinstance(responses_by_status(marker.responses), Mapping):
        raise SignatureError(
            f"{node.name} has responses={marker.responses!r}, which is no dictionary."
            " Write responses={404: Problem}, or responses=[404]."
        )
    if not isinstance(marker.raises, (list, tuple, set)) or not all(
        map(is_exception, marker.raises)
    ):
        raise SignatureError(
            f"{node.name} has raises={marker.raises!r}, which is no list of exceptions."
            " Write raises=[NotEnough]."
        )
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
    """Refuse a generator that depends on one which is closed before.

    :raises SignatureError: if it does.
    """
    if node.scope == "function" or node.kind not in GENERATORS:
        return
    for inner in node.needs.values():
        for used in inner.within():
            if used.scope == "function" and used.kind in GENERATORS:
                raise SignatureError(
                    f'{node.name} has scope="request", but depends on {used.name},'
                    " which is closed before. Give that the same scope."
                )
