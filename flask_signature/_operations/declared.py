"""What is declared for a rule, on its way past Flask's own registration.

Whoever overrides or replaces an ``add_url_rule()`` on that way sees Flask's options
alone.
"""

from __future__ import annotations

import typing as t
from contextlib import contextmanager
from contextvars import ContextVar

from .._routing.declaration import NOTHING_DECLARED

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping

    from .._routing.declaration import Declaration


class Declared(t.NamedTuple):
    """What a decorator knows of the rules that it adds.

    :param namespace: the local names around the view, which its annotations may use.
    :param declaration: of a route of a blueprint.
    :param compiled: the endpoint of a view that is compiled already, whose rule is to
        be added; ``""`` where there is none.
    """

    namespace: Mapping[str, t.Any] | None = None
    declaration: Declaration = NOTHING_DECLARED
    compiled: str = ""


_DECLARED: t.Final[ContextVar[Declared | None]] = ContextVar("declared", default=None)


@contextmanager
def declaring(declared: Declared | None) -> Iterator[None]:
    """Say what is declared for the rules that are added meanwhile.

    Nothing is, ``None``, while a view is compiled and decorated: the functions that
    decorate it may add rules of their own.
    """
    token = _DECLARED.set(declared)
    try:
        yield
    finally:
        _DECLARED.reset(token)


def is_declared() -> bool:
    """Whether a decorator adds the rule, or an ``add_url_rule()`` of a blueprint."""
    return _DECLARED.get() is not None


def is_compiled(endpoint: str | None) -> bool:
    """Whether the view of the rule that is being added is compiled already."""
    declared = _DECLARED.get()
    return declared is not None and declared.compiled == endpoint != ""


def declared_for(view: t.Any, frame: t.Any) -> Declared:
    """What is declared for a rule that is being added.

    :param frame: of the caller of ``add_url_rule()``, ``None`` where that is Flask.
    """
    declared = _DECLARED.get()
    # An application may add other rules beside one that is compiled.
    if declared is None or declared.compiled:
        return Declared(names_around(view, frame))
    return declared


def names_around(view: t.Any, frame: t.Any) -> Mapping[str, t.Any] | None:
    """The local names where a view is defined, which its annotations may use."""
    if frame is None or "<locals>" not in getattr(view, "__qualname__", ""):
        return None
    return dict(frame.f_locals)
