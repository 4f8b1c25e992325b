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
from pydantic import Field, TypeAdapter, ValidationError
from pydantic1.declarations import Closed, Coded, Level, TooSmallError
from pydantic_core import PydanticCustomError, PydanticKnownError, core_schema

from flask_signature._errors.pydantic1 import to_pydantic1

SECRET = "s3cr3t"

#: What Pydantic 1 says: a type, a message, and a context if there is one.
Said: t.TypeAlias = "tuple[t.Any, ...]"


def entry_of(annotation, value, *, with_input=False):
    """Pydantic 2's entry for a value that does not fit."""
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(annotation).validate_python(value)
    (entry,) = refusal.value.errors(include_url=False, include_input=with_input)
    return entry


def raised(error):
    """Pydantic 2's entry for what a validator raises."""

    def refuse(value):
        raise error

    return entry_of(t.Annotated[t.Any, pydantic.BeforeValidator(refuse)], SECRET)


def answer_of(entry) -> Said:
    answer = to_pydantic1(entry)
    assert answer["loc"] == entry["loc"]
    assert set(answer) <= {"loc", "msg", "type", "ctx"}
    context = [answer["ctx"]] if "ctx" in answer else []
    return (answer["type"], answer["msg"], *context)


def each(kinds: str, said: Said) -> dict[str, Said]:
    """The same for several error types of Pydantic 2."""
    return dict.fromkeys(kinds.split(), said)


def limit(kind: str, words: str, value: t.Any = 1) -> Said:
    ctx = {"limit_value": value}
    return f"value_error.number.{kind}", f"ensure this value is {words}", ctx


def sized(kind: str, words: str, value: int = 2) -> Said:
    ctx = {"limit_value": value}
    return f"value_error.{kind}", f"ensure this value has {words}", ctx


def enum_of(words: str, *values: t.Any) -> Said:
    message = f"value is not a valid enumeration member; permitted: {words}"
    return "type_error.enum", message, {"enum_values": [*values]}


def constant(words: str, *values: t.Any) -> Said:
    context = [{"permitted": [*values]}] if values else []
    return ("value_error.const", f"unexpected value; permitted: {words}", *context)


def discriminator(tags: str) -> Said:
    return (
        "value_error.discriminated_union.invalid_discriminator",
        f"No match for discriminator 'kind' (allowed values: {tags})",
        {"discriminator_key": "kind", "allowed_values": tags},
    )


def not_a(kind: str, words: str | None = None) -> Said:
    return f"type_error.{kind}", f"value is not a valid {words or kind}"


def value_error(kind: str, words: str, **ctx: t.Any) -> Said:
    return (f"value_error.{kind}", words, *([ctx] if ctx else []))


def type_error(kind: str, words: str, **ctx: t.Any) -> Said:
    return (f"type_error.{kind}", words, *([ctx] if ctx else []))


def neither(kind: str) -> Said:
    return "type_error", f"invalid type; expected {kind}, string, bytes, int or float"


CLASS = ("type_error.class", "a class is expected")
EXTRA = value_error("extra", "extra fields not permitted")
HASHABLE = not_a("hashable")
IMMUTABLE = ("type_error", "value is immutable")
MIN_LENGTH = sized("any_str.min_length", "at least 2 characters")
MAX_LENGTH = sized("any_str.max_length", "at most 2 characters")
SEQUENCE = not_a("sequence")
STRING = ("type_error.str", "str type expected")
TUPLE = not_a("tuple")
URL_EXTRA = value_error(
    "url.extra", "URL invalid, extra characters found after valid URL"
)
URL_HOST = value_error("url.host", "URL host invalid")

#: The context of an error of Pydantic 2, where it has to have one.
CONTEXTS: dict[str, dict[str, t.Any]] = {
    "no_such_attribute": {"attribute": "a"},
    "needs_python_object": {"method_name": "isinstance"},
    "model_type": {"class_name": "Pet"},
    "dataclass_type": {"class_name": "Pet"},
    "dataclass_exact_type": {"class_name": "Pet"},
    "named_tuple_type": {"class_name": "Pet"},
    "greater_than": {"gt": 1},
    "greater_than_equal": {"ge": 1},
    "less_than": {"lt": 1},
    "less_than_equal": {"le": 1},
    "multiple_of": {"multiple_of": 3},
    "too_short": {"field_type": "List", "min_length": 2, "actual_length": 1},
    "too_long": {"field_type": "List", "max_length": 2, "actual_length": 3},
    "string_too_short": {"min_length": 2},
    "string_too_long": {"max_length": 2},
    "string_pattern_mismatch": {"pattern": "^{a}$"},
    "enum": {"expected": "'a', 1 or 'b'"},
    "bytes_too_short": {"min_length": 2},
    "bytes_too_long": {"max_length": 2},
    "bytes_invalid_encoding": {"encoding": "hex", "encoding_error": "why"},
    "value_error": {"error": ValueError("too {odd}")},
    "assertion_error": {"error": AssertionError("too {odd}")},
    "literal_error": {"expected": "'a' or None"},
    "timezone_offset": {"tz_expected": 0, "tz_actual": 3600},
    "is_instance_of": {"class": "Pet"},
    "is_subclass_of": {"class": "Pet"},
    "union_tag_invalid": {
        "discriminator": "'kind'",
        "tag": SECRET,
        "expected_tags": "'a', 'b'",
    },
    "union_tag_not_found": {"discriminator": "'kind'"},
    "url_parsing": {"error": "empty host"},
    "url_too_long": {"max_length": 2},
    "url_scheme": {"expected_schemes": "'http' or 'https'"},
    "uuid_version": {"expected_version": 4},
    "decimal_max_digits": {"max_digits": 3},
    "decimal_max_places": {"decimal_places": 1},
    "decimal_whole_digits": {"whole_digits": 2},
}
#: The context of those that say why in their own words.
WHY = {"error": "why"}
SAYING_WHY = {
    *("json_invalid", "get_attribute_error", "iteration_error", "mapping_type"),
    *("date_parsing", "date_from_datetime_parsing", "time_parsing"),
    *("datetime_parsing", "datetime_object_invalid", "datetime_from_date_parsing"),
    *("time_delta_parsing", "url_syntax_violation", "uuid_parsing"),
}

SAID: dict[str, Said] = {
    **each("no_such_attribute extra_forbidden unexpected_keyword_argument", EXTRA),
    "unexpected_positional_argument": EXTRA,
    "json_invalid": value_error("json", "Invalid JSON"),
    "json_type": ("type_error.json", "JSON object must be str, bytes or bytearray"),
    "needs_python_object": type_error(
        "arbitrary_type", "instance of a Python class expected"
    ),
    "recursion_loop": value_error("recursion", "value contains itself"),
    "recursion_depth_exceeded": value_error("recursion", "value is nested too deeply"),
    **each(
        "missing missing_argument missing_keyword_only_argument"
        " missing_positional_only_argument",
        value_error("missing", "field required"),
    ),
    **each("frozen_field frozen_instance", IMMUTABLE),
    "get_attribute_error": value_error("attribute", "attribute could not be read"),
    **each(
        "model_type model_attributes_type dict_type frozen_dict_type ordered_dict_type"
        " counter_type mapping_type",
        not_a("dict"),
    ),
    **each(
        "dataclass_type dataclass_exact_type",
        type_error(
            "dataclass", "instance of Pet, tuple or dict expected", class_name="Pet"
        ),
    ),
    **each("named_tuple_type tuple_type arguments_type", TUPLE),
    "default_factory_not_called": value_error(
        "default", "default depends on a value that is not valid"
    ),
    "none_required": ("type_error.not_none", "value is not None"),
    "greater_than": limit("not_gt", "greater than 1"),
    "greater_than_equal": limit("not_ge", "greater than or equal to 1"),
    "less_than": limit("not_lt", "less than 1"),
    "less_than_equal": limit("not_le", "less than or equal to 1"),
    "multiple_of": value_error(
        "number.not_multiple", "ensure this value is a multiple of 3", multiple_of=3
    ),
    "finite_number": value_error(
        "number.not_finite_number", "ensure this value is a finite number"
    ),
    "too_short": sized("list.min_items", "at least 2 items"),
    "too_long": sized("list.max_items", "at most 2 items"),
    **each("iterable_type iteration_error", not_a("iterable")),
    **each("invalid_key string_type string_sub_type url_type", STRING),
    "string_unicode": value_error("unicodedecode", "value is not valid unicode"),
    "string_not_ascii": value_error("str.ascii", "value is not ASCII text"),
    **each("string_too_short bytes_too_short", MIN_LENGTH),
    **each("string_too_long bytes_too_long url_too_long", MAX_LENGTH),
    "string_pattern_mismatch": (
        "value_error.str.regex",
        'string does not match regex "^{a}$"',
        {"pattern": "^{a}$"},
    ),
    "enum": enum_of("'a', 1, 'b'", "a", 1, "b"),
    "list_type": not_a("list"),
    "deque_type": SEQUENCE,
    "set_type": not_a("set"),
    "set_item_not_hashable": HASHABLE,
    "frozen_set_type": not_a("frozenset"),
    **each(
        "bool_type bool_parsing",
        ("type_error.bool", "value could not be parsed to a boolean"),
    ),
    **each("int_type int_parsing int_parsing_size int_from_float", not_a("integer")),
    **each("float_type float_parsing", not_a("float")),
    "bytes_type": ("type_error.bytes", "byte type expected"),
    "bytes_invalid_encoding": value_error("bytes", "value is not validly encoded"),
    "value_error": ("value_error", "too {odd}"),
    "assertion_error": ("assertion_error", "too {odd}"),
    "literal_error": constant("'a', None", "a", None),
    "missing_sentinel_error": constant("MISSING"),
    "ellipsis_error": constant("Ellipsis"),
    "date_type": neither("date"),
    **each(
        "date_parsing date_from_datetime_parsing date_from_datetime_inexact",
        value_error("date", "invalid date format"),
    ),
    "date_past": value_error("date.not_in_the_past", "date is not in the past"),
    "date_future": value_error("date.not_in_the_future", "date is not in the future"),
    "time_type": neither("time"),
    "time_parsing": value_error("time", "invalid time format"),
    "datetime_type": neither("datetime"),
    **each(
        "datetime_parsing datetime_object_invalid datetime_from_date_parsing",
        value_error("datetime", "invalid datetime format"),
    ),
    "datetime_past": value_error(
        "datetime.not_in_the_past", "datetime is not in the past"
    ),
    "datetime_future": value_error(
        "datetime.not_in_the_future", "datetime is not in the future"
    ),
    "timezone_naive": value_error("timezone.naive", "timezone not permitted"),
    "timezone_aware": value_error("timezone.aware", "timezone required but missing"),
    "timezone_offset": value_error(
        "timezone.offset", "timezone offset of 0 seconds expected", required_offset=0
    ),
    "time_delta_type": neither("timedelta"),
    "time_delta_parsing": value_error("duration", "invalid duration format"),
    "is_instance_of": type_error(
        "arbitrary_type", "instance of Pet expected", expected_arbitrary_type="Pet"
    ),
    "is_subclass_of": type_error(
        "subclass", "subclass of Pet expected", expected_class="Pet"
    ),
    "callable_type": ("type_error.callable", "value is not callable"),
    "union_tag_invalid": discriminator("'a', 'b'"),
    "union_tag_not_found": value_error(
        "discriminated_union.missing_discriminator",
        "Discriminator 'kind' is missing in value",
        discriminator_key="kind",
    ),
    "multiple_argument_values": ("type_error", "field given more than once"),
    "url_parsing": URL_HOST,
    "url_syntax_violation": URL_EXTRA,
    "url_scheme": value_error(
        "url.scheme", "URL scheme not permitted", allowed_schemes=["http", "https"]
    ),
    **each("uuid_type uuid_parsing", not_a("uuid")),
    "uuid_version": value_error(
        "uuid.version", "uuid version 4 expected", required_version=4
    ),
    **each("decimal_type decimal_parsing", not_a("decimal")),
    "decimal_max_digits": value_error(
        "decimal.max_digits",
        "ensure that there are no more than 3 digits in total",
        max_digits=3,
    ),
    "decimal_max_places": value_error(
        "decimal.max_places",
        "ensure that there are no more than 1 decimal places",
        decimal_places=1,
    ),
    "decimal_whole_digits": value_error(
        "decimal.whole_digits",
        "ensure that there are no more than 2 digits before the decimal point",
        whole_digits=2,
    ),
    **each("fraction_type fraction_parsing", not_a("fraction")),
    **each("complex_type complex_str_parsing", not_a("complex")),
}


def known(kind: t.Any) -> t.Any:
    """An entry of Pydantic 2 of an error type."""
    context = CONTEXTS.get(kind, WHY if kind in SAYING_WHY else None)
    return raised(PydanticKnownError(kind, context))


@pytest.mark.parametrize("kind", t.get_args(core_schema.ErrorType))
def test_every_error_type_of_pydantic_2_has_words_of_pydantic_1(kind):
    assert answer_of(known(kind)) == SAID[kind]


# ---- errors whose type alone does not tell the row, and Pydantic's own beside the list


class Word(enum.Enum):
    PLAIN = "a"
    ODD = "it's, or"
    QUOTES = "'\""
    PAIR = (1, 2)


FEW = Field(min_length=2)
MANY = Field(max_length=2)
WORDS = ", ".join(repr(word.value) for word in Word)
MEMBERS = "<Word.PLAIN: 'a'>, <Level.HIGH: -2>"
#: A date that is not before this one.
NEW_YEAR = datetime.date(2000, 1, 1)

BY_CONTEXT: list[tuple[t.Any, t.Any, Said]] = [
    *(
        (t.Annotated[tp, FEW], value, sized(f"{name}.min_items", "at least 2 items"))
        for name, tp, value in [
            ("list", list[int], [1]),
            ("set", set[int], [1]),
            ("frozenset", frozenset[int], [1]),
            ("dict", dict[str, int], {}),
            ("tuple", tuple[int, ...], [1]),
        ]
    ),
    *(
        (
            t.Annotated[tp, MANY],
            [1, 2, 3],
            sized(f"{name}.max_items", "at most 2 items"),
        )
        for name, tp in [("list", list[int]), ("set", set[int])]
    ),
    (
        tuple[int, int],
        [1, 2, 3],
        value_error(
            "tuple.length",
            "wrong tuple length 3, expected 2",
            actual_length=3,
            expected_length=2,
        ),
    ),
    (t.Annotated[pydantic.SecretStr, FEW], "a", MIN_LENGTH),
    (t.Annotated[pydantic.SecretStr, MANY], "abc", MAX_LENGTH),
    (t.Annotated[float, Field(gt=0)], 0, limit("not_gt", "greater than 0", 0)),
    (
        t.Annotated[float, Field(le=0.5)],
        1,
        limit("not_le", "less than or equal to 0.5", 0.5),
    ),
    (
        t.Annotated[Decimal, Field(ge=Decimal("1.50"))],
        1,
        limit("not_ge", "greater than or equal to 1.50", 1.5),
    ),
    (
        t.Annotated[Decimal, Field(lt=Decimal("1E+2"))],
        100,
        limit("not_lt", "less than 1E+2", 100),
    ),
    (
        t.Annotated[datetime.date, Field(lt=NEW_YEAR)],
        "2000-01-01",
        limit("not_lt", "less than 2000-01-01", "2000-01-01"),
    ),
    (Level, 3, enum_of("1, -2", 1, -2)),
    (Word, SECRET, enum_of(WORDS, "a", "it's, or", "'\"", (1, 2))),
    (t.Literal["a"], SECRET, constant("'a'", "a")),
    (t.Literal[Word.PLAIN, Level.HIGH], SECRET, constant(MEMBERS, "a", -2)),
    (
        t.Annotated[Cat | Dog, Field(discriminator="kind")],
        {"kind": SECRET},
        discriminator("'cat', 'dog'"),
    ),
    (pydantic.AnyUrl, "", sized("any_str.min_length", "at least 1 characters", 1)),
    (
        pydantic.AnyUrl,
        SECRET,
        value_error("url.scheme", "invalid or missing URL scheme"),
    ),
    (
        pydantic.AnyUrl,
        f"http://{SECRET}:99999",
        value_error("url.port", "URL port invalid, port cannot exceed 65535"),
    ),
    (pydantic.AnyUrl, f"http://1.2.3.999/{SECRET}", URL_HOST),
    (pydantic.AnyUrl, f"http://a {SECRET}", URL_EXTRA),
    (t.Sequence[int], SECRET, SEQUENCE),
    (t.Sequence[int], 5, SEQUENCE),
    (enum.Enum, SECRET, not_a("enum_instance", "Enum instance")),
    (enum.IntEnum, SECRET, not_a("int_enum_instance", "IntEnum instance")),
    (type, SECRET, CLASS),
    (t.Hashable, [], HASHABLE),
    (
        pydantic.ImportString,
        SECRET,
        type_error(
            "pyobject", "ensure this value contains valid import path or valid callable"
        ),
    ),
    (
        pydantic.ByteSize,
        SECRET,
        value_error(
            "invalidbytesize", "could not parse value and unit from byte string"
        ),
    ),
    (
        pydantic.ByteSize,
        "9 secret",
        value_error("invalidbytesizeunit", "could not interpret byte unit"),
    ),
    (pathlib.Path, 5, not_a("path")),
    (
        pydantic.FilePath,
        f"/{SECRET}",
        value_error("path.not_a_file", "path does not point to a file"),
    ),
    (
        pydantic.DirectoryPath,
        f"/{SECRET}",
        value_error("path.not_a_directory", "path does not point to a directory"),
    ),
    (
        pydantic.SocketPath,
        f"/{SECRET}",
        value_error("path.not_a_socket", "path does not point to a socket"),
    ),
    (pydantic.NewPath, "/", value_error("path.exists", "path exists already")),
    (
        pydantic.NewPath,
        f"/{SECRET}/a",
        value_error("path.not_exists", "directory of path does not exist"),
    ),
    (
        t.Pattern[str],
        f"({SECRET}",
        value_error("regex_pattern", "Invalid regular expression"),
    ),
    (t.Pattern[str], 5, STRING),
    (t.Pattern[bytes], SECRET, STRING),
    (pydantic.Base64Str, SECRET, value_error("base64", "value is not valid base64")),
    (
        zoneinfo.ZoneInfo,
        SECRET,
        value_error("zoneinfo", "value is not a valid timezone"),
    ),
    (
        pydantic.IPvAnyAddress,
        SECRET,
        value_error("ipvanyaddress", "value is not a valid IPv4 or IPv6 address"),
    ),
    (
        ipaddress.IPv6Network,
        SECRET,
        value_error("ipv6network", "value is not a valid IPv6 network"),
    ),
]


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    BY_CONTEXT,
    ids=[row[2][0] for row in BY_CONTEXT],
)
def test_the_context_decides_between_the_words_of_pydantic_1(
    annotation, value, expected
):
    assert answer_of(entry_of(annotation, value)) == expected


def test_json_can_hold_no_class():
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(type[int]).validate_json(f'"{SECRET}"')
    (entry,) = refusal.value.errors(include_url=False, include_input=False)
    assert answer_of(entry) == CLASS


CARD = "payment_card_number"
BRAND = {"brand": "Visa", "required_length": "13, 16 or 19"}
COLOR = "values must be in the range 0 to"
CUSTOM = [
    (
        ("value_error", "value is not a valid email address: {why}", {"why": "x"}),
        value_error("email", "value is not a valid email address"),
    ),
    (("name_email_type", "Input is not a valid NameEmail"), STRING),
    (
        (
            "color_error",
            f"value is not a valid color: {COLOR} {{max_val}}",
            {"max_val": 255},
        ),
        (
            "value_error.color",
            f"value is not a valid color: {COLOR} 255",
            {"reason": f"{COLOR} 255"},
        ),
    ),
    (
        (f"{CARD}_digits", "Card number is not all digits"),
        value_error(f"{CARD}.digits", "card number is not all digits"),
    ),
    (
        (f"{CARD}_luhn", "Card number is not luhn valid"),
        value_error(f"{CARD}.luhn_check", "card number is not luhn valid"),
    ),
    (
        (f"{CARD}_brand", "Length for a {brand} card must be {required_length}", BRAND),
        (
            f"value_error.{CARD}.invalid_length_for_brand",
            "Length for a Visa card must be 13, 16 or 19",
            BRAND,
        ),
    ),
]


@pytest.mark.parametrize(("error", "expected"), CUSTOM, ids=lambda said: said[0])
def test_types_that_need_another_package_have_words_of_pydantic_1(error, expected):
    assert answer_of(raised(PydanticCustomError(*error))) == expected


# ---- errors that an author raises


class Numbered(ValueError):
    code = 7


BY_AUTHOR = [
    (ValueError("no {braces}"), ("value_error", "no {braces}")),
    (ValueError(), ("value_error", "")),
    (ValueError("Value error, again"), ("value_error", "Value error, again")),
    (AssertionError("must not"), ("assertion_error", "must not")),
    (TooSmallError("too small"), ("value_error.toosmall", "too small")),
    (Coded("coded"), ("value_error.by_code", "coded")),
    (Numbered("seven"), ("value_error.numbered", "seven")),
    (
        PydanticCustomError("not_a_bar", "not {bar}", {"bar": "b"}),
        ("value_error.not_a_bar", "not b", {"bar": "b"}),
    ),
    (PydanticCustomError("not_a_bar", "no bar"), ("value_error.not_a_bar", "no bar")),
    (PydanticCustomError("type_error.bar", "no bar"), ("type_error.bar", "no bar")),
    (PydanticCustomError("value_error", "no bar"), ("value_error", "no bar")),
    # Under a name of Pydantic's, but without what Pydantic would say under it.
    (
        PydanticCustomError("too_short", "not a bar yet"),
        ("value_error.too_short", "not a bar yet"),
    ),
]


@pytest.mark.parametrize(("error", "expected"), BY_AUTHOR, ids=repr)
def test_an_author_is_quoted(error, expected):
    assert answer_of(raised(error)) == expected


def test_an_exception_that_is_only_text_by_now_keeps_its_words():
    entry = {"loc": ["query", "n"], "type": "value_error"}
    ctx = {"error": "too small"}

    assert to_pydantic1({**entry, "msg": "Value error, too small", "ctx": ctx}) == {
        **entry,
        "msg": "too small",
    }


# ---- the value that was sent

NULL = ("type_error.none.not_allowed", "none is not an allowed value")
NULLABLE = [
    *(int, str, bool, bytes, Decimal, datetime.date, uuid.UUID, list[int]),
    *(dict[str, int], tuple[int, int], t.Sequence[int], t.Literal["a"], Word, Cat),
    *(pathlib.Path, pydantic.AnyUrl, pydantic.ByteSize, t.Pattern[str]),
    ipaddress.IPv4Address,
]


def refuse_all(value):
    raise ValueError("say something")


STRICT_BOOL = value_error("strictbool", "value is not a valid boolean")
BY_INPUT: list[tuple[t.Any, t.Any, Said]] = [
    *((annotation, None, NULL) for annotation in NULLABLE),
    # A key that is too many is so with a null too.
    (Closed, {"size": 1, "note": None}, EXTRA),
    (
        t.Annotated[t.Any, pydantic.AfterValidator(refuse_all)],
        None,
        ("value_error", "say something"),
    ),
    (pydantic.StrictBool, "yes", STRICT_BOOL),
    (pydantic.StrictBool, 1, STRICT_BOOL),
    (t.Annotated[t.Sequence[int], FEW], [1], SAID["too_short"]),
    (t.Annotated[pydantic.SecretStr, FEW], "a", MIN_LENGTH),
]


@pytest.mark.parametrize(("annotation", "value", "expected"), BY_INPUT, ids=str)
def test_the_value_decides_between_the_words_of_pydantic_1(annotation, value, expected):
    assert answer_of(entry_of(annotation, value, with_input=True)) == expected


@pytest.mark.parametrize("kind", ["missing", "json_invalid", "string_unicode"])
def test_an_error_of_a_whole_body_is_no_null(kind):
    assert answer_of({**known(kind), "input": None}) == SAID[kind]


SENT = [case for case in BY_CONTEXT if SECRET in str(case[1])]


@pytest.mark.parametrize("case", SENT, ids=lambda case: str(case[0]))
def test_what_was_sent_is_never_returned(case):
    annotation, value, _ = case
    entry = entry_of(annotation, value, with_input=True)
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
