"""Types for annotations: an uploaded file, and the options of a route."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic_core import core_schema
from typing_extensions import TypedDict
from werkzeug.datastructures import FileStorage

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Mapping
    from enum import Enum

    from pydantic import AliasChoices
    from pydantic import AliasPath
    from pydantic import Discriminator
    from pydantic import GetCoreSchemaHandler
    from pydantic import GetJsonSchemaHandler
    from pydantic.fields import FieldInfo
    from pydantic.json_schema import JsonSchemaValue
    from pydantic.main import IncEx
    from typing_extensions import TypeForm

#: A view is returned by its decorator as it came.
View = t.TypeVar("View", bound="Callable[..., t.Any]")

#: What may wrap a view: it takes a view function and returns one.
Decorator: t.TypeAlias = "Callable[[Callable[..., t.Any]], Callable[..., t.Any]]"


class ExampleObject(TypedDict, total=False):
    """An example by name, of which ``value`` may be anything.

    Source: OpenAPI 3.1, Example Object.

    .. versionadded:: 0.1
    """

    summary: str
    description: str
    value: t.Any
    externalValue: str


class MediaTypeObject(TypedDict, total=False):
    """What is sent with one media type. A type may stand in place of the schema.

    Source: OpenAPI 3.1, Media Type Object.

    .. versionadded:: 0.1
    """

    schema: t.Any
    example: t.Any
    examples: Mapping[str, ExampleObject]


class ResponseOptions(TypedDict, total=False):
    """What ``responses=`` says of one status.

    ``content`` has Media Type Objects by media type, ``examples`` those of the model by
    name, and ``headers`` types or Header Objects by name.

    .. versionadded:: 0.1
    """

    model: t.Any
    description: str | None
    headers: Mapping[str, t.Any]
    content: Mapping[str, MediaTypeObject]
    examples: Mapping[str, ExampleObject]


#: What is said of a status: a model, nothing, or more than a model.
StatusResponse: t.TypeAlias = "TypeForm[t.Any] | ResponseOptions | None"

#: What is said of responses by status: ``{404: Problem}``. A mapping's keys are
#: invariant: for a union, dictionaries of models would have to be annotated.
Responses: t.TypeAlias = "Mapping[t.Any, StatusResponse]"


#: How a list or a model is written in the query.
QueryStyle: t.TypeAlias = t.Literal[
    "form", "spaceDelimited", "pipeDelimited", "deepObject"
]

#: How a list or a model is written in a header.
HeaderStyle: t.TypeAlias = t.Literal["simple"]


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

    .. versionadded:: 0.1
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


class OperationOptions(TypedDict, total=False):
    """The options of a route that are ours.

    .. versionadded:: 0.1
    """

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
    dependencies: Iterable[t.Any]
    tags: Iterable[str | Enum] | None
    summary: str | None
    description: str | None
    operation_id: str | None
    deprecated: bool
    include_in_schema: bool
    openapi_extra: Mapping[str, t.Any] | None
    security: t.Any
    callbacks: Mapping[str, t.Any] | None


class RouteOptions(RuleOptions, OperationOptions, total=False):
    """Every option of ``route()`` and ``add_url_rule()``.

    .. versionadded:: 0.1
    """


class VerbOptions(_VerbRuleOptions, OperationOptions, total=False):
    """Every option of ``get()`` and the other verbs, which name their own method.

    .. versionadded:: 0.1
    """


class FieldOptions(TypedDict, total=False):
    """The options of ``pydantic.Field``, and the two that every marker adds.

    .. versionadded:: 0.1
    """

    default_factory: Callable[[], t.Any] | Callable[[dict[str, t.Any]], t.Any] | None
    alias: str | None
    alias_priority: int | None
    validation_alias: str | AliasPath | AliasChoices | None
    serialization_alias: str | None
    title: str | None
    field_title_generator: Callable[[str, FieldInfo], str] | None
    description: str | None
    examples: list[t.Any] | None
    exclude: bool | None
    exclude_if: Callable[[t.Any], bool] | None
    discriminator: str | Discriminator | None
    deprecated: str | bool | None
    json_schema_extra: dict[str, t.Any] | Callable[[dict[str, t.Any]], None] | None
    frozen: bool | None
    validate_default: bool | None
    repr: bool
    init: bool | None
    init_var: bool | None
    kw_only: bool | None
    pattern: str | t.Pattern[str] | None
    strict: bool | None
    coerce_numbers_to_str: bool | None
    gt: t.Any
    ge: t.Any
    lt: t.Any
    le: t.Any
    multiple_of: float | None
    allow_inf_nan: bool | None
    max_digits: int | None
    decimal_places: int | None
    min_length: int | None
    max_length: int | None
    union_mode: t.Literal["smart", "left_to_right"]
    fail_fast: bool | None
    include_in_schema: bool
    openapi_examples: Mapping[str, t.Any] | None


class QueryOptions(FieldOptions, total=False):
    """The options of ``Query()``.

    .. versionadded:: 0.1
    """

    style: QueryStyle | None
    explode: bool | None


class HeaderOptions(FieldOptions, total=False):
    """The options of ``Header()``.

    .. versionadded:: 0.1
    """

    convert_underscores: bool
    style: HeaderStyle | None
    explode: bool | None


class BodyOptions(FieldOptions, total=False):
    """The options of ``Body()``.

    .. versionadded:: 0.1
    """

    embed: bool | None
    media_type: str | None


class FormOptions(FieldOptions, total=False):
    """The options of ``Form()`` and of ``File()``.

    .. versionadded:: 0.1
    """

    media_type: str | None
