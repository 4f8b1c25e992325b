"""Types for annotations: an uploaded file, and the options of a route."""

from __future__ import annotations

import typing as t

from pydantic_core import core_schema
from typing_extensions import TypedDict
from werkzeug.datastructures import FileStorage

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Mapping

    from pydantic import GetCoreSchemaHandler
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic.main import IncEx

#: A view is returned by its decorator as it came.
View = t.TypeVar("View", bound="Callable[..., t.Any]")

#: What may wrap a view: it takes a view function and returns one.
Decorator: t.TypeAlias = "Callable[[Callable[..., t.Any]], Callable[..., t.Any]]"


#: Models by status. A mapping's keys are invariant, so that each kind is named.
Responses: t.TypeAlias = (
    "Mapping[int, t.Any] | Mapping[str, t.Any] | Mapping[int | str, t.Any]"
)


class UploadFile(FileStorage):
    """Werkzeug's ``FileStorage``, made known to Pydantic: it can be a model's field.

    The view gets the ``FileStorage`` that Werkzeug made.
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


class RuleOptions(TypedDict, total=False):
    """The options of a route that are Flask's and Werkzeug's own."""

    methods: Iterable[str] | None
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


class OperationOptions(TypedDict, total=False):
    """The options of a route that are ours."""

    response_model: t.Any
    status_code: int | None
    validate_response: bool | None
    response_model_by_alias: bool
    response_model_exclude_unset: bool
    response_model_exclude_defaults: bool
    response_model_exclude_none: bool
    response_model_include: IncEx | None
    response_model_exclude: IncEx | None
    responses: Responses
    response_description: str | None
    media_type: str | None
    etag: bool
    decorators: Iterable[Decorator]
    tags: Iterable[str]
    summary: str | None
    description: str | None
    operation_id: str | None
    deprecated: bool
    include_in_schema: bool
    openapi_extra: Mapping[str, t.Any] | None
    security: t.Any
    callbacks: Mapping[str, t.Any] | None


class RouteOptions(RuleOptions, OperationOptions, total=False):
    """Every option of ``route()`` and ``add_url_rule()``."""


class VerbOptions(OperationOptions, total=False):
    """Every option of ``get()`` and the other verbs, which name their own method."""

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
