"""What the errors of Pydantic's own types repeat of a schema, and not of the input.

Errors and the core schema that was the cause go in, and come out without what an author
has put into them of the input: a ``PydanticKnownError`` has any context. The readers of
errors call it.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from datetime import date
from datetime import datetime
from datetime import time
from datetime import timedelta
from enum import Enum
from functools import partial
from itertools import islice

from pydantic_core import SchemaValidator
from pydantic_core import ValidationError
from pydantic_core import core_schema

from .echo import GENERIC
from .echo import MAX_VALUES
from .echo import MESSAGES_WITH_INPUT
from .echo import OWN_TYPES
from .echo import repeats
from .echo import values_in

if t.TYPE_CHECKING:
    from .echo import ErrorDetails

#: The core schemas whose errors say in their own words what is wrong with a string, by
#: the types of these errors.
PARSERS: t.Final = {
    "date_parsing": core_schema.date_schema(),
    "date_from_datetime_parsing": core_schema.date_schema(),
    "datetime_parsing": core_schema.datetime_schema(),
    "datetime_from_date_parsing": core_schema.datetime_schema(),
    "time_parsing": core_schema.time_schema(),
    "time_delta_parsing": core_schema.timedelta_schema(),
    "url_parsing": core_schema.url_schema(),
    "uuid_parsing": core_schema.uuid_schema(),
    "json_invalid": core_schema.json_schema(),
}

#: The core schemas that may have limits which are neither numbers nor lengths.
LIMITS: t.Final[dict[type, t.Any]] = {
    date: core_schema.date_schema,
    datetime: core_schema.datetime_schema,
    time: core_schema.time_schema,
    timedelta: core_schema.timedelta_schema,
}

#: What Pydantic calls the kinds of values that are too long or too short.
KINDS: t.Final = frozenset(
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
        names = [
            name
            for name, item in error["ctx"].items()
            if name != known and repeats(item, values)
        ]
        constants = constants or (constants_in(schema) if names else set())
        echoes = [name for name in names if not _is_own(error, name, constants)]
        if echoes:
            kept = {k: item for k, item in error["ctx"].items() if k not in echoes}
            errors[number] = {**error, "msg": GENERIC, "ctx": kept}
    return errors


def _is_own(error: ErrorDetails, name: str, constants: set[str]) -> bool:
    """Whether Pydantic says a value of the context, whoever has raised the error."""
    item: t.Any = error["ctx"][name]
    value: t.Any = error.get("input")
    if str(item) in constants or item in KINDS:
        return True
    if name == "actual_length":
        # A set has fewer items than the list that was sent.
        return hasattr(value, "__len__") and bool(item <= len(value))
    parser = PARSERS.get(error["type"])
    if parser is None:
        return False
    try:
        SchemaValidator(parser).validate_python(value)
    except ValidationError as raised:
        return bool(raised.errors()[0].get("ctx") == error["ctx"])
    return False


def constants_in(schema: t.Any) -> set[str]:
    """The values in a core schema, as the contexts of errors have them."""
    found, seen, waiting = set[str](), set[int](), [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, (dict, list, tuple, set, frozenset, partial)):
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
            waiting += part
        elif isinstance(part, type):
            found |= {part.__name__, part.__qualname__}
        elif not callable(part):
            # The code of a model may have any value, which may show itself in any way.
            with suppress(Exception):
                found |= {str(part), repr(part), _show_limit(part)}
    return found


def _show_limit(limit: t.Any) -> str:
    """A limit as Pydantic says it: ``5 seconds``, ``0.0``."""
    if isinstance(limit, int):
        return str(float(limit))
    schema = LIMITS.get(type(limit))
    if schema is None:
        return ""
    try:
        SchemaValidator(schema(gt=limit)).validate_python(limit)
    except ValidationError as error:
        return str(error.errors()[0]["ctx"]["gt"])
    return ""


def _choices_of(part: dict[str, t.Any]) -> list[str]:
    """What a literal, an enumeration or a tagged union says that it expects."""
    expected = part.get("expected") or part.get("members") or ()
    if not isinstance(expected, (list, tuple)):
        return []
    shown = [repr(x.value) if isinstance(x, Enum) else repr(x) for x in expected]
    plain = [repr(x) for x in expected]
    tags = part.get("choices")
    listed = [repr(tag) for tag in tags] if isinstance(tags, dict) else []
    return [_join(shown), _join(plain), ", ".join(listed)]


def _join(shown: list[str]) -> str:
    *first, last = shown or [""]
    return f"{', '.join(first)} or {last}" if first else last
