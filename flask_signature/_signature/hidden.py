"""The view behind a decorator that was made without ``functools.wraps``.

Nothing names it but the closure of the function that the decorator returns.
"""

from __future__ import annotations

import dis
import inspect
import typing as t
from contextlib import suppress

from .._types.annotations import is_anything
from .._types.annotations import is_base_model
from .._types.problems import classes_in
from .hints import known_hints
from .markers import find_special

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from types import CodeType

#: Set where a function takes both ``*args`` and ``**kwargs``.
TAKES_ALL: t.Final = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class HiddenView(t.NamedTuple):
    """A function that another one calls for it.

    :param wrapper: the name of the latter, which Flask calls.
    :param variable: what that one calls the function: ``"f"``.
    """

    wrapper: str
    variable: str
    function: Callable[..., t.Any]

    @property
    def advice(self) -> str:
        """What to write for the function to be found."""
        return (
            f"Put '@functools.wraps({self.variable})' above 'def {self.wrapper}' in the"
            " decorator."
        )

    def expects_to_be_read(self, provided: Collection[str]) -> bool:
        """Whether it declares an argument or a model, which nobody would look at.

        :param provided: the names that the URL provides.
        """
        hints = known_hints(self.function)
        if any(map(is_base_model, classes_in(hints.get("return")))):
            return True
        for name, item in inspect.signature(self.function).parameters.items():
            hint = hints.get(name, t.Any)
            if find_special(hint, item.default) is not None:
                return True
            is_variadic = item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD)
            if not (is_variadic or name in provided or is_anything(hint)):
                return True
        return False


def find_hidden_view(function: t.Any) -> HiddenView | None:
    """The view that a function calls, if it is what a decorator made of that view.

    Such a function is written in the decorator, takes any arguments and passes them on.
    """
    code = getattr(function, "__code__", None)
    cells = getattr(function, "__closure__", None)
    if code is None or not cells or hasattr(function, "__wrapped__"):
        return None
    if code.co_flags & TAKES_ALL != TAKES_ALL or not _passes_all(code):
        return None
    found: dict[str, t.Any] = {}
    for name, cell in zip(code.co_freevars, cells, strict=True):
        # A variable that has no value yet, such as a function that calls itself.
        with suppress(ValueError):
            found[name] = cell.cell_contents
    views = [(name, item) for name, item in found.items() if inspect.isfunction(item)]
    return HiddenView(function.__name__, *views[0]) if len(views) == 1 else None


def _passes_all(code: CodeType) -> bool:
    """Whether a function calls another with ``*`` or ``**``."""
    names = (instruction.opname for instruction in dis.get_instructions(code))
    return "CALL_FUNCTION_EX" in names
