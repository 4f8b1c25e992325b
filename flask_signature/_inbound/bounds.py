"""How few errors a validator builds, and where its definitions are used.

The schemas that fail fast are written with both.
"""

from __future__ import annotations

import typing as t

#: The names of the fields on the way to a value.
Path: t.TypeAlias = "tuple[str | int, ...]"


class Bounds(t.NamedTuple):
    """How few errors are built.

    :param max_errors: for an object and what is in it, ``0`` to have none at all. Each
        error copies the value that fails.
    :param may_stop: whether the validation may be ended where there would be more. A
        schema that does so takes any exception for a refusal.
    :param path_length: of the names that tell where it was ended, if the value may be
        in several places.
    """

    max_errors: int
    may_stop: bool = True
    path_length: int = 0


class Place(t.NamedTuple):
    """Where a definition is used, which is written anew for each.

    :param in_union: whether in a choice of a union.
    """

    ref: str
    path: Path
    in_union: bool

    @property
    def new_ref(self) -> str:
        """The reference to what was written for it."""
        return f"{self.ref}:fail-fast:{self.path}:{self.in_union}"
