"""Whether a library's methods are its own, or somebody has replaced one."""

from __future__ import annotations

import typing as t
from functools import lru_cache

if t.TYPE_CHECKING:
    from collections.abc import Callable


# Cached: it is asked for each response, with the same functions until one is replaced.
@lru_cache(maxsize=32)
def are_defined_in(file: str, *functions: Callable[..., t.Any]) -> bool:
    """Whether the code of some functions is in a file.

    The code tells it where a name does not: a wrapper has the name of what it wraps.
    """
    codes = [getattr(function, "__code__", None) for function in functions]
    return all(code is not None and code.co_filename == file for code in codes)
