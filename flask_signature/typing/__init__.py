"""Types for annotations: an uploaded file, and the options of a route."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic_core import core_schema
from typing_extensions import TypedDict
from werkzeug.datastructures import FileStorage

from .fields import BodyOptions as BodyOptions
from .fields import FieldOptions as FieldOptions
from .fields import FileOptions as FileOptions
from .fields import FormOptions as FormOptions
from .fields import HeaderOptions as HeaderOptions
from .fields import HeaderStyle as HeaderStyle
from .fields import QueryOptions as QueryOptions
from .fields import QueryStyle as QueryStyle

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set
    from enum import Enum

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic.main import IncEx
    from typing_extensions import TypeForm

#: A view is returned by its decorator as it came.
View = t.TypeVar("View", bound="Callable[..., t.Any]")

#: An error handler is returned by its decorator as it came.
ErrorHandler = t.TypeVar("ErrorHandler", bound="Callable[[t.Any], t.Any]")

#: What may wrap a view: it takes a view function and returns one.
Decorator: t.TypeAlias = "Callable[[Callable[..., t.Any]], Callable[..., t.Any]]"


class ExampleObject(TypedDict, total=False):
    """An example by name, of which ``value`` may be anything.

    Source: OpenAPI 3.1, Example Object.

    .. versionadded:: 0.2
    """

    summary: str
    description: str
    value: t.Any
    externalValue: str


class MediaTypeObject(TypedDict, total=False):
    """What is sent with one media type. A type may be in place of the schema.

    Source: OpenAPI 3.1, Media Type Object.

    .. versionadded:: 0.2
    """

    schema: t.Any
    example: t.Any
    examples: Mapping[str, ExampleObject]


class ResponseOptions(TypedDict, total=False):
    """What ``responses=`` says of one status.

    ``content`` has Media Type Objects by media type, ``examples`` those of the model by
    name, and ``headers`` types or Header Objects by name.

    .. versionadded:: 0.2
    """

    model: t.Any
    summary: str | None
    description: str | None
    headers: Mapping[str, t.Any]
    content: Mapping[str, MediaTypeObject]
    examples: Mapping[str, ExampleObject]


#: What is said of a status: a model, nothing, or more than a model.
StatusResponse: t.TypeAlias = "TypeForm[t.Any] | ResponseOptions | None"

#: What is said of responses by status: ``{404: Problem}``. A mapping's keys are
#: invariant: for a union, dictionaries of models would have to be annotated.
Responses: t.TypeAlias = "Mapping[t.Any, StatusResponse]"

#: That, or the statuses of errors in the format of the application: ``[401, 404]``.
ResponsesOption: t.TypeAlias = "Responses | Sequence[int] | Set[int]"


#: When the generator of a dependency is closed.
DependencyScope: t.TypeAlias = t.Literal["function", "request"]


class UploadFile(FileStorage):
    """Werkzeug's ``FileStorage``, made known to Pydantic: it can be a model's field.

    The view gets the ``FileStorage`` that Werkzeug made.

    .. versionadded:: 0.1
    """

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: t.Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.is_instance_schema(FileStorage, cls_repr="FileStorage")

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"type": "string", "format": "binary"}


@dataclass(frozen=True, slots=True)
class DescribedOperation:
    """An operation, for the function ``SIGNATURE_OPERATION_ID`` that names it.

    :param method: in upper case: ``"GET"``.
    :param rule: as Werkzeug writes it, with all prefixes: ``"/users/<int:user_id>"``.
    :param path: as OpenAPI writes it: ``"/users/{user_id}"``.
    :param endpoint: with the names of its blueprints: ``"shop.users.show"``.
    :param tags: in the order of the document.

    .. versionadded:: 0.2
    """

    method: str
    rule: str
    path: str
    endpoint: str
    tags: tuple[str, ...]


class _VerbRuleOptions(TypedDict, total=False):
    endpoint: str | None
    defaults: Mapping[str, t.Any] | None
    provide_automatic_options: bool | None
    subdomain: str | None
    build_only: bool
    strict_slashes: bool | None
    merge_slashes: bool | None
    redirect_to: str | Callable[..., str] | None
    alias: bool
    host: str | None
    websocket: bool


class RuleOptions(_VerbRuleOptions, total=False):
    """The options of a route that are Flask's and Werkzeug's own.

    .. versionadded:: 0.1
    """

    methods: Iterable[str] | None


class ScopeOptions(TypedDict, total=False):
    """The options that a blueprint, a registration of it and a route have.

    .. versionadded:: 0.2
    """

    decorators: Iterable[Decorator]
    dependencies: Iterable[t.Any]
    responses: ResponsesOption | None
    raises: Iterable[type[Exception]]
    security: t.Any
    status_code: int | None
    tags: Iterable[str | Enum] | None
    include_in_schema: bool
    deprecated: bool


class RegistrationOptions(ScopeOptions, total=False):
    """Every option of ``register_blueprint()``.

    .. versionadded:: 0.2
    """

    name: str
    url_prefix: str | None
    subdomain: str | None
    url_defaults: dict[str, t.Any] | None
    cli_group: str | None


class OperationOptions(ScopeOptions, total=False):
    """The options of a route that Flask does not have.

    .. versionadded:: 0.1
    """

    response_model: t.Any
    response_model_by_alias: bool
    response_model_exclude_unset: bool
    response_model_exclude_defaults: bool
    response_model_exclude_none: bool
    response_model_include: IncEx | None
    response_model_exclude: IncEx | None
    response_description: str | None
    media_type: str | None
    etag: bool
    summary: str | None
    description: str | None
    operation_id: str | None
    openapi_extra: Mapping[str, t.Any] | None
    callbacks: Mapping[str, t.Any] | None


class RouteOptions(RuleOptions, OperationOptions, total=False):
    """Every option of ``route()`` and ``add_url_rule()``.

    .. versionadded:: 0.1
    """


class VerbOptions(_VerbRuleOptions, OperationOptions, total=False):
    """Every option of ``get()`` and the other verbs, which name their own method.

    .. versionadded:: 0.1
    """
