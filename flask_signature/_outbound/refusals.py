"""Why a value that a view returned can't be sent, and what its author is to write.

The outbound plan has a value and no serializer that takes it; a
:class:`~.failure.ViewReporter` reports the sentence that comes out.
"""

from __future__ import annotations

import typing as t

from pydantic import ValidationError

from .._types.annotations import show_type
from .failure import find_model
from .status import is_success

if t.TYPE_CHECKING:
    from ..exceptions import ResponseValidationError
    from .failure import ViewReporter
    from .serializer import ResponseSerializer

#: What a serializer raises for a value that it can't write.
WRITE_ERRORS: t.Final = (ValueError, TypeError, OverflowError, RecursionError)


def failure_of(
    value: t.Any,
    error: Exception,
    reporter: ViewReporter,
    *,
    serializer: ResponseSerializer,
    is_item: bool = False,
) -> ResponseValidationError:
    """The exception of a value that a serializer refused, which is logged here.

    :param error: what the serializer raised.
    :param is_item: whether the value is an item of a stream.
    """
    known = "" if is_item else describe_refused(value, serializer.model)
    return reporter.error(
        known or describe_error(error),
        error,
        body=value,
        schema=serializer.adapter.core_schema,
    )


def describe_error(error: Exception) -> str:
    """What is said of most values: the errors follow."""
    if isinstance(error, ValidationError):
        return "returned what its response model refuses"
    return "returned what can't be written as JSON"


def describe_refused(value: object, model: t.Any) -> str:
    """The mistake behind a value that does not fit a model, ``""`` if none is known."""
    if value is not None:
        return describe_status(value)
    shown = show_type(model)
    return (
        f"returned None, but its response model is {shown!r}. Return one, abort with a"
        f" status such as 404, or declare '{shown} | None'."
    )


def describe_status(value: object) -> str:
    """The mistake of a status in the place of a body, ``""`` if it is none."""
    if type(value) is not int or not 100 <= value <= 599:
        return ""
    return (
        f"returned the status {value} in the place of the body. Write"
        f" '(body, {value})', or '(body, status, headers)'."
    )


def describe_stray(
    value: object,
    code: int,
    *,
    serializer: ResponseSerializer | None,
    disabled: bool,
) -> str:
    """Why a value is not sent that is a model, or has one in it, without a serializer.

    :param code: the status that it was returned with.
    :param serializer: of success.
    :param disabled: whether ``response_model=None`` turns that off.
    """
    name, tp = show_stray(value), _type_of_stray(value)
    if disabled:
        return (
            f"returned {name}, but response_model=None leaves out response models."
            " Remove it, or return model_dump()."
        )
    if serializer is not None or not is_success(code):
        return (
            f"returned {name} with status {code}, which has no response model."
            f" Declare it with responses={{{code}: {tp}}}."
        )
    return (
        f"returned {name}, but has no response model. Annotate it '-> {tp}', or"
        f" give response_model={tp}."
    )


def show_stray(value: object) -> str:
    """A model, or a dict or a list that has one in it, as messages show it."""
    name = type(find_model(value)).__name__
    if isinstance(value, (dict, list, tuple)):
        return f"{name!r} in a {'dict' if isinstance(value, dict) else 'list'}"
    return repr(name)


def _type_of_stray(value: object) -> str:
    """The annotation of a function that returns such a value."""
    model = find_model(value)
    name = type(model).__name__
    if isinstance(value, (list, tuple)):
        has_others = any(type(item) is not type(model) for item in value)
        return "list[Any]" if has_others else f"list[{name}]"
    return "dict[str, Any]" if isinstance(value, dict) else name
