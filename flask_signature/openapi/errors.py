"""The exceptions by which a request never reaches its view, and when there are such."""

from __future__ import annotations

import typing as t

from werkzeug.exceptions import (
    Forbidden,
    RequestEntityTooLarge,
    Unauthorized,
    UnsupportedMediaType,
)

from ..exceptions import RequestValidationError
from ..params import Location

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from .._inbound.plan import InboundPlan
    from .._operations.operation import Operation

#: What a request with a body is refused by.
WITH_BODY: t.Final = (
    (RequestEntityTooLarge, "The body of the request is too large."),
    (UnsupportedMediaType, "The body of the request is of another content type."),
)


#: What is refused by a security requirement.
REFUSED_ERRORS: t.Final = (
    (Unauthorized, "Credentials are missing, or not valid."),
    (Forbidden, "The credentials lack a scope."),
)


def raised_before(operation: Operation) -> Iterator[tuple[type[Exception], str]]:
    """The exceptions that are raised before the view is called, with descriptions."""
    plan, refused = operation.inbound, _refused_statuses(operation)
    yield from (item for item in REFUSED_ERRORS if item[0].code in refused)
    if any(map(can_fail, operation.inbound_plans)):
        yield RequestValidationError, RequestValidationError.description
    if plan.body is not None or plan.form_types:
        yield from WITH_BODY


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
TRANSPARENT_BODIES: t.Final = frozenset({"default", "missing-sentinel", "nullable"})

LIST_SCHEMAS: t.Final = frozenset({"list", "set", "frozenset"})

#: The keys of a core schema that constrain no string.
UNCONSTRAINED: t.Final = frozenset(
    {"type", "ref", "metadata", "serialization", "items_schema", "strict", "fail_fast"}
)


def _accepts_any_string(core: t.Any) -> bool:
    while core["type"] in TRANSPARENT_BODIES and "schema" in core:
        core = core["schema"]
    if core.keys() - UNCONSTRAINED:
        return False
    if core["type"] in LIST_SCHEMAS:
        return _accepts_any_string(core.get("items_schema", {"type": "any"}))
    return core["type"] in ("str", "any")
