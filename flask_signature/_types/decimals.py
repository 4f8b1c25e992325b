"""Bounds on decimals, a few characters of which may stand for a billion digits.

A core schema goes in; out comes one that refuses such a decimal in a request, or a
validator that refuses to make a number of it for a response. Python would need hours,
and can't be interrupted.
"""

from __future__ import annotations

import re
import typing as t
from decimal import Decimal
from fractions import Fraction

from pydantic import TypeAdapter
from pydantic_core import PydanticCustomError
from pydantic_core import PydanticKnownError
from pydantic_core import SchemaError
from pydantic_core import SchemaValidator
from pydantic_core import core_schema

from .core_schemas import rewritten

if t.TYPE_CHECKING:
    from .core_schemas import Change

#: The digits of a decimal at most: as many as Pydantic allows an integer.
MAX_DIGITS: t.Final = 4_300

#: The error of Pydantic for a decimal with more digits than ``max_digits``.
TOO_LONG: t.Final = "decimal_max_digits"

#: The exponent of a fraction, and the error of Pydantic for what is none.
EXPONENT: t.Final = re.compile(r"[eE][-+]?[0_]*([\d_]+)")
NO_FRACTION: t.Final = ("fraction_parsing", "Input is not a valid fraction")

#: What makes fractions before Pydantic 2.14, which has a schema for them.
MAKE_FRACTION: t.Final = (
    t.cast("t.Any", TypeAdapter(Fraction).core_schema)
    .get("lax_schema", {})
    .get("function", MAX_DIGITS)
)


def input_schema(schema: t.Any) -> t.Any:
    """The schema that validates a request, in which each decimal is bounded.

    It is the same object where there is none, or each has a ``max_digits``.
    """
    return _rewritten(schema, _bound_input)


def input_validator(schema: t.Any) -> SchemaValidator | None:
    """What validates a request, ``None`` where that is Pydantic's own validator."""
    bounded = input_schema(schema)
    return None if bounded is schema else validator_of(bounded)


def output_validator(schema: t.Any) -> SchemaValidator | None:
    """What validates a response, and makes no number of a decimal that is longer.

    ``None`` where that is Pydantic's own validator.
    """
    bounded = _rewritten(schema, _bound_output)
    return None if bounded is schema else validator_of(bounded)


def validator_of(schema: t.Any) -> SchemaValidator:
    """The validator of a schema that was written anew."""
    # Nothing public keeps Pydantic from taking the validators that its models have.
    return SchemaValidator(schema, _use_prebuilt=False)


def _rewritten(schema: t.Any, change: Change) -> t.Any:
    try:
        return rewritten(schema, change, {})
    except RecursionError:
        # Models that are nested deeper than Python can call functions.
        return schema


def _bound_input(part: t.Any, original: t.Any) -> t.Any:
    kind = part["type"]
    if kind == "union" and part is not original:
        return _with_labels(part, original)
    if kind == "decimal" and part.get("max_digits") is None:
        return core_schema.no_info_after_validator_function(_check_decimal, part)
    if part.get("function") == MAKE_FRACTION:
        return core_schema.no_info_before_validator_function(_check_fraction, part)
    return part


def _bound_output(part: t.Any, original: t.Any) -> t.Any:
    kind = part["type"]
    if kind == "union" and part is not original:
        return _with_labels(part, original)
    if kind == "int":
        return _behind_check(part, core_schema.int_schema(strict=True))
    if kind == "enum" and part.get("sub_type") == "int":
        return _behind_check(part, core_schema.is_instance_schema(part["cls"]))
    if kind == "fraction" or part.get("function") == MAKE_FRACTION:
        return _behind_check(part, core_schema.is_instance_schema(Fraction))
    return part


def _with_labels(union: t.Any, original: t.Any) -> t.Any:
    pairs = zip(union["choices"], original["choices"], strict=True)
    return {**union, "choices": [_labelled(*pair) for pair in pairs]}


def _labelled(choice: t.Any, original: t.Any) -> t.Any:
    """A choice of a union that errors name as they name the original."""
    if choice is original or isinstance(choice, tuple):
        return choice
    try:
        return choice, SchemaValidator(original).title
    except SchemaError:
        # It refers to a definition outside of it.
        return choice


def _behind_check(part: t.Any, usual: t.Any) -> t.Any:
    """A schema that is not asked about a decimal that is too long.

    :param usual: of the values that are let through without a call in Python.
    """
    check = core_schema.no_info_plain_validator_function(_check_decimal)
    checked: t.Any = core_schema.union_schema(
        [usual, check],
        mode="left_to_right",
        custom_error_type=TOO_LONG,
        custom_error_context={"max_digits": MAX_DIGITS},
    )
    inner = {key: item for key, item in part.items() if key != "ref"}
    return core_schema.chain_schema([checked, inner], ref=part.get("ref"))


def _check_decimal(value: t.Any) -> t.Any:
    """The value, unless it is a decimal with too many digits, the exponent counted."""
    if not isinstance(value, Decimal):
        return value
    _, digits, exponent = value.as_tuple()
    # That of NaN and infinities is a string.
    if not isinstance(exponent, int):
        return value
    if max(len(digits) + max(exponent, 0), -exponent) > MAX_DIGITS:
        raise PydanticKnownError(TOO_LONG, {"max_digits": MAX_DIGITS})
    return value


def _check_fraction(value: t.Any) -> t.Any:
    """The value, unless it is a string with an exponent that is too large."""
    found = EXPONENT.search(value) if isinstance(value, str) else None
    # Of a longer one not even the exponent is made.
    if found and (len(found[1]) > 9 or int(found[1]) > MAX_DIGITS):
        raise PydanticCustomError(*NO_FRACTION)
    return value
