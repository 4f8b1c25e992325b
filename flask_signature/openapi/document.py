"""The whole document, built of the operations of an application.

Operations with their ids go in, an OpenAPI document comes out.
"""

from __future__ import annotations

import math
import typing as t

from .components import reachable, without_shared_titles
from .context import DocumentContext
from .extras import Extras
from .operations import adapters_of, outbound_adapters
from .paths import describe_paths
from .schemas import Schemas
from .security import describe_requirements, describe_schemes, schemes_in

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .._errors.writers import BuiltInFormat
    from .._operations.error_format import CustomFormat
    from .._operations.operation import Operation
    from .._outbound.plan import OutboundPlan
    from .._settings import Settings, Tag
    from .._types.adapters import Adapter
    from ..security import SecurityScheme
    from .objects import JsonObject, SchemaRequest

#: Objects of :mod:`flask_signature.security`, or what OpenAPI has for them.
Schemes: t.TypeAlias = "dict[str, SecurityScheme | dict[str, t.Any]]"

OPENAPI: t.Final = "3.1.0"

#: The methods that a Path Item Object has. Source: OpenAPI 3.1, Path Item Object.
PATH_ITEM_METHODS: t.Final = (
    "GET",
    "PUT",
    "POST",
    "DELETE",
    "OPTIONS",
    "HEAD",
    "PATCH",
    "TRACE",
)


def select_operations(operations: Iterable[Operation]) -> list[Operation]:
    """The operations that can be described, and are to be."""
    return [
        operation
        for operation in operations
        if operation.method in PATH_ITEM_METHODS
        and operation.declaration.include_in_schema
    ]


def build_document(
    named: Sequence[tuple[str, Operation]],
    settings: Settings,
    *,
    error_writer: BuiltInFormat | CustomFormat,
    handlers: Iterable[OutboundPlan],
    title: str,
    servers: t.Any,
) -> JsonObject:
    """The OpenAPI document of some operations of an application.

    :param named: the operations with their ids.
    :param error_writer: of the responses to errors.
    :param handlers: the plans of error handlers that say what they send.
    :param title: of the document, where the settings name none.
    :param servers: where the paths are, where the settings don't say it.

    Source: OpenAPI 3.1, OpenAPI Object.
    """
    operations = [operation for _, operation in named]
    extras = Extras()
    schemas = Schemas(
        _schema_requests(
            operations, settings, extras, errors=_error_adapters(error_writer, handlers)
        ),
        separate=settings.separate_input_output,
    )
    context = DocumentContext(settings, schemas, error_writer, extras)
    paths = describe_paths(named, context)
    document = {
        "openapi": OPENAPI,
        "info": _info(settings, title),
        "servers": settings.servers or servers,
        "paths": paths,
        "webhooks": extras.describe(settings.webhooks, schemas),
        "components": {},
        "security": describe_requirements(settings.security),
        "tags": _tags(paths, settings),
        "externalDocs": settings.external_docs,
    }
    components = {
        "schemas": without_shared_titles(reachable(schemas.components, document)),
        "securitySchemes": describe_schemes(find_schemes(operations, settings)),
    }
    document["components"] = {key: item for key, item in components.items() if item}
    kept = {
        key: value
        for key, value in document.items()
        if value or key in REQUIRED_OF_DOCUMENT
    }
    return t.cast("JsonObject", _finite(kept))


REQUIRED_OF_DOCUMENT: t.Final = ("openapi", "info", "paths")


def _error_adapters(
    error_writer: BuiltInFormat | CustomFormat, handlers: Iterable[OutboundPlan]
) -> Iterator[Adapter]:
    yield error_writer.request_adapter
    yield error_writer.http_adapter
    for plan in handlers:
        yield from outbound_adapters(plan)


def _schema_requests(
    operations: Iterable[Operation],
    settings: Settings,
    extras: Extras,
    *,
    errors: Iterable[Adapter],
) -> list[SchemaRequest]:
    # Pydantic numbers types of the same name, in their order here.
    ordered = sorted(operations, key=lambda item: (item.template.path, item.method))
    return [
        *(item for operation in ordered for item in adapters_of(operation, extras)),
        *((adapter, "serialization") for adapter in errors),
        *extras.adapters(settings.webhooks),
    ]


def _info(settings: Settings, title: str) -> JsonObject:
    info = {
        "title": settings.title or title,
        "summary": settings.summary,
        "version": settings.version,
        "description": settings.description,
        "termsOfService": settings.terms_of_service,
        "contact": settings.contact,
        "license": settings.license,
    }
    return {key: value for key, value in info.items() if value is not None}


def find_schemes(operations: Iterable[Operation], settings: Settings) -> Schemes:
    """The security schemes by name: those of the settings, and those that are used."""
    requirements = [operation.requirement for operation in operations]
    requirements.append(settings.security)
    found = dict(settings.security_schemes)
    for requirement in requirements:
        found.update(schemes_in(requirement))
    return found


def _tags(paths: JsonObject, settings: Settings) -> list[Tag]:
    """The tags in the order of their declaration, then of their first use."""
    tags = {tag["name"]: tag for tag in settings.tags or ()}
    for item in paths.values():
        for operation in item.values():
            for name in operation.get("tags", ()):
                tags.setdefault(name, {"name": name})
    return list(tags.values())


def _finite(value: t.Any) -> t.Any:
    """The document without NaN and infinities, which JSON does not have."""
    if isinstance(value, dict):
        return {
            key: _finite(item)
            for key, item in value.items()
            if not (isinstance(item, float) and not math.isfinite(item))
        }
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value
