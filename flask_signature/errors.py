"""The responses to errors: their models, and a custom format.

``SIGNATURE_ERROR_FORMAT`` takes an :class:`ErrorFormat`, and the document follows it::

    app.config["SIGNATURE_ERROR_FORMAT"] = ErrorFormat(
        http_model=Failure,
        http_builder=lambda error: Failure(code=error.code, says=error.name),
    )
"""

from __future__ import annotations

import typing as t

from flask import Response, current_app

from ._common import STANDARD_ERROR
from ._errors.formats import (
    ErrorFormat,
    HTTPErrorDetail,
    HTTPErrorMessage,
    HTTPProblem,
    ValidationFailures,
    ValidationProblem,
)
from ._operations.errors import respond_to_error as respond_to

if t.TYPE_CHECKING:
    from flask import Flask

__all__ = [
    "ErrorFormat",
    "ErrorResponse",
    "HTTPErrorDetail",
    "HTTPErrorMessage",
    "HTTPProblem",
    "ValidationFailures",
    "ValidationProblem",
    "error_response",
]


#: A response as :func:`respond_to_error` makes it: an error handler with this return
#: annotation is described as sending what the application sends.
ErrorResponse: t.TypeAlias = t.Annotated[Response, STANDARD_ERROR]


def error_response(error: Exception) -> ErrorResponse:
    """The response to an error in the format of the application.

    For an error handler that logs, or counts, and goes on::

        @app.errorhandler(HTTPException)
        def count(error: HTTPException) -> ErrorResponse:
            errors[error.code] += 1
            return error_response(error)

    :param error: a Werkzeug ``HTTPException``, whose headers and whose own ``response``
        are kept. Any other exception is an error of the server, of which no more is
        said.
    :raises RuntimeError: outside of an application context.

    .. versionadded:: 0.2
    """
    # Flask's types have an application in place of its proxy.
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return respond_to(app, error)
