"""What is built once, by the first who asks for it."""

from __future__ import annotations

import typing as t
from threading import Lock

if t.TYPE_CHECKING:
    from collections.abc import Callable

T = t.TypeVar("T")


class Once(t.Generic[T]):
    """Calls a function when its value is asked for, and gives the same ever after.

    Others wait meanwhile: nobody is given what is not finished. What the function
    raises is raised to whoever asked, and the next one tries again.

    :param make: makes the value, which is not ``None``.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: T | None = None

    def __call__(self) -> T:
        """The value."""
        made = self._made
        if made is None:
            with self._lock:
                made = self._made
                if made is None:
                    made = self._made = self._make()
        return made
