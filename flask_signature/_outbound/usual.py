"""The usual return value of a view, of which a response is made in fewer steps."""

from __future__ import annotations

import typing as t

from .._http.json import JSON
from .._http.response import RESPONSES
from .._http.response import Response
from .._http.response import compile_constructor
from .._http.status import has_content
from .._http.status import is_success
from .plan import OutboundPlan
from .refusals import WRITE_ERRORS
from .refusals import failure_of

if t.TYPE_CHECKING:
    from collections.abc import Callable


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
    usual = None if issubclass(dict, others) else dict
    write, write_validated = serializer.write, serializer.write_validated
    construct = compile_constructor(status, content_type)

    def respond(value: t.Any) -> t.Any:
        if type(value) is not usual and isinstance(value, others):
            return plan.respond(value)
        try:
            if validates():
                data = write_validated(value)
            else:
                data = write(value, validate=False)
        except WRITE_ERRORS as error:
            raise failure_of(
                value, error, plan.reporter, serializer=serializer
            ) from error
        if app.response_class is Response:
            return construct(data)
        return app.response_class(data, status=status, content_type=content_type)

    return respond
