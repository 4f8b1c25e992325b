"""The JSON text of a document, which is served, and which a hook must not break."""

from __future__ import annotations

import json
import typing as t
from decimal import Decimal

if t.TYPE_CHECKING:
    from .objects import JsonObject


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
