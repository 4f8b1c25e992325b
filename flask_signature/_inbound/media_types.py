"""The media type that the arguments of a body declare.

Arguments go in when a view is compiled, their media type comes out.
"""

from __future__ import annotations

import typing as t

from .._http.json import JSON
from .._tokens import CONTENT_TYPE
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from .._signature.argument import Argument


def find_media_type(arguments: Sequence[Argument]) -> str | None:
    """The media type that the arguments of a body declare, ``None`` without one.

    :raises SignatureError: if there are two, or it is none.
    """
    declared = {argument.marker.media_type for argument in arguments} - {None}
    if len(declared) > 1:
        names = " and ".join(sorted(repr(item) for item in declared))
        raise SignatureError(f"the body has two media types, {names}. Keep one.")
    media_type = declared.pop() if declared else None
    if media_type and ";" in media_type:
        plain = media_type.partition(";")[0].strip()
        raise SignatureError(
            f"the media type {media_type!r} has a parameter, and bodies are told apart"
            f" without. Write {plain!r}."
        )
    if media_type and not CONTENT_TYPE.fullmatch(media_type):
        raise SignatureError(
            f"{media_type!r} is no media type of a body. Write one such as"
            " 'application/json' or 'image/*'; another one needs a view of its own."
        )
    return media_type.lower() if media_type else None


def check_json_type(argument: Argument, media_type: str) -> None:
    """Refuse a media type that no JSON body can have.

    :raises SignatureError: if it is not that of JSON, or names no single one.
    """
    if not is_json(media_type):
        advice = "Annotate it 'bytes' or 'str' to get the body as it is."
    elif "*" in media_type:
        advice = "Leave 'media_type' out to accept every type of JSON."
    else:
        return
    raise SignatureError(
        f"{argument.name!r} is read from JSON, but its media type is {media_type!r}."
        f" {advice}"
    )


def is_json(mimetype: str) -> bool:
    """Whether a content type is JSON: ``application/json``, ``application/*+json``."""
    if mimetype == JSON:
        return True
    return mimetype.startswith("application/") and mimetype.endswith("+json")
