"""The OpenAPI document of an application: its operations, its hooks, its text.

The registry goes in, a document comes out, which is made once and kept as a string.
Source: OpenAPI 3.1, OpenAPI Object.
"""

from __future__ import annotations

import hashlib
import json
import math
import posixpath
import typing as t
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches

from .._common import Once
from .._operations.decorators import Routes
from .._signature.views import source_location
from ..exceptions import SignatureError
from .operations import (
    collect_adapters,
    collect_returned,
    describe_paths,
    describe_requirements,
    describe_schemes,
    name_operations,
    schemes_in,
)
from .schemas import Schemas, reachable, without_shared_titles
from .versions import VERSIONS, in_version, operations_in

if t.TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from flask import Flask

    from .._errors.formats import BuiltInFormat
    from .._operations.error_format import CustomFormat
    from .._operations.registry import Registry
    from .._operations.store import Operation
    from .._outbound.plan import OutboundPlan
    from .._routing.declaration import Declaration
    from .._settings import Selection, Settings
    from ..security import SecurityScheme
    from .schemas import JsonObject
    from .versions import Version


#: Objects of :mod:`flask_signature.security`, or what OpenAPI has for them.
Schemes: t.TypeAlias = "dict[str, SecurityScheme | dict[str, t.Any]]"


def select_operations(
    operations: Iterable[Operation], version: Version
) -> list[Operation]:
    """The operations that can be described in a version, and are to be."""
    return [
        operation
        for operation in operations
        if version.has(operation.method) and operation.declaration.include_in_schema
    ]


def build_document(
    named: Sequence[tuple[str, Operation]],
    settings: Settings,
    *,
    error_writer: BuiltInFormat | CustomFormat,
    handlers: Iterable[OutboundPlan],
    title: str,
    servers: t.Any,
    parents: Mapping[str, str],
) -> JsonObject:
    """The OpenAPI document of some operations of an application.

    :param named: the operations with their ids.
    :param error_writer: of the responses to errors.
    :param handlers: the plans of error handlers that say what they send.
    :param title: of the document, where the settings name none.
    :param servers: where the paths are, where the settings don't say it.
    :param parents: of tags, by name.

    Source: OpenAPI 3.1, OpenAPI Object.
    """
    operations = [operation for _, operation in named]
    schemas = Schemas(separate=settings.separate_input_output)
    # Pydantic numbers types of the same name, in their order here.
    for operation in sorted(operations, key=lambda x: (x.template.path, x.method)):
        collect_adapters(operation, schemas)
    adapters = [error_writer.request_adapter, error_writer.http_adapter]
    schemas.collect(adapters, is_sent=True)
    for plan in handlers:
        collect_returned(plan, schemas)
    schemas.collect_types(settings.webhooks)
    paths = describe_paths(named, schemas)
    version = VERSIONS[settings.openapi_version]
    document = {
        "openapi": version.number,
        "$self": settings.openapi_self,
        "info": _info(settings, title),
        "servers": settings.servers or servers,
        "paths": paths,
        "webhooks": schemas.describe(settings.webhooks),
        "components": {},
        "security": describe_requirements(settings.security),
        "tags": _tags(paths, settings, parents),
        "externalDocs": settings.external_docs,
    }
    components = {
        "schemas": without_shared_titles(reachable(schemas.components, document)),
        "securitySchemes": describe_schemes(find_schemes(operations, settings)),
    }
    document["components"] = {key: item for key, item in components.items() if item}
    return in_version(_without_empty_parts(document), version)


def _without_empty_parts(document: JsonObject) -> JsonObject:
    kept = {
        key: value for key, value in document.items() if value or key in DOCUMENT_KEYS
    }
    return t.cast("JsonObject", _finite(kept))


DOCUMENT_KEYS: t.Final = ("openapi", "info", "paths")


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


def _tags(
    paths: JsonObject, settings: Settings, parents: Mapping[str, str]
) -> list[JsonObject]:
    """The tags in the order of their declaration, then of their first use.

    :param parents: of tags that are not declared with another one, by name.
    """
    tags: dict[str, JsonObject] = {tag["name"]: {**tag} for tag in settings.tags or ()}
    for item in paths.values():
        for operation in operations_in(item):
            for name in operation.get("tags", ()):
                tags.setdefault(name, {"name": name})
    for name in tags.keys() & parents.keys():
        tags[name].setdefault("parent", parents[name])
    return list(tags.values())


def find_parents(declared: Mapping[str, Declaration]) -> dict[str, str]:
    """The parents of the tags of nested blueprints: the tag of the one around each.

    Both have one tag, and the one has no other parent elsewhere.

    :param declared: what blueprints declare, by their full names.
    """
    found: dict[str, set[str]] = {}
    for name, own in declared.items():
        around = declared.get(name.rpartition(".")[0])
        if around is None or own.tags is None or around.tags is None:
            continue
        if len(own.tags) == len(around.tags) == 1:
            found.setdefault(own.tags[0], set()).add(around.tags[0])
    known = {tag: parents.pop() for tag, parents in found.items() if len(parents) == 1}
    return {tag: parent for tag, parent in known.items() if not _leads_to(tag, known)}


def _leads_to(tag: str, parents: Mapping[str, str]) -> bool:
    """Whether a tag is its own parent, or that of one of these."""
    names = [parents[tag]]
    while names[-1] in parents and names.count(names[-1]) == 1:
        names.append(parents[names[-1]])
    return tag in names


def _finite(value: t.Any) -> t.Any:
    """The document without NaN and infinities, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items() if _is_json(item)}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value if _is_json(item)]
    return value


def _is_json(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


@dataclass(frozen=True, slots=True)
class RenderedDocument:
    """A document as it is sent.

    :param data: its JSON text.
    :param etag: changes when the text does.
    """

    data: bytes
    etag: str


class Description:
    """One of the documents of an application.

    :param name: of the document, ``""`` for that of the whole application.
    :param settings: as they are for this document.
    :param selection: the operations that are in it, ``None`` for all.
    """

    def __init__(
        self,
        app: Flask,
        registry: Registry,
        *,
        name: str = "",
        settings: Settings,
        selection: Selection | None = None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.title: str = app.name
        self._registry = registry
        self._selection = selection
        #: The document as it is sent, built for the first request.
        self.rendered: Once[RenderedDocument] = Once(self._render)

    def _render(self) -> RenderedDocument:
        return render(self.build())

    def build(self) -> JsonObject:
        """The document.

        :raises SignatureError: if it is to have the operations of a blueprint that does
            not exist, or if its hook leaves none.
        """
        if self._selection is not None:
            known = self._registry.blueprints.declared
            check_selection(self.name, self._selection, known)
        named = self._named_operations()
        settings = self.settings
        if self._selection is not None:
            used = {
                tag for _, operation in named for tag in operation.declaration.all_tags
            }
            tags = [tag for tag in settings.tags or () if tag["name"] in used]
            settings = replace(settings, tags=tags, webhooks={})
        document = build_document(
            named,
            settings,
            error_writer=self._registry.error_writer,
            handlers=self._registry.handlers.plans,
            title=self.title,
            servers=[self._server()],
            parents=find_parents(self._registry.blueprints.declared),
        )
        return run_hook(settings.document_hook, document, self.name)

    @property
    def version(self) -> Version:
        """The version of OpenAPI that the document is written in."""
        return VERSIONS[self.settings.openapi_version]

    def schemes(self) -> Schemes:
        """The security schemes of the document by their names."""
        operations = [operation for _, operation in self._named_operations()]
        return find_schemes(operations, self.settings)

    def _named_operations(self) -> list[tuple[str, Operation]]:
        """The operations of the document with their ids, the same in every document."""
        operations = select_operations(self._registry.operations, self.version)
        names = name_operations(operations, self.settings.operation_id)
        return [
            (name, operation)
            for name, operation in zip(names, operations, strict=True)
            if self._selection is None or is_selected(operation, self._selection)
        ]

    def _server(self) -> JsonObject:
        """The root of the application, seen from the document.

        A URL that is relative holds behind a prefix and a proxy as well.

        Source: OpenAPI 3.1, Server Object ``url``.
        """
        path = self.settings.openapi_path or "/"
        return {"url": relative_url("/", path)}


def descriptions(app: Flask, registry: Registry) -> Iterator[Description]:
    """The documents of an application, that of the whole application first."""
    settings = registry.settings
    yield Description(app, registry, settings=settings)
    for name, selection in settings.documents.items():
        own = _settings_of(name, selection, settings)
        yield Description(app, registry, name=name, settings=own, selection=selection)


def _settings_of(name: str, selection: Selection, settings: Settings) -> Settings:
    """The settings of one more document, those of the whole application by default."""
    changes: dict[str, t.Any] = {
        "openapi_path": f"/{name}/openapi.json",
        "docs_path": f"/{name}/docs" if settings.docs_path else None,
        **selection,
    }
    for key in ("blueprints", "tags"):
        changes.pop(key, None)
    if "hook" in changes:
        changes["document_hook"] = changes.pop("hook")
    return replace(settings, **changes)


def render(document: JsonObject) -> RenderedDocument:
    """The JSON text of a document, the same for the same document."""
    data = write_document(document).encode()
    return RenderedDocument(data, hashlib.sha256(data).hexdigest()[:32])


def relative_url(target: str, page: str) -> str:
    """The path of a page, relative to another page.

    ``"/docs/page.css"`` is ``"docs/page.css"`` on ``"/docs"``.
    """
    return posixpath.relpath(target, page.rpartition("/")[0] or "/")


def is_selected(operation: Operation, selection: Selection) -> bool:
    """Whether an operation is of one of the blueprints, or has one of the tags."""
    owner = operation.route.endpoint.rpartition(".")[0]
    inside = any(
        owner == name or owner.startswith(f"{name}.")
        for name in selection.get("blueprints", ())
    )
    tags = set(selection.get("tags", ()))
    return inside or not tags.isdisjoint(operation.declaration.all_tags)


def check_blueprints(app: Flask, registry: Registry) -> None:
    """Refuse a document that names a blueprint which does not exist.

    Where ``init_app()`` comes before the blueprints it can't be told yet, and is found
    when the document is made.

    :raises SignatureError: if there is one.
    """
    if not any(isinstance(item, Routes) for item in app.blueprints.values()):
        return
    for name, selection in registry.settings.documents.items():
        check_selection(name, selection, app.blueprints.keys())


def check_selection(
    document: str, selection: Selection, known: Collection[str]
) -> None:
    """Refuse a blueprint that does not exist.

    :param document: the name of the document.
    :param known: the names of the blueprints.
    :raises SignatureError: if there is one.
    """
    for name in selection.get("blueprints", ()):
        if name in known:
            continue
        nearest = get_close_matches(name, known, n=1)
        hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
        raise SignatureError(
            f"SIGNATURE_DOCUMENTS: the document {document!r} names the blueprint"
            f" {name!r}, which is not registered.{hint} Register it before"
            " init_app(), or remove the name."
        )


#: What every document has. Source: OpenAPI 3.1, OpenAPI Object.
REQUIRED_AFTER_HOOK: t.Final = ("openapi", "info")


def run_hook(
    hook: Callable[[t.Any], t.Any] | None, document: JsonObject, name: str
) -> JsonObject:
    """The document that a hook leaves: the one it was given, or the one it returns.

    :param name: of the document, ``""`` for that of the whole application.
    :raises SignatureError: if that is no document, or can't be written as JSON.
    """
    if hook is None:
        return document
    returned = hook(document)
    changed = document if returned is None else returned
    if not isinstance(changed, dict):
        raise _hook_error(
            hook,
            name,
            f"returned {_show_hook(changed)}. Return the document, or None if it was"
            " changed in place.",
        )
    for key in REQUIRED_AFTER_HOOK:
        if key not in changed:
            raise _hook_error(hook, name, f"left a document without {key!r}. Keep it.")
    try:
        # What a hook has put in becomes plain, so that all formats say the same.
        return t.cast("JsonObject", json.loads(write_document(changed)))
    except (TypeError, ValueError) as error:
        problem = f"left what can't be written as JSON: {str(error).rstrip('.')}."
        raise _hook_error(hook, name, problem) from None


def _show_hook(value: t.Any) -> str:
    """A value in a message, which is not the whole of a document."""
    shown = repr(value)
    return shown if len(shown) < 60 else f"an object of {type(value).__name__}"


def _hook_error(hook: t.Any, name: str, problem: str) -> SignatureError:
    shown = getattr(hook, "__name__", type(hook).__name__)
    key = f"SIGNATURE_DOCUMENTS: {name}: hook" if name else "SIGNATURE_DOCUMENT_HOOK"
    return SignatureError(f"{key}: {shown}() {problem} ({source_location(hook)})")


def write_document(document: JsonObject) -> str:
    """The text of a document, the same for the same document.

    :raises TypeError: if there is no JSON for a part of it.
    :raises ValueError: if it has NaN or an infinity, or contains itself.
    """
    return json.dumps(
        document, separators=(",", ":"), allow_nan=False, default=_plain_number
    )


def _plain_number(value: t.Any) -> int | float:
    """A constraint as JSON has it: Pydantic leaves a ``Decimal`` as it is."""
    if not isinstance(value, Decimal):
        raise TypeError(f"an object of {type(value).__name__}")
    return int(value) if value == int(value) else float(value)
