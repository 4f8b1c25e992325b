"""The OpenAPI documents of an application: operations, versions, hooks, text.

The registry goes in, documents come out, each of which is made once and kept as bytes.
Source: OpenAPI 3.1 and 3.2, OpenAPI Object.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import typing as t
from dataclasses import replace
from decimal import Decimal
from difflib import get_close_matches
from functools import partial

from .._common import Once
from ..exceptions import SignatureError
from .content import is_json_media_type, without_empty
from .operations import (
    METHODS_OF_PATHS,
    OTHER_METHODS,
    QUERY,
    describe_paths,
    describe_requirements,
    describe_schemes,
    hook_error,
    name_operations,
)
from .schemas import Schemas, change_parts, reachable, without_shared_titles

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from flask import Flask

    from .._operations.registry import Operation, Registry
    from .._routing.declaration import Declaration
    from .._settings import Selection, Settings
    from .schemas import JsonObject

#: What every document has. Source: OpenAPI 3.1, OpenAPI Object.
REQUIRED_KEYS: t.Final = ("openapi", "info")


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
        self.name: str = name
        self.settings: Settings = settings
        self.title: str = settings.title or app.name
        #: Of its page, which needs the document.
        self.docs_path: str | None = (
            settings.docs_path if settings.openapi_path else None
        )
        self.version: Version = VERSIONS[settings.openapi_version]
        self._registry, self._selection = registry, selection
        #: The text and the entity tag, made for the first request.
        self.rendered: Once[tuple[bytes, str]] = Once(self._render)

    def _render(self) -> tuple[bytes, str]:
        data = write_document(self.build()).encode()
        return data, hashlib.sha256(data).hexdigest()[:32]

    def build(self) -> JsonObject:
        """The document.

        :raises SignatureError: if it is to have the operations of a blueprint that does
            not exist, or if its hook leaves none.
        """
        settings = self.settings
        self.check_blueprints(self._registry.blueprints)
        named = self._named_operations()
        if self._selection is not None:
            tags = {tag for item in named.values() for tag in item.declaration.all_tags}
            used = [tag for tag in settings.tags or () if tag["name"] in tags]
            settings = replace(settings, tags=used)
        return self._run_hook(self._describe(named, settings))

    def describe_schemes(self) -> dict[str, t.Any]:
        """The Security Scheme Objects of the document by their names."""
        return describe_schemes(self._named_operations().values(), self.settings)

    def _named_operations(self) -> dict[str, Operation]:
        """The operations of the document by their ids, the same in every document."""
        operations = [
            operation
            for operation in self._registry.operations
            if self.version.has(operation.method)
            and operation.declaration.include_in_schema
        ]
        named = name_operations(operations, self.settings.operation_id)
        return {
            name: operation for name, operation in named.items() if self._has(operation)
        }

    def _has(self, operation: Operation) -> bool:
        """Whether an operation is of one of the blueprints, or has one of the tags."""
        if self._selection is None:
            return True
        owner = f"{operation.route.endpoint.rpartition('.')[0]}."
        blueprints = self._selection.get("blueprints", ())
        tags = {*self._selection.get("tags", ())}
        return any(owner.startswith(f"{name}.") for name in blueprints) or (
            not tags.isdisjoint(operation.declaration.all_tags)
        )

    def check_blueprints(self, known: Collection[str]) -> None:
        """Refuse a blueprint of the document that is not among the known ones.

        :raises SignatureError: if there is one.
        """
        named = self._selection.get("blueprints", ()) if self._selection else ()
        for name in named:
            if name in known:
                continue
            nearest = get_close_matches(name, known, n=1)
            hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
            raise SignatureError(
                f"SIGNATURE_DOCUMENTS: the document {self.name!r} names the blueprint"
                f" {name!r}, which is not registered.{hint} Register it before"
                " init_app(), or remove the name."
            )

    def _describe(
        self, named: Mapping[str, Operation], settings: Settings
    ) -> JsonObject:
        """The document before its hook. Source: OpenAPI 3.1, OpenAPI Object."""
        schemas = self._collect(named.values(), settings)
        paths = describe_paths(named, schemas)
        document = {
            "openapi": self.version.number,
            "$self": settings.openapi_self,
            "info": self._info(),
            # A URL that is relative to the document holds behind a prefix and a proxy
            # as well. Source: OpenAPI 3.1, Server Object "url".
            "servers": settings.servers
            or [{"url": relative_url("/", settings.openapi_path or "/")}],
            "paths": paths,
            "webhooks": schemas.describe(settings.webhooks),
            "components": {},
            "security": describe_requirements(settings.security),
            "tags": _tags(paths, settings, self._registry.blueprints),
            "externalDocs": settings.external_docs,
        }
        components = {
            "schemas": without_shared_titles(reachable(schemas.components, document)),
            "securitySchemes": describe_schemes(named.values(), settings),
        }
        document["components"] = without_empty(components)
        shown = (*REQUIRED_KEYS, "paths")
        kept = {key: item for key, item in document.items() if item or key in shown}
        return in_version(change_parts(kept), self.version)

    def _collect(
        self, operations: Collection[Operation], settings: Settings
    ) -> Schemas:
        """The schemas of all that is in the document."""
        schemas = Schemas(separate=settings.separate_input_output)
        # Pydantic numbers types of the same name, in their order here.
        for operation in sorted(operations, key=lambda x: (x.template.path, x.method)):
            schemas.collect_operation(operation)
        writer = self._registry.error_writer
        schemas.collect([writer.request_adapter, writer.http_adapter], is_sent=True)
        for plan in self._registry.handlers.plans:
            schemas.collect_returned(plan)
        schemas.collect_types(settings.webhooks)
        return schemas

    def _info(self) -> JsonObject:
        settings = self.settings
        info = {
            "title": self.title,
            "summary": settings.summary,
            "version": settings.version,
            "description": settings.description,
            "termsOfService": settings.terms_of_service,
            "contact": settings.contact,
            "license": settings.license,
        }
        return {key: value for key, value in info.items() if value is not None}

    def _run_hook(self, document: JsonObject) -> JsonObject:
        """The document that the hook leaves: the one it is given, or returns.

        :raises SignatureError: if that is no document, or can't be written as JSON.
        """
        hook, name = self.settings.document_hook, self.name
        if hook is None:
            return document
        key = (
            f"SIGNATURE_DOCUMENTS: {name}: hook" if name else "SIGNATURE_DOCUMENT_HOOK"
        )
        refused = partial(hook_error, key, hook)
        returned: t.Any = hook(document)
        changed = document if returned is None else returned
        if not isinstance(changed, dict):
            shown = repr(changed)
            if len(shown) >= 60:
                # It may be the whole of a document.
                shown = f"an object of {type(changed).__name__}"
            raise refused(
                f"returned {shown}. Return the document, or None if it was changed in"
                " place."
            )
        for required in REQUIRED_KEYS:
            if required not in changed:
                raise refused(f"left a document without {required!r}. Keep it.")
        try:
            # What a hook has put in becomes plain, so that all formats say the same.
            return t.cast("JsonObject", json.loads(write_document(changed)))
        except (TypeError, ValueError) as error:
            shown = str(error).rstrip(".")
            raise refused(f"left what can't be written as JSON: {shown}.") from None


def _tags(
    paths: JsonObject, settings: Settings, declared: Mapping[str, Declaration]
) -> list[JsonObject]:
    """The tags in the order of their declaration, then of their first use."""
    tags: dict[str, JsonObject] = {tag["name"]: {**tag} for tag in settings.tags or ()}
    for item in paths.values():
        for operation in operations_in(item):
            for name in operation.get("tags", ()):
                tags.setdefault(name, {"name": name})
    for name, parent in find_parents(declared).items():
        if name in tags:
            tags[name].setdefault("parent", parent)
    return list(tags.values())


def operations_in(path_item: JsonObject) -> list[JsonObject]:
    """The operations of a Path Item Object."""
    keys = [method.lower() for method in (*METHODS_OF_PATHS, QUERY)]
    named = [path_item[key] for key in keys if key in path_item]
    return [*named, *path_item.get(OTHER_METHODS, {}).values()]


def find_parents(declared: Mapping[str, Declaration]) -> dict[str, str]:
    """The parents of the tags of nested blueprints: the tag of the one around each.

    Both have one tag, and the one has no other parent elsewhere.

    :param declared: what blueprints declare, by their full names.
    """
    found: dict[str, set[str]] = {}
    for name, own in declared.items():
        around = declared.get(name.rpartition(".")[0])
        tags = [item.tags or () for item in (own, around) if item is not None]
        if [*map(len, tags)] == [1, 1]:
            found.setdefault(tags[0][0], set()).add(tags[1][0])
    known = {tag: parents.pop() for tag, parents in found.items() if len(parents) == 1}
    return {tag: parent for tag, parent in known.items() if not _leads_to(tag, known)}


def _leads_to(tag: str, parents: Mapping[str, str]) -> bool:
    """Whether a tag is its own parent, or that of one of these."""
    names = [parents[tag]]
    while names[-1] in parents and names.count(names[-1]) == 1:
        names.append(parents[names[-1]])
    return tag in names


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
        "webhooks": {},
        **selection,
    }
    for key in ("blueprints", "tags"):
        changes.pop(key, None)
    if "hook" in changes:
        changes["document_hook"] = changes.pop("hook")
    return replace(settings, **changes)


def relative_url(target: str, page: str) -> str:
    """The path of a page, relative to another page.

    ``"/docs/page.css"`` is ``"docs/page.css"`` on ``"/docs"``.
    """
    return posixpath.relpath(target, page.rpartition("/")[0] or "/")


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


class Version(t.NamedTuple):
    """One version of OpenAPI.

    :param has_all_methods: whether an operation of any method can be described.
    :param changes: by the kind of an object, and by one of its keys: what changes it.
    """

    number: str
    has_all_methods: bool
    changes: Mapping[str, Mapping[str, Callable[[JsonObject, str], object]]]

    def has(self, method: str) -> bool:
        """Whether an operation of a method can be described."""
        return self.has_all_methods or method in METHODS_OF_PATHS


def _add_parents(document: JsonObject, key: str) -> None:
    """A parent is a tag of the document. Source: OpenAPI 3.2, Tag Object."""
    tags = document[key]
    names = {tag["name"] for tag in tags}
    parents = dict.fromkeys(tag["parent"] for tag in tags if "parent" in tag)
    document[key] = [*tags, *({"name": name} for name in parents if name not in names)]


VERSIONS: t.Final = {
    "3.1": Version(
        "3.1.0",
        has_all_methods=False,
        changes={
            "document": {"$self": dict.pop},
            "server": {"name": dict.pop},
            "tag": dict.fromkeys(("summary", "parent", "kind"), dict.pop),
            "scheme": dict.fromkeys(("deprecated", "oauth2MetadataUrl"), dict.pop),
            "flows": {"deviceAuthorization": dict.pop},
            "response": {"summary": dict.pop},
            "media type": {"itemSchema": dict.pop},
        },
    ),
    "3.2": Version(
        "3.2.0",
        has_all_methods=True,
        changes={
            "document": {"tags": _add_parents},
            # A sequence has a schema for its items, and none as if it were one value.
            "media type": {"itemSchema": lambda found, key: found.pop("schema", None)},
            "example of data": {
                "value": lambda found, key: found.update(dataValue=found.pop(key))
            },
            "example of text": {
                "value": lambda found, key: found.update(serializedValue=found.pop(key))
            },
        },
    ),
}


def in_version(document: JsonObject, version: Version) -> JsonObject:
    """A document as a version has it."""
    for kind, found in _objects(document):
        for key, change in version.changes.get(kind, {}).items():
            if key in found:
                change(found, key)
    return document


def _objects(document: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """The objects of a document that the versions differ in, each with its kind."""
    yield "document", document
    for kind, key in ("server", "servers"), ("tag", "tags"):
        yield from ((kind, item) for item in document.get(key, ()))
    for scheme in document.get("components", {}).get("securitySchemes", {}).values():
        yield "scheme", scheme
        yield "flows", scheme.get("flows", {})
    for key in "paths", "webhooks":
        for path_item in document.get(key, {}).values():
            for operation in operations_in(path_item):
                yield from _objects_of(operation)


def _objects_of(operation: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for parameter in operation.get("parameters", ()):
        for example in parameter.get("examples", {}).values():
            yield "example of data", example
    responses = [*operation.get("responses", {}).values()]
    yield from (("response", response) for response in responses)
    for body in (operation.get("requestBody", {}), *responses):
        for media_type, item in body.get("content", {}).items():
            yield "media type", item
            for example in item.get("examples", {}).values():
                is_string = isinstance(example.get("value"), str)
                is_written = is_string and not is_json_media_type(media_type)
                yield f"example of {'text' if is_written else 'data'}", example
