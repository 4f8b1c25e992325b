"""How much a test with the mark ``drawn`` draws."""

from __future__ import annotations

import os
import typing as t

#: One draw of so many is made where the variable says so. The environments of tox that
#: differ in versions alone say 5, and ``once`` makes them all.
ONE_OF: t.Final = int(os.environ.get("ONE_DRAW_OF", "1"))


def draws(count: int) -> int:
    """That many, or a part of them."""
    return -(-count // ONE_OF)
