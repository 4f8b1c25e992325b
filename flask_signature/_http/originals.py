"""Whether a library's methods are its own, or somebody has replaced one."""

from __future__ import annotations

import typing as t
from operator import attrgetter
from operator import is_
from pathlib import Path
from types import FunctionType

if t.TYPE_CHECKING:
    from types import ModuleType


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
