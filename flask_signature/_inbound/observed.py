"""What functions of an author raise while Pydantic validates.

Some schemas take any exception for a refusal. A core schema goes in; the one that comes
out calls the same functions, and keeps in mind whether one raised something else.
"""

from __future__ import annotations

import functools
import typing as t
from contextvars import ContextVar
from dataclasses import dataclass

from .._types.core_schemas import parts_of

if t.TYPE_CHECKING:
    from collections.abc import Callable

#: What a function may raise to refuse a value.
REFUSALS: t.Final = (ValueError, AssertionError)

#: The modules whose functions are not observed.
KNOWN: t.Final = frozenset({"builtins", "pydantic"})

#: The keys of a core schema that may hold a function of an author.
FUNCTION_KEYS: t.Final = ("default_factory", "discriminator", "missing")


@dataclass(slots=True)
class Validation:
    """What is known of a validation that is going on.

    :param stop: where it was ended first; each schema around that ends it once more.
    :param has_stopped: whether it was ended at all, for good or in a choice of a union.
    :param is_unusual: whether a function raised anything but a refusal.
    """

    stop: Exception | None = None
    has_stopped: bool = False
    is_unusual: bool = False

    @property
    def is_undecided(self) -> bool:
        """Whether a refusal, or a value, may come of an exception that is none."""
        return self.has_stopped and self.is_unusual


#: The innermost: a function may validate something else meanwhile.
CURRENT: t.Final[ContextVar[Validation]] = ContextVar("validation")


def observed(schema: t.Any) -> t.Any:
    """The schema, whose functions are observed."""
    changed: dict[str, t.Any] = {
        key: _observed(schema[key])
        for key in FUNCTION_KEYS
        if callable(schema.get(key))
    }
    if schema["type"].startswith("function-"):
        function = schema["function"]
        changed["function"] = {**function, "function": _observed(function["function"])}
    return {**schema, **changed} if changed else schema


def _observed(function: Callable[..., t.Any]) -> Callable[..., t.Any]:
    if _module_of(function) in KNOWN:
        return function

    @functools.wraps(function, updated=())
    def call(*args: t.Any, **options: t.Any) -> t.Any:
        try:
            return function(*args, **options)
        except REFUSALS:
            raise
        except Exception:
            CURRENT.get().is_unusual = True
            raise

    return call


def is_of_pydantic(schema: t.Any) -> bool:
    """Whether a function calls a schema without a look at its errors.

    Pydantic makes collections of lists with such functions.
    """
    if schema["type"] != "function-wrap":
        return False
    return _module_of(schema["function"]["function"]) == "pydantic"


def calls_unobserved(schema: t.Any) -> bool:
    """Whether code of an author runs that is not among the functions of a schema.

    It is called where an object of its class is made.
    """
    return any(
        part.get("custom_init") or _calls_author(part) for part in parts_of(schema)
    )


def _calls_author(schema: t.Any) -> bool:
    name = schema.get("post_init")
    if not name:
        return False
    # A dataclass has a flag, and Python's own name for the method.
    method = getattr(schema["cls"], name if isinstance(name, str) else "__post_init__")
    # Pydantic's own makes the private attributes of a model.
    return _module_of(method) != "pydantic"


def _module_of(function: t.Any) -> str:
    """The package of a function, or of that which a partial calls."""
    function = getattr(function, "func", function)
    return str(getattr(function, "__module__", "")).partition(".")[0]
