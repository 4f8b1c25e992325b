"""The responses to errors, beside what a view returns and what is declared.

The described responses of a view go in, all responses of its operation come out.
"""

from __future__ import annotations

import typing as t
from http import HTTPStatus

from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import default_exceptions

from .._operations.error_lookup import find_handler
from .._operations.registry import Registry
from ..exceptions import RequestValidationError
from .content import any_of
from .errors import raised_before
from .responses import status_phrase

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator

    from .._operations.operation import Operation
    from .context import DocumentContext
    from .objects import JsonObject

#: A status and its Response Object.
Response: t.TypeAlias = "tuple[str, JsonObject]"


def with_errors(
    returned: JsonObject, operation: Operation, context: DocumentContext
) -> JsonObject:
    """The Responses Object of an operation.

    An error that is declared with a model, or annotated, may be one of ``abort()`` all
    the same, which can't be seen. What is declared without a model is one.

    :param returned: what the view returns, and what is declared, by status.

    Source: OpenAPI 3.1, Responses Object.
    """
    errors = _Errors(operation, context)
    declared = operation.outbound.responses.items()
    standard = {
        str(status)
        for status, item in declared
        # An annotation replaces what is declared.
        if item.is_standard and "content" not in returned[str(status)]
    }
    found = {key: item for key, item in returned.items() if key not in standard}
    for exception, description in raised_before(operation):
        _add(found, errors.answers(exception, description))
    for key, response in returned.items():
        if key in standard:
            _add(found, errors.standard(key, response))
        elif _is_error(key) and "content" in response:
            _add(found, errors.aborted(key))
    if operation.method == "HEAD":
        for response in found.values():
            response.pop("content", None)
    return {status: found[status] for status in sorted(found)}


def _is_error(key: str) -> bool:
    """Whether a key of a Responses Object may be of an error."""
    return key == "default" or key >= "4"


def _add(found: JsonObject, responses: Iterable[Response]) -> None:
    for key, response in responses:
        found[key] = _either(found[key], response) if key in found else response


class _Errors:
    """The responses to the errors of one operation."""

    def __init__(self, operation: Operation, context: DocumentContext) -> None:
        self._operation = operation
        self._context = context
        self._app = operation.outbound.app
        self._generic = Registry.of(self._app).handlers.generic

    def answers(
        self, exception: type[Exception], description: str, code: int | None = None
    ) -> Iterator[Response]:
        """The responses to an exception, by what its error handler says.

        :param code: the status, where the class has none.
        """
        endpoint = self._operation.route.endpoint
        handler = find_handler(self._app, endpoint, exception, code=code)
        response: JsonObject = {"description": description}
        is_unknown = handler is not None and handler is not self._generic
        if issubclass(exception, RequestValidationError):
            content = {} if is_unknown else self._refusal()
            key = "4XX" if is_unknown else str(self._context.error_writer.status)
            yield key, {**response, **content}
        elif issubclass(exception, HTTPException):
            content = self._http() if handler is self._generic else {}
            yield str(exception.code or code), {**response, **content}

    def standard(self, key: str, response: JsonObject) -> Iterator[Response]:
        """The responses that a status means which is declared without a model.

        422 is a request that is refused, in a format that refuses with it.
        """
        if key == str(self._context.error_writer.status) == REFUSED:
            exception: type[Exception] = RequestValidationError
            found = self.answers(exception, response["description"])
        else:
            found = self.aborted(key)
        for status, answer in found:
            yield status, {**answer, **response} if status == key else answer

    def aborted(self, key: str) -> Iterator[Response]:
        """The responses to ``abort()`` with a status, or with one of a class."""
        if not key.isdigit():
            for _, response in self.answers(HTTPException, "", HTTPStatus.NOT_FOUND):
                yield key, response
            return
        code = int(key)
        exception = default_exceptions.get(code, HTTPException)
        yield from self.answers(exception, status_phrase(code), code)

    def _refusal(self) -> JsonObject:
        writer = self._context.error_writer
        return self._content(writer.request_adapter)

    def _http(self) -> JsonObject:
        if self._generic is None:
            return {}
        return self._content(self._context.error_writer.http_adapter)

    def _content(self, adapter: t.Any) -> JsonObject:
        schema = self._context.schemas.serialized(adapter)
        media_type = self._context.error_writer.media_type
        return {"content": {media_type: {"schema": schema}}}


#: The status by which ``responses=`` names a request that is refused.
REFUSED: t.Final = "422"


def _either(one: JsonObject, other: JsonObject) -> JsonObject:
    """The description of a response that may be one of two, in the words of the first.

    A media type that only one of them has stays as it is.
    """
    content = {**other.get("content", {}), **one.get("content", {})}
    for media_type in one.get("content", {}).keys() & other.get("content", {}).keys():
        content[media_type] = _media_type(
            one["content"][media_type], other["content"][media_type]
        )
    headers = {
        name: {key: value for key, value in header.items() if key != "required"}
        for name, header in (other.get("headers", {}) | one.get("headers", {})).items()
    }
    joined = {**other, **one, "content": content, "headers": headers}
    return {key: value for key, value in joined.items() if value != {}}


def _media_type(one: JsonObject, other: JsonObject) -> JsonObject:
    """A Media Type Object of one of two contents, with all else of the first."""
    schemas: list[JsonObject] = []
    for item in (one.get("schema", {}), other.get("schema", {})):
        schemas += item["anyOf"] if item.keys() == {"anyOf"} else [item]
    return {**one, "schema": any_of(schemas)}
