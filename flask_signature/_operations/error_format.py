"""The error format of an application, and what writes its errors.

The setting goes in when an application starts; what writes the bodies of validation
errors and of HTTP errors comes out.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

from werkzeug.exceptions import HTTPException, InternalServerError

from .._common import Once
from .._errors.entries import refuse
from .._errors.formats import (
    ERROR_FORMATS,
    HTTP_MODELS,
    without_cause,
    write_refusal,
)
from .._outbound.failures import WRITE_ERRORS, ViewReporter, describe_error
from .._outbound.serializer import compile_serializer
from ..exceptions import (
    RenderedError,
    RequestValidationError,
    ResponseValidationError,
    SignatureError,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask

    from .._errors.entries import ErrorDetails
    from .._errors.formats import BuiltInFormat, ErrorFormat
    from .._outbound.serializer import ResponseSerializer
    from .._types.adapters import Adapter


#: The key of the configuration.
ERROR_FORMAT: t.Final = "SIGNATURE_ERROR_FORMAT"

#: The response to an error that its format can't write.
NEUTRAL: t.Final = ERROR_FORMATS["pydantic2"].render(
    InternalServerError(ResponseValidationError.message)
)


@dataclass(frozen=True, slots=True)
class Part:
    """How one kind of error is written.

    :param build: returns what the model is validated from.
    :param serializer: of the model.
    """

    name: str
    build: Callable[[t.Any], t.Any]
    serializer: ResponseSerializer
    app: Flask

    def write(self, error: HTTPException) -> bytes:
        """The body of the response to an error.

        :raises ResponseValidationError: if what was built does not fit, which is logged
            here.
        """
        value = self.build(error)
        try:
            return self.serializer.write(value)
        except WRITE_ERRORS as failure:
            schema = self.serializer.adapter.core_schema
            reporter = ViewReporter(
                self.app, f"{self.name}()", ERROR_FORMAT, self.build
            )
            raise reporter.error(
                describe_error(failure), failure, body=value, schema=schema
            ) from failure


@dataclass(frozen=True, slots=True)
class CustomFormat:
    """The author's error format."""

    app: Flask
    status: int
    media_type: str
    request: Part
    http: Part

    @property
    def request_adapter(self) -> Adapter:
        """Of the model of a response to an invalid request."""
        return self.request.serializer.adapter

    @property
    def http_adapter(self) -> Adapter:
        """Of the model of a response to any other error."""
        return self.http.serializer.adapter

    def refuse(self, errors: Sequence[ErrorDetails]) -> RequestValidationError:
        """The exception of a request with some errors."""
        return refuse(errors, self)

    def render(self, error: HTTPException) -> RenderedError:
        """The response to an error, a neutral one where the format fails."""
        try:
            if isinstance(error, RequestValidationError):
                body = write_refusal(error, self.request.write)
                return RenderedError(body, self.status, self.media_type)
            body = self.http.write(without_cause(error)) + b"\n"
            return RenderedError(body, error.code or 500, self.media_type)
        except ResponseValidationError:
            return NEUTRAL
        except Exception:
            # Raised again, it would come back as the next error to be written.
            self.app.logger.exception("%s failed to write an error.", ERROR_FORMAT)
            return NEUTRAL


#: The serializers of the models of HTTP errors, by model.
HTTP_SERIALIZERS: t.Final = {
    model: Once(partial(compile_serializer, model)) for model in HTTP_MODELS
}


def http_serializer(writer: BuiltInFormat | CustomFormat) -> ResponseSerializer:
    """The serializer of the model of HTTP errors in a format."""
    if isinstance(writer, CustomFormat):
        return writer.http.serializer
    return HTTP_SERIALIZERS[writer.http_model]()


def compile_error_format(
    app: Flask, error_format: ErrorFormat | str
) -> BuiltInFormat | CustomFormat:
    """What writes the errors of an application.

    :param error_format: what the configuration says.
    :raises SignatureError: if Pydantic can't serialize a model.
    """
    if isinstance(error_format, str):
        return ERROR_FORMATS[error_format]
    parts = {}
    for kind in ("request", "http"):
        model = getattr(error_format, f"{kind}_model")
        name = f"{kind}_builder"
        try:
            serializer = compile_serializer(model)
        except SignatureError as error:
            problem = f"{ERROR_FORMAT}: {kind}_model=: {error}"
            raise SignatureError(problem) from error.__cause__
        build = getattr(error_format, name)
        parts[kind] = Part(name, build, serializer, app)
    return CustomFormat(app, error_format.status, error_format.media_type, **parts)
