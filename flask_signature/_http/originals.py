"""Whether a library's methods are its own, or somebody has replaced one."""

from __future__ import annotations

import inspect
import typing as t
from functools import lru_cache
from types import FunctionType

from flask import Flask

if t.TYPE_CHECKING:
    from collections.abc import Callable

F = t.TypeVar("F", bound="Callable[..., t.Any]")


def original(file: str, function: F) -> F | None:
    """A function that is defined in a file, ``None`` if another one is in its place.

    For comparison by identity, which no wrapper passes.
    """
    return function if are_defined_in(file, function) else None


# Cached: it is asked for each response, with the same functions until one is replaced.
# By type, too: an object of wrapt is equal to the function that it wraps.
@lru_cache(maxsize=32, typed=True)
def are_defined_in(file: str, *functions: Callable[..., t.Any]) -> bool:
    """Whether some objects are functions, and their code is in a file.

    The code tells it where a name does not: a wrapper has the name of what it wraps. An
    object of wrapt has its code besides.
    """
    return all(
        type(function) is FunctionType and function.__code__.co_filename == file
        for function in functions
    )


#: Flask's own. A wrapper in its place is called for every view.
ENSURE_SYNC: t.Final = original(inspect.getfile(Flask), Flask.ensure_sync)
