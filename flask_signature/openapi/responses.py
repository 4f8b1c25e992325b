"""The responses of an operation."""

from __future__ import annotations

import typing as t

from werkzeug.http import HTTP_STATUS_CODES

from .._http.status import has_content
from .._outbound.plan import JSON
from .errors import describe_errors
from .filters import response_schema

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .._operations.operation import Operation
    from .._outbound.declared import DeclaredResponse
    from .context import DocumentContext
    from .objects import JsonObject
    from .schemas import Schemas

#: What Flask makes of a plain return value. Source: Flask, About Responses.
PLAIN: t.Final[dict[t.Any, tuple[str, dict[str, t.Any]]]] = {
    str: ("text/html", {"type": "string"}),
    bytes: ("text/html", {"type": "string"}),
    dict: (JSON, {"type": "object"}),
    list: (JSON, {"type": "array", "items": {}}),
}

FAMILIES: t.Final = {
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
    found = {
        **describe_errors(operation.inbound, context),
        **_conditional(operation),
        str(operation.outbound.status): _success(operation, context.schemas),
    }
    for status, declared in operation.responses.items():
        described = _declared(status, declared, context)
        known = found.get(str(status), {})
        if not declared.description and str(status) == str(operation.outbound.status):
            described["description"] = known["description"]
        found[str(status)] = {**known, **described}
    return {status: found[status] for status in sorted(found)}


def status_phrase(status: int | str) -> str:
    """The phrase of a status: ``"Not Found"``, ``"Client error"`` for ``"4XX"``."""
    if isinstance(status, str):
        return FAMILIES[status]
    return HTTP_STATUS_CODES.get(status, FAMILIES[f"{status // 100}XX"])


def _success(operation: Operation, schemas: Schemas) -> JsonObject:
    plan, declaration = operation.outbound, operation.declaration
    description = declaration.response_description or status_phrase(plan.status)
    response: JsonObject = {"description": description}
    if not has_content(plan.status):
        return response
    if plan.etag:
        response["headers"] = dict(ETAG)
    if operation.method == "HEAD":
        return response
    content = _success_content(operation, schemas)
    return {**response, "content": content} if content else response


def _success_content(operation: Operation, schemas: Schemas) -> JsonObject:
    plan = operation.outbound
    if plan.stream is not None:
        item = response_schema(plan.stream.serializer, schemas)
        return {plan.stream.mimetype: {"schema": item}}
    if plan.serializer is not None:
        schema = response_schema(plan.serializer, schemas)
        found = {plan.media_type or JSON: {"schema": schema}}
        for tp in plan.passthrough:
            if tp in PLAIN:
                found.setdefault(PLAIN[tp][0], {"schema": PLAIN[tp][1]})
        return found
    if plan.disabled:
        return {plan.media_type: {}} if plan.media_type else {}
    returns = operation.signature.returns
    plain = PLAIN.get(t.get_origin(returns) or returns)
    if plain is not None:
        return {plan.media_type or plain[0]: {"schema": plain[1]}}
    return {plan.media_type: {}} if plan.media_type else {}


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
        response["headers"] = context.describe_extra(headers)
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
