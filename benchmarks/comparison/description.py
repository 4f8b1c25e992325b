"""What is asked about OpenAPI."""

from __future__ import annotations

import re

from .peer import Peer

ASSET = re.compile(r"<(?:script|link)[^>]*(?:src|href)=[\"']([^\"']+)", re.IGNORECASE)


def find_version(peer: Peer) -> str:
    """The version of OpenAPI, or of Swagger before it."""
    document = peer.document
    return str(document.get("openapi") or document.get("swagger") or "none")


def find_validity(peer: Peer) -> str:
    """Whether the document of its whole application is valid."""
    if not peer.document:
        return "none"
    from openapi_spec_validator import OpenAPIV2SpecValidator, OpenAPIV31SpecValidator

    two = "swagger" in peer.document
    validator = OpenAPIV2SpecValidator if two else OpenAPIV31SpecValidator
    return "yes" if validator(peer.document).is_valid() else "no"


def find_page(peer: Peer) -> str:
    """From where the interactive page takes its scripts and styles."""
    if peer.module.PAGE is None:
        return "none"
    assets = ASSET.findall(peer.get(peer.module.PAGE).body.decode())
    scripts = [
        asset for asset in assets if asset.split("?")[0].endswith((".js", "css"))
    ]
    if not scripts:
        return "separate"
    return "a CDN" if any("//" in asset for asset in scripts) else "itself"
