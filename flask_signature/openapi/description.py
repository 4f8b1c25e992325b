"""The documents of an application, each of which is built once and kept.

An application and its registry go in; the routes and the command use what comes out.
"""

from __future__ import annotations

import hashlib
import posixpath
import typing as t
from dataclasses import dataclass, replace

from .._once import Once
from .document import build_document, find_schemes, select_operations
from .hooks import run_hook
from .operations import name_operations
from .selection import check_selection, is_selected
from .text import write_document

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from .._operations.operation import Operation
    from .._operations.registry import Registry
    from .._settings import Selection, Settings
    from .document import Schemes
    from .objects import JsonObject


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
        )
        return run_hook(settings.document_hook, document, self.name)

    def schemes(self) -> Schemes:
        """The security schemes of the document by their names."""
        operations = [operation for _, operation in self._named_operations()]
        return find_schemes(operations, self.settings)

    def _named_operations(self) -> list[tuple[str, Operation]]:
        """The operations of the document with their ids, the same in every document."""
        operations = select_operations(self._registry.operations)
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
