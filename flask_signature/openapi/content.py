"""The content of a response: Media Type Objects by media type."""

from __future__ import annotations

import typing as t

from .._outbound.examples import declared_serializer
from .._outbound.examples import model_media_type
from .._outbound.examples import write_example

if t.TYPE_CHECKING:
    from .._outbound.plan import OutboundPlan
    from .objects import JsonObject
    from .schemas import Schemas


def declared_content(
    known: JsonObject, plan: OutboundPlan, status: int | str, *, schemas: Schemas
) -> JsonObject:
    """The content of a response with what ``responses=`` says of it.

    :param known: what is described without that.

    Source: OpenAPI 3.1, Media Type Object.
    """
    declared, serializer = plan.responses[status], declared_serializer(plan, status)
    content = dict(known)
    if serializer is not None and declared.examples:
        media_type = model_media_type(plan, status)
        examples = {
            name: write_example(example, serializer)
            for name, example in declared.examples.items()
        }
        content[media_type] = {**content.get(media_type, {}), "examples": examples}
    for media_type, item in declared.content.items():
        described = {**content.get(media_type, {}), **item.written}
        if item.adapter is not None:
            described["schema"] = schemas.serialized(item.adapter)
        content[media_type] = described
    return content
