"""The table: what Pydantic 1 says for each error type of Pydantic 2."""

from __future__ import annotations

import typing as t

from . import rows
from .rows import ErrorRow

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .rows import Given

#: By the type of Pydantic 2: its row, or a function that chooses one by what is given.
PYDANTIC1_ROWS: Mapping[str, ErrorRow | Callable[[Given], ErrorRow | None]] = {
    # The request as a whole, and keys.
    "missing": rows.MISSING,
    "extra_forbidden": rows.EXTRA,
    "no_such_attribute": rows.EXTRA,
    "invalid_key": rows.STRING_EXPECTED,
    "json_invalid": rows.JSON_INVALID,
    "json_type": ErrorRow(
        "type_error.json", "JSON object must be str, bytes or bytearray"
    ),
    "recursion_loop": ErrorRow("value_error.recursion", "value contains itself"),
    "recursion_depth_exceeded": ErrorRow(
        "value_error.recursion", "value is nested too deeply"
    ),
    "default_factory_not_called": ErrorRow(
        "value_error.default", "default depends on a value that is not valid"
    ),
    "get_attribute_error": ErrorRow(
        "value_error.attribute", "attribute could not be read"
    ),
    "frozen_field": rows.IMMUTABLE,
    "frozen_instance": rows.IMMUTABLE,
    # Text and bytes.
    "string_type": rows.STRING_EXPECTED,
    "string_sub_type": rows.STRING_EXPECTED,
    "string_unicode": rows.UNICODE,
    "string_not_ascii": ErrorRow("value_error.str.ascii", "value is not ASCII text"),
    "string_too_short": rows.CHARACTERS_MIN,
    "string_too_long": rows.CHARACTERS_MAX,
    "string_pattern_mismatch": ErrorRow(
        "value_error.str.regex",
        'string does not match regex "{pattern}"',
        {"pattern": "pattern"},
    ),
    "bytes_type": rows.BYTES,
    "bytes_too_short": rows.CHARACTERS_MIN,
    "bytes_too_long": rows.CHARACTERS_MAX,
    "bytes_invalid_encoding": ErrorRow(
        "value_error.bytes", "value is not validly encoded"
    ),
    "base64_decode": ErrorRow("value_error.base64", "value is not valid base64"),
    # Numbers.
    "bool_type": rows.boolean,
    "bool_parsing": rows.BOOL,
    "int_type": rows.INTEGER,
    "int_parsing": rows.INTEGER,
    "int_parsing_size": rows.INTEGER,
    "int_from_float": rows.INTEGER,
    "float_type": rows.FLOAT,
    "float_parsing": rows.FLOAT,
    "decimal_type": rows.DECIMAL,
    "decimal_parsing": rows.DECIMAL,
    "fraction_type": rows.FRACTION,
    "fraction_parsing": rows.FRACTION,
    "complex_type": rows.COMPLEX,
    "complex_str_parsing": rows.COMPLEX,
    "greater_than": ErrorRow(
        "value_error.number.not_gt",
        "ensure this value is greater than {limit_value}",
        {"limit_value": "gt"},
    ),
    "greater_than_equal": ErrorRow(
        "value_error.number.not_ge",
        "ensure this value is greater than or equal to {limit_value}",
        {"limit_value": "ge"},
    ),
    "less_than": ErrorRow(
        "value_error.number.not_lt",
        "ensure this value is less than {limit_value}",
        {"limit_value": "lt"},
    ),
    "less_than_equal": ErrorRow(
        "value_error.number.not_le",
        "ensure this value is less than or equal to {limit_value}",
        {"limit_value": "le"},
    ),
    "multiple_of": ErrorRow(
        "value_error.number.not_multiple",
        "ensure this value is a multiple of {multiple_of}",
        {"multiple_of": "multiple_of"},
    ),
    "finite_number": ErrorRow(
        "value_error.number.not_finite_number", "ensure this value is a finite number"
    ),
    "decimal_max_digits": ErrorRow(
        "value_error.decimal.max_digits",
        "ensure that there are no more than {max_digits} digits in total",
        {"max_digits": "max_digits"},
    ),
    "decimal_max_places": ErrorRow(
        "value_error.decimal.max_places",
        "ensure that there are no more than {decimal_places} decimal places",
        {"decimal_places": "decimal_places"},
    ),
    "decimal_whole_digits": ErrorRow(
        "value_error.decimal.whole_digits",
        "ensure that there are no more than {whole_digits} digits"
        " before the decimal point",
        {"whole_digits": "whole_digits"},
    ),
    # One of a few values.
    "enum": ErrorRow(
        "type_error.enum",
        "value is not a valid enumeration member; permitted: {enum_values}",
        {"enum_values": "expected"},
    ),
    "literal_error": ErrorRow(
        "value_error.const",
        "unexpected value; permitted: {permitted}",
        {"permitted": "expected"},
    ),
    "none_required": rows.NONE_EXPECTED,
    "missing_sentinel_error": ErrorRow(
        "value_error.const", "unexpected value; permitted: MISSING"
    ),
    "ellipsis_error": ErrorRow(
        "value_error.const", "unexpected value; permitted: Ellipsis"
    ),
    # Containers, by their wrong type and by their size.
    "list_type": ErrorRow("type_error.list", "value is not a valid list"),
    "tuple_type": rows.TUPLE,
    "named_tuple_type": rows.TUPLE,
    "set_type": ErrorRow("type_error.set", "value is not a valid set"),
    "frozen_set_type": ErrorRow(
        "type_error.frozenset", "value is not a valid frozenset"
    ),
    "deque_type": rows.SEQUENCE,
    "sequence_str": rows.SEQUENCE,
    "iterable_type": rows.ITERABLE,
    "iteration_error": rows.ITERABLE,
    "set_item_not_hashable": rows.HASHABLE,
    "dict_type": rows.DICT,
    "mapping_type": rows.DICT,
    "ordered_dict_type": rows.DICT,
    "frozen_dict_type": rows.DICT,
    "counter_type": rows.DICT,
    "too_short": rows.too_short,
    "too_long": rows.too_long,
    # Models, and the arguments of named tuples and dataclasses.
    "model_type": rows.DICT,
    "model_attributes_type": rows.DICT,
    "dataclass_type": rows.DATACLASS,
    "dataclass_exact_type": rows.DATACLASS,
    "arguments_type": rows.TUPLE,
    "missing_argument": rows.MISSING,
    "missing_keyword_only_argument": rows.MISSING,
    "missing_positional_only_argument": rows.MISSING,
    "unexpected_keyword_argument": rows.EXTRA,
    "unexpected_positional_argument": rows.EXTRA,
    "multiple_argument_values": ErrorRow("type_error", "field given more than once"),
    "union_tag_not_found": ErrorRow(
        "value_error.discriminated_union.missing_discriminator",
        "Discriminator {discriminator_key} is missing in value",
        {"discriminator_key": "discriminator"},
    ),
    "union_tag_invalid": ErrorRow(
        "value_error.discriminated_union.invalid_discriminator",
        "No match for discriminator {discriminator_key}"
        " (allowed values: {allowed_values})",
        {"discriminator_key": "discriminator", "allowed_values": "expected_tags"},
    ),
    # Dates and times.
    "date_type": rows.neither_text_nor_number("date"),
    "date_parsing": rows.DATE,
    "date_from_datetime_parsing": rows.DATE,
    "date_from_datetime_inexact": rows.DATE,
    "date_past": ErrorRow(
        "value_error.date.not_in_the_past", "date is not in the past"
    ),
    "date_future": ErrorRow(
        "value_error.date.not_in_the_future", "date is not in the future"
    ),
    "time_type": rows.neither_text_nor_number("time"),
    "time_parsing": ErrorRow("value_error.time", "invalid time format"),
    "time_delta_type": rows.neither_text_nor_number("timedelta"),
    "time_delta_parsing": ErrorRow("value_error.duration", "invalid duration format"),
    "datetime_type": rows.neither_text_nor_number("datetime"),
    "datetime_parsing": rows.DATETIME,
    "datetime_from_date_parsing": rows.DATETIME,
    "datetime_object_invalid": rows.DATETIME,
    "datetime_past": ErrorRow(
        "value_error.datetime.not_in_the_past", "datetime is not in the past"
    ),
    "datetime_future": ErrorRow(
        "value_error.datetime.not_in_the_future", "datetime is not in the future"
    ),
    "timezone_aware": ErrorRow(
        "value_error.timezone.aware", "timezone required but missing"
    ),
    "timezone_naive": ErrorRow("value_error.timezone.naive", "timezone not permitted"),
    "timezone_offset": ErrorRow(
        "value_error.timezone.offset",
        "timezone offset of {required_offset} seconds expected",
        {"required_offset": "tz_expected"},
    ),
    "zoneinfo_str": ErrorRow("value_error.zoneinfo", "value is not a valid timezone"),
    # Addresses of the network.
    "url_type": rows.STRING_EXPECTED,
    "url_parsing": rows.url,
    "url_syntax_violation": rows.URL_EXTRA,
    "url_too_long": rows.CHARACTERS_MAX,
    "url_scheme": ErrorRow(
        "value_error.url.scheme",
        "URL scheme not permitted",
        {"allowed_schemes": "expected_schemes"},
    ),
    "name_email_type": rows.STRING_EXPECTED,
    "ip_any_address": rows.ip("IPvAnyAddress", "IPv4 or IPv6 address"),
    "ip_any_interface": rows.ip("IPvAnyInterface", "IPv4 or IPv6 interface"),
    "ip_any_network": rows.ip("IPvAnyNetwork", "IPv4 or IPv6 network"),
    "ip_v4_address": rows.ip("IPv4Address", "IPv4 address"),
    "ip_v4_interface": rows.ip("IPv4Interface", "IPv4 interface"),
    "ip_v4_network": rows.ip("IPv4Network", "IPv4 network"),
    "ip_v6_address": rows.ip("IPv6Address", "IPv6 address"),
    "ip_v6_interface": rows.ip("IPv6Interface", "IPv6 interface"),
    "ip_v6_network": rows.ip("IPv6Network", "IPv6 network"),
    # Other things that a text may be.
    "uuid_type": rows.UUID,
    "uuid_parsing": rows.UUID,
    "uuid_version": ErrorRow(
        "value_error.uuid.version",
        "uuid version {required_version} expected",
        {"required_version": "expected_version"},
    ),
    "byte_size": ErrorRow(
        "value_error.invalidbytesize", "could not parse value and unit from byte string"
    ),
    "byte_size_unit": ErrorRow(
        "value_error.invalidbytesizeunit", "could not interpret byte unit"
    ),
    "color_error": ErrorRow(
        "value_error.color", "value is not a valid color: {reason}", {"reason": "msg"}
    ),
    "payment_card_number_digits": ErrorRow(
        "value_error.payment_card_number.digits", "card number is not all digits"
    ),
    "payment_card_number_luhn": ErrorRow(
        "value_error.payment_card_number.luhn_check", "card number is not luhn valid"
    ),
    "payment_card_number_brand": ErrorRow(
        "value_error.payment_card_number.invalid_length_for_brand",
        "Length for a {brand} card must be {required_length}",
        {"brand": "brand", "required_length": "required_length"},
    ),
    "path_type": ErrorRow("type_error.path", "value is not a valid path"),
    "path_exists": ErrorRow("value_error.path.exists", "path exists already"),
    "path_not_file": ErrorRow(
        "value_error.path.not_a_file", "path does not point to a file"
    ),
    "path_not_directory": ErrorRow(
        "value_error.path.not_a_directory", "path does not point to a directory"
    ),
    "path_not_socket": ErrorRow(
        "value_error.path.not_a_socket", "path does not point to a socket"
    ),
    "parent_does_not_exist": ErrorRow(
        "value_error.path.not_exists", "directory of path does not exist"
    ),
    "pattern_type": rows.STRING_EXPECTED,
    "pattern_str_type": rows.STRING_EXPECTED,
    "pattern_bytes_type": rows.STRING_EXPECTED,
    "pattern_regex": ErrorRow(
        "value_error.regex_pattern", "Invalid regular expression"
    ),
    # Things of Python, which no request can hold.
    "callable_type": ErrorRow("type_error.callable", "value is not callable"),
    "import_error": ErrorRow(
        "type_error.pyobject",
        "ensure this value contains valid import path or valid callable",
    ),
    "is_hashable": rows.HASHABLE,
    "is_instance_of": rows.instance,
    "is_subclass_of": ErrorRow(
        "type_error.subclass",
        "subclass of {expected_class} expected",
        {"expected_class": "class"},
    ),
    "is_type": rows.CLASS_EXPECTED,
    "needs_python_object": rows.python_object,
    # An author's exception, or the one that Pydantic raises as such.
    "value_error": rows.value_error,
}
