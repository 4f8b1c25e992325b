"""From the return value of a view to a response: what runs for each request.

A return value goes in, a response or a value for Flask's ``make_response()`` comes out;
the view function of an operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

from flask import request
from pydantic import BaseModel

from .._common import (
    RESPONSES,
    content_type_of,
    has_content,
    is_status,
    is_success,
    split_response_tuple,
    status_code,
)
from .._http.json import JSON
from .._http.response import Body, start_of
from .failures import WRITE_ERRORS, describe_stray, failure_of, find_model, is_value
from .responses import STANDARD, declared_of, keys_of_response
from .stream import StreamedItems, add_event_headers, is_stream, is_string_or_bytes

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Flask
    from werkzeug.wrappers import Response

    from .failures import ViewReporter
    from .headers import ResponseHeaders
    from .responses import DeclaredResponse
    from .serializer import ResponseSerializer
    from .stream import StreamFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundPlan:
    """How the return value of a view becomes a response.

    :param app: gives the class of responses.
    :param reporter: of what can't be sent.
    :param status: the status of a response that says none.
    :param annotation: of what has that status, ``EMPTY`` where there is none.
    :param serializer: of the response model, ``None`` where there is none.
    :param statuses: the serializers of a status, a class of them or ``"default"``.
    :param responses: what ``responses=`` declares of these, for the description.
    :param passthrough: the types that go to Flask as they are beside a model or stream.
    :param returns_none: whether the annotation is ``None``.
    :param body_may_be_tuple: whether a value of the model may be a tuple.
    :param disabled: whether ``response_model=None`` turns off the model of success.
    :param standard: returns the serializer of an error and its content type.
    :param media_type: the content type of success, ``None`` for the usual one.
    :param content_type: the header of a success with a response model.
    :param etag: whether a response gets an entity tag, and may become a 304.
    :param stream: how the items of a stream are written, ``None`` where it is none.
    :param is_noop: whether Flask makes the same response without a plan.
    :param defers_status: whether the application calls :meth:`complete` for what Flask
        makes a response of.
    :param completes: whether that changes anything.
    :param containers: returns the serializer of dicts and lists of ``Any`` that hold a
        model, ``None`` where the annotation names none.
    """

    app: Flask
    reporter: ViewReporter
    status: int
    annotation: t.Any
    serializer: ResponseSerializer | None
    statuses: Mapping[int | str, ResponseSerializer | None]
    responses: Mapping[int | str, DeclaredResponse]
    passthrough: tuple[type, ...]
    returns_none: bool
    body_may_be_tuple: bool
    disabled: bool
    standard: Callable[[], tuple[ResponseSerializer, str]]
    media_type: str | None
    content_type: str
    etag: bool
    stream: StreamFormat | None
    is_noop: bool
    defers_status: bool
    completes: bool
    containers: Callable[[], ResponseSerializer] | None

    def respond(self, value: t.Any) -> t.Any:
        """A response for what a view returned, or what Flask makes one of.

        :raises ResponseValidationError: if the value does not fit the response model.
        """
        response = self._respond(value)
        return self._with_etag(response) if self.etag else response

    def complete(self, value: t.Any) -> t.Any:
        """What a view returned, with the default status, for ``make_response()``.

        What is a response already, or names its status, is returned as it is.
        """
        parts = self._split(value)
        if parts is None:
            return value
        body, status, headers = parts
        code = self._code_of(status)
        if not has_content(code):
            return self._without_content(body, code, headers)
        if body is None and self.returns_none:
            body = ""
        if callable(body) and status is None:
            # A WSGI application has a status of its own.
            return body if headers is None else (body, headers)
        if self.containers is not None and (is_success(code) or code == self.status):
            body = self._write_container(body, self.containers)
        return body, status or code, headers

    def _with_etag(self, value: t.Any) -> Response:
        response = self.app.make_response(self.complete(value))
        # A condition is evaluated where the response would be a success without it.
        # Source: RFC 9110, 13.2.1.
        if response.is_streamed or not is_success(response.status_code):
            return response
        response.add_etag()
        return response.make_conditional(request)

    def _respond(self, value: t.Any) -> t.Any:
        parts = self._split(value)
        if parts is None:
            return value
        response = self.respond_with(*parts)
        if response is not None:
            return response
        return value if self.defers_status else self.complete(value)

    def _split(self, value: t.Any) -> tuple[t.Any, t.Any, t.Any] | None:
        """The body, status and headers, ``None`` where Flask takes the value as it is.

        Flask merges a response with the rest of a tuple, or refuses the tuple.
        """
        if isinstance(value, RESPONSES):
            return None
        if not isinstance(value, tuple) or not self._is_response_tuple(value):
            return value, None, None
        parts = split_response_tuple(value)
        return None if parts is None or isinstance(parts[0], RESPONSES) else parts

    def _code_of(self, status: t.Any) -> int:
        return self.status if status is None else status_code(status)

    def respond_with(
        self, value: t.Any, status: t.Any, headers: t.Any
    ) -> Response | None:
        """The response to a body, ``None`` where Flask makes it.

        :raises ResponseValidationError: if the body does not fit the response model.
        """
        code = self._code_of(status)
        if not has_content(code):
            return self._without_content(value, code, headers)
        if self.stream is not None and self.is_streamed(code) and is_stream(value):
            return self._stream(
                value, self.stream, status=status or code, headers=headers
            )
        serializer = self.serializer_of(code)
        if serializer is None or isinstance(value, self.passthrough):
            return self._pass_on(value, status, headers)
        data = self.write(value, serializer)
        content_type = self.content_type if is_success(code) else JSON
        return self._response(
            data, content_type, status=status or code, headers=headers
        )

    def _is_response_tuple(self, value: tuple[t.Any, ...]) -> bool:
        """Whether a tuple is Flask's ``(body, status, headers)``, and no value."""
        if self.serializer is None:
            return True
        if type(value) is not tuple:
            return False
        # If a value of the model may be a tuple, only a tuple that begins with one is
        # a body with a status or headers.
        return not self.body_may_be_tuple or isinstance((*value, None)[0], tuple)

    def is_streamed(self, code: int) -> bool:
        """Whether a stream is written item by item: as a success, or the usual one."""
        return self.stream is not None and (is_success(code) or code == self.status)

    def serializer_of(self, code: int) -> ResponseSerializer | None:
        """The serializer of a status.

        It is that of the status itself, else that of its class (``"4XX"``), else that
        of success for another success, else ``"default"`` for an error.
        """
        own = self.statuses.get(code)
        if own is None and code == self.status:
            own = self.serializer
        if own is not None:
            return own
        family = f"{code // 100}XX"
        for key in (code, family):
            if key in self.statuses and not is_success(code):
                return self.statuses[key]
        if is_success(code):
            return self.statuses.get(family) or self.serializer
        return self.statuses.get("default") if code >= 400 else None

    def _write_container(
        self, body: t.Any, serializer: Callable[[], ResponseSerializer]
    ) -> t.Any:
        """The response to a dict or a list, which Flask makes if it holds no model."""
        if not isinstance(body, (dict, list)):
            return body
        try:
            return self.app.json.response(body)
        except TypeError:
            if find_model(body) is None:
                raise
        data = self.write(body, serializer())
        return self.app.response_class(data, content_type=JSON)

    def write(
        self, value: t.Any, serializer: ResponseSerializer, *, is_item: bool = False
    ) -> bytes:
        """The JSON of a value. :raises ResponseValidationError: if it does not fit."""
        try:
            return serializer.write(value)
        except WRITE_ERRORS as error:
            raise failure_of(
                value, error, self.reporter, serializer=serializer, is_item=is_item
            ) from error

    def _response(
        self, body: t.Any, content_type: str, *, status: t.Any, headers: t.Any
    ) -> Response:
        response = self.app.response_class(body, status, content_type=content_type)
        if headers:
            response.headers.update(headers)
        return response

    def _stream(
        self, value: t.Any, stream: StreamFormat, *, status: t.Any, headers: t.Any
    ) -> Response:
        items = StreamedItems(
            value,
            stream,
            write=partial(self.write, is_item=True),
            failed=self.reporter.log_broken_stream,
        )
        content_type = content_type_of(stream.mimetype, "utf-8")
        response = self._response(items, content_type, status=status, headers=headers)
        add_event_headers(response, stream.mimetype)
        items.start()
        return response

    def _pass_on(self, value: t.Any, status: t.Any, headers: t.Any) -> Response | None:
        """The response to a value without a model, ``None`` where Flask makes it.

        :raises ResponseValidationError: if Flask can't.
        """
        code = self._code_of(status)
        passes = is_string_or_bytes(value) or isinstance(value, self.passthrough)
        if self.is_streamed(code) and not passes:
            raise self.reporter.error("returned no stream of items.", body=value)
        if is_value(value) and declared_of(self.responses, code) is STANDARD:
            serializer, content_type = self.standard()
            data = self.write(value, serializer)
            return self._response(data, content_type, status=status, headers=headers)
        if isinstance(value, BaseModel):
            message = describe_stray(
                value, code, serializer=self.serializer, disabled=self.disabled
            )
            raise self.reporter.error(message, body=value)
        if self.media_type is None or not is_success(code):
            return None
        if callable(value) and status is None:
            return None
        response = self.app.make_response(self.complete((value, status, headers)))
        if is_success(response.status_code):
            response.mimetype = self.media_type
            add_event_headers(response, self.media_type)
        return response

    def _without_content(self, value: t.Any, code: int, headers: t.Any) -> Response:
        if not (value is None or (is_string_or_bytes(value) and not value)):
            self.reporter.warn_dropped(code)
        response = self.app.response_class(status=code)
        del response.headers["Content-Type"]
        if headers:
            response.headers.update(headers)
        return response


#: What may have a status of its own, whatever the model.
NOT_USUAL: t.Final = (*RESPONSES, tuple)


def compile_write(plan: OutboundPlan) -> Callable[[t.Any], t.Any]:
    """``plan.respond()``, which asks nothing that depends on the plan alone.

    A value without a status of its own has the same serializer and content type each
    time: a :class:`Body` is returned for it. Whatever else a view may return is left to
    the plan.
    """
    serializer = plan.serializer_of(plan.status)
    content_type = plan.content_type if is_success(plan.status) else JSON
    start = start_of(plan.status, None, content_type)
    if (
        serializer is None
        or start is None
        or type(plan) is not OutboundPlan
        or plan.stream is not None
        or plan.etag
        or not has_content(plan.status)
    ):
        return plan.respond
    others = (*NOT_USUAL, *plan.passthrough) if plan.passthrough else NOT_USUAL
    usual = None if issubclass(dict, others) else dict
    write = serializer.write

    # The collector looks at each variable of a function around: the plan has the rest.
    def respond(value: t.Any) -> t.Any:
        if type(value) is not usual and isinstance(value, others):
            return plan.respond(value)
        try:
            return Body(write(value), start)
        except WRITE_ERRORS as error:
            used = t.cast("ResponseSerializer", plan.serializer_of(plan.status))
            raise failure_of(value, error, plan.reporter, serializer=used) from error

    return respond


def compile_respond(
    plan: OutboundPlan, write: Callable[[t.Any], t.Any]
) -> Callable[[t.Any], t.Any]:
    """``plan.respond()``, by what has been compiled for it."""
    return write if write == plan.respond else partial(_respond, plan, write)


def _respond(
    plan: OutboundPlan, write: Callable[[t.Any], t.Any], value: t.Any
) -> t.Any:
    made = write(value)
    # Another class may be set at any time.
    return made.response(plan.app.response_class) if type(made) is Body else made


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
