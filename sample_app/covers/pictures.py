"""Pictures, known by what they hold: the name and the type of an upload are claims."""

from __future__ import annotations

#: What the files of each format start with.
SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}

MEDIA_TYPES = ("image/gif", "image/jpeg", "image/png", "image/webp")


def media_type_of(content: bytes) -> str | None:
    """The media type of a picture, or ``None`` for anything else."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    for signature, media_type in SIGNATURES.items():
        if content.startswith(signature):
            return media_type
    return None
