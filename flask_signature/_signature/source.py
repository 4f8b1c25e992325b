"""Where a view is defined, for the messages that refuse it.

Every stage of a registration raises with :func:`locate`.
"""

from __future__ import annotations

import inspect
import os
import sys
import typing as t

if t.TYPE_CHECKING:
    from types import FrameType

    from .unwrap import ViewCallable


#: The packages that stand between an author's call and an error in it.
BETWEEN: t.Final = frozenset({"contextlib", "flask", "flask_signature"})


def locate(rule: str, problem: str, view_callable: ViewCallable) -> str:
    """A problem with the rule before it, and the file and line of the view after it.

    :param rule: the method and the path: ``"GET /users/{user_id}"``.
    """
    return f"{rule}: {problem} ({source_location(view_callable.function)})"


def source_location(function: t.Callable[..., t.Any]) -> str:
    """The file and line of a function or a class: ``"shop/users.py, line 41"``."""
    code = getattr(function, "__code__", None)
    if code is None:
        return _class_location(function) or f"{function!r}"
    return _show_place(code.co_filename, code.co_firstlineno)


def _class_location(cls: t.Any) -> str:
    """The file and line of a class, ``""`` where they can't be found."""
    try:
        file, (_, line) = inspect.getsourcefile(cls), inspect.findsource(cls)
    except (OSError, TypeError):
        return ""
    return _show_place(file or "", line + 1)


def calling_location() -> str:
    """The file and line of the author's call that is running: ``Blueprint(...)``."""
    frame = author_frame()
    return _show_place(frame.f_code.co_filename, frame.f_lineno)


def author_frame() -> FrameType:
    """The frame of the author's call that is running."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _package_of(frame) in BETWEEN:
        frame = frame.f_back
    return frame


def _package_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _show_place(file: str, line: int) -> str:
    path = os.path.relpath(file)
    return f"{file if path.startswith(os.pardir) else path}, line {line}"
