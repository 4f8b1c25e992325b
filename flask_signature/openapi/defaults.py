"""Whether a default is a value that its schema allows."""

from __future__ import annotations

import operator
import re
import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from .objects import JsonObject

#: The types of Python by JSON type. A ``bool`` is no integer in JSON.
TYPES: t.Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}

#: The type that a keyword applies to, and whether a value is within its bound.
#: Source: JSON Schema Validation 2020-12, 6.
BOUNDS: t.Final[dict[str, tuple[str, Callable[[t.Any, t.Any], bool]]]] = {
    "minimum": ("number", operator.ge),
    "maximum": ("number", operator.le),
    "exclusiveMinimum": ("number", operator.gt),
    "exclusiveMaximum": ("number", operator.lt),
    "minLength": ("string", lambda value, bound: len(value) >= bound),
    "maxLength": ("string", lambda value, bound: len(value) <= bound),
    "pattern": ("string", lambda value, bound: _matches(value, bound)),
    "format": ("string", lambda value, name: _has_format(value, name)),
    "minItems": ("array", lambda value, bound: len(value) >= bound),
    "maxItems": ("array", lambda value, bound: len(value) <= bound),
}


def fits(value: t.Any, schema: JsonObject) -> bool:
    """Whether a schema allows a value, as far as the keywords in it are known here.

    Pydantic does not validate defaults: that of ``note: str = None`` is no value that a
    client could send, and validators of documents refuse it.
    """
    for key in ("anyOf", "oneOf"):
        if key in schema and not any(fits(value, member) for member in schema[key]):
            return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if "type" in schema and not _is_a(value, schema["type"]):
        return False
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return all(fits(item, schema["items"]) for item in value)
    return all(
        is_within(value, schema[key])
        for key, (tp, is_within) in BOUNDS.items()
        if key in schema and _is_a(value, tp)
    )


def _is_a(value: t.Any, tp: str) -> bool:
    if isinstance(value, bool):
        return tp == "boolean"
    return isinstance(value, TYPES.get(tp, (object,)))


#: The times of RFC 3339 have an offset, which those of Python may lack.
TIMES: t.Final = ("date-time", "time")


def _has_format(string: str, name: str) -> bool:
    return name not in TIMES or _matches(string, r"(?:Z|[+-]\d\d:\d\d)\Z")


def _matches(string: str, pattern: str) -> bool:
    try:
        return re.search(pattern, string) is not None
    except re.error:
        # Pydantic's expressions are not Python's.
        return True
