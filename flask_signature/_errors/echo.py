"""Messages that repeat what a client sent.

An error of Pydantic goes in, and comes out with a message that does not have its input.
The error formats call it.
"""

from __future__ import annotations

import re
import typing as t
from contextlib import suppress
from itertools import islice

from pydantic_core import ValidationError
from pydantic_core.core_schema import ErrorType
from werkzeug.datastructures import FileStorage

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic_core import InitErrorDetails

    #: One of ``ValidationError.errors()``, which may hold the ``input``.
    ErrorDetails: t.TypeAlias = Mapping[str, t.Any]

PYDANTIC_TYPES: t.Final = frozenset(t.get_args(ErrorType))

#: The types of error whose whole message is Pydantic's. An author, or a function of
#: Python that is used as a validator, writes those of the others.
OWN_TYPES: t.Final = PYDANTIC_TYPES - {"assertion_error", "value_error"}

#: What stands in a message, and in ``ctx``, in place of what repeats the input.
GENERIC: t.Final = "The value is not valid."

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

#: Messages, keys of ``loc`` and texts of ``ctx`` are answered up to this length.
MAX_LENGTH: t.Final = 200

#: An input with more values, and a part of ``ctx`` with more text, is not searched.
MAX_VALUES, MAX_TEXT = 1000, 2000

#: Python cuts a long value where it repeats it, so that the start of it is looked for.
MAX_START: t.Final = 50


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
        if not (_in_word(text[at - 1 : at]) or _in_word(after)):
            return True
    return False


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
