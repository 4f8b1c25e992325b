"""From the return value of a view to a response, where its annotation names statuses.

A return value goes in, a response or a value for Flask's ``make_response()`` comes out;
the view function of an operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from .declared import keys_of_response
from .plan import OutboundPlan
from .refusals import WRITE_ERRORS
from .status import is_status

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .headers import ResponseHeaders


@dataclass(frozen=True, slots=True)
class AnnotatedResponse:
    """What an annotation says of one status.

    :param plan: for the body.
    :param headers: ``None`` where they are Flask's.
    :param may_have_none: whether the headers may be left out.
    """

    plan: OutboundPlan
    headers: ResponseHeaders | None
    may_have_none: bool

    def respond(self, body: t.Any, status: t.Any, headers: t.Any) -> t.Any:
        """The response with the status, or what Flask makes one of.

        :raises ResponseValidationError: if the body or the headers do not fit.
        """
        if self.headers is not None and not (headers is None and self.may_have_none):
            headers = self._write_headers(self.headers, headers)
        status = status or self.plan.status
        response = self.plan.respond_with(body, status, headers)
        if response is not None:
            return response
        return self.plan.complete((body, status, headers))

    def _write_headers(self, known: ResponseHeaders, headers: t.Any) -> t.Any:
        try:
            return known.write({} if headers is None else headers)
        except WRITE_ERRORS as error:
            raise self.plan.reporter.error(
                f"returned headers for status {self.plan.status} that do not fit",
                error,
                body=headers,
                schema=known.adapter.core_schema,
            ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusPlan(OutboundPlan):
    """How the return value of a view becomes a response, by its status.

    It is itself the plan of the member without a status.

    :param annotated: what the annotation says, by status.
    :param has_default: whether a member of the annotation has no status.
    :param is_open: whether a member may have any status.
    """

    annotated: Mapping[int, AnnotatedResponse]
    has_default: bool
    is_open: bool

    def _respond(self, value: t.Any) -> t.Any:
        parts = self._split(value)
        if parts is None:
            return value
        body, status, headers = parts
        own = self._choose(body, status, headers)
        if own is not None:
            return own.respond(body, status, headers)
        response = self.respond_with(body, status, headers)
        return self.complete(parts) if response is None else response

    def _choose(
        self, body: t.Any, status: t.Any, headers: t.Any
    ) -> AnnotatedResponse | None:
        """What the annotation says of a status, ``None`` for the member without one.

        :raises ResponseValidationError: if it says nothing of it.
        """
        if self.has_default and status is None and headers is None:
            return None
        if isinstance(status, str) and not is_status(status):
            raise self.reporter.error("returned a status without a number.", body=body)
        code = self._code_of(status)
        if code in self.annotated:
            return self.annotated[code]
        is_default = self.has_default and code == self.status
        is_declared = any(key in self.statuses for key in keys_of_response(code))
        if is_default or self.is_open or is_declared:
            return None
        raise self.reporter.error(
            f"returned the status {code}, which its annotation does not name. Add"
            f" tuple[..., Literal[{code}]] to it.",
            body=body,
        )

    def _is_response_tuple(self, value: tuple[t.Any, ...]) -> bool:
        """Whether a tuple is Flask's, as it is where a type is not one itself."""
        return self.serializer is None or type(value) is tuple


def annotated_responses(plan: OutboundPlan) -> Mapping[int, AnnotatedResponse]:
    """What a return annotation says of the statuses that it names."""
    return plan.annotated if isinstance(plan, StatusPlan) else {}


def has_default(plan: OutboundPlan) -> bool:
    """Whether what a view returns may leave its status out."""
    return not isinstance(plan, StatusPlan) or plan.has_default
