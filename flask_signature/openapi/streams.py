"""The content of a response that is sent item by item.

The schemas of the items go in, the content comes out, which is that of the response.
"""

from __future__ import annotations

import typing as t

from .components import any_of

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from .objects import JsonObject


def stream_content(media_type: str, items: Sequence[JsonObject]) -> JsonObject:
    """The content of a stream: a string, which has the schema of an item inside.

    :param items: the schemas of its items, none where they are strings themselves.

    Source: JSON Schema 2020-12, Validation, 8. OpenAPI 3.1 has no ``itemSchema``.
    """
    schema: JsonObject = {"type": "string"}
    if items:
        schema["contentMediaType"] = media_type
        schema["contentSchema"] = any_of(items)
    return {media_type: {"schema": schema}}
