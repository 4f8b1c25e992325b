"""The markers: where an argument is read from, ``Path()`` to ``File()``.

Wrong options raise ``SignatureError`` when the view is registered.
"""

from __future__ import annotations

import inspect
import typing as t
from dataclasses import dataclass
from enum import Enum
from functools import cache

import pydantic
from pydantic_core import PydanticUndefined
from typing_extensions import TypeAliasType

from ._common import STYLES, find_style, read_content_types, unknown_option
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Mapping
    from types import EllipsisType

    from pydantic.fields import FieldInfo
    from typing_extensions import Unpack

    from ._common import Style
    from .typing import (
        BodyOptions,
        FieldOptions,
        FileOptions,
        FormOptions,
        HeaderOptions,
        QueryOptions,
    )

T = t.TypeVar("T")

#: The class of type aliases is another in ``typing_extensions`` before Python 3.14.
ALIASES: t.Final = (TypeAliasType, getattr(t, "TypeAliasType", TypeAliasType))


class Location(str, Enum):
    """Where in a request a value lives; the value is the first item of a ``loc``.

    Source: OpenAPI 3.1, Parameter Object ``in``, and the three kinds of body.
    """

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"
    FORM = "form"
    FILE = "file"


@dataclass(frozen=True)
class Param:
    """The options of a marker.

    :param location: where the argument is read from.
    :param type: the type given as the first positional argument, or ``Undefined``.
    :param field: the default and the validation options, as Pydantic keeps them.
    :param style: how it is written, ``None`` where that was not said.
    :param content_types: of a file, empty where any is accepted: ``("image/*",)``.
    :param problem: what is wrong with the options, for the error that is raised when
        the view is registered and its place is known.
    """

    location: Location
    type: t.Any
    field: FieldInfo
    embed: bool | None = None
    convert_underscores: bool = True
    media_type: str | None = None
    include_in_schema: bool = True
    openapi_examples: Mapping[str, t.Any] | None = None
    style: Style | None = None
    content_types: tuple[str, ...] = ()
    problem: str | None = None


#: No type was given: ``None`` would be one.
UNDEFINED_TYPE: t.Final = PydanticUndefined

#: The options beyond Pydantic's that every location has.
OWN_OPTIONS: t.Final = frozenset({"include_in_schema", "openapi_examples"})

STYLE_OPTIONS: t.Final = ("style", "explode")

#: Those that a location has besides.
MORE_OPTIONS: t.Final[Mapping[Location, tuple[str, ...]]] = {
    Location.QUERY: STYLE_OPTIONS,
    Location.HEADER: ("convert_underscores", *STYLE_OPTIONS),
    Location.BODY: ("embed", "media_type"),
    Location.FORM: ("media_type",),
    Location.FILE: ("media_type", "content_type"),
}


@cache
def field_options() -> frozenset[str]:
    """The options of ``pydantic.Field``."""
    options = frozenset(inspect.signature(pydantic.Field).parameters)
    return options - {"default", "extra"}


def make_marker(location: Location, default: t.Any, options: dict[str, t.Any]) -> t.Any:
    """The marker of one argument; options that can't be are its ``problem``."""
    own = OWN_OPTIONS.union(MORE_OPTIONS.get(location, ()))
    known = f"{location.value.capitalize()}()"
    for option in options:
        if option not in own and option not in field_options():
            problem = unknown_option(option, own | field_options(), known)
            if option in STYLE_OPTIONS:
                problem = f"{known} has no styles: only Query() and Header() have."
            return Param(location, UNDEFINED_TYPE, pydantic.Field(), problem=problem)
    marker = {name: options.pop(name) for name in own & options.keys()}
    given_type = UNDEFINED_TYPE
    if is_type(default):
        given_type, default = default, PydanticUndefined
    try:
        if not marker.keys().isdisjoint(STYLE_OPTIONS):
            chosen = [marker.pop(name, None) for name in STYLE_OPTIONS]
            marker["style"] = find_style(STYLES[location.value], *chosen)
        content_type = marker.pop("content_type", None)
        if content_type is not None:
            marker["content_types"] = read_content_types(content_type)
        return Param(location, given_type, pydantic.Field(default, **options), **marker)
    except (TypeError, ValueError) as error:
        return Param(
            location, given_type, pydantic.Field(), problem=f"{known}: {error}."
        )


def is_type(value: object) -> bool:
    """Whether the first positional argument of a marker is a type, not a default."""
    if value is t.Any or isinstance(value, (type, t.NewType, *ALIASES)):
        return True
    return t.get_origin(value) is not None


# Each function promises the type of its argument, so that ``page: int = Query(1)``
# type-checks; what it returns is a ``Param``, which never reaches a view. The overloads
# are here once per set of options, because a type checker can't compute them.


@t.overload
def Path(default: EllipsisType = ..., **options: Unpack[FieldOptions]) -> t.Any: ...
@t.overload
def Path(default: type[T], **options: Unpack[FieldOptions]) -> T: ...
@t.overload
def Path(default: T, **options: Unpack[FieldOptions]) -> T: ...
def Path(default: t.Any = PydanticUndefined, **options: t.Any) -> t.Any:
    """An argument read from the URL: ``user_id: int = Path(ge=1)``.

    :param default: a default, or the argument's type; ``...`` means required.
    :param options: those of :func:`pydantic.Field`, ``include_in_schema`` and
        ``openapi_examples``.

    .. versionadded:: 0.1
    """
    return make_marker(Location.PATH, default, options)


@t.overload
def Query(default: EllipsisType = ..., **options: Unpack[QueryOptions]) -> t.Any: ...
@t.overload
def Query(default: type[T], **options: Unpack[QueryOptions]) -> T: ...
@t.overload
def Query(default: T, **options: Unpack[QueryOptions]) -> T: ...
def Query(default: t.Any = PydanticUndefined, **options: t.Any) -> t.Any:
    """An argument read from the query string: ``page: int = Query(1, ge=1)``.

    A list takes every value of a repeated key; a model takes one key per field. A style
    says otherwise (OpenAPI 3.1, Style Values).

    :param default: a default, or the argument's type; ``...`` means required.
    :param options: those of :func:`pydantic.Field`, ``include_in_schema``,
        ``openapi_examples``, ``style`` and ``explode``.

    .. versionadded:: 0.1
    """
    return make_marker(Location.QUERY, default, options)


@t.overload
def Header(default: EllipsisType = ..., **options: Unpack[HeaderOptions]) -> t.Any: ...
@t.overload
def Header(default: type[T], **options: Unpack[HeaderOptions]) -> T: ...
@t.overload
def Header(default: T, **options: Unpack[HeaderOptions]) -> T: ...
def Header(default: t.Any = PydanticUndefined, **options: t.Any) -> t.Any:
    """An argument read from a header: ``x_token: str = Header()`` reads ``X-Token``.

    Names match without regard to case (RFC 9110, 5.1). A list takes the elements of a
    comma-separated field (RFC 9110, 5.6.1), a model one header per field; with a style,
    it is one header.

    :param default: a default, or the argument's type; ``...`` means required.
    :param options: those of :func:`pydantic.Field`, ``include_in_schema``,
        ``openapi_examples``, ``style``, ``explode``, and ``convert_underscores``:
        ``False`` keeps the underscores in the name that is reported and described. WSGI
        can't tell the two apart.

    .. versionadded:: 0.1
    """
    return make_marker(Location.HEADER, default, options)


@t.overload
def Cookie(default: EllipsisType = ..., **options: Unpack[FieldOptions]) -> t.Any: ...
@t.overload
def Cookie(default: type[T], **options: Unpack[FieldOptions]) -> T: ...
@t.overload
def Cookie(default: T, **options: Unpack[FieldOptions]) -> T: ...
def Cookie(default: t.Any = PydanticUndefined, **options: t.Any) -> t.Any:
    """An argument read from a cookie: ``theme: str = Cookie("light")``.

    :param default: a default, or the argument's type; ``...`` means required.
    :param options: those of :func:`pydantic.Field`, ``include_in_schema`` and
        ``openapi_examples``.

    .. versionadded:: 0.1
    """
    return make_marker(Location.COOKIE, default, options)


@t.overload
def Body(default: EllipsisType = ..., **options: Unpack[BodyOptions]) -> t.Any: ...
@t.overload
def Body(default: type[T], **options: Unpack[BodyOptions]) -> T: ...
@t.overload
def Body(default: T, **options: Unpack[BodyOptions]) -> T: ...
def Body(default: t.Any = PydanticUndefined, **options: t.Any) -> t.Any:
    """An argument read from the body: ``item: Item = Body(embed=True)``.

    :param default: a default, or the argument's type; ``...`` means required.
    :param options: those of :func:`pydantic.Field`, ``include_in_schema``,
        ``openapi_examples``, ``embed`` (whether the argument is a key of the JSON
        object or the whole body) and ``media_type`` (the one content type that is
        accepted).

    .. versionadded:: 0.1
    """
    return make_marker(Location.BODY, default, options)


@t.overload
def Form(default: EllipsisType = ..., **options: Unpack[FormOptions]) -> t.Any: ...
@t.overload
def Form(default: type[T], **options: Unpack[FormOptions]) -> T: ...
@t.overload
def Form(default: T, **options: Unpack[FormOptions]) -> T: ...
def Form(default: t.Any = PydanticUndefined, **options: t.Any) -> t.Any:
    """An argument read from a form: ``name: str = Form(min_length=1)``.

    A model takes one field of the form per field, files included.

    :param default: a default, or the argument's type; ``...`` means required.
    :param options: those of :func:`pydantic.Field`, ``include_in_schema``,
        ``openapi_examples`` and ``media_type`` (the one content type that is accepted).

    .. versionadded:: 0.1
    """
    return make_marker(Location.FORM, default, options)


@t.overload
def File(default: EllipsisType = ..., **options: Unpack[FileOptions]) -> t.Any: ...
@t.overload
def File(default: type[T], **options: Unpack[FileOptions]) -> T: ...
@t.overload
def File(default: T, **options: Unpack[FileOptions]) -> T: ...
def File(default: t.Any = PydanticUndefined, **options: t.Any) -> t.Any:
    """An argument read from an uploaded file: ``photo: bytes = File()``.

    :param default: a default, or the argument's type; ``...`` means required.
    :param options: those of :func:`pydantic.Field`, ``include_in_schema``,
        ``openapi_examples``, ``media_type`` (the one content type of the form that is
        accepted) and ``content_type`` (those of the file: ``"image/png, text/*"``).

    .. versionadded:: 0.1
    """
    return make_marker(Location.FILE, default, options)


#: Also to recognise one that was not called.
SPECIAL_FUNCTIONS: t.Final = (Path, Query, Header, Cookie, Body, Form, File)


#: Packages whose objects declare arguments, with the package that has the markers.
FRAMEWORKS: t.Final = frozenset(
    {"blacksheep", "fastapi", "litestar", "ninja", "starlette"}
)

#: What there is instead, by the name there, where it has another name or place.
INSTEAD: t.Final = {
    "BackgroundTasks": "Use a task queue",
    "HTTPConnection": "Use 'from flask import request'",
    "HTTPException": "Use abort() of Flask, and responses=[404] to describe it",
    **dict.fromkeys(
        ("OAuth2PasswordRequestForm", "OAuth2PasswordRequestFormStrict"),
        "Write Annotated[PasswordForm, Form()], with"
        " 'from flask_signature.security import PasswordForm'",
    ),
    "Request": "Use 'from flask import request'",
    "Response": "Annotate headers in the return annotation",
    "Security": "Write Annotated[User, scheme] or security=scheme",
    "SecurityScopes": "Use 'from flask_signature import Scopes'",
    "WebSocket": "There are no WebSockets in WSGI",
}

#: What has the same name here.
SAME: t.Final = frozenset(
    {"Body", "Cookie", "Depends", "File", "Form", "Header", "Path", "Query"}
    | {"UploadFile"}
)


def check_framework(name: str, value: t.Any) -> None:
    """Refuse an object of another framework, or a class of one.

    :param name: of the argument, for messages.
    :raises SignatureError: if the value is one.
    """
    cls = value if isinstance(value, type) else type(value)
    package = cls.__module__.partition(".")[0]
    if package in FRAMEWORKS:
        raise SignatureError(
            f"{name} is declared with {cls.__name__} of {package}, which is not read"
            f" here. {_advice_on_framework(cls.__name__)}."
        )


def _advice_on_framework(name: str) -> str:
    if name in SAME:
        return f"Use 'from flask_signature import {name}'"
    return INSTEAD.get(name, "Remove it")
