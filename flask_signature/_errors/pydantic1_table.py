"""The table: what Pydantic 1 says for each error type of Pydantic 2."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One error of Pydantic 1.

    :param type: its type, ``"value_error.number.not_ge"``.
    :param msg: its message, with the names of its ``ctx`` in braces.
    :param ctx: what Pydantic 2 calls each value, ``{"limit_value": "ge"}``.
    """

    type: str
    msg: str
    ctx: Mapping[str, str]


#: By the type of Pydantic 1 and its message: the types of Pydantic 2 that lead to it.
#:
#: ``{limit_value:ge}`` is the ``limit_value`` of Pydantic 1, which Pydantic 2 calls
#: ``ge``; ``{pattern}`` has one name in both. With an "of" it is a type of Pydantic 2
#: that has more than one row, or none: see ``_row_name()``.
TABLE: t.Final = {
    # The request as a whole, and keys.
    "value_error.missing: field required": (
        "missing, missing_argument, missing_keyword_only_argument,"
        " missing_positional_only_argument"
    ),
    "value_error.extra: extra fields not permitted": (
        "extra_forbidden, no_such_attribute, unexpected_keyword_argument,"
        " unexpected_positional_argument"
    ),
    "type_error: field given more than once": "multiple_argument_values",
    "type_error.none.not_allowed: none is not an allowed value": "null of any type",
    "value_error.json: Invalid JSON": "json_invalid",
    "type_error.json: JSON object must be str, bytes or bytearray": "json_type",
    "value_error.recursion: value contains itself": "recursion_loop",
    "value_error.recursion: value is nested too deeply": "recursion_depth_exceeded",
    "value_error.default: default depends on a value that is not valid": (
        "default_factory_not_called"
    ),
    "value_error.attribute: attribute could not be read": "get_attribute_error",
    "type_error: value is immutable": "frozen_field, frozen_instance",
    # Text and bytes.
    "type_error.str: str type expected": (
        "invalid_key, string_type, string_sub_type, url_type, name_email_type,"
        " pattern_type, pattern_str_type, pattern_bytes_type"
    ),
    "value_error.unicodedecode: value is not valid unicode": "string_unicode",
    "value_error.str.ascii: value is not ASCII text": "string_not_ascii",
    "value_error.any_str.min_length: ensure this value has at least"
    " {limit_value:min_length} characters": "string_too_short, bytes_too_short",
    "value_error.any_str.max_length: ensure this value has at most"
    " {limit_value:max_length} characters": (
        "string_too_long, bytes_too_long, url_too_long"
    ),
    'value_error.str.regex: string does not match regex "{pattern}"': (
        "string_pattern_mismatch"
    ),
    "type_error.bytes: byte type expected": "bytes_type",
    "value_error.bytes: value is not validly encoded": "bytes_invalid_encoding",
    "value_error.base64: value is not valid base64": "base64_decode",
    # Numbers.
    "type_error.bool: value could not be parsed to a boolean": (
        "bool_type, bool_parsing"
    ),
    "value_error.strictbool: value is not a valid boolean": "bool_type of a scalar",
    "type_error.integer: value is not a valid integer": (
        "int_type, int_parsing, int_parsing_size, int_from_float"
    ),
    "type_error.float: value is not a valid float": "float_type, float_parsing",
    "type_error.decimal: value is not a valid decimal": "decimal_type, decimal_parsing",
    "type_error.fraction: value is not a valid fraction": (
        "fraction_type, fraction_parsing"
    ),
    "type_error.complex: value is not a valid complex": (
        "complex_type, complex_str_parsing"
    ),
    "value_error.number.not_gt: ensure this value is greater than {limit_value:gt}": (
        "greater_than"
    ),
    "value_error.number.not_ge: ensure this value is greater than or equal to"
    " {limit_value:ge}": "greater_than_equal",
    "value_error.number.not_lt: ensure this value is less than {limit_value:lt}": (
        "less_than"
    ),
    "value_error.number.not_le: ensure this value is less than or equal to"
    " {limit_value:le}": "less_than_equal",
    "value_error.number.not_multiple: ensure this value is a multiple of"
    " {multiple_of}": "multiple_of",
    "value_error.number.not_finite_number: ensure this value is a finite number": (
        "finite_number"
    ),
    "value_error.decimal.max_digits: ensure that there are no more than {max_digits}"
    " digits in total": "decimal_max_digits",
    "value_error.decimal.max_places: ensure that there are no more than"
    " {decimal_places} decimal places": "decimal_max_places",
    "value_error.decimal.whole_digits: ensure that there are no more than"
    " {whole_digits} digits before the decimal point": "decimal_whole_digits",
    # One of a few values.
    "type_error.enum: value is not a valid enumeration member; permitted:"
    " {enum_values:expected}": "enum",
    "value_error.const: unexpected value; permitted: {permitted:expected}": (
        "literal_error"
    ),
    "type_error.not_none: value is not None": "none_required",
    "value_error.const: unexpected value; permitted: MISSING": "missing_sentinel_error",
    "value_error.const: unexpected value; permitted: Ellipsis": "ellipsis_error",
    # Containers, by their wrong type and by their size.
    "type_error.list: value is not a valid list": "list_type",
    "type_error.tuple: value is not a valid tuple": (
        "tuple_type, named_tuple_type, arguments_type"
    ),
    "type_error.set: value is not a valid set": "set_type",
    "type_error.frozenset: value is not a valid frozenset": "frozen_set_type",
    "type_error.sequence: value is not a valid sequence": (
        "deque_type, sequence_str, is_instance_of of Sequence"
    ),
    "type_error.iterable: value is not a valid iterable": (
        "iterable_type, iteration_error"
    ),
    "type_error.hashable: value is not a valid hashable": (
        "set_item_not_hashable, is_hashable"
    ),
    "value_error.{container}.min_items: ensure this value has at least"
    " {limit_value:min_length} items": "too_short",
    "value_error.{container}.max_items: ensure this value has at most"
    " {limit_value:max_length} items": "too_long",
    "value_error.tuple.length: wrong tuple length {actual_length}, expected"
    " {expected_length:max_length}": "too_long of a tuple",
    # Models, and what else a dict may be.
    "type_error.dict: value is not a valid dict": (
        "dict_type, mapping_type, ordered_dict_type, frozen_dict_type, counter_type,"
        " model_type, model_attributes_type"
    ),
    "type_error.dataclass: instance of {class_name}, tuple or dict expected": (
        "dataclass_type, dataclass_exact_type"
    ),
    "value_error.discriminated_union.missing_discriminator: Discriminator"
    " {discriminator_key:discriminator} is missing in value": "union_tag_not_found",
    "value_error.discriminated_union.invalid_discriminator: No match for discriminator"
    " {discriminator_key:discriminator}"
    " (allowed values: {allowed_values:expected_tags})": "union_tag_invalid",
    # Dates and times.
    "type_error: invalid type; expected date, string, bytes, int or float": "date_type",
    "value_error.date: invalid date format": (
        "date_parsing, date_from_datetime_parsing, date_from_datetime_inexact"
    ),
    "value_error.date.not_in_the_past: date is not in the past": "date_past",
    "value_error.date.not_in_the_future: date is not in the future": "date_future",
    "type_error: invalid type; expected time, string, bytes, int or float": "time_type",
    "value_error.time: invalid time format": "time_parsing",
    "type_error: invalid type; expected timedelta, string, bytes, int or float": (
        "time_delta_type"
    ),
    "value_error.duration: invalid duration format": "time_delta_parsing",
    "type_error: invalid type; expected datetime, string, bytes, int or float": (
        "datetime_type"
    ),
    "value_error.datetime: invalid datetime format": (
        "datetime_parsing, datetime_from_date_parsing, datetime_object_invalid"
    ),
    "value_error.datetime.not_in_the_past: datetime is not in the past": (
        "datetime_past"
    ),
    "value_error.datetime.not_in_the_future: datetime is not in the future": (
        "datetime_future"
    ),
    "value_error.timezone.aware: timezone required but missing": "timezone_aware",
    "value_error.timezone.naive: timezone not permitted": "timezone_naive",
    "value_error.timezone.offset: timezone offset of {required_offset:tz_expected}"
    " seconds expected": "timezone_offset",
    "value_error.zoneinfo: value is not a valid timezone": "zoneinfo_str",
    # Addresses of the network.
    "value_error.url.extra: URL invalid, extra characters found after valid URL": (
        # To Pydantic 1 any other URL was a shorter one with something after it.
        "url_syntax_violation, url_parsing"
    ),
    "value_error.url.host: URL host invalid": (
        "url_parsing of empty host, url_parsing of invalid IPv4 address"
    ),
    "value_error.url.port: URL port invalid, port cannot exceed 65535": (
        "url_parsing of invalid port number"
    ),
    "value_error.url.scheme: invalid or missing URL scheme": (
        "url_parsing of relative URL without a base"
    ),
    "value_error.any_str.min_length: ensure this value has at least {limit_value:1}"
    " characters": "url_parsing of input is empty",
    "value_error.ipvanyaddress: value is not a valid IPv4 or IPv6 address": (
        "ip_any_address"
    ),
    "value_error.ipvanyinterface: value is not a valid IPv4 or IPv6 interface": (
        "ip_any_interface"
    ),
    "value_error.ipvanynetwork: value is not a valid IPv4 or IPv6 network": (
        "ip_any_network"
    ),
    "value_error.ipv4address: value is not a valid IPv4 address": "ip_v4_address",
    "value_error.ipv4interface: value is not a valid IPv4 interface": "ip_v4_interface",
    "value_error.ipv4network: value is not a valid IPv4 network": "ip_v4_network",
    "value_error.ipv6address: value is not a valid IPv6 address": "ip_v6_address",
    "value_error.ipv6interface: value is not a valid IPv6 interface": "ip_v6_interface",
    "value_error.ipv6network: value is not a valid IPv6 network": "ip_v6_network",
    "value_error.email: value is not a valid email address": "value_error of EmailStr",
    # Other things that a text may be.
    "type_error.uuid: value is not a valid uuid": "uuid_type, uuid_parsing",
    "value_error.uuid.version: uuid version {required_version:expected_version}"
    " expected": "uuid_version",
    "value_error.invalidbytesize: could not parse value and unit from byte string": (
        "byte_size"
    ),
    "value_error.invalidbytesizeunit: could not interpret byte unit": "byte_size_unit",
    "value_error.color: value is not a valid color: {reason:msg}": "color_error",
    "value_error.payment_card_number.digits: card number is not all digits": (
        "payment_card_number_digits"
    ),
    "value_error.payment_card_number.luhn_check: card number is not luhn valid": (
        "payment_card_number_luhn"
    ),
    "value_error.payment_card_number.invalid_length_for_brand: Length for a {brand}"
    " card must be {required_length}": "payment_card_number_brand",
    "type_error.path: value is not a valid path": "path_type",
    "value_error.path.exists: path exists already": "path_exists",
    "value_error.path.not_a_file: path does not point to a file": "path_not_file",
    "value_error.path.not_a_directory: path does not point to a directory": (
        "path_not_directory"
    ),
    "value_error.path.not_a_socket: path does not point to a socket": "path_not_socket",
    "value_error.path.not_exists: directory of path does not exist": (
        "parent_does_not_exist"
    ),
    "value_error.regex_pattern: Invalid regular expression": "pattern_regex",
    # Things of Python, which no request can hold.
    "type_error.callable: value is not callable": "callable_type",
    "type_error.pyobject: ensure this value contains valid import path or valid"
    " callable": "import_error",
    "type_error.arbitrary_type: instance of {expected_arbitrary_type:class} expected": (
        "is_instance_of"
    ),
    "type_error.enum_instance: value is not a valid Enum instance": (
        "is_instance_of of Enum"
    ),
    "type_error.int_enum_instance: value is not a valid IntEnum instance": (
        "is_instance_of of IntEnum"
    ),
    "type_error.subclass: subclass of {expected_class:class} expected": (
        "is_subclass_of"
    ),
    "type_error.class: a class is expected": (
        "is_type, needs_python_object of issubclass"
    ),
    "type_error.arbitrary_type: instance of a Python class expected": (
        "needs_python_object"
    ),
}

#: A name of ``ctx`` in a message, with that of Pydantic 2 where it is another.
PLACE: t.Final = re.compile(r"\{(\w+):?(\w*)\}")


def _read_row(text: str) -> ErrorRow:
    """The row that is written so in the table."""
    kind, _, msg = text.partition(": ")
    ctx = {name: source or name for name, source in PLACE.findall(msg)}
    return ErrorRow(kind, PLACE.sub(r"{\1}", msg), ctx)


#: By the type of Pydantic 2, or a more exact name.
PYDANTIC1_ROWS: t.Final[Mapping[str, ErrorRow]] = {
    **{name: _read_row(row) for row in TABLE for name in TABLE[row].split(", ")},
    # The only one with a ``ctx`` that its message does not contain.
    "url_scheme": ErrorRow(
        "value_error.url.scheme",
        "URL scheme not permitted",
        {"allowed_schemes": "expected_schemes"},
    ),
}
