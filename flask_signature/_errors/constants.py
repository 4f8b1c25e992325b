"""What the errors of Pydantic's own types repeat of a schema, and not of the input.

Errors and the core schema that was the cause go in, and come out without what an author
has put into them of the input: a ``PydanticKnownError`` has any context. The readers of
errors call it.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from datetime import date, time, timedelta
from enum import Enum
from functools import partial
from itertools import islice

from pydantic_core import SchemaValidator, ValidationError

from .echo import GENERIC, MAX_VALUES, OWN_TYPES, repeats, values_in
from .format import MESSAGES_WITH_INPUT

if t.TYPE_CHECKING:
    from .echo import ErrorDetails

#: What says in its own words what is wrong with a string.
PARSERS: t.Final = [
    SchemaValidator(t.cast("t.Any", {"type": kind}))
    for kind in ("date", "datetime", "time", "timedelta", "url", "uuid", "json")
]

#: What Pydantic calls the kinds of values that are too long or too short.
CONTAINER_NAMES: t.Final = frozenset(
    {"List", "Tuple", "Set", "Frozenset", "Dictionary", "Deque", "Generator", "Bytes"}
)


def without_echoes(errors: list[ErrorDetails], schema: t.Any) -> list[ErrorDetails]:
    """The errors, with the generic message where the context repeats the input.

    A limit, a pattern and the expected values are the schema's, also if the input is
    the same.
    """
    constants: set[str] = set()
    for number, error in enumerate(errors):
        if not error.get("ctx") or error["type"] not in OWN_TYPES:
            continue
        values = [*islice(values_in(error.get("input")), MAX_VALUES + 1)]
        known = MESSAGES_WITH_INPUT.get(error["type"], ("",))[0]
        ctx: dict[str, t.Any] = error["ctx"]
        names = [x for x in ctx if x != known and repeats(ctx[x], values)]
        constants = constants or (constants_in(schema) if names else set())
        echoes = {name for name in names if not _is_own(error, name, constants)}
        if echoes:
            kept = {name: ctx[name] for name in ctx if name not in echoes}
            errors[number] = {**error, "msg": GENERIC, "ctx": kept}
    return errors


def _is_own(error: ErrorDetails, name: str, constants: set[str]) -> bool:
    """Whether Pydantic says a value of the context, whoever has raised the error."""
    item: t.Any = error["ctx"][name]
    value: t.Any = error.get("input")
    if str(item) in constants or item in CONTAINER_NAMES:
        return True
    if name == "actual_length":
        # A set has fewer items than the list that was sent.
        return hasattr(value, "__len__") and bool(item <= len(value))
    own = (_error_of(parser, value) for parser in PARSERS)
    return (error["type"], error["ctx"]) in own


def _error_of(validator: SchemaValidator, value: t.Any) -> tuple[str, t.Any]:
    """The type and the context of the error of a value, if it is one."""
    try:
        validator.validate_python(value)
    except ValidationError as raised:
        error = raised.errors(include_url=False)[0]
        return error["type"], error.get("ctx")
    return "", None


def constants_in(schema: t.Any) -> set[str]:
    """The values in a core schema, as the contexts of errors have them."""
    found, seen, waiting = set[str](), set[int](), [schema]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, partial):
            # Pydantic's own functions for the constraints of other types.
            waiting += [*part.args, part.keywords]
        elif isinstance(part, dict):
            found.update(_choices_of(part))
            waiting += part.values()
        elif isinstance(part, (list, tuple, set, frozenset)):
            # So many items a tuple has.
            found.add(str(len(part)))
            waiting += part
        elif isinstance(part, type):
            found |= {part.__name__, part.__qualname__}
        elif not callable(part):
            # The code of a model may have any value, which may show itself in any way.
            with suppress(Exception):
                found |= {str(part), repr(part), _show_limit(part)}
                # That of a pattern which its author has compiled.
                found.add(str(getattr(part, "pattern", "")))
    return found


def _show_limit(limit: t.Any) -> str:
    """A limit as Pydantic says it: ``5 seconds``, ``0.0``."""
    if isinstance(limit, (date, time, timedelta)):
        schema: t.Any = {"type": type(limit).__name__, "gt": limit}
        return str(_error_of(SchemaValidator(schema), limit)[1]["gt"])
    return str(float(limit)) if isinstance(limit, int) else ""


def _choices_of(part: dict[str, t.Any]) -> list[str]:
    """What a literal, an enumeration or a tagged union says that it expects."""
    expected = part.get("expected") or part.get("members") or ()
    tags = part.get("choices")
    if not isinstance(expected, (list, tuple)):
        return []
    values = [x.value if isinstance(x, Enum) else x for x in expected]
    listed = ", ".join(map(repr, tags)) if isinstance(tags, dict) else ""
    return [_join_names(values), _join_names(expected), listed]


def _join_names(choices: t.Sequence[t.Any]) -> str:
    *first, last = [*map(repr, choices)] or [""]
    return f"{', '.join(first)} or {last}" if first else last
