"""Alternatives, of which a request satisfies one, each with all of its schemes.

An alternative says scheme and scopes by name: ``{"token": (token, ("read",))}``. Those
of the parts of a requirement go in, those of the whole come out, each of them once.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from functools import reduce

if t.TYPE_CHECKING:
    from collections.abc import Iterable

S = t.TypeVar("S")

#: A scheme that is not known yet is ``None``.
Alternative: t.TypeAlias = Mapping[str, tuple[S | None, tuple[str, ...]]]

Alternatives: t.TypeAlias = tuple[Alternative[S], ...]


def one_of(groups: Iterable[Alternatives[S]]) -> Alternatives[S]:
    """All alternatives of several groups, in their order."""
    return _without_duplicates(item for group in groups for item in group)


def each_of(groups: Iterable[Alternatives[S]]) -> Alternatives[S]:
    """An alternative of each group, in every combination."""
    nothing: Alternatives[S] = ({},)
    return reduce(_combine, groups, nothing)


def implies(alternatives: Alternatives[S], others: Alternatives[S]) -> bool:
    """Whether who satisfies some alternatives satisfies others too.

    ``token & key`` implies ``token``. It does not imply ``login | None``: somebody may
    send a wrong login as well.
    """
    return all(any(_has_all_of(one, other) for other in others) for one in alternatives)


def _has_all_of(one: Alternative[S], other: Alternative[S]) -> bool:
    if not other:
        return not one
    return all(
        name in one and set(one[name][1]).issuperset(scopes)
        for name, (_, scopes) in other.items()
    )


def _combine(group: Alternatives[S], more: Alternatives[S]) -> Alternatives[S]:
    return _without_duplicates(_both(one, other) for one in group for other in more)


def _both(one: Alternative[S], other: Alternative[S]) -> Alternative[S]:
    """Two alternatives in one, where a scheme in both has the scopes of both."""
    joined = {**one, **other}
    for name in one.keys() & other.keys():
        (scheme, scopes), (same, more) = one[name], other[name]
        united = tuple(dict.fromkeys(scopes + more))
        joined[name] = (same if scheme is None else scheme, united)
    return joined


def _without_duplicates(alternatives: Iterable[Alternative[S]]) -> Alternatives[S]:
    found: list[Alternative[S]] = []
    for alternative in alternatives:
        if alternative not in found:
            found.append(alternative)
    return tuple(found)
