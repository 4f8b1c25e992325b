"""What the author of an application catches, or is shown."""

from __future__ import annotations

import typing as t
from functools import partial

from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import InternalServerError
from werkzeug.exceptions import UnprocessableEntity
from werkzeug.wrappers import Response

if t.TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence

    from _typeshed.wsgi import WSGIEnvironment


class SignatureError(TypeError):
    """A view, a rule or an option that cannot be compiled.

    Raised while the application is being put together, never during a request. The
    message says which view, in which file and line, what is wrong, and what to write
    instead.

    .. versionadded:: 0.1
    """


class SignatureWarning(UserWarning):
    """A declaration that compiles, but cannot have the effect it was written for.

    .. versionadded:: 0.1
    """


class _JsonException(HTTPException):
    """An HTTP exception whose response is JSON, also where Werkzeug makes it."""

    mimetype = "application/json"

    def get_body(
        self, environ: WSGIEnvironment | None = None, scope: t.Any = None
    ) -> str:
        raise NotImplementedError

    def get_headers(
        self, environ: WSGIEnvironment | None = None, scope: t.Any = None
    ) -> list[tuple[str, str]]:
        return [("Content-Type", self.mimetype)]

    # ``WSGIEnvironment | Request`` is what Werkzeug accepts; neither is needed.
    def get_response(self, environ: t.Any = None, scope: t.Any = None) -> t.Any:
        if self.response is not None:
            return self.response
        body = self.get_body(environ, scope)
        return Response(body, self.code, self.get_headers(environ, scope))


class RequestValidationError(_JsonException, UnprocessableEntity):
    """A request that does not fit the signature of its view.

    :param errors: one entry per failure in the order of the view's arguments, such as
        ``{"loc": ["query", "page"], "msg": "...", "type": "int_parsing"}``, with a
        ``"ctx"`` where Pydantic gives one. At most 100; the values that were sent are
        not in them.
    :param code: the status: 422, or 400 in the format of Pydantic 1.
    :param body: the JSON text of the response in the configured error format.
    :param mimetype: the content type of that response.

    Source: RFC 9110, 15.5.21 (422) and 15.5.1 (400).

    .. versionadded:: 0.1
    """

    description: str = "The request is not valid."

    def __init__(
        self,
        errors: Sequence[Mapping[str, t.Any]],
        *,
        code: int,
        body: str,
        mimetype: str,
    ) -> None:
        super().__init__()
        self.errors = errors
        self.code: int = code
        self.body = body
        self.mimetype = mimetype

    def __reduce__(self) -> t.Any:
        # An exception is made again of its arguments, which have names here.
        make = partial(
            type(self), code=self.code, body=self.body, mimetype=self.mimetype
        )
        return make, (self.errors,)

    def get_body(
        self, environ: WSGIEnvironment | None = None, scope: t.Any = None
    ) -> str:
        """The JSON text of the response."""
        return self.body


class ResponseValidationError(_JsonException, InternalServerError):
    """A value that a view returned and that its response model refuses.

    The response says nothing but that an internal error occurred.

    :param message: which view, and what is wrong with what it returned.
    :param view: the name of the view.
    :param rule: the rule it was called for.
    :param errors: Pydantic's errors, the values included.
    :param body: what the view returned.

    .. versionadded:: 0.1
    """

    message = "An internal error occurred."
    description: str = message

    def __init__(
        self,
        message: str,
        *,
        view: str,
        rule: str,
        errors: Sequence[t.Any] = (),
        body: object = None,
    ) -> None:
        super().__init__()
        self.args: tuple[t.Any, ...] = (message,)
        self.view = view
        self.rule = rule
        self.errors = errors
        self.body = body

    def __reduce__(self) -> t.Any:
        make = partial(
            type(self),
            view=self.view,
            rule=self.rule,
            errors=self.errors,
            body=self.body,
        )
        return make, self.args

    def __str__(self) -> str:
        return str(self.args[0])

    def get_body(
        self, environ: WSGIEnvironment | None = None, scope: t.Any = None
    ) -> str:
        """The JSON text of the response, which is always the same."""
        return f'{{"message": "{self.message}"}}\n'
