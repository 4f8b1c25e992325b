"""From the return value of a view to a response, compiled."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from flask import request
from pydantic import BaseModel
from pydantic import ValidationError
from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response

from ._content import Content
from ._streams import StreamedItems
from ._streams import StreamFormat
from .exceptions import ResponseValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from flask import Flask

JSON: t.Final = "application/json"


def has_content(status: int) -> bool:
    """Whether a response of this status may have content.

    Source: RFC 9110, 6.4.1, 15.3.5, 15.3.6 and 15.4.5.
    """
    return status >= 200 and status not in (204, 205, 304)


class Place:
    """A view under a rule: says what went wrong there.

    :param view: the name of the view, as in ``"show_user()"``.
    :param rule: the method and the path, as in ``"GET /users/{user_id}"``.
    """

    __slots__ = ("_dropped", "rule", "view")

    def __init__(self, view: str, rule: str) -> None:
        self.view = view
        self.rule = rule
        self._dropped = False

    def refuse(
        self,
        app: Flask,
        message: str,
        error: Exception | None = None,
        body: object = None,
    ) -> ResponseValidationError:
        """The exception of a value that can't be sent, which is logged here.

        The log has Pydantic's errors without the values, which it gets in debug mode.
        """
        errors: t.Sequence[t.Any] = ()
        if isinstance(error, ValidationError):
            errors = error.errors(include_url=False)
        text = f"{self.rule}: {self.view} {message}"
        shown = errors if app.debug else [_without_value(line) for line in errors]
        app.logger.error("%s %s", text, shown or type(error).__name__)
        return ResponseValidationError(
            text, view=self.view, rule=self.rule, errors=errors, body=body
        )

    def warn_dropped(self, app: Flask, status: int) -> None:
        """Say, the first time, that a body was returned which can't be sent."""
        if not self._dropped:
            self._dropped = True
            app.logger.warning(
                "%s: %s returned a body with status %d, which has no content. It was"
                " dropped.",
                self.rule,
                self.view,
                status,
            )


def _without_value(line: t.Any) -> str:
    return f"{line['type']} at {list(line['loc'])}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundPlan:
    """How the return value of a view becomes a response.

    :param app: gives the class of responses.
    :param place: the view and the rule, for the log.
    :param status: the status of a response that says none.
    :param content: the response model, ``None`` where there is none.
    :param statuses: the models of other statuses, by number, ``"4XX"``, ``"default"``.
    :param passed: the types that go to Flask as they are, although there is a model.
    :param nothing: whether the view says that it returns ``None``.
    :param tuple_body: whether a value of the model is a tuple itself.
    :param off: whether outbound handling is turned off.
    :param validates: whether values are validated, asked for each response.
    :param media_type: the content type of the response, ``None`` for the usual one.
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
        if not self.etag:
            return answer
        response = self.app.make_response(answer)
        if not response.is_streamed:
            response.add_etag()
        return response.make_conditional(request)

    def _answer(self, value: t.Any) -> t.Any:
        if isinstance(value, Response):
            return value
        status, headers = None, None
        if isinstance(value, tuple) and self._is_split(value):
            parts = split_answer(value)
            if parts is None or isinstance(parts[0], Response):
                return value
            value, status, headers = parts
        code = self.status if status is None else status_code(status)
        if not has_content(code):
            return self._without_content(value, code, headers)
        if status is None:
            status = code
        if self.stream is not None and code == self.status and not is_text(value):
            items = StreamedItems(value, self.stream, self._write)
            return self._response(items, self.stream.mimetype, status, headers)
        content = self._content(code)
        if content is None or isinstance(value, self.passed):
            return self._pass_on(value, status, headers)
        text = self._write(value, content)
        return self._response(text, self.media_type or JSON, status, headers)

    def _is_split(self, value: tuple[t.Any, ...]) -> bool:
        """Whether a tuple is Flask's ``(body, status, headers)``, and no value."""
        if self.content is None:
            return True
        if type(value) is not tuple:
            return False
        return not self.tuple_body or isinstance(value[0], (tuple, list, dict))

    def _content(self, code: int) -> Content | None:
        """The model of a status: its own, that of success, of its class, of the rest."""
        if code in self.statuses:
            return self.statuses[code]
        if code == self.status or 200 <= code < 300:
            return self.content
        family = f"{code // 100}XX"
        return self.statuses.get(family, self.statuses.get("default"))

    def _write(self, value: t.Any, content: Content) -> bytes:
        try:
            return content.write(value, validate=self.validates())
        except ValidationError as error:
            message = "returned what its response model refuses."
            raise self.place.refuse(self.app, message, error, value) from error
        except (ValueError, TypeError, RecursionError) as error:
            message = "returned what can't be written as JSON."
            raise self.place.refuse(self.app, message, error, value) from error

    def _response(
        self, body: t.Any, mimetype: str, status: t.Any, headers: t.Any
    ) -> Response:
        response = self.app.response_class(body, status=status, mimetype=mimetype)
        if headers:
            response.headers.update(headers)
        return response

    def _pass_on(self, value: t.Any, status: t.Any, headers: t.Any) -> t.Any:
        """What Flask makes a response of."""
        if isinstance(value, BaseModel) and not self.off:
            message = "returned a model, but has no response model for it."
            raise self.place.refuse(self.app, message, body=value)
        if value is None and self.nothing:
            value = ""
        if self.media_type is not None:
            value = self.app.make_response(value)
            value.mimetype = self.media_type
        return (value, status) if headers is None else (value, status, headers)

    def _without_content(self, value: t.Any, code: int, headers: t.Any) -> Response:
        if value is not None and value != "" and value != b"":
            self.place.warn_dropped(self.app, code)
        response = self._response(None, JSON, code, None)
        del response.headers["Content-Type"]
        if headers:
            response.headers.update(headers)
        return response


def is_text(value: object) -> bool:
    """Whether a value can be iterated over, but is no stream of items."""
    return isinstance(value, (str, bytes, dict))


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


def status_code(status: t.Any) -> int:
    """The number of a status in any of Flask's spellings: ``201``, ``"201 CREATED"``."""
    if isinstance(status, int):
        return int(status)
    text = status.decode("latin-1") if isinstance(status, bytes) else str(status)
    number = text.strip().partition(" ")[0]
    # What has no number is a status that Werkzeug answers with 0.
    return int(number) if number.isascii() and number.isdigit() else 200
