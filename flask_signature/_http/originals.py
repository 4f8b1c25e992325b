"""Whether a library's methods are its own, or somebody has replaced one."""

from __future__ import annotations

import typing as t
from functools import lru_cache
from operator import attrgetter
from operator import is_
from pathlib import Path
from types import FunctionType

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


# Cached: it is asked for each response, with the same functions until one is replaced.
# By type, too: some wrappers are equal to what they wrap.
@lru_cache(maxsize=32, typed=True)
def are_defined_in(file: str, *functions: Callable[..., t.Any]) -> bool:
    """Whether the code of some functions is in a file.

    The code tells it where a name does not: a wrapper has the name of what it wraps. A
    wrapper that is no function may have the code as well.
    """
    return all(
        type(function) is FunctionType and function.__code__.co_filename == file
        for function in functions
    )


def find_original(package: ModuleType, owner: type, name: str) -> object:
    """A method or property as a package defines it, or what equals nothing there.

    It may have been replaced before this is asked: whether the code is the package's
    own is seen from its file and its name.

    :param owner: a class that has or inherits the method.
    """
    found = getattr(owner, name, None)
    method = found.fget if isinstance(found, property) else found
    if type(method) is not FunctionType or hasattr(method, "__wrapped__"):
        return object()
    code, folder = method.__code__, Path(str(package.__file__)).parent
    is_own = code.co_name == name and folder in Path(code.co_filename).parents
    return found if is_own else object()


class Originals:
    """Methods of a class, as a package defines them, and what stands there now.

    :param names: of the methods, at least two.
    """

    __slots__ = ("_find", "_known", "_owner")

    def __init__(self, package: ModuleType, owner: type, *names: str) -> None:
        self._owner = owner
        self._find = attrgetter(*names)
        self._known = [find_original(package, owner, name) for name in names]

    def are_in_place(self) -> bool:
        """Whether nobody has replaced one."""
        # By identity: some wrappers are equal to what they wrap.
        return all(map(is_, self._find(self._owner), self._known))
