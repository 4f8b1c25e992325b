"""Values that are built once, when they are first needed."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = t.TypeVar("T")

#: Held while ``ast`` parses code: Python 3.11 counts how deep that is nested for all
#: threads together, and raises a ``SystemError`` where two parse at once.
PARSING: t.Final = Lock()


@dataclass(slots=True)
class Once(t.Generic[T]):
    """Calls a function for its value once, and returns the same value to every thread.

    Other threads wait until the value is finished. An exception of the function is
    raised to its caller, and the next call tries again.

    :param make: returns the value, which is not ``None``.
    """

    make: Callable[[], T]
    _lock: Lock = field(default_factory=Lock, init=False)
    _made: T | None = field(default=None, init=False)

    def __call__(self) -> T:
        """The value."""
        made = self._made
        if made is None:
            with self._lock:
                made = self._made
                if made is None:
                    made = self._made = self.make()
        return made


def name_set(names: Iterable[str]) -> frozenset[str]:
    """The set of some names, the same object for all of the same names.

    Most routes have one of a few, and the garbage collector looks at every object.
    """
    return _known_set(frozenset(names))


@lru_cache(maxsize=1024)
def _known_set(names: frozenset[str]) -> frozenset[str]:
    return names
