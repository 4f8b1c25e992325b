"""The content of responses by media type, their headers and their streams.

Outbound plans go in, objects come out. Source: OpenAPI 3.1, Response Object, Media Type
Object and Header Object.
"""

from __future__ import annotations

import typing as t
from functools import partial

from werkzeug.http import HTTP_STATUS_CODES

from .._common import content_type_of, has_content, is_success_key
from .._http.json import JSON
from .._outbound.compile import model_media_type, write_example
from .._outbound.models import ALL
from .._outbound.responses import NO_DECLARED
from .._outbound.stream import EVENT_STREAM
from .._types.adapters import Adapter
from .schemas import any_of, change_parts, header_objects

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .._outbound.annotation import AnnotatedBody
    from .._outbound.plan import OutboundPlan, ResponseRow
    from .._outbound.responses import DeclaredResponse, HeaderField
    from .._outbound.serializer import ResponseSerializer
    from .schemas import JsonObject, Schemas

STATUS_CLASSES: t.Final = {
    "1XX": "Information",
    "2XX": "Success",
    "3XX": "Redirection",
    "4XX": "Client error",
    "5XX": "Server error",
    "default": "Any other response",
}

ETAG: t.Final = {
    "ETag": {
        "description": "Changes when the content does.",
        "schema": {"type": "string"},
    }
}

#: Bytes that are no text. OpenAPI 3.1 needs no schema for them; this is what Pydantic
#: says of ``bytes``, and what programs that generate clients know a file by.
#: Source: OpenAPI 3.1, Considerations for File Uploads; OpenAPI 3.0, Data Types.
BINARY: t.Final = {"type": "string", "format": "binary"}


def describe_response(
    plan: OutboundPlan,
    named: int | str | None,
    *,
    description: str | None,
    schemas: Schemas,
) -> JsonObject:
    """The Response Object of what is sent with a status.

    Content that is declared of a class of statuses is that of each of them.

    :param named: the status, ``None`` for what is returned without one.
    :param description: ``None`` for the phrase of the status.
    """
    row, status = plan.find(named), plan.status if named is None else named
    declared = row.declared if row.key == status else NO_DECLARED
    is_empty = isinstance(status, int) and not has_content(status)
    content = {} if is_empty else own_content(plan, row, status, schemas=schemas)
    if row.serializer is not None and declared.examples:
        content[model_media_type(plan, status)]["examples"] = {
            name: write_example(example, row.serializer)
            for name, example in declared.examples.items()
        }
    if row.key == status:
        content = _written_content(content, declared, schemas)
    else:
        content = {**_written_content({}, row.declared, schemas), **content}
    may_be_absent = row.returns.may_have_none
    headers = {
        field.name: _describe_header(field, schemas, may_be_absent=may_be_absent)
        for field in (row.headers.fields.values() if row.headers else ())
    }
    is_whole = plan.declaration.etag and not is_empty and row.stream is None
    if is_whole and is_success_key(status):
        headers = join_headers(ETAG, headers)
    described = without_empty(
        {
            "summary": declared.summary,
            "description": description or status_phrase(str(status)),
            "headers": headers,
            "content": content,
        }
    )
    if declared.headers:
        others = schemas.describe(header_objects(declared.headers))
        described["headers"] = join_headers(headers, others)
    return described


def status_phrase(key: str) -> str:
    """The phrase of a status: ``"Not Found"``, ``"Client error"`` for ``"4XX"``."""
    known = HTTP_STATUS_CODES.get(int(key)) if key.isdigit() else STATUS_CLASSES[key]
    return known or STATUS_CLASSES[f"{key[0]}XX"]


def without_empty(described: JsonObject) -> JsonObject:
    """An object without the parts that say nothing."""
    return {key: value for key, value in described.items() if value}


def own_content(
    plan: OutboundPlan, row: ResponseRow, status: int | str, *, schemas: Schemas
) -> JsonObject:
    """The content of what a view returns with a status, where that is known."""
    media_type = plan.declaration.media_type if is_success_key(status) else None
    is_own = row.is_annotated or is_success_key(status) or status == plan.status
    bodies = row.plain_bodies() if is_own else []
    content: JsonObject = {}
    if row.stream is not None:
        items = [response_schema(item, schemas) for item in row.stream.serializers]
        content = stream_content(row.stream.mimetype, items)
    if row.serializer is not None:
        schema = {"schema": response_schema(row.serializer, schemas)}
        content = either(content, {model_media_type(plan, status): schema})
    elif content or (row.declared.content and media_type is None):
        # A media type of the route says what anything is sent as.
        bodies = [body for body in bodies if body.sent.is_known]
    for body in bodies:
        for name, schema in _sent_as(body, plan, media_type):
            content = either(content, {name: {"schema": schema}})
    return content


def either(one: JsonObject, other: JsonObject) -> JsonObject:
    """The content of a response that may be one of two.

    A media type that both have is described by either schema, and by all else of the
    first. One that only one of them has stays as it is.
    """
    content = {**one, **other}
    for name in one.keys() & other.keys():
        schemas = [item[name].get("schema", {}) for item in (one, other)]
        content[name] = {**one[name], "schema": any_of(schemas)}
    return content


def either_response(one: JsonObject, other: JsonObject) -> JsonObject:
    """The Response Object of one of two responses, in the words of the first."""
    content = either(one.get("content", {}), other.get("content", {}))
    both = [one.get("headers", {}), other.get("headers", {})]
    headers = {
        name: header
        if all(known.get(name, {}).get("required") for known in both)
        else {key: value for key, value in header.items() if key != "required"}
        for name, header in (both[1] | both[0]).items()
    }
    joined = {**other, **one, "content": content, "headers": headers}
    return {key: value for key, value in joined.items() if value != {}}


def _written_content(
    known: JsonObject, declared: DeclaredResponse, schemas: Schemas
) -> JsonObject:
    """The content of a response with the Media Type Objects that are declared."""
    content = dict(known)
    for media_type, item in declared.content.items():
        described = {**content.get(media_type, {}), **item}
        if isinstance(schema := item.get("schema"), Adapter):
            described["schema"] = schemas.serialized(schema)
        content[media_type] = described
    return content


def is_json_media_type(media_type: str) -> bool:
    """Whether a media type is that of one JSON text.

    Source: RFC 6839, 3.1.
    """
    return media_type == JSON or media_type.endswith("+json")


def _sent_as(
    body: AnnotatedBody, plan: OutboundPlan, media_type: str | None
) -> Iterator[tuple[str, JsonObject]]:
    """The media types that a body may be sent with, and the schemas."""
    kind, app = body.sent, plan.app
    if media_type is not None:
        if kind.json is not None and is_json_media_type(media_type):
            yield media_type, dict(kind.json)
        elif kind.json is not None or kind.is_text:
            yield media_type, _raw_schema(body, media_type)
        return
    if kind.json is not None:
        yield getattr(app.json, "mimetype", JSON), dict(kind.json)
    if kind.is_text:
        media_type = app.response_class.default_mimetype or "text/html"
        yield media_type, _raw_schema(body, media_type)


def _raw_schema(body: AnnotatedBody, media_type: str) -> JsonObject:
    """The schema of a string or bytes that are sent as they are."""
    if is_json_media_type(media_type):
        return {}
    # Werkzeug adds the character set to what is text.
    is_text = body.is_str or content_type_of(media_type, "utf-8") != media_type
    return {"type": "string"} if is_text else dict(BINARY)


def _describe_header(
    field: HeaderField, schemas: Schemas, *, may_be_absent: bool
) -> JsonObject:
    described = {
        "description": field.info.description,
        "required": field.is_required and not may_be_absent,
        "deprecated": bool(field.info.deprecated),
    }
    schema = schemas.without_null(schemas.serialized(field.adapter))
    return {**without_empty(described), "schema": change_parts(schema, _with_http_date)}


def _with_http_date(schema: t.Any) -> t.Any:
    """A date with a time is written as HTTP writes it.

    Source: RFC 9110, 5.6.7; OpenAPI Format Registry, http-date.
    """
    if isinstance(schema, dict) and schema.get("format") == "date-time":
        return {**schema, "format": "http-date"}
    return schema


def join_headers(known: JsonObject, others: JsonObject) -> JsonObject:
    """Header Objects by name; of two of one name, in whatever case, the other one.

    Source: RFC 9110, 5.1, Field Names.
    """
    names = {name.lower() for name in others}
    kept = {name: item for name, item in known.items() if name.lower() not in names}
    return {**kept, **others}


def stream_content(media_type: str, items: Sequence[JsonObject]) -> JsonObject:
    """The content of a stream: a string, which has the schema of an item inside.

    :param items: the schemas of its items, none where they are strings themselves.

    Source: JSON Schema 2020-12, Validation, 8. OpenAPI 3.1 has no ``itemSchema``.
    """
    schema: JsonObject = {"type": "string"}
    described = {"schema": schema}
    if items:
        whole = any_of(items)
        schema["contentMediaType"] = media_type
        schema["contentSchema"] = whole
        each = whole["anyOf"] if whole.keys() == {"anyOf"} else [whole]
        write = event_schema if media_type == EVENT_STREAM else dict
        described["itemSchema"] = any_of(map(write, each))
    return {media_type: described}


def event_schema(data: JsonObject) -> JsonObject:
    """The schema of a server-sent event, by that of its data.

    Source: OpenAPI 3.2, Server-Sent Event Streams.
    """
    written = {"contentMediaType": JSON, "contentSchema": data}
    return {
        "type": "object",
        "properties": {
            "data": {"type": "string", **written},
            "event": {"type": "string"},
            "id": {"type": "string"},
            "retry": {"type": "integer", "minimum": 0},
        },
    }


#: The keys of a schema that has others inside, beside the properties of an object.
CONTAINER_KEYWORDS: t.Final = frozenset(
    {"items", "prefixItems", "additionalProperties", "anyOf", "oneOf"}
)


def response_schema(serializer: ResponseSerializer, schemas: Schemas) -> JsonObject:
    """The schema of a response model, as its route serializes it."""
    options = serializer.options
    if options.get("by_alias", True):
        schema = schemas.serialized(serializer.adapter)
    else:
        schema = schemas.serialized_by_name(serializer.adapter)
    if options.get("exclude_none"):
        schema = schemas.without_none(schema)
    for name in "exclude", "include":
        if options.get(name):
            is_include = name == "include"
            schema = _select(
                schema, options[name], is_include=is_include, schemas=schemas
            )
    return schema


def _select(
    schema: JsonObject, option: t.Any, *, is_include: bool, schemas: Schemas
) -> JsonObject:
    """A copy of a schema with fewer fields, in the models inside of it too.

    :param option: as a serializer has it.
    """
    if option is True:
        return schema
    select = partial(_select, is_include=is_include, schemas=schemas)
    names = schemas.field_names(schema)
    plain = dict(schemas.resolve(schema))
    # An option is about the items of a set themselves.
    inside = option if plain.get("uniqueItems") else option.get(ALL, True)
    for key in ("items", "additionalProperties"):
        if isinstance(plain.get(key), dict):
            plain[key] = select(plain[key], inside)
    for key, part in ("anyOf", option), ("oneOf", option), ("prefixItems", inside):
        if key in plain:
            plain[key] = [select(item, part) for item in plain[key]]
    if "properties" not in plain:
        return _with_values(plain) if plain.keys() & CONTAINER_KEYWORDS else schema
    plain.pop("title", None)
    parts = {key: option.get(names.get(key, key)) for key in plain["properties"]}
    plain["properties"] = {
        key: select(field, True if parts[key] is None else parts[key])
        for key, field in plain["properties"].items()
        if parts[key] is not (None if is_include else True)
    }
    required = [key for key in plain.pop("required", ()) if key in plain["properties"]]
    return _with_values({**plain, "required": required} if required else plain)


def _with_values(schema: JsonObject) -> JsonObject:
    """A schema whose default and examples have the fields that are left in it."""
    if "default" in schema:
        schema["default"] = _described(schema["default"], schema)
    if isinstance(schema.get("examples"), list):
        schema["examples"] = [_described(x, schema) for x in schema["examples"]]
    return schema


def _described(value: t.Any, schema: t.Any) -> t.Any:
    """The part of a value that a schema describes: nothing is left out by a reference.

    Of several schemas it is the one that describes the most of it.
    """
    if not (isinstance(value, (dict, list)) and isinstance(schema, dict)):
        return value
    kind = "object" if isinstance(value, dict) else "array"
    members = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    fitting = [item for item in members if item.get("type", kind) == kind]
    if fitting:
        return max((_described(value, item) for item in fitting), key=len)
    if schema.get("type") != kind:
        return value
    if isinstance(value, list):
        first = schema.get("prefixItems", ())
        rest = [schema.get("items")] * len(value)
        return [_described(*pair) for pair in zip(value, (*first, *rest), strict=False)]
    named, more = schema.get("properties", {}), schema.get("additionalProperties")
    return {
        key: _described(item, named.get(key, more))
        for key, item in value.items()
        if key in named or more
    }
