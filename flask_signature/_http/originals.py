"""The versions of Flask and Werkzeug that are known, and their own methods.

A row is a class, the name of a method, and that method as the library defines it. What
does a method's work in another way keeps a table of such rows, and asks it each time.
"""

from __future__ import annotations

import re
import typing as t
from importlib import metadata
from inspect import getattr_static
from pathlib import Path
from threading import RLock
from types import FunctionType, MethodType

from flask import ctx

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType


#: Flask 3.2 passes the context to the methods that a request goes through, and has one
#: where there were two. So it is seen of a Flask whose version tells nothing.
PASSES_CONTEXT: t.Final = "RequestContext" not in vars(ctx)

#: The series of Flask and Werkzeug that are tested.
FLASK: t.Final = frozenset({(3, 0), (3, 1)})

WERKZEUG: t.Final = frozenset({(3, 0), (3, 1)})

#: What was tested of the next Flask. Its release may differ.
NEXT_FLASK: t.Final = "3.2.0.dev"

#: Two numbers, and what may follow them. An epoch is none. Source: PEP 440.
VERSION: t.Final = re.compile(
    r"v?(\d+)(?:\.(\d+))?(?:[-_.+a-z][-_.+a-z\d]*)?", re.IGNORECASE
)


def series_of(version: str) -> tuple[int, int]:
    """The first two numbers of a version: ``"3.1.3"`` is of ``(3, 1)``.

    One that is written in another way is of ``(0, 0)``, which is untested.
    """
    found = VERSION.fullmatch(version)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def installed_version(name: str) -> str:
    """The version of a distribution, ``""`` where a program has no metadata of it.

    Those that are frozen into one file may leave it out.
    """
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def are_known(flask: str, werkzeug: str) -> bool:
    """Whether both versions were tested."""
    is_known = flask.startswith(NEXT_FLASK) or series_of(flask) in FLASK
    return is_known and series_of(werkzeug) in WERKZEUG


#: Whether the pieces may act at all. They read what is not documented.
IS_KNOWN: t.Final = are_known(installed_version("flask"), installed_version("werkzeug"))

#: The class, ``None`` for the one that is asked about, the name and the original.
Original: t.TypeAlias = "tuple[type | None, str, object]"


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
) -> list[Original]:
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


def compile_question(rows: Iterable[Original]) -> Callable[[type | None], bool]:
    """A function that says whether all methods of some rows are in place.

    It takes the class for the rows that name none, which are asked each time. So are
    the others, where CPython does not tell that no attribute of their classes was set
    since they were asked: to ask takes longer than most else that a request needs.
    """
    rows = [*rows]
    owners = {row[0] for row in rows if type(row[0]) is type}
    # A few rows are asked in less time than whether a class was changed.
    unread = inherit_unread(owners) if len(rows) > 5 else None
    if unread is None:
        return _compile(rows)
    ask_owners = _compile([row for row in rows if row[0] in owners])
    ask_rest = _compile([row for row in rows if row[0] not in owners])
    lock, known = RLock(), t.cast("bool | None", None)

    def ask(cls: type | None) -> bool:
        nonlocal known
        if known is None or not flags_of(unread) & IS_UNCHANGED:
            with lock:
                known = None
                # What is set from now on is seen next time.
                type.__getattribute__(unread, "__init__")
                known = ask_owners(None)
        return known is True and ask_rest(cls)

    return ask


def _compile(rows: Iterable[Original]) -> Callable[[type | None], bool]:
    """The same, which asks each time.

    One expression compares the methods by identity, as some wrappers are equal to what
    they wrap. A loop takes twice as long.
    """
    names: dict[str, object] = {"MethodType": MethodType}
    terms = ["True"]
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


#: The flag of a class whose attributes CPython keeps in a cache: from when one is
#: looked up until one is set, or one of a class that it inherits from. Python 3.13 has
#: none. Source: CPython, Include/object.h, Py_TPFLAGS_VALID_VERSION_TAG.
IS_UNCHANGED: t.Final = 1 << 19

#: Reads the flags of a class, and looks up no attribute of it.
flags_of: t.Final[Callable[[type], int]] = vars(type)["__flags__"].__get__


class Unread(type):
    """The class of a class with no attributes but those that every class has.

    Those are looked up in ``type``: a program that finds it changes no flag.
    """

    def __getattribute__(cls, name: str) -> t.Any:
        if name not in vars(type):
            raise AttributeError(name)
        return vars(type)[name].__get__(cls)


def inherit_unread(classes: Iterable[type]) -> type | None:
    """A class whose flag says whether an attribute of some others was set.

    ``None`` where this Python does not say it, or none can inherit from all of them.
    """
    # A class may have something to do where another one inherits from it.
    probe = type("Probe", (), {"__init_subclass__": lambda cls: None})
    inherited = {base for cls in classes for base in cls.__mro__[1:]}
    try:
        found = Unread("Unread", (probe, *({*classes} - inherited)), {})
    except TypeError:
        return None
    type.__getattribute__(found, "__init__")
    was_unchanged = flags_of(found) & IS_UNCHANGED
    probe.attribute = True  # type: ignore[attr-defined]
    return found if was_unchanged and not flags_of(found) & IS_UNCHANGED else None
