"""The usual return value of a view, of which a response is made in fewer steps."""

from __future__ import annotations

import typing as t

from .._http.json import JSON
from .._http.response import RESPONSES
from .._http.status import has_content
from .._http.status import is_success
from .plan import OutboundPlan

if t.TYPE_CHECKING:
    from collections.abc import Callable


def compile_respond(plan: OutboundPlan) -> Callable[[t.Any], t.Any]:
    """``plan.respond()``, which asks nothing that depends on the plan alone.

    A value without a status of its own has the same serializer and content type each
    time. Whatever else a view may return is left to the plan.
    """
    status, app, write = plan.status, plan.app, plan.write
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

    def respond(value: t.Any) -> t.Any:
        if isinstance(value, others):
            return plan.respond(value)
        data = write(value, serializer)
        return app.response_class(data, status=status, content_type=content_type)

    return respond
