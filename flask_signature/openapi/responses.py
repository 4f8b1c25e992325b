"""The responses of an operation."""

from __future__ import annotations

import typing as t

from werkzeug.http import HTTP_STATUS_CODES

from .._outbound.declared import keys_of_response
from .._outbound.status import is_success
from .._outbound.status_plan import annotated_responses, has_default
from .content import (
    declared_content,
    either,
    is_success_content,
    response_content,
    written_content,
)
from .headers import describe_headers, join_headers

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .._operations.operation import Operation
    from .._outbound.plan import OutboundPlan
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
    """What a view returns, and what is declared, by status.

    The author's declaration of a status wins over what is known otherwise.

    Source: OpenAPI 3.1, Responses Object.
    """
    plan, returned = operation.outbound, _returned(operation, context.schemas)
    found = {**_conditional(operation), **returned}
    for status in plan.responses:
        known = found.get(str(status), {})
        if str(status) not in returned:
            own = _response(operation, plan, status, schemas=context.schemas)
            known = {**known, **own}
        found[str(status)] = _declared(operation, status, known, context=context)
    return found


def _returned(operation: Operation, schemas: Schemas) -> dict[str, JsonObject]:
    """What the return annotation says, by status, with the usual status of a success.

    A member with a status and one without may have the same.
    """
    plan = operation.outbound
    found: dict[str, JsonObject] = {}
    if has_default(plan):
        found[str(plan.status)] = _response(
            operation, plan, plan.status, schemas=schemas
        )
    for status, annotated in annotated_responses(plan).items():
        described = _response(operation, annotated.plan, status, schemas=schemas)
        headers = describe_headers(annotated, schemas)
        if known := found.get(str(status)):
            content = either(known.get("content", {}), described.get("content", {}))
            described = _without_empty({**known, **described, "content": content})
            headers = {name: _optional(header) for name, header in headers.items()}
        if headers:
            described["headers"] = join_headers(described.get("headers", {}), headers)
        found[str(status)] = described
    return found


def _optional(header: JsonObject) -> JsonObject:
    return {key: value for key, value in header.items() if key != "required"}


def status_phrase(status: int | str) -> str:
    """The phrase of a status: ``"Not Found"``, ``"Client error"`` for ``"4XX"``."""
    if isinstance(status, str):
        return STATUS_CLASSES[status]
    return HTTP_STATUS_CODES.get(status, STATUS_CLASSES[f"{status // 100}XX"])


def _response(
    operation: Operation, plan: OutboundPlan, status: int | str, *, schemas: Schemas
) -> JsonObject:
    """What a view returns with a status, by the plan for that.

    Content that is declared of a class of statuses is that of each of them.
    """
    declared = operation.outbound.responses
    key = next((key for key in keys_of_response(status) if key in declared), status)
    known_only = key in declared and bool(declared[key].content)
    content = response_content(plan, status, schemas, known_only=known_only)
    if known_only and key != status:
        content = {**written_content({}, declared[key], schemas), **content}
    described = {
        "description": _description(operation, status),
        "headers": _etag(plan, status),
        "content": content,
    }
    return _without_empty(described)


def _without_empty(described: JsonObject) -> JsonObject:
    return {key: value for key, value in described.items() if value}


def _etag(plan: OutboundPlan, status: int | str) -> JsonObject:
    is_tagged = plan.etag and plan.stream is None
    return dict(ETAG) if is_tagged and is_success_content(status) else {}


def _description(operation: Operation, status: int | str) -> str:
    given = operation.declaration.response_description
    usual = operation.outbound.status
    if not has_default(operation.outbound):
        # The first success of those that are annotated.
        statuses = [*annotated_responses(operation.outbound)]
        usual = next(filter(is_success, statuses), usual)
    if given and status == usual:
        return given
    return status_phrase(status)


def _conditional(operation: Operation) -> dict[str, JsonObject]:
    """The response to a client that has the content already.

    Source: RFC 9110, 13.2.2 and 15.4.5.
    """
    if not operation.outbound.etag or operation.method not in ("GET", "HEAD"):
        return {}
    return {"304": {"description": status_phrase(304), "headers": dict(ETAG)}}


def _declared(
    operation: Operation,
    status: int | str,
    known: JsonObject,
    *,
    context: DocumentContext,
) -> JsonObject:
    """The Response Object of a status, with what ``responses=`` says of it.

    :param known: what is described without that.
    """
    plan, schemas = operation.outbound, context.schemas
    declared, content = plan.responses[status], known.get("content", {})
    headers = context.extras.describe(header_objects(declared.headers), schemas)
    described = {
        **known,
        "description": declared.description or known["description"],
        "headers": join_headers(known.get("headers", {}), headers),
        "content": declared_content(content, plan, status, schemas=schemas),
    }
    return _without_empty(described)


def header_objects(headers: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Header Objects by name; a type becomes the schema of one.

    Source: OpenAPI 3.1, Header Object.
    """
    return {
        name: header if isinstance(header, dict) else {"schema": header}
        for name, header in headers.items()
    }
