"""What is called in the place of dependencies, in tests.

The nodes of an operation and what stands for some of them go in, other nodes with the
same keys come out.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace

from ..dependencies import DependencyMarker
from ..exceptions import SignatureError
from ..security import Scopes
from .callables import ASYNCHRONOUS
from .callables import GENERATORS
from .callables import check_function
from .callables import key_of
from .callables import kind_of
from .callables import unwrap_dependency
from .functions import read_function

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from .._signature.argument import Signature
    from .graph import Graph
    from .nodes import Needs
    from .nodes import Node


def read_fakes(
    graph: Graph, needs: Needs, fakes: Mapping[t.Any, Callable[..., t.Any]]
) -> dict[int, Node]:
    """The nodes in the place of others, by the identity of these.

    :param fakes: what is called, by the keys of what it stands for.
    :raises SignatureError: if one takes what the other does not.
    """
    found: dict[int, Node] = {}
    if not fakes:
        return found
    for scheme in needs.schemes.values():
        fake = fakes.get(key_of(scheme.scheme))
        if fake is not None:
            # Who sends the request is decided without credentials.
            node = replace(scheme.node, credentials=0, scopes=())
            found[id(scheme.node)] = _read_fake(graph, node, fake)
    waiting = needs.nodes()
    seen: set[Node] = set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        fake = fakes.get(key_of(node.function))
        if id(node) not in found and fake is not None:
            found[id(node)] = _read_fake(graph, node, fake)
        waiting += found.get(id(node), node).needs.values()
    for number, node in found.items():
        _check_circle(node, number, found)
    return found


def _check_circle(fake: Node, number: int, found: Mapping[int, Node]) -> None:
    """Refuse a node that depends on the one it stands for.

    :param number: the identity of that.
    :raises SignatureError: if it does.
    """
    for inner in fake.within(lambda node: found.get(id(node), node)):
        if id(inner) == number:
            raise SignatureError(
                f"{fake.name} stands for {inner.name} in dependency_overrides, but"
                f" depends on it. Call {inner.name} in the function instead."
            )


def _read_fake(graph: Graph, node: Node, fake: Callable[..., t.Any]) -> Node:
    """The node that is called in the place of another."""
    check_function(fake, shown="dependency_overrides")
    view_callable = unwrap_dependency(fake)
    name = view_callable.name
    signature = read_function(
        view_callable,
        provided=graph.provided,
        namespace=graph.namespace,
        credentials=node.credentials,
    )
    stand_in = replace(
        node,
        function=fake,
        name=name,
        kind=kind_of(fake),
        reads={},
        needs={},
        scopes=(),
    )
    if node.scope == "request" and stand_in.kind in ASYNCHRONOUS & GENERATORS:
        raise SignatureError(
            f"{name} is an asynchronous generator, but stands for {node.name}, which"
            " has scope=\"request\". Write it with 'def'."
        )
    _take(graph, signature, stand_in=stand_in, node=node)
    return stand_in


def _take(graph: Graph, signature: Signature, *, stand_in: Node, node: Node) -> None:
    """Give a node that stands for another one what it takes."""
    name = stand_in.name
    for argument in signature.arguments:
        if argument.name in node.reads:
            stand_in.reads[argument.name] = node.reads[argument.name]
        elif argument.field.is_required():
            raise SignatureError(_unknown(argument.name, stand_in, node))
    known = {*graph.arguments.by_key}
    for item in signature.supplied:
        if item.marker is Scopes and node.key.startswith("security "):
            stand_in.scopes = (*stand_in.scopes, item.name)
        elif not isinstance(item.marker, DependencyMarker):
            raise SignatureError(_unknown(item.name, stand_in, node))
        else:
            stand_in.needs[item.name] = graph.supply(item, name)
    for key in graph.arguments.by_key.keys() - known:
        argument = graph.arguments.by_key[key]
        graph.arguments.remove(key)
        raise SignatureError(_unknown(argument.name, stand_in, node))


def _unknown(argument: str, fake: Node, node: Node) -> str:
    taken = ", ".join(map(repr, node.reads)) or "nothing"
    return (
        f"{fake.name} stands for {node.name} in dependency_overrides, but takes"
        f" {argument!r}, which that does not read from the request. It may take"
        f" {taken}."
    )
