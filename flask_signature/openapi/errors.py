"""The responses to a request that never reaches its view, and when there are such."""

from __future__ import annotations

import typing as t

from ..params import Location

if t.TYPE_CHECKING:
    from .._inbound.plan import InboundPlan
    from .._operations.operation import Operation
    from .._outbound.declared import DeclaredResponse
    from .context import DocumentContext
    from .objects import JsonObject


#: Status, description.
WITH_BODY: t.Final = (
    (413, "The body of the request is too large."),
    (415, "The body of the request is of another content type."),
)


#: What is refused by a security requirement.
REFUSED: t.Final = (
    (401, "Credentials are missing, or not valid."),
    (403, "The credentials lack a scope."),
)


def describe_errors(
    operation: Operation, context: DocumentContext
) -> dict[str, JsonObject]:
    """The Response Objects of errors that are raised before the view is called."""
    writer, plan = context.error_writer, operation.inbound
    found: dict[str, JsonObject] = {}
    for status, description in REFUSED:
        if status in _refused_statuses(operation):
            found[str(status)] = _message(description, context)
    if any(map(can_fail, operation.inbound_plans)):
        found[str(writer.status)] = {
            "description": "The request is not valid.",
            "content": refusal_content(context),
        }
    if plan.body is not None or plan.form_types:
        for status, description in WITH_BODY:
            found[str(status)] = _message(description, context)
    return found


def _message(description: str, context: DocumentContext) -> JsonObject:
    """The response to a request that can't be served."""
    content = error_content(context)
    return {"description": description, **({"content": content} if content else {})}


def refusal_content(context: DocumentContext) -> JsonObject:
    """The content of the response to a request that does not fit."""
    writer = context.error_writer
    schema = context.schemas.serialized(writer.request_adapter)
    return {writer.media_type: {"schema": schema}}


def error_content(context: DocumentContext) -> JsonObject:
    """The content of the response to any other error, empty where it is Flask's."""
    if not context.settings.error_handlers:
        return {}
    writer = context.error_writer
    schema = context.schemas.serialized(writer.http_adapter)
    return {writer.media_type: {"schema": schema}}


def standard_content(
    status: int | str, declared: DeclaredResponse, context: DocumentContext
) -> JsonObject:
    """What is sent with a status that is declared to be an error of the application."""
    if not declared.is_standard:
        return {}
    is_refusal = status == context.error_writer.status == 422
    content = (refusal_content if is_refusal else error_content)(context)
    return {"content": content} if content else {}


def _refused_statuses(operation: Operation) -> set[int]:
    """The statuses of requests that a security requirement refuses.

    An optional one refuses credentials that are wrong.
    """
    dependencies = operation.dependencies
    if dependencies is None or not dependencies.needs.parts:
        return set()
    parts = [requirement for _, requirement in dependencies.needs.parts]
    scopes = [leaf.scope_names for part in parts for leaf in part.leaves()]
    return {401, 403} if any(scopes) else {401}


def can_fail(plan: InboundPlan) -> bool:
    """Whether there is a request that the arguments of an operation refuse."""
    if plan.body is not None or plan.form_types:
        return True
    if plan.validator is None:
        return False
    core: t.Any = plan.validator.adapter.core_schema
    fields = core.get("schema", core).get("fields", {})
    locations = {item.key: item.location for item in plan.arguments}
    return not fields or any(
        _field_can_fail(field, locations[name]) for name, field in fields.items()
    )


def _field_can_fail(field: t.Any, location: Location) -> bool:
    if field.get("required", True) and location is not Location.PATH:
        return True
    return not _accepts_any_string(field["schema"])


#: The core schemas that accept whatever the schema inside accepts.
TRANSPARENT: t.Final = frozenset({"default", "missing-sentinel", "nullable"})

LIST_SCHEMAS: t.Final = frozenset({"list", "set", "frozenset"})

#: The keys of a core schema that constrain no string.
UNCONSTRAINED: t.Final = frozenset(
    {"type", "ref", "metadata", "serialization", "items_schema", "strict", "fail_fast"}
)


def _accepts_any_string(core: t.Any) -> bool:
    while core["type"] in TRANSPARENT and "schema" in core:
        core = core["schema"]
    if core.keys() - UNCONSTRAINED:
        return False
    if core["type"] in LIST_SCHEMAS:
        return _accepts_any_string(core.get("items_schema", {"type": "any"}))
    return core["type"] in ("str", "any")
