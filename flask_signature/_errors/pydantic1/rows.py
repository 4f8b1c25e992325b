"""What a row of the table is, and the rows that are shared or have to be chosen."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..._common import Sentinel

#: What Pydantic 2 says of an error: its ``ctx``, with ``msg`` and ``input`` beside it.
Given: t.TypeAlias = Mapping[str, t.Any]
NOT_GIVEN: t.Final = Sentinel("NOT_GIVEN")


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One error of Pydantic 1.

    :param type: its type, ``"value_error.number.not_ge"``.
    :param msg: its message, with the names of its ``ctx`` in braces.
    :param ctx: what Pydantic 2 calls each value, ``{"limit_value": "ge"}``, or the
        value itself where it is always the same number.
    """

    type: str
    msg: str
    ctx: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def needs(self) -> set[str]:
        """The names of Pydantic 2 without which the row cannot be filled."""
        return {source for source in self.ctx.values() if isinstance(source, str)}


# ---- rows that are named elsewhere, or that more than one type leads to

ARBITRARY_TYPE = ErrorRow(
    "type_error.arbitrary_type",
    "instance of {expected_arbitrary_type} expected",
    {"expected_arbitrary_type": "class"},
)
BOOL = ErrorRow("type_error.bool", "value could not be parsed to a boolean")
BYTES = ErrorRow("type_error.bytes", "byte type expected")
CHARACTERS_MAX = ErrorRow(
    "value_error.any_str.max_length",
    "ensure this value has at most {limit_value} characters",
    {"limit_value": "max_length"},
)
CHARACTERS_MIN = ErrorRow(
    "value_error.any_str.min_length",
    "ensure this value has at least {limit_value} characters",
    {"limit_value": "min_length"},
)
CLASS_EXPECTED = ErrorRow("type_error.class", "a class is expected")
COMPLEX = ErrorRow("type_error.complex", "value is not a valid complex")
DATACLASS = ErrorRow(
    "type_error.dataclass",
    "instance of {class_name}, tuple or dict expected",
    {"class_name": "class_name"},
)
DATE = ErrorRow("value_error.date", "invalid date format")
DATETIME = ErrorRow("value_error.datetime", "invalid datetime format")
DECIMAL = ErrorRow("type_error.decimal", "value is not a valid decimal")
DICT = ErrorRow("type_error.dict", "value is not a valid dict")
EMAIL = ErrorRow("value_error.email", "value is not a valid email address")
EXTRA = ErrorRow("value_error.extra", "extra fields not permitted")
FLOAT = ErrorRow("type_error.float", "value is not a valid float")
FRACTION = ErrorRow("type_error.fraction", "value is not a valid fraction")
HASHABLE = ErrorRow("type_error.hashable", "value is not a valid hashable")
IMMUTABLE = ErrorRow("type_error", "value is immutable")
INTEGER = ErrorRow("type_error.integer", "value is not a valid integer")
ITERABLE = ErrorRow("type_error.iterable", "value is not a valid iterable")
JSON_INVALID = ErrorRow("value_error.json", "Invalid JSON")
MISSING = ErrorRow("value_error.missing", "field required")
NONE_EXPECTED = ErrorRow("type_error.not_none", "value is not None")
NULL = ErrorRow("type_error.none.not_allowed", "none is not an allowed value")
SEQUENCE = ErrorRow("type_error.sequence", "value is not a valid sequence")
STRING_EXPECTED = ErrorRow("type_error.str", "str type expected")
TUPLE = ErrorRow("type_error.tuple", "value is not a valid tuple")
UNICODE = ErrorRow("value_error.unicodedecode", "value is not valid unicode")
URL_EXTRA = ErrorRow(
    "value_error.url.extra", "URL invalid, extra characters found after valid URL"
)
URL_HOST = ErrorRow("value_error.url.host", "URL host invalid")
UUID = ErrorRow("type_error.uuid", "value is not a valid uuid")

#: Errors of a key, of text that cannot be read, or of a null that was asked for: a null
#: is never what is wrong there.
NOT_OF_A_VALUE = {
    MISSING.type,
    EXTRA.type,
    JSON_INVALID.type,
    NONE_EXPECTED.type,
    UNICODE.type,
}


def ip(name: str, words: str) -> ErrorRow:
    """The row of an address: ``ip("IPv4Address", "IPv4 address")``."""
    return ErrorRow(f"value_error.{name.lower()}", f"value is not a valid {words}")


def neither_text_nor_number(name: str) -> ErrorRow:
    """The row of a list, say, where a ``name`` of the ``datetime`` module is wanted."""
    msg = f"invalid type; expected {name}, string, bytes, int or float"
    return ErrorRow("type_error", msg)


# ---- rows that the type alone does not tell

#: By ``field_type``: what a type of Pydantic 1 calls a container.
PYDANTIC1_CONTAINERS = {
    "Deque": "deque",
    "Dictionary": "dict",
    "Frozenset": "frozenset",
    "Set": "set",
    "Tuple": "tuple",
}
#: By ``class``: Pydantic 1 had an error of its own for these.
INSTANCES = {
    "Enum": ErrorRow("type_error.enum_instance", "value is not a valid Enum instance"),
    "IntEnum": ErrorRow(
        "type_error.int_enum_instance", "value is not a valid IntEnum instance"
    ),
    "Sequence": SEQUENCE,
}
#: By ``error``: to Pydantic 1 any other URL was a shorter one with something after it.
URLS = {
    "empty host": URL_HOST,
    "input is empty": ErrorRow(
        CHARACTERS_MIN.type, CHARACTERS_MIN.msg, {"limit_value": 1}
    ),
    "invalid IPv4 address": URL_HOST,
    "invalid port number": ErrorRow(
        "value_error.url.port", "URL port invalid, port cannot exceed 65535"
    ),
    "relative URL without a base": ErrorRow(
        "value_error.url.scheme", "invalid or missing URL scheme"
    ),
}


def boolean(given: Given) -> ErrorRow:
    """The row of no boolean: only a strict one calls text and numbers a wrong type."""
    if isinstance(given["input"], (str, int)):
        return ErrorRow("value_error.strictbool", "value is not a valid boolean")
    return BOOL


def too_short(given: Given) -> ErrorRow:
    """The row of what has too few items."""
    if _is_text(given):
        return CHARACTERS_MIN
    return ErrorRow(
        f"value_error.{_container(given)}.min_items",
        "ensure this value has at least {limit_value} items",
        {"limit_value": "min_length"},
    )


def too_long(given: Given) -> ErrorRow:
    """The row of what has too many items."""
    if _is_text(given):
        return CHARACTERS_MAX
    if _container(given) == "tuple" and given.get("actual_length") is not None:
        return ErrorRow(
            "value_error.tuple.length",
            "wrong tuple length {actual_length}, expected {expected_length}",
            {"actual_length": "actual_length", "expected_length": "max_length"},
        )
    return ErrorRow(
        f"value_error.{_container(given)}.max_items",
        "ensure this value has at most {limit_value} items",
        {"limit_value": "max_length"},
    )


def _is_text(given: Given) -> bool:
    """Whether a length is one of characters.

    Pydantic 2 counts a ``SecretStr`` and a ``Sequence`` as a "Value" alike; Pydantic 1
    counted only the first.
    """
    is_text = isinstance(given["input"], (str, bytes)) or given["input"] is NOT_GIVEN
    return is_text and given.get("field_type") == "Value"


def _container(given: Given) -> str:
    return PYDANTIC1_CONTAINERS.get(given.get("field_type", ""), "list")


def url(given: Given) -> ErrorRow:
    """The row of a text that is no URL."""
    return URLS.get(given.get("error", ""), URL_EXTRA)


def instance(given: Given) -> ErrorRow:
    """The row of what is not an instance of a class."""
    return INSTANCES.get(given.get("class", ""), ARBITRARY_TYPE)


def python_object(given: Given) -> ErrorRow:
    """The row of what JSON cannot say."""
    if given.get("method_name") == "issubclass":
        return CLASS_EXPECTED
    return ErrorRow(ARBITRARY_TYPE.type, "instance of a Python class expected")


def value_error(given: Given) -> ErrorRow | None:
    """The row of an ``EmailStr``, whose type is that of an author's ``ValueError``."""
    return EMAIL if given["msg"].startswith(EMAIL.msg) else None
