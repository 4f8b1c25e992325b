"""The built-in error formats, by the value of ``SIGNATURE_ERROR_FORMAT``.

An HTTP exception goes in, the response to it comes out.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

from pydantic import TypeAdapter
from werkzeug.exceptions import InternalServerError

from .._once import Once
from ..exceptions import RenderedError, RequestValidationError, ResponseValidationError
from .format import MAX_BYTES, fit_entries, read_entry, refuse, write_json
from .messages import description_of, message_of, without_cause
from .models import HTTPErrorMessage, HTTPProblem, ValidationFailures, ValidationProblem

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from werkzeug.exceptions import HTTPException

    from .format import ErrorDetails, ErrorEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltInFormat:
    """One of the formats of the responses to errors.

    :param status: of a request that is refused.
    :param media_type: the content type.
    :param request_model: of the response to such a request.
    :param request_content: makes the JSON value of the body out of the entries.
    :param http_model: of the response to any other error.
    :param http_content: makes the JSON value of that body.
    :param translate: changes an error of Pydantic before it becomes an entry.
    """

    status: int = 422
    media_type: str = "application/json"
    request_model: t.Any = ValidationFailures
    request_content: Callable[[Sequence[t.Any]], dict[str, t.Any]]
    http_model: t.Any = HTTPErrorMessage
    http_content: Callable[[HTTPException], t.Any]
    translate: Callable[[ErrorDetails], ErrorDetails] | None = None

    @property
    def request_adapter(self) -> TypeAdapter[t.Any]:
        """Of the model of a response to a refused request."""
        return ADAPTERS[self.request_model]()

    @property
    def http_adapter(self) -> TypeAdapter[t.Any]:
        """Of the model of a response to any other error."""
        return ADAPTERS[self.http_model]()

    def refuse(self, errors: Sequence[ErrorDetails]) -> RequestValidationError:
        """The exception of a request with some errors."""
        return refuse(errors, self)

    def render(self, error: HTTPException) -> RenderedError:
        """The response to an error."""
        if isinstance(error, RequestValidationError):
            entries: Sequence[t.Any] = error.errors
            if self.translate is not None and error.details is not None:
                entries = [*map(read_entry, map(self.translate, error.details))]
            return RenderedError(self._write(entries), self.status, self.media_type)
        if isinstance(error, ResponseValidationError):
            return RenderedError(SERVER_ERRORS[self.http_content], 500, self.media_type)
        body = write_json(self.http_content(without_cause(error))) + b"\n"
        return RenderedError(body, error.code or 500, self.media_type)

    def _write(self, entries: Sequence[ErrorEntry]) -> bytes:
        """The body of the response to a request with errors of these entries."""
        body = write_json(self.request_content(entries))
        if len(body) <= MAX_BYTES:
            return body
        return write_json(self.request_content(fit_entries(entries)))


#: The adapters of the models, shared by all documents, also those that are built at
#: the same time.
ADAPTERS: t.Final[dict[t.Any, Once[TypeAdapter[t.Any]]]] = {
    model: Once(partial(TypeAdapter, model))
    for model in (ValidationFailures, ValidationProblem, HTTPErrorMessage, HTTPProblem)
}


def failures(entries: Sequence[ErrorEntry]) -> dict[str, t.Any]:
    """The value of :class:`ValidationFailures`."""
    return {"detail": entries}


def message(error: HTTPException) -> dict[str, t.Any]:
    """The value of :class:`HTTPErrorMessage`."""
    return {"message": message_of(error)}


def _to_pydantic1(error: ErrorDetails) -> ErrorDetails:
    # The table is long, and few applications need it.
    from .pydantic1 import to_pydantic1

    return to_pydantic1(error)


def _request_problem(entries: Sequence[ErrorEntry]) -> dict[str, t.Any]:
    return {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": RequestValidationError.description,
        "errors": entries,
    }


def _http_problem(error: HTTPException) -> dict[str, t.Any]:
    """The value of :class:`HTTPProblem`.

    A description that is an object extends it.

    Source: RFC 9457, 3.2 (Extension Members).
    """
    problem = {"type": "about:blank", "title": error.name, "status": error.code}
    description = description_of(error)
    if isinstance(description, dict):
        return {**problem, **{k: v for k, v in description.items() if _extends(k, v)}}
    if description is None:
        return problem
    # The detail is a string. Source: RFC 9457, 3.1.4.
    is_string = isinstance(description, str)
    return {
        **problem,
        "detail": description if is_string else write_json(description).decode(),
    }


def _extends(name: str, value: object) -> bool:
    """Whether a member may stand in a problem: those of the RFC are strings."""
    return name != "status" and (name not in PROBLEM_STRINGS or isinstance(value, str))


#: The members of a problem that are strings. Source: RFC 9457, 3.1.
PROBLEM_STRINGS: t.Final = frozenset({"type", "title", "detail", "instance"})

#: What is sent for an error of the server, which is always the same.
SERVER_ERRORS: t.Final[dict[Callable[[HTTPException], t.Any], bytes]] = {
    content: write_json(content(InternalServerError(ResponseValidationError.message)))
    + b"\n"
    for content in (message, _http_problem)
}

#: By the value of ``SIGNATURE_ERROR_FORMAT``. Source of the last: RFC 9457.
ERROR_FORMATS: t.Final = {
    "pydantic2": BuiltInFormat(request_content=failures, http_content=message),
    "pydantic1": BuiltInFormat(
        status=400,
        request_content=failures,
        http_content=message,
        translate=_to_pydantic1,
    ),
    "problem": BuiltInFormat(
        media_type="application/problem+json",
        request_model=ValidationProblem,
        request_content=_request_problem,
        http_model=HTTPProblem,
        http_content=_http_problem,
    ),
}
