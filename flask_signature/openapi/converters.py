"""The schemas of URL variables, by their converters."""

from __future__ import annotations

import re
import typing as t

from werkzeug.routing import (
    AnyConverter,
    BaseConverter,
    FloatConverter,
    IntegerConverter,
    UnicodeConverter,
    UUIDConverter,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.routing.converters import NumberConverter

    from .objects import JsonObject

#: The method of a custom converter that returns its JSON Schema.
HOOK: t.Final = "openapi_schema"

#: The expression of a ``UnicodeConverter``: ``[^/]{2}``, ``[^/]{1,5}``.
LENGTH = re.compile(r"\[\^/\]\{(?P<least>\d+)(?P<range>,)?(?P<most>\d+)?\}\Z")

#: What Python's regular expressions have and those of JSON Schema have not.
NOT_PORTABLE = re.compile(r"\(\?[^:=!]|\\[AZz]|[*+?}]\+")


def converter_schema(converter: BaseConverter) -> JsonObject:
    """The schema of the values that a converter lets through.

    ``<int(min=1):n>`` gives ``{"type": "integer", "minimum": 1}``. A custom converter
    may have a method ``openapi_schema()`` that returns its schema; without one, the
    converter that it extends describes it, or its regular expression.
    """
    hook = getattr(converter, HOOK, None)
    if hook is not None:
        return dict(hook())
    for known, describe in DESCRIPTIONS.items():
        if isinstance(converter, known):
            return describe(converter)
    return {"type": "string", **_pattern(converter)}


def _integer(converter: t.Any) -> JsonObject:
    least, most = _bounds(converter)
    if converter.fixed_digits:
        # A number in a document has no leading zeros.
        digits = converter.fixed_digits
        fewest = 10 ** (digits - 1) if digits > 1 else 0
        least = max(fewest, fewest if least is None else least)
        most = min(10**digits - 1, 10**digits - 1 if most is None else most)
    return {"type": "integer", **_limits(least, most)}


def _bounds(converter: NumberConverter) -> tuple[t.Any, t.Any]:
    least = converter.min
    if not converter.signed:
        least = 0 if least is None else max(0, least)
    return least, converter.max


def _limits(least: t.Any, most: t.Any) -> JsonObject:
    limits = {"minimum": least, "maximum": most}
    return {key: value for key, value in limits.items() if value is not None}


def _unicode(converter: BaseConverter) -> JsonObject:
    match = LENGTH.match(converter.regex)
    if match is None:
        return {"type": "string", **_pattern(converter)}
    least, most = int(match["least"]), match["most"]
    if match["range"] is None:
        return {"type": "string", "minLength": least, "maxLength": least}
    # A variable of a rule is never empty.
    schema = {"minLength": least} if most or least > 1 else {}
    return {"type": "string", **schema, **({"maxLength": int(most)} if most else {})}


def _pattern(converter: BaseConverter) -> JsonObject:
    regex = converter.regex
    if regex == BaseConverter.regex or NOT_PORTABLE.search(regex):
        return {}
    return {"pattern": f"^(?:{regex})$"}


DESCRIPTIONS: t.Final[dict[type, Callable[[t.Any], JsonObject]]] = {
    IntegerConverter: _integer,
    FloatConverter: lambda item: {"type": "number", **_limits(*_bounds(item))},
    UUIDConverter: lambda item: {"type": "string", "format": "uuid"},
    AnyConverter: lambda item: {"type": "string", "enum": sorted(item.items)},
    UnicodeConverter: _unicode,
}

#: The function that makes one of two constraints of the same name.
TIGHTER: t.Final[dict[str, Callable[[t.Any, t.Any], t.Any]]] = {
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
}


def _makes_value(converter: BaseConverter) -> bool:
    """Whether an argument gets what a method of the author makes of a variable."""
    return type(converter).to_python not in WERKZEUGS or hasattr(converter, HOOK)


#: The methods that make a value that is written as the variable is.
WERKZEUGS: t.Final = frozenset(
    converter.to_python
    for converter in (BaseConverter, IntegerConverter, FloatConverter, UUIDConverter)
)


def describe_variable(
    schema: JsonObject, converter: BaseConverter, known: JsonObject
) -> JsonObject:
    """The schema of a variable that an argument takes.

    :param schema: of the argument.
    :param known: of the converter.
    """
    is_alike = schema.get("type") == known.get("type") and "format" not in schema
    if is_alike or not _makes_value(converter):
        return _narrow(schema, known)
    # What is made says nothing of the text that it is made of.
    about = {key: value for key, value in schema.items() if key in ANNOTATIONS}
    return {**known, **about}


def _narrow(schema: JsonObject, converter: JsonObject) -> JsonObject:
    """The schema of an argument with the constraints of its converter.

    Where the types differ, that of the argument counts: it reads what the converter
    accepts.
    """
    if not schema.keys() - ANNOTATIONS:
        return {**converter, **schema}
    ours, theirs = schema.get("type"), converter.get("type")
    if (ours, theirs) == ("number", "integer"):
        schema = {**schema, "type": "integer"}
    elif ours is None or ours != theirs:
        return schema
    narrowed = {**converter, **schema}
    for key in converter.keys() & schema.keys() & TIGHTER.keys():
        narrowed[key] = TIGHTER[key](schema[key], converter[key])
    if "enum" in schema and "enum" in converter:
        narrowed["enum"] = [
            item for item in schema["enum"] if item in converter["enum"]
        ]
    return narrowed


#: The keywords of JSON Schema that constrain nothing.
ANNOTATIONS: t.Final = frozenset(
    {"title", "description", "default", "deprecated", "examples"}
)
