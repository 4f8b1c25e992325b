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
    from collections.abc import Iterator
    from collections.abc import Mapping

    from pydantic_core import InitErrorDetails

    #: One of ``ValidationError.errors()``, which may hold the ``input``.
    ErrorDetails: t.TypeAlias = Mapping[str, t.Any]

PYDANTIC_TYPES: t.Final = frozenset(t.get_args(ErrorType))

#: The types of error whose whole message is Pydantic's. An author, or a function of
#: Python that is used as a validator, writes those of the others.
OWN_TYPES: t.Final = PYDANTIC_TYPES - {"assertion_error", "value_error"}

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

#: The type in place of one that repeats the input, which an author may write, too.
GENERIC_TYPE: t.Final = "value_error"

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

#: The modules of Python all of whose messages repeat a part of the input.
UNFIT_MODULES: t.Final = frozenset({"ipaddress"})

#: Messages, keys of ``loc`` and texts of ``ctx`` are answered up to this length.
MAX_LENGTH: t.Final = 200

#: An input with more values than this is not searched: it has the generic message.
MAX_VALUES: t.Final = 1000

#: Python cuts a long value where it repeats it, so that the start of it is looked for.
MAX_START: t.Final = 50

#: A list or a dict of ``ctx`` with more text than this is not searched, but left out.
MAX_TEXT: t.Final = 2000


def without_input(error: ErrorDetails) -> ErrorDetails:
    """The error, with the generic message if its own repeats the input.

    ``Value error, invalid literal for int() with base 10: 'x'`` becomes ``Value error,
    The value is not valid.``. What repeats the input in ``ctx`` is left out. Values are
    compared as whole words, without regard to case, also those in lists and in dicts.
    A key that may be the name of a field is one where it is in quotes.
    """
    kind, message, ctx = error["type"], error["msg"], error.get("ctx")
    key: tuple[t.Any, ...] | None
    if ctx:
        key = (kind, message, *ctx.items())
        # What a message with numbers depends on: others may hold what was sent.
        for value in ctx.values():
            if type(value) is not int and type(value) is not float:
                key = None
    else:
        key, ctx = (kind, message), {}
    if key in _OWN_MESSAGES:
        return error
    is_own = _is_own(error, key)
    if is_own and kind != "uuid_parsing":
        return error
    if is_own:
        # The character that it names may be all that was sent.
        reason = str(ctx.get("error", "")).partition("found `")[0].rstrip(" ,:")
        return _with_reason(error, reason)
    values = [*islice(values_in(error.get("input")), MAX_VALUES + 1)]
    raised = ctx.get("error")
    if isinstance(raised, Exception) and message.endswith(str(raised)):
        is_unfit = type(raised).__module__ in UNFIT_MODULES
        if not (is_unfit or _is_unfit(str(raised), values)):
            return error
        return _with_reason(error, _generic(raised))
    return _without_repeated(error, values)


def _without_repeated(error: ErrorDetails, values: list[str]) -> ErrorDetails:
    """An error that an author has written, without what repeats values of the input."""
    kind, message, ctx = error["type"], error["msg"], error.get("ctx") or {}
    kept = {
        name: item
        for name, item in ctx.items()
        if not (repeats(name, values) or repeats(item, values))
    }
    if _is_unfit(message, values):
        message = GENERIC
    if kind not in PYDANTIC_TYPES and repeats(kind, values):
        kind = GENERIC_TYPE
    return {**error, "type": kind, "msg": message, "ctx": kept}


def _is_own(error: ErrorDetails, key: tuple[t.Any, ...] | None) -> bool:
    """Whether Pydantic wrote the message: an author may use the name of its type.

    :param key: by which the message is remembered, ``None`` where it is not.
    """
    kind, message, ctx = error["type"], error["msg"], error.get("ctx") or {}
    if kind not in OWN_TYPES:
        return False
    made: InitErrorDetails = {"type": kind, "input": None, "ctx": {**ctx}}
    # An error of JSON has words of its own for some types.
    for source in ("python", "json"):
        with suppress(Exception):
            own = ValidationError.from_exception_data(
                "request", [made], input_type=t.cast('t.Literal["python"]', source)
            )
            made_message = own.errors(include_url=False)[0]["msg"]
            # The limit of a decimal may be written in another way: 1.50, 1.5.
            if NUMBER.sub("0", made_message) == NUMBER.sub("0", message):
                if key is not None and len(_OWN_MESSAGES) < MAX_KNOWN:
                    _OWN_MESSAGES.add(key)
                return True
    return False


#: As many messages of Pydantic are remembered.
MAX_KNOWN: t.Final = 1000

_OWN_MESSAGES: t.Final = set[tuple[t.Any, ...]]()


def _with_reason(error: ErrorDetails, reason: object) -> ErrorDetails:
    """The error with another ``error`` in its ``ctx``, which ends its message."""
    ctx = error.get("ctx") or {}
    start = error["msg"].removesuffix(str(ctx.get("error", "")))
    return {**error, "msg": f"{start}{reason}", "ctx": {**ctx, "error": reason}}


def _generic(error: Exception) -> object:
    """An exception of the same class with the generic message, or the message alone.

    The format of Pydantic 1 has the name of the class.
    """
    cls = type(error)
    with suppress(Exception):
        made = cls.__new__(cls, GENERIC)
        if str(made) == GENERIC:
            return made
    return GENERIC


def values_in(value: t.Any) -> Iterator[str]:
    """The values of an input as strings: of a list and a dict those that are inside.

    And each key of its dicts, once.
    """
    waiting, seen, keys = [value], set[int](), set[str]()
    while waiting:
        found = waiting.pop()
        if isinstance(found, (dict, list, tuple, set, frozenset)):
            # An input may be any object, which may contain itself.
            if id(found) in seen:
                continue
            seen.add(id(found))
            if not isinstance(found, dict):
                waiting += found
                continue
            waiting += found.values()
            for key in found:
                if isinstance(key, str) and key not in keys:
                    keys.add(key)
                    yield f"'{key}'" if key.isidentifier() else key
        elif isinstance(found, FileStorage):
            waiting += [found.filename, found.mimetype]
        elif found is not None and not isinstance(found, bool):
            yield _string(found)


def _string(value: t.Any) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode(errors="replace")
    # A number may have too many digits for Python, and an object any method.
    with suppress(Exception):
        return str(value)
    return ""


def _is_unfit(message: str, values: list[str]) -> bool:
    if repeats(message, values):
        return True
    # Python writes its words before the part that it repeats, or ends with them.
    if len(message) > MAX_TEXT:
        message = f"{message[:MAX_LENGTH]}\n{message[-MAX_LENGTH:]}"
    return UNFIT.search(message) is not None


def repeats(part: t.Any, values: list[str]) -> bool:
    """Whether a message, or a value of ``ctx``, has a value of the input in it."""
    text = " ".join(islice(values_in(part), MAX_TEXT + 1))
    if not text:
        return False
    if isinstance(part, (str, Exception)):
        # What is answered, with the start of a value that the end of it may cut.
        text = text[: MAX_LENGTH + MAX_START + 1]
    if len(values) > MAX_VALUES or len(text) > MAX_TEXT:
        return True
    text = text.casefold().replace('"', "'")
    return any(_has(text, form) for value in values for form in _forms(value))


def _forms(value: str) -> Iterator[str]:
    """How a value may be written: as it is, with escapes, as another's number."""
    plain = value.strip()
    yield plain
    yield repr(plain)[1:-1]
    yield plain.encode("unicode_escape").decode()
    # Of a form that is long, or contains letters, there is no number.
    if len(plain) <= MAX_START:
        with suppress(ValueError, OverflowError):
            number = float(plain)
            yield str(number)
            yield f"{number:g}"
            yield str(int(number))


def _has(text: str, form: str) -> bool:
    """Whether a text has a form of a value as a whole word, or starts a long one."""
    start = form[:MAX_START].casefold().replace('"', "'")
    at = text.find(start) if start else -1
    while at != -1:
        end = at + len(start)
        is_cut = len(form) > MAX_START
        if not _in_word(text[at - 1 : at]) and (is_cut or not _in_word(text[end:][:1])):
            return True
        at = text.find(start, at + 1)
    return False


def _in_word(character: str) -> bool:
    """Whether a character, or none, belongs to a word."""
    return character.isalnum() or character == "_"
