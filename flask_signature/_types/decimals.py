"""Bounds on decimals, a few characters of which may stand for a billion digits.

A core schema goes in; out comes one that refuses such a decimal in a request, or a
validator that refuses to make a number of it for a response. Python would need hours,
and can't be interrupted.
"""

from __future__ import annotations

import re
import typing as t
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

from pydantic import TypeAdapter
from pydantic_core import (
    PydanticCustomError,
    PydanticKnownError,
    SchemaError,
    SchemaValidator,
    core_schema,
)

from .core_schemas import kinds_in, rewritten

if t.TYPE_CHECKING:
    from collections.abc import Callable

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


#: The core schemas that may have to be bounded in a request.
UNBOUNDED: t.Final = frozenset({"decimal", "function-plain"})


def input_schema(schema: t.Any) -> t.Any:
    """The schema that validates a request, the same object if all of it is bounded."""
    # Most requests hold none, and to look takes a tenth of the time.
    if kinds_in(schema).isdisjoint(UNBOUNDED):
        return schema
    return rewrite_schema(schema, _bound_input)


def input_validator(schema: t.Any) -> SchemaValidator | None:
    """What validates a request, ``None`` where that is Pydantic's own validator."""
    bounded = input_schema(schema)
    return None if bounded is schema else validator_of(bounded)


def output_validator(schema: t.Any) -> SchemaValidator | None:
    """What validates a response, and makes no number of a decimal that is longer.

    ``None`` where that is Pydantic's own validator.
    """
    bounded = rewrite_schema(schema, _bound_output)
    return None if bounded is schema else validator_of(bounded)


def validator_of(schema: t.Any) -> SchemaValidator:
    """The validator of a schema that was written anew."""
    # Nothing public keeps Pydantic from taking the validators that its models have.
    return SchemaValidator(schema, _use_prebuilt=False)


def rewrite_schema(schema: t.Any, bound: Callable[[t.Any, t.Any], t.Any]) -> t.Any:
    """The schema with each of its parts as a function returns it, the innermost first.

    :param bound: takes a part with what was changed inside of it, and the part itself.
    """

    def change(part: t.Any, original: t.Any) -> t.Any:
        inner = part
        if "ref" in part:
            inner = {key: item for key, item in part.items() if key != "ref"}
        made = bound(inner, original)
        if made is original or (made is inner and part is original):
            return original
        if made["type"] == original["type"] == "union":
            choices = map(_labelled, made["choices"], original["choices"])
            made = {**made, "choices": [*choices]}
        # What others refer to is what was made.
        return {**made, "ref": part["ref"]} if "ref" in part else made

    try:
        return rewritten(schema, change, {})
    except RecursionError:
        # Models that are nested deeper than Python can call functions.
        return schema


def _bound_input(part: t.Any, _: t.Any) -> t.Any:
    if part["type"] == "decimal" and part.get("max_digits") is None:
        return core_schema.no_info_after_validator_function(_check_decimal, part)
    if part.get("function") == MAKE_FRACTION:
        return core_schema.no_info_before_validator_function(_check_fraction, part)
    return part


def _bound_output(part: t.Any, _: t.Any) -> t.Any:
    """A part that is not asked to make a number of a decimal that is too long."""
    # What the usual values are accepted by, without a call in Python.
    if part["type"] == "int":
        usual: t.Any = {**part, "strict": True}
    elif part["type"] == "enum" and part.get("sub_type") == "int":
        usual = core_schema.is_instance_schema(part["cls"])
    elif part["type"] == "fraction" or part.get("function") == MAKE_FRACTION:
        usual = core_schema.is_instance_schema(Fraction)
    else:
        return part
    checked: t.Any = core_schema.union_schema(
        [usual, core_schema.no_info_plain_validator_function(_check_decimal)],
        mode="left_to_right",
        custom_error_type=TOO_LONG,
        custom_error_context={"max_digits": MAX_DIGITS},
    )
    return core_schema.chain_schema([checked, part])


def _labelled(choice: t.Any, original: t.Any) -> t.Any:
    """A choice of a union that errors name as they name the original."""
    if choice is original or isinstance(choice, tuple):
        return choice
    # It may refer to a definition outside of it.
    with suppress(SchemaError):
        return choice, SchemaValidator(original).title
    return choice


def _check_decimal(value: t.Any) -> t.Any:
    """The value, unless it is a decimal with too many digits, the exponent counted."""
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        # That of NaN and infinities is a string.
        power = exponent if isinstance(exponent, int) else 0
        if max(len(digits) + max(power, 0), -power) > MAX_DIGITS:
            raise PydanticKnownError(TOO_LONG, {"max_digits": MAX_DIGITS})
    return value


def _check_fraction(value: t.Any) -> t.Any:
    """The value, unless it is a string with an exponent that is too large."""
    found = EXPONENT.search(value) if isinstance(value, str) else None
    # Of a longer one not even the exponent is made.
    if found and (len(found[1]) > 9 or int(found[1]) > MAX_DIGITS):
        raise PydanticCustomError(*NO_FRACTION)
    return value
