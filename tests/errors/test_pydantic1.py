"""The error format of Pydantic 1: its error for each error type of Pydantic 2.

``tests/pydantic1`` holds the answers beside those of a real Pydantic 1.
"""

from __future__ import annotations

import datetime
import enum
import ipaddress
import pathlib
import typing as t
import uuid
import zoneinfo
from decimal import Decimal

import pydantic
import pytest
from models import Cat, Dog
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError, PydanticKnownError, core_schema

from flask_signature._errors.pydantic1 import to_pydantic1

SECRET = "s3cr3t"


def entries_of(annotation, value, *, with_input=False):
    """Pydantic 2's entries for a value that does not fit."""
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(annotation).validate_python(value)
    return refusal.value.errors(include_url=False, include_input=with_input)


def raised(error):
    """Pydantic 2's entry for what a validator raises."""

    def refuse(value):
        raise error

    (entry,) = entries_of(t.Annotated[t.Any, pydantic.BeforeValidator(refuse)], SECRET)
    return entry


def answer_of(entry):
    """An answer without its ``loc``: its type, its message, and its ``ctx`` if any."""
    answer = to_pydantic1(entry)
    assert answer["loc"] == entry["loc"]
    assert set(answer) <= {"loc", "msg", "type", "ctx"}
    return (
        answer["type"],
        answer["msg"],
        *([answer["ctx"]] if "ctx" in answer else []),
    )


# An example of the ctx of each type of Pydantic 2, and what Pydantic 1 says.
NEITHER = "invalid type; expected {}, string, bytes, int or float".format
BOOL = ("type_error.bool", "value could not be parsed to a boolean")
BYTES = ("type_error.bytes", "byte type expected")
COMPLEX = ("type_error.complex", "value is not a valid complex")
DATE = ("value_error.date", "invalid date format")
DATETIME = ("value_error.datetime", "invalid datetime format")
DECIMAL = ("type_error.decimal", "value is not a valid decimal")
DICT = ("type_error.dict", "value is not a valid dict")
EXTRA = ("value_error.extra", "extra fields not permitted")
FLOAT = ("type_error.float", "value is not a valid float")
FRACTION = ("type_error.fraction", "value is not a valid fraction")
INTEGER = ("type_error.integer", "value is not a valid integer")
ITERABLE = ("type_error.iterable", "value is not a valid iterable")
MISSING = ("value_error.missing", "field required")
STRING = ("type_error.str", "str type expected")
TUPLE = ("type_error.tuple", "value is not a valid tuple")
UUID = ("type_error.uuid", "value is not a valid uuid")
DATACLASS = (
    "type_error.dataclass",
    "instance of Pet, tuple or dict expected",
    {"class_name": "Pet"},
)
MIN_LENGTH = (
    "value_error.any_str.min_length",
    "ensure this value has at least 2 characters",
    {"limit_value": 2},
)
MAX_LENGTH = (
    "value_error.any_str.max_length",
    "ensure this value has at most 2 characters",
    {"limit_value": 2},
)

EXAMPLES: dict[str, tuple[dict[str, t.Any], tuple[t.Any, ...]]] = {
    "no_such_attribute": ({"attribute": "a"}, EXTRA),
    "json_invalid": ({"error": "why"}, ("value_error.json", "Invalid JSON")),
    "json_type": (
        {},
        ("type_error.json", "JSON object must be str, bytes or bytearray"),
    ),
    "needs_python_object": (
        {"method_name": "isinstance"},
        ("type_error.arbitrary_type", "instance of a Python class expected"),
    ),
    "recursion_loop": ({}, ("value_error.recursion", "value contains itself")),
    "recursion_depth_exceeded": (
        {},
        ("value_error.recursion", "value is nested too deeply"),
    ),
    "missing": ({}, MISSING),
    "frozen_field": ({}, ("type_error", "value is immutable")),
    "frozen_instance": ({}, ("type_error", "value is immutable")),
    "extra_forbidden": ({}, EXTRA),
    "invalid_key": ({}, STRING),
    "get_attribute_error": (
        {"error": "why"},
        ("value_error.attribute", "attribute could not be read"),
    ),
    "model_type": ({"class_name": "Pet"}, DICT),
    "model_attributes_type": ({}, DICT),
    "dataclass_type": ({"class_name": "Pet"}, DATACLASS),
    "dataclass_exact_type": ({"class_name": "Pet"}, DATACLASS),
    "named_tuple_type": ({"class_name": "Pet"}, TUPLE),
    "default_factory_not_called": (
        {},
        ("value_error.default", "default depends on a value that is not valid"),
    ),
    "none_required": ({}, ("type_error.not_none", "value is not None")),
    "greater_than": (
        {"gt": 1},
        (
            "value_error.number.not_gt",
            "ensure this value is greater than 1",
            {"limit_value": 1},
        ),
    ),
    "greater_than_equal": (
        {"ge": 1},
        (
            "value_error.number.not_ge",
            "ensure this value is greater than or equal to 1",
            {"limit_value": 1},
        ),
    ),
    "less_than": (
        {"lt": 1},
        (
            "value_error.number.not_lt",
            "ensure this value is less than 1",
            {"limit_value": 1},
        ),
    ),
    "less_than_equal": (
        {"le": 1},
        (
            "value_error.number.not_le",
            "ensure this value is less than or equal to 1",
            {"limit_value": 1},
        ),
    ),
    "multiple_of": (
        {"multiple_of": 3},
        (
            "value_error.number.not_multiple",
            "ensure this value is a multiple of 3",
            {"multiple_of": 3},
        ),
    ),
    "finite_number": (
        {},
        (
            "value_error.number.not_finite_number",
            "ensure this value is a finite number",
        ),
    ),
    "too_short": (
        {"field_type": "List", "min_length": 2, "actual_length": 1},
        (
            "value_error.list.min_items",
            "ensure this value has at least 2 items",
            {"limit_value": 2},
        ),
    ),
    "too_long": (
        {"field_type": "List", "max_length": 2, "actual_length": 3},
        (
            "value_error.list.max_items",
            "ensure this value has at most 2 items",
            {"limit_value": 2},
        ),
    ),
    "iterable_type": ({}, ITERABLE),
    "iteration_error": ({"error": "why"}, ITERABLE),
    "string_type": ({}, STRING),
    "string_sub_type": ({}, STRING),
    "string_unicode": (
        {},
        ("value_error.unicodedecode", "value is not valid unicode"),
    ),
    "string_not_ascii": ({}, ("value_error.str.ascii", "value is not ASCII text")),
    "string_too_short": ({"min_length": 2}, MIN_LENGTH),
    "string_too_long": ({"max_length": 2}, MAX_LENGTH),
    "string_pattern_mismatch": (
        {"pattern": "^{a}$"},
        (
            "value_error.str.regex",
            'string does not match regex "^{a}$"',
            {"pattern": "^{a}$"},
        ),
    ),
    "enum": (
        {"expected": "'a', 1 or 'b'"},
        (
            "type_error.enum",
            "value is not a valid enumeration member; permitted: 'a', 1, 'b'",
            {"enum_values": ["a", 1, "b"]},
        ),
    ),
    "dict_type": ({}, DICT),
    "frozen_dict_type": ({}, DICT),
    "ordered_dict_type": ({}, DICT),
    "counter_type": ({}, DICT),
    "mapping_type": ({"error": "why"}, DICT),
    "list_type": ({}, ("type_error.list", "value is not a valid list")),
    "deque_type": ({}, ("type_error.sequence", "value is not a valid sequence")),
    "tuple_type": ({}, TUPLE),
    "set_type": ({}, ("type_error.set", "value is not a valid set")),
    "set_item_not_hashable": (
        {},
        ("type_error.hashable", "value is not a valid hashable"),
    ),
    "frozen_set_type": ({}, ("type_error.frozenset", "value is not a valid frozenset")),
    "bool_type": ({}, BOOL),
    "bool_parsing": ({}, BOOL),
    "int_type": ({}, INTEGER),
    "int_parsing": ({}, INTEGER),
    "int_parsing_size": ({}, INTEGER),
    "int_from_float": ({}, INTEGER),
    "float_type": ({}, FLOAT),
    "float_parsing": ({}, FLOAT),
    "bytes_type": ({}, BYTES),
    "bytes_too_short": ({"min_length": 2}, MIN_LENGTH),
    "bytes_too_long": ({"max_length": 2}, MAX_LENGTH),
    "bytes_invalid_encoding": (
        {"encoding": "hex", "encoding_error": "why"},
        ("value_error.bytes", "value is not validly encoded"),
    ),
    "value_error": ({"error": ValueError("too {odd}")}, ("value_error", "too {odd}")),
    "assertion_error": (
        {"error": AssertionError("too {odd}")},
        ("assertion_error", "too {odd}"),
    ),
    "literal_error": (
        {"expected": "'a' or None"},
        (
            "value_error.const",
            "unexpected value; permitted: 'a', None",
            {"permitted": ["a", None]},
        ),
    ),
    "missing_sentinel_error": (
        {},
        ("value_error.const", "unexpected value; permitted: MISSING"),
    ),
    "ellipsis_error": (
        {},
        ("value_error.const", "unexpected value; permitted: Ellipsis"),
    ),
    "date_type": ({}, ("type_error", NEITHER("date"))),
    "date_parsing": ({"error": "why"}, DATE),
    "date_from_datetime_parsing": ({"error": "why"}, DATE),
    "date_from_datetime_inexact": ({}, DATE),
    "date_past": (
        {},
        ("value_error.date.not_in_the_past", "date is not in the past"),
    ),
    "date_future": (
        {},
        ("value_error.date.not_in_the_future", "date is not in the future"),
    ),
    "time_type": ({}, ("type_error", NEITHER("time"))),
    "time_parsing": ({"error": "why"}, ("value_error.time", "invalid time format")),
    "datetime_type": ({}, ("type_error", NEITHER("datetime"))),
    "datetime_parsing": ({"error": "why"}, DATETIME),
    "datetime_object_invalid": ({"error": "why"}, DATETIME),
    "datetime_from_date_parsing": ({"error": "why"}, DATETIME),
    "datetime_past": (
        {},
        ("value_error.datetime.not_in_the_past", "datetime is not in the past"),
    ),
    "datetime_future": (
        {},
        ("value_error.datetime.not_in_the_future", "datetime is not in the future"),
    ),
    "timezone_naive": ({}, ("value_error.timezone.naive", "timezone not permitted")),
    "timezone_aware": (
        {},
        ("value_error.timezone.aware", "timezone required but missing"),
    ),
    "timezone_offset": (
        {"tz_expected": 0, "tz_actual": 3600},
        (
            "value_error.timezone.offset",
            "timezone offset of 0 seconds expected",
            {"required_offset": 0},
        ),
    ),
    "time_delta_type": ({}, ("type_error", NEITHER("timedelta"))),
    "time_delta_parsing": (
        {"error": "why"},
        ("value_error.duration", "invalid duration format"),
    ),
    "is_instance_of": (
        {"class": "Pet"},
        (
            "type_error.arbitrary_type",
            "instance of Pet expected",
            {"expected_arbitrary_type": "Pet"},
        ),
    ),
    "is_subclass_of": (
        {"class": "Pet"},
        ("type_error.subclass", "subclass of Pet expected", {"expected_class": "Pet"}),
    ),
    "callable_type": ({}, ("type_error.callable", "value is not callable")),
    "union_tag_invalid": (
        {"discriminator": "'kind'", "tag": SECRET, "expected_tags": "'a', 'b'"},
        (
            "value_error.discriminated_union.invalid_discriminator",
            "No match for discriminator 'kind' (allowed values: 'a', 'b')",
            {"discriminator_key": "kind", "allowed_values": "'a', 'b'"},
        ),
    ),
    "union_tag_not_found": (
        {"discriminator": "'kind'"},
        (
            "value_error.discriminated_union.missing_discriminator",
            "Discriminator 'kind' is missing in value",
            {"discriminator_key": "kind"},
        ),
    ),
    "arguments_type": ({}, TUPLE),
    "missing_argument": ({}, MISSING),
    "unexpected_keyword_argument": ({}, EXTRA),
    "missing_keyword_only_argument": ({}, MISSING),
    "unexpected_positional_argument": ({}, EXTRA),
    "missing_positional_only_argument": ({}, MISSING),
    "multiple_argument_values": ({}, ("type_error", "field given more than once")),
    "url_type": ({}, STRING),
    "url_parsing": (
        {"error": "empty host"},
        ("value_error.url.host", "URL host invalid"),
    ),
    "url_syntax_violation": (
        {"error": "why"},
        (
            "value_error.url.extra",
            "URL invalid, extra characters found after valid URL",
        ),
    ),
    "url_too_long": ({"max_length": 2}, MAX_LENGTH),
    "url_scheme": (
        {"expected_schemes": "'http' or 'https'"},
        (
            "value_error.url.scheme",
            "URL scheme not permitted",
            {"allowed_schemes": ["http", "https"]},
        ),
    ),
    "uuid_type": ({}, UUID),
    "uuid_parsing": ({"error": "why"}, UUID),
    "uuid_version": (
        {"expected_version": 4},
        (
            "value_error.uuid.version",
            "uuid version 4 expected",
            {"required_version": 4},
        ),
    ),
    "decimal_type": ({}, DECIMAL),
    "decimal_parsing": ({}, DECIMAL),
    "decimal_max_digits": (
        {"max_digits": 3},
        (
            "value_error.decimal.max_digits",
            "ensure that there are no more than 3 digits in total",
            {"max_digits": 3},
        ),
    ),
    "decimal_max_places": (
        {"decimal_places": 1},
        (
            "value_error.decimal.max_places",
            "ensure that there are no more than 1 decimal places",
            {"decimal_places": 1},
        ),
    ),
    "decimal_whole_digits": (
        {"whole_digits": 2},
        (
            "value_error.decimal.whole_digits",
            "ensure that there are no more than 2 digits before the decimal point",
            {"whole_digits": 2},
        ),
    ),
    "fraction_type": ({}, FRACTION),
    "fraction_parsing": ({}, FRACTION),
    "complex_type": ({}, COMPLEX),
    "complex_str_parsing": ({}, COMPLEX),
}


@pytest.mark.parametrize("kind", t.get_args(core_schema.ErrorType))
def test_every_error_type_of_pydantic_2_has_words_of_pydantic_1(kind):
    ctx, expected = EXAMPLES[kind]
    assert answer_of(raised(PydanticKnownError(kind, ctx or None))) == expected


# ---- errors whose type alone does not tell the row, and Pydantic's own beside the list


class Level(enum.IntEnum):
    LOW = 1
    HIGH = -2


class Word(enum.Enum):
    PLAIN = "a"
    ODD = "it's, or"
    QUOTES = "'\""
    PAIR = (1, 2)


def sized(name, bound, words):
    """What Pydantic 1 says of a container with too few or too many items."""
    return (
        f"value_error.{name}.{bound}_items",
        f"ensure this value has at {words} 2 items",
        {"limit_value": 2},
    )


FEW = Field(min_length=2)
MANY = Field(max_length=2)
URL_EXTRA = EXAMPLES["url_syntax_violation"][1]
URL_HOST = EXAMPLES["url_parsing"][1]
WORDS = ", ".join(repr(word.value) for word in Word)
SEQUENCE = ("type_error.sequence", "value is not a valid sequence")

BY_CONTEXT = {
    "few-list": (t.Annotated[list[int], FEW], [1], sized("list", "min", "least")),
    "few-set": (t.Annotated[set[int], FEW], [1], sized("set", "min", "least")),
    "few-frozenset": (
        t.Annotated[frozenset[int], FEW],
        [1],
        sized("frozenset", "min", "least"),
    ),
    "few-dict": (t.Annotated[dict[str, int], FEW], {}, sized("dict", "min", "least")),
    "few-tuple": (
        t.Annotated[tuple[int, ...], FEW],
        [1],
        sized("tuple", "min", "least"),
    ),
    "many-list": (
        t.Annotated[list[int], MANY],
        [1, 2, 3],
        sized("list", "max", "most"),
    ),
    "many-set": (t.Annotated[set[int], MANY], [1, 2, 3], sized("set", "max", "most")),
    "many-tuple": (
        tuple[int, int],
        [1, 2, 3],
        (
            "value_error.tuple.length",
            "wrong tuple length 3, expected 2",
            {"actual_length": 3, "expected_length": 2},
        ),
    ),
    "short-secret": (t.Annotated[pydantic.SecretStr, FEW], "a", MIN_LENGTH),
    "long-secret": (t.Annotated[pydantic.SecretStr, MANY], "abc", MAX_LENGTH),
    "whole-limit-of-float": (
        t.Annotated[float, Field(gt=0)],
        0,
        (
            "value_error.number.not_gt",
            "ensure this value is greater than 0",
            {"limit_value": 0},
        ),
    ),
    "limit-of-float": (
        t.Annotated[float, Field(le=0.5)],
        1,
        (
            "value_error.number.not_le",
            "ensure this value is less than or equal to 0.5",
            {"limit_value": 0.5},
        ),
    ),
    "limit-of-decimal": (
        t.Annotated[Decimal, Field(ge=Decimal("1.50"))],
        1,
        (
            "value_error.number.not_ge",
            "ensure this value is greater than or equal to 1.50",
            {"limit_value": 1.5},
        ),
    ),
    "whole-limit-of-decimal": (
        t.Annotated[Decimal, Field(lt=Decimal("1E+2"))],
        100,
        (
            "value_error.number.not_lt",
            "ensure this value is less than 1E+2",
            {"limit_value": 100},
        ),
    ),
    "limit-of-date": (
        t.Annotated[datetime.date, Field(lt=datetime.date(2000, 1, 1))],
        "2000-01-01",
        (
            "value_error.number.not_lt",
            "ensure this value is less than 2000-01-01",
            {"limit_value": "2000-01-01"},
        ),
    ),
    "enum-of-integers": (
        Level,
        3,
        (
            "type_error.enum",
            "value is not a valid enumeration member; permitted: 1, -2",
            {"enum_values": [1, -2]},
        ),
    ),
    "enum-of-odd-values": (
        Word,
        SECRET,
        (
            "type_error.enum",
            f"value is not a valid enumeration member; permitted: {WORDS}",
            {"enum_values": ["a", "it's, or", "'\"", (1, 2)]},
        ),
    ),
    "literal-of-one": (
        t.Literal["a"],
        SECRET,
        ("value_error.const", "unexpected value; permitted: 'a'", {"permitted": ["a"]}),
    ),
    "literal-of-members": (
        t.Literal[Word.PLAIN, Level.HIGH],
        SECRET,
        (
            "value_error.const",
            "unexpected value; permitted: <Word.PLAIN: 'a'>, <Level.HIGH: -2>",
            {"permitted": ["a", -2]},
        ),
    ),
    "discriminator": (
        t.Annotated[Cat | Dog, Field(discriminator="kind")],
        {"kind": SECRET},
        (
            "value_error.discriminated_union.invalid_discriminator",
            "No match for discriminator 'kind' (allowed values: 'cat', 'dog')",
            {"discriminator_key": "kind", "allowed_values": "'cat', 'dog'"},
        ),
    ),
    "url-empty": (
        pydantic.AnyUrl,
        "",
        (
            "value_error.any_str.min_length",
            "ensure this value has at least 1 characters",
            {"limit_value": 1},
        ),
    ),
    "url-scheme": (
        pydantic.AnyUrl,
        SECRET,
        ("value_error.url.scheme", "invalid or missing URL scheme"),
    ),
    "url-port": (
        pydantic.AnyUrl,
        f"http://{SECRET}:99999",
        ("value_error.url.port", "URL port invalid, port cannot exceed 65535"),
    ),
    "url-address": (pydantic.AnyUrl, f"http://1.2.3.999/{SECRET}", URL_HOST),
    "url-host": (pydantic.AnyUrl, f"http://a {SECRET}", URL_EXTRA),
    "sequence-of-text": (t.Sequence[int], SECRET, SEQUENCE),
    "sequence-of-number": (t.Sequence[int], 5, SEQUENCE),
    "enum-class": (
        enum.Enum,
        SECRET,
        ("type_error.enum_instance", "value is not a valid Enum instance"),
    ),
    "int-enum-class": (
        enum.IntEnum,
        SECRET,
        ("type_error.int_enum_instance", "value is not a valid IntEnum instance"),
    ),
    "class": (type, SECRET, ("type_error.class", "a class is expected")),
    "hashable": (
        t.Hashable,
        [],
        ("type_error.hashable", "value is not a valid hashable"),
    ),
    "import": (
        pydantic.ImportString,
        SECRET,
        (
            "type_error.pyobject",
            "ensure this value contains valid import path or valid callable",
        ),
    ),
    "byte-size": (
        pydantic.ByteSize,
        SECRET,
        (
            "value_error.invalidbytesize",
            "could not parse value and unit from byte string",
        ),
    ),
    "byte-unit": (
        pydantic.ByteSize,
        "9 secret",
        ("value_error.invalidbytesizeunit", "could not interpret byte unit"),
    ),
    "path": (pathlib.Path, 5, ("type_error.path", "value is not a valid path")),
    "path-file": (
        pydantic.FilePath,
        f"/{SECRET}",
        ("value_error.path.not_a_file", "path does not point to a file"),
    ),
    "path-directory": (
        pydantic.DirectoryPath,
        f"/{SECRET}",
        ("value_error.path.not_a_directory", "path does not point to a directory"),
    ),
    "path-socket": (
        pydantic.SocketPath,
        f"/{SECRET}",
        ("value_error.path.not_a_socket", "path does not point to a socket"),
    ),
    "path-new": (
        pydantic.NewPath,
        "/",
        ("value_error.path.exists", "path exists already"),
    ),
    "path-new-nowhere": (
        pydantic.NewPath,
        f"/{SECRET}/a",
        ("value_error.path.not_exists", "directory of path does not exist"),
    ),
    "pattern": (
        t.Pattern[str],
        f"({SECRET}",
        ("value_error.regex_pattern", "Invalid regular expression"),
    ),
    "pattern-of-number": (t.Pattern[str], 5, STRING),
    "pattern-of-bytes": (t.Pattern[bytes], SECRET, STRING),
    "base64": (
        pydantic.Base64Str,
        SECRET,
        ("value_error.base64", "value is not valid base64"),
    ),
    "timezone": (
        zoneinfo.ZoneInfo,
        SECRET,
        ("value_error.zoneinfo", "value is not a valid timezone"),
    ),
    "any-address": (
        pydantic.IPvAnyAddress,
        SECRET,
        (
            "value_error.ipvanyaddress",
            "value is not a valid IPv4 or IPv6 address",
        ),
    ),
    "ipv6-network": (
        ipaddress.IPv6Network,
        SECRET,
        ("value_error.ipv6network", "value is not a valid IPv6 network"),
    ),
}


@pytest.mark.parametrize(
    ("annotation", "value", "expected"), BY_CONTEXT.values(), ids=BY_CONTEXT
)
def test_the_context_decides_between_the_words_of_pydantic_1(
    annotation, value, expected
):
    (entry,) = entries_of(annotation, value)
    assert answer_of(entry) == expected


def test_json_can_hold_no_class():
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(type[int]).validate_json(f'"{SECRET}"')
    (entry,) = refusal.value.errors(include_url=False, include_input=False)
    assert answer_of(entry) == ("type_error.class", "a class is expected")


CARD = "value_error.payment_card_number"
CUSTOM = {
    "email": (
        (
            "value_error",
            "value is not a valid email address: {reason}",
            {"reason": "x"},
        ),
        ("value_error.email", "value is not a valid email address"),
    ),
    "name and email": (("name_email_type", "Input is not a valid NameEmail"), STRING),
    "color": (
        (
            "color_error",
            "value is not a valid color: values must be in the range 0 to {max_val}",
            {"max_val": 255},
        ),
        (
            "value_error.color",
            "value is not a valid color: values must be in the range 0 to 255",
            {"reason": "values must be in the range 0 to 255"},
        ),
    ),
    "card digits": (
        ("payment_card_number_digits", "Card number is not all digits"),
        (f"{CARD}.digits", "card number is not all digits"),
    ),
    "card check": (
        ("payment_card_number_luhn", "Card number is not luhn valid"),
        (f"{CARD}.luhn_check", "card number is not luhn valid"),
    ),
    "card brand": (
        (
            "payment_card_number_brand",
            "Length for a {brand} card must be {required_length}",
            {"brand": "Visa", "required_length": "13, 16 or 19"},
        ),
        (
            f"{CARD}.invalid_length_for_brand",
            "Length for a Visa card must be 13, 16 or 19",
            {"brand": "Visa", "required_length": "13, 16 or 19"},
        ),
    ),
}


@pytest.mark.parametrize(("raises", "expected"), CUSTOM.values(), ids=CUSTOM)
def test_types_that_need_another_package_have_words_of_pydantic_1(raises, expected):
    assert answer_of(raised(PydanticCustomError(*raises))) == expected


# ---- errors that an author raises


class TooSmallError(ValueError):
    pass


class Coded(ValueError):
    code = "by_code"


class Numbered(ValueError):
    code = 7


BY_AUTHOR = {
    "value": (ValueError("no {braces}"), ("value_error", "no {braces}")),
    "value-without-words": (ValueError(), ("value_error", "")),
    "value-prefixed": (
        ValueError("Value error, again"),
        ("value_error", "Value error, again"),
    ),
    "assertion": (AssertionError("must not"), ("assertion_error", "must not")),
    "subclass": (TooSmallError("too small"), ("value_error.toosmall", "too small")),
    "subclass-with-code": (Coded("coded"), ("value_error.by_code", "coded")),
    "subclass-with-number": (Numbered("seven"), ("value_error.numbered", "seven")),
    "custom": (
        PydanticCustomError("not_a_bar", "not {bar}", {"bar": "b"}),
        ("value_error.not_a_bar", "not b", {"bar": "b"}),
    ),
    "custom-without-context": (
        PydanticCustomError("not_a_bar", "no bar"),
        ("value_error.not_a_bar", "no bar"),
    ),
    "custom-of-pydantic-1": (
        PydanticCustomError("type_error.bar", "no bar"),
        ("type_error.bar", "no bar"),
    ),
    "custom-value-error": (
        PydanticCustomError("value_error", "no bar"),
        ("value_error", "no bar"),
    ),
    # Under a name of Pydantic's, but without what Pydantic would say under it.
    "custom-homonym": (
        PydanticCustomError("too_short", "not a bar yet"),
        ("value_error.too_short", "not a bar yet"),
    ),
}


@pytest.mark.parametrize(("error", "expected"), BY_AUTHOR.values(), ids=BY_AUTHOR)
def test_an_author_is_quoted(error, expected):
    assert answer_of(raised(error)) == expected


def test_an_exception_that_is_only_text_by_now_keeps_its_words():
    entry = {
        "loc": ["query", "n"],
        "msg": "Value error, too small",
        "type": "value_error",
        "ctx": {"error": "too small"},
    }
    assert to_pydantic1(entry) == {
        "loc": ["query", "n"],
        "msg": "too small",
        "type": "value_error",
    }


# ---- the value that was sent

NULL = ("type_error.none.not_allowed", "none is not an allowed value")


@pytest.mark.parametrize(
    "annotation",
    [
        int,
        str,
        bool,
        bytes,
        Decimal,
        datetime.date,
        uuid.UUID,
        list[int],
        dict[str, int],
        tuple[int, int],
        t.Sequence[int],
        t.Literal["a"],
        Word,
        Cat,
        pathlib.Path,
        pydantic.AnyUrl,
        pydantic.ByteSize,
        t.Pattern[str],
        ipaddress.IPv4Address,
    ],
)
def test_a_null_is_reported_from_another_wrong_type(annotation):
    (entry,) = entries_of(annotation, None, with_input=True)
    assert answer_of(entry) == NULL


class Closed(BaseModel, extra="forbid"):
    size: int


def test_a_key_that_is_too_many_is_so_with_a_null_too():
    (entry,) = entries_of(Closed, {"size": 1, "note": None}, with_input=True)
    assert answer_of(entry) == EXTRA


@pytest.mark.parametrize("kind", ["missing", "json_invalid", "string_unicode"])
def test_an_error_of_a_whole_body_is_no_null(kind):
    ctx, expected = EXAMPLES[kind]
    entry = raised(PydanticKnownError(kind, ctx or None))
    assert answer_of({**entry, "input": None}) == expected


def test_a_null_that_the_author_refused_is_refused_in_the_words_of_the_author():
    def refuse(value):
        raise ValueError("say something")

    annotation = t.Annotated[t.Any, pydantic.AfterValidator(refuse)]
    (entry,) = entries_of(annotation, None, with_input=True)
    assert answer_of(entry) == ("value_error", "say something")


@pytest.mark.parametrize("value", ["yes", 1], ids=["text", "number"])
def test_a_strict_boolean_is_reported_from_another(value):
    (entry,) = entries_of(pydantic.StrictBool, value, with_input=True)
    assert answer_of(entry) == (
        "value_error.strictbool",
        "value is not a valid boolean",
    )


def test_a_length_is_one_of_items_where_a_list_was_sent():
    annotation = t.Annotated[t.Sequence[int], FEW]
    (entry,) = entries_of(annotation, [1], with_input=True)
    assert answer_of(entry) == sized("list", "min", "least")


def test_a_length_is_one_of_characters_where_a_text_was_sent():
    annotation = t.Annotated[pydantic.SecretStr, FEW]
    (entry,) = entries_of(annotation, "a", with_input=True)
    assert answer_of(entry) == MIN_LENGTH


SENT = [case for case in BY_CONTEXT.values() if SECRET in str(case[1])]


@pytest.mark.parametrize("case", SENT, ids=lambda case: str(case[0]))
def test_what_was_sent_is_never_returned(case):
    annotation, value, _ = case
    (entry,) = entries_of(annotation, value, with_input=True)
    assert SECRET not in str(to_pydantic1(entry))


# ---- enumerations


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        ("'a'", ["a"]),
        ("'a' or 'b'", ["a", "b"]),
        ("'a', 'b' or 'c'", ["a", "b", "c"]),
        ("'a or b', 'c, d' or \"it's\"", ["a or b", "c, d", "it's"]),
        ("1, -2, 1.5, True or None", [1, -2, 1.5, True, None]),
        (r"'\n' or '\\'", ["\n", "\\"]),
        ("'é' or b'a'", ["é", b"a"]),
        ("(1, 2) or (3, 4)", [(1, 2), (3, 4)]),
        ("<Word.PLAIN: 'a'>", ["a"]),
        ("<Pet object at 0x7f>", ["<Pet object at 0x7f>"]),
        ("", []),
        ("'a', 'b', 'c", ["a", "b", "'c"]),  # cut off
    ],
)
def test_an_enumeration_is_read_item_by_item(expected, values):
    entry = {"loc": [], "msg": "", "type": "enum", "ctx": {"expected": expected}}
    assert to_pydantic1(entry)["ctx"] == {"enum_values": values}


def test_a_long_enumeration_takes_no_longer_than_its_length():
    entry = {"loc": [], "msg": "", "type": "enum", "ctx": {"expected": "'a" * 20_000}}
    assert to_pydantic1(entry)["type"] == "type_error.enum"
