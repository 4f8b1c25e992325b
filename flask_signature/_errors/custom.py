"""An error format of the author's, in place of a built-in one."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

from ..exceptions import SignatureError
from .models import HTTPErrorMessage, ValidationFailures
from .writers import failures, message

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.exceptions import HTTPException

    from ..exceptions import RequestValidationError

#: A content type, perhaps with parameters. Source: RFC 9110, 8.3.1.
MEDIA_TYPE_PATTERN: t.Final = re.compile(
    r"[\w!#$&^.+-]+/[\w!#$&^.+-]+( ?;[ -~]+)?", re.ASCII
)


def build_failures(error: RequestValidationError) -> t.Any:
    """The value of :class:`ValidationFailures`."""
    return failures(t.cast("t.Any", error.errors))


def build_message(error: HTTPException) -> t.Any:
    """The value of :class:`HTTPErrorMessage`."""
    return message(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFormat:
    """The value of ``SIGNATURE_ERROR_FORMAT`` for a format of the author's.

    What is left out is as in the format ``"pydantic2"``. A model is any type that may
    be a response model, and has a builder, which takes the exception and returns what
    the model is validated from, as a view does.

    :param status: of a request that is refused.
    :param media_type: of every response to an error, whose body is JSON.
    :param request_model: of the response to a request that is refused.
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
