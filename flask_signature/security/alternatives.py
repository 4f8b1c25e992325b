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
T = t.TypeVar("T")

#: A scheme that is not known yet is ``None``.
Alternative: t.TypeAlias = Mapping[str, tuple[S | None, tuple[str, ...]]]

Alternatives: t.TypeAlias = tuple[Alternative[S], ...]


#: An alternative, and the names of schemes for which a request of it sends nothing:
#: who sends a credential to ``token | None`` is held to it.
Choice: t.TypeAlias = tuple[Alternative[S], frozenset[str]]

Choices: t.TypeAlias = tuple[Choice[S], ...]


def one_of(groups: Iterable[Choices[S]]) -> Choices[S]:
    """All choices of several groups, in their order."""
    return tuple(choice for group in groups for choice in group)


def each_of(groups: Iterable[Choices[S]]) -> Choices[S]:
    """A choice of each group, in every combination that a request can make."""
    nothing: Choices[S] = (({}, frozenset()),)
    return reduce(_combine, groups, nothing)


def alternatives_of(choices: Choices[S]) -> Alternatives[S]:
    """The alternatives of some choices, each of them once."""
    return tuple(_without_duplicates(alternative for alternative, _ in choices))


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


def _combine(group: Choices[S], more: Choices[S]) -> Choices[S]:
    combined = (
        (_both(one, other), without | absent)
        for one, without in group
        for other, absent in more
    )
    possible = ((both, absent) for both, absent in combined if absent.isdisjoint(both))
    return tuple(_without_duplicates(possible))


def _both(one: Alternative[S], other: Alternative[S]) -> Alternative[S]:
    """Two alternatives in one, where a scheme in both has the scopes of both."""
    joined = {**one, **other}
    for name in one.keys() & other.keys():
        (scheme, scopes), (same, more) = one[name], other[name]
        united = tuple(dict.fromkeys(scopes + more))
        joined[name] = (same if scheme is None else scheme, united)
    return joined


def _without_duplicates(items: Iterable[T]) -> list[T]:
    found: list[T] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found
