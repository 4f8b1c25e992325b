"""From the return value of a view to a response: what runs for each request.

A return value goes in, a response or a value for Flask's ``make_response()`` comes out;
the view function of an operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from types import NoneType

from flask import request
from pydantic import BaseModel

from .._common import (
    RESPONSES,
    content_type_of,
    has_content,
    is_status,
    is_success,
    is_success_key,
    split_response_tuple,
    status_code,
)
from .._http.json import JSON
from .._http.response import WrittenBody, start_of
from .._types.annotations import STRING_TYPES
from .annotation import read_bodies
from .failures import WRITE_ERRORS, describe_stray, find_model, is_value
from .responses import NO_DECLARED, STANDARD, keys_of_response
from .stream import StreamedItems, add_event_headers, is_stream

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Flask
    from werkzeug.wrappers import Response

    from .._routing.declaration import Declaration
    from .annotation import AnnotatedBody, Returns
    from .failures import ViewReporter
    from .responses import DeclaredResponse, ResponseHeaders
    from .serializer import ResponseSerializer
    from .stream import StreamFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRow:
    """What is sent with one status: a row of the table of a plan.

    :param returns: what the annotation says of it.
    :param serializer: of the model, ``None`` where there is none.
    :param may_be_tuple: whether a value of the model may be a tuple, as one with a
        status is.
    :param stream: how the items of a stream are written, ``None`` where it is none.
    :param containers: returns the serializer of dicts and lists of ``Any`` that hold a
        model, ``None`` where the annotation names none.
    :param headers: that the annotation names, ``None`` where they are Flask's.
    :param is_annotated: whether the annotation names the status.
    :param key: of ``responses=`` that is about it, ``None`` where none is.
    :param declared: what that says.
    """

    returns: Returns
    serializer: ResponseSerializer | None
    may_be_tuple: bool
    stream: StreamFormat | None
    containers: Callable[[], ResponseSerializer] | None
    headers: ResponseHeaders | None
    is_annotated: bool
    key: int | str | None = None
    declared: DeclaredResponse = NO_DECLARED

    def plain_bodies(self) -> list[AnnotatedBody]:
        """What a view returns that Flask makes responses of, as its annotation says.

        A value without an annotation may be anything; ``None`` has no body. Beside a
        model these are the types that are sent as they are. A stream is none of them
        where it is known how its items are written.
        """
        types = [self.returns.annotation]
        if self.serializer is not None:
            types = [*self.returns.passthrough]
        return [
            body
            for body in chain.from_iterable(map(read_bodies, types))
            if body.plain is not NoneType and not (self.stream and body.is_stream)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundPlan:
    """How the return value of a view becomes a response.

    :param reporter: of what can't be sent.
    :param declaration: the options of the operation.
    :param status: the status of a response that says none.
    :param usual: the row of a success of which nothing else is said.
    :param annotated: the rows of the statuses that the annotation names.
    :param has_default: whether a view may return a value without a status.
    :param responses: what ``responses=`` declares of a status, a class of them or
        ``"default"``. It has no model where the annotation gives one.
    :param standard: returns the serializer of an error and its content type.
    :param defers_status: whether the application calls :meth:`complete` for what Flask
        makes a response of.
    :ivar rows: the table, as far as it has been asked for.
    :ivar completes: whether that changes anything.
    :ivar content_type: the header of a success with a response model.
    :ivar is_noop: whether Flask makes the same response without a plan.
    """

    reporter: ViewReporter
    declaration: Declaration
    status: int
    usual: ResponseRow
    annotated: Mapping[t.Any, ResponseRow]
    has_default: bool
    responses: Mapping[int | str, DeclaredResponse]
    standard: Callable[[], tuple[ResponseSerializer, str]]
    defers_status: bool
    rows: dict[int | str | None, ResponseRow] = field(init=False)
    completes: bool = field(init=False)
    content_type: str = field(init=False)
    is_noop: bool = field(init=False)

    def __post_init__(self) -> None:
        usual, media_type = self.usual, self.declaration.media_type
        holds_models = self.defers_status and usual.containers is not None
        default = self.app.response_class.default_status
        is_default = self.status == default and not usual.returns.returns_none
        completes = holds_models or not is_default
        is_changed = (
            usual.serializer
            or usual.stream
            or self.annotated
            or media_type is not None
            or self.declaration.etag
            or [x for x in self.responses.values() if x.serializer or x is STANDARD]
        )
        found = {
            "rows": {},
            "completes": completes,
            "content_type": content_type_of(media_type or JSON, "utf-8"),
            "is_noop": not is_changed and (self.defers_status or not completes),
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @property
    def app(self) -> Flask:
        """The application, which has the class of responses."""
        return self.reporter.app

    def respond(self, value: t.Any) -> t.Any:
        """A response for what a view returned, or what Flask makes one of.

        :raises ResponseValidationError: if the value does not fit the response model.
        """
        response = self._respond(value)
        return self._with_etag(response) if self.declaration.etag else response

    def complete(self, value: t.Any) -> t.Any:
        """What a view returned, with the default status, for ``make_response()``.

        What is a response already, or names its status, is returned as it is.
        """
        parts = _split(value)
        return value if parts is None else self._complete(parts)

    def with_default(self, value: t.Any) -> tuple[t.Any, int | None]:
        """What a response is made of, and the default status that it is given then.

        It is made of the value itself, if that can be, and ``None`` is its own status.
        """
        parts = _split(value)
        if parts is None:
            return value, None
        body, status, _ = parts
        made = self._complete(parts)
        # A WSGI application with headers, which are two parts, has its own status.
        if type(made) is not tuple or len(made) < 3 or made[0] is not body:
            return made, None
        return value, self.status if status is None else None

    def _complete(
        self, parts: tuple[t.Any, t.Any, t.Any], row: ResponseRow | None = None
    ) -> t.Any:
        body, status, headers = parts
        code = self._code_of(status)
        if row is None:
            row = self.usual if status is None else self.find(code)
        if not has_content(code):
            return self._without_content(body, code, headers)
        if body is None and row.returns.returns_none:
            body = ""
        if callable(body) and status is None:
            # A WSGI application has a status of its own.
            return body if headers is None else (body, headers)
        if row.containers and (self.defers_status or row.is_annotated):
            body = self._write_container(body, row.containers)
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
        parts = _split(value) if self._is_response(value) else (value, None, None)
        if parts is None:
            return value
        body, status, headers = parts
        row = self._row_of(body, status, headers)
        if row.is_annotated:
            status = status or self.status
            is_absent = headers is None and row.returns.may_have_none
            if row.headers and not is_absent:
                headers = self._write_headers(row.headers, status, headers)
        code = self._code_of(status)
        if not has_content(code):
            return self._without_content(body, code, headers)
        stream, serializer = row.stream, row.serializer
        if stream is not None and is_stream(body):
            return self._stream(body, stream, status=status or code, headers=headers)
        if serializer is not None and not isinstance(body, row.returns.passthrough):
            data = self.write(body, serializer)
            media_type = self.content_type if is_success(code) else JSON
            return self._response(
                data, media_type, status=status or code, headers=headers
            )
        response = self._pass_on(body, status, headers, row=row)
        if response is not None or (self.defers_status and not row.is_annotated):
            return value if response is None else response
        return self._complete((body, status, headers), row)

    def _row_of(self, body: t.Any, status: t.Any, headers: t.Any) -> ResponseRow:
        """The row of what a view returns.

        :raises ResponseValidationError: if the annotation says nothing of its status.
        """
        if self.has_default and status is None and headers is None:
            return self.find(None)
        code = self._code_of(status)
        if isinstance(status, str) and self.annotated and not is_status(status):
            raise self.reporter.error("returned a status without a number.", body=body)
        row, is_default = self.find(code), self.has_default and code == self.status
        if row.is_annotated or row.key is not None or not self.annotated:
            return row
        if is_default or row.returns.is_open:
            return row
        raise self.reporter.error(
            f"returned the status {code}, which its annotation does not name. Add"
            f" tuple[..., Literal[{code}]] to it.",
            body=body,
        )

    def find(self, status: int | str | None) -> ResponseRow:
        """The row of a status, a class such as ``"4XX"``, or ``"default"``.

        Where the annotation does not name it, the model is that of the status itself,
        else that of its class, else that of success for another success, else
        ``"default"`` for an error.

        :param status: ``None`` for what is returned without one.
        """
        row = self.rows.get(status)
        if row is None:
            row = self.compile_row(status)
            # A client may have chosen a number that is none.
            if status is None or is_status(status):
                self.rows[status] = row
        return row

    def compile_row(self, named: int | str | None) -> ResponseRow:
        """The row of a status, made anew."""
        status = self.status if named is None else named
        row = self.annotated.get(named, self.usual)
        keys = [key for key in keys_of_response(status) if key in self.responses]
        # What is said of a status is about the member that names it.
        keys = [x for x in keys if named is not None or x not in self.annotated]
        is_default, succeeds = status == self.status, is_success_key(status)
        if not keys and (is_default or succeeds):
            return row
        if keys:
            row = replace(row, key=keys[0], declared=self.responses[keys[0]])
        if row.is_annotated:
            return row
        models = [self.responses[key].serializer for key in keys]
        models = [*models, row.serializer] if succeeds else models[:1]
        if is_default:
            models.insert(status in keys, row.serializer)
        row = replace(row, serializer=next(filter(None, models), None))
        is_own = is_default or succeeds
        return row if is_own else replace(row, stream=None, containers=None)

    def _write_headers(
        self, known: ResponseHeaders, status: t.Any, headers: t.Any
    ) -> t.Any:
        try:
            return known.write({} if headers is None else headers)
        except WRITE_ERRORS as error:
            raise self.reporter.error(
                f"returned headers for status {self._code_of(status)} that do not fit",
                error,
                body=headers,
                schema=known.adapter.core_schema,
            ) from error

    def _code_of(self, status: t.Any) -> int:
        return self.status if status is None else status_code(status)

    def _is_response(self, value: t.Any) -> bool:
        """Whether what a view returned is what Flask has, and no value of the model."""
        if self.usual.serializer is None or not isinstance(value, tuple):
            return True
        if type(value) is not tuple:
            return False
        # If a value of the model may be a tuple, only a tuple that begins with one is
        # a body with a status or headers.
        return not self.usual.may_be_tuple or isinstance((*value, None)[0], tuple)

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
            raise self.reporter.refuse(
                value, error, serializer, is_item=is_item
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

    def _pass_on(
        self, value: t.Any, status: t.Any, headers: t.Any, *, row: ResponseRow
    ) -> Response | None:
        """The response to a value without a model, ``None`` where Flask makes it.

        :raises ResponseValidationError: if Flask can't.
        """
        code, returns = self._code_of(status), row.returns
        if row.stream is not None:
            others = (*STRING_TYPES, *returns.passthrough, *returns.beside_stream)
            if not isinstance(value, others):
                raise self.reporter.error("returned no stream of items.", body=value)
        is_standard = row.declared is STANDARD and not row.is_annotated
        if is_standard and is_value(value):
            serializer, content_type = self.standard()
            data = self.write(value, serializer)
            return self._response(data, content_type, status=status, headers=headers)
        if isinstance(value, BaseModel):
            message = describe_stray(
                value,
                code,
                serializer=row.serializer,
                disabled=self.declaration.response_model is None,
            )
            raise self.reporter.error(message, body=value)
        media_type = self.declaration.media_type
        is_application = callable(value) and status is None
        if media_type is None or not is_success(code) or is_application:
            return None
        response = self.app.make_response(self._complete((value, status, headers), row))
        if is_success(response.status_code):
            response.mimetype = media_type
            add_event_headers(response, media_type)
        return response

    def _without_content(self, value: t.Any, code: int, headers: t.Any) -> Response:
        if not (value is None or (isinstance(value, STRING_TYPES) and not value)):
            self.reporter.warn_dropped(code)
        response = self.app.response_class(status=code)
        del response.headers["Content-Type"]
        if headers:
            response.headers.update(headers)
        return response


#: What may have a status of its own, whatever the model.
NOT_USUAL: t.Final = (*RESPONSES, tuple)


def _split(value: t.Any) -> tuple[t.Any, t.Any, t.Any] | None:
    """The body, status and headers, ``None`` where Flask takes the value as it is.

    Flask merges a response with the rest of a tuple, or refuses the tuple.
    """
    if isinstance(value, RESPONSES):
        return None
    if not isinstance(value, tuple):
        return value, None, None
    parts = split_response_tuple(value)
    return None if parts is None or isinstance(parts[0], RESPONSES) else parts


def compile_write(plan: OutboundPlan) -> Callable[[t.Any], t.Any]:
    """``plan.respond()``, which asks nothing that depends on the plan alone.

    A value without a status of its own has the same serializer and content type each
    time: a :class:`WrittenBody` is returned for it. Whatever else a view may return is
    left to the plan.
    """
    serializer = plan.compile_row(None).serializer
    content_type = plan.content_type if is_success(plan.status) else JSON
    start = start_of(plan.status, None, content_type)
    if (
        serializer is None
        or start is None
        or plan.annotated
        or plan.usual.stream is not None
        or plan.declaration.etag
        or not has_content(plan.status)
    ):
        return plan.respond
    passthrough = plan.usual.returns.passthrough
    others = (*NOT_USUAL, *passthrough) if passthrough else NOT_USUAL
    usual = None if issubclass(dict, others) else dict
    write = serializer.write

    # The collector looks at each variable of a function around: the plan has the rest.
    def respond(value: t.Any) -> t.Any:
        if type(value) is not usual and isinstance(value, others):
            return plan.respond(value)
        try:
            return WrittenBody(write(value), start)
        except WRITE_ERRORS as error:
            used = t.cast("ResponseSerializer", plan.find(None).serializer)
            raise plan.reporter.refuse(value, error, used) from error

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
    if type(made) is not WrittenBody:
        return made
    # Another class may be set at any time.
    return made.response(plan.reporter.app.response_class)
