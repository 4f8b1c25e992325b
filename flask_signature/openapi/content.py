"""The content of a response: Media Type Objects by media type.

An outbound plan and a status go in, the content comes out; the descriptions of what a
view returns and of errors call it.
"""

from __future__ import annotations

import typing as t

from .._http.json import JSON
from .._outbound.examples import (
    declared_serializer,
    model_media_type,
    serializer_without_status,
    write_example,
)
from .._outbound.plain import plain_bodies
from .._outbound.status import content_type_of, has_content, is_success_key
from .components import any_of
from .response_schemas import response_schema
from .streams import stream_content

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .._outbound.declared import DeclaredResponse
    from .._outbound.plain import PlainBody
    from .._outbound.plan import OutboundPlan
    from .objects import JsonObject
    from .schemas import Schemas


def response_content(
    plan: OutboundPlan, status: int | str, schemas: Schemas, *, known_only: bool = False
) -> JsonObject:
    """The content of what a view returns with a status, where that is known.

    :param known_only: whether to leave out what may be anything.
    """
    if isinstance(status, int) and not has_content(status):
        return {}
    streamed = _streamed(plan, status, schemas)
    if plan.media_type is not None and is_success_content(status):
        # It says what anything is sent as.
        known_only = False
    known_only = known_only or bool(streamed)
    return either(
        streamed, _whole_content(plan, status, schemas, known_only=known_only)
    )


def _streamed(plan: OutboundPlan, status: int | str, schemas: Schemas) -> JsonObject:
    """The content of a stream, empty where a status has none."""
    stream = plan.stream
    if stream is None or not (
        plan.is_streamed(status) if isinstance(status, int) else status == "2XX"
    ):
        return {}
    items = [response_schema(item, schemas) for item in stream.serializers]
    return stream_content(stream.mimetype, items)


def _whole_content(
    plan: OutboundPlan, status: int | str, schemas: Schemas, *, known_only: bool
) -> JsonObject:
    """The content of what is sent at once."""
    succeeds = is_success_content(status)
    serializer = serializer_without_status(plan, status)
    bodies, media_type = plain_bodies(plan), plan.media_type if succeeds else None
    if serializer is not None:
        schema = response_schema(serializer, schemas)
        # Nothing but a response is sent as it is where there is no model besides.
        passes = plan.serializer is not None and (succeeds or status == plan.status)
        passed = plain_content(plan, bodies if passes else (), media_type)
        return either({model_media_type(plan, status): {"schema": schema}}, passed)
    if not succeeds and status != plan.status:
        return {}
    if known_only:
        bodies = tuple(body for body in bodies if body.kind.is_known)
    return plain_content(plan, bodies, media_type)


def is_success_content(status: int | str) -> bool:
    """Whether a status, or a class of them, is that of a success with content."""
    return is_success_key(status) and (isinstance(status, str) or has_content(status))


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


def declared_content(
    known: JsonObject, plan: OutboundPlan, status: int | str, *, schemas: Schemas
) -> JsonObject:
    """The content of a response with what ``responses=`` says of it.

    :param known: what is described without that.

    Source: OpenAPI 3.1, Media Type Object.
    """
    declared, serializer = plan.responses.get(status), declared_serializer(plan, status)
    content = dict(known)
    if declared is None:
        return content
    if serializer is not None and declared.examples:
        media_type = model_media_type(plan, status)
        examples = {
            name: write_example(example, serializer)
            for name, example in declared.examples.items()
        }
        content[media_type] = {**content.get(media_type, {}), "examples": examples}
    return written_content(content, declared, schemas)


def written_content(
    known: JsonObject, declared: DeclaredResponse, schemas: Schemas
) -> JsonObject:
    """The content of a response with the Media Type Objects that are declared."""
    content = dict(known)
    for media_type, item in declared.content.items():
        described = {**content.get(media_type, {}), **item.written}
        if item.adapter is not None:
            described["schema"] = schemas.serialized(item.adapter)
        content[media_type] = described
    return content


STRING_SCHEMA: t.Final = {"type": "string"}

#: Bytes that are no text. OpenAPI 3.1 needs no schema for them; this is what Pydantic
#: says of ``bytes``, and what programs that generate clients know a file by.
#: Source: OpenAPI 3.1, Considerations for File Uploads; OpenAPI 3.0, Data Types.
BINARY: t.Final = {"type": "string", "format": "binary"}


def plain_content(
    plan: OutboundPlan, bodies: Iterable[PlainBody], media_type: str | None
) -> JsonObject:
    """The content of what Flask sends of values without a model.

    :param media_type: of the response, ``None`` for that of the value.
    """
    found: dict[str, list[JsonObject]] = {}
    for body in bodies:
        for name, schema in _sent_as(body, plan, media_type):
            found.setdefault(name, []).append(schema)
    return {name: {"schema": any_of(schemas)} for name, schemas in found.items()}


def is_json_media_type(media_type: str) -> bool:
    """Whether a media type is that of one JSON text.

    Source: RFC 6839, 3.1.
    """
    return media_type == JSON or media_type.endswith("+json")


def _sent_as(
    body: PlainBody, plan: OutboundPlan, media_type: str | None
) -> Iterator[tuple[str, JsonObject]]:
    """The media types that a body may be sent with, and the schemas."""
    kind, app = body.kind, plan.app
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


def _raw_schema(body: PlainBody, media_type: str) -> JsonObject:
    """The schema of a string or bytes that are sent as they are."""
    if is_json_media_type(media_type):
        return {}
    # Werkzeug adds the character set to what is text.
    is_text = content_type_of(media_type, "utf-8") != media_type
    return dict(STRING_SCHEMA if is_text or body.is_str else BINARY)
