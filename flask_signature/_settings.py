"""The ``SIGNATURE_*`` keys of an application's configuration."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    JsonValue,
    TypeAdapter,
    ValidationError,
    with_config,
)
from typing_extensions import NotRequired, TypedDict

from ._common import CONFIGURATION, unknown_option
from ._errors.formats import ErrorFormat
from ._routing.declaration import plain_tag
from .exceptions import SignatureError
from .security import Requirement, SecurityScheme, read_security
from .typing import DescribedOperation

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PREFIX: t.Final = "SIGNATURE_"


def _read_security(value: t.Any) -> Requirement | None:
    try:
        return None if value is None else read_security(value)
    except SignatureError as error:
        raise ValueError(str(error)) from error


def _read_url_scheme(value: t.Any) -> t.Any:
    if isinstance(value, SecurityScheme) and value.verifies:
        raise ValueError(
            f"the scheme {value.name!r} verifies, and would be described alone. Pass"
            " the object to security=, where it is enforced"
        )
    if isinstance(value, (SecurityScheme, dict)):
        return value
    raise ValueError("a security scheme is an object such as HTTPBearer('token')")


#: An error format of the author's.
OwnFormat: t.TypeAlias = InstanceOf[ErrorFormat]

#: The path of a route.
UrlPath: t.TypeAlias = t.Annotated[str, Field(pattern="^/")]

#: The name of a tag, which may be given as a member of an ``Enum``.
TagName: t.TypeAlias = t.Annotated[str, BeforeValidator(plain_tag)]

#: A name that is a part of a path and of an endpoint.
Name: t.TypeAlias = t.Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$")]

#: A function that gets a finished document; it changes it or returns another.
DocumentHook: t.TypeAlias = t.Callable[[dict[str, t.Any]], dict[str, t.Any] | None]

#: A function that names an operation, or leaves that to us.
NamingHook: t.TypeAlias = t.Callable[[DescribedOperation], str | None]


@with_config(ConfigDict(extra="allow"))
class License(TypedDict):
    """A License Object, whatever else is in it."""

    name: str


@with_config(ConfigDict(extra="allow"))
class ExternalDocs(TypedDict):
    """An External Documentation Object, whatever else is in it."""

    url: str


@with_config(ConfigDict(extra="allow"))
class Server(TypedDict):
    """A Server Object, whatever else is in it."""

    url: str


@with_config(ConfigDict(extra="allow"))
class Tag(TypedDict):
    """A Tag Object, whatever else is in it."""

    name: TagName
    summary: NotRequired[str]
    parent: NotRequired[TagName]
    kind: NotRequired[str]


@with_config(ConfigDict(extra="forbid"))
class Selection(TypedDict, total=False):
    """One more document: the operations of some blueprints, or with some tags.

    What is left out is as in the document of the whole application.
    """

    blueprints: list[str]
    tags: list[TagName]
    openapi_path: UrlPath
    openapi_version: Literal["3.1", "3.2"]
    openapi_self: str
    docs_path: UrlPath | None
    hook: DocumentHook | None
    title: str
    summary: str
    version: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the configuration says; ``error_format`` is ``SIGNATURE_ERROR_FORMAT``."""

    __pydantic_config__: t.ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", arbitrary_types_allowed=True
    )

    openapi: bool = True
    error_handlers: bool = True
    docs_path: UrlPath | None = "/docs"
    openapi_path: UrlPath | None = "/openapi.json"
    openapi_version: Literal["3.1", "3.2"] = "3.1"
    openapi_self: str | None = None
    title: str | None = None
    summary: str | None = None
    version: str = "0.1.0"
    description: str | None = None
    terms_of_service: str | None = None
    contact: dict[str, str] | None = None
    license: License | None = None
    servers: list[Server] | None = None
    tags: list[Tag] | None = None
    external_docs: ExternalDocs | None = None
    error_format: (
        Literal["pydantic2", "pydantic1", "problem", "fastapi"] | OwnFormat
    ) = "pydantic2"
    strict_content_type: bool = True
    async_loop: Literal["request", "thread"] = "request"
    docs_decorators: list[t.Callable[..., t.Any]] = field(default_factory=list)
    docs_parameters: dict[str, JsonValue] = field(default_factory=dict)
    docs_oauth: dict[str, JsonValue] = field(default_factory=dict)
    documents: dict[Name, Selection] = field(default_factory=dict)
    document_hook: DocumentHook | None = None
    separate_input_output: bool = True
    operation_id: NamingHook | None = None
    security: t.Annotated[t.Any, AfterValidator(_read_security)] = None
    security_schemes: dict[
        str, t.Annotated[t.Any, AfterValidator(_read_url_scheme)]
    ] = field(default_factory=dict)
    webhooks: dict[str, dict[str, t.Any]] = field(default_factory=dict)


def read_settings(config: Mapping[str, t.Any]) -> Settings:
    """The settings that an application's configuration holds.

    :raises SignatureError: if a ``SIGNATURE_*`` key is unknown or its value is not of
        the right type, naming both.
    """
    given = {
        key[len(PREFIX) :].lower(): value
        for key, value in config.items()
        if key.startswith(PREFIX)
    }
    known = {item.name for item in fields(Settings)}
    for name in sorted(given.keys() - known):
        keys = [PREFIX + name.upper() for name in known]
        key = PREFIX + name.upper()
        message = unknown_option(key, keys, CONFIGURATION)
        raise SignatureError(f"{key}={given[name]!r}: {message}")
    try:
        return _adapter().validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name, *inside = map(str, first["loc"])
        key, value = PREFIX + name.upper(), given[name]
        raise SignatureError(f"{key}={value!r}: {_reason(first, inside)}") from None


def _reason(error: t.Any, inside: Sequence[str]) -> str:
    """Why a value raises ``SignatureError``.

    :param error: one of Pydantic's.
    :param inside: the names that lead to the part of the value that is wrong.
    """
    if error["type"] == "extra_forbidden":
        # Documents are what refuses a key that is not known.
        *document, key = inside
        known = Selection.__annotations__
        return unknown_option(key, known, f"the document {'.'.join(document)!r}")
    return f"{error['msg']}."


@cache
def _adapter() -> TypeAdapter[Settings]:
    return TypeAdapter(Settings)
