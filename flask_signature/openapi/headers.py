"""The headers of a response that a return annotation names.

An annotated response goes in, Header Objects by name come out; the descriptions of what
a view returns and of errors call it.
"""

from __future__ import annotations

import typing as t

from .components import without_null

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from .._outbound.headers import HeaderField
    from .._outbound.status_plan import AnnotatedResponse
    from .objects import JsonObject
    from .schemas import Schemas


def header_fields(response: AnnotatedResponse) -> Collection[HeaderField]:
    """The headers that an annotation names for a status."""
    return response.headers.fields.values() if response.headers is not None else ()


def describe_headers(response: AnnotatedResponse, schemas: Schemas) -> JsonObject:
    """The Header Objects of a status by name.

    Source: OpenAPI 3.1, Header Object.
    """
    return {
        field.name: _header(field, schemas, may_be_absent=response.may_have_none)
        for field in header_fields(response)
    }


def join_headers(known: JsonObject, others: JsonObject) -> JsonObject:
    """Header Objects by name; of two of one name, in whatever case, the other one.

    Source: RFC 9110, 5.1, Field Names.
    """
    names = {name.lower() for name in others}
    return {
        **{name: item for name, item in known.items() if name.lower() not in names},
        **others,
    }


def _header(field: HeaderField, schemas: Schemas, *, may_be_absent: bool) -> JsonObject:
    described: JsonObject = {}
    if field.info.description:
        described["description"] = field.info.description
    if field.is_required and not may_be_absent:
        described["required"] = True
    if field.info.deprecated:
        described["deprecated"] = True
    schema = without_null(schemas.serialized(field.adapter), schemas.components)
    return {**described, "schema": _with_http_dates(schema)}


def _with_http_dates(schema: t.Any) -> t.Any:
    """A schema in which a date with a time is written as HTTP writes it.

    Source: RFC 9110, 5.6.7; OpenAPI Format Registry, http-date.
    """
    if isinstance(schema, list):
        return [_with_http_dates(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    known = {key: _with_http_dates(value) for key, value in schema.items()}
    if known.get("format") == "date-time":
        known["format"] = "http-date"
    return known
