"""Where a view is defined, for the messages that refuse it.

Every stage of a registration raises with :func:`locate`.
"""

from __future__ import annotations

import os
import typing as t

if t.TYPE_CHECKING:
    from .unwrap import ViewCallable


def locate(rule: str, problem: str, view_callable: ViewCallable) -> str:
    """A problem with the rule before it, and the file and line of the view after it.

    :param rule: the method and the path: ``"GET /users/{user_id}"``.
    """
    return f"{rule}: {problem} ({source_location(view_callable.function)})"


def source_location(function: t.Callable[..., t.Any]) -> str:
    """The file and line of a function: ``"shop/users.py, line 41"``."""
    code = getattr(function, "__code__", None)
    if code is None:
        return f"{function!r}"
    path = os.path.relpath(code.co_filename)
    shown = code.co_filename if path.startswith(os.pardir) else path
    return f"{shown}, line {code.co_firstlineno}"
