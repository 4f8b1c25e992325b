"""What guards and functions of security schemes may not return.

They are called to say who may call a view. What was meant to refuse a request and is
neither raised nor read would let everybody in.
"""

from __future__ import annotations

import re
import types
import typing as t
from contextlib import asynccontextmanager
from contextlib import contextmanager
from functools import partial

from .._http.response import RESPONSES

#: What a function returns that has to be run by somebody else.
UNRUN: t.Final[tuple[type, ...]] = (
    types.AsyncGeneratorType,
    types.GeneratorType,
    partial,
    type(contextmanager(lambda: iter(()))()),
    type(asynccontextmanager(lambda: None)()),  # type: ignore[arg-type, return-value]
)

FUNCTIONS: t.Final = (types.BuiltinFunctionType, types.FunctionType, types.MethodType)

#: Such as ``"401 Unauthorized"``.
ERROR_STATUS: t.Final = re.compile(r"[45][0-9]{2}(?: |$)")


def check_guard(name: str, value: object, *, is_taken: bool) -> None:
    """Refuse what a guard has returned where it means to refuse, or has not run.

    :param name: of the guard, as messages show it.
    :param is_taken: whether something is called with the value, and may run it.
    :raises TypeError: if it is such a value.
    """
    if value is None or value is True:
        return
    if value is False:
        raise TypeError(
            f"{name} has returned False, which refuses no request. Raise an exception,"
            " or call abort()."
        )
    _check_refusal(name, value)
    if not is_taken:
        _check_run(name, value)


def check_user(name: str, value: object) -> None:
    """Refuse what a function of a security scheme can't mean to say who it is.

    :param name: of the function, as messages show it.
    :raises TypeError: if it is such a value.
    """
    if value is not None:
        _check_refusal(name, value)
        _check_run(name, value)


def _check_refusal(name: str, value: object) -> None:
    if isinstance(value, RESPONSES) or _is_status_tuple(value):
        raise TypeError(
            f"{name} has returned a response, which nobody sends. Raise an exception,"
            " or call abort()."
        )
    cls = value if isinstance(value, type) else type(value)
    if issubclass(cls, BaseException) or value is NotImplemented:
        raise TypeError(
            f"{name} has returned {cls.__name__}, which refuses no request. Raise an"
            " exception, or call abort()."
        )


def _check_run(name: str, value: object) -> None:
    if isinstance(value, UNRUN) or hasattr(type(value), "__await__"):
        raise TypeError(
            f"{name} has returned a {type(value).__name__}, which nobody runs. Give the"
            " function that makes it."
        )
    if isinstance(value, FUNCTIONS):
        raise TypeError(
            f"{name} has returned a function, which is not called. Give that function"
            f" itself: what {name} returns."
        )


def _is_status_tuple(value: object) -> bool:
    """Whether Flask would make a response with an error status of a value.

    A redirection needs a header, without which it may be a row of a table.
    """
    if type(value) is not tuple or len(value) not in (2, 3):
        return False
    first, status = 400 if len(value) == 2 else 300, value[1]
    if isinstance(status, str):
        return ERROR_STATUS.match(status) is not None
    return isinstance(status, int) and status in range(first, 600)
