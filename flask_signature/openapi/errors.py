"""The responses to a request that never reaches its view, and when there are such."""

from __future__ import annotations

import typing as t

from pydantic import Field
from pydantic import TypeAdapter
from typing_extensions import NotRequired
from typing_extensions import TypedDict

from ..params import Location

if t.TYPE_CHECKING:
    from .._inbound.plan import InboundPlan
    from .._operations.operation import Operation
    from .._settings import Settings
    from .context import DocumentContext
    from .objects import JsonObject


class ValidationFailure(TypedDict):
    """One thing that is wrong with a request."""

    loc: t.Annotated[
        list[str | int],
        Field(description="Where: the location, the name, and the path inside."),
    ]
    msg: t.Annotated[str, Field(description="What is wrong, for people.")]
    type: t.Annotated[str, Field(description="What is wrong, for programs.")]
    ctx: NotRequired[
        t.Annotated[dict[str, t.Any], Field(description="What the message is about.")]
    ]


class ValidationFailures(TypedDict):
    """The response to a request that does not fit its operation."""

    detail: list[ValidationFailure]


class ValidationProblem(TypedDict):
    """The response to a request that does not fit its operation, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[ValidationFailure]


class HTTPErrorMessage(TypedDict):
    """The response to a request that can't be served."""

    message: t.Annotated[
        str | dict[str, t.Any] | list[t.Any],
        Field(description="What is wrong: words, or what the application sends."),
    ]


FAILURES: t.Final = {
    "pydantic2": ValidationFailures,
    "pydantic1": ValidationFailures,
    "problem": ValidationProblem,
}

#: Status, description.
WITH_BODY: t.Final = (
    (413, "The body of the request is too large."),
    (415, "The body of the request is of another content type."),
)


#: Shared by all documents, also those that are built at the same time.
ADAPTERS: t.Final[dict[t.Any, TypeAdapter[t.Any]]] = {
    model: TypeAdapter(model) for model in (*FAILURES.values(), HTTPErrorMessage)
}


def error_adapters(settings: Settings) -> list[TypeAdapter[t.Any]]:
    """The adapters of the responses that are described here."""
    failures = FAILURES[settings.error_format]
    return [ADAPTERS[failures], ADAPTERS[HTTPErrorMessage]]


#: What is refused by a security requirement.
REFUSED: t.Final = (
    (401, "Credentials are missing, or not valid."),
    (403, "The credentials lack a scope."),
)


def describe_errors(
    operation: Operation, context: DocumentContext
) -> dict[str, JsonObject]:
    """The Response Objects of errors that are raised before the view is called."""
    settings, schemas, plan = context.settings, context.schemas, operation.inbound
    found: dict[str, JsonObject] = {}
    failures, _ = error_adapters(settings)
    for status, description in REFUSED:
        if status in _refused_statuses(operation):
            found[str(status)] = _message(description, context)
    if any(map(can_fail, operation.inbound_plans)):
        error_format = settings.failure_format
        found[str(error_format.status)] = {
            "description": "The request is not valid.",
            "content": {
                error_format.mimetype: {"schema": schemas.serialized(failures)}
            },
        }
    if plan.body is not None or plan.form_types:
        for status, description in WITH_BODY:
            found[str(status)] = _message(description, context)
    return found


def _message(description: str, context: DocumentContext) -> JsonObject:
    """The response to a request that can't be served."""
    if not context.settings.error_handlers:
        return {"description": description}
    _, message = error_adapters(context.settings)
    schema = context.schemas.serialized(message)
    content = {"application/json": {"schema": schema}}
    return {"description": description, "content": content}


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
