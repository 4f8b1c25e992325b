"""The answers to a request that a view never sees, and when they can happen."""

from __future__ import annotations

import typing as t

from pydantic import Field
from pydantic import TypeAdapter
from typing_extensions import NotRequired
from typing_extensions import TypedDict

from ..params import Location

if t.TYPE_CHECKING:
    from .._inbound.plan import InboundPlan
    from .._settings import Settings
    from .schemas import JsonObject
    from .schemas import Schemas


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
    """The answer to a request that does not fit its operation."""

    detail: list[ValidationFailure]


class ValidationProblem(TypedDict):
    """The answer to a request that does not fit its operation, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[ValidationFailure]


class HTTPErrorMessage(TypedDict):
    """The answer to a request that can't be served."""

    message: str


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


#: All documents share them, also those that are written at the same time.
ADAPTERS: t.Final[dict[t.Any, TypeAdapter[t.Any]]] = {
    model: TypeAdapter(model) for model in (*FAILURES.values(), HTTPErrorMessage)
}


def error_adapters(settings: Settings) -> list[TypeAdapter[t.Any]]:
    """The adapters of every answer that is described here."""
    failures = FAILURES[settings.error_format]
    return [ADAPTERS[failures], ADAPTERS[HTTPErrorMessage]]


def describe_errors(
    plan: InboundPlan, settings: Settings, schemas: Schemas
) -> dict[str, JsonObject]:
    """The Response Objects of what refuses a request before the view is called."""
    found: dict[str, JsonObject] = {}
    failures, message = error_adapters(settings)
    if can_fail(plan):
        form = settings.failure_format
        found[str(form.status)] = {
            "description": "The request is not valid.",
            "content": {form.mimetype: {"schema": schemas.written(failures)}},
        }
    if plan.body is not None or plan.form_types:
        for status, description in WITH_BODY:
            found[str(status)] = {"description": description}
            if settings.error_handlers:
                content = {"application/json": {"schema": schemas.written(message)}}
                found[str(status)]["content"] = content
    return found


def can_fail(plan: InboundPlan) -> bool:
    """Whether there is a request that the arguments of an operation refuse."""
    if plan.body is not None or plan.form_types:
        return True
    if plan.adapter is None:
        return False
    core: t.Any = plan.adapter.core_schema
    fields = core.get("schema", core).get("fields", {})
    locations = {item.name: item.location for item in plan.arguments}
    return not fields or any(
        _field_can_fail(field, locations[name]) for name, field in fields.items()
    )


def _field_can_fail(field: t.Any, location: Location) -> bool:
    if field.get("required", True) and location is not Location.PATH:
        return True
    return not _takes_any_text(field["schema"])


#: The schemas that let everything through that the schema inside does.
TRANSPARENT: t.Final = frozenset({"default", "nullable"})

LISTS: t.Final = frozenset({"list", "set", "frozenset"})

#: The keys of a core schema that constrain no text.
UNCONSTRAINED: t.Final = frozenset(
    {"type", "ref", "metadata", "serialization", "items_schema", "strict", "fail_fast"}
)


def _takes_any_text(core: t.Any) -> bool:
    while core["type"] in TRANSPARENT:
        core = core["schema"]
    if core.keys() - UNCONSTRAINED:
        return False
    if core["type"] in LISTS:
        return _takes_any_text(core.get("items_schema", {"type": "any"}))
    return core["type"] in ("str", "any")
