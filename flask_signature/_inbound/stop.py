"""Core schemas that end a validation, in place of an error that Pydantic builds.

Pydantic asks for a default where a value is absent, or where it is wrong and a schema
says so. One that raises ends the whole validation: nothing but a schema that has a
default for wrong values goes on. The schemas that fail fast are made with these.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import core_schema

from .._errors.format import NotChosen
from .._errors.format import validation_error
from .observed import CURRENT
from .observed import Validation

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from .bounds import Path

#: The value of a union's choice that has failed.
FAILED: t.Final = object()

#: The error of such a choice, which copies no input.
NOT_CHOSEN: t.Final = ValidationError.from_exception_data(
    "request", [{"type": "none_required", "input": NotChosen()}]
)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a value is in the input.

    :param path: to the value, or to the list that it is in.
    :param is_exact: whether it is the former.
    """

    path: Path = ()
    is_exact: bool = True

    def at(self, loc: Path) -> Position:
        """That of a field."""
        return Position((*self.path, *loc)) if self.is_exact else self

    def item(self) -> Position:
        """That of an item of a list."""
        return Position(self.path, is_exact=False)


class StopValidation(Exception):
    """Ends a validation at a value that is wrong.

    :param kind: the type of the error.
    """

    def __init__(self, position: Position, kind: str) -> None:
        super().__init__(position, kind)
        self.position = position
        self.kind = kind

    def error(self) -> ValidationError:
        """What Pydantic raises for the value, as far as it is known."""
        if self.position.is_exact and self.kind != "value_error":
            return validation_error(self.kind, self.position.path)
        why = ValueError("One of the values in it is not valid.")
        return validation_error("value_error", self.position.path, error=why)


class NoValue:
    """No value of a request is an instance of it."""


def validate_fail_fast(
    validate: Callable[[], t.Any], *, otherwise: Callable[[], t.Any]
) -> t.Any:
    """What the validator of a schema that may end a validation returns.

    :param validate: calls it.
    :param otherwise: calls the validator to ask where an exception was taken for a
        refusal: an error of the author's own, a default that is asked for, a value that
        is left out.
    :raises ValidationError: if the value is wrong.
    """
    validation = Validation()
    token = CURRENT.set(validation)
    try:
        made = validate()
    except StopValidation as stop:
        if not validation.is_undecided:
            raise stop.error() from None
    except ValidationError:
        if not validation.is_undecided:
            raise
    else:
        if not validation.is_undecided:
            return made
    finally:
        CURRENT.reset(token)
        # Its traceback leads back here, and to the input.
        validation.stop = None
    return otherwise()


def stop_if_absent(schema: t.Any, position: Position) -> t.Any:
    """The schema of a required field that ends the validation where it is absent."""
    stop = _stopping(position, "missing")
    return core_schema.with_default_schema(schema, default_factory=stop)


def stop_on_error(schema: t.Any, position: Position) -> t.Any:
    """The schema, which ends the validation in place of its first error."""
    return _stop_on_error(schema, _stopping(position, "value_error"))


def stop_at_extras(schema: t.Any, position: Position) -> t.Any:
    """The schema of an object that ends the validation at a key it does not know."""
    nothing = core_schema.is_instance_schema(NoValue)
    extras = _stop_on_error(nothing, _stopping(position, "extra_forbidden"))
    changed = {**schema, "extra_behavior": "allow", "extras_schema": extras}
    if schema["type"] != "model-fields":
        return changed
    return core_schema.no_info_after_validator_function(_without_extras, changed)


def without_default(schema: t.Any) -> t.Any:
    """The schema of a field that may be absent, and then has no value at all."""
    return core_schema.union_schema([schema], mode="left_to_right", auto_collapse=False)


def as_choice(schema: t.Any) -> t.Any:
    """The choice of a union, which has one small error where it ends a validation."""
    caught = core_schema.with_default_schema(schema, default=FAILED, on_error="default")
    return core_schema.no_info_after_validator_function(_check_choice, caught)


def _stopping(position: Position, kind: str) -> Callable[[], t.Any]:
    def stop() -> t.Any:
        validation = CURRENT.get()
        validation.has_stopped = True
        validation.stop = validation.stop or StopValidation(position, kind)
        raise validation.stop

    return stop


def _stop_on_error(schema: t.Any, stop: Callable[[], t.Any]) -> t.Any:
    return core_schema.with_default_schema(
        schema, default_factory=stop, on_error="default"
    )


def _without_extras(parts: tuple[t.Any, t.Any, t.Any]) -> tuple[t.Any, None, t.Any]:
    """What a model is made of that allows no extra keys, and has none."""
    values, _, fields_set = parts
    return values, None, fields_set


def _check_choice(value: t.Any) -> t.Any:
    if value is not FAILED:
        return value
    validation = CURRENT.get()
    validation.stop, validation.has_stopped = None, True
    # Raised again and again, it would keep each of its tracebacks.
    raise NOT_CHOSEN.with_traceback(None)
