"""The usual return value of a view, of which a response is made in fewer steps."""

from __future__ import annotations

import typing as t
from functools import partial

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from .._http.json import JSON
from .._http.response import RESPONSES
from .._http.status import has_content
from .._http.status import is_success
from .plan import OutboundPlan
from .refusals import WRITE_ERRORS
from .refusals import failure_of
from .serializer import USUAL_OPTIONS
from .serializer import holds_dicts

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from .serializer import ResponseSerializer


def compile_respond(plan: OutboundPlan) -> Callable[[t.Any], t.Any]:
    """``plan.respond()``, which asks nothing that depends on the plan alone.

    A value without a status of its own has the same serializer and content type each
    time. Whatever else a view may return is left to the plan.
    """
    status, app, validates = plan.status, plan.app, plan.validates
    serializer = plan.serializer_of(status)
    if (
        serializer is None
        or type(plan) is not OutboundPlan
        or plan.stream is not None
        or plan.etag
        or not has_content(status)
    ):
        return plan.respond
    content_type = plan.content_type if is_success(status) else JSON
    others = (*RESPONSES, tuple, *plan.passthrough)
    write, write_unvalidated = _compile_write(serializer), serializer.write

    def respond(value: t.Any) -> t.Any:
        if isinstance(value, others):
            return plan.respond(value)
        try:
            if validates():
                data = write(value)
            else:
                data = write_unvalidated(value, validate=False)
        except WRITE_ERRORS as error:
            raise failure_of(
                value, error, plan.reporter, serializer=serializer
            ) from error
        return app.response_class(data, status=status, content_type=content_type)

    return respond


def _compile_write(serializer: ResponseSerializer) -> Callable[[t.Any], bytes]:
    """``serializer.write()`` of values that are validated, for the usual options."""
    if serializer.options != USUAL_OPTIONS or serializer.filter.constants:
        return partial(serializer.write, validate=True)
    validate = serializer.adapter.validator.validate_python
    to_json = serializer.adapter.serializer.to_json
    dicts = serializer.typed_dict_adapter or serializer.adapter
    validate_dicts = dicts.validator.validate_python
    dicts_to_json = dicts.serializer.to_json
    keep = serializer.filter.keep if serializer.filter.always_apply else None
    takes_dicts = serializer.typed_dict_adapter is not None

    # The options are named in the calls, since a dictionary of them is read slowly.
    def write(value: t.Any) -> bytes:
        if takes_dicts and (type(value) is dict or holds_dicts(value)):
            try:
                made = validate_dicts(value)
                return dicts_to_json(made, warnings=False, by_alias=True)
            except (ValidationError, PydanticSerializationError):
                # The model itself decides, and has the better message.
                pass
        made = validate(value, from_attributes=True)
        if keep is not None:
            made = keep(made)
        try:
            return to_json(made, warnings="error", by_alias=True)
        except PydanticSerializationError:
            return serializer.write_changed(made)

    return write
