"""The responses of an operation."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from werkzeug.http import HTTP_STATUS_CODES

from .._http.json import JSON
from .._http.status import has_content
from .._http.status import is_success
from .._outbound.kinds import kind_of
from .._outbound.status_plan import annotated_responses
from .._outbound.status_plan import has_default
from .._signature.argument import EMPTY
from .content import declared_content
from .errors import describe_errors
from .headers import describe_headers
from .streams import stream_content

if t.TYPE_CHECKING:
    from .._operations.operation import Operation
    from .._outbound.declared import DeclaredResponse
    from .._outbound.plan import OutboundPlan
    from .._outbound.serializer import ResponseSerializer
    from .context import DocumentContext
    from .objects import JsonObject
    from .schemas import Schemas

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


def describe_responses(operation: Operation, context: DocumentContext) -> JsonObject:
    """The Responses Object of an operation.

    The author's declaration of a status wins over what is known otherwise.

    Source: OpenAPI 3.1, Responses Object.
    """
    returned = _returned(operation, context.schemas)
    found = {
        **describe_errors(operation, context),
        **_conditional(operation),
        **returned,
    }
    for status, declared in operation.outbound.responses.items():
        described = _declared(status, declared, context)
        known = found.get(str(status), {})
        if not declared.description and str(status) in returned:
            described["description"] = known["description"]
        if "headers" in known and "headers" in described:
            described["headers"] = {**known["headers"], **described["headers"]}
        response = {**known, **described}
        if declared.content or declared.examples:
            response["content"] = declared_content(
                response.get("content", {}),
                operation.outbound,
                status,
                schemas=context.schemas,
            )
        found[str(status)] = response
    return {status: found[status] for status in sorted(found)}


def _returned(operation: Operation, schemas: Schemas) -> dict[str, JsonObject]:
    """What the return annotation says, by status, with the usual status of a success.

    A member with a status and one without may have the same.
    """
    plan = operation.outbound
    found: dict[str, JsonObject] = {}
    if has_default(plan):
        found[str(plan.status)] = _response(operation, plan, schemas)
    for status, annotated in annotated_responses(plan).items():
        described = _response(operation, annotated.plan, schemas)
        headers = describe_headers(annotated, schemas)
        if known := found.get(str(status)):
            described = _either(known, described)
            headers = {name: _optional(header) for name, header in headers.items()}
        if headers:
            described["headers"] = {**described.get("headers", {}), **headers}
        found[str(status)] = described
    return found


def _either(one: JsonObject, other: JsonObject) -> JsonObject:
    """The description of a response that may be one of two."""
    first, second = one.get("content", {}), other.get("content", {})
    content = {**first, **second}
    for media_type in first.keys() & second.keys():
        content[media_type] = any_of(first[media_type], second[media_type])
    return {**one, **other, **({"content": content} if content else {})}


def any_of(one: JsonObject, other: JsonObject) -> JsonObject:
    """A Media Type Object whose content may be one of two."""
    if one == other or not (one and other):
        return {} if not (one and other) else one
    return {"schema": {"anyOf": [one["schema"], other["schema"]]}}


def _optional(header: JsonObject) -> JsonObject:
    return {key: value for key, value in header.items() if key != "required"}


def status_phrase(status: int | str) -> str:
    """The phrase of a status: ``"Not Found"``, ``"Client error"`` for ``"4XX"``."""
    if isinstance(status, str):
        return STATUS_CLASSES[status]
    return HTTP_STATUS_CODES.get(status, STATUS_CLASSES[f"{status // 100}XX"])


def _response(operation: Operation, plan: OutboundPlan, schemas: Schemas) -> JsonObject:
    """What a view returns with the status of a plan."""
    response: JsonObject = {"description": _description(operation, plan)}
    if not has_content(plan.status):
        return response
    if plan.etag and is_success(plan.status):
        response["headers"] = dict(ETAG)
    if operation.method == "HEAD":
        return response
    content = _content(plan, schemas)
    return {**response, "content": content} if content else response


def _description(operation: Operation, plan: OutboundPlan) -> str:
    given = operation.declaration.response_description
    usual = operation.outbound.status
    if not has_default(operation.outbound):
        # The first success of those that are annotated.
        statuses = [*annotated_responses(operation.outbound)]
        usual = next(filter(is_success, statuses), usual)
    if given and plan.status == usual:
        return given
    return status_phrase(plan.status)


def _content(plan: OutboundPlan, schemas: Schemas) -> JsonObject:
    media_type = plan.media_type if is_success(plan.status) else None
    if plan.stream is not None:
        items = [response_schema(item, schemas) for item in plan.stream.serializers]
        return stream_content(plan.stream.mimetype, items)
    if plan.serializer is not None:
        schema = response_schema(plan.serializer, schemas)
        found = {media_type or JSON: {"schema": schema}}
        for tp in plan.passthrough:
            if content := _plain_content(tp):
                found.setdefault(content[0], {"schema": content[1]})
        return found
    if plan.disabled:
        return {media_type: {}} if media_type else {}
    content = _plain_content(plan.annotation)
    if content is not None:
        return {media_type or content[0]: {"schema": content[1]}}
    return {media_type: {}} if media_type else {}


def _plain_content(annotation: t.Any) -> tuple[str, JsonObject] | None:
    """The content type and the schema of a value without a model, where known."""
    kind = None if annotation is EMPTY else kind_of(annotation)
    return None if kind is None else kind.content


def _conditional(operation: Operation) -> dict[str, JsonObject]:
    """The response to a client that has the content already.

    Source: RFC 9110, 13.2.2 and 15.4.5.
    """
    if not operation.outbound.etag or operation.method not in ("GET", "HEAD"):
        return {}
    return {"304": {"description": status_phrase(304), "headers": dict(ETAG)}}


def _declared(
    status: int | str, declared: DeclaredResponse, context: DocumentContext
) -> JsonObject:
    description = declared.description or status_phrase(status)
    response: JsonObject = {"description": description}
    if declared.headers:
        headers = header_objects(declared.headers)
        response["headers"] = context.extras.describe(headers, context.schemas)
    sends_content = isinstance(status, str) or has_content(status)
    if declared.serializer is not None and sends_content:
        schema = response_schema(declared.serializer, context.schemas)
        response["content"] = {JSON: {"schema": schema}}
    return response


def header_objects(headers: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Header Objects by name; a type becomes the schema of one.

    Source: OpenAPI 3.1, Header Object.
    """
    return {
        name: header if isinstance(header, dict) else {"schema": header}
        for name, header in headers.items()
    }


#: The key for every item of a list in an option. Source: Pydantic, Serialization,
#: Advanced.
ALL: t.Final = "__all__"


def response_schema(serializer: ResponseSerializer, schemas: Schemas) -> JsonObject:
    """The schema of a response model, as its route serializes it."""
    options = serializer.options
    if options.get("by_alias", True):
        schema = schemas.serialized(serializer.adapter)
    else:
        schema = schemas.serialized_by_name(serializer.adapter)
    if options.get("exclude_none"):
        schema = schemas.without_none(schema)
    for name, drop in (("exclude", _exclude), ("include", _include)):
        if options.get(name):
            schema = drop(schema, options[name], schemas)
    return schema


def _exclude(schema: JsonObject, excluded: t.Any, schemas: Schemas) -> JsonObject:
    if excluded is True:
        return schema
    whole = {name for name, inner in _named_fields(excluded) if inner is True}
    parts = {
        name: inner for name, inner in _named_fields(excluded) if inner is not True
    }
    return _rebuild(
        schema, schemas, _exclude, keeps=lambda name: name not in whole, parts=parts
    )


def _include(schema: JsonObject, included: t.Any, schemas: Schemas) -> JsonObject:
    if included is True:
        return schema
    parts = dict(_named_fields(included))
    return _rebuild(
        schema, schemas, _include, keeps=lambda name: name in parts, parts=parts
    )


def _named_fields(fields: t.Any) -> list[tuple[t.Any, t.Any]]:
    """The fields that an option names, with ``True`` or the option for a part of it."""
    if isinstance(fields, Mapping):
        return [
            (name, True if inner is ... else inner)
            for name, inner in fields.items()
            if inner is not False
        ]
    return [(name, True) for name in fields]


def _rebuild(
    schema: JsonObject,
    schemas: Schemas,
    drop: t.Callable[[JsonObject, t.Any, Schemas], JsonObject],
    *,
    keeps: t.Callable[[t.Any], bool],
    parts: Mapping[t.Any, t.Any],
) -> JsonObject:
    """A copy of a schema with fewer fields, in the models inside of it too."""
    names = schemas.field_names(schema)
    plain = dict(schemas.resolve(schema))
    for key in ("anyOf", "oneOf"):
        if key in plain:
            plain[key] = [
                _rebuild(member, schemas, drop, keeps=keeps, parts=parts)
                for member in plain[key]
            ]
    if "items" in plain and ALL in parts:
        plain["items"] = drop(plain["items"], parts[ALL], schemas)
    if "properties" not in plain:
        return plain if plain.keys() & {"items", "anyOf", "oneOf"} else schema
    plain.pop("title", None)
    plain["properties"] = {
        key: drop(field, parts[names.get(key, key)], schemas)
        if names.get(key, key) in parts
        else field
        for key, field in plain["properties"].items()
        if keeps(names.get(key, key))
    }
    required = [key for key in plain.get("required", ()) if keeps(names.get(key, key))]
    plain.pop("required", None)
    return {**plain, "required": required} if required else plain
