"""The author's function that gets a finished document and may change it.

A document goes in, the one that the function leaves comes out; the description calls
it each time that it is built.
"""

from __future__ import annotations

import json
import typing as t

from .._signature.source import source_location
from ..exceptions import SignatureError
from .text import write_document

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from .objects import JsonObject

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
