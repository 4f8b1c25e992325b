"""One operation of the document."""

from __future__ import annotations

import re
import typing as t
from collections import Counter

from .._outbound.status_plan import annotated_responses
from .._signature.source import source_location
from ..exceptions import SignatureError
from ..typing import DescribedOperation
from .bodies import describe_body
from .error_responses import with_errors
from .extras import merge
from .headers import header_fields
from .parameters import describe_parameters
from .responses import describe_responses, header_objects
from .security import describe_requirements
from .summaries import describe_purpose

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .._inbound.plan import InboundPlan
    from .._operations.operation import Operation
    from .._outbound.plan import OutboundPlan
    from .._settings import NamingHook
    from .._types.adapters import Adapter
    from .context import DocumentContext
    from .extras import Extras
    from .objects import JsonObject, SchemaRequest


def adapters_of(operation: Operation, extras: Extras) -> list[SchemaRequest]:
    """The adapters whose schemas describe an operation."""
    declaration, responses = operation.declaration, operation.outbound.responses
    written: list[t.Any] = [declaration.openapi_extra, declaration.callbacks]
    written += [header_objects(item.headers) for item in responses.values()]
    return [
        *(
            (adapter, "validation")
            for plan in operation.inbound_plans
            for adapter in _inbound_adapters(plan)
        ),
        *(
            (adapter, "serialization")
            for adapter in outbound_adapters(operation.outbound)
        ),
        *extras.adapters(written),
    ]


def _inbound_adapters(plan: InboundPlan) -> Iterator[Adapter]:
    if plan.validator is not None:
        yield plan.validator.adapter
    if plan.body is not None and plan.body.json is not None:
        yield plan.body.json.adapter
    if plan.body is not None and plan.body.raw is not None:
        yield plan.body.raw


def outbound_adapters(plan: OutboundPlan) -> Iterator[Adapter]:
    """The adapters of what a view or an error handler returns, with the headers."""
    annotated = annotated_responses(plan).values()
    for written in (plan, *(item.plan for item in annotated)):
        if written.serializer is not None:
            yield written.serializer.adapter
        if written.stream is not None:
            for serializer in written.stream.serializers:
                yield serializer.adapter
    for item in annotated:
        yield from (header.adapter for header in header_fields(item))
    for declared in plan.responses.values():
        if declared.serializer is not None:
            yield declared.serializer.adapter
        for content in declared.content.values():
            if content.adapter is not None:
                yield content.adapter


def describe_operation(
    operation: Operation, operation_id: str, context: DocumentContext
) -> JsonObject:
    """The Operation Object of one method on one path.

    Source: OpenAPI 3.1, Operation Object.
    """
    declaration = operation.declaration
    summary, description = describe_purpose(operation)
    described = {
        "tags": [*declaration.all_tags],
        "summary": summary,
        "description": description,
        "operationId": operation_id,
        "deprecated": declaration.deprecated,
        "parameters": describe_parameters(operation, context.schemas),
        "requestBody": describe_body(operation.inbound, context.schemas),
    }
    described = {key: value for key, value in described.items() if value}
    described["responses"] = with_errors(
        describe_responses(operation, context), operation, context
    )
    if declaration.callbacks:
        described["callbacks"] = context.extras.describe(
            declaration.callbacks, context.schemas
        )
    if operation.requirement is not None:
        described["security"] = describe_requirements(operation.requirement)
    if not declaration.openapi_extra:
        return described
    extra = context.extras.describe(declaration.openapi_extra, context.schemas)
    return merge(described, extra)


def name_operations(
    operations: Sequence[Operation], hook: NamingHook | None
) -> list[str]:
    """The ``operationId`` of each operation, no two the same.

    It is made of the endpoint, and of the method where an endpoint has several:
    ``"orders_show_order"``, ``"orders_item_get"``. The path sets apart what is still
    the same then.
    """
    counts = Counter(operation.route.endpoint for operation in operations)
    taken: set[str] = set()
    names = []
    for operation in operations:
        several = counts[operation.route.endpoint] > 1
        name = next(
            name
            for name in _candidates(operation, hook, several=several)
            if name not in taken
        )
        taken.add(name)
        names.append(name)
    return names


def _candidates(
    operation: Operation, hook: NamingHook | None, *, several: bool
) -> Iterator[str]:
    method = operation.method.lower()
    own = operation.declaration.operation_id or (hook and _run(hook, operation))
    name = own or _identifier(operation.route.endpoint)
    if own or not several:
        yield name
    yield f"{name}_{method}"
    name = f"{name}_{method}_{_identifier(operation.template.path)}"
    yield name
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _run(hook: NamingHook, operation: Operation) -> str | None:
    """What a function names an operation, ``None`` for the usual name.

    :raises SignatureError: if that is no string.
    """
    template, route = operation.template, operation.route
    described = DescribedOperation(
        method=operation.method,
        rule=route.rule,
        path=template.path,
        endpoint=route.endpoint,
        tags=operation.declaration.all_tags,
    )
    name: t.Any = hook(described)
    if name is None or isinstance(name, str):
        return name
    shown = getattr(hook, "__name__", type(hook).__name__)
    raise SignatureError(
        f"SIGNATURE_OPERATION_ID: {shown}() returned {name!r} for {operation.method}"
        f" {template.path}. Return a string, or None for the usual name."
        f" ({source_location(hook)})"
    )


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
