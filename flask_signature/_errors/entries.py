"""The entries of an error response: ``loc``, ``msg`` and ``type``, without values.

An error of Pydantic goes in, an entry that repeats nothing that a client sent comes
out.
"""

from __future__ import annotations

import json
import re
import typing as t
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, time, timedelta
from enum import Enum
from functools import partial
from itertools import islice
from math import isfinite

from pydantic_core import SchemaValidator, ValidationError, from_json, to_json
from pydantic_core.core_schema import ErrorType
from werkzeug.datastructures import FileStorage

from ..exceptions import RequestValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pydantic_core import InitErrorDetails, PydanticCustomError

    from ..exceptions import ErrorWriter


#: ``loc``, ``msg``, ``type`` and sometimes ``ctx``.
ErrorEntry: t.TypeAlias = "dict[str, t.Any]"

#: One of ``ValidationError.errors()``, which may hold the ``input``.
ErrorDetails: t.TypeAlias = "Mapping[str, t.Any]"

# A small request must not be able to ask for a megabyte of errors.
MAX_ENTRIES: t.Final = 100

#: Bytes of JSON that all entries may have together.
MAX_BYTES: t.Final = 60_000

#: Takes the place of what is missing, until Pydantic refuses it. It is no text, which
#: most types find out sooner than that another object is none of theirs.
ABSENT: t.Final = b"\xff absent"


@dataclass(frozen=True, slots=True)
class UnreadableValue:
    """Takes the place of what could not be read, until Pydantic refuses it.

    :param kind: the type of the error that says why.
    :param ctx: what its message needs.
    """

    kind: str | PydanticCustomError
    ctx: Mapping[str, t.Any]


def validation_error(
    kind: str | PydanticCustomError, loc: tuple[str | int, ...] = (), **ctx: t.Any
) -> ValidationError:
    """The error that Pydantic raises for one of its own types, such as ``missing``."""
    error = t.cast(
        "InitErrorDetails", {"type": kind, "loc": loc, "input": None, "ctx": ctx}
    )
    return ValidationError.from_exception_data("request", [error])


def details_of(kind: str | PydanticCustomError, **ctx: t.Any) -> dict[str, t.Any]:
    """The details of :func:`validation_error`."""
    (details,) = validation_error(kind, **ctx).errors(include_url=False)
    return t.cast("dict[str, t.Any]", details)


def locate_errors(
    errors: Iterable[t.Any], locate: Callable[[tuple[t.Any, ...]], Sequence[t.Any]]
) -> list[ErrorDetails]:
    """The first errors, at most :data:`MAX_ENTRIES`, with a ``loc`` of the request.

    :param errors: of ``ValidationError.errors()``; they are changed in place, since
        Pydantic has built all of them by then.
    :param locate: turns the ``loc`` of Pydantic into that of the request.
    """
    found: list[ErrorDetails] = []
    explained: list[UnreadableValue] = []
    for error in errors:
        value = error.get("input")
        if value is ABSENT:
            error = {**details_of("missing"), "loc": error["loc"]}
        elif type(value) is UnreadableValue:
            if any(value is other for other in explained):
                continue
            explained.append(value)
            error = {**details_of(value.kind, **value.ctx), "loc": error["loc"]}
        if len(found) == MAX_ENTRIES:
            break
        error["loc"] = locate(error["loc"])
        found.append(error)
    return found


PYDANTIC_TYPES: t.Final = frozenset(t.get_args(ErrorType))

#: The types of error whose whole message is Pydantic's. An author, or a function of
#: Python that is used as a validator, writes those of the others.
OWN_TYPES: t.Final = PYDANTIC_TYPES - {"assertion_error", "value_error"}

#: What replaces, in a message and in ``ctx``, what repeats the input.
GENERIC: t.Final = "The value is not valid."

#: The error types whose message contains the input: its name in ``ctx``, and a message
#: without it.
MESSAGES_WITH_INPUT: t.Final = {
    "union_tag_invalid": (
        "tag",
        (
            "Input tag found using {discriminator} does not match any of the expected"
            " tags: {expected_tags}"
        ),
    ),
    "zoneinfo_str": ("value", "invalid timezone"),
    "byte_size_unit": ("unit", "could not interpret byte unit"),
    "import_error": ("error", "Invalid python path"),
}

#: Messages, keys of ``loc`` and texts of ``ctx`` are answered up to this length.
MAX_LENGTH: t.Final = 200

#: An input with more values, and a part of ``ctx`` with more text, is not searched.
MAX_VALUES, MAX_TEXT = 1000, 2000

#: Python cuts a long value where it repeats it, so that the start of it is looked for.
MAX_START: t.Final = 50


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


#: What says in its own words what is wrong with a string.
PARSERS: t.Final = [
    SchemaValidator(t.cast("t.Any", {"type": kind}))
    for kind in ("date", "datetime", "time", "timedelta", "url", "uuid", "json")
]

#: What Pydantic calls the kinds of values that are too long or too short.
CONTAINER_NAMES: t.Final = frozenset(
    {"List", "Tuple", "Set", "Frozenset", "Dictionary", "Deque", "Generator", "Bytes"}
)


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


def _choices_of(part: dict[str, t.Any]) -> list[str]:
    """What a literal, an enumeration or a tagged union says that it expects."""
    expected = part.get("expected") or part.get("members") or ()
    tags = part.get("choices")
    if not isinstance(expected, (list, tuple)):
        return []
    values = [x.value if isinstance(x, Enum) else x for x in expected]
    listed = [", ".join(map(repr, tags))] if isinstance(tags, dict) else []
    for choices in (values, expected):
        *first, last = [*map(repr, choices)] or [""]
        listed.append(f"{', '.join(first)} or {last}" if first else last)
    return listed


def _show_limit(limit: t.Any) -> str:
    """A limit as Pydantic says it: ``5 seconds``, ``0.0``."""
    if isinstance(limit, (date, time, timedelta)):
        schema: t.Any = {"type": type(limit).__name__, "gt": limit}
        return str(_error_of(SchemaValidator(schema), limit)[1]["gt"])
    return str(float(limit)) if isinstance(limit, int) else ""


def refuse(
    errors: Sequence[ErrorDetails], writer: ErrorWriter
) -> RequestValidationError:
    """The exception that has these errors.

    :param writer: what writes the response.
    """
    details = [*map(without_input, errors)]
    entries = [*map(read_entry, details)]
    return RequestValidationError(entries, writer=writer, details=details)


#: What is in messages of Python that repeat a part of the input, as ``strptime()`` does
#: with the end of it, or show an object of the application.
UNFIT: t.Final = re.compile(
    r"unconverted data remains| object at 0x|<class '|<locals>"
    r"|invalid literal for |could not convert string to |invalid isoformat "
    r"|\btime data ['\"]|port could not be cast|only (decimal|hex) digits permitted"
    r"| does not appear to be an ipv|under NFKC normalization|zoneinfo keys must be "
    r"|(['\")\]}>]|\b\d+) is not (a valid \w|in list)",
    re.IGNORECASE,
)

#: A number in a message.
NUMBER: t.Final = re.compile(r"\d[\d.]*(?:[eE][+-]?\d+)?")


def without_input(error: ErrorDetails) -> ErrorDetails:
    """The error, with the generic message if its own repeats the input.

    ``Value error, invalid literal for int() with base 10: 'x'`` becomes ``Value error,
    The value is not valid.``. What repeats the input in ``ctx`` is left out. Values are
    compared as whole words, without regard to case, also those in lists and in dicts.
    """
    kind, message, ctx = error["type"], error["msg"], error.get("ctx") or {}
    if not ctx and (kind, message) in _OWN_MESSAGES:
        return error
    if kind in OWN_TYPES and _is_of_pydantic(kind, message, ctx):
        if kind != "uuid_parsing":
            return error
        # The character that it names may be all that was sent.
        reason = str(ctx.get("error", "")).partition("found `")[0].rstrip(" ,:")
        return _with_reason(error, reason)
    values = [*islice(values_in(error.get("input")), MAX_VALUES + 1)]
    raised = ctx.get("error")
    if isinstance(raised, Exception) and message.endswith(str(raised)):
        is_unfit = type(raised).__module__ == "ipaddress"
        if is_unfit or _is_unfit(str(raised), values):
            return _with_reason(error, _generic(raised))
        return error
    names = [x for x in ctx if not (repeats(x, values) or repeats(ctx[x], values))]
    if _is_unfit(message, values):
        message = GENERIC
    if kind not in PYDANTIC_TYPES and repeats(kind, values):
        kind = "value_error"
    kept = {name: ctx[name] for name in names}
    return {**error, "type": kind, "msg": message, "ctx": kept}


def _is_of_pydantic(kind: str, message: str, ctx: Mapping[str, t.Any]) -> bool:
    """Whether Pydantic wrote a message: an author may use the name of its type."""
    key: tuple[t.Any, ...] | None = (kind, message, *ctx.items())
    for item in ctx.values():
        if type(item) is not int and type(item) is not float:
            # It may hold what was sent, and is not remembered.
            key = None
    if key in _OWN_MESSAGES:
        return True
    # The limit of a decimal may be written in another way: 1.50, 1.5.
    shown = NUMBER.sub("0", message)
    # An error of JSON has words of its own for some types.
    is_own = any(
        _own_message(kind, ctx, source) == shown for source in ("python", "json")
    )
    if is_own and key is not None and len(_OWN_MESSAGES) < 1000:
        _OWN_MESSAGES.add(key)
    return is_own


#: Messages of Pydantic with their types and numbers.
_OWN_MESSAGES: t.Final = set[tuple[t.Any, ...] | None]()


def _own_message(kind: t.Any, ctx: Mapping[str, t.Any], source: t.Any) -> str | None:
    """Pydantic's own message, with each number as ``0``; ``None`` without one."""
    made: InitErrorDetails = {"type": kind, "input": None, "ctx": {**ctx}}
    with suppress(Exception):
        own = ValidationError.from_exception_data("", [made], input_type=source)
        return NUMBER.sub("0", own.errors(include_url=False)[0]["msg"])
    return None


def _with_reason(error: ErrorDetails, reason: object) -> ErrorDetails:
    """The error with another ``error`` in its ``ctx``, which ends its message."""
    ctx = error.get("ctx") or {}
    start = error["msg"].removesuffix(str(ctx.get("error", "")))
    return {**error, "msg": f"{start}{reason}", "ctx": {**ctx, "error": reason}}


def _generic(error: Exception) -> object:
    """An exception of the same class, whose name Pydantic 1 has, or the message."""
    with suppress(Exception):
        made = type(error).__new__(type(error), GENERIC)
        if str(made) == GENERIC:
            return made
    return GENERIC


def _is_unfit(message: str, values: list[str]) -> bool:
    """Whether a message repeats the input, or a part of it as Python does."""
    # Python writes its words before the part that it repeats, or ends with them.
    ends = f"{message[:MAX_LENGTH]}\n{message[-MAX_LENGTH:]}"
    return repeats(message, values) or UNFIT.search(ends) is not None


def repeats(part: t.Any, values: list[str]) -> bool:
    """Whether a message, or a value of ``ctx``, has a value of the input in it."""
    text = " ".join(islice(values_in(part), MAX_TEXT + 1))
    if isinstance(part, (str, Exception)):
        # What is answered, with the start of a value that the end of it may cut.
        text = text[: MAX_LENGTH + MAX_START + 1]
    if text and (len(values) > MAX_VALUES or len(text) > MAX_TEXT):
        return True
    text = _alike(text)
    found = (form for value in values if value for form in _forms(value.strip()))
    return any(_has(text, form) for form in found)


def values_in(value: t.Any) -> Iterator[str]:
    """The values of an input as strings: of a list and a dict those that are inside.

    And each key of its dicts, in quotes where it may be the name of a field. What has
    no string is an empty one, since whoever asks stops after so many.
    """
    waiting, seen = [value], set[int]()
    while waiting:
        found = waiting.pop()
        if isinstance(found, (dict, list, tuple, set, frozenset)):
            # An input may be any object, which may contain itself.
            if id(found) in seen:
                continue
            seen.add(id(found))
            yield ""
            inside = found.values() if isinstance(found, dict) else found
            waiting += islice(inside, MAX_TEXT)
            if isinstance(found, dict):
                keys = (key for key in found if isinstance(key, str))
                yield from (f"'{x}'" if x.isidentifier() else x for x in keys)
        elif isinstance(found, FileStorage):
            waiting += [found.filename, found.mimetype]
        elif isinstance(found, (bytes, bytearray, memoryview)):
            yield bytes(found).decode(errors="replace")
        else:
            # A number may have too many digits for Python, and an object any method.
            with suppress(Exception):
                yield "" if found is None or isinstance(found, bool) else str(found)


def _alike(text: str) -> str:
    return text.casefold().replace('"', "'")


def _forms(value: str) -> Iterator[str]:
    """How a value may be written: as it is, with escapes, as another's number."""
    yield from (value, repr(value)[1:-1], value.encode("unicode_escape").decode())
    # Of a form that is long, or contains letters, there is no number.
    if len(value) <= MAX_START:
        with suppress(ValueError, OverflowError):
            number = float(value)
            yield from (str(number), f"{number:g}")
            yield str(int(number))


def _has(text: str, form: str) -> bool:
    """Whether a text has a form of a value as a whole word, or starts a long one."""
    start, at = _alike(form[:MAX_START]), -1
    while start and (at := text.find(start, at + 1)) != -1:
        end = at + len(start)
        after = text[end : end + 1] if len(form) <= MAX_START else ""
        # An expression of each form would take longer to compile than this to find.
        if not any(x.isalnum() or x == "_" for x in (text[at - 1 : at], after)):
            return True
    return False


def read_entry(error: ErrorDetails) -> ErrorEntry:
    """The entry of an error, without the value that was sent."""
    kind, message, ctx = error["type"], error["msg"], error.get("ctx")
    if kind in MESSAGES_WITH_INPUT:
        value, template = MESSAGES_WITH_INPUT[kind]
        ctx = {name: item for name, item in (ctx or {}).items() if name != value}
        try:
            message = template.format_map(ctx)
        except KeyError:
            # An author has used the name of the type, with another context.
            message = GENERIC
    loc: list[t.Any] = []
    entry = {"loc": loc, "msg": message[:MAX_LENGTH], "type": kind}
    # Before Python 3.12 a comprehension is a call of its own.
    for part in error["loc"]:
        loc.append(part if type(part) is int else part[:MAX_LENGTH])
    if ctx:
        entry["ctx"] = plain = {}
        for name, value in ctx.items():
            plain[name] = value if type(value) is int else _plain(value)
    return entry


def _plain(value: t.Any) -> t.Any:
    """A value of ``ctx`` as JSON: an exception becomes its message."""
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    if not isinstance(value, str):
        try:
            value = from_json(to_json(value, fallback=str, inf_nan_mode="strings"))
        except ValueError:
            # The message of an exception may hold a lone surrogate.
            value = str(value)
    return value[:MAX_LENGTH] if isinstance(value, str) else value


def fit_entries(entries: Iterable[t.Any]) -> list[ErrorEntry]:
    """The first entries, as many as there is room for."""
    found: list[ErrorEntry] = []
    left = MAX_BYTES
    for entry in entries:
        left -= len(write_json(entry))
        if left < 0 and found:
            break
        # A ``loc`` that is too long by itself is cut down to the location.
        found.append(entry if left >= 0 else {**entry, "loc": entry["loc"][:1]})
    return found


def write_json(content: t.Any) -> bytes:
    """The JSON of plain values; no string that a client sent can make this fail."""
    try:
        return to_json(content)
    except ValueError:
        # A lone surrogate has no UTF-8 form, but JSON has an escape for it.
        return json.dumps(content).encode()
