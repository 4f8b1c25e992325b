"""The security requirement of an operation, checked, and the functions of its schemes.

Requirements of the route and of signatures go in, nodes of functions come out.
"""

from __future__ import annotations

import typing as t

from .._signature.argument import EMPTY
from .._types.annotations import is_anything, members, show_type
from ..exceptions import SignatureError
from .nodes import SchemeNode

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..security import Requirement, SecurityScheme
    from .graph import Graph
    from .nodes import Demand


def read_schemes(
    graph: Graph, requirements: Iterable[Requirement[t.Any]]
) -> dict[int, SchemeNode]:
    """The functions of the schemes in some requirements, by identity.

    :raises SignatureError: if one can't be read, or is asked for scopes that it does
        not know.
    """
    found: dict[int, SchemeNode] = {}
    for requirement in requirements:
        for leaf in requirement.leaves():
            scheme = leaf.scheme
            assert scheme is not None
            if id(scheme) not in found:
                found[id(scheme)] = _read_scheme(graph, scheme)
            node = found[id(scheme)].node
            if leaf.scope_names and not (scheme.get_scopes or node.scopes):
                raise SignatureError(
                    f"{_show_scheme(scheme)} is asked for scopes, but has no"
                    " get_scopes=, which says what a user may do. Add"
                    " get_scopes=lambda user: user.scopes."
                )
    return found


def _read_scheme(graph: Graph, scheme: SecurityScheme[t.Any]) -> SchemeNode:
    function = scheme.verify or scheme.authenticate
    assert function is not None
    credentials = len(scheme.credentials.split(",")) if scheme.verify else 0
    node = graph.read_scheme(function, name=scheme.name, credentials=credentials)
    keys = {key for inner in node.within() for key in inner.allowed.values()}
    for demand in graph.demands:
        if demand.key not in keys:
            continue
        raise SignatureError(
            f"{demand.shown} takes what a security scheme gives, but is called to"
            f" verify {_show_scheme(scheme)}. Read the request there."
        )
    return SchemeNode(scheme, node)


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
                f" {leaf.name!r}, which only describes, so that nobody would check it."
                " Give it verify= or authenticate=."
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
    """Refuse an annotation without ``None`` where nobody may be there.

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
