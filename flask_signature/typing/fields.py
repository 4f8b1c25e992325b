"""The options of the markers, ``Path()`` to ``File()``."""

from __future__ import annotations

import typing as t

from typing_extensions import TypedDict

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import AliasChoices, AliasPath, Discriminator
    from pydantic.fields import FieldInfo

#: How a list or a model is written in the query.
QueryStyle: t.TypeAlias = t.Literal[
    "form", "spaceDelimited", "pipeDelimited", "deepObject"
]

#: How a list or a model is written in a header.
HeaderStyle: t.TypeAlias = t.Literal["simple"]


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

    .. versionadded:: 0.2
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
    """The options of ``Form()``.

    .. versionadded:: 0.1
    """

    media_type: str | None


class FileOptions(FormOptions, total=False):
    """The options of ``File()``.

    .. versionadded:: 0.2
    """

    content_type: str | None
