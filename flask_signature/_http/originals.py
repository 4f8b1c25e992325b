"""Whether the methods of a library are its own, or have been replaced.

A row is a class, the name of a method, and that method as the library defines it. What
does a method's work in another way keeps a table of such rows, and asks it each time.
"""

from __future__ import annotations

import typing as t
from inspect import getattr_static
from pathlib import Path
from types import FunctionType, MethodType

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

#: The class, ``None`` for the one that is asked about, the name and the original.
Row: t.TypeAlias = "tuple[type | None, str, object]"


def find_original(package: ModuleType, owner: type, name: str) -> object:
    """A method or property of a class as a package defines it, or what equals nothing.

    It may have been replaced before this is asked: whether the code is the package's
    own is seen from its file and its name.
    """
    found = getattr(owner, name, None)
    found = getattr(found, "__func__", found)
    method = found.fget if isinstance(found, property) else found
    if type(method) is not FunctionType or hasattr(method, "__wrapped__"):
        return object()
    code, folder = method.__code__, Path(str(package.__file__)).parent
    is_own = code.co_name == name and folder in Path(code.co_filename).parents
    return found if is_own else object()


def originals(
    package: ModuleType, owner: type, names: str, *, of_class: bool = False
) -> list[Row]:
    """The rows of some methods of a class.

    :param names: such as ``"push pop"``. What the version that is installed does not
        have is left out.
    :param of_class: whether the class that is asked about has to have them, which
        inherits them from this one.
    """
    return [
        (None if of_class else owner, name, find_original(package, owner, name))
        for name in names.split()
        if hasattr(owner, name)
    ]


def compile_question(rows: Iterable[Row]) -> Callable[[type | None], bool]:
    """A function that says whether all methods of some rows are in place.

    It takes the class for the rows that name none. One expression compares them by
    identity, as some wrappers are equal to what they wrap: a loop takes twice as long,
    and this is asked for each request.
    """
    names: dict[str, object] = {"MethodType": MethodType}
    terms = []
    for number, (owner, name, known) in enumerate(rows):
        names |= {f"owner_{number}": owner, f"known_{number}": known}
        found = f"{'cls' if owner is None else f'owner_{number}'}.{name}"
        if isinstance(getattr_static(owner, name, None), classmethod):
            # It is bound anew each time. A wrapper may pass on what it is asked for.
            terms.append(f"type({found}) is MethodType")
            found += ".__func__"
        terms.append(f"{found} is known_{number}")
    question: Callable[[type | None], bool] = eval(
        f"lambda cls: {' and '.join(terms)}", names
    )
    return question
