"""The formats of error responses: which there are, and what writes each.

The name of a format, or a function of the author's, goes in when an application starts;
what makes a body of entries comes out, and the model that describes it.
"""

from __future__ import annotations

import json
import re
import typing as t
from dataclasses import dataclass
from functools import partial

from flask import current_app
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, with_config
from pydantic_core import to_jsonable_python
from typing_extensions import NotRequired, TypedDict
from werkzeug.exceptions import HTTPException, InternalServerError

from .._common import Once
from ..exceptions import (
    RenderedError,
    RequestValidationError,
    ResponseValidationError,
    SignatureError,
)
from .entries import MAX_BYTES, fit_entries, read_entry, refuse, write_json

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .entries import ErrorDetails


def _end_with_the_first_paragraph(schema: dict[str, t.Any]) -> None:
    """Leave out of a schema what the docstring says of the package's versions."""
    # Without docstrings, under "python -OO", there is none.
    if "description" in schema:
        schema["description"] = schema["description"].partition("\n\n")[0]


_DESCRIBED: t.Final = ConfigDict(json_schema_extra=_end_with_the_first_paragraph)


@with_config(_DESCRIBED)
class ValidationFailures(TypedDict):
    """The response to a request that does not fit its operation.

    .. versionadded:: 0.1
    """

    detail: list[ValidationFailure]


class ValidationFailure(TypedDict):
    """One thing that is wrong with a request."""

    loc: t.Annotated[
        list[str | int],
        Field(description="Where: the location, the name, and the path inside."),
    ]
    msg: t.Annotated[str, Field(description="What is wrong, for people.")]
    type: t.Annotated[str, Field(description="What is wrong, for programs.")]
    ctx: NotRequired[
        t.Annotated[dict[str, t.Any], Field(description="What the message is about.")]
    ]


#: What an HTTP error says.
ErrorContent: t.TypeAlias = t.Annotated[
    str | dict[str, t.Any] | list[t.Any],
    Field(description="What is wrong: words, or what the application sends."),
]


@with_config(_DESCRIBED)
class HTTPErrorMessage(TypedDict):
    """The response to a request that can't be served.

    .. versionadded:: 0.1
    """

    message: ErrorContent


@with_config(_DESCRIBED)
class HTTPErrorDetail(TypedDict):
    """The response to a request that can't be served, as FastAPI has it.

    .. versionadded:: 0.2
    """

    detail: ErrorContent


@with_config(_DESCRIBED)
class ValidationProblem(TypedDict):
    """The response to a request that does not fit its operation, as RFC 9457 has it.

    .. versionadded:: 0.1
    """

    type: str
    title: str
    status: int
    detail: str
    errors: list[ValidationFailure]


@with_config(ConfigDict(**_DESCRIBED, extra="allow"))
class HTTPProblem(TypedDict):
    """The response to a request that can't be served, as RFC 9457 has it.

    .. versionadded:: 0.2
    """

    type: str
    title: str
    status: int
    detail: NotRequired[str]


#: The models of HTTP errors.
HTTP_MODELS: t.Final = (HTTPErrorMessage, HTTPErrorDetail, HTTPProblem)

#: The adapters of the models, shared by all documents, also those that are built at
#: the same time.
ADAPTERS: t.Final[dict[t.Any, Once[TypeAdapter[t.Any]]]] = {
    model: Once(partial(TypeAdapter, model))
    for model in (ValidationFailures, ValidationProblem, *HTTP_MODELS)
}


def build_failures(error: RequestValidationError) -> t.Any:
    """The value of :class:`ValidationFailures`."""
    return {"detail": error.errors}


def build_message(error: HTTPException) -> t.Any:
    """The value of :class:`HTTPErrorMessage`.

    The message is an object for ``abort(409, {"left": 0})``.
    """
    description = description_of(error)
    return {"message": error.name if description is None else description}


def _http_detail(error: HTTPException) -> dict[str, t.Any]:
    """The value of :class:`HTTPErrorDetail`."""
    return {"detail": build_message(error)["message"]}


def _request_problem(error: RequestValidationError) -> dict[str, t.Any]:
    """The value of :class:`ValidationProblem`."""
    return {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": RequestValidationError.description,
        "errors": error.errors,
    }


#: The members of a problem that are strings. Source: RFC 9457, 3.1.
PROBLEM_STRINGS: t.Final = frozenset({"type", "title", "detail", "instance"})


def _http_problem(error: HTTPException) -> dict[str, t.Any]:
    """The value of :class:`HTTPProblem`.

    A description that is an object extends it.

    Source: RFC 9457, 3.2 (Extension Members).
    """
    problem = {"type": "about:blank", "title": error.name, "status": error.code}
    description = description_of(error)
    if description is None:
        return problem
    if isinstance(description, dict):
        members = {
            name: value
            for name, value in description.items()
            if name != "status"
            and (name not in PROBLEM_STRINGS or isinstance(value, str))
        }
        return {**problem, **members}
    # The detail is a string. Source: RFC 9457, 3.1.4.
    is_string = isinstance(description, str)
    detail = description if is_string else write_json(description).decode()
    return {**problem, "detail": detail}


def description_of(error: HTTPException) -> str | list[t.Any] | dict[str, t.Any] | None:
    """The author's description of an error as JSON, ``None`` where it is Werkzeug's."""
    own = (__name__.partition(".")[0], "werkzeug")
    # What every error of the status says: that of a class of the author is another.
    usual: t.Any = next(
        base.description
        for base in type(error).__mro__
        if issubclass(base, HTTPException) and base.__module__.partition(".")[0] in own
    )
    description: t.Any = error.description
    # A property, as of BadRequestKeyError, is not the author's description.
    if not description or isinstance(usual, property) or description == usual:
        return None
    if isinstance(description, str):
        return str(description)
    try:
        written = _dumps(description)
    except (TypeError, ValueError, RecursionError):
        return str(description)
    # Python writes NaN, which is no JSON.
    read = json.loads(written, parse_constant=lambda name: None)
    return read if isinstance(read, (list, dict)) else str(description)


def _dumps(description: t.Any) -> str:
    """A description as JSON text, by the application if it can.

    :raises TypeError: if there is no way to write it.
    """
    try:
        return current_app.json.dumps(description)
    except (TypeError, ValueError, RecursionError):
        if not isinstance(description, (BaseModel, dict, list, tuple)):
            raise
        # Python's way to show a model has each of its fields, also excluded ones.
        return current_app.json.dumps(to_jsonable_python(description))


#: A content type, perhaps with parameters. Source: RFC 9110, 8.3.1.
MEDIA_TYPE_PATTERN: t.Final = re.compile(
    r"[\w!#$&^.+-]+/[\w!#$&^.+-]+( ?;[ -~]+)?", re.ASCII
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFormat:
    """The value of ``SIGNATURE_ERROR_FORMAT`` for a format of the author's.

    What is left out is as in the format ``"pydantic2"``. A model is any type that may
    be a response model, and has a builder, which takes the exception and returns what
    the model is validated from, as a view does.

    :param status: of an invalid request.
    :param media_type: of every response to an error, whose body is JSON.
    :param request_model: of the response to an invalid request.
    :param request_builder: takes a :exc:`.RequestValidationError`, whose ``errors`` say
        what is wrong.
    :param http_model: of the response to any other error.
    :param http_builder: takes the ``HTTPException``. Of an error of the server it is an
        ``InternalServerError`` that says no more than that.
    :raises SignatureError: if a value can't be used.

    .. versionadded:: 0.2
    """

    status: int = 422
    media_type: str = "application/json"
    request_model: t.Any = ValidationFailures
    request_builder: Callable[[RequestValidationError], t.Any] = build_failures
    http_model: t.Any = HTTPErrorMessage
    http_builder: Callable[[HTTPException], t.Any] = build_message

    def __post_init__(self) -> None:
        status: t.Any = self.status
        if not isinstance(status, int) or status not in range(400, 500):
            raise SignatureError(
                f"ErrorFormat(status={status!r}): the status of a request that is"
                " refused is 400 to 499, such as 422."
            )
        # An ``HTTPStatus`` is written as one before Python 3.11.
        object.__setattr__(self, "status", int(status))
        media_type: t.Any = self.media_type
        if not isinstance(media_type, str) or not MEDIA_TYPE_PATTERN.fullmatch(
            media_type
        ):
            raise SignatureError(
                f"ErrorFormat(media_type={media_type!r}): use a content type such as"
                " 'application/vnd.api+json'."
            )
        self._check("request", ValidationFailures, build_failures)
        self._check("http", HTTPErrorMessage, build_message)

    def _check(self, kind: str, model: t.Any, builder: t.Any) -> None:
        """Refuse a builder that is no function, and a model without one."""
        name = f"{kind}_builder"
        own = getattr(self, name)
        if not callable(own):
            raise SignatureError(
                f"ErrorFormat({name}={own!r}): use a function that takes the exception"
                f" and returns what {kind}_model= is validated from."
            )
        if getattr(self, f"{kind}_model") is not model and own is builder:
            raise SignatureError(
                f"ErrorFormat({kind}_model=) has no {name}=. Add a function that takes"
                " the exception and returns what the model is validated from."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltInFormat(ErrorFormat):
    """One of the formats that have a name, whose content is no model's to validate.

    :param translate: changes an error of Pydantic before it becomes an entry.
    """

    translate: Callable[[ErrorDetails], ErrorDetails] | None = None

    @property
    def request_adapter(self) -> t.Any:
        """Of the model of a response to an invalid request."""
        return ADAPTERS[self.request_model]()

    @property
    def http_adapter(self) -> t.Any:
        """Of the model of a response to any other error."""
        return ADAPTERS[self.http_model]()

    def refuse(self, errors: Sequence[ErrorDetails]) -> RequestValidationError:
        """The exception of a request with some errors."""
        return refuse(errors, self)

    def render(self, error: HTTPException) -> RenderedError:
        """The response to an error."""
        if isinstance(error, RequestValidationError):
            return RenderedError(self._refusal(error), self.status, self.media_type)
        body = write_json(self.http_builder(without_cause(error))) + b"\n"
        return RenderedError(body, error.code or 500, self.media_type)

    def _refusal(self, error: RequestValidationError) -> bytes:
        """The body of the response to an invalid request."""
        if self.translate is not None and error.details is not None:
            entries = map(read_entry, map(self.translate, error.details))
            error = RequestValidationError([*entries])
        return write_refusal(error, lambda it: write_json(self.request_builder(it)))


def write_refusal(
    error: RequestValidationError, write: Callable[[RequestValidationError], bytes]
) -> bytes:
    """The body of a validation error, with as many entries as there is room for."""
    body = write(error)
    if len(body) <= MAX_BYTES:
        return body
    return write(RequestValidationError(fit_entries(error.errors)))


def without_cause(error: HTTPException) -> HTTPException:
    """The error as a client may see it: another one, of one that has a cause.

    It says nothing of what a view returned, or of an exception that was not meant.
    """
    original = getattr(error, "original_exception", None)
    if original is None and not isinstance(error, ResponseValidationError):
        return error
    return InternalServerError(ResponseValidationError.message)


def _to_pydantic1(error: ErrorDetails) -> ErrorDetails:
    # The table is long, and few applications need it.
    from .pydantic1 import to_pydantic1

    return to_pydantic1(error)


#: By the value of ``SIGNATURE_ERROR_FORMAT``. Source of the last: RFC 9457.
ERROR_FORMATS: t.Final = {
    "pydantic2": BuiltInFormat(),
    "pydantic1": BuiltInFormat(status=400, translate=_to_pydantic1),
    "fastapi": BuiltInFormat(http_model=HTTPErrorDetail, http_builder=_http_detail),
    "problem": BuiltInFormat(
        media_type="application/problem+json",
        request_model=ValidationProblem,
        request_builder=_request_problem,
        http_model=HTTPProblem,
        http_builder=_http_problem,
    ),
}
