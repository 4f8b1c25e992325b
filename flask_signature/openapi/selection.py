"""Which operations a document of ``SIGNATURE_DOCUMENTS`` has."""

from __future__ import annotations

import typing as t
from difflib import get_close_matches

from .._operations.decorators import Routes
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from flask import Flask

    from .._operations.operation import Operation
    from .._operations.registry import Registry
    from .._settings import Selection


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
