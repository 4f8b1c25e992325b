"""From the return value of a view to a response, compiled."""

from __future__ import annotations

import typing as t
from collections import abc
from dataclasses import dataclass

from flask import request
from pydantic import BaseModel
from pydantic import ValidationError
from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from ._http.status import has_content
from ._http.status import is_success
from ._http.status import status_code
from ._streams import StreamedItems
from ._streams import StreamFormat

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from flask import Flask

    from ._content import Content
    from ._place import Place

JSON: t.Final = "application/json"

#: What is a response already, with a status of its own.
READY: t.Final = (Response, HTTPException)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundPlan:
    """How the return value of a view becomes a response.

    :param app: gives the class of responses.
    :param place: the view and the rule, for the log.
    :param status: the status of a response that says none.
    :param content: the response model, ``None`` where there is none.
    :param statuses: what is declared for a status, a class of them or ``"default"``.
    :param passed: the types that go to Flask as they are, although there is a model.
    :param nothing: whether the view says that it returns ``None``.
    :param tuple_body: whether a value of the model is a tuple itself.
    :param off: whether outbound handling is turned off, and nothing is described.
    :param validates: whether values are validated, asked for each response.
    :param media_type: the content type of success, ``None`` for the usual one.
    :param content_type: the header of a success that is made of the response model.
    :param etag: whether a response gets an entity tag, and may become a 304.
    :param stream: makes the texts of a stream of items, ``None`` where it is no stream.
    """

    app: Flask
    place: Place
    status: int
    content: Content | None
    statuses: Mapping[int | str, Content | None]
    passed: tuple[type, ...]
    nothing: bool
    tuple_body: bool
    off: bool
    validates: Callable[[], bool]
    media_type: str | None
    content_type: str
    etag: bool
    stream: StreamFormat | None

    @property
    def idle(self) -> bool:
        """Whether Flask makes the same response without us."""
        return (
            self.content is None
            and not any(self.statuses.values())
            and not self.nothing
            and not self.etag
            and self.stream is None
            and self.media_type is None
            and self.status == self.app.response_class.default_status
        )

    def respond(self, value: t.Any) -> t.Any:
        """A response for what a view returned, or what Flask makes one of.

        :raises ResponseValidationError: if the value does not fit the response model.
        """
        answer = self._answer(value)
        return self._with_etag(answer) if self.etag else answer

    def _with_etag(self, answer: t.Any) -> Response:
        response = self.app.make_response(answer)
        # A condition is looked at where the answer would be a success without it.
        # Source: RFC 9110, 13.2.1.
        if response.is_streamed or not is_success(response.status_code):
            return response
        response.add_etag()
        return response.make_conditional(request)

    def _answer(self, value: t.Any) -> t.Any:
        if isinstance(value, READY):
            return value
        if not isinstance(value, tuple) or not self._is_split(value):
            return self._answer_with(value, None, None)
        parts = split_answer(value)
        if parts is None or isinstance(parts[0], READY):
            # A response keeps what the tuple does not say, which is Flask's business.
            return value
        return self._answer_with(*parts)

    def _answer_with(self, value: t.Any, status: t.Any, headers: t.Any) -> t.Any:
        code = self.status if status is None else status_code(status)
        if not has_content(code):
            return self._without_content(value, code, headers)
        if self.stream is not None and is_success(code) and is_stream(value):
            return self._stream(value, self.stream, status or code, headers)
        content = self.content_of(code)
        if content is None or isinstance(value, self.passed):
            return self._pass_on(value, status, headers)
        text = self._write(value, content)
        content_type = self.content_type if is_success(code) else JSON
        return self._response(text, content_type, status or code, headers)

    def _is_split(self, value: tuple[t.Any, ...]) -> bool:
        """Whether a tuple is Flask's ``(body, status, headers)``, and no value."""
        if self.content is None:
            return True
        if type(value) is not tuple:
            return False
        # Where a tuple is a value, one inside of a tuple is a body.
        return not self.tuple_body or isinstance((*value, None)[0], tuple)

    def content_of(self, code: int) -> Content | None:
        """The model of a status: its own, its class's, that of success, the default."""
        own = self.statuses.get(code)
        if own is None and code == self.status:
            own = self.content
        if own is not None:
            return own
        family = f"{code // 100}XX"
        for key in (code, family):
            if key in self.statuses and not is_success(code):
                return self.statuses[key]
        if is_success(code):
            return self.statuses.get(family) or self.content
        return self.statuses.get("default") if code >= 400 else None

    def _write(self, value: t.Any, content: Content) -> bytes:
        try:
            return content.write(value, validate=self.validates())
        except ValidationError as error:
            message = "returned what its response model refuses:"
            raise self.place.refuse(self.app, message, error, value) from error
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            message = "returned what can't be written as JSON:"
            raise self.place.refuse(self.app, message, error, value) from error

    def _response(
        self, body: t.Any, content_type: str, status: t.Any, headers: t.Any
    ) -> Response:
        response = self.app.response_class(
            body, status=status, content_type=content_type
        )
        if headers:
            response.headers.update(headers)
        return response

    def _stream(
        self, value: t.Any, form: StreamFormat, status: t.Any, headers: t.Any
    ) -> Response:
        items = StreamedItems(
            value,
            form,
            write=self._write,
            failed=lambda: self.place.log_broken_stream(self.app),
        )
        return self._response(items, self.content_type, status, headers)

    def _pass_on(self, value: t.Any, status: t.Any, headers: t.Any) -> t.Any:
        """What Flask makes a response of."""
        code = self.status if status is None else status_code(status)
        if self.stream is not None and is_success(code) and not is_text(value):
            raise self.place.refuse(
                self.app, "returned no stream of items.", body=value
            )
        if isinstance(value, BaseModel):
            message = "returned a model, but has no response model for it."
            raise self.place.refuse(self.app, message, body=value)
        if value is None and self.nothing:
            value = ""
        if callable(value) and status is None:
            # A WSGI application has a status of its own.
            return value if headers is None else (value, headers)
        if self.media_type is not None and is_success(code):
            value = self.app.make_response(value)
            value.mimetype = self.media_type
        return value, status or code, headers

    def _without_content(self, value: t.Any, code: int, headers: t.Any) -> Response:
        if not (value is None or (is_text(value) and not value)):
            self.place.warn_dropped(self.app, code)
        response = self.app.response_class(status=code)
        del response.headers["Content-Type"]
        if headers:
            response.headers.update(headers)
        return response


def is_text(value: object) -> bool:
    """Whether a value is sent as it is, letter by letter."""
    return isinstance(value, (str, bytes, bytearray))


def is_stream(value: object) -> bool:
    """Whether a value yields the items of a stream, and is no item itself."""
    return isinstance(value, abc.Iterable) and not (
        is_text(value) or isinstance(value, (abc.Mapping, BaseModel))
    )


def split_answer(value: tuple[t.Any, ...]) -> tuple[t.Any, t.Any, t.Any] | None:
    """The body, status and headers of a tuple, ``None`` where Flask will refuse it.

    ``(body, headers)`` has no status, ``(body, status)`` no headers.
    """
    if len(value) == 3:
        return value
    if len(value) != 2:
        return None
    body, second = value
    if isinstance(second, (Headers, dict, tuple, list)):
        return body, None, second
    return body, second, None
