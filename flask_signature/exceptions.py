"""What the author of an application catches, or is shown."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from functools import partial

from flask import current_app, has_app_context
from werkzeug.exceptions import HTTPException, InternalServerError, UnprocessableEntity
from werkzeug.wrappers import Response

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed.wsgi import WSGIEnvironment
    from typing_extensions import Self

#: Of a place in a request.
Loc = t.TypeVar("Loc", bound="tuple[str | int, ...]")


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


class RenderedError(t.NamedTuple):
    """The response to an error, its headers aside; it is what writes itself, too."""

    body: bytes
    status: int
    media_type: str

    def render(self, error: HTTPException) -> RenderedError:
        """The response itself."""
        return self


class ErrorWriter(t.Protocol):
    """What writes the responses to errors, as the configuration says."""

    @property
    def status(self) -> int:
        """The status of the response to an invalid request."""

    @property
    def media_type(self) -> str:
        """The content type."""

    def render(self, error: HTTPException) -> RenderedError:
        """The response to an error."""


class _UsualWriter:
    """Writes the errors of an application that has nothing of this package."""

    status = 422
    media_type = "application/json"

    def render(self, error: HTTPException) -> RenderedError:
        is_request = isinstance(error, RequestValidationError)
        content: dict[str, t.Any] = {"message": ResponseValidationError.message}
        if is_request:
            content = {"detail": t.cast("RequestValidationError", error).errors}
        body = json.dumps(content, separators=(",", ":")).encode() + b"\n"
        return RenderedError(body, self.status if is_request else 500, self.media_type)


def _current_writer() -> ErrorWriter:
    """What writes the errors of the current application."""
    # The package itself imports this module, and so is asked by its name in Flask's
    # registry of extensions.
    registry = None
    if has_app_context():
        registry = current_app.extensions.get("flask_signature")
    return _UsualWriter() if registry is None else registry.error_writer


class _JsonException(HTTPException):
    """An HTTP exception whose response is JSON, also where Werkzeug makes it.

    :param own_writer: writes it, ``None`` for that of the application which answers.
    """

    own_writer: ErrorWriter | None = None

    @property
    def writer(self) -> ErrorWriter:
        """What writes the response."""
        return self.own_writer or _current_writer()

    def get_body(
        self, environ: WSGIEnvironment | None = None, scope: t.Any = None
    ) -> str:
        """The JSON text of the response."""
        return self.writer.render(self).body.decode()

    def get_headers(
        self, environ: WSGIEnvironment | None = None, scope: t.Any = None
    ) -> list[tuple[str, str]]:
        return [("Content-Type", self.writer.media_type)]

    # ``WSGIEnvironment | Request`` is what Werkzeug accepts; neither is needed.
    def get_response(self, environ: t.Any = None, scope: t.Any = None) -> t.Any:
        if self.response is not None:
            return self.response
        body, status, media_type = self.writer.render(self)
        return Response(body, status, content_type=media_type)


class _StatusOfFormat:
    """The status that the error format says; of the class, what Flask looks up."""

    def __get__(self, error: RequestValidationError | None, owner: t.Any) -> int:
        return 422 if error is None else error.writer.status


class RequestValidationError(_JsonException, UnprocessableEntity):
    """A request that does not fit the signature of its view.

    Code that finds out later what is wrong with a request raises what :meth:`of`
    returns.

    :param errors: one entry per failure in the order of the view's arguments, such as
        ``{"loc": ["query", "page"], "msg": "...", "type": "int_parsing"}``, with a
        ``"ctx"`` where Pydantic gives one. At most 100; the values that were sent are
        not in them.
    :param writer: what writes the response, ``None`` for the application that answers.
    :param details: the errors as the writer is to have them, ``None`` for the entries.

    The ``code`` is that of the error format: 422, or 400 in that of Pydantic 1.

    Source: RFC 9110, 15.5.21 (422) and 15.5.1 (400).

    .. versionadded:: 0.1
    """

    description: str = "The request is not valid."
    # A descriptor, which Flask must see as a number on the class.
    code: int = t.cast("int", _StatusOfFormat())

    def __init__(
        self,
        errors: Sequence[Mapping[str, t.Any]],
        *,
        writer: ErrorWriter | None = None,
        details: Sequence[Mapping[str, t.Any]] | None = None,
    ) -> None:
        super().__init__()
        self.errors = errors
        self.details = details
        self.own_writer: ErrorWriter | None = writer
        if writer is not None:
            # Flask asks for it more than once.
            self.code = writer.status

    @t.overload
    @classmethod
    def of(cls, loc: tuple[str | int, ...], msg: str) -> Self: ...

    @t.overload
    @classmethod
    def of(cls, loc: Mapping[Loc, str]) -> Self: ...

    @classmethod
    def of(cls, loc: t.Any, msg: str = "") -> Self:
        """The error of a request in which something is wrong, found out by code.

        ``of(("body", "email"), "is taken")`` has one entry, whose ``type`` is
        ``"value_error"``. Several are given by their places:
        ``of({("body", "email"): "is taken", ("body", "name"): "is rude"})``. It needs
        no application until it is answered.

        :param loc: the location, the name in the request, and the path inside.
        :param msg: what is wrong, which is sent as it is: nothing that the client sent
            should be in it.
        :raises TypeError: if a place does not begin with a location.

        .. versionadded:: 0.1
        """
        messages = loc if isinstance(loc, Mapping) else {_check_loc(loc): msg}
        if not messages:
            raise TypeError("RequestValidationError.of() has no failure to report.")
        return cls(
            [
                # A message that is translated when it is written is no string yet.
                {"loc": [*_check_loc(loc)], "msg": str(msg), "type": "value_error"}
                for loc, msg in messages.items()
            ]
        )

    def __reduce__(self) -> t.Any:
        # What writes an error belongs to an application; what it writes does not.
        writer = self.own_writer and self.own_writer.render(self)
        return partial(type(self), writer=writer), (self.errors,)


#: The places in a request, those of :class:`.params.Location`.
ERROR_LOCATIONS: t.Final = ("path", "query", "header", "cookie", "body", "form", "file")


def _check_loc(loc: t.Any) -> tuple[str | int, ...]:
    """A place in a request.

    :raises TypeError: if it is none.
    """
    is_path = isinstance(loc, (tuple, list)) and len(loc) > 0
    if (
        is_path
        and loc[0] in ERROR_LOCATIONS
        and all(isinstance(x, (str, int)) for x in loc)
    ):
        return tuple(loc)
    raise TypeError(
        f"{loc!r} is no place in a request. Write one such as ('body', 'email'), which"
        f" begins with one of {', '.join(map(repr, ERROR_LOCATIONS))}."
    )


class ResponseValidationError(_JsonException, InternalServerError):
    """A value that a view returned and that does not fit its response model.

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
